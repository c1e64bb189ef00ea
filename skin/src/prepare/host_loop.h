/*
 * host_loop.h: the host's look at how far a call is.
 */
#ifndef VKSKIN_HOST_LOOP_H
#define VKSKIN_HOST_LOOP_H

#include "surface.h"

/* Tells the host that `done` of the work, 0 to 1, is behind. Error: CANCELLED, told to the logger. */
VkskinResult sknTellProgress(const Surface *surface, double done);

/* A stretch of a call, which tells the host now and then how far it is. */
typedef struct Stage {
    const Surface *surface;
    double from, to; /* of the call, 0 to 1 */
    uint64_t work;   /* since the host was told; 0 to begin with */
} Stage;

/*
 * A step of the stage is behind: `work` times a look into memory or so, by which `done` of its `all` things are done.
 * Tells the host once there was work of some hundredths of a second. Error: as sknTellProgress.
 */
VkskinResult sknStep(Stage *stage, uint64_t work, uint64_t done, uint64_t all);

#endif
