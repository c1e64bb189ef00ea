#include "tune.h"

#include <stdio.h>

#include "measure.h"
#include "resources.h"
#include "skinning.h"

typedef struct TuneRun {
    Device *device;
    TuneProgressFn progress;
    void *user;
    uint32_t runs;
    char message[ENGINE_ERROR_SIZE]; /* the library's latest */
    EngineError error;               /* of the device */
    bool failed;                     /* the device did, and `error` says how */
} TuneRun;

static void keepMessage(void *user, VkskinResult result, const char *message) {
    TuneRun *run = user;
    (void)result;
    snprintf(run->message, sizeof run->message, "%s", message);
}

static bool fail(const TuneRun *run, VkskinResult result, EngineError *error) {
    return engineFail(error, "tuning: %.400s (%s)", run->failed ? run->error.message : run->message,
                      vkskinResultName(result));
}

/* A VkskinRunFn. */
static VkResult runOnce(void *user, void (*record)(void *recordData, VkCommandBuffer commandBuffer), void *recordData,
                        double *milliseconds) {
    TuneRun *run = user;
    VkCommandBuffer commandBuffer = immediateBegin(run->device, &run->error);
    run->failed = !commandBuffer;
    if (commandBuffer) {
        record(recordData, commandBuffer);
        double start = measureNow();
        run->failed = !immediateEnd(run->device, commandBuffer, &run->error);
        *milliseconds = measureNow() - start;
    }
    run->runs++;
    if (run->progress) {
        run->progress(run->user, run->runs);
    }
    return run->failed ? VK_ERROR_UNKNOWN : VK_SUCCESS;
}

bool tuneDevice(Device *device, TuneProgressFn progress, void *user, VkskinTuning *tuning, EngineError *error) {
    TuneRun run = {.device = device, .progress = progress, .user = user};
    VkskinContextDef context = skinningDeviceDef(device, (VkskinLogger){keepMessage, &run});
    VkskinTuneDef def = vkskinDefaultTuneDef();
    def.context = &context;
    def.run = runOnce;
    def.runUser = &run;
    VkskinResult result = vkskinTune(&def, tuning);
    return result >= 0 || fail(&run, result, error);
}

bool tuneFits(Device *device, const VkskinTuning *tuning, bool *fits, EngineError *error) {
    TuneRun run = {.device = device};
    VkskinContextDef def = skinningDeviceDef(device, (VkskinLogger){keepMessage, &run});
    VkskinContext context = NULL;
    def.tuning = tuning;
    VkskinResult result = vkskinCreateContext(&def, &context);
    vkskinDestroyContext(context);
    *fits = result >= 0;
    return *fits || result == VKSKIN_ERROR_TUNING_MISMATCH || fail(&run, result, error);
}
