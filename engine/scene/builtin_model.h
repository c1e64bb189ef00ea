/*
 * builtin_model.h: models without a file. The flat strip is a chain of bones in the plane z = 0, for the system uniform-2d.
 */
#ifndef ENGINE_BUILTIN_MODEL_H
#define ENGINE_BUILTIN_MODEL_H

#include "engine_error.h"
#include "model.h"

#define BUILTIN_PREFIX "builtin:"
#define BUILTIN_STRIP  BUILTIN_PREFIX "strip"

/* Whether the text names a model of this header, rather than a file. */
bool builtinIsNamed(const char *path);

/* For modelFree. Null: no such model, or out of memory. */
Model *builtinModel(const char *path, EngineError *error);

#endif
