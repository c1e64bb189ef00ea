#include "fbx_materials.h"

#include <algorithm>
#include <cmath>

namespace {

/* One material and the textures that are connected to it. */
struct Source {
    const FbxDocument &document;
    FbxPictures *pictures;
    const FbxRecord &object;
    const FbxRecord *ownTexture; /* texture of the Model */
    ModelMaterial *material;
};

/* ---- Textures ---- */

/* What a texture is for. */
enum Use {
    USE_BASE,
    USE_EMISSION,
    USE_NORMAL,
    USE_OCCLUSION,
    USE_METAL,
    USE_ROUGH,
    USE_SPECULAR, /* this one and those that follow are not read */
    USE_GLOSS,
    USE_OPACITY,
    USE_HEIGHT,
    USE_DISPLACEMENT,
    USE_REFLECTION,
    USE_AMBIENT
};

/* Properties of the SDK's materials, of Maya's and of 3ds Max'. The first that has a texture counts. */
const struct {
    Use use;
    const char *property;
} PROPERTIES[] = {
    {USE_BASE, "Maya|baseColor"},
    {USE_BASE, "Maya|TEX_color_map"},
    {USE_BASE, "Maya|TEX_color_map|file"},
    {USE_BASE, "3dsMax|Parameters|base_color_map"},
    {USE_BASE, "3dsMax|main|base_color_map"},
    {USE_BASE, "DiffuseColor"},
    {USE_BASE, "Maya|DiffuseTexture"},
    {USE_EMISSION, "Maya|emissionColor"},
    {USE_EMISSION, "Maya|TEX_emissive_map"},
    {USE_EMISSION, "Maya|TEX_emissive_map|file"},
    {USE_EMISSION, "3dsMax|Parameters|emission_map"},
    {USE_EMISSION, "3dsMax|Parameters|emit_color_map"},
    {USE_EMISSION, "3dsMax|main|emit_color_map"},
    {USE_EMISSION, "EmissiveColor"},
    {USE_EMISSION, "EmissiveFactor"},
    {USE_NORMAL, "NormalMap"},
    {USE_NORMAL, "Maya|NormalTexture"},
    {USE_NORMAL, "3dsMax|main|norm_map"},
    {USE_NORMAL, "Maya|normalCamera"},
    {USE_NORMAL, "Maya|TEX_normal_map"},
    {USE_NORMAL, "Maya|TEX_normal_map|file"},
    {USE_NORMAL, "3dsMax|Parameters|bump_map"},
    {USE_OCCLUSION, "Maya|TEX_ao_map"},
    {USE_OCCLUSION, "Maya|TEX_ao_map|file"},
    {USE_OCCLUSION, "3dsMax|main|ao_map"},
    {USE_METAL, "Maya|metalness"},
    {USE_METAL, "Maya|TEX_metallic_map"},
    {USE_METAL, "Maya|TEX_metallic_map|file"},
    {USE_METAL, "3dsMax|Parameters|metalness_map"},
    {USE_METAL, "3dsMax|main|metalness_map"},
    {USE_METAL, "ReflectionFactor"},
    {USE_ROUGH, "Maya|diffuseRoughness"},
    {USE_ROUGH, "Maya|TEX_roughness_map"},
    {USE_ROUGH, "Maya|TEX_roughness_map|file"},
    {USE_ROUGH, "3dsMax|Parameters|roughness_map"},
    {USE_ROUGH, "3dsMax|main|roughness_map"},
    {USE_SPECULAR, "SpecularColor"},
    {USE_SPECULAR, "SpecularFactor"},
    {USE_SPECULAR, "Maya|SpecularTexture"},
    {USE_SPECULAR, "3dsMax|main|specular_map"},
    {USE_GLOSS, "ShininessExponent"},
    {USE_GLOSS, "3dsMax|main|glossiness_map"},
    {USE_OPACITY, "TransparentColor"},
    {USE_OPACITY, "TransparencyFactor"},
    {USE_OPACITY, "Maya|FalloffTexture"},
    {USE_OPACITY, "3dsMax|main|opacity_map"},
    {USE_HEIGHT, "Bump"},
    {USE_DISPLACEMENT, "DisplacementColor"},
    {USE_DISPLACEMENT, "3dsMax|main|displacement_map"},
    {USE_REFLECTION, "ReflectionColor"},
    {USE_REFLECTION, "Maya|ReflectionMapTexture"},
    {USE_AMBIENT, "AmbientColor"},
};

struct Slot {
    const FbxRecord *texture = nullptr;
    std::string name, uvSet; /* name "": none */
    ModelWrap wrap[2] = {MODEL_WRAP_REPEAT, MODEL_WRAP_REPEAT};
    bool moved = false;
};

bool isMoved(const FbxDocument &document, const FbxRecord &texture) {
    const FbxVector scale = document.vector(texture, "Scaling", 1.0), still = {0.0, 0.0, 0.0}, one = {1.0, 1.0, 1.0};
    const auto differs = [&texture](const char *child, double usual) {
        const std::vector<double> numbers = texture.childNumbers(child);
        return std::any_of(numbers.begin(), numbers.end(), [&](double number) { return number != usual; });
    };
    return scale != one || document.vector(texture, "Translation", 0.0) != still ||
           document.vector(texture, "Rotation", 0.0) != still || differs("ModelUVScaling", 1.0) ||
           differs("ModelUVTranslation", 0.0);
}

Slot slotOf(const Source &source, const FbxRecord &texture) {
    static const char *const properties[] = {"WrapModeU", "WrapModeV"};
    Slot slot;
    slot.texture = &texture;
    slot.name = fbxPictureName(source.document, texture);
    slot.uvSet = source.document.text(texture, "UVSet");
    slot.moved = isMoved(source.document, texture);
    for (int axis = 0; axis < 2; axis++) {
        const bool clamp = source.document.number(texture, properties[axis], 0.0) == 1.0;
        slot.wrap[axis] = clamp ? MODEL_WRAP_CLAMP : MODEL_WRAP_REPEAT;
    }
    return slot;
}

/* The texture at a property; of layers, the lowest. Null: none. */
const FbxRecord *textureAt(const Source &source, const char *property) {
    for (const FbxLink &link : source.document.lower(source.object, "Texture")) {
        if (link.property == property) {
            return link.object;
        }
    }
    for (const FbxLink &link : source.document.lower(source.object, "LayeredTexture")) {
        const std::vector<FbxLink> layers = source.document.lower(*link.object, "Texture");
        if (link.property == property && !layers.empty()) {
            if (layers.size() > 1) {
                childWarn(source.pictures->model, "material '%.100s' has %zu layers of textures; its lowest is shown",
                          source.material->name, layers.size());
            }
            return layers[0].object;
        }
    }
    return nullptr;
}

Slot slotFor(const Source &source, Use use) {
    for (const auto &known : PROPERTIES) {
        const FbxRecord *texture = known.use == use ? textureAt(source, known.property) : nullptr;
        Slot slot = texture ? slotOf(source, *texture) : Slot();
        if (!slot.name.empty()) {
            return slot;
        }
    }
    return use == USE_BASE && source.ownTexture ? slotOf(source, *source.ownTexture) : Slot();
}

/* Meshes keep the texture coordinates of the base colour, as they are. */
void warnOfPlace(const Source &source, const Slot &slot, const std::string &uvSet) {
    const bool other = !slot.uvSet.empty() && !uvSet.empty() && slot.uvSet != uvSet;
    if (slot.moved || other) {
        childWarn(source.pictures->model,
                  "texture '%.100s' of material '%.100s' is shown with the %s texture coordinates%s", slot.name.c_str(),
                  source.material->name, other ? "base colour's" : "first",
                  slot.moved ? ", and not moved, scaled or turned" : "");
    }
}

void setMap(const Source &source, ModelMap map, const Slot &slot, const std::string &uvSet) {
    source.material->maps[map] = fbxPicture(source.pictures, slot.name);
    if (source.material->maps[map] >= 0) {
        std::copy_n(slot.wrap, 2, source.material->wraps[map]);
        warnOfPlace(source, slot, uvSet);
    }
}

/* A factor that a picture replaces is 1. */
void setSurfaceMap(const Source &source, const std::string &uvSet) {
    const Slot metal = slotFor(source, USE_METAL), rough = slotFor(source, USE_ROUGH);
    ModelMaterial *material = source.material;
    material->maps[MODEL_MAP_SURFACE] = fbxSurfacePicture(source.pictures, metal.name, rough.name);
    if (material->maps[MODEL_MAP_SURFACE] < 0) {
        return;
    }
    const Slot &slot = metal.name.empty() ? rough : metal;
    std::copy_n(slot.wrap, 2, material->wraps[MODEL_MAP_SURFACE]);
    warnOfPlace(source, slot, uvSet);
    material->metallic = metal.name.empty() ? material->metallic : 1.0f;
    material->roughness = rough.name.empty() ? material->roughness : 1.0f;
}

/* Maps of kinds that no material of ours has. base: the name of the map of base colours, which may serve twice. */
void warnOfOthers(const Source &source, const std::string &base) {
    static const char *const kinds[] = {"specular colours", "gloss",       "opacity",      "heights",
                                        "displacement",     "reflections", "ambient light"};
    for (int use = USE_SPECULAR; use <= USE_AMBIENT; use++) {
        const Slot slot = slotFor(source, Use(use));
        if (!slot.name.empty() && slot.name != base) {
            childWarn(source.pictures->model,
                      "texture '%.100s' of material '%.100s' is left out: maps of %s are not read", slot.name.c_str(),
                      source.material->name, kinds[use - USE_SPECULAR]);
        }
    }
}

/* Returns the name of the texture coordinates of the base colour. */
std::string convertMaps(const Source &source) {
    ModelMaterial *material = source.material;
    const Slot base = slotFor(source, USE_BASE), opacity = slotFor(source, USE_OPACITY);
    const Slot emission = slotFor(source, USE_EMISSION);
    std::string uvSet = !base.name.empty() ? base.uvSet : emission.uvSet;
    setMap(source, MODEL_MAP_BASE, base, uvSet);
    setMap(source, MODEL_MAP_EMISSION, emission, uvSet);
    setMap(source, MODEL_MAP_NORMAL, slotFor(source, USE_NORMAL), uvSet);
    setMap(source, MODEL_MAP_OCCLUSION, slotFor(source, USE_OCCLUSION), uvSet);
    const bool black = std::all_of(material->emission, material->emission + 3, [](float c) { return c == 0.0f; });
    if (material->maps[MODEL_MAP_EMISSION] >= 0 && black) {
        std::fill_n(material->emission, 3, 1.0f);
    }
    /* Cut out where the base colour's own alpha is meant. */
    if (!opacity.name.empty() && opacity.name == base.name && material->alpha == MODEL_ALPHA_OPAQUE) {
        material->alpha = MODEL_ALPHA_MASK;
    }
    setSurfaceMap(source, uvSet);
    warnOfOthers(source, base.name);
    return uvSet;
}

/* ---- Colours ---- */

bool has(const Source &source, const char *property) {
    const FbxRecord *record = source.document.property(source.object, property);
    return record && record->values.size() >= 5;
}

/* The first of the properties, limited to 0 to 1; `otherwise` where it has none. */
double numberOf(const Source &source, std::initializer_list<const char *> names, double otherwise) {
    for (const char *name : names) {
        if (has(source, name)) {
            return std::fmin(std::fmax(source.document.number(source.object, name, otherwise), 0.0), 1.0);
        }
    }
    return otherwise;
}

/* A colour times its factor; the legacy name where the first is missing. */
FbxVector colourOf(const Source &source, const char *name, const char *factor, const char *legacy, double otherwise) {
    FbxVector colour = source.document.vector(source.object, has(source, name) ? name : legacy, otherwise);
    const double times = has(source, name) ? source.document.number(source.object, factor, 1.0) : 1.0;
    for (double &channel : colour) {
        channel *= times;
    }
    return colour;
}

/* An opacity of 0 counts as 1: exporters disagree about its meaning, and an invisible mesh makes no sense. */
double opacityOf(const Source &source) {
    const FbxVector through = colourOf(source, "TransparentColor", "TransparencyFactor", "", 0.0);
    const double left = 1.0 - (through[0] + through[1] + through[2]) / 3.0;
    return numberOf(source, {"Opacity"}, std::fmin(std::fmax(left, 0.0), 1.0));
}

void convertColor(const Source &source) {
    const FbxVector colour = has(source, "Maya|base_color")
                                 ? source.document.vector(source.object, "Maya|base_color", 1.0)
                                 : colourOf(source, "DiffuseColor", "DiffuseFactor", "Diffuse", 1.0);
    const double opacity = opacityOf(source);
    std::transform(colour.begin(), colour.end(), source.material->baseColor,
                   [](double channel) { return linearFromSrgb(float(channel)); });
    if (opacity > 0.0 && opacity < 1.0) {
        source.material->baseColor[3] = float(opacity);
        source.material->alpha = MODEL_ALPHA_BLEND;
    }
}

/* The exponent of a highlight becomes the roughness whose highlight is as wide. Gloss: where 3ds Max says so. */
double roughnessOf(const Source &source) {
    const bool opposite = source.document.number(source.object, "3dsMax|main|useGlossiness", 0.0) == 1.0;
    const double gloss = opposite ? numberOf(source, {"3dsMax|main|roughness"}, -1.0) : -1.0;
    const double glossiness = numberOf(source, {"3dsMax|main|glossiness"}, gloss);
    const char *name = has(source, "ShininessExponent") ? "ShininessExponent" : "Shininess";
    const double exponent = std::fmax(source.document.number(source.object, name, 0.0), 0.0);
    const double rough = numberOf(
        source, {"3dsMax|main|roughness", "3dsMax|Parameters|roughness", "Maya|roughness", "Maya|specularRoughness"},
        std::pow(2.0 / (exponent + 2.0), 0.25));
    return glossiness >= 0.0 ? 1.0 - glossiness : rough;
}

/* A specular colour of 0.5 is the reflectance of most materials, 0.04. */
void convertSurface(const Source &source) {
    const FbxVector specular = colourOf(source, "SpecularColor", "SpecularFactor", "Specular", 0.5);
    const FbxVector emission = colourOf(source, "EmissiveColor", "EmissiveFactor", "Emissive", 0.0);
    for (size_t channel = 0; channel < 3; channel++) {
        source.material->specular[channel] = float(std::fmin(std::fmax(0.08 * specular[channel], 0.0), 1.0));
        source.material->emission[channel] = linearFromSrgb(float(emission[channel]));
    }
    source.material->metallic = float(numberOf(
        source, {"3dsMax|main|metalness", "3dsMax|Parameters|metalness", "Maya|metallic", "Maya|metalness"}, 0.0));
    source.material->roughness = float(roughnessOf(source));
}

} // namespace

FbxMaterials fbxBeginMaterials(const FbxDocument &document, const char *path, size_t uses, Model *model) {
    model->materials = newArray<ModelMaterial>(uses + 1);
    model->textures = newArray<ModelTexture>((uses + 1) * MODEL_MAP_COUNT);
    return {&document, fbxBeginPictures(document, path, model), model, {}, {}};
}

uint32_t fbxMaterial(FbxMaterials *materials, const FbxRecord *material, const FbxRecord *texture) {
    Model *model = materials->model;
    const auto [found, added] = materials->done.emplace(std::make_pair(material, texture), model->materialCount);
    if (!added) {
        return found->second;
    }
    ModelMaterial *to = &model->materials[model->materialCount++];
    *to = modelPlainMaterial(childCopyText(material ? fbxName(*material).c_str() : ""));
    materials->uvSets.emplace_back();
    if (material) {
        const Source source = {*materials->document, &materials->pictures, *material, texture, to};
        convertColor(source);
        convertSurface(source);
        materials->uvSets.back() = convertMaps(source);
    } else if (texture) {
        const Source source = {*materials->document, &materials->pictures, *texture, texture, to};
        const Slot base = slotOf(source, *texture);
        setMap(source, MODEL_MAP_BASE, base, base.uvSet);
        materials->uvSets.back() = base.uvSet;
    }
    return found->second;
}
