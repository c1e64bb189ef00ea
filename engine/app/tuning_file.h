/*
 * tuning_file.h: what a device was tuned to, in a file: a few lines of text, the first of which tells the format.
 */
#ifndef COMMAND_TUNING_FILE_H
#define COMMAND_TUNING_FILE_H

#include "engine_error.h"
#include "vkskin/vkskin.h"

typedef enum TuningFileState {
    TUNING_FILE_GOOD,    /* *tuning is what it holds; the library may still refuse that */
    TUNING_FILE_MISSING, /* there is no such file */
    TUNING_FILE_DAMAGED  /* it is not what tuningFileWrite writes, to the byte */
} TuningFileState;

/* False, with "PATH: cannot be read: why", where there is something that cannot be read. */
bool tuningFileRead(const char *path, VkskinTuning *tuning, TuningFileState *state, EngineError *error);

/* Whole or not at all. */
bool tuningFileWrite(const char *path, const VkskinTuning *tuning, EngineError *error);

#endif
