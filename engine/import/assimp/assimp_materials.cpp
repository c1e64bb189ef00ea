/* Materials: see assimp_materials.h. */
#include "assimp_materials.h"

#include <assimp/material.h>
#include <assimp/scene.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace {

/* What the conversion of a scene's materials shares. */
struct Source {
    const aiScene *scene;
    Model *model; /* being made */
    const char *path;
    std::map<std::string, int32_t> textures; /* by name: each is read once; -1: not readable */
};

/* ---- Textures ---- */

int32_t addTexture(const Source &source, const char *name) {
    Array<char> folder(pathFolder(source.path));
    return textureLoad(source.model, folder.get(), name);
}

/* A texture of a material. */
struct Slot {
    aiTextureType type;
    std::string name; /* "": none */
    ModelWrap wrap[2];
};

ModelWrap wrapOf(const aiMaterial *from, const char *key, aiTextureType type) {
    int mode = aiTextureMapMode_Wrap;
    from->Get(key, type, 0, mode);
    return mode == aiTextureMapMode_Clamp || mode == aiTextureMapMode_Decal ? MODEL_WRAP_CLAMP
           : mode == aiTextureMapMode_Mirror                                ? MODEL_WRAP_MIRROR
                                                                            : MODEL_WRAP_REPEAT;
}

Slot slotOf(const aiMaterial *from, aiTextureType type) {
    aiString name;
    const bool found = from->GetTexture(type, 0, &name) == aiReturn_SUCCESS;
    return {type,
            found ? name.C_Str() : "",
            {wrapOf(from, _AI_MATKEY_MAPPINGMODE_U_BASE, type), wrapOf(from, _AI_MATKEY_MAPPINGMODE_V_BASE, type)}};
}

/* Meshes keep their first texture coordinates, as they are. */
void warnOfPlace(const Source &source, const aiMaterial *from, const char *material, const Slot &slot) {
    int coordinates = 0;
    aiUVTransform transform;
    from->Get(AI_MATKEY_UVWSRC(slot.type, 0), coordinates);
    from->Get(AI_MATKEY_UVTRANSFORM(slot.type, 0), transform);
    const bool moved = transform.mTranslation != aiVector2D(0.0f, 0.0f) ||
                       transform.mScaling != aiVector2D(1.0f, 1.0f) || transform.mRotation != 0.0f;
    if (coordinates != 0 || moved) {
        childWarn(source.model, "texture '%.100s' of material '%.100s' is shown with the first texture coordinates%s",
                  slot.name.c_str(), material, moved ? ", and not moved, scaled or turned" : "");
    }
}

int32_t convertTexture(Source &source, const std::string &name) {
    if (name.empty()) {
        return -1;
    }
    auto found = source.textures.find(name);
    if (found == source.textures.end()) {
        found = source.textures.emplace(name, addTexture(source, name.c_str())).first;
    }
    return found->second;
}

void setMap(Source &source, const aiMaterial *from, ModelMaterial *material, ModelMap map, const Slot &slot) {
    material->maps[map] = convertTexture(source, slot.name);
    if (material->maps[map] >= 0) {
        std::copy_n(slot.wrap, 2, material->wraps[map]);
        warnOfPlace(source, from, material->name, slot);
    }
}

/* Maps of kinds that no material of ours has. base: the name of the map of base colours, which may serve twice. */
void warnOfOthers(const Source &source, const aiMaterial *from, const char *material, const std::string &base) {
    static const struct {
        aiTextureType type;
        const char *kind;
    } others[] = {
        {aiTextureType_SPECULAR, "specular colours"}, {aiTextureType_SHININESS, "gloss"},
        {aiTextureType_OPACITY, "opacity"},           {aiTextureType_HEIGHT, "heights"},
        {aiTextureType_DISPLACEMENT, "displacement"}, {aiTextureType_REFLECTION, "reflections"},
        {aiTextureType_AMBIENT, "ambient light"},
    };
    for (const auto &other : others) {
        const Slot slot = slotOf(from, other.type);
        if (!slot.name.empty() && slot.name != base) {
            childWarn(source.model, "texture '%.100s' of material '%.100s' is left out: maps of %s are not read",
                      slot.name.c_str(), material, other.kind);
        }
    }
}

/* ---- Colours ---- */

/* `otherwise` where the material has no such number. */
float numberOf(const aiMaterial *from, const char *key, unsigned type, unsigned index, float otherwise) {
    float value = otherwise;
    bool found = from->Get(key, type, index, value) == aiReturn_SUCCESS && std::isfinite(value);
    return found ? std::fmin(std::fmax(value, 0.0f), 1e6f) : otherwise;
}

/* The roughness whose highlight is as wide as that of the exponent. */
float roughnessOf(const aiMaterial *from) {
    return std::pow(2.0f / (numberOf(from, AI_MATKEY_SHININESS, 0.0f) + 2.0f), 0.25f);
}

/* An opacity of 0 counts as 1: exporters disagree about its meaning, and an invisible mesh makes no sense. */
void convertColor(const aiMaterial *from, ModelMaterial *material) {
    aiColor4D color(1.0f, 1.0f, 1.0f, 1.0f);
    from->Get(AI_MATKEY_COLOR_DIFFUSE, color);
    std::transform(&color.r, &color.r + 3, material->baseColor, linearFromSrgb);
    float alpha = std::fmin(std::fmax(color.a, 0.0f), 1.0f) * numberOf(from, AI_MATKEY_OPACITY, 1.0f);
    if (alpha > 0.0f && alpha < 1.0f) {
        material->baseColor[3] = alpha;
        material->alpha = MODEL_ALPHA_BLEND;
    }
}

/*
 * A specular colour of 0.5 is the reflectance of most materials, 0.04. The exponent of a highlight becomes the roughness
 * whose highlight is as wide.
 */
void convertSurface(const aiMaterial *from, ModelMaterial *material) {
    /* Colours of four components: assimp sets colours of three to 0 where the material has none. */
    aiColor4D specular(0.5f, 0.5f, 0.5f, 1.0f), emission(0.0f, 0.0f, 0.0f, 1.0f);
    from->Get(AI_MATKEY_COLOR_SPECULAR, specular);
    from->Get(AI_MATKEY_COLOR_EMISSIVE, emission);
    const float strength = numberOf(from, AI_MATKEY_SHININESS_STRENGTH, 1.0f);
    for (unsigned channel = 0; channel < 3; channel++) {
        const float reflected = 0.08f * specular[channel] * strength;
        material->specular[channel] = std::fmin(std::fmax(reflected, 0.0f), 1.0f);
        material->emission[channel] = linearFromSrgb(emission[channel]);
    }
    material->metallic = 0.0f;
    material->roughness = roughnessOf(from);
}

void convertMaps(Source &source, const aiMaterial *from, ModelMaterial *material) {
    const Slot base = slotOf(from, aiTextureType_DIFFUSE), opacity = slotOf(from, aiTextureType_OPACITY);
    setMap(source, from, material, MODEL_MAP_BASE, base);
    setMap(source, from, material, MODEL_MAP_EMISSION, slotOf(from, aiTextureType_EMISSIVE));
    setMap(source, from, material, MODEL_MAP_NORMAL, slotOf(from, aiTextureType_NORMALS));
    setMap(source, from, material, MODEL_MAP_OCCLUSION, slotOf(from, aiTextureType_LIGHTMAP));
    const bool black = std::all_of(material->emission, material->emission + 3, [](float c) { return c == 0.0f; });
    if (material->maps[MODEL_MAP_EMISSION] >= 0 && black) {
        std::fill_n(material->emission, 3, 1.0f);
    }
    /* Cut out where the base colour's own alpha is meant. */
    if (!opacity.name.empty() && opacity.name == base.name && material->alpha == MODEL_ALPHA_OPAQUE) {
        material->alpha = MODEL_ALPHA_MASK;
    }
    warnOfOthers(source, from, material->name, base.name);
}

} // namespace

void assimpConvertMaterials(const aiScene *scene, const char *path, Model *model) {
    Source source = {scene, model, path, {}};
    model->materialCount = std::max(scene->mNumMaterials, 1u);
    model->materials = newArray<ModelMaterial>(model->materialCount);
    model->textures = newArray<ModelTexture>(size_t(model->materialCount) * MODEL_MAP_COUNT);
    for (uint32_t i = 0; i < model->materialCount; i++) {
        ModelMaterial *material = &model->materials[i];
        aiString name;
        *material = modelPlainMaterial(nullptr);
        if (i < scene->mNumMaterials) {
            scene->mMaterials[i]->Get(AI_MATKEY_NAME, name);
        }
        material->name = childCopyText(name.data);
        if (i < scene->mNumMaterials) {
            convertColor(scene->mMaterials[i], material);
            convertSurface(scene->mMaterials[i], material);
            convertMaps(source, scene->mMaterials[i], material);
        }
    }
}
