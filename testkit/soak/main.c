/*
 * main.c: the program `vkskin-soak`: options, interruption, and the report as a table and as JSON.
 */
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>

#include "count_of.h"
#include "outputs.h"
#include "terminal.h"
#include "skin_choice.h"
#include "session.h"
#include "soak.h"

enum { SOAK_FRAMES, SOAK_SEED, SOAK_BACKEND, SOAK_JSON, SOAK_FORCE, SOAK_OPTION_COUNT };

static const Option SOAK_OPTIONS[SOAK_OPTION_COUNT] = {
    [SOAK_FRAMES] = {.name = "frames",
                     .kind = OPTION_INTEGER,
                     .valueName = "N",
                     .defaultValue = "10000",
                     .minimum = 1,
                     .maximum = 1000000000,
                     .help = "number of frames"},
    [SOAK_SEED] = {.name = "seed",
                   .kind = OPTION_INTEGER,
                   .valueName = "N",
                   .defaultValue = "1",
                   .minimum = 0,
                   .maximum = 9007199254740991.0,
                   .help = "random seed: the same seed gives the same operations"},
    [SOAK_BACKEND] = BACKEND_OPTION(OPTION_FOR_MODELS),
    [SOAK_JSON] = JSON_OPTION,
    [SOAK_FORCE] = FORCE_OPTION,
};

/* ---- The report ---- */

typedef struct Report {
    SoakResult result;
    const DeviceInfo *device;
    uint64_t seed;
    uint64_t frames; /* requested */
    bool passed;     /* no check failed in the completed frames */
} Report;

/* A field of SoakResult and its names in the table and in the JSON. */
typedef struct Row {
    const char *text, *json;
    size_t offset;
} Row;

#define COUNT_ROW(field, text, json, missing) {text, json, offsetof(SoakResult, counts.field)},

/* Fields of type uint64_t. */
static const Row COUNTS[] = {{"frames", "frames", offsetof(SoakResult, frames)}, WORLD_COUNTS(COUNT_ROW)};
enum { COUNT_COUNT = COUNT_OF(COUNTS) };

/* Fields of type SoakSeries. */
static const Row GROWTH[] = {
    {"process, at rest", "residentBytes", offsetof(SoakResult, resident)},
    {"library, host", "hostBytes", offsetof(SoakResult, hostBytes)},
    {"poses, host", "poseBytes", offsetof(SoakResult, poseBytes)},
    {"library, device", "deviceBytes", offsetof(SoakResult, deviceBytes)},
    {"  % of needed", "deviceShare", offsetof(SoakResult, deviceShare)},
    {"driver objects", "driverObjects", offsetof(SoakResult, objects)},
};
enum { GROWTH_COUNT = COUNT_OF(GROWTH) };

static const void *fieldOf(const SoakResult *result, const Row *row) {
    return (const char *)result + row->offset;
}

static const struct {
    const char *name, *json;
} FORMATS[VKSKIN_VERTEX_FORMAT_COUNT] = {
    [VKSKIN_VERTEX_PACKED] = {"packed", "worstPacked"},
    [VKSKIN_VERTEX_FLOAT] = {"float", "worstFloat"},
    [VKSKIN_VERTEX_SNORM10] = {"snorm10", "worstSnorm10"},
};

static void printWorst(const WorldVerdict *verdict) {
    for (VkskinVertexFormat f = 0; f < VKSKIN_VERTEX_FORMAT_COUNT; f++) {
        const VertexError *worst = &verdict->worst[f];
        printf("worst, %-17s%15.2g of the diagonal (at most %g), normal %.3g, tangent %.3g degrees (at most %g)\n",
               FORMATS[f].name, worst->position, POSITION_BOUND, worst->normal, worst->tangent, vertexErrorDegrees(f));
    }
}

static void printGrowth(const SoakResult *result) {
    printf("\n%-17s%17s%17s%17s%17s\n%-17s%17s%17s%17s%17s\n", "memory", "first half,", "first half,", "second half,",
           "second half,", "(B; without warm-up)", "mean", "most", "mean", "most");
    for (int i = 0; i < GROWTH_COUNT; i++) {
        const SoakSeries *series = fieldOf(result, &GROWTH[i]);
        printf("%-17s", GROWTH[i].text);
        for (int half = 0; half < 2; half++) {
            printf("%17s%17s", QUANTITY((uint64_t)series->halves[half].mean),
                   QUANTITY((uint64_t)series->halves[half].peak));
        }
        putchar('\n');
    }
    if (!result->flatJudged) {
        printf("(halves are compared in complete runs of at least %u frames)\n", SOAK_FLAT_FRAMES);
    }
}

static void printReport(const Report *report) {
    const SoakResult *result = &report->result;
    const DeviceInfo *device = report->device;
    printf("%-24s", "device");
    sayClean(stdout, device->name);
    printf("\n%-24s", "driver");
    sayClean(stdout, device->driverName);
    fputs(device->driverName[0] ? ", " : "", stdout);
    sayClean(stdout, device->driverVersion);
    printf("\n%-24s%s\n%-24s%15" PRIu64 "\n\n", "backend", SKIN_BACKEND_NAMES[result->backend], "seed", report->seed);
    for (int i = 0; i < COUNT_COUNT; i++) {
        printf("%-24s%15s\n", COUNTS[i].text, QUANTITY(*(const uint64_t *)fieldOf(result, &COUNTS[i])));
    }
    printWorst(&result->verdict);
    printGrowth(result);
    printf("\n%-24s%16" PRIx64 "\n%-24s%15.1f s\n", "digest", result->verdict.digest, "time", result->seconds);
}

static void addAll(cJSON *object, const Report *report, bool *good) {
    const SoakResult *result = &report->result;
    char digest[24];
    snprintf(digest, sizeof digest, "%016" PRIx64, result->verdict.digest);
    JSON_ADD(object, good, jsonText("device", report->device->name), jsonText("driver", report->device->driverName),
             jsonText("driverVersion", report->device->driverVersion),
             jsonText("backend", SKIN_BACKEND_NAMES[result->backend]), jsonCount("seed", report->seed),
             jsonCount("framesAskedFor", report->frames), jsonFlag("passed", report->passed));
    for (int i = 0; i < COUNT_COUNT; i++) {
        JSON_ADD(object, good, jsonCount(COUNTS[i].json, *(const uint64_t *)fieldOf(result, &COUNTS[i])));
    }
    for (VkskinVertexFormat f = 0; f < VKSKIN_VERTEX_FORMAT_COUNT; f++) {
        const VertexError *worst = &result->verdict.worst[f];
        JSON_ADD(object, good,
                 JSON_OBJECT(FORMATS[f].json, jsonNumber("positionOfDiagonal", worst->position),
                             jsonNumber("normalDegrees", worst->normal), jsonNumber("tangentDegrees", worst->tangent)));
    }
    for (int i = 0; i < GROWTH_COUNT; i++) {
        const SoakSeries *series = fieldOf(result, &GROWTH[i]);
        const SoakHalf *halves = series->halves;
        JSON_ADD(object, good,
                 JSON_OBJECT(GROWTH[i].json, jsonCount("firstMean", (uint64_t)halves[0].mean),
                             jsonCount("firstPeak", (uint64_t)halves[0].peak),
                             jsonCount("secondMean", (uint64_t)halves[1].mean),
                             jsonCount("secondPeak", (uint64_t)halves[1].peak)));
    }
    JSON_ADD(object, good, jsonFlag("halvesCompared", result->flatJudged),
             jsonCount("residentStart", result->residentStart), jsonCount("residentEnd", result->residentEnd),
             jsonText("digest", digest), jsonNumber("seconds", result->seconds));
}

static bool writeReport(const Report *report, const OptionValue *json, EngineError *error) {
    if (!outputJsonIsStandard(json)) {
        printReport(report);
    }
    if (!json->text) {
        return true;
    }
    bool good = true;
    cJSON *object = jsonBegin("soak", &good);
    if (object) {
        addAll(object, report, &good);
    }
    return outputJsonWrite(jsonPrint(object, good), json, error);
}

/* ---- The run ---- */

static volatile sig_atomic_t interrupted, over;

/* The first signal ends the soak after the current frame. A second one, or one after the soak, ends the program. */
static void interrupt(int number) {
    if (over || interrupted) {
        signal(number, SIG_DFL);
        raise(number);
    }
    interrupted = 1;
}

/* Call it before progressBegin, whose handler erases the progress line and then calls this one. */
static void listenForInterruption(void) {
    const struct sigaction action = {.sa_handler = interrupt, .sa_flags = SA_RESTART};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

static bool showProgress(void *user, uint64_t done) {
    progressShow(user, done);
    return !interrupted;
}

/* The table is printed in any case: it states how far the soak came. */
static bool soakAndReport(Session *session, EngineError *error) {
    const OptionValue *values = session->arguments->values;
    EngineError late;
    Progress progress;
    SoakDef def = {
        .frames = (uint64_t)values[SOAK_FRAMES].integer,
        .seed = (uint64_t)values[SOAK_SEED].integer,
        .backend = (VkskinBackend)values[SOAK_BACKEND].choice,
        .validated = optionsValue(session->arguments, "validate")->given,
        .progress = showProgress,
        .user = &progress,
    };
    Report report = {.device = &session->device->info, .seed = def.seed, .frames = def.frames};
    sessionBeginProgress(session, &progress, "frames", def.frames);
    report.passed = soakRun(session->device, &def, &report.result, error);
    over = 1;
    sessionEndProgress(session);
    bool good = report.passed;
    if (good && report.result.frames < def.frames) {
        good =
            engineFail(error, "interrupted after %" PRIu64 " of %" PRIu64 " frames", report.result.frames, def.frames);
    }
    if (!writeReport(&report, &values[SOAK_JSON], &late)) {
        if (!good) {
            sayFailure(session->verb, "%s", error->message);
        }
        return engineFail(error, "%s", late.message);
    }
    return good;
}

static int run(const Arguments *arguments) {
    Session session = {.verb = arguments->verb->name, .arguments = arguments};
    EngineError error;
    listenForInterruption();
    bool good = sessionOpenDevice(&session, NULL, &error) && soakAndReport(&session, &error);
    return sessionEnd(&session, good, &error);
}

static const Verb PROGRAM = {
    .name = "-soak",
    .summary = "stress test of the library: random operations for many frames, every frame checked",
    .usage = "[--frames N] [--seed N] [options]",
    .details = "Creates, changes and destroys meshes, skeletons, clips, instances and whole contexts at random, with\n"
               "1 to 3 frames in flight on a device that is held back. Reads some instances of every frame back and\n"
               "compares them with a reference in double precision. The first difference ends the soak and is\n"
               "reported with seed, frame, instance, vertex and both values. Destroyed objects must leave no memory\n"
               "and no driver object. From 10,000 frames on, memory must not grow from the first half to the second.\n"
               "Ctrl-C ends the soak after the current frame; the table then states the completed frames.\n"
               "Exit status: 0 passed, 1 failed, 2 wrong usage.\n",
    .options = SOAK_OPTIONS,
    .optionCount = SOAK_OPTION_COUNT,
    .takesDevice = true,
    .run = run,
    .examples = {"--frames 400 --validate", "--frames 400 --seed 36 --backend cpu --json soak.json"},
};

int main(int count, char **texts) {
    return programMain(&PROGRAM, count, texts);
}
