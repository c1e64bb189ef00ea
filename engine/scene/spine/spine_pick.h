/* spine_pick.h: what is at a place of a 2D character, as it is posed now. */
#ifndef ENGINE_SPINE_PICK_H
#define ENGINE_SPINE_PICK_H

#include "spine_pose.h"

typedef struct SpinePick {
    int32_t slot;        /* -1: nothing is there; the other fields are undefined */
    uint32_t attachment; /* that the slot shows: SPINE_BOUNDS, or a picture */
    uint32_t bone;       /* moves the corner nearest to the place most */
} SpinePick;

/*
 * Bounding boxes come first, since authors draw them to be hit; pictures count only where no box is. Of several the one that is
 * drawn last is picked. A polygon contains what is inside it an odd number of times. A picture counts with its triangles,
 * whatever its texels; not where a clipping polygon cuts it away, nor with an alpha of 0.
 *
 * place: in the 2D model's space. Not on two threads with one pose.
 */
SpinePick spinePick(const SpinePose *pose, const double place[2]);

#endif
