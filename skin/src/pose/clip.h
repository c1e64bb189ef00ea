/*
 * clip.h: what a clip holds. Immutable once made.
 */
#ifndef VKSKIN_CLIP_H
#define VKSKIN_CLIP_H

#include "vkskin/vkskin_pose.h"

struct VkskinClip_T {
    VkskinHostAllocator allocator;
    float duration; /* seconds, at least 0 */
    uint32_t nodeCount;
    uint32_t trackCount;
    VkskinTrack *tracks; /* [trackCount]; times and values point into keys; rotations of unit length unless cubic */
    float *keys;         /* every track's times, then its values */
};

/* Floats of one value of a track: 3 or 4 of a transform, weightCount of morph weights. */
uint32_t sknTrackValueWidth(const VkskinTrack *track);

/* Floats of one key of a track: a value, or three of them where it is cubic. */
size_t sknTrackKeyWidth(const VkskinTrack *track);

/* Copies a track, and its keys to `keys`; returns the place behind them. Rotations are normalised unless cubic. */
float *sknCopyTrack(const VkskinTrack *source, VkskinTrack *track, float *keys);

/*
 * The time at which the tracks of a clip of this length are read, 0 to `duration`: of a clip of no length minus
 * infinity, which is before all keys.
 */
double sknClipTime(float duration, double time, VkskinWrap wrap);

#endif
