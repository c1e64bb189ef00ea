/* Materials: see assimp_materials.h. */
#include "assimp_materials.h"

#include <assimp/material.h>
#include <assimp/scene.h>

#include <algorithm>
#include <cmath>

namespace {

/* What the conversion of a scene's materials shares. */
struct Source {
    const aiScene *scene;
    Model *model; /* being made */
    const char *path;
    const FbxDocument *fbx;                  /* document of an .fbx file; or null */
    std::map<std::string, int32_t> textures; /* by name: each is read once; -1: not readable */
};

/* ---- Textures ---- */

/* A picture of height 0 is a file of mWidth bytes. */
int32_t takeEmbedded(Model *model, const char *name, const aiTexture *texture) {
    if (texture->mHeight == 0) {
        return textureDecode(model, name, reinterpret_cast<const uint8_t *>(texture->pcData), texture->mWidth);
    }
    int32_t index = textureAdd(model, name, texture->mWidth, texture->mHeight);
    size_t texels = index >= 0 ? size_t(texture->mWidth) * texture->mHeight : 0;
    for (size_t i = 0; i < texels; i++) {
        const aiTexel &texel = texture->pcData[i];
        const uint8_t pixel[4] = {texel.r, texel.g, texel.b, texel.a};
        std::copy_n(pixel, 4, model->textures[index].pixels + 4 * i);
    }
    return index;
}

int32_t addTexture(const Source &source, const char *name) {
    const aiTexture *embedded = source.scene->GetEmbeddedTexture(name);
    if (embedded) {
        return takeEmbedded(source.model, name, embedded);
    }
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

/* The modes of an .fbx file are properties of its textures, which assimp does not pass on. */
void readFbxWrap(const FbxDocument &document, Slot *slot) {
    static const char *const properties[] = {"WrapModeU", "WrapModeV"};
    for (const auto &object : document.objects) {
        if (object.second->name != "Texture") {
            continue;
        }
        const FbxRecord *relative = object.second->child("RelativeFilename"), *full = object.second->child("FileName");
        const bool named = (relative && relative->textOf(0) == slot->name) || (full && full->textOf(0) == slot->name);
        for (int axis = 0; named && axis < 2; axis++) {
            const bool clamp = document.number(*object.second, properties[axis], 0.0) == 1.0;
            slot->wrap[axis] = clamp ? MODEL_WRAP_CLAMP : MODEL_WRAP_REPEAT;
        }
    }
}

/* The first texture of one of two types. */
Slot slotOf(const Source &source, const aiMaterial *from, aiTextureType first, aiTextureType second) {
    for (aiTextureType type : {first, second}) {
        aiString name;
        if (from->GetTexture(type, 0, &name) != aiReturn_SUCCESS || name.length == 0) {
            continue;
        }
        Slot slot = {
            type,
            name.C_Str(),
            {wrapOf(from, _AI_MATKEY_MAPPINGMODE_U_BASE, type), wrapOf(from, _AI_MATKEY_MAPPINGMODE_V_BASE, type)}};
        if (source.fbx) {
            readFbxWrap(*source.fbx, &slot);
        }
        return slot;
    }
    return {first, "", {MODEL_WRAP_REPEAT, MODEL_WRAP_REPEAT}};
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

/* ---- Maps of metal and roughness: two pictures in shades of grey become one ---- */

struct Picture {
    Array<char> name;
    uint32_t width = 1, height = 1;
    Array<uint8_t> pixels; /* null: none; it is white */

    uint8_t at(float u, float v) const {
        const uint32_t x = uint32_t(u * float(width)), y = uint32_t(v * float(height));
        return pixels ? pixels[4 * (size_t(std::min(y, height - 1)) * width + std::min(x, width - 1))] : 255;
    }
};

/* Reads a picture, and takes it out of the model again. */
Picture takePicture(const Source &source, const std::string &name) {
    Picture picture;
    if (!name.empty() && addTexture(source, name.c_str()) >= 0) {
        const ModelTexture &texture = source.model->textures[--source.model->textureCount];
        picture.name.reset(texture.name);
        free(texture.path);
        picture.width = texture.width;
        picture.height = texture.height;
        picture.pixels.reset(texture.pixels);
    }
    return picture;
}

/* -1: neither is readable. */
int32_t combine(const Source &source, const std::string &metal, const std::string &rough) {
    const Picture metals = takePicture(source, metal), roughs = takePicture(source, rough);
    if (!metals.pixels && !roughs.pixels) {
        return -1;
    }
    const uint32_t width = std::max(metals.width, roughs.width), height = std::max(metals.height, roughs.height);
    const std::string name = metals.pixels && roughs.pixels ? metal + " + " + rough : metals.pixels ? metal : rough;
    const int32_t index = textureAdd(source.model, name.c_str(), width, height);
    for (uint32_t i = 0; index >= 0 && i < width * height; i++) {
        const uint32_t column = i % width, row = i / width;
        const float u = (float(column) + 0.5f) / float(width), v = (float(row) + 0.5f) / float(height);
        uint8_t *texel = source.model->textures[index].pixels + 4 * size_t(i);
        const uint8_t values[4] = {255, roughs.at(u, v), metals.at(u, v), 255};
        std::copy_n(values, 4, texel);
    }
    return index;
}

/* A factor that a picture replaces is 1. */
void convertSurfaceMaps(Source &source, const aiMaterial *from, ModelMaterial *material) {
    const Slot metal = slotOf(source, from, aiTextureType_METALNESS, aiTextureType_METALNESS);
    const Slot rough = slotOf(source, from, aiTextureType_DIFFUSE_ROUGHNESS, aiTextureType_DIFFUSE_ROUGHNESS);
    const std::string key = metal.name + '\n' + rough.name;
    auto found = source.textures.find(key);
    if (found == source.textures.end()) {
        found = source.textures.emplace(key, combine(source, metal.name, rough.name)).first;
    }
    material->maps[MODEL_MAP_SURFACE] = found->second;
    if (found->second < 0) {
        return;
    }
    const Slot &slot = metal.name.empty() ? rough : metal;
    std::copy_n(slot.wrap, 2, material->wraps[MODEL_MAP_SURFACE]);
    warnOfPlace(source, from, material->name, slot);
    material->metallic = metal.name.empty() ? material->metallic : 1.0f;
    material->roughness = rough.name.empty() ? material->roughness : 1.0f;
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
        const Slot slot = slotOf(source, from, other.type, other.type);
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

/* The first of the properties of renderers that an .fbx file keeps; `otherwise` where it has none. */
template <size_t count> float rawNumberOf(const aiMaterial *from, const char *const (&names)[count], float otherwise) {
    for (const char *name : names) {
        float value = 0.0f;
        if (from->Get((std::string("$raw.") + name).c_str(), 0, 0, value) == aiReturn_SUCCESS && std::isfinite(value)) {
            return std::fmin(std::fmax(value, 0.0f), 1.0f);
        }
    }
    return otherwise;
}

/* The opposite of roughness, where 3ds Max says so. */
float glossOf(const aiMaterial *from) {
    static const char *const gloss[] = {"3dsMax|main|glossiness"}, *const rough[] = {"3dsMax|main|roughness"};
    int mode = 0;
    from->Get("$raw.3dsMax|main|useGlossiness", 0, 0, mode);
    return rawNumberOf(from, gloss, mode == 1 ? rawNumberOf(from, rough, -1.0f) : -1.0f);
}

/* assimp guesses a factor of roughness from an exponent: the exponent counts where there is one. */
float roughnessOf(const aiMaterial *from) {
    static const char *const names[] = {"3dsMax|main|roughness", "3dsMax|Parameters|roughness", "Maya|roughness",
                                        "Maya|specularRoughness"};
    const float exponent = numberOf(from, AI_MATKEY_SHININESS, -1.0f);
    const float width = std::pow(2.0f / (std::fmax(exponent, 0.0f) + 2.0f), 0.25f);
    const float gloss = glossOf(from);
    return gloss >= 0.0f
               ? 1.0f - gloss
               : rawNumberOf(from, names, exponent >= 0.0f ? width : numberOf(from, AI_MATKEY_ROUGHNESS_FACTOR, width));
}

float metallicOf(const aiMaterial *from) {
    static const char *const names[] = {"3dsMax|main|metalness", "3dsMax|Parameters|metalness", "Maya|metallic",
                                        "Maya|metalness"};
    return rawNumberOf(from, names, numberOf(from, AI_MATKEY_METALLIC_FACTOR, 0.0f));
}

/* An opacity of 0 counts as 1: exporters disagree about its meaning, and an invisible mesh makes no sense. */
void convertColor(const aiMaterial *from, ModelMaterial *material) {
    aiColor4D color(1.0f, 1.0f, 1.0f, 1.0f);
    if (from->Get(AI_MATKEY_BASE_COLOR, color) != aiReturn_SUCCESS) {
        from->Get(AI_MATKEY_COLOR_DIFFUSE, color);
    }
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
    material->metallic = std::fmin(metallicOf(from), 1.0f);
    material->roughness = std::fmin(roughnessOf(from), 1.0f);
}

void convertMaps(Source &source, const aiMaterial *from, ModelMaterial *material) {
    const Slot base = slotOf(source, from, aiTextureType_BASE_COLOR, aiTextureType_DIFFUSE);
    const Slot opacity = slotOf(source, from, aiTextureType_OPACITY, aiTextureType_OPACITY);
    setMap(source, from, material, MODEL_MAP_BASE, base);
    setMap(source, from, material, MODEL_MAP_EMISSION,
           slotOf(source, from, aiTextureType_EMISSION_COLOR, aiTextureType_EMISSIVE));
    setMap(source, from, material, MODEL_MAP_NORMAL,
           slotOf(source, from, aiTextureType_NORMALS, aiTextureType_NORMAL_CAMERA));
    setMap(source, from, material, MODEL_MAP_OCCLUSION,
           slotOf(source, from, aiTextureType_AMBIENT_OCCLUSION, aiTextureType_LIGHTMAP));
    const bool black = std::all_of(material->emission, material->emission + 3, [](float c) { return c == 0.0f; });
    if (material->maps[MODEL_MAP_EMISSION] >= 0 && black) {
        std::fill_n(material->emission, 3, 1.0f);
    }
    /* Cut out where the base colour's own alpha is meant. */
    if (!opacity.name.empty() && opacity.name == base.name && material->alpha == MODEL_ALPHA_OPAQUE) {
        material->alpha = MODEL_ALPHA_MASK;
    }
    convertSurfaceMaps(source, from, material);
    warnOfOthers(source, from, material->name, base.name);
}

} // namespace

float linearFromSrgb(float value) {
    value = std::fmin(std::fmax(value, 0.0f), 1.0f);
    return value <= 0.04045f ? value / 12.92f : std::pow((value + 0.055f) / 1.055f, 2.4f);
}

void assimpConvertMaterials(const aiScene *scene, const FbxDocument *fbx, const char *path, Model *model) {
    Source source = {scene, model, path, fbx, {}};
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
