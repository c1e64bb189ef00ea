/*
 * morph_weights.h: an instance's morph weights in the frame's table: those that are not zero.
 */
#ifndef VKSKIN_MORPH_WEIGHTS_H
#define VKSKIN_MORPH_WEIGHTS_H

#include "job_table.h"

/* Places of the table that weights[count] take: one for each that is not zero, and one more where there are any. */
uint32_t sknCountMorphs(const float *weights, uint32_t count);

/*
 * Writes the weights[count] that are not zero into the slot's table, those of targets before skinning first, and
 * returns what LayoutInstance.morphs says of them: 0 where all are zero. There is room for them.
 */
uint32_t sknAddMorphs(JobTable *table, uint32_t slot, const Mesh *mesh, const float *weights, uint32_t count);

#endif
