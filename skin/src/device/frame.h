/*
 * frame.h: deferred destruction. The handle of a destroyed object is stale at once; its memory is reused when its frame
 * slot is begun again.
 */
#ifndef VKSKIN_FRAME_H
#define VKSKIN_FRAME_H

#include "context.h"

/* Frees the host memory of a mesh. */
void sknForgetMesh(const Gpu *gpu, Mesh *mesh);

/* Makes the handle stale. A mesh never uploaded, or an instance never skinned, is freed at once: no device reads it. */
void sknRetireMesh(VkskinContext context, uint32_t index);
void sknRetireInstance(VkskinContext context, uint32_t index);

/* Frees the retired objects of the slot. */
void sknFreeRetired(VkskinContext context, FrameSlot *slot);

#endif
