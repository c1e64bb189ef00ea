#include "setup.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine_error.h"
#include "files.h"
#include "skinning.h"
#include "terminal.h"
#include "vkskin/vkskin.h"

static void printMessage(void *user, const char *message) {
    OpenDevice *open = user;
    if (open->progress) {
        progressErase(open->progress);
    }
    open->messages++;
    fprintf(stderr, "vkskin %s: validation: %s\n", open->verb, message);
}

bool openDevice(const char *verb, const Arguments *arguments, const DeviceOptions *base, OpenDevice *open,
                EngineError *error) {
    DeviceOptions options = base ? *base : (DeviceOptions){0};
    *open = (OpenDevice){.verb = verb};
    options.select = arguments->common[COMMON_DEVICE].text;
    options.validation = arguments->common[COMMON_VALIDATE].given;
    options.onMessage = printMessage;
    options.user = open;
    if (options.validation) {
        /* The layer checks hazards between submissions only with this setting. A setting of the user is kept. */
        setenv("VK_LAYER_ENABLES", "VALIDATION_CHECK_ENABLE_SYNCHRONIZATION_VALIDATION_QUEUE_SUBMIT", 0);
    }
    open->device = deviceCreate(&options, error);
    return open->device != NULL;
}

int closeDevice(OpenDevice *open, int status) {
    deviceDestroy(open->device);
    open->device = NULL;
    return open->messages > 0 ? EXIT_FAILED : status;
}

static bool showCentres(void *user, float done) {
    progressShow(user, (uint64_t)(done * 100.0f));
    return true;
}

Scene *makeScene(OpenDevice *open, const SceneDef *def, EngineError *error) {
    Progress progress;
    SceneDef shown = *def;
    progressBegin(&progress, "centres of rotation", 100);
    open->progress = &progress;
    shown.progress = showCentres;
    shown.progressUser = &progress;
    Scene *scene = sceneCreate(open->device, &shown, error);
    open->progress = NULL;
    progressErase(&progress);
    return scene;
}

#define TEXT_SIZE 512
#define UUID_SIZE sizeof((VkskinTuning *)NULL)->pipelineCacheUUID
#define HEX_SIZE  (2 * UUID_SIZE + 1)

#define FORMAT                                                                                                         \
    "vkskin tuning 1\n"                                                                                                \
    "library %u\n"                                                                                                     \
    "vendor %u\n"                                                                                                      \
    "device %u\n"                                                                                                      \
    "driver %u\n"                                                                                                      \
    "cache %32s\n"                                                                                                     \
    "paletteBinding %u\n"                                                                                              \
    "instancesPerThread %u\n"                                                                                          \
    "workgroupSize %u\n"

/* Writes the text of the file; returns its length. */
static size_t format(char text[TEXT_SIZE], const VkskinTuning *tuning) {
    char hex[HEX_SIZE];
    for (size_t i = 0; i < UUID_SIZE; i++) {
        snprintf(hex + 2 * i, HEX_SIZE - 2 * i, "%02x", tuning->pipelineCacheUUID[i]);
    }
    return (size_t)snprintf(text, TEXT_SIZE, FORMAT, tuning->version, tuning->vendorID, tuning->deviceID,
                            tuning->driverVersion, hex, tuning->paletteBinding, tuning->instancesPerThread,
                            tuning->workgroupSize);
}

/* Parses a text and accepts it only if `format` writes the same text again. */
static bool parse(const char *text, size_t length, VkskinTuning *tuning) {
    char hex[HEX_SIZE];
    char again[TEXT_SIZE];
    *tuning = (VkskinTuning){0};
    /* NOLINTNEXTLINE(cert-err34-c): a number out of range fails the comparison below */
    if (sscanf(text, FORMAT, &tuning->version, &tuning->vendorID, &tuning->deviceID, &tuning->driverVersion, hex,
               &tuning->paletteBinding, &tuning->instancesPerThread, &tuning->workgroupSize) != 8) {
        return false;
    }
    for (size_t i = 0; i < UUID_SIZE; i++) {
        unsigned byte = 0;
        (void)sscanf(hex + 2 * i, "%2x", &byte); /* NOLINT(cert-err34-c): so does an invalid byte */
        tuning->pipelineCacheUUID[i] = (uint8_t)byte;
    }
    return format(again, tuning) == length && memcmp(again, text, length) == 0;
}

bool tuningFileRead(const char *path, VkskinTuning *tuning, TuningFileState *state, EngineError *error) {
    char text[TEXT_SIZE] = "";
    FILE *file = fopen(path, "rb");
    if (!file && errno == ENOENT) {
        *state = TUNING_FILE_MISSING;
        return true;
    }
    errno = file ? 0 : errno;
    size_t length = file ? fread(text, 1, TEXT_SIZE - 1, file) : 0;
    bool read = file && !ferror(file);
    if (!read) {
        engineFail(error, "%s: cannot be read: %s", path, strerror(errno));
    }
    if (file) {
        fclose(file);
    }
    *state = read && parse(text, length, tuning) ? TUNING_FILE_GOOD : TUNING_FILE_DAMAGED;
    return read;
}

bool tuningFileWrite(const char *path, const VkskinTuning *tuning, EngineError *error) {
    char text[TEXT_SIZE];
    AtomicFile file;
    size_t length = format(text, tuning);
    if (!atomicFileBegin(&file, path, error)) {
        return false;
    }
    (void)fwrite(text, 1, length, file.stream); /* the stream keeps a failure until the commit */
    return atomicFileCommit(&file, error);
}

int tuningOptionCheck(const char *verb, const OptionValue *value, VkskinBackend backend) {
    if (value->given && backend == VKSKIN_BACKEND_CPU) {
        sayFailure(verb, "--tuning sets the kernels of '--backend compute'; the backend is '%s'",
                   SKIN_BACKEND_NAMES[backend]);
        return EXIT_USAGE;
    }
    return EXIT_GOOD;
}

static void showRuns(void *user, uint32_t runs) {
    progressShow(user, runs);
}

static bool tuneAndWrite(OpenDevice *open, const char *path, VkskinTuning *tuning, EngineError *error) {
    Progress progress;
    if (!atomicFileCheck(path, error)) {
        return false;
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
        sayWarning(open->verb, "%s: not used: this device is a CPU, so the CPU backend skins without kernels", path);
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
        sayWarning(open->verb, "%s: damaged, or not a tuning file: tuning again", path);
    } else if (state == TUNING_FILE_GOOD) {
        sayWarning(open->verb, "%s: from another device, driver or version, or out of range (%s): tuning again", path,
                   vkskinResultName(VKSKIN_ERROR_TUNING_MISMATCH));
    }
    return tuneAndWrite(open, path, tuning, error);
}
