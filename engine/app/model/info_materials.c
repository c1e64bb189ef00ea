#include "info_materials.h"

#include <math.h>

static const char *const MAP_NAMES[MODEL_MAP_COUNT] = {
    [MODEL_MAP_BASE] = "base colour", [MODEL_MAP_EMISSION] = "emission",   [MODEL_MAP_NORMAL] = "normal",
    [MODEL_MAP_SURFACE] = "surface",  [MODEL_MAP_OCCLUSION] = "occlusion",
};

static const char *const WRAP_NAMES[MODEL_WRAP_COUNT] = {
    [MODEL_WRAP_REPEAT] = "repeat", [MODEL_WRAP_CLAMP] = "clamp", [MODEL_WRAP_MIRROR] = "mirror"};

static const char *const ALPHA_NAMES[] = {
    [MODEL_ALPHA_OPAQUE] = "opaque", [MODEL_ALPHA_MASK] = "mask", [MODEL_ALPHA_BLEND] = "blend"};

/* ---- Lines below a material in the table ---- */

static void writeFactors(Document *document, const ModelMaterial *material) {
    const float *emission = material->emission, *specular = material->specular;
    char normal[40] = "", occlusion[40] = "";
    if (material->maps[MODEL_MAP_NORMAL] >= 0) {
        snprintf(normal, sizeof normal, ", normal scale %.3g", (double)material->normalScale);
    }
    if (material->maps[MODEL_MAP_OCCLUSION] >= 0) {
        snprintf(occlusion, sizeof occlusion, ", occlusion %.3g", (double)material->occlusion);
    }
    documentLine(document, "          emission %.3g %.3g %.3g, specular %.3g %.3g %.3g%s%s%s", (double)emission[0],
                 (double)emission[1], (double)emission[2], (double)specular[0], (double)specular[1],
                 (double)specular[2], normal, occlusion, material->unlit ? ", unlit" : "");
}

static void writeMaps(Document *document, const Model *model, const ModelMaterial *material) {
    for (int map = 0; map < MODEL_MAP_COUNT; map++) {
        if (material->maps[map] >= 0) {
            const ModelTexture *texture = &model->textures[material->maps[map]];
            const ModelWrap *wrap = material->wraps[map];
            documentLine(document, "          %-11s %5u x %-5u %-6s %-6s  %s", MAP_NAMES[map], texture->width,
                         texture->height, WRAP_NAMES[wrap[0]], WRAP_NAMES[wrap[1]],
                         texture->name[0] ? texture->name : "(no name)");
        }
    }
}

/* ---- In the JSON alone ---- */

static void addMaps(cJSON *row, const Model *model, const ModelMaterial *material, bool *good) {
    cJSON *maps = jsonAddArray(row, "maps", good);
    for (int map = 0; map < MODEL_MAP_COUNT; map++) {
        if (material->maps[map] < 0) {
            continue;
        }
        const ModelTexture *texture = &model->textures[material->maps[map]];
        JSON_ROW(maps, good, jsonText("use", MAP_NAMES[map]), jsonText("name", texture->name),
                 jsonCount("texture", (uint64_t)material->maps[map]), jsonCount("width", texture->width),
                 jsonCount("height", texture->height), jsonText("wrapU", WRAP_NAMES[material->wraps[map][0]]),
                 jsonText("wrapV", WRAP_NAMES[material->wraps[map][1]]));
    }
}

static void addFactors(cJSON *row, const Model *model, const ModelMaterial *material, bool *good) {
    JSON_ADD(row, good, jsonFloats("baseColour", material->baseColor, 4));
    if (material->maps[MODEL_MAP_BASE] >= 0) {
        const ModelTexture *texture = &model->textures[material->maps[MODEL_MAP_BASE]];
        const double size[2] = {texture->width, texture->height};
        jsonAdd(row, "texture", cJSON_CreateDoubleArray(size, 2), good);
    } else {
        JSON_ADD(row, good, jsonText("texture", NULL));
    }
    JSON_ADD(row, good, jsonFloats("emission", material->emission, 3));
    JSON_ADD(row, good, jsonFloats("specular", material->specular, 3));
    JSON_ADD(row, good, jsonNumber("normalScale", material->normalScale), jsonNumber("occlusion", material->occlusion),
             jsonFlag("unlit", material->unlit != 0));
}

/* ---- Materials ---- */

static void writeMaterial(Document *document, const Model *model, uint32_t index) {
    const ModelMaterial *material = &model->materials[index];
    const float *colour = material->baseColor;
    const bool mask = material->alpha == MODEL_ALPHA_MASK;
    char text[192], alpha[32];
    snprintf(text, sizeof text, "%.3f %.3f %.3f %.3f", (double)colour[0], (double)colour[1], (double)colour[2],
             (double)colour[3]);
    snprintf(alpha, sizeof alpha, mask ? "%s %.3g" : "%s", ALPHA_NAMES[material->alpha], (double)material->alphaCutoff);
    cJSON *row = TABLE_ROW(document, cellText(material->name), cellCount(index), cellText(text),
                           cellNumber(material->metallic, 3), cellNumber(material->roughness, 3), cellText(alpha),
                           cellText(ALPHA_NAMES[material->alpha]), cellNumber(numberIf(mask, material->alphaCutoff), 3),
                           cellCount(material->oneSided ? 1 : 2));
    addFactors(row, model, material, &document->good);
    addMaps(row, model, material, &document->good);
    writeFactors(document, material);
    writeMaps(document, model, material);
}

void infoWriteMaterials(Document *document, const Model *model) {
    static const Column COLUMNS[] = {
        {"name", "name", 0},          {"material", NULL, 8},          {"base colour (linear)", NULL, -23},
        {"metallic", "metallic", 10}, {"roughness", "roughness", 11}, {"alpha", NULL, -10},
        {NULL, "alphaMode", 0},       {NULL, "alphaCutoff", 0},       {"sides", "sides", 5}};
    tableBegin(document, "materials", NULL, COLUMNS, COUNT_OF(COLUMNS));
    for (uint32_t i = 0; i < model->materialCount; i++) {
        writeMaterial(document, model, i);
    }
}
