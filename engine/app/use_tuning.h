/*
 * use_tuning.h: the option --tuning: the settings of kernels, from a file or found by a run that leaves the file.
 */
#ifndef COMMAND_USE_TUNING_H
#define COMMAND_USE_TUNING_H

#include "open_device.h"
#include "skin_choice.h"

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
