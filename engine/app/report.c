#include "report.h"

#include <math.h>

#include "session.h"

/* Null with other systems. */
static const GpuCrowdStats *crowdOf(const RunResult *result) {
    return result->skin.system == SKIN_SYSTEM_CROWD ? &result->system.crowd : NULL;
}

/* What is skinned. Of a model with several skins, each is a character of the library. */
static const char *unitOf(const RunResult *result) {
    const GpuCrowdStats *crowd = crowdOf(result);
    return !crowd ? "instances" : crowd->characters == result->characters ? "characters" : "skins";
}

/* Else the passes skin, and no backend does. */
static bool skinsApart(const RunResult *result) {
    return skinSystemSkinsOnce(result->skin.system);
}

/* Of models. */
static bool byCpu(const RunResult *result) {
    return result->threads > 0;
}

/* ---- Fields of several documents ---- */

void reportDevice(Document *document, const DeviceInfo *device) {
    fieldText(document, "device", "device", device->name);
    fieldLine(document, "driver", "%s%s%s", device->driverName, device->driverName[0] ? ", " : "",
              device->driverVersion);
    JSON_FIELDS(document, jsonText("driver", device->driverName), jsonText("driverVersion", device->driverVersion));
}

static const char *const CLOCK_NAMES[] = {[RUN_CLOCK_TIMESTAMPS] = "timestamps", [RUN_CLOCK_WALL] = "wall"};

void reportClock(Document *document, RunClock clock, const char *text) {
    fieldText(document, "clock", NULL, text);
    JSON_FIELDS(document, jsonText("clock", CLOCK_NAMES[clock]));
}

void reportStepHeading(Document *document) {
    documentNote(document, "\n");
    documentLine(document, "%-*s%*s    spread", REPORT_LABEL_WIDTH, "step", REPORT_VALUE_WIDTH, "median");
}

void reportReading(Document *document, const Model *model, const ImportSandbox *sandbox) {
    cJSON *warnings = jsonAddArray(document->json, "warnings", &document->good);
    documentNote(document, model->warningCount > 0 ? "\nwarnings\n" : "");
    for (uint32_t i = 0; i < model->warningCount; i++) {
        documentLine(document, "  %s", model->warnings[i].text);
        jsonAddItem(warnings, model->warnings[i].text, &document->good);
    }
    JSON_FIELDS(document, JSON_OBJECT("sandbox", jsonCount("landlock", sandbox->landlock),
                                      jsonFlag("seccomp", sandbox->seccomp), jsonFlag("needed", !sandbox->notNeeded)));
    documentNote(document, "\n");
    if (sandbox->notNeeded) {
        documentLine(document, "sandbox of the reader: not needed");
    } else {
        documentLine(document, "sandbox of the reader: %slandlock, %sseccomp", sandbox->landlock > 0 ? "" : "no ",
                     sandbox->seccomp ? "" : "no ");
    }
}

void reportPicture(Document *document, const char *path) {
    if (path) {
        documentNote(document, "\n");
        fieldText(document, "picture", NULL, path);
    }
}

void reportFrames(Document *document, const char *more, uint32_t frames, uint32_t width, uint32_t height) {
    documentLine(document, "(of %u frame%s of %u x %u; the spread is the interquartile range%s", frames,
                 frames == 1 ? "" : "s", width, height, more ? ";" : ")");
    documentNote(document, more ? more : "");
    documentNote(document, "\n");
    JSON_FIELDS(document, jsonCount("width", width), jsonCount("height", height), jsonCount("frames", frames));
}

void jsonAddSkin(cJSON *object, const SkinChoice *skin, bool *good) {
    JSON_ADD(object, good, jsonText("method", SKIN_MODE_NAMES[skin->mode]),
             jsonText("encoding", skinEncodingName(skinModeEncoding(skin->mode))),
             jsonNumber("blend", numberIf(skin->mode == SKIN_MODE_BLEND, skin->blend)),
             jsonText("normals", SKIN_NORMALS_NAMES[skin->normals]),
             jsonText("weights", SKIN_WEIGHTS_NAMES[skin->weights]));
}

/* A float's own digits, not those of the double next to it. */
void jsonAddMetres(cJSON *object, float metres, bool *good) {
    char text[32];
    snprintf(text, sizeof text, "%.6g", (double)metres);
    jsonAdd(object, "metresPerUnit", metres > 0.0f ? cJSON_CreateRaw(text) : cJSON_CreateNull(), good);
}

void jsonAddPacked(cJSON *object, const ModelPackTotals *packed, bool *good) {
    JSON_ADD(object, good,
             JSON_OBJECT_IF(packed, "packed", jsonCount("sourceBytes", packed->sourceBytes),
                            jsonCount("bytes", packed->bytes), jsonNumber("errorMillimetres", packed->error)));
}

void jsonAddBounds(cJSON *object, const char *name, const Bounds *bounds, bool *good) {
    JSON_ADD(object, good,
             JSON_OBJECT_IF(!boundsIsEmpty(bounds), name, jsonFloats("minimum", bounds->min, 3),
                            jsonFloats("maximum", bounds->max, 3)));
}

cJSON *jsonAddBaked(cJSON *files, const char *name, double time, const Geometry *geometry, bool *good) {
    Bounds box = boundsEmpty();
    for (uint32_t i = 0; i < geometry->vertexCount; i++) {
        boundsAddPoint(&box, geometry->positions + (size_t)i * 3);
    }
    cJSON *row = JSON_ROW(files, good, jsonText("name", name), jsonNumber("time", time));
    jsonAddBounds(row, "bounds", &box, good);
    return row;
}

const char *const MODEL_UP_NAMES[] = {[MODEL_UP_Y] = "y", [MODEL_UP_Z] = "z", [MODEL_UP_X] = "x"};

bool reportMissing(const RunResult *result, char text[REPORT_MISSING_SIZE]) {
    const GpuCrowdStats *crowd = crowdOf(result);
    if (!crowd || crowd->refused == 0) {
        return false;
    }
    const uint64_t all = (uint64_t)crowd->skinned + crowd->refused;
    const double needed = (double)crowd->slotBytes / crowd->slots * (double)all;
    snprintf(text, REPORT_MISSING_SIZE,
             "%s of %s visible %s are not drawn, for lack of slots: the crowd has %s. A larger --slots (enough for all "
             "takes about %s MiB) or a smaller --count draws them",
             QUANTITY(crowd->refused), QUANTITY(all), unitOf(result), QUANTITY(crowd->slots),
             QUANTITY(((uint64_t)needed >> 20) + 1));
    return true;
}

/* ---- Device and system ---- */

void jsonAddSystem(cJSON *object, const RunResult *result, bool *good) {
    const SkinChoice *skin = &result->skin;
    const bool textures = skin->system == SKIN_SYSTEM_TEXTURE_QT;
    const GpuCrowdStats *crowd = crowdOf(result);
    cJSON *system = jsonAddObject(object, "system", good);
    JSON_ADD(system, good, jsonText("name", SKIN_SYSTEM_NAMES[skin->system]),
             jsonText("textureLayout", textures ? SKIN_TEXTURE_LAYOUT_NAMES[skin->textureLayout] : NULL),
             jsonText("textureFormat", textures ? SKIN_TEXTURE_FORMAT_NAMES[skin->textureFormat] : NULL),
             jsonNumber("bonesPerDraw", numberIf(result->system.bonesPerDraw > 0, result->system.bonesPerDraw)),
             JSON_OBJECT_IF(
                 crowd, "crowd", jsonCount("slots", crowd->slots), jsonCount("skinned", crowd->skinned),
                 jsonCount("refused", crowd->refused), jsonCount("drawnPicture", crowd->drawn[POPULATION_PASS_COLOUR]),
                 jsonCount("drawnShadow", crowd->drawn[POPULATION_PASS_SHADOW]), jsonCount("deviceBytes", crowd->bytes),
                 jsonNumber("maxPixels", numberIf(crowd->levelCount > 1, crowd->maxPixels))),
             jsonCount("images", result->system.imagesPerFrame), jsonCount("pieces", result->system.piecesPerFrame));
    cJSON *limits = jsonAddArray(system, "limits", good);
    for (uint32_t i = 0; i < result->system.remarkCount; i++) {
        jsonAddItem(limits, result->system.remarks[i], good);
    }
}

static void lineOfCrowd(Document *document, const GpuCrowdStats *crowd) {
    if (crowd) {
        const bool small = crowd->bytes < 1u << 20;
        fieldLine(document, "crowd", "%s slots, %s %s on the device", QUANTITY(crowd->slots),
                  QUANTITY(crowd->bytes >> (small ? 10 : 20)), small ? "KiB" : "MiB");
        fieldLine(document, "", "%s drawn in the picture, %s in the shadow map, %s without a slot",
                  QUANTITY(crowd->drawn[POPULATION_PASS_COLOUR]), QUANTITY(crowd->drawn[POPULATION_PASS_SHADOW]),
                  QUANTITY(crowd->refused));
        if (crowd->levelCount > 1) {
            fieldLine(document, "", "levels with an error of up to %.3g pixels", (double)crowd->maxPixels);
        }
    }
}

/* Rows for the levels of detail of a crowd. */
static void writeLevels(Document *document, const GpuCrowdStats *crowd) {
    static const Column COLUMNS[] = {{"level", NULL, -5},
                                     {"slots", "slots", 12},
                                     {"skinned", "skinned", 12},
                                     {"refreshed", "refreshed", 12},
                                     {"vertices", "vertices", 14}};
    documentShow(document, crowd && crowd->levelCount > 1);
    tableBegin(document, "levels", NULL, COLUMNS, COUNT_OF(COLUMNS));
    for (uint32_t i = 0; crowd && i < crowd->levelCount; i++) {
        TABLE_ROW(document, cellCount(i), cellCount(crowd->levels[i].slots), cellCount(crowd->levels[i].skinned),
                  cellCount(crowd->levels[i].refreshed), cellCount(crowd->levels[i].vertices));
    }
    documentShow(document, true);
}

/* The system with its own options, and the limits that had an effect. */
static void lineOfSystem(Document *document, const RunResult *result, const char *fallback) {
    const SkinChoice *skin = &result->skin;
    char own[96] = "", images[48] = "", blocks[48] = "", instead[48] = "";
    if (fallback[0] != '\0') {
        snprintf(instead, sizeof instead, " instead of %s: ", SKIN_SYSTEM_NAMES[SKIN_SYSTEM_CROWD]);
    }
    if (skin->system == SKIN_SYSTEM_TEXTURE_QT) {
        snprintf(own, sizeof own, ", %s, %s", SKIN_TEXTURE_LAYOUT_NAMES[skin->textureLayout],
                 SKIN_TEXTURE_FORMAT_NAMES[skin->textureFormat]);
    }
    if (result->system.imagesPerFrame > 0) {
        snprintf(images, sizeof images, ", %u image%s per frame", result->system.imagesPerFrame,
                 result->system.imagesPerFrame == 1 ? "" : "s");
    }
    if (result->system.bonesPerDraw > 0) {
        snprintf(blocks, sizeof blocks, ", blocks of %u bones", result->system.bonesPerDraw);
    }
    fieldLine(document, "system", "%s%s%s%s%s%s", SKIN_SYSTEM_NAMES[skin->system], instead, fallback, own, images,
              blocks);
    lineOfCrowd(document, crowdOf(result));
    for (uint32_t i = 0; i < result->system.remarkCount; i++) {
        fieldText(document, i == 0 ? "limits" : "", NULL, result->system.remarks[i]);
    }
}

static void writeSystem(Document *document, const Report *report) {
    const char *fallback = report->fallback;
    lineOfSystem(document, report->result, fallback);
    jsonAddSystem(document->json, report->result, &document->good);
    JSON_FIELDS(document, jsonText("systemFallback", fallback[0] != '\0' ? fallback : NULL));
}

/* The backend, and its threads or kernel settings; nothing in the table if the passes skin. */
static void writeBackend(Document *document, const RunResult *result) {
    const VkskinTuning *tuning = &result->tuning;
    const bool kernels = skinsApart(result) && !byCpu(result);
    const bool texels = tuning->paletteBinding == VKSKIN_PALETTE_BINDING_TEXELS;
    const bool group = tuning->crowdPosing == VKSKIN_CROWD_POSING_GROUP;
    fieldText(document, skinsApart(result) ? "backend" : NULL, "backend", result->backend);
    if (byCpu(result)) {
        fieldCount(document, skinsApart(result) ? "threads" : NULL, "threads", result->threads, "");
    } else {
        JSON_FIELDS(document, jsonText("threads", NULL));
    }
    if (kernels) {
        fieldLine(document, "kernels", "%u instance%s per thread, %u threads per workgroup, palettes as %s",
                  tuning->instancesPerThread, tuning->instancesPerThread == 1 ? "" : "s", tuning->workgroupSize,
                  texels ? "texels" : "a storage buffer");
    }
    if (kernels && crowdOf(result)) {
        fieldLine(document, "", "a %s poses a character", group ? "workgroup" : "thread");
    }
    const char *const binding = texels ? "texels" : "storage", *const posing = group ? "group" : "thread";
    JSON_FIELDS(document, jsonNumber("instancesPerThread", numberIf(kernels, tuning->instancesPerThread)),
                jsonNumber("workgroupSize", numberIf(kernels, tuning->workgroupSize)),
                jsonText("paletteBinding", kernels ? binding : NULL), jsonText("crowdPosing", kernels ? posing : NULL));
}

/* ---- Skinning options ---- */

static void lineOfWeights(Document *document, const Report *report) {
    const SkinChoice *skin = report->skin;
    const SceneWeights *weights = &report->result->weights;
    fieldLine(document, "weights", "%s%s, up to %u per vertex", SKIN_WEIGHTS_NAMES[skin->weights],
              skin->weights == VKSKIN_WEIGHTS_FLOAT ? "" : " bits", weights->influences);
    if (weights->error > 0.0f) {
        fieldLine(document, "", "error up to %.3g " WEIGHT_CHECK_WHILE ", in the unit of %s", (double)weights->error,
                  report->models[weights->worst]);
    }
}

static void writeMorphs(Document *document, const SkinChoice *skin) {
    cJSON *morphs = jsonAddObject(document->json, "morphs", &document->good);
    for (uint32_t i = 0; i < skin->morphCount; i++) {
        const MorphSetting *morph = &skin->morphs[i];
        fieldLine(document, i == 0 ? "morphs" : "", "%s %g", morph->name, (double)morph->weight);
        cJSON_DeleteItemFromObjectCaseSensitive(morphs, morph->name); /* the last one counts */
        JSON_ADD(morphs, &document->good, jsonNumber(morph->name, morph->weight));
    }
}

/* weightError is in the unit of weightErrorModel. */
static void writeSkin(Document *document, const Report *report) {
    const SkinChoice *skin = report->skin;
    const SceneWeights *weights = &report->result->weights;
    const bool apart = skinsApart(report->result);
    char blend[32] = "";
    if (skin->mode == SKIN_MODE_BLEND) {
        snprintf(blend, sizeof blend, ", %g", (double)skin->blend);
    }
    fieldLine(document, "method", "%s (%s%s)", SKIN_MODE_NAMES[skin->mode], skinModeTitle(skin->mode), blend);
    fieldLine(document, "normals", "%s%s%s", SKIN_NORMALS_NAMES[skin->normals], apart ? ", " : "",
              apart ? SKIN_FORMAT_NAMES[report->format] : "");
    lineOfWeights(document, report);
    jsonAddSkin(document->json, skin, &document->good);
    JSON_FIELDS(document, jsonText("vertexFormat", apart ? SKIN_FORMAT_NAMES[report->format] : NULL),
                jsonCount("influences", weights->influences), jsonNumber("weightError", weights->error),
                jsonText("weightErrorModel", weights->error > 0.0f ? report->models[weights->worst] : NULL));
    writeMorphs(document, skin);
}

/* Sizes are those of keys, and of packed clips without the skeleton. */
void reportPacked(Document *document, const ModelPackTotals *packed) {
    if (packed) {
        fieldLine(document, "clips", "packed from %s to %s B, error up to %.3g mm on a character 1.8 m high",
                  QUANTITY(packed->sourceBytes), QUANTITY(packed->bytes), packed->error);
    }
    jsonAddPacked(document->json, packed, &document->good);
}

/* ---- Counts and times ---- */

static const char *clockText(const RunResult *result) {
    if (result->clock == RUN_CLOCK_TIMESTAMPS) {
        return byCpu(result) ? "device timestamps; pose and skinning: wall clock"
                             : "device timestamps; pose: wall clock";
    }
    return byCpu(result) ? "wall clock; draw: around a fence"
                         : "wall clock around a fence (this driver's timestamps cannot be trusted)";
}

static void writeClock(Document *document, const RunResult *result) {
    reportClock(document, result->clock, clockText(result));
    JSON_FIELDS(document, jsonText("skinningClock", byCpu(result) ? "host" : CLOCK_NAMES[result->clock]));
}

static void writeCounts(Document *document, const RunResult *result) {
    const GpuCrowdStats *crowd = crowdOf(result);
    const uint32_t visible = crowd ? crowd->skinned + crowd->refused : 0;
    const char *unit = unitOf(result);
    fieldCount(document, "characters", "characters", result->characters, "");
    fieldCount(document, "instances", "instances", result->instances, "");
    fieldCount(document, "vertices", "vertices", result->vertices, "");
    fieldCount(document, "bones", "bones", result->bones, "");
    fieldCount(document, crowd ? "visible" : NULL, NULL, visible, unit);
    fieldCount(document, crowd ? "posed" : NULL, NULL, crowd ? crowd->skinned : 0, unit);
    fieldCount(document, "skinned", "instancesSkinned", crowd ? crowd->skinned : result->stats.instancesSkinned, unit);
    fieldCount(document, crowd ? "refused" : NULL, NULL, crowd ? crowd->refused : 0, unit);
    fieldCount(document, "culled", "instancesCulled",
               crowd ? crowd->characters - visible : result->stats.instancesCulled, unit);
    fieldCount(document, crowd ? NULL : "unchanged", "instancesUnchanged", result->stats.instancesUnchanged, unit);
    JSON_FIELDS(document, jsonCount("verticesSkinned", crowd ? crowd->vertices : result->stats.verticesSkinned));
    fieldCount(document, "dispatches", "dispatches", result->stats.dispatches, "");
    fieldCount(document, "draw calls", "drawCalls", result->drawCalls, "");
    fieldCount(document, "pipelines", "pipelines", result->pipelines, "");
    fieldCount(document, "bone", "bytesPerBone", result->system.bytesPerBone, "B");
    fieldCount(document, crowd ? NULL : "palette", "paletteBytes", result->system.uploadBytes, "B");
    fieldCount(document, crowd ? NULL : "output", "outputBytes", result->stats.outputBytes, "B");
}

/* A step that did not run in any frame is shown in the table only if it is one that all runs have. */
void reportSteps(Document *document, const RunResult *result, bool inTable) {
    const bool hosts = inTable && !crowdOf(result); /* the library poses a crowd */
    fieldStep(document, hosts ? "pose" : NULL, "pose", &result->pose);
    fieldStep(document, hosts ? "upload" : NULL, "upload", &result->upload);
    fieldStep(document, inTable && result->recording.count > 0 ? "recording" : NULL, "recording", &result->recording);
    fieldStep(document, inTable && result->lists.count > 0 ? "lists" : NULL, "lists", &result->lists);
    fieldStep(document, inTable && result->poses.count > 0 ? "poses" : NULL, "poses", &result->poses);
    fieldStep(document, inTable ? "skinning" : NULL, "skinning", &result->skinning);
    fieldStep(document, inTable ? "draw" : NULL, "draw", &result->draw);
}

static const char *stepNote(const RunResult *result) {
    if (crowdOf(result)) {
        return " skinning: all passes of the crowd, from culling to vertices; lists and poses are parts of it)\n";
    }
    return result->upload.count > 0 ? NULL : " palettes are written in place, within the time of pose)\n";
}

void reportWrite(Document *document, const Report *report) {
    const RunResult *result = report->result;
    char missing[REPORT_MISSING_SIZE];
    if (reportMissing(result, missing)) {
        fieldText(document, "INCOMPLETE", NULL, missing);
    }
    reportDevice(document, &result->device);
    writeSystem(document, report);
    writeBackend(document, result);
    writeSkin(document, report);
    reportPacked(document, result->packed.bytes > 0 ? &result->packed : NULL);
    writeClock(document, result);
    jsonAddTexts(document->json, "models", report->models, report->modelCount, &document->good);
    JSON_FIELDS(document, jsonCount("seed", report->seed));
    documentNote(document, "\n");
    writeCounts(document, result);
    reportStepHeading(document);
    reportSteps(document, result, true);
    reportFrames(document, stepNote(result), result->frames, report->width, report->height);
    fieldRate(document, "vertices/s", "verticesPerSecond", result->verticesPerSecond, "");
    fieldRate(document, "bytes/s", "bytesPerSecond", result->bytesPerSecond, "B");
    documentNote(document,
                 "(divided by the median of skinning; vertices: written ones; bytes: palettes and output, without the\n"
                 " source meshes)\n");
    writeLevels(document, crowdOf(result));
    reportPicture(document, report->picture);
}
