/* build_model.h: runs a model that passed modelCheck through engine and library on the null driver. */
#ifndef TESTS_BUILD_MODEL_H
#define TESTS_BUILD_MODEL_H

#include "model.h"

/*
 * Creates the engine's character, poses each clip at a few times, and skins every part with every method. Ends the
 * process if a refusal has no message, or if the null driver finds a fault or a leak.
 */
void buildModel(const Model *model);

#endif
