/*
 * frame.h: deferred destruction. What the host destroys is stale at once and reused when its frame slot comes round.
 */
#ifndef VKSKIN_FRAME_H
#define VKSKIN_FRAME_H

#include "context.h"

/* Frees what a mesh that goes has in host memory. */
void sknForgetMesh(const Gpu *gpu, Mesh *mesh);

/* The handle becomes stale. What was never uploaded, or never skinned, the device has not seen: it goes at once. */
void sknRetireMesh(VkskinContext context, uint32_t index);
void sknRetireInstance(VkskinContext context, uint32_t index);

/* Leaves what `from` keeps to `to`, which may be the same. */
void sknMoveRetired(VkskinContext context, FrameSlot *from, FrameSlot *to);

/* Frees what the slot has kept. */
void sknFreeRetired(VkskinContext context, FrameSlot *slot);

#endif
