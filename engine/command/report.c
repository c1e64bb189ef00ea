#include "report.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "quantity.h"
#include "say.h"
#include "utf8.h"
#include "vkskin/vkskin_base.h"

/* ---- Both ---- */

typedef struct Step {
    const char *name;
    const Measured *measured;
} Step;

#define STEP_COUNT 4

static void listSteps(const CrowdResult *result, Step steps[STEP_COUNT]) {
    steps[0] = (Step){"pose", &result->pose};
    steps[1] = (Step){"upload", &result->upload};
    steps[2] = (Step){"skinning", &result->skinning};
    steps[3] = (Step){"draw", &result->draw};
}

/* ---- Table ---- */

static void printText(FILE *file, const char *name, const char *text) {
    fprintf(file, "%-14s", name);
    sayClean(file, text);
    fputc('\n', file);
}

static void printCount(FILE *file, const char *name, uint64_t count, const char *unit) {
    char text[QUANTITY_SIZE];
    quantityCount(text, count);
    fprintf(file, "%-14s%15s%s%s\n", name, text, unit[0] ? " " : "", unit);
}

static void printHead(FILE *file, const CrowdResult *result) {
    char driver[2 * DEVICE_NAME_SIZE + 4];
    snprintf(driver, sizeof driver, "%s%s%s", result->driver, result->driver[0] ? ", " : "", result->driverVersion);
    printText(file, "device", result->device);
    printText(file, "driver", driver);
    printText(file, "backend", result->backend);
    printText(file, "method", strcmp(result->method, "dqs") == 0 ? "dqs (dual quaternions)" : "lbs (linear blend)");
    printText(file, "clock",
              result->clock == CROWD_CLOCK_TIMESTAMPS
                  ? "device timestamps; pose: wall clock"
                  : "wall clock around a fence: the timestamps of this driver cannot be trusted");
}

/* A step of no samples was not taken in any frame. */
static void printStep(FILE *file, const Step *step) {
    if (step->measured->count > 0) {
        fprintf(file, "%-14s%12.3f ms%8.1f %%\n", step->name, step->measured->median, step->measured->spread);
    } else {
        fprintf(file, "%-14s%15s\n", step->name, "none");
    }
}

static void printRate(FILE *file, const char *name, double value, const char *unit) {
    char text[QUANTITY_SIZE];
    if (value > 0.0) {
        quantityScaled(text, value, unit);
    } else {
        snprintf(text, sizeof text, "not measured");
    }
    fprintf(file, "%-14s%15s\n", name, text);
}

void reportPrint(FILE *file, const Report *report) {
    const CrowdResult *result = report->result;
    Step steps[STEP_COUNT];
    printHead(file, result);
    fputc('\n', file);
    printCount(file, "characters", result->characters, "");
    printCount(file, "instances", result->instances, "");
    printCount(file, "vertices", result->vertices, "");
    printCount(file, "bones", result->bones, "");
    printCount(file, "dispatches", result->dispatches, "");
    printCount(file, "draw calls", result->drawCalls, "");
    printCount(file, "palette", result->paletteBytes, "B");
    printCount(file, "output", result->outputBytes, "B");
    fprintf(file, "\n%-14s%15s    spread\n", "step", "median");
    listSteps(result, steps);
    for (int i = 0; i < STEP_COUNT; i++) {
        printStep(file, &steps[i]);
    }
    fprintf(file, "(of %u frame%s of %u x %u; the spread is the interquartile range%s)\n\n", result->frames,
            result->frames == 1 ? "" : "s", report->width, report->height,
            result->upload.count > 0 ? "" : ";\n palettes are written in place, in the time of pose");
    printRate(file, "vertices/s", result->verticesPerSecond, "");
    printRate(file, "bytes/s", result->bytesPerSecond, "B");
    fputs("(over the median of skinning: the vertices that it writes; the bytes of palettes and output, without those "
          "of\n"
          " the meshes that it reads)\n",
          file);
    if (report->picture) {
        fputc('\n', file);
        printText(file, "picture", report->picture);
    }
}

/* ---- JSON ---- */

/* A JSON string of a name that may hold anything. Null when memory is out. */
static cJSON *textItem(const char *text) {
    char *copy = strdup(text);
    if (copy) {
        utf8Mend(copy);
    }
    cJSON *item = copy ? cJSON_CreateString(copy) : NULL;
    free(copy);
    return item;
}

/* cJSON takes the item's memory, also when adding fails; `good` gathers whether all went well. */
static void add(cJSON *object, const char *name, cJSON *item, bool *good) {
    if (!item || !cJSON_AddItemToObject(object, name, item)) {
        cJSON_Delete(item);
        *good = false;
    }
}

static void addText(cJSON *object, const char *name, const char *text, bool *good) {
    add(object, name, textItem(text), good);
}

static void addNumber(cJSON *object, const char *name, double number, bool *good) {
    add(object, name, cJSON_CreateNumber(number), good);
}

/* A whole number with all its digits, which cJSON's own numbers may round. */
static void addCount(cJSON *object, const char *name, uint64_t count, bool *good) {
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, count);
    add(object, name, cJSON_CreateRaw(text), good);
}

static void addModels(cJSON *object, const Report *report, bool *good) {
    cJSON *models = cJSON_CreateArray();
    for (uint32_t i = 0; models && i < report->modelCount; i++) {
        cJSON *item = textItem(report->models[i]);
        if (!item || !cJSON_AddItemToArray(models, item)) {
            cJSON_Delete(item);
            *good = false;
        }
    }
    add(object, "models", models, good);
}

static void addSteps(cJSON *object, const CrowdResult *result, bool *good) {
    Step steps[STEP_COUNT];
    listSteps(result, steps);
    for (int i = 0; i < STEP_COUNT; i++) {
        cJSON *step = cJSON_CreateObject();
        if (step) {
            addNumber(step, "medianMilliseconds", steps[i].measured->median, good);
            addNumber(step, "spreadPercent", steps[i].measured->spread, good);
            addCount(step, "samples", steps[i].measured->count, good);
        }
        add(object, steps[i].name, step, good);
    }
}

static void addAll(cJSON *object, const Report *report, bool *good) {
    const CrowdResult *result = report->result;
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", VKSKIN_VERSION_MAJOR, VKSKIN_VERSION_MINOR, VKSKIN_VERSION_PATCH);
    addText(object, "vkskin", version, good);
    addText(object, "device", result->device, good);
    addText(object, "driver", result->driver, good);
    addText(object, "driverVersion", result->driverVersion, good);
    addText(object, "backend", result->backend, good);
    addText(object, "method", result->method, good);
    addText(object, "clock", result->clock == CROWD_CLOCK_TIMESTAMPS ? "timestamps" : "wall", good);
    addModels(object, report, good);
    addCount(object, "seed", report->seed, good);
    addCount(object, "width", report->width, good);
    addCount(object, "height", report->height, good);
    addCount(object, "frames", result->frames, good);
    addCount(object, "characters", result->characters, good);
    addCount(object, "instances", result->instances, good);
    addCount(object, "vertices", result->vertices, good);
    addCount(object, "bones", result->bones, good);
    addCount(object, "dispatches", result->dispatches, good);
    addCount(object, "drawCalls", result->drawCalls, good);
    addCount(object, "paletteBytes", result->paletteBytes, good);
    addCount(object, "outputBytes", result->outputBytes, good);
    addSteps(object, result, good);
    addNumber(object, "verticesPerSecond", result->verticesPerSecond, good);
    addNumber(object, "bytesPerSecond", result->bytesPerSecond, good);
}

char *reportJson(const Report *report) {
    cJSON *object = cJSON_CreateObject();
    bool good = object != NULL;
    if (good) {
        addAll(object, report, &good);
    }
    char *text = good ? cJSON_Print(object) : NULL;
    cJSON_Delete(object);
    return text;
}
