#include "use_tuning.h"

#include "atomic_file.h"
#include "say.h"
#include "skinning.h"
#include "tuning_file.h"

int tuningOptionCheck(const char *verb, const OptionValue *value, VkskinBackend backend) {
    if (value->given && backend == VKSKIN_BACKEND_CPU) {
        sayFailure(verb, "--tuning is of the kernels of '--backend compute', and the backend is '%s'",
                   SKIN_BACKEND_NAMES[backend]);
        return EXIT_USAGE;
    }
    return EXIT_GOOD;
}

static void showRuns(void *user, uint32_t runs) {
    progressShow(user, runs);
}

static bool tuneAndWrite(OpenDevice *open, const char *path, VkskinTuning *tuning, EngineError *error) {
    char message[ATOMIC_FILE_MESSAGE_SIZE];
    Progress progress;
    if (!atomicFileCheck(path, message)) {
        return engineFail(error, "%s", message);
    }
    progressBegin(&progress, "tuning", 0);
    open->progress = &progress;
    bool tuned = tuneDevice(open->device, showRuns, &progress, tuning, error);
    open->progress = NULL;
    progressErase(&progress);
    return tuned && tuningFileWrite(path, tuning, error);
}

bool useTuning(OpenDevice *open, const OptionValue *value, VkskinBackend backend, VkskinTuning *tuning,
               const VkskinTuning **chosen, EngineError *error) {
    const char *path = value->text;
    TuningFileState state;
    bool fits = false;
    *chosen = NULL;
    if (!value->given) {
        return true;
    }
    if (skinningBackend(open->device, backend) == VKSKIN_BACKEND_CPU) {
        sayWarning(open->verb, "%s: not used: it is of kernels, and this device is a CPU, which skins without", path);
        return true;
    }
    if (!tuningFileRead(path, tuning, &state, error) ||
        (state == TUNING_FILE_GOOD && !tuneFits(open->device, tuning, &fits, error))) {
        return false;
    }
    *chosen = tuning;
    if (fits) {
        return true;
    }
    if (state == TUNING_FILE_DAMAGED) {
        sayWarning(open->verb, "%s: damaged, or no tuning: tuned anew", path);
    } else if (state == TUNING_FILE_GOOD) {
        sayWarning(open->verb, "%s: of another device, driver or version, or out of range (%s): tuned anew", path,
                   vkskinResultName(VKSKIN_ERROR_TUNING_MISMATCH));
    }
    return tuneAndWrite(open, path, tuning, error);
}
