#include "soak_report.h"

#include <inttypes.h>

#include "json_add.h"
#include "quantity.h"
#include "say.h"
#include "skin_choice.h"
#include "vkskin/vkskin_base.h"

/* ---- Both ---- */

typedef struct Count {
    const char *text, *json;
    uint64_t value;
} Count;

typedef struct Flat {
    const char *text, *json;
    const SoakSeries *series;
} Flat;

#define COUNT_COUNT 20
#define FLAT_COUNT  5

static void listCounts(const SoakReport *report, Count counts[COUNT_COUNT]) {
    const SoakCounts *from = &report->result->counts;
    const Count all[COUNT_COUNT] = {
        {"frames", "frames", report->result->frames},
        {"  submitted", "framesSubmitted", from->framesSubmitted},
        {"  behind a waiting one", "framesHeldBack", from->framesHeldBack},
        {"  abandoned", "framesAbandoned", from->framesAbandoned},
        {"  cancelled", "framesCancelled", from->framesCancelled},
        {"contexts", "contexts", from->contexts},
        {"skeletons made", "skeletonsMade", from->charactersMade},
        {"  destroyed", "skeletonsDestroyed", from->charactersDestroyed},
        {"clips made", "clipsMade", from->clipsMade},
        {"meshes made", "meshesMade", from->meshesMade},
        {"  destroyed", "meshesDestroyed", from->meshesDestroyed},
        {"instances made", "instancesMade", from->instancesMade},
        {"  destroyed", "instancesDestroyed", from->instancesDestroyed},
        {"  skinned", "instancesSkinned", from->instancesSkinned},
        {"  teleported", "teleports", from->teleports},
        {"  without palette room", "ringFull", from->ringFull},
        {"vertices skinned", "verticesSkinned", from->verticesSkinned},
        {"instances checked", "instancesChecked", from->instancesChecked},
        {"vertices checked", "verticesChecked", from->verticesChecked},
        {"  left to rounding", "verticesLeftOut", from->verticesLeftOut},
    };
    for (int i = 0; i < COUNT_COUNT; i++) {
        counts[i] = all[i];
    }
}

static void listFlats(const SoakResult *result, Flat flats[FLAT_COUNT]) {
    flats[0] = (Flat){"process, at rest", "residentBytes", &result->resident};
    flats[1] = (Flat){"library, host", "hostBytes", &result->hostBytes};
    flats[2] = (Flat){"poses, host", "poseBytes", &result->poseBytes};
    flats[3] = (Flat){"library, device", "deviceBytes", &result->deviceBytes};
    flats[4] = (Flat){"driver objects", "driverObjects", &result->objects};
}

/* ---- Table ---- */

static void printText(FILE *file, const char *name, const char *text) {
    fprintf(file, "%-24s", name);
    sayClean(file, text);
    fputc('\n', file);
}

static void printWorst(FILE *file, const SoakVerdict *verdict) {
    fprintf(file, "%-24s%15.2g of the diagonal (at most %g)\n", "worst position",
            verdict->packed.position > verdict->floats.position ? verdict->packed.position : verdict->floats.position,
            POSITION_BOUND);
    fprintf(file, "%-24s%15.3f degrees packed (at most %g), %.2g in floats (at most %g)\n", "worst normal",
            verdict->packed.normal, PACKED_DEGREES, verdict->floats.normal, FLOAT_DEGREES);
    fprintf(file, "%-24s%15.3f degrees packed, %.2g in floats\n", "worst tangent", verdict->packed.tangent,
            verdict->floats.tangent);
}

static void printFlats(FILE *file, const SoakResult *result) {
    Flat flats[FLAT_COUNT];
    listFlats(result, flats);
    fprintf(file, "\n%-17s%17s%17s%17s%17s\n%-17s%17s%17s%17s%17s\n", "memory", "first half,", "first half,",
            "second half,", "second half,", "(B; without warm-up)", "mean", "most", "mean", "most");
    for (int i = 0; i < FLAT_COUNT; i++) {
        fprintf(file, "%-17s", flats[i].text);
        for (int half = 0; half < 2; half++) {
            char mean[QUANTITY_SIZE], peak[QUANTITY_SIZE];
            quantityCount(mean, (uint64_t)flats[i].series->halves[half].mean);
            quantityCount(peak, (uint64_t)flats[i].series->halves[half].peak);
            fprintf(file, "%17s%17s", mean, peak);
        }
        fputc('\n', file);
    }
    if (!result->flatJudged) {
        fprintf(file, "(halves are compared in whole runs of %u frames and more)\n", SOAK_FLAT_FRAMES);
    }
}

void soakReportPrint(FILE *file, const SoakReport *report) {
    const SoakResult *result = report->result;
    Count counts[COUNT_COUNT];
    char driver[2 * DEVICE_NAME_SIZE + 4];
    snprintf(driver, sizeof driver, "%s%s%s", report->device->driverName, report->device->driverName[0] ? ", " : "",
             report->device->driverVersion);
    printText(file, "device", report->device->name);
    printText(file, "driver", driver);
    printText(file, "backend", SKIN_BACKEND_NAMES[result->backend]);
    fprintf(file, "%-24s%15" PRIu64 "\n\n", "seed", report->seed);
    listCounts(report, counts);
    for (int i = 0; i < COUNT_COUNT; i++) {
        char text[QUANTITY_SIZE];
        quantityCount(text, counts[i].value);
        fprintf(file, "%-24s%15s\n", counts[i].text, text);
    }
    printWorst(file, &result->verdict);
    printFlats(file, result);
    fprintf(file, "\n%-24s%16" PRIx64 "\n%-24s%15.1f s\n", "digest", result->verdict.digest, "time", result->seconds);
}

/* ---- JSON ---- */

static void addWorst(cJSON *object, const char *name, const VertexError *worst, bool *good) {
    cJSON *item = cJSON_CreateObject();
    if (item) {
        jsonAddNumber(item, "positionOfDiagonal", worst->position, good);
        jsonAddNumber(item, "normalDegrees", worst->normal, good);
        jsonAddNumber(item, "tangentDegrees", worst->tangent, good);
    }
    jsonAdd(object, name, item, good);
}

static void addFlat(cJSON *object, const Flat *flat, bool *good) {
    const SoakHalf *halves = flat->series->halves;
    cJSON *item = cJSON_CreateObject();
    if (item) {
        jsonAddCount(item, "firstMean", (uint64_t)halves[0].mean, good);
        jsonAddCount(item, "firstPeak", (uint64_t)halves[0].peak, good);
        jsonAddCount(item, "secondMean", (uint64_t)halves[1].mean, good);
        jsonAddCount(item, "secondPeak", (uint64_t)halves[1].peak, good);
    }
    jsonAdd(object, flat->json, item, good);
}

static void addAll(cJSON *object, const SoakReport *report, bool *good) {
    const SoakResult *result = report->result;
    Count counts[COUNT_COUNT];
    Flat flats[FLAT_COUNT];
    char version[32], digest[24];
    snprintf(version, sizeof version, "%d.%d.%d", VKSKIN_VERSION_MAJOR, VKSKIN_VERSION_MINOR, VKSKIN_VERSION_PATCH);
    snprintf(digest, sizeof digest, "%016" PRIx64, result->verdict.digest);
    jsonAddText(object, "vkskin", version, good);
    jsonAddText(object, "device", report->device->name, good);
    jsonAddText(object, "driver", report->device->driverName, good);
    jsonAddText(object, "driverVersion", report->device->driverVersion, good);
    jsonAddText(object, "backend", SKIN_BACKEND_NAMES[result->backend], good);
    jsonAddCount(object, "seed", report->seed, good);
    jsonAddCount(object, "framesAskedFor", report->frames, good);
    jsonAdd(object, "passed", cJSON_CreateBool(report->passed), good);
    listCounts(report, counts);
    for (int i = 0; i < COUNT_COUNT; i++) {
        jsonAddCount(object, counts[i].json, counts[i].value, good);
    }
    addWorst(object, "worstPacked", &result->verdict.packed, good);
    addWorst(object, "worstFloat", &result->verdict.floats, good);
    listFlats(result, flats);
    for (int i = 0; i < FLAT_COUNT; i++) {
        addFlat(object, &flats[i], good);
    }
    jsonAdd(object, "halvesCompared", cJSON_CreateBool(result->flatJudged), good);
    jsonAddCount(object, "residentStart", result->residentStart, good);
    jsonAddCount(object, "residentEnd", result->residentEnd, good);
    jsonAddText(object, "digest", digest, good);
    jsonAddNumber(object, "seconds", result->seconds, good);
}

char *soakReportJson(const SoakReport *report) {
    cJSON *object = cJSON_CreateObject();
    bool good = object != NULL;
    if (good) {
        addAll(object, report, &good);
    }
    return jsonPrint(object, good);
}
