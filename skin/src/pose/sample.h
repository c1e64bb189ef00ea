/*
 * sample.h: one track at one time.
 */
#ifndef VKSKIN_SAMPLE_H
#define VKSKIN_SAMPLE_H

#include "vkskin/vkskin_pose.h"

/*
 * value: [count], the first of the track's value: all of it for a transform's part, up to all for morph weights. `time`
 * in seconds may be minus infinity: the first key. The track is a clip's own.
 */
void sknSampleTrack(const VkskinTrack *track, double time, float *value, uint32_t count);

#endif
