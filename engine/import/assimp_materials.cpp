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

/* The name of the first texture of one of two types; "" for none. */
std::string textureName(const aiMaterial *from, aiTextureType first, aiTextureType second) {
    aiString name;
    for (aiTextureType type : {first, second}) {
        if (from->GetTexture(type, 0, &name) == aiReturn_SUCCESS && name.length > 0) {
            return name.C_Str();
        }
    }
    return std::string();
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

/* Pictures with one value per texel, which are not put together to a MODEL_MAP_SURFACE. */
void warnOfSurface(const Source &source, const aiMaterial *from, const char *material) {
    for (aiTextureType type : {aiTextureType_METALNESS, aiTextureType_DIFFUSE_ROUGHNESS}) {
        const std::string name = textureName(from, type, type);
        if (!name.empty()) {
            childWarn(source.model, "texture '%.100s' of material '%.100s' is left out: %s are read from glTF only",
                      name.c_str(), material, "maps of metal and roughness");
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
    aiColor3D specular(0.5f, 0.5f, 0.5f), emission(0.0f, 0.0f, 0.0f);
    from->Get(AI_MATKEY_COLOR_SPECULAR, specular);
    from->Get(AI_MATKEY_COLOR_EMISSIVE, emission);
    const float strength = numberOf(from, AI_MATKEY_SHININESS_STRENGTH, 1.0f);
    const float exponent = numberOf(from, AI_MATKEY_SHININESS, 0.0f);
    const float width = std::pow(2.0f / (exponent + 2.0f), 0.25f);
    for (unsigned channel = 0; channel < 3; channel++) {
        const float reflected = 0.08f * specular[channel] * strength;
        material->specular[channel] = std::fmin(std::fmax(reflected, 0.0f), 1.0f);
        material->emission[channel] = linearFromSrgb(emission[channel]);
    }
    material->metallic = std::fmin(numberOf(from, AI_MATKEY_METALLIC_FACTOR, 0.0f), 1.0f);
    material->roughness = std::fmin(numberOf(from, AI_MATKEY_ROUGHNESS_FACTOR, width), 1.0f);
}

void convertMaps(Source &source, const aiMaterial *from, ModelMaterial *material) {
    const std::string base = textureName(from, aiTextureType_BASE_COLOR, aiTextureType_DIFFUSE);
    const std::string emission = textureName(from, aiTextureType_EMISSION_COLOR, aiTextureType_EMISSIVE);
    material->maps[MODEL_MAP_BASE] = convertTexture(source, base);
    material->maps[MODEL_MAP_EMISSION] = convertTexture(source, emission);
    material->maps[MODEL_MAP_NORMAL] =
        convertTexture(source, textureName(from, aiTextureType_NORMALS, aiTextureType_NORMAL_CAMERA));
    const bool black = std::all_of(material->emission, material->emission + 3, [](float c) { return c == 0.0f; });
    if (material->maps[MODEL_MAP_EMISSION] >= 0 && black) {
        std::fill_n(material->emission, 3, 1.0f);
    }
    /* Cut out where the base colour's own alpha is meant. */
    const std::string opacity = textureName(from, aiTextureType_OPACITY, aiTextureType_OPACITY);
    if (!opacity.empty() && opacity == base && material->alpha == MODEL_ALPHA_OPAQUE) {
        material->alpha = MODEL_ALPHA_MASK;
    }
    warnOfSurface(source, from, material->name);
}

} // namespace

float linearFromSrgb(float value) {
    value = std::fmin(std::fmax(value, 0.0f), 1.0f);
    return value <= 0.04045f ? value / 12.92f : std::pow((value + 0.055f) / 1.055f, 2.4f);
}

void assimpConvertMaterials(const aiScene *scene, Model *model, const char *path) {
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
