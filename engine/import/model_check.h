/* model_check.h: whether a model keeps what model.h promises. */
#ifndef ENGINE_MODEL_CHECK_H
#define ENGINE_MODEL_CHECK_H

#include "model.h"

/*
 * Every index in range, every number finite, every name there. `model` must be whole in memory: arrays as long as
 * their counts say. False: `message` (IMPORT_MESSAGE_SIZE bytes) holds "PATH: ..." with the first thing wrong.
 */
bool modelCheck(const Model *model, const char *path, char *message);

#endif
