/*
 * sample.h: one track at one time.
 */
#ifndef VKSKIN_SAMPLE_H
#define VKSKIN_SAMPLE_H

#include "vkskin/vkskin_pose.h"

/* value: [3 or 4 by the channel]. `time` in seconds may be minus infinity: the first key. The track is a clip's own. */
void sknSampleTrack(const VkskinTrack *track, double time, float *value);

#endif
