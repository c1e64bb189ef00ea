/*
 * clip.h: a clip, and its tracks at a time. Immutable after creation.
 */
#ifndef VKSKIN_CLIP_H
#define VKSKIN_CLIP_H

#include "bezier.h"
#include "host.h"
#include "vkskin/vkskin_pose.h"

struct VkskinClip_T {
    Arena arena;    /* memory of the clip, this struct included */
    float duration; /* seconds, at least 0 */
    uint32_t nodeCount;
    uint32_t trackCount;
    VkskinTrack *tracks; /* [trackCount]; rotations of unit length unless their keys have tangents or handles */
};

/* Floats of one value: 3 or 4 for a channel of a transform, weightCount for morph weights. */
uint32_t sknTrackValueWidth(const VkskinTrack *track);

/* Floats of one key: vkskinInterpolationParts values. */
size_t sknTrackKeyWidth(const VkskinTrack *track);

/* Whether keys have tangents or handles: cubic and Bezier interpolation. */
bool sknTrackIsCurve(const VkskinTrack *track);

/* The value of a key, without tangents and handles. */
const float *sknTrackKeyValue(const VkskinTrack *track, uint32_t key);

/* Copies a track, and its keys to `keys`. Returns the end of the keys. Normalises rotations of keys that are values alone. */
float *sknCopyTrack(const VkskinTrack *source, VkskinTrack *track, float *keys);

/*
 * Samples the first `count` floats of the track's value: all of them for a channel of a transform, at most all for
 * morph weights. time: in seconds; minus infinity is before the first key. track: of a clip. In sample.c.
 */
void sknSampleTrack(const VkskinTrack *track, double time, float *value, uint32_t count);

/* The last track of a node's morph weights, or null. In sample.c. */
const VkskinTrack *sknFindMorphTrack(VkskinClip clip, uint32_t node);

/* The curve of a component of a Bezier track from `key` to the next one, which is later. In sample.c. */
BezierSegment sknTrackSegment(const VkskinTrack *track, uint32_t key, uint32_t component);

/*
 * The time at which to sample the tracks of a clip, 0 to `duration`. For a clip of length 0, minus infinity, which is
 * before all keys.
 */
double sknClipTime(float duration, double time, VkskinWrap wrap);

#endif
