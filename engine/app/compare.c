#include "compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "outputs.h"
#include "pictures.h"
#include "report.h"

#define SHEET_COLUMNS 4
#define TEXT_LINES    3

#define CROWD_ERROR 0.05 /* millimetres of packed clips, which only the crowd needs: small next to a pixel */

static const CompareEntry ENTRIES[] = {
    {"compute", COMPARE_MATRICES, {.system = SKIN_SYSTEM_COMPUTE}},
    {"compute, quaternions", COMPARE_QUATERNIONS, {.system = SKIN_SYSTEM_COMPUTE, .mode = SKIN_MODE_QT}},
    {"crowd", COMPARE_MATRICES, {.system = SKIN_SYSTEM_CROWD, .maxError = CROWD_ERROR}},
    {"vertex-buffer", COMPARE_MATRICES, {.system = SKIN_SYSTEM_VERTEX_BUFFER}},
    {"texture-qt, two, float", COMPARE_QUATERNIONS, {.system = SKIN_SYSTEM_TEXTURE_QT}},
    {"texture-qt, two, half",
     COMPARE_QUATERNIONS,
     {.system = SKIN_SYSTEM_TEXTURE_QT, .textureFormat = SKIN_TEXTURE_HALF}},
    {"texture-qt, two, snorm16",
     COMPARE_QUATERNIONS,
     {.system = SKIN_SYSTEM_TEXTURE_QT, .textureFormat = SKIN_TEXTURE_SNORM16}},
    {"texture-qt, pair, float",
     COMPARE_QUATERNIONS,
     {.system = SKIN_SYSTEM_TEXTURE_QT, .textureLayout = SKIN_TEXTURE_PAIR}},
    {"texture-qt, pair, half",
     COMPARE_QUATERNIONS,
     {.system = SKIN_SYSTEM_TEXTURE_QT, .textureLayout = SKIN_TEXTURE_PAIR, .textureFormat = SKIN_TEXTURE_HALF}},
    {"texture-matrix", COMPARE_MATRICES, {.system = SKIN_SYSTEM_TEXTURE_MATRIX}},
    {"uniform-matrix", COMPARE_MATRICES, {.system = SKIN_SYSTEM_UNIFORM_MATRIX}},
    {"uniform-matrix, 26 bones", COMPARE_MATRICES, {.system = SKIN_SYSTEM_UNIFORM_MATRIX, .bonesPerDraw = 26}},
    {"uniform-2d", COMPARE_MATRICES, {.system = SKIN_SYSTEM_UNIFORM_2D}},
};

#define ENTRY_COUNT COUNT_OF(ENTRIES)

static bool isReference(const CompareRow *row) {
    return row->entry == &ENTRIES[row->entry->reference];
}

/* ---- Running ---- */

static bool compareWith(const CompareRow *rows, CompareRow *row, EngineError *error) {
    const CompareRow *reference = &rows[row->entry->reference];
    if (!row->picture.pixels || !reference->picture.pixels) {
        return true;
    }
    return pictureLikeness(&row->picture, &reference->picture, NULL, &row->likeness, error);
}

static bool runRows(Session *session, CompareDraw draw, void *user, CompareRow rows[ENTRY_COUNT], EngineError *error) {
    bool good = true;
    for (uint32_t i = 0; i < ENTRY_COUNT && good; i++) {
        rows[i].entry = &ENTRIES[i];
        good = draw(user, session, &rows[i], error) && compareWith(rows, &rows[i], error);
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
static bool isCompared(const CompareRow *row) {
    return !row->refusal[0] && !isReference(row) && row->likeness.covered > 0;
}

static void printRow(const CompareRow *row) {
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
static void printRemarks(const CompareRow *row) {
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

static void printTable(const Session *session, const CompareRow rows[ENTRY_COUNT]) {
    const CrowdResult *first = &rows[COMPARE_MATRICES].result;
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

static void addRow(cJSON *array, const CompareRow *row, bool *good) {
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

static char *makeJson(const Session *session, const CompareRow rows[ENTRY_COUNT]) {
    const Arguments *arguments = session->arguments;
    const OptionValue *size = optionsValue(arguments, "size");
    const CrowdResult *first = &rows[COMPARE_MATRICES].result;
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

static void describe(const CompareRow *row, char text[SHEET_TEXT_SIZE]) {
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

static bool writeSheet(const Session *session, const CompareRow rows[ENTRY_COUNT], EngineError *error) {
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
static void sayEmpty(const Session *session, const CompareRow rows[ENTRY_COUNT]) {
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

static bool writeAll(const Session *session, const CompareRow rows[ENTRY_COUNT], EngineError *error) {
    sayEmpty(session, rows);
    const OptionValue *json = optionsValue(session->arguments, "json");
    if (!outputJsonIsStandard(json)) {
        printTable(session, rows);
    }
    return writeSheet(session, rows, error) && (!json->text || outputJsonWrite(makeJson(session, rows), json, error));
}

bool compareAll(Session *session, CompareDraw draw, void *user, EngineError *error) {
    CompareRow *rows = engineAllocate(ENTRY_COUNT, sizeof *rows, error);
    const bool good = rows && runRows(session, draw, user, rows, error) && writeAll(session, rows, error);
    for (uint32_t i = 0; i < ENTRY_COUNT && rows; i++) {
        pictureFree(&rows[i].picture);
    }
    free(rows);
    return good;
}
