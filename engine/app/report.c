#include "report.h"

#include <math.h>
#include <string.h>

#include "outputs.h"
#include "session.h"

/* ---- Both ---- */

static const struct {
    const char *name;
    size_t offset; /* offset of the Measured in CrowdResult */
    bool rare;     /* not in the table if it was not measured */
    bool hosts;    /* not in the table of a crowd, which the library poses */
} STEPS[] = {
    {"pose", offsetof(CrowdResult, pose), false, true},
    {"upload", offsetof(CrowdResult, upload), false, true},
    {"recording", offsetof(CrowdResult, recording), true, false},
    {"lists", offsetof(CrowdResult, lists), true, false},
    {"poses", offsetof(CrowdResult, poses), true, false},
    {"skinning", offsetof(CrowdResult, skinning), false, false},
    {"draw", offsetof(CrowdResult, draw), false, false},
};

static const Measured *measuredOf(const CrowdResult *result, size_t step) {
    return (const Measured *)((const char *)result + STEPS[step].offset);
}

/* A number, its name and unit in the table, and its name in the JSON; null where it is not shown. */
typedef struct Count {
    const char *text, *json;
    uint64_t value;
    const char *unit;
} Count;

#define COUNT_COUNT 17

/* Null with other systems. */
static const GpuCrowdStats *crowdOf(const CrowdResult *result) {
    return result->skin.system == SKIN_SYSTEM_CROWD ? &result->system.crowd : NULL;
}

/* What is skinned. Of a model with several skins, each is a character of the library. */
static const char *unitOf(const CrowdResult *result) {
    const GpuCrowdStats *crowd = crowdOf(result);
    return !crowd ? "instances" : crowd->characters == result->characters ? "characters" : "skins";
}

static void listCounts(const CrowdResult *result, Count counts[COUNT_COUNT]) {
    const GpuCrowdStats *crowd = crowdOf(result);
    const uint32_t visible = crowd ? crowd->skinned + crowd->refused : 0;
    const char *unit = unitOf(result);
    const Count all[COUNT_COUNT] = {
        {"characters", "characters", result->characters, ""},
        {"instances", "instances", result->instances, ""},
        {"vertices", "vertices", result->vertices, ""},
        {"bones", "bones", result->bones, ""},
        {crowd ? "visible" : NULL, NULL, visible, unit},
        {crowd ? "posed" : NULL, NULL, crowd ? crowd->skinned : 0, unit},
        {"skinned", "instancesSkinned", crowd ? crowd->skinned : result->stats.instancesSkinned, unit},
        {crowd ? "refused" : NULL, NULL, crowd ? crowd->refused : 0, unit},
        {"culled", "instancesCulled", crowd ? crowd->characters - visible : result->stats.instancesCulled, unit},
        {crowd ? NULL : "unchanged", "instancesUnchanged", result->stats.instancesUnchanged, unit},
        {NULL, "verticesSkinned", crowd ? crowd->vertices : result->stats.verticesSkinned, ""},
        {"dispatches", "dispatches", result->stats.dispatches, ""},
        {"draw calls", "drawCalls", result->drawCalls, ""},
        {"pipelines", "pipelines", result->pipelines, ""},
        {"bone", "bytesPerBone", result->system.bytesPerBone, "B"},
        {crowd ? NULL : "palette", "paletteBytes", result->system.uploadBytes, "B"},
        {crowd ? NULL : "output", "outputBytes", result->stats.outputBytes, "B"},
    };
    memcpy(counts, all, sizeof all);
}

/* Else the passes skin, and no backend does. */
static bool skinsApart(const CrowdResult *result) {
    return skinSystemSkinsOnce(result->skin.system);
}

static bool byCpu(const CrowdResult *result) {
    return result->threads > 0;
}

/* ---- Table ---- */

void reportText(FILE *file, const char *name, const char *text) {
    fprintf(file, "%-14s", name);
    sayClean(file, text);
    fputc('\n', file);
}

void reportCount(FILE *file, const char *name, uint64_t count, const char *unit) {
    char text[QUANTITY_SIZE];
    quantityCount(text, count);
    fprintf(file, "%-14s%15s%s%s\n", name, text, unit[0] ? " " : "", unit);
}

/* The method and the other skinning options. */
static void printSkin(FILE *file, const Report *report) {
    const SkinChoice *skin = report->skin;
    const SceneWeights *weights = &report->result->weights;
    fprintf(file, "%-14s%s (%s", "method", SKIN_MODE_NAMES[skin->mode], skinModeTitle(skin->mode));
    if (skin->mode == SKIN_MODE_BLEND) {
        fprintf(file, ", %g", (double)skin->blend);
    }
    fprintf(file, ")\n%-14s%s", "normals", SKIN_NORMALS_NAMES[skin->normals]);
    if (skinsApart(report->result)) {
        fprintf(file, ", %s", SKIN_FORMAT_NAMES[report->format]);
    }
    fputc('\n', file);
    fprintf(file, "%-14s%s%s, up to %u per vertex", "weights", SKIN_WEIGHTS_NAMES[skin->weights],
            skin->weights == VKSKIN_WEIGHTS_FLOAT ? "" : " bits", weights->influences);
    if (weights->error > 0.0f) {
        fprintf(file, "\n%-14serror up to %.3g " WEIGHT_CHECK_WHILE ", in the unit of ", "", (double)weights->error);
        sayClean(file, report->models[weights->worst]);
    }
    fputc('\n', file);
    for (uint32_t i = 0; i < skin->morphCount; i++) {
        fprintf(file, "%-14s", i == 0 ? "morphs" : "");
        sayClean(file, skin->morphs[i].name);
        fprintf(file, " %g\n", (double)skin->morphs[i].weight);
    }
}

/* Sizes are those of keys, and of packed clips without the skeleton. */
static void printPacked(FILE *file, const ModelPackTotals *packed) {
    char from[QUANTITY_SIZE];
    char to[QUANTITY_SIZE];
    if (packed->bytes > 0) {
        quantityCount(from, packed->sourceBytes);
        quantityCount(to, packed->bytes);
        fprintf(file, "%-14spacked from %s to %s B, error up to %.3g mm on a character 1.8 m high\n", "clips", from, to,
                packed->error);
    }
}

/* The backend, and its threads or kernel settings. */
static void printBackend(FILE *file, const CrowdResult *result) {
    const VkskinTuning *tuning = &result->tuning;
    reportText(file, "backend", result->backend);
    if (byCpu(result)) {
        reportCount(file, "threads", result->threads, "");
        return;
    }
    fprintf(file, "%-14s%u instance%s per thread, %u threads per workgroup, palettes as %s\n", "kernels",
            tuning->instancesPerThread, tuning->instancesPerThread == 1 ? "" : "s", tuning->workgroupSize,
            tuning->paletteBinding == VKSKIN_PALETTE_BINDING_TEXELS ? "texels" : "a storage buffer");
    if (crowdOf(result)) {
        fprintf(file, "%-14sa %s poses a character\n", "",
                tuning->crowdPosing == VKSKIN_CROWD_POSING_GROUP ? "workgroup" : "thread");
    }
}

static void printCrowd(FILE *file, const GpuCrowdStats *crowd) {
    char slots[QUANTITY_SIZE], picture[QUANTITY_SIZE], shadow[QUANTITY_SIZE], refused[QUANTITY_SIZE],
        bytes[QUANTITY_SIZE];
    if (crowd) {
        quantityCount(slots, crowd->slots);
        quantityCount(picture, crowd->drawn[POPULATION_PASS_COLOUR]);
        quantityCount(shadow, crowd->drawn[POPULATION_PASS_SHADOW]);
        quantityCount(refused, crowd->refused);
        const bool small = crowd->bytes < 1u << 20;
        quantityCount(bytes, crowd->bytes >> (small ? 10 : 20));
        fprintf(file, "%-14s%s slots, %s %s on the device\n", "crowd", slots, bytes, small ? "KiB" : "MiB");
        fprintf(file, "%-14s%s drawn in the picture, %s in the shadow map, %s without a slot\n", "", picture, shadow,
                refused);
    }
}

/* The system with its own options, and the limits that had an effect. */
static void printSystem(FILE *file, const Report *report) {
    const CrowdResult *result = report->result;
    const SkinChoice *skin = &result->skin;
    fprintf(file, "%-14s%s", "system", SKIN_SYSTEM_NAMES[skin->system]);
    if (report->fallback[0] != '\0') {
        fprintf(file, " instead of %s: ", SKIN_SYSTEM_NAMES[SKIN_SYSTEM_CROWD]);
        sayClean(file, report->fallback);
    }
    if (skin->system == SKIN_SYSTEM_TEXTURE_QT) {
        fprintf(file, ", %s, %s", SKIN_TEXTURE_LAYOUT_NAMES[skin->textureLayout],
                SKIN_TEXTURE_FORMAT_NAMES[skin->textureFormat]);
    }
    if (result->system.imagesPerFrame > 0) {
        fprintf(file, ", %u image%s per frame", result->system.imagesPerFrame,
                result->system.imagesPerFrame == 1 ? "" : "s");
    }
    if (result->system.bonesPerDraw > 0) {
        fprintf(file, ", blocks of %u bones", result->system.bonesPerDraw);
    }
    fputc('\n', file);
    printCrowd(file, crowdOf(result));
    for (uint32_t i = 0; i < result->system.remarkCount; i++) {
        reportText(file, i == 0 ? "limits" : "", result->system.remarks[i]);
    }
}

static const char *clockText(const CrowdResult *result) {
    if (result->clock == CROWD_CLOCK_TIMESTAMPS) {
        return byCpu(result) ? "device timestamps; pose and skinning: wall clock"
                             : "device timestamps; pose: wall clock";
    }
    return byCpu(result) ? "wall clock; draw: around a fence"
                         : "wall clock around a fence (this driver's timestamps cannot be trusted)";
}

void reportDevice(FILE *file, const DeviceInfo *device) {
    char driver[2 * DEVICE_NAME_SIZE + 4];
    snprintf(driver, sizeof driver, "%s%s%s", device->driverName, device->driverName[0] ? ", " : "",
             device->driverVersion);
    reportText(file, "device", device->name);
    reportText(file, "driver", driver);
}

bool reportMissing(const CrowdResult *result, char text[REPORT_MISSING_SIZE]) {
    const GpuCrowdStats *crowd = crowdOf(result);
    char refused[QUANTITY_SIZE], visible[QUANTITY_SIZE], slots[QUANTITY_SIZE], bytes[QUANTITY_SIZE];
    if (!crowd || crowd->refused == 0) {
        return false;
    }
    const uint64_t all = (uint64_t)crowd->skinned + crowd->refused;
    const double needed = (double)crowd->slotBytes / crowd->slots * (double)all;
    quantityCount(refused, crowd->refused);
    quantityCount(visible, all);
    quantityCount(slots, crowd->slots);
    quantityCount(bytes, ((uint64_t)needed >> 20) + 1);
    snprintf(text, REPORT_MISSING_SIZE,
             "%s of %s visible %s are not drawn, for lack of slots: the crowd has %s. A larger --slots (enough for all "
             "takes about %s MiB) or a smaller --count draws them",
             refused, visible, unitOf(result), slots, bytes);
    return true;
}

static void printHead(FILE *file, const Report *report) {
    const CrowdResult *result = report->result;
    char missing[REPORT_MISSING_SIZE];
    if (reportMissing(result, missing)) {
        reportText(file, "INCOMPLETE", missing);
    }
    reportDevice(file, &result->device);
    printSystem(file, report);
    if (skinsApart(result)) {
        printBackend(file, result);
    }
    printSkin(file, report);
    printPacked(file, &result->packed);
    reportText(file, "clock", clockText(result));
}

void reportStep(FILE *file, const char *name, const Measured *measured) {
    if (measured->count > 0) {
        fprintf(file, "%-14s%12.3f ms%8.1f %%\n", name, measured->median, measured->spread);
    } else {
        fprintf(file, "%-14s%15s\n", name, "none");
    }
}

void reportRate(FILE *file, const char *name, double value, const char *unit) {
    char text[QUANTITY_SIZE];
    if (value > 0.0) {
        quantityScaled(text, value, unit);
    } else {
        snprintf(text, sizeof text, "not measured");
    }
    fprintf(file, "%-14s%15s\n", name, text);
}

static const char *stepNote(const CrowdResult *result) {
    if (crowdOf(result)) {
        return ";\n skinning: all passes of the crowd, from culling to vertices; lists and poses are parts of it";
    }
    return result->upload.count > 0 ? "" : ";\n palettes are written in place, within the time of pose";
}

void reportPrint(FILE *file, const Report *report) {
    const CrowdResult *result = report->result;
    Count counts[COUNT_COUNT];
    printHead(file, report);
    fputc('\n', file);
    listCounts(result, counts);
    for (int i = 0; i < COUNT_COUNT; i++) {
        if (counts[i].text) {
            reportCount(file, counts[i].text, counts[i].value, counts[i].unit);
        }
    }
    fprintf(file, "\n%-14s%15s    spread\n", "step", "median");
    for (size_t i = 0; i < COUNT_OF(STEPS); i++) {
        if (STEPS[i].hosts ? !crowdOf(result) : !STEPS[i].rare || measuredOf(result, i)->count > 0) {
            reportStep(file, STEPS[i].name, measuredOf(result, i));
        }
    }
    fprintf(file, "(of %u frame%s of %u x %u; the spread is the interquartile range%s)\n\n", result->frames,
            result->frames == 1 ? "" : "s", report->width, report->height, stepNote(result));
    reportRate(file, "vertices/s", result->verticesPerSecond, "");
    reportRate(file, "bytes/s", result->bytesPerSecond, "B");
    fputs("(divided by the median of skinning; vertices: written ones; bytes: palettes and output, without the\n"
          " source meshes)\n",
          file);
    if (report->picture) {
        fputc('\n', file);
        reportText(file, "picture", report->picture);
    }
}

/* ---- JSON ---- */

void jsonAddDevice(cJSON *object, const DeviceInfo *device, bool *good) {
    jsonAddText(object, "device", device->name, good);
    jsonAddText(object, "driver", device->driverName, good);
    jsonAddText(object, "driverVersion", device->driverVersion, good);
}

void jsonAddStep(cJSON *object, const char *name, const Measured *measured, bool *good) {
    cJSON *step = jsonAddObject(object, name, good);
    jsonAddNumber(step, "medianMilliseconds", measured->count > 0 ? measured->median : NAN, good);
    jsonAddNumber(step, "spreadPercent", measured->count > 0 ? measured->spread : NAN, good);
    jsonAddCount(step, "samples", measured->count, good);
}

void jsonAddSteps(cJSON *object, const CrowdResult *result, bool *good) {
    for (size_t i = 0; i < COUNT_OF(STEPS); i++) {
        jsonAddStep(object, STEPS[i].name, measuredOf(result, i), good);
    }
}

void jsonAddSkin(cJSON *object, const SkinChoice *skin, bool *good) {
    jsonAddText(object, "method", SKIN_MODE_NAMES[skin->mode], good);
    jsonAddText(object, "encoding", skinEncodingName(skinModeEncoding(skin->mode)), good);
    jsonAddNumber(object, "blend", skin->mode == SKIN_MODE_BLEND ? (double)skin->blend : (double)NAN, good);
    jsonAddText(object, "normals", SKIN_NORMALS_NAMES[skin->normals], good);
    jsonAddText(object, "weights", SKIN_WEIGHTS_NAMES[skin->weights], good);
}

/* A float's own digits, not those of the double next to it. */
void jsonAddMetres(cJSON *object, float metres, bool *good) {
    char text[32];
    snprintf(text, sizeof text, "%.6g", (double)metres);
    jsonAdd(object, "metresPerUnit", metres > 0.0f ? cJSON_CreateRaw(text) : cJSON_CreateNull(), good);
}

void jsonAddPacked(cJSON *object, const ModelPackTotals *packed, bool *good) {
    if (!packed) {
        jsonAddNull(object, "packed", good);
        return;
    }
    cJSON *row = jsonAddObject(object, "packed", good);
    jsonAddCount(row, "sourceBytes", packed->sourceBytes, good);
    jsonAddCount(row, "bytes", packed->bytes, good);
    jsonAddNumber(row, "errorMillimetres", packed->error, good);
}

void jsonAddBounds(cJSON *object, const char *name, const Bounds *bounds, bool *good) {
    if (boundsIsEmpty(bounds)) {
        jsonAddNull(object, name, good);
        return;
    }
    cJSON *box = jsonAddObject(object, name, good);
    jsonAdd(box, "minimum", cJSON_CreateFloatArray(bounds->min, 3), good);
    jsonAdd(box, "maximum", cJSON_CreateFloatArray(bounds->max, 3), good);
}

cJSON *jsonAddBaked(cJSON *files, const char *name, double time, const Geometry *geometry, bool *good) {
    Bounds box = boundsEmpty();
    for (uint32_t i = 0; i < geometry->vertexCount; i++) {
        boundsAddPoint(&box, geometry->positions + (size_t)i * 3);
    }
    cJSON *row = jsonAddRow(files, good);
    jsonAddText(row, "name", name, good);
    jsonAddNumber(row, "time", time, good);
    jsonAddBounds(row, "bounds", &box, good);
    return row;
}

const char *const MODEL_UP_NAMES[] = {[MODEL_UP_Y] = "y", [MODEL_UP_Z] = "z", [MODEL_UP_X] = "x"};

/* The skinning options; weightError is in the unit of weightErrorModel. */
static void addSkin(cJSON *object, const Report *report, bool *good) {
    const CrowdResult *result = report->result;
    cJSON *morphs = cJSON_CreateObject();
    for (uint32_t i = 0; i < report->skin->morphCount; i++) {
        const MorphSetting *morph = &report->skin->morphs[i];
        cJSON_DeleteItemFromObjectCaseSensitive(morphs, morph->name); /* the last one counts */
        jsonAddNumber(morphs, morph->name, (double)morph->weight, good);
    }
    jsonAddSkin(object, report->skin, good);
    jsonAddText(object, "vertexFormat", skinsApart(report->result) ? SKIN_FORMAT_NAMES[report->format] : NULL, good);
    jsonAddCount(object, "influences", result->weights.influences, good);
    jsonAddNumber(object, "weightError", (double)result->weights.error, good);
    jsonAddText(object, "weightErrorModel", result->weights.error > 0.0f ? report->models[result->weights.worst] : NULL,
                good);
    jsonAdd(object, "morphs", morphs, good);
    jsonAddPacked(object, result->packed.bytes > 0 ? &result->packed : NULL, good);
}

static void addBackend(cJSON *object, const CrowdResult *result, bool *good) {
    const VkskinTuning *tuning = &result->tuning;
    jsonAddText(object, "backend", result->backend, good);
    if (byCpu(result) || !skinsApart(result)) {
        jsonAdd(object, "threads", byCpu(result) ? cJSON_CreateNumber(result->threads) : cJSON_CreateNull(), good);
        jsonAddNull(object, "instancesPerThread", good);
        jsonAddNull(object, "workgroupSize", good);
        jsonAddNull(object, "paletteBinding", good);
        jsonAddNull(object, "crowdPosing", good);
        return;
    }
    jsonAddNull(object, "threads", good);
    jsonAddCount(object, "instancesPerThread", tuning->instancesPerThread, good);
    jsonAddCount(object, "workgroupSize", tuning->workgroupSize, good);
    jsonAddText(object, "paletteBinding",
                tuning->paletteBinding == VKSKIN_PALETTE_BINDING_TEXELS ? "texels" : "storage", good);
    jsonAddText(object, "crowdPosing", tuning->crowdPosing == VKSKIN_CROWD_POSING_GROUP ? "group" : "thread", good);
}

void jsonAddSystem(cJSON *object, const CrowdResult *result, bool *good) {
    const SkinChoice *skin = &result->skin;
    const bool textures = skin->system == SKIN_SYSTEM_TEXTURE_QT;
    cJSON *system = jsonAddObject(object, "system", good);
    jsonAddText(system, "name", SKIN_SYSTEM_NAMES[skin->system], good);
    jsonAddText(system, "textureLayout", textures ? SKIN_TEXTURE_LAYOUT_NAMES[skin->textureLayout] : NULL, good);
    jsonAddText(system, "textureFormat", textures ? SKIN_TEXTURE_FORMAT_NAMES[skin->textureFormat] : NULL, good);
    jsonAdd(system, "bonesPerDraw",
            result->system.bonesPerDraw > 0 ? cJSON_CreateNumber(result->system.bonesPerDraw) : cJSON_CreateNull(),
            good);
    const GpuCrowdStats *crowd = crowdOf(result);
    cJSON *own = crowd ? jsonAddObject(system, "crowd", good) : NULL;
    if (crowd) {
        jsonAddCount(own, "slots", crowd->slots, good);
        jsonAddCount(own, "skinned", crowd->skinned, good);
        jsonAddCount(own, "refused", crowd->refused, good);
        jsonAddCount(own, "drawnPicture", crowd->drawn[POPULATION_PASS_COLOUR], good);
        jsonAddCount(own, "drawnShadow", crowd->drawn[POPULATION_PASS_SHADOW], good);
        jsonAddCount(own, "deviceBytes", crowd->bytes, good);
    } else {
        jsonAdd(system, "crowd", cJSON_CreateNull(), good);
    }
    jsonAddCount(system, "images", result->system.imagesPerFrame, good);
    jsonAddCount(system, "pieces", result->system.piecesPerFrame, good);
    cJSON *limits = jsonAddArray(system, "limits", good);
    for (uint32_t i = 0; i < result->system.remarkCount; i++) {
        jsonAddItem(limits, result->system.remarks[i], good);
    }
}

static void addAll(cJSON *object, const Report *report, bool *good) {
    const CrowdResult *result = report->result;
    Count counts[COUNT_COUNT];
    jsonAddDevice(object, &result->device, good);
    jsonAddSystem(object, result, good);
    jsonAddText(object, "systemFallback", report->fallback[0] != '\0' ? report->fallback : NULL, good);
    addBackend(object, result, good);
    addSkin(object, report, good);
    const char *clock = result->clock == CROWD_CLOCK_TIMESTAMPS ? "timestamps" : "wall";
    jsonAddText(object, "clock", clock, good);
    jsonAddText(object, "skinningClock", byCpu(result) ? "host" : clock, good);
    jsonAddTexts(object, "models", report->models, report->modelCount, good);
    jsonAddCount(object, "seed", report->seed, good);
    jsonAddCount(object, "width", report->width, good);
    jsonAddCount(object, "height", report->height, good);
    jsonAddCount(object, "frames", result->frames, good);
    listCounts(result, counts);
    for (int i = 0; i < COUNT_COUNT; i++) {
        if (counts[i].json) {
            jsonAddCount(object, counts[i].json, counts[i].value, good);
        }
    }
    jsonAddSteps(object, result, good);
    jsonAddNumber(object, "verticesPerSecond", result->verticesPerSecond > 0.0 ? result->verticesPerSecond : NAN, good);
    jsonAddNumber(object, "bytesPerSecond", result->bytesPerSecond > 0.0 ? result->bytesPerSecond : NAN, good);
}

char *reportJson(const Report *report) {
    bool good = true;
    cJSON *object = jsonBegin("crowd", &good);
    addAll(object, report, &good);
    return jsonPrint(object, good);
}
