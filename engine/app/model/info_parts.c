#include "info_parts.h"

#include "terminal.h"
#include "vkm_chunks.h"
#include "vkm_read.h"

/* ---- Materials ---- */

static const char *const MAP_NAMES[MODEL_MAP_COUNT] = {
    [MODEL_MAP_BASE] = "base colour", [MODEL_MAP_EMISSION] = "emission",   [MODEL_MAP_NORMAL] = "normal",
    [MODEL_MAP_SURFACE] = "surface",  [MODEL_MAP_OCCLUSION] = "occlusion",
};

static const char *const WRAP_NAMES[MODEL_WRAP_COUNT] = {
    [MODEL_WRAP_REPEAT] = "repeat", [MODEL_WRAP_CLAMP] = "clamp", [MODEL_WRAP_MIRROR] = "mirror"};

static const char *const ALPHA_NAMES[] = {
    [MODEL_ALPHA_OPAQUE] = "opaque", [MODEL_ALPHA_MASK] = "mask", [MODEL_ALPHA_BLEND] = "blend"};

/* Below the material in the table, and in its row of the JSON. */
static void writeFactors(Document *document, const Model *model, const ModelMaterial *material, cJSON *row) {
    const float *emission = material->emission, *specular = material->specular;
    const int32_t base = material->maps[MODEL_MAP_BASE];
    const ModelTexture *texture = base >= 0 ? &model->textures[base] : NULL;
    const float size[2] = {texture ? (float)texture->width : 0.0f, texture ? (float)texture->height : 0.0f};
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
    JSON_ADD(row, &document->good, jsonFloats("baseColour", material->baseColor, 4),
             jsonFloats("texture", texture ? size : NULL, 2), jsonFloats("emission", emission, 3),
             jsonFloats("specular", specular, 3), jsonNumber("normalScale", material->normalScale),
             jsonNumber("occlusion", material->occlusion), jsonFlag("unlit", material->unlit != 0));
}

static void writeMaps(Document *document, const Model *model, const ModelMaterial *material, cJSON *row) {
    cJSON *maps = jsonAddArray(row, "maps", &document->good);
    for (int map = 0; map < MODEL_MAP_COUNT; map++) {
        if (material->maps[map] >= 0) {
            const ModelTexture *texture = &model->textures[material->maps[map]];
            const char *u = WRAP_NAMES[material->wraps[map][0]], *v = WRAP_NAMES[material->wraps[map][1]];
            documentLine(document, "          %-11s %5u x %-5u %-6s %-6s  %s", MAP_NAMES[map], texture->width,
                         texture->height, u, v, texture->name[0] ? texture->name : "(no name)");
            JSON_ROW(maps, &document->good, jsonText("use", MAP_NAMES[map]), jsonText("name", texture->name),
                     jsonCount("texture", (uint64_t)material->maps[map]), jsonCount("width", texture->width),
                     jsonCount("height", texture->height), jsonText("wrapU", u), jsonText("wrapV", v));
        }
    }
}

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
    writeFactors(document, model, material, row);
    writeMaps(document, model, material, row);
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

/* ---- Packed files ---- */

void infoWritePacked(Document *document, const Model *model) {
    static const Column COLUMNS[] = {{"chunk", "type", -5}, {"bytes", "bytes", 12}};
    VkmContent content;
    char version[32], title[QUANTITY_SIZE + 64];
    if (!vkmContent(model, &content)) {
        JSON_FIELDS(document, jsonText("file", NULL));
        return;
    }
    snprintf(version, sizeof version, "%u.%u", content.major, content.minor);
    snprintf(title, sizeof title, "packed file, version %s, %s B\n", version, QUANTITY(content.bytes));
    objectBegin(document, "file");
    JSON_FIELDS(document, jsonText("version", version), jsonCount("bytes", content.bytes));
    tableBegin(document, "chunks", title, COLUMNS, COUNT_OF(COLUMNS));
    for (int kind = 0; kind < VKM_CHUNK_COUNT; kind++) {
        if (content.sizes[kind] > 0) {
            TABLE_ROW(document, cellText(VKM_CHUNK_NAMES[kind]), cellCount(content.sizes[kind]));
        }
    }
    JSON_FIELDS(document, jsonCount("skipped", content.skipped));
    objectEnd(document);
    if (content.skipped > 0) {
        documentLine(document, "skipped, of unknown type: %u", content.skipped);
    }
}

/* ---- Faults ---- */

static double orNone(uint32_t index, uint32_t none) {
    return numberIf(index != MODEL_FAULT_NONE && index != none, index);
}

static void writeFault(Document *document, const Model *model, const ModelFault *fault) {
    const bool still = fault->clip >= model->clipCount;
    TABLE_ROW(document, cellText(MODEL_FAULT_NAMES[fault->kind]), cellNumber(orNone(fault->clip, model->clipCount), 0),
              cellNumber(numberIf(!still, fault->time), 4), cellNumber(orNone(fault->mesh, MODEL_FAULT_NONE), 0),
              cellNumber(orNone(fault->vertex, MODEL_FAULT_NONE), 0),
              cellNumber(numberIf(fault->vertex != MODEL_FAULT_NONE, fault->weight), 4), cellCount(fault->count),
              cellCount(fault->node), cellText(model->nodes[fault->node].name));
}

static void writeRest(Document *document, const ModelFaults *faults) {
    for (int kind = 0; kind < MODEL_FAULT_KINDS; kind++) {
        if (faults->counts[kind] > MODEL_FAULT_LINES) {
            documentLine(document, "and %s more: %s", QUANTITY(faults->counts[kind] - MODEL_FAULT_LINES),
                         MODEL_FAULT_NAMES[kind]);
        }
    }
}

void infoWriteFaults(Document *document, const Model *model, const ModelFaults *faults) {
    static const Column COLUMNS[] = {{"fault", "fault", -10}, {"clip", "clip", 6},     {"seconds", "seconds", 12},
                                     {"mesh", "mesh", 6},     {"vertex", "vertex", 9}, {"weight", "weight", 8},
                                     {"count", "count", 9},   {NULL, "node", 0},       {"bone", "bone", 0}};
    if (!faults) {
        JSON_FIELDS(document, jsonText("check", NULL));
        return;
    }
    objectBegin(document, "check");
    JSON_FIELDS(document, jsonCount("poses", faults->moments), jsonCount("count", faults->total));
    tableBegin(document, "faults", NULL, COLUMNS, COUNT_OF(COLUMNS));
    for (int kind = 0; kind < MODEL_FAULT_KINDS; kind++) {
        for (uint32_t i = 0; i < faults->counts[kind] && i < MODEL_FAULT_LINES; i++) {
            writeFault(document, model, &faults->rows[kind][i]);
        }
    }
    objectEnd(document);
    writeRest(document, faults);
    documentLine(document, "%s at %s %s", faults->total > 0 ? "checked" : "no faults", QUANTITY(faults->moments),
                 faults->moments == 1 ? "pose" : "poses");
}
