/* posed.h: where a model's vertices are at a moment: the library's poses and a plain loop over the influences. */
#ifndef TEST_POSED_H
#define TEST_POSED_H

#include "model.h"

#define POSED_REST UINT32_MAX

/*
 * Checks the vertex of part `part` whose position in the file is `bind`, at `time` seconds of clip `clip`
 * (POSED_REST: the rest pose), against `expected` in model space, within 1e-5. Fails the test where it differs or
 * where there is no such vertex.
 */
void expectPosed(const Model *model, uint32_t part, uint32_t clip, double time, const float bind[3],
                 const float expected[3]);

#endif
