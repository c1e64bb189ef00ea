/*
 * open_device.h: the device that a verb works on, as --device and --validate ask for it.
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
    Progress *progress; /* null, or a line that a message of the validation layer has to take away first */
    uint32_t messages;  /* of the validation layer */
} OpenDevice;

/*
 * Makes the device. base: what the verb needs besides (a window's extensions and `presents`, which gets no user of its
 * own), or null; its `select`, `validation`, `onMessage` and `user` are not looked at. *open stays where it is until
 * closeDevice.
 */
bool openDevice(const char *verb, const Arguments *arguments, const DeviceOptions *base, OpenDevice *open,
                EngineError *error);

/*
 * Destroys the device and returns the verb's exit status: `status`, or EXIT_FAILED when the validation layer spoke.
 * One that was never opened is allowed.
 */
int closeDevice(OpenDevice *open, int status);

/* ---- * make_scene.h: a scene made with what takes long shown. ---- */

/* sceneCreate with the progress of centres of rotation on a terminal, in place of the def's. */
Scene *makeScene(OpenDevice *open, const SceneDef *def, EngineError *error);

/* ---- * use_tuning.h: the option --tuning: the settings of kernels, from a file or found by a run that leaves the file. ---- */

typedef enum TuningFileState {
    TUNING_FILE_GOOD,    /* *tuning is what it holds; the library may still refuse that */
    TUNING_FILE_MISSING, /* there is no such file */
    TUNING_FILE_DAMAGED  /* it is not what tuningFileWrite writes, to the byte */
} TuningFileState;

/* False, with "PATH: cannot be read: why", where there is something that cannot be read. */
bool tuningFileRead(const char *path, VkskinTuning *tuning, TuningFileState *state, EngineError *error);

/* Whole or not at all. */
bool tuningFileWrite(const char *path, const VkskinTuning *tuning, EngineError *error);

/* An entry of an Option table. */
#define TUNING_OPTION                                                                                                  \
    {                                                                                                                  \
        .name = "tuning", .kind = OPTION_TEXT, .valueName = "FILE",                                                    \
        .help =                                                                                                        \
            "how kernels are laid out for this device, as an earlier run found it; where the file is not there, "      \
            "damaged or of another device, driver or version, the device is tried out, which takes seconds, and the "  \
            "file written; without it by the type of device"                                                           \
    }

/* EXIT_GOOD, or EXIT_USAGE after a line where the option is given and no kernel could be meant. */
int tuningOptionCheck(const char *verb, const OptionValue *value, VkskinBackend backend);

/*
 * What --tuning asks for on an open device: *chosen becomes `tuning`, filled, or null where the option was not given or
 * the CPU skins, after a line in the latter case. A file that cannot be used is told in one line and written anew.
 */
bool useTuning(OpenDevice *open, const OptionValue *value, VkskinBackend backend, VkskinTuning *tuning,
               const VkskinTuning **chosen, EngineError *error);

#endif
