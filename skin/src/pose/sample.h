/*
 * sample.h: one track at one time.
 */
#ifndef VKSKIN_SAMPLE_H
#define VKSKIN_SAMPLE_H

#include "vkskin/vkskin_pose.h"

/*
 * Samples the first `count` floats of the track's value: all of them for a channel of a transform, at most all for
 * morph weights. time: in seconds; minus infinity is before the first key. track: of a clip.
 */
void sknSampleTrack(const VkskinTrack *track, double time, float *value, uint32_t count);

#endif
