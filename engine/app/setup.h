/*
 * setup.h: what a verb sets up before it works: the device (--device, --validate), the scene, the tuning (--tuning).
 */
#ifndef APP_SETUP_H
#define APP_SETUP_H

#include "device.h"
#include "options.h"
#include "terminal.h"
#include "scene.h"
#include "skin_choice.h"

typedef struct OpenDevice {
    Device *device;
    const char *verb;
    Progress *progress; /* null, or the progress line to erase before a message of the validation layer */
    uint32_t messages;  /* of the validation layer */
} OpenDevice;

/*
 * Creates the device. base: further needs of the verb (window extensions, `presents`), or null; its `select`,
 * `validation`, `onMessage` and `user` are ignored. Keep *open at its address until closeDevice.
 */
bool openDevice(const char *verb, const Arguments *arguments, const DeviceOptions *base, OpenDevice *open,
                EngineError *error);

/*
 * Destroys the device and returns the exit status of the verb: `status`, or EXIT_FAILED after a validation message. A
 * device that was never opened is allowed.
 */
int closeDevice(OpenDevice *open, int status);

/* sceneCreate, with the progress of centres of rotation on the terminal. */
Scene *makeScene(OpenDevice *open, const SceneDef *def, EngineError *error);

/* A tuning in a text file of a few lines. */

typedef enum TuningFileState {
    TUNING_FILE_GOOD,    /* *tuning is set; the library may still refuse it */
    TUNING_FILE_MISSING, /* no such file */
    TUNING_FILE_DAMAGED  /* not a file of tuningFileWrite, byte by byte */
} TuningFileState;

/* False, "PATH: cannot be read: why": the file exists but cannot be read. */
bool tuningFileRead(const char *path, VkskinTuning *tuning, TuningFileState *state, EngineError *error);

/* Writes the file, complete or not at all. */
bool tuningFileWrite(const char *path, const VkskinTuning *tuning, EngineError *error);

/* An entry of an Option table. */
#define TUNING_OPTION                                                                                                  \
    {                                                                                                                  \
        .name = "tuning", .kind = OPTION_TEXT, .valueName = "FILE",                                                    \
        .help =                                                                                                        \
            "file with the kernel settings of this device. If it is missing, damaged or from another device, driver "  \
            "or version, the settings are measured again, which takes seconds, and written; default: chosen by "       \
            "device type"                                                                                              \
    }

/* EXIT_GOOD, or EXIT_USAGE and a line: --tuning does not apply to this backend. */
int tuningOptionCheck(const char *verb, const OptionValue *value, VkskinBackend backend);

/*
 * Applies --tuning to an open device. *chosen becomes `tuning`, or null: not given, or the CPU backend runs (a line says
 * so). If the file cannot be used, a line says so and the file is written again.
 */
bool useTuning(OpenDevice *open, const OptionValue *value, VkskinBackend backend, VkskinTuning *tuning,
               const VkskinTuning **chosen, EngineError *error);

#endif
