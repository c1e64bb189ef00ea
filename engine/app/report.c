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
    fieldText(document, NULL, "driver", device->driverName);
    fieldText(document, NULL, "driverVersion", device->driverVersion);
}

static const char *const CLOCK_NAMES[] = {[RUN_CLOCK_TIMESTAMPS] = "timestamps", [RUN_CLOCK_WALL] = "wall"};

void reportClock(Document *document, RunClock clock, const char *text) {
    fieldText(document, "clock", NULL, text);
    fieldText(document, NULL, "clock", CLOCK_NAMES[clock]);
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
    cJSON *object = jsonAddObject(document->json, "sandbox", &document->good);
    jsonAddCount(object, "landlock", sandbox->landlock, &document->good);
    jsonAdd(object, "seccomp", cJSON_CreateBool(sandbox->seccomp), &document->good);
    jsonAdd(object, "needed", cJSON_CreateBool(!sandbox->notNeeded), &document->good);
    documentNote(document, "\n");
    documentLine(document, "sandbox of the reader: %s%s%s",
                 sandbox->notNeeded      ? "not needed"
                 : sandbox->landlock > 0 ? "landlock"
                                         : "no landlock",
                 sandbox->notNeeded ? "" : ", ",
                 sandbox->notNeeded ? ""
                 : sandbox->seccomp ? "seccomp"
                                    : "no seccomp");
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
    fieldCount(document, NULL, "width", width, "");
    fieldCount(document, NULL, "height", height, "");
    fieldCount(document, NULL, "frames", frames, "");
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

bool reportMissing(const RunResult *result, char text[REPORT_MISSING_SIZE]) {
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

/* ---- Device and system ---- */

/* A number in the JSON of an object; 0: null. */
static void addIfAny(cJSON *object, const char *name, uint32_t number, bool *good) {
    jsonAddNumber(object, name, number > 0 ? (double)number : (double)NAN, good);
}

void jsonAddSystem(cJSON *object, const RunResult *result, bool *good) {
    const SkinChoice *skin = &result->skin;
    const bool textures = skin->system == SKIN_SYSTEM_TEXTURE_QT;
    cJSON *system = jsonAddObject(object, "system", good);
    jsonAddText(system, "name", SKIN_SYSTEM_NAMES[skin->system], good);
    jsonAddText(system, "textureLayout", textures ? SKIN_TEXTURE_LAYOUT_NAMES[skin->textureLayout] : NULL, good);
    jsonAddText(system, "textureFormat", textures ? SKIN_TEXTURE_FORMAT_NAMES[skin->textureFormat] : NULL, good);
    addIfAny(system, "bonesPerDraw", result->system.bonesPerDraw, good);
    const GpuCrowdStats *crowd = crowdOf(result);
    if (crowd) {
        cJSON *own = jsonAddObject(system, "crowd", good);
        jsonAddCount(own, "slots", crowd->slots, good);
        jsonAddCount(own, "skinned", crowd->skinned, good);
        jsonAddCount(own, "refused", crowd->refused, good);
        jsonAddCount(own, "drawnPicture", crowd->drawn[POPULATION_PASS_COLOUR], good);
        jsonAddCount(own, "drawnShadow", crowd->drawn[POPULATION_PASS_SHADOW], good);
        jsonAddCount(own, "deviceBytes", crowd->bytes, good);
        jsonAddNumber(own, "maxPixels", crowd->levelCount > 1 ? (double)crowd->maxPixels : (double)NAN, good);
    } else {
        jsonAddNull(system, "crowd", good);
    }
    jsonAddCount(system, "images", result->system.imagesPerFrame, good);
    jsonAddCount(system, "pieces", result->system.piecesPerFrame, good);
    cJSON *limits = jsonAddArray(system, "limits", good);
    for (uint32_t i = 0; i < result->system.remarkCount; i++) {
        jsonAddItem(limits, result->system.remarks[i], good);
    }
}

static void lineOfCrowd(Document *document, const GpuCrowdStats *crowd) {
    char slots[QUANTITY_SIZE], picture[QUANTITY_SIZE], shadow[QUANTITY_SIZE], refused[QUANTITY_SIZE],
        bytes[QUANTITY_SIZE];
    if (crowd) {
        quantityCount(slots, crowd->slots);
        quantityCount(picture, crowd->drawn[POPULATION_PASS_COLOUR]);
        quantityCount(shadow, crowd->drawn[POPULATION_PASS_SHADOW]);
        quantityCount(refused, crowd->refused);
        const bool small = crowd->bytes < 1u << 20;
        quantityCount(bytes, crowd->bytes >> (small ? 10 : 20));
        fieldLine(document, "crowd", "%s slots, %s %s on the device", slots, bytes, small ? "KiB" : "MiB");
        fieldLine(document, "", "%s drawn in the picture, %s in the shadow map, %s without a slot", picture, shadow,
                  refused);
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
        rowBegin(document);
        cellCount(document, i);
        cellCount(document, crowd->levels[i].slots);
        cellCount(document, crowd->levels[i].skinned);
        cellCount(document, crowd->levels[i].refreshed);
        cellCount(document, crowd->levels[i].vertices);
        rowEnd(document);
    }
    tableEnd(document);
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
    fieldText(document, NULL, "systemFallback", fallback[0] != '\0' ? fallback : NULL);
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
        fieldText(document, NULL, "threads", NULL);
    }
    if (kernels) {
        fieldLine(document, "kernels", "%u instance%s per thread, %u threads per workgroup, palettes as %s",
                  tuning->instancesPerThread, tuning->instancesPerThread == 1 ? "" : "s", tuning->workgroupSize,
                  texels ? "texels" : "a storage buffer");
    }
    if (kernels && crowdOf(result)) {
        fieldLine(document, "", "a %s poses a character", group ? "workgroup" : "thread");
    }
    addIfAny(document->json, "instancesPerThread", kernels ? tuning->instancesPerThread : 0, &document->good);
    addIfAny(document->json, "workgroupSize", kernels ? tuning->workgroupSize : 0, &document->good);
    fieldText(document, NULL, "paletteBinding", !kernels ? NULL : texels ? "texels" : "storage");
    fieldText(document, NULL, "crowdPosing", !kernels ? NULL : group ? "group" : "thread");
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
        jsonAddNumber(morphs, morph->name, (double)morph->weight, &document->good);
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
    fieldText(document, NULL, "vertexFormat", apart ? SKIN_FORMAT_NAMES[report->format] : NULL);
    fieldCount(document, NULL, "influences", weights->influences, "");
    jsonAddNumber(document->json, "weightError", (double)weights->error, &document->good);
    fieldText(document, NULL, "weightErrorModel", weights->error > 0.0f ? report->models[weights->worst] : NULL);
    writeMorphs(document, skin);
}

/* Sizes are those of keys, and of packed clips without the skeleton. */
void reportPacked(Document *document, const ModelPackTotals *packed) {
    char from[QUANTITY_SIZE], to[QUANTITY_SIZE];
    if (packed) {
        quantityCount(from, packed->sourceBytes);
        quantityCount(to, packed->bytes);
        fieldLine(document, "clips", "packed from %s to %s B, error up to %.3g mm on a character 1.8 m high", from, to,
                  packed->error);
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
    fieldText(document, NULL, "skinningClock", byCpu(result) ? "host" : CLOCK_NAMES[result->clock]);
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
    fieldCount(document, NULL, "verticesSkinned", crowd ? crowd->vertices : result->stats.verticesSkinned, "");
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
    fieldCount(document, NULL, "seed", report->seed, "");
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
