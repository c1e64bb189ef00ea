/*
 * tuning_file.h: the file of --tuning: a VkskinTuning as text.
 */
#ifndef ENGINE_TUNING_FILE_H
#define ENGINE_TUNING_FILE_H

#include "engine_error.h"
#include "vkskin/vkskin.h"

typedef enum TuningFileState {
    TUNING_FILE_GOOD,    /* *tuning is set; the library may still refuse it */
    TUNING_FILE_MISSING, /* no such file */
    TUNING_FILE_DAMAGED, /* empty, or it begins as a file of tuningFileWrite, but is none, byte by byte */
    TUNING_FILE_FOREIGN  /* something else; it may be the only copy of somebody's work */
} TuningFileState;

/* False, "PATH: cannot be read: why": the file exists but cannot be read. */
bool tuningFileRead(const char *path, VkskinTuning *tuning, TuningFileState *state, EngineError *error);

/* Writes the file, complete or not at all. */
bool tuningFileWrite(const char *path, const VkskinTuning *tuning, EngineError *error);

#endif
