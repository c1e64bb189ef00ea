#include "assimp_source.h"
#include "child_memory.h"
#include "material_texture.h"
#include "path_below.h"

#include <assimp/material.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The formats that assimp reads give colours as a screen shows them, and those are sRGB. */
static float linearFromSrgb(float value) {
    value = fminf(fmaxf(value, 0.0f), 1.0f);
    return value <= 0.04045f ? value / 12.92f : powf((value + 0.055f) / 1.055f, 2.4f);
}

/* "*3", or the name that an embedded picture carries; null where the name means a file. */
static const struct aiTexture *findEmbedded(const struct aiScene *scene, const char *name) {
    if (name[0] == '*') {
        unsigned long index = strtoul(name + 1, NULL, 10);
        return index < scene->mNumTextures ? scene->mTextures[index] : NULL;
    }
    for (unsigned i = 0; i < scene->mNumTextures; i++) {
        if (strcmp(scene->mTextures[i]->mFilename.data, name) == 0) {
            return scene->mTextures[i];
        }
    }
    return NULL;
}

/* A picture of height 0 is a file of mWidth bytes. */
static int32_t takeEmbedded(Model *model, const struct aiTexture *texture) {
    if (texture->mHeight == 0) {
        return textureDecode(model, (const uint8_t *)texture->pcData, texture->mWidth);
    }
    int32_t index = textureAdd(model, texture->mWidth, texture->mHeight);
    size_t texels = index >= 0 ? (size_t)texture->mWidth * texture->mHeight : 0;
    for (size_t i = 0; i < texels; i++) {
        const struct aiTexel *texel = &texture->pcData[i];
        const uint8_t pixel[4] = {texel->r, texel->g, texel->b, texel->a};
        memcpy(model->textures[index].pixels + 4 * i, pixel, sizeof pixel);
    }
    return index;
}

static bool textureName(const struct aiMaterial *from, struct aiString *name) {
    static const enum aiTextureType types[] = {aiTextureType_BASE_COLOR, aiTextureType_DIFFUSE};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (aiGetMaterialTexture(from, types[i], 0, name, NULL, NULL, NULL, NULL, NULL, NULL) == aiReturn_SUCCESS &&
            name->length > 0) {
            return true;
        }
    }
    return false;
}

static int32_t addTexture(const AssimpSource *source, const char *name) {
    const struct aiTexture *embedded = findEmbedded(source->scene, name);
    if (embedded) {
        return takeEmbedded(source->model, embedded);
    }
    char *folder = pathFolder(source->path);
    int32_t texture = textureLoad(source->model, folder, name);
    free(folder);
    return texture;
}

/* names[]: of the textures of the materials before this one, "" where there is none. One name is read once. */
static int32_t convertTexture(const AssimpSource *source, uint32_t index, struct aiString *names) {
    names[index] = (struct aiString){0};
    if (!textureName(source->scene->mMaterials[index], &names[index])) {
        return -1;
    }
    for (uint32_t i = 0; i < index; i++) {
        if (strcmp(names[i].data, names[index].data) == 0) {
            return source->model->materials[i].texture;
        }
    }
    return addTexture(source, names[index].data);
}

static void convertColor(const struct aiMaterial *from, ModelMaterial *material) {
    struct aiColor4D color = {1.0f, 1.0f, 1.0f, 1.0f};
    if (aiGetMaterialColor(from, AI_MATKEY_BASE_COLOR, &color) != aiReturn_SUCCESS) {
        aiGetMaterialColor(from, AI_MATKEY_COLOR_DIFFUSE, &color);
    }
    const float components[3] = {color.r, color.g, color.b};
    for (int i = 0; i < 3; i++) {
        material->baseColor[i] = linearFromSrgb(components[i]);
    }
    material->baseColor[3] = fminf(fmaxf(color.a, 0.0f), 1.0f);
}

void assimpConvertMaterials(const AssimpSource *source) {
    const struct aiScene *scene = source->scene;
    Model *model = source->model;
    model->materialCount = scene->mNumMaterials > 0 ? scene->mNumMaterials : 1;
    model->materials = childAllocate(model->materialCount, sizeof *model->materials);
    model->textures = childAllocate(model->materialCount, sizeof *model->textures);
    struct aiString *names = childAllocate(model->materialCount, sizeof *names);
    for (uint32_t i = 0; i < model->materialCount; i++) {
        ModelMaterial *material = &model->materials[i];
        *material = (ModelMaterial){.baseColor = {1.0f, 1.0f, 1.0f, 1.0f}, .texture = -1};
        struct aiString name = {0};
        if (i < scene->mNumMaterials) {
            aiGetMaterialString(scene->mMaterials[i], AI_MATKEY_NAME, &name);
            convertColor(scene->mMaterials[i], material);
            material->texture = convertTexture(source, i, names);
        }
        material->name = childCopyText(name.data);
    }
    free(names);
}
