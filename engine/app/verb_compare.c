/*
 * verb_compare.c: vkskin compare MODEL...: one scene by every skinning system: how alike the pictures are, and what each
 * system costs.
 */
#include <stdlib.h>
#include <string.h>

#include "spine_verbs.h"
#include "likeness.h"
#include "outputs.h"
#include "pictures.h"
#include "report.h"
#include "verbs.h"

#define WARMUP_FRAMES 3
#define SHEET_COLUMNS 4
#define TEXT_LINES    3

/* Radians: the camera shows the whole crowd from the front, from somewhat above. */
#define VIEW_YAW   0.55f
#define VIEW_PITCH 0.22f

#define CROWD_ERROR 0.05 /* millimetres of packed clips, which only the crowd needs: small next to a pixel */

/*
 * What is compared. A row is compared with the row `reference`: kernels with the same rule (linear blending, at most four
 * influences; with quaternions, entries that become matrices first), in floats. 0 and 1 are the references themselves.
 */
typedef struct Entry {
    const char *name;
    uint32_t reference;
    SkinChoice skin; /* only what the system adds to the choice of all rows */
} Entry;

enum { BY_MATRICES, BY_QUATERNIONS };

static const Entry ENTRIES[] = {
    {"compute", BY_MATRICES, {.system = SKIN_SYSTEM_COMPUTE}},
    {"compute, quaternions", BY_QUATERNIONS, {.system = SKIN_SYSTEM_COMPUTE, .mode = SKIN_MODE_QT}},
    {"crowd", BY_MATRICES, {.system = SKIN_SYSTEM_CROWD, .maxError = CROWD_ERROR}},
    {"vertex-buffer", BY_MATRICES, {.system = SKIN_SYSTEM_VERTEX_BUFFER}},
    {"texture-qt, two, float", BY_QUATERNIONS, {.system = SKIN_SYSTEM_TEXTURE_QT}},
    {"texture-qt, two, half", BY_QUATERNIONS, {.system = SKIN_SYSTEM_TEXTURE_QT, .textureFormat = SKIN_TEXTURE_HALF}},
    {"texture-qt, two, snorm16",
     BY_QUATERNIONS,
     {.system = SKIN_SYSTEM_TEXTURE_QT, .textureFormat = SKIN_TEXTURE_SNORM16}},
    {"texture-qt, pair, float", BY_QUATERNIONS, {.system = SKIN_SYSTEM_TEXTURE_QT, .textureLayout = SKIN_TEXTURE_PAIR}},
    {"texture-qt, pair, half",
     BY_QUATERNIONS,
     {.system = SKIN_SYSTEM_TEXTURE_QT, .textureLayout = SKIN_TEXTURE_PAIR, .textureFormat = SKIN_TEXTURE_HALF}},
    {"texture-matrix", BY_MATRICES, {.system = SKIN_SYSTEM_TEXTURE_MATRIX}},
    {"uniform-matrix", BY_MATRICES, {.system = SKIN_SYSTEM_UNIFORM_MATRIX}},
    {"uniform-matrix, 26 bones", BY_MATRICES, {.system = SKIN_SYSTEM_UNIFORM_MATRIX, .bonesPerDraw = 26}},
    {"uniform-2d", BY_MATRICES, {.system = SKIN_SYSTEM_UNIFORM_2D}},
};

#define ENTRY_COUNT COUNT_OF(ENTRIES)

typedef struct Row {
    const Entry *entry;
    char refusal[ENGINE_ERROR_SIZE]; /* why the system does not draw the models; empty: it does */
    Picture picture;                 /* transparent where nothing is drawn */
    Likeness likeness;
    CrowdResult result;
} Row;

static bool isReference(const Row *row) {
    return row->entry == &ENTRIES[row->entry->reference];
}

/* ---- Running ---- */

static SkinChoice skinOf(const Session *session, const Entry *entry) {
    const double packed = optionsValue(session->arguments, "max-error")->number;
    SkinChoice skin = session->skin;
    skin.system = entry->skin.system;
    skin.mode = entry->skin.mode;
    skin.textureLayout = entry->skin.textureLayout;
    skin.textureFormat = entry->skin.textureFormat;
    skin.bonesPerDraw = entry->skin.bonesPerDraw;
    skin.maxError = packed > 0.0 ? packed : entry->skin.maxError;
    skin.maxInfluences = SKIN_SYSTEM_INFLUENCES;
    skin.backend = VKSKIN_BACKEND_COMPUTE;
    return skinChoiceComplete(&skin);
}

/* Whether the system draws the models; else `refusal` says why not. */
static bool isDrawn(const Session *session, Row *row) {
    EngineError error;
    const uint32_t count = (uint32_t)optionsValue(session->arguments, "count")->integer;
    for (uint32_t i = 0; i < session->modelCount; i++) {
        if (!sessionCheckSystem(session, session->models[i], session->arguments->operands[i], count, &error)) {
            memcpy(row->refusal, error.message, sizeof row->refusal);
            return false;
        }
    }
    return true;
}

/* The whole crowd, or the one character, on a transparent background. */
static bool aim(const Session *session, DrawScene *view, EngineError *error) {
    const Arguments *arguments = session->arguments;
    const Crowd *crowd = session->scene->crowd;
    Bounds bounds = crowd->bounds;
    if (crowd->memberCount == 1 &&
        !pictureBounds(arguments, crowd, &crowd->members[0], arguments->operands[0], &bounds, error)) {
        return false;
    }
    *view = drawDefaultScene(crowd, pictureAspect(arguments));
    view->camera = pictureCamera(arguments, &bounds, VIEW_YAW, VIEW_PITCH);
    view->plain = true;
    return true;
}

static void showProgress(void *user, CrowdPhase phase, uint32_t done, uint32_t total) {
    (void)total;
    progressShow(user, phase == CROWD_PHASE_MEASURED ? done : 0);
}

static bool runScene(Session *session, Row *row, EngineError *error) {
    const Arguments *arguments = session->arguments;
    const OptionValue *size = optionsValue(arguments, "size");
    DrawScene view;
    Progress progress;
    if (!aim(session, &view, error)) {
        return false;
    }
    const CrowdRunDef def = {
        .frames = (uint32_t)optionsValue(arguments, "frames")->integer,
        .warmupFrames = WARMUP_FRAMES,
        .width = size->width,
        .height = size->height,
        .view = &view,
        .progress = showProgress,
        .user = &progress,
    };
    sessionBeginProgress(session, &progress, row->entry->name, def.frames);
    const bool good = crowdRun(session->scene, &def, &row->result, &row->picture, error);
    sessionEndProgress(session);
    return good;
}

/* Compares the two systems that draw 2D characters. */
static bool runSpines(Session *session, SpineCharacters *characters, Row *row, EngineError *error) {
    const SkinSystem system = row->entry->skin.system;
    const bool draws =
        (system == SKIN_SYSTEM_COMPUTE && row->entry->reference == BY_MATRICES) || system == SKIN_SYSTEM_UNIFORM_2D;
    if (!draws) {
        snprintf(row->refusal, sizeof row->refusal, "does not draw 2D characters; 'compute' and 'uniform-2d' do");
        return true;
    }
    return spineCompareRun(session, characters, system, &row->result, &row->picture, error);
}

/* A lost scale is a refusal, too. */
static bool makeAndRun(Session *session, const SceneDef *def, Row *row, EngineError *error) {
    if (!sessionMakeScene(session, def, error)) {
        return false;
    }
    sessionSetTimes(session);
    if (!sessionCheckScale(session, NULL, error)) {
        error->unsupported = true;
        return false;
    }
    return runScene(session, row, error);
}

/* False only for errors that end the command. characters: null for other models. */
static bool runRow(Session *session, SpineCharacters *characters, Row *row, EngineError *error) {
    const SceneDef def = {
        .count = (uint32_t)optionsValue(session->arguments, "count")->integer,
        .seed = (uint64_t)optionsValue(session->arguments, "seed")->integer,
        .placement = CROWD_FIELD,
        .wrap = VKSKIN_WRAP_LOOP,
        .format = VKSKIN_VERTEX_FLOAT,
    };
    if (characters) {
        return runSpines(session, characters, row, error);
    }
    session->skin = skinOf(session, row->entry);
    if (!isDrawn(session, row)) {
        return true;
    }
    const bool good = makeAndRun(session, &def, row, error);
    sessionEndScene(session, good);
    session->isRepeated = true;
    if (!good) {
        memcpy(row->refusal, error->message, sizeof row->refusal);
    }
    return good || (row->entry->skin.system != SKIN_SYSTEM_COMPUTE && error->unsupported);
}

static bool compareWith(const Row *rows, Row *row, EngineError *error) {
    const Row *reference = &rows[row->entry->reference];
    if (!row->picture.pixels || !reference->picture.pixels) {
        return true;
    }
    return pictureLikeness(&row->picture, &reference->picture, NULL, &row->likeness, error);
}

static bool runRows(Session *session, SpineCharacters *characters, Row rows[ENTRY_COUNT], EngineError *error) {
    bool good = true;
    for (uint32_t i = 0; i < ENTRY_COUNT && good; i++) {
        rows[i].entry = &ENTRIES[i];
        good = runRow(session, characters, &rows[i], error) && compareWith(rows, &rows[i], error);
    }
    return good;
}

/* ---- Table ---- */

static void printMeasured(const Measured *measured) {
    if (measured->count > 0) {
        printf("%10.3f%6.0f %%", measured->median, measured->spread);
    } else {
        printf("%10s%8s", "-", "");
    }
}

/* Whether a picture was compared with another one, where either shows something. */
static bool isCompared(const Row *row) {
    return !row->refusal[0] && !isReference(row) && row->likeness.covered > 0;
}

static void printRow(const Row *row) {
    const CrowdResult *result = &row->result;
    printf("%-26s", row->entry->name);
    if (row->refusal[0]) {
        printf("  not drawn, see below\n");
        return;
    }
    if (isCompared(row)) {
        printf("%8.1f%8u", row->likeness.decibels, row->likeness.largest);
    } else {
        printf("%8s%8s", "-", "-");
    }
    printMeasured(&result->upload);
    printMeasured(&result->skinning);
    printMeasured(&result->draw);
    printf("%8u%12llu%8u%6u\n", result->system.bytesPerBone, (unsigned long long)result->system.uploadBytes,
           result->drawCalls, result->pipelines);
}

/* Refusals, and limits that had an effect. */
static void printRemarks(const Row *row) {
    if (row->refusal[0]) {
        printf("%s: ", row->entry->name);
        sayClean(stdout, row->refusal);
        putchar('\n');
    }
    for (uint32_t i = 0; i < row->result.system.remarkCount; i++) {
        printf("%s: ", row->entry->name);
        sayClean(stdout, row->result.system.remarks[i]);
        putchar('\n');
    }
}

static void printTable(const Session *session, const Row rows[ENTRY_COUNT]) {
    const CrowdResult *first = &rows[BY_MATRICES].result;
    printf("device  ");
    sayClean(stdout, session->device->info.name);
    printf("\nscene   %u characters, %llu vertices, %llu bones\nclock   %s\n\n", first->characters,
           (unsigned long long)first->vertices, (unsigned long long)first->bones,
           first->clock == CROWD_CLOCK_TIMESTAMPS ? "device timestamps" : "wall clock around a fence");
    printf("%-26s%8s%8s%10s%8s%10s%8s%10s%8s%8s%12s%8s%6s\n", "system", "dB", "largest", "upload ms", "", "skin ms", "",
           "draw ms", "", "B/bone", "B/frame", "draws", "pipes");
    for (uint32_t i = 0; i < ENTRY_COUNT; i++) {
        printRow(&rows[i]);
    }
    printf("\ndB, largest: likeness to compute with the same rule, over the pixels that either covers: peak\n"
           "signal-to-noise ratio (100: equal), largest difference of a channel, 0 to 255. Times: median and spread\n"
           "(interquartile range) of the measured frames; one system runs after the other, so only large\n"
           "differences say something. draw: both passes; with a system other than compute it includes skinning.\n");
    for (uint32_t i = 0; i < ENTRY_COUNT; i++) {
        printRemarks(&rows[i]);
    }
}

/* ---- JSON ---- */

static void addRow(cJSON *array, const Row *row, bool *good) {
    cJSON *object = jsonAddRow(array, good);
    const CrowdResult *result = &row->result;
    const bool drawn = !row->refusal[0], compared = isCompared(row);
    jsonAddText(object, "name", row->entry->name, good);
    jsonAddText(object, "reference", isReference(row) ? NULL : ENTRIES[row->entry->reference].name, good);
    jsonAddText(object, "refusal", drawn ? NULL : row->refusal, good);
    jsonAddNumber(object, "decibels", compared ? row->likeness.decibels : (double)NAN, good);
    jsonAddNumber(object, "largestDifference", compared ? row->likeness.largest : (double)NAN, good);
    jsonAddNumber(object, "pixels", drawn && !isReference(row) ? (double)row->likeness.covered : (double)NAN, good);
    jsonAddNumber(object, "bytesPerBone", drawn ? result->system.bytesPerBone : (double)NAN, good);
    jsonAddNumber(object, "paletteBytes", drawn ? (double)result->system.uploadBytes : (double)NAN, good);
    jsonAddNumber(object, "drawCalls", drawn ? result->drawCalls : (double)NAN, good);
    jsonAddNumber(object, "pipelines", drawn ? result->pipelines : (double)NAN, good);
    jsonAddSystem(object, result, good);
    jsonAddSteps(object, result, good);
}

static char *makeJson(const Session *session, const Row rows[ENTRY_COUNT]) {
    const Arguments *arguments = session->arguments;
    const OptionValue *size = optionsValue(arguments, "size");
    const CrowdResult *first = &rows[BY_MATRICES].result;
    bool good = true;
    cJSON *object = jsonBegin("compare", &good);
    jsonAddText(object, "device", session->device->info.name, &good);
    jsonAddText(object, "driver", session->device->info.driverName, &good);
    jsonAddText(object, "driverVersion", session->device->info.driverVersion, &good);
    jsonAddText(object, "clock", first->clock == CROWD_CLOCK_TIMESTAMPS ? "timestamps" : "wall", &good);
    jsonAddTexts(object, "models", arguments->operands, arguments->operandCount, &good);
    jsonAddCount(object, "seed", (uint64_t)optionsValue(arguments, "seed")->integer, &good);
    jsonAddCount(object, "width", size->width, &good);
    jsonAddCount(object, "height", size->height, &good);
    jsonAddCount(object, "frames", (uint64_t)optionsValue(arguments, "frames")->integer, &good);
    jsonAddCount(object, "characters", first->characters, &good);
    jsonAddCount(object, "vertices", first->vertices, &good);
    jsonAddCount(object, "bones", first->bones, &good);
    cJSON *array = jsonAddArray(object, "systems", &good);
    for (uint32_t i = 0; i < ENTRY_COUNT; i++) {
        addRow(array, &rows[i], &good);
    }
    return jsonPrint(object, good);
}

/* ---- Sheet ---- */

static void describe(const Row *row, char text[SHEET_TEXT_SIZE]) {
    const CrowdResult *result = &row->result;
    int length = snprintf(text, SHEET_TEXT_SIZE, "%s\n", row->entry->name);
    if (row->refusal[0]) {
        return;
    }
    if (isCompared(row)) {
        length += snprintf(text + length, SHEET_TEXT_SIZE - (size_t)length, "%.1f dB, ", row->likeness.decibels);
    }
    length += snprintf(text + length, SHEET_TEXT_SIZE - (size_t)length, "%u B/bone, %u draws\n",
                       result->system.bytesPerBone, result->drawCalls);
    if (result->skinning.count > 0) {
        length += snprintf(text + length, SHEET_TEXT_SIZE - (size_t)length, "skin %.2f, ", result->skinning.median);
    }
    snprintf(text + length, SHEET_TEXT_SIZE - (size_t)length, "draw %.2f ms", result->draw.median);
}

static bool writeSheet(const Session *session, const Row rows[ENTRY_COUNT], EngineError *error) {
    const OptionValue *output = optionsValue(session->arguments, "output");
    const OptionValue *size = optionsValue(session->arguments, "size");
    Sheet sheet;
    if (!output->given) {
        return true;
    }
    bool good = sheetCreate(&sheet, SHEET_COLUMNS, (ENTRY_COUNT + SHEET_COLUMNS - 1) / SHEET_COLUMNS, size->width,
                            size->height, TEXT_LINES, error);
    for (uint32_t i = 0; i < ENTRY_COUNT && good; i++) {
        char text[SHEET_TEXT_SIZE];
        describe(&rows[i], text);
        sheetPutOver(&sheet, i, rows[i].picture.pixels ? &rows[i].picture : NULL);
        sheetWrite(&sheet, i, false, text);
        sheetWrite(&sheet, i, true, rows[i].refusal);
    }
    good = good && outputPictureWrite(&sheet.picture, output->text, error);
    sheetFree(&sheet);
    return good;
}

/* ---- The verb ---- */

/* The pictures are those of one scene, so that all of them are empty. */
static void sayEmpty(const Session *session, const Row rows[ENTRY_COUNT]) {
    for (uint32_t i = 0; i < ENTRY_COUNT; i++) {
        if (!rows[i].refusal[0] && !isReference(&rows[i])) {
            if (!isCompared(&rows[i])) {
                sayWarning(session->verb, "%s: no pixel shows a character, so nothing is compared",
                           session->arguments->operands[0]);
            }
            return;
        }
    }
}

static bool writeAll(const Session *session, const Row rows[ENTRY_COUNT], EngineError *error) {
    sayEmpty(session, rows);
    const OptionValue *json = optionsValue(session->arguments, "json");
    if (!outputJsonIsStandard(json)) {
        printTable(session, rows);
    }
    return writeSheet(session, rows, error) && (!json->text || outputJsonWrite(makeJson(session, rows), json, error));
}

static bool compareAll(Session *session, SpineCharacters *characters, EngineError *error) {
    Row *rows = engineAllocate(ENTRY_COUNT, sizeof *rows, error);
    const bool good = rows && runRows(session, characters, rows, error) && writeAll(session, rows, error);
    for (uint32_t i = 0; i < ENTRY_COUNT && rows; i++) {
        pictureFree(&rows[i].picture);
    }
    free(rows);
    return good;
}

static bool compare(Session *session, EngineError *error) {
    const bool chosen = optionsValue(session->arguments, "clip")->given;
    return sessionLoad(session, LOAD_OPTIMISED, error) && (!chosen || sessionChooseClips(session, error)) &&
           sessionOpenDevice(session, NULL, error) && compareAll(session, NULL, error);
}

static bool compareSpines(Session *session, EngineError *error) {
    SpineCharacters *characters = spineCompareLoad(session, error);
    const bool good = characters && sessionOpenDevice(session, NULL, error) && compareAll(session, characters, error);
    spineCharactersDestroy(characters);
    return good;
}

static int runCompare(const Arguments *arguments) {
    bool spines;
    if (!spineOperands(arguments, &spines)) {
        return EXIT_FAILED;
    }
    return sessionRun(arguments, spines ? compareSpines : compare);
}

static const Option COMPARE_OPTIONS[] = {
    {"count", OPTION_INTEGER, "N", .help = "characters; the models alternate", .defaultValue = "1", .minimum = 1,
     .maximum = 100000},
    CLIP_OPTION("the clip of all characters", "; default: a random one that moves"),
    {"time", OPTION_NUMBER, "SECONDS", .help = "time in the clip, which loops, for all characters; default: random",
     .minimum = 0.0, .maximum = INFINITY},
    {"frames", OPTION_INTEGER, "N", .help = "measured frames of each system, after a few warm-up frames",
     .defaultValue = "10", .minimum = 1, .maximum = 1000000},
    SEED_OPTION,
    {"size", OPTION_SIZE, "WxH", .help = "width and height of each picture", .defaultValue = "480x360", .minimum = 16,
     .maximum = 4096},
    {"normals", OPTION_CHOICE, "cheap|exact", .help = "normal transform, as of crowd", .defaultValue = "cheap",
     .choices = SKIN_NORMALS_NAMES},
    SKIN_NAME_OPTION,
    {.group = READ_OPTIONS},
    {"output", OPTION_OUTPUT, "FILE.png", .help = "a sheet of all pictures; default: none", .choices = PICTURE_ENDINGS,
     .letter = 'o'},
    JSON_OPTION,
    FORCE_OPTION,
};

const Verb verbCompare = {
    .name = "compare",
    .summary = "draws one scene by every skinning system and compares them",
    .usage = "MODEL... [--count N] [options] [-o SHEET.png]",
    .details =
        "Systems are the ways in which bones reach the vertices: '--system' of render, crowd and view. All of them\n"
        "use at most four influences per vertex and linear blending; the quaternions of texture-qt become\n"
        "matrices first. A system that cannot draw the models says why, and the others go on.\n"
        "\n"
        "2D characters are drawn by compute, here with all influences, and uniform-2d.\n",
    .options = COMPARE_OPTIONS,
    .optionCount = COUNT_OF(COMPARE_OPTIONS),
    .operandName = "MODEL",
    .operandsMin = 1,
    .operandsMax = SESSION_MODELS_MAX,
    .takesDevice = true,
    .run = runCompare,
    .examples = {"model.gltf -o systems.png", "model.gltf --count 200 --clip 0 --time 0.5 --json systems.json"},
    .operandHelp = MODEL_HELP,
};
