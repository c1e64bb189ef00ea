/* The time of a clip, and of several clips in step. */
#include <math.h>

#include "playback.h"

#define LOOPS_MAX 2e9

bool sknLoopTime(double time, double duration, double *wrapped, int32_t *loops) {
    double count = floor(time / duration);
    double rest = time - count * duration;
    if (!(fabs(count) <= LOOPS_MAX)) {
        return false;
    }
    /* The division may round up to a whole number, or a tiny negative time to the duration. */
    if (rest < 0.0) {
        rest += duration;
        count -= 1.0;
    }
    if (rest >= duration) {
        rest = 0.0;
        count += 1.0;
    }
    *wrapped = rest;
    *loops = (int32_t)count;
    return true;
}

bool sknPlayModeIsKnown(VkskinPlayMode mode) {
    return (uint32_t)mode <= VKSKIN_PLAY_ONCE;
}

/* ---- One clip ---- */

VkskinPlayback vkskinStartPlayback(VkskinPlayMode mode, float speed, float duration) {
    return (VkskinPlayback){.time = speed < 0.0f ? (double)duration : 0.0, .speed = speed, .mode = mode};
}

static bool isValid(const VkskinPlayback *playback, float duration, double seconds) {
    return isfinite(duration) && duration >= 0.0f && isfinite(seconds) && isfinite(playback->speed) &&
           sknPlayModeIsKnown(playback->mode) && playback->time >= 0.0 && playback->time <= (double)duration;
}

/* The end that `move` leads to is reached or passed. */
static bool reachesEnd(double time, double move, double duration) {
    return move > 0.0 ? time >= duration : move < 0.0 && time <= 0.0;
}

VkskinResult vkskinAdvancePlayback(VkskinPlayback *playback, float duration, double seconds, VkskinPlayStep *step) {
    if (playback == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    if (!isValid(playback, duration, seconds)) {
        return VKSKIN_ERROR_INVALID_VALUE;
    }
    const double move = playback->ended ? 0.0 : seconds * playback->speed;
    double to = playback->time + move;
    VkskinPlayStep played = {.from = playback->time, .ended = playback->ended};
    if (!isfinite(to)) {
        return VKSKIN_ERROR_INVALID_VALUE;
    }
    if (playback->mode != VKSKIN_PLAY_LOOP) {
        played.ended |= reachesEnd(to, move, duration);
        to = to < 0.0 ? 0.0 : to > (double)duration ? (double)duration : to;
        if (playback->mode == VKSKIN_PLAY_ONCE && played.ended && !playback->ended) {
            to = move < 0.0 ? (double)duration : 0.0;
        }
    } else if (duration == 0.0f) {
        to = 0.0;
    } else if (!sknLoopTime(to, duration, &to, &played.loops)) {
        return VKSKIN_ERROR_INVALID_VALUE;
    }
    played.to = to;
    playback->time = to;
    playback->ended = played.ended;
    if (step != NULL) {
        *step = played;
    }
    return VKSKIN_SUCCESS;
}

/* ---- Clips in step ---- */

static bool isValidSync(const VkskinSyncClip *clips, uint32_t count, float speed, double seconds, double phase) {
    double weights = 0.0;
    bool good = isfinite(speed) && isfinite(seconds) && phase >= 0.0 && phase <= 1.0;
    for (uint32_t i = 0; i < count; ++i) {
        good &= isfinite(clips[i].duration) && clips[i].duration >= 0.0f && isfinite(clips[i].weight) &&
                clips[i].weight >= 0.0f && isfinite(clips[i].offset);
        weights += clips[i].weight;
    }
    return good && weights > 0.0;
}

double sknSyncDuration(const VkskinSyncClip *clips, uint32_t count) {
    double seconds = 0.0;
    double weights = 0.0;
    for (uint32_t i = 0; i < count; ++i) {
        seconds += (double)clips[i].weight * clips[i].duration;
        weights += clips[i].weight;
    }
    return seconds / weights;
}

bool sknSyncStep(const VkskinSyncClip *clip, double from, double to, VkskinPlayStep *step) {
    int32_t before;
    int32_t after;
    double start;
    double end;
    if (!sknLoopTime(from + clip->offset, 1.0, &start, &before) || !sknLoopTime(to + clip->offset, 1.0, &end, &after) ||
        fabs((double)after - before) > LOOPS_MAX) {
        return false;
    }
    const double duration = clip->duration;
    *step =
        (VkskinPlayStep){.from = start * duration, .to = end * duration, .loops = duration > 0.0 ? after - before : 0};
    return true;
}

VkskinResult vkskinAdvanceSync(const VkskinSyncClip *clips, uint32_t count, float speed, double seconds, double *phase,
                               VkskinPlayStep *steps) {
    if (clips == NULL || phase == NULL || steps == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    if (!isValidSync(clips, count, speed, seconds, *phase)) {
        return VKSKIN_ERROR_INVALID_VALUE;
    }
    const double duration = sknSyncDuration(clips, count);
    const double to = *phase + (duration > 0.0 ? seconds * speed / duration : 0.0);
    double wrapped;
    int32_t loops;
    VkskinPlayStep step;
    bool good = sknLoopTime(to, 1.0, &wrapped, &loops);
    for (uint32_t i = 0; i < count && good; ++i) {
        good = sknSyncStep(&clips[i], *phase, to, &step);
    }
    if (!good) {
        return VKSKIN_ERROR_INVALID_VALUE;
    }
    for (uint32_t i = 0; i < count; ++i) {
        (void)sknSyncStep(&clips[i], *phase, to, &steps[i]); /* succeeded above */
    }
    *phase = wrapped;
    return VKSKIN_SUCCESS;
}
