/*
 * host_loop.h: the host's threads and its look at how far a call is.
 */
#ifndef VKSKIN_HOST_LOOP_H
#define VKSKIN_HOST_LOOP_H

#include "vkskin/vkskin_mesh.h"

/* Runs task(data, i) for each i below `count` by the surface's parallel loop, or here. */
void sknRunLoop(const VkskinSurfaceDef *surface, uint32_t count, void (*task)(void *data, uint32_t i), void *data);

/* Tells the host that `done` of the work, 0 to 1, is behind. Error: CANCELLED, told to the logger. */
VkskinResult sknTellProgress(const VkskinSurfaceDef *surface, double done);

#endif
