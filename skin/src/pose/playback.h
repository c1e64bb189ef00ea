/*
 * playback.h: time that loops, and clips in step.
 */
#ifndef VKSKIN_PLAYBACK_H
#define VKSKIN_PLAYBACK_H

#include "vkskin/vkskin_blend.h"

/*
 * Splits a time into whole durations and a rest of at least 0 and below the duration, which is above 0. False if there
 * are more than 2,000,000,000, or the time is not finite; nothing is then written.
 */
bool sknLoopTime(double time, double duration, double *wrapped, int32_t *loops);

bool sknPlayModeIsKnown(VkskinPlayMode mode);

/* Seconds in which the phase of clips goes from 0 to 1. The sum of the weights is above 0. */
double sknSyncDuration(const VkskinSyncClip *clips, uint32_t count);

/* The part of a clip while the phase goes from `from` to `to`, not wrapped. False: too many loops. */
bool sknSyncStep(const VkskinSyncClip *clip, double from, double to, VkskinPlayStep *step);

#endif
