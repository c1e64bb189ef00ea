#include "info_materials.h"

#include <math.h>

#include "outputs.h"
#include "terminal.h"

static const char *const MAP_NAMES[MODEL_MAP_COUNT] = {
    [MODEL_MAP_BASE] = "base colour", [MODEL_MAP_EMISSION] = "emission",   [MODEL_MAP_NORMAL] = "normal",
    [MODEL_MAP_SURFACE] = "surface",  [MODEL_MAP_OCCLUSION] = "occlusion",
};

static const char *const WRAP_NAMES[MODEL_WRAP_COUNT] = {
    [MODEL_WRAP_REPEAT] = "repeat", [MODEL_WRAP_CLAMP] = "clamp", [MODEL_WRAP_MIRROR] = "mirror"};

static const char *const ALPHA_NAMES[] = {
    [MODEL_ALPHA_OPAQUE] = "opaque", [MODEL_ALPHA_MASK] = "mask", [MODEL_ALPHA_BLEND] = "blend"};

/* ---- Text ---- */

static void printFactors(FILE *file, const ModelMaterial *material) {
    const float *emission = material->emission, *specular = material->specular;
    fprintf(file, "          emission %.3g %.3g %.3g, specular %.3g %.3g %.3g", (double)emission[0],
            (double)emission[1], (double)emission[2], (double)specular[0], (double)specular[1], (double)specular[2]);
    if (material->maps[MODEL_MAP_NORMAL] >= 0) {
        fprintf(file, ", normal scale %.3g", (double)material->normalScale);
    }
    if (material->maps[MODEL_MAP_OCCLUSION] >= 0) {
        fprintf(file, ", occlusion %.3g", (double)material->occlusion);
    }
    fputs(material->unlit ? ", unlit\n" : "\n", file);
}

static void printMap(FILE *file, const Model *model, const ModelMaterial *material, int map) {
    const ModelTexture *texture = &model->textures[material->maps[map]];
    const ModelWrap *wrap = material->wraps[map];
    fprintf(file, "          %-11s %5u x %-5u %-6s %-6s  ", MAP_NAMES[map], texture->width, texture->height,
            WRAP_NAMES[wrap[0]], WRAP_NAMES[wrap[1]]);
    sayName(file, texture->name);
}

static void printMaterial(FILE *file, const Model *model, uint32_t index) {
    const ModelMaterial *material = &model->materials[index];
    const float *colour = material->baseColor;
    char alpha[32];
    snprintf(alpha, sizeof alpha, "%s", ALPHA_NAMES[material->alpha]);
    if (material->alpha == MODEL_ALPHA_MASK) {
        snprintf(alpha, sizeof alpha, "mask %.3g", (double)material->alphaCutoff);
    }
    fprintf(file, "%8u  %.3f %.3f %.3f %.3f%10.3f%11.3f  %-10s%5d  ", index, (double)colour[0], (double)colour[1],
            (double)colour[2], (double)colour[3], (double)material->metallic, (double)material->roughness, alpha,
            material->oneSided ? 1 : 2);
    sayName(file, material->name);
    printFactors(file, material);
    for (int map = 0; map < MODEL_MAP_COUNT; map++) {
        if (material->maps[map] >= 0) {
            printMap(file, model, material, map);
        }
    }
}

void infoPrintMaterials(FILE *file, const Model *model) {
    if (model->materialCount > 0) {
        fputs("\nmaterial  base colour (linear)     metallic  roughness  alpha     sides  name\n", file);
    }
    for (uint32_t i = 0; i < model->materialCount; i++) {
        printMaterial(file, model, i);
    }
}

/* ---- JSON ---- */

static void addMaps(cJSON *row, const Model *model, const ModelMaterial *material, bool *good) {
    cJSON *maps = jsonAddArray(row, "maps", good);
    for (int map = 0; map < MODEL_MAP_COUNT; map++) {
        if (material->maps[map] < 0) {
            continue;
        }
        const ModelTexture *texture = &model->textures[material->maps[map]];
        cJSON *object = jsonAddRow(maps, good);
        jsonAddText(object, "use", MAP_NAMES[map], good);
        jsonAddText(object, "name", texture->name, good);
        jsonAddCount(object, "texture", (uint64_t)material->maps[map], good);
        jsonAddCount(object, "width", texture->width, good);
        jsonAddCount(object, "height", texture->height, good);
        jsonAddText(object, "wrapU", WRAP_NAMES[material->wraps[map][0]], good);
        jsonAddText(object, "wrapV", WRAP_NAMES[material->wraps[map][1]], good);
    }
}

static void addMaterial(cJSON *row, const Model *model, const ModelMaterial *material, bool *good) {
    jsonAddText(row, "name", material->name, good);
    jsonAdd(row, "baseColour", cJSON_CreateFloatArray(material->baseColor, 4), good);
    if (material->maps[MODEL_MAP_BASE] >= 0) {
        const ModelTexture *texture = &model->textures[material->maps[MODEL_MAP_BASE]];
        const double size[2] = {texture->width, texture->height};
        jsonAdd(row, "texture", cJSON_CreateDoubleArray(size, 2), good);
    } else {
        jsonAddNull(row, "texture", good);
    }
    jsonAdd(row, "emission", cJSON_CreateFloatArray(material->emission, 3), good);
    jsonAdd(row, "specular", cJSON_CreateFloatArray(material->specular, 3), good);
    jsonAddNumber(row, "metallic", (double)material->metallic, good);
    jsonAddNumber(row, "roughness", (double)material->roughness, good);
    jsonAddNumber(row, "normalScale", (double)material->normalScale, good);
    jsonAddNumber(row, "occlusion", (double)material->occlusion, good);
    jsonAddText(row, "alphaMode", ALPHA_NAMES[material->alpha], good);
    jsonAddNumber(row, "alphaCutoff", material->alpha == MODEL_ALPHA_MASK ? (double)material->alphaCutoff : (double)NAN,
                  good);
    jsonAddCount(row, "sides", material->oneSided ? 1 : 2, good);
    jsonAdd(row, "unlit", cJSON_CreateBool(material->unlit != 0), good);
    addMaps(row, model, material, good);
}

void infoAddMaterials(cJSON *object, const Model *model, bool *good) {
    cJSON *materials = jsonAddArray(object, "materials", good);
    for (uint32_t i = 0; i < model->materialCount; i++) {
        addMaterial(jsonAddRow(materials, good), model, &model->materials[i], good);
    }
}
