/*
 * verb_soak.c: vkskin soak: a long random life of the library, every frame of it checked.
 */
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>

#include "open_device.h"
#include "output_json.h"
#include "say.h"
#include "skin_options.h"
#include "soak_report.h"
#include "verbs.h"

enum { SOAK_FRAMES, SOAK_SEED, SOAK_BACKEND, SOAK_JSON, SOAK_OPTION_COUNT };

static const Option SOAK_OPTIONS[SOAK_OPTION_COUNT] = {
    [SOAK_FRAMES] = {.name = "frames",
                     .kind = OPTION_INTEGER,
                     .valueName = "N",
                     .defaultValue = "10000",
                     .minimum = 1,
                     .maximum = 1000000000,
                     .help = "frames to live through"},
    [SOAK_SEED] = {.name = "seed",
                   .kind = OPTION_INTEGER,
                   .valueName = "N",
                   .defaultValue = "1",
                   .minimum = 0,
                   .maximum = 9007199254740991.0,
                   .help = "of all that happens: the same seed, the same life"},
    [SOAK_BACKEND] = BACKEND_OPTION,
    [SOAK_JSON] = JSON_OPTION,
};

/* ---- Interruption ---- */

static volatile sig_atomic_t interrupted, over;

/* The first one ends the soak after the frame at hand; anything later, and the second one, ends the program. */
static void interrupt(int number) {
    if (over || interrupted) {
        signal(number, SIG_DFL);
        raise(number);
    }
    interrupted = 1;
}

/* Before the progress line comes, so that its own handler takes the line away first and then passes on to this one. */
static void listenForInterruption(void) {
    const struct sigaction action = {.sa_handler = interrupt, .sa_flags = SA_RESTART};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

static bool showProgress(void *user, uint64_t done) {
    progressShow(user, done);
    return !interrupted;
}

/* ---- The run ---- */

static bool writeReport(const SoakReport *report, const OptionValue *json, EngineError *error) {
    if (!outputJsonIsStandard(json)) {
        soakReportPrint(stdout, report);
    }
    return !json->text || outputJsonWrite(soakReportJson(report), json, error);
}

static bool soakDevice(OpenDevice *open, const SoakDef *def, SoakResult *result, EngineError *error) {
    Progress *progress = def->user;
    progressBegin(progress, "frames", def->frames);
    open->progress = progress;
    bool passed = soakRun(open->device, def, result, error);
    over = 1;
    open->progress = NULL;
    progressErase(progress);
    return passed;
}

/* The table comes whatever happened: it says how far it went. */
static int soakAndReport(OpenDevice *open, const Arguments *arguments) {
    const OptionValue *values = arguments->values;
    EngineError error, late;
    SoakResult result;
    Progress progress;
    SoakDef def = {
        .frames = (uint64_t)values[SOAK_FRAMES].integer,
        .seed = (uint64_t)values[SOAK_SEED].integer,
        .backend = (VkskinBackend)values[SOAK_BACKEND].choice,
        .progress = showProgress,
        .user = &progress,
    };
    SoakReport report = {.result = &result, .device = &open->device->info, .seed = def.seed, .frames = def.frames};
    report.passed = soakDevice(open, &def, &result, &error);
    int status = EXIT_GOOD;
    if (!writeReport(&report, &values[SOAK_JSON], &late)) {
        status = sayFailure(verbSoak.name, "%s", late.message);
    }
    if (!report.passed) {
        status = sayFailure(verbSoak.name, "%s", error.message);
    } else if (result.frames < def.frames) {
        status =
            sayFailure(verbSoak.name, "interrupted after %" PRIu64 " of %" PRIu64 " frames", result.frames, def.frames);
    }
    return status;
}

static int runSoak(const Arguments *arguments) {
    OpenDevice open = {0};
    EngineError error;
    int status = outputJsonCheck(verbSoak.name, &arguments->values[SOAK_JSON]);
    if (status != EXIT_GOOD) {
        return status;
    }
    listenForInterruption();
    /* Across submissions the layer sees whole regions of pages and would report every instance that is left out of a
     * frame (vkskin.h, outputRegions): within each it still looks. A user's own setting stays. */
    setenv("VK_LAYER_ENABLES", "", 0);
    if (openDevice(verbSoak.name, arguments, NULL, &open, &error)) {
        status = soakAndReport(&open, arguments);
    } else {
        status = sayFailure(verbSoak.name, "%s", error.message);
    }
    return closeDevice(&open, status);
}

const Verb verbSoak = {
    .name = "soak",
    .summary = "tries the library: a long random life, every frame of it checked",
    .usage = "[--frames N] [--seed N] [options]",
    .details = "Meshes, skeletons, clips and instances are made, changed and destroyed at random, whole contexts too,\n"
               "with 1 to 3 frames in flight on a device that is held back. Of every frame some instances are read\n"
               "back and held against a reference in double precision; the first difference ends the soak with\n"
               "seed, frame, instance, vertex and both values. What is destroyed must leave no memory and no driver\n"
               "object; from 10,000 frames on, memory must not grow from the first half to the second.\n"
               "Ctrl-C ends it after the frame at hand; the table then says how far it went.\n",
    .options = SOAK_OPTIONS,
    .optionCount = SOAK_OPTION_COUNT,
    .takesDevice = true,
    .run = runSoak,
};
