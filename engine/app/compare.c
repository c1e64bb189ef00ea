#include "compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* ---- Document ---- */

#define LABEL_WIDTH 8

/* Whether a picture was compared with another one, where either shows something. */
static bool isCompared(const CompareRow *row) {
    return !row->refusal[0] && !isReference(row) && row->likeness.covered > 0;
}

static const Column COLUMNS[] = {{"system", "name", -26},
                                 {NULL, "reference", 0},
                                 {NULL, "refusal", 0},
                                 {"dB", "decibels", 8},
                                 {"largest", "largestDifference", 8},
                                 {NULL, "pixels", 0},
                                 {"upload ms", NULL, 10},
                                 {"", NULL, 8},
                                 {"skin ms", NULL, 10},
                                 {"", NULL, 8},
                                 {"draw ms", NULL, 10},
                                 {"", NULL, 8},
                                 {"B/bone", "bytesPerBone", 8},
                                 {"B/frame", "paletteBytes", 12},
                                 {"draws", "drawCalls", 8},
                                 {"pipes", "pipelines", 6}};

static Cell cellOfMedian(const Measured *measured) {
    return cellNumber(numberIf(measured->count > 0, measured->median), 3);
}

static Cell cellOfSpread(const Measured *measured, char text[32]) {
    snprintf(text, 32, measured->count > 0 ? "%.0f %%" : "", measured->spread);
    return cellText(text);
}

static void writeRow(Document *document, const CompareRow *row) {
    const RunResult *result = &row->result;
    const bool drawn = !row->refusal[0], compared = isCompared(row);
    char spreads[3][32];
    document->json = TABLE_ROW(
        document, cellText(row->entry->name), cellText(isReference(row) ? NULL : ENTRIES[row->entry->reference].name),
        cellText(drawn ? NULL : row->refusal), cellNumber(numberIf(compared, row->likeness.decibels), 1),
        cellNumber(numberIf(compared, row->likeness.largest), 0),
        cellNumber(numberIf(drawn && !isReference(row), (double)row->likeness.covered), 0),
        cellOfMedian(&result->upload), cellOfSpread(&result->upload, spreads[0]), cellOfMedian(&result->skinning),
        cellOfSpread(&result->skinning, spreads[1]), cellOfMedian(&result->draw),
        cellOfSpread(&result->draw, spreads[2]), cellNumber(numberIf(drawn, result->system.bytesPerBone), 0),
        cellNumber(numberIf(drawn, (double)result->system.uploadBytes), 0),
        cellNumber(numberIf(drawn, result->drawCalls), 0), cellNumber(numberIf(drawn, result->pipelines), 0));
    jsonAddSystem(document->json, result, &document->good);
    reportSteps(document, result, false);
    objectEnd(document);
}

/* Refusals, and limits that had an effect. */
static void writeRemarks(Document *document, const CompareRow *row) {
    if (row->refusal[0]) {
        documentLine(document, "%s: %s", row->entry->name, row->refusal);
    }
    for (uint32_t i = 0; i < row->result.system.remarkCount; i++) {
        documentLine(document, "%s: %s", row->entry->name, row->result.system.remarks[i]);
    }
}

static void writeHead(Document *document, const Session *session, const RunResult *first) {
    const Arguments *arguments = session->arguments;
    const OptionValue *size = optionsValue(arguments, "size");
    const bool stamps = first->clock == RUN_CLOCK_TIMESTAMPS;
    fieldText(document, "device", "device", session->device->info.name);
    JSON_FIELDS(document, jsonText("driver", session->device->info.driverName),
                jsonText("driverVersion", session->device->info.driverVersion));
    fieldLine(document, "scene", "%u characters, %llu vertices, %llu bones", first->characters,
              (unsigned long long)first->vertices, (unsigned long long)first->bones);
    reportClock(document, first->clock, stamps ? "device timestamps" : "wall clock around a fence");
    jsonAddTexts(document->json, "models", arguments->operands, arguments->operandCount, &document->good);
    JSON_FIELDS(document, jsonCount("seed", (uint64_t)optionsValue(arguments, "seed")->integer),
                jsonCount("width", size->width), jsonCount("height", size->height),
                jsonCount("frames", (uint64_t)optionsValue(arguments, "frames")->integer),
                jsonCount("characters", first->characters), jsonCount("vertices", first->vertices),
                jsonCount("bones", first->bones));
}

static void writeResults(Document *document, const Session *session, const CompareRow rows[ENTRY_COUNT]) {
    writeHead(document, session, &rows[COMPARE_MATRICES].result);
    tableBegin(document, "systems", NULL, COLUMNS, COUNT_OF(COLUMNS));
    for (uint32_t i = 0; i < ENTRY_COUNT; i++) {
        writeRow(document, &rows[i]);
    }
    documentNote(document,
                 "\ndB, largest: likeness to compute with the same rule, over the pixels that either covers: peak\n"
                 "signal-to-noise ratio (100: equal), largest difference of a channel, 0 to 255. Times: median and "
                 "spread\n(interquartile range) of the measured frames; one system runs after the other, so only "
                 "large\ndifferences say something. -: not measured, or not drawn, see below. draw: both\n"
                 "passes; with a system other than compute it includes skinning.\n");
    for (uint32_t i = 0; i < ENTRY_COUNT; i++) {
        writeRemarks(document, &rows[i]);
    }
}

/* ---- Sheet ---- */

static void describe(const CompareRow *row, char text[SHEET_TEXT_SIZE]) {
    const RunResult *result = &row->result;
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
    Document document = documentOf(session->arguments, "compare", LABEL_WIDTH, 0);
    writeResults(&document, session, rows);
    return documentEnd(&document, session->arguments, writeSheet(session, rows, error), error);
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
