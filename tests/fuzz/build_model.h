/* build_model.h: what the engine and the library do with a model that was checked, on the null driver. */
#ifndef TESTS_BUILD_MODEL_H
#define TESTS_BUILD_MODEL_H

#include "model.h"

/*
 * Makes the engine's character of the model, poses each clip at a few moments, and skins every part once by every
 * method. What the library refuses must be said in words; the driver must find no fault and nothing left over.
 */
void buildModel(const Model *model);

#endif
