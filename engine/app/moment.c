#include "moment.h"

#include <math.h>

#include "terminal.h"

#define PAST_END 1e-3 /* seconds: durations are floats, and the last frame of a sequence may be rounded */

/* Tolerance of a key's place, in frames: times are floats. */
#define KEY_PLACE 0.02

/* Keys that are farther apart are poses between which a clip moves, not frames. */
#define RATE_MIN 5.0

static bool onFrames(const ModelClip *clip, double rate) {
    for (uint32_t t = 0; t < clip->trackCount; t++) {
        for (uint32_t k = 0; k < clip->tracks[t].keyCount; k++) {
            const double frame = (double)clip->tracks[t].times[k] * rate;
            if (fabs(frame - round(frame)) > KEY_PLACE) {
                return false;
            }
        }
    }
    return true;
}

double momentRate(const ModelClip *clip) {
    double step = INFINITY;
    if (clip->framesPerSecond > 0.0f) {
        return (double)clip->framesPerSecond;
    }
    for (uint32_t t = 0; t < clip->trackCount; t++) {
        for (uint32_t k = 1; k < clip->tracks[t].keyCount; k++) {
            const double gap = (double)clip->tracks[t].times[k] - (double)clip->tracks[t].times[k - 1];
            step = gap > 1e-6 ? fmin(step, gap) : step;
        }
    }
    /* A step of floats far from 0 is coarse; rates are whole, except those of television. */
    const double rate = 1.0 / step, whole = fabs(rate - round(rate)) < 0.01 * rate ? round(rate) : rate;
    const double found = onFrames(clip, whole) ? whole : onFrames(clip, rate) ? rate : 0.0;
    return isfinite(step) && found >= RATE_MIN ? found : 0.0;
}

double momentShown(const Arguments *arguments, double duration, double time) {
    if (!isfinite(duration)) {
        return time;
    }
    if (!optionsValue(arguments, "loop")->given) {
        return fmin(time, duration);
    }
    return duration > 0.0 ? fmod(time, duration) : 0.0;
}

bool momentRead(const Arguments *arguments, const MomentClip *clip, double *time, EngineError *error) {
    const OptionValue *frame = optionsValue(arguments, "frame"), *chosen = optionsValue(arguments, "time");
    const OptionSeries *series = &optionsValue(arguments, "sequence")->series;
    const double rate = frame->rate > 0.0 ? frame->rate : clip->rate;
    if (frame->given && chosen->given) {
        return engineFail(error, "--frame and --time are two ways to say when; give one");
    }
    if (frame->given && rate == 0.0) {
        return engineFail(error, "%s: frames per second of '%s' are unknown; give --frame %.0f@30fps",
                          arguments->operands[0], clip->name, frame->number);
    }
    *time = frame->given ? frame->number / rate : chosen->number;
    const double last = *time + (series->count > 0 ? series->from + (series->count - 1) / series->perSecond : 0.0);
    if (last > clip->duration + PAST_END && !optionsValue(arguments, "loop")->given) {
        sayWarning(arguments->verb->name,
                   "%s: %g s is past the end of '%s', %g s long: its last pose is shown; --loop repeats it",
                   arguments->operands[0], last, clip->name, clip->duration);
    }
    return true;
}
