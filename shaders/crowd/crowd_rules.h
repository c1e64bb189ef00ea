/*
 * crowd_rules.h: time and changes of a character, for C and for GLSL. Integers only, so both agree to the bit.
 *
 * Phases and ticks count modulo 2^32. A phase of 2^32 is one clip.
 */
#ifndef VKSKIN_CROWD_RULES_H
#define VKSKIN_CROWD_RULES_H

#include "crowd/crowd_layout.h"

#ifdef __STDC__
#include <stdbool.h>
#include <string.h>
#define RULE            static inline
#define RULE_UINT       uint32_t
#define RULE_INOUT(T)   T *
#define RULE_IN(T)      const T *
#define RULE_OF(object) (*(object))
#define RULE_PRODUCT(a, b, high, low)                                                                                  \
    const uint64_t product = (uint64_t)(a) * (b);                                                                      \
    (high) = (uint32_t)(product >> 32);                                                                                \
    (low) = (uint32_t)product
#define RULE_FLOAT(number)      ((float)(number))
#define RULE_FLOAT_BITS(number) crowdFloatBits(number)

static inline uint32_t crowdFloatBits(float number) {
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}
#else
#define RULE
#define RULE_UINT                     uint
#define RULE_INOUT(T)                 inout T
#define RULE_IN(T)                    T
#define RULE_OF(object)               object
#define RULE_PRODUCT(a, b, high, low) umulExtended(a, b, high, low)
#define RULE_FLOAT(number)            float(number)
#define RULE_FLOAT_BITS(number)       floatBitsToUint(number)
#endif

/* Whether a difference of ticks or a rate is negative. */
RULE bool crowdNegative(RULE_UINT number) {
    return number >= 0x80000000u;
}

RULE RULE_UINT crowdSize(RULE_UINT rate) {
    return crowdNegative(rate) ? 0u - rate : rate;
}

/* The rate of a clip at a speed. Its size is at most 2^31 - 1. */
RULE RULE_UINT crowdRate(RULE_UINT unit, RULE_UINT speed) {
    RULE_UINT high = 0u;
    RULE_UINT low = 0u;
    RULE_PRODUCT(unit, crowdSize(speed), high, low);
    const bool large = high >= 1u << (CROWD_SPEED_SHIFT - 1u);
    const RULE_UINT size = large ? 0x7fffffffu : high << (32u - CROWD_SPEED_SHIFT) | low >> CROWD_SPEED_SHIFT;
    return crowdNegative(speed) ? 0u - size : size;
}

/* Progress of a clip that plays once, from its start tick: at most 2^32 - 1. */
RULE RULE_UINT crowdProgress(RULE_UINT start, RULE_UINT rate, RULE_UINT tick) {
    RULE_UINT high = 0u;
    RULE_UINT low = 0u;
    const RULE_UINT elapsed = crowdNegative(tick - start) ? 0u : tick - start;
    RULE_PRODUCT(elapsed, crowdSize(rate), high, low);
    return high != 0u ? 0xffffffffu : low;
}

/* The phase of a clip now. flags: CROWD_ONCE, CROWD_HELD. */
RULE RULE_UINT crowdPhase(RULE_UINT phase, RULE_UINT rate, RULE_UINT flags, RULE_UINT tick) {
    if ((flags & CROWD_HELD) != 0u) {
        return phase;
    }
    if ((flags & CROWD_ONCE) == 0u) {
        return phase + tick * rate;
    }
    const RULE_UINT progress = crowdProgress(phase, rate, tick);
    return crowdNegative(rate) ? 0xffffffffu - progress : progress;
}

/* What crowdPhase takes, so that it returns `phase` now; for a clip that plays once to within half a tick. */
RULE RULE_UINT crowdStart(RULE_UINT phase, RULE_UINT rate, RULE_UINT flags, RULE_UINT tick) {
    if ((flags & CROWD_HELD) != 0u) {
        return phase;
    }
    if ((flags & CROWD_ONCE) == 0u) {
        return phase - tick * rate;
    }
    const RULE_UINT size = crowdSize(rate);
    const RULE_UINT progress = crowdNegative(rate) ? 0xffffffffu - phase : phase;
    const RULE_UINT whole = progress / size;
    const RULE_UINT elapsed = progress - whole * size >= size - size / 2u ? whole + 1u : whole;
    return tick - (elapsed < 0x3fffffffu ? elapsed : 0x3fffffffu);
}

/* The flags of A, from those of a clip that plays with a rate. */
RULE RULE_UINT crowdFlags(bool once, RULE_UINT rate) {
    return (once ? CROWD_ONCE : 0u) | (rate == 0u ? CROWD_HELD : 0u);
}

/* CROWD_ONCE and CROWD_HELD of clip B, in the places of those of A. */
RULE RULE_UINT crowdFlagsOfB(RULE_UINT flags) {
    return ((flags & CROWD_ONCE_B) != 0u ? CROWD_ONCE : 0u) | ((flags & CROWD_HELD_B) != 0u ? CROWD_HELD : 0u);
}

RULE RULE_UINT crowdFlagsToB(RULE_UINT flags) {
    return ((flags & CROWD_ONCE) != 0u ? CROWD_ONCE_B : 0u) | ((flags & CROWD_HELD) != 0u ? CROWD_HELD_B : 0u);
}

#define CROWD_A_FLAGS (CROWD_ONCE | CROWD_HELD)
#define CROWD_B_FLAGS (CROWD_ONCE_B | CROWD_HELD_B | CROWD_FADING)

/* Ends a fade: B becomes A. */
RULE void crowdEndFade(RULE_INOUT(LayoutCrowdState) state, RULE_IN(LayoutCrowdCold) cold) {
    const RULE_UINT flags = RULE_OF(state).flags;
    RULE_OF(state).clips = RULE_OF(state).clips >> 16;
    RULE_OF(state).phase = RULE_OF(cold).phaseB;
    RULE_OF(state).rate = RULE_OF(cold).rateB;
    RULE_OF(state).flags = (flags & ~(CROWD_A_FLAGS | CROWD_B_FLAGS)) | crowdFlagsOfB(flags);
}

/* Whether a fade has ended. A tick before its start counts as after its end. */
RULE bool crowdFadeEnded(RULE_IN(LayoutCrowdCold) cold, RULE_UINT tick) {
    return tick - RULE_OF(cold).fadeStart >= RULE_OF(cold).fadeTicks;
}

/* What time does to a character, before it is culled. Returns whether it changed the state. */
RULE bool crowdAdvance(RULE_INOUT(LayoutCrowdState) state, RULE_IN(LayoutCrowdCold) cold, RULE_UINT tick) {
    bool changed = false;
    if ((RULE_OF(state).flags & CROWD_FADING) != 0u && crowdFadeEnded(cold, tick)) {
        crowdEndFade(state, cold);
        changed = true;
    }
    if ((RULE_OF(state).flags & CROWD_A_FLAGS) == CROWD_ONCE &&
        crowdProgress(RULE_OF(state).phase, RULE_OF(state).rate, tick) == 0xffffffffu) {
        RULE_OF(state).phase = crowdNegative(RULE_OF(state).rate) ? 0u : 0xffffffffu;
        RULE_OF(state).flags |= CROWD_HELD;
        changed = true;
    }
    return changed;
}

/* Changes the rate of the newest clip, which goes on from where it is. */
RULE void crowdChangeSpeed(RULE_INOUT(LayoutCrowdState) state, RULE_INOUT(LayoutCrowdCold) cold, RULE_UINT speed,
                           RULE_UINT tick) {
    const RULE_UINT rate = crowdRate(RULE_OF(cold).unit, speed);
    if ((RULE_OF(state).flags & CROWD_FADING) != 0u) {
        const RULE_UINT before = crowdFlagsOfB(RULE_OF(state).flags);
        const RULE_UINT after = crowdFlags((before & CROWD_ONCE) != 0u, rate);
        const RULE_UINT phase = crowdPhase(RULE_OF(cold).phaseB, RULE_OF(cold).rateB, before, tick);
        RULE_OF(cold).phaseB = crowdStart(phase, rate, after, tick);
        RULE_OF(cold).rateB = rate;
        RULE_OF(state).flags = (RULE_OF(state).flags & ~(CROWD_ONCE_B | CROWD_HELD_B)) | crowdFlagsToB(after);
    } else {
        const RULE_UINT before = RULE_OF(state).flags;
        const RULE_UINT after = crowdFlags((before & CROWD_ONCE) != 0u, rate);
        const RULE_UINT phase = crowdPhase(RULE_OF(state).phase, RULE_OF(state).rate, before, tick);
        RULE_OF(state).phase = crowdStart(phase, rate, after, tick);
        RULE_OF(state).rate = rate;
        RULE_OF(state).flags = (before & ~CROWD_A_FLAGS) | after;
    }
}

/* Plays a clip. clip: with CROWD_PLAY_ONCE. fade: ticks, 0: at once. */
RULE void crowdPlay(RULE_INOUT(LayoutCrowdState) state, RULE_INOUT(LayoutCrowdCold) cold, RULE_UINT clip,
                    RULE_UINT phase, RULE_UINT speed, RULE_UINT unit, RULE_UINT fade, RULE_UINT tick) {
    const RULE_UINT rate = crowdRate(unit, speed);
    const RULE_UINT flags = crowdFlags((clip & CROWD_PLAY_ONCE) != 0u, rate);
    const RULE_UINT start = crowdStart(phase, rate, flags, tick);
    if ((RULE_OF(state).flags & CROWD_FADING) != 0u) {
        crowdEndFade(state, cold);
    }
    RULE_OF(cold).unit = unit;
    if (fade == 0u) {
        RULE_OF(state).clips = clip & 0xffffu;
        RULE_OF(state).phase = start;
        RULE_OF(state).rate = rate;
        RULE_OF(state).flags = (RULE_OF(state).flags & ~CROWD_A_FLAGS) | flags;
        return;
    }
    RULE_OF(state).clips = (RULE_OF(state).clips & 0xffffu) | (clip & 0xffffu) << 16;
    RULE_OF(state).flags = RULE_OF(state).flags | CROWD_FADING | crowdFlagsToB(flags);
    RULE_OF(cold).phaseB = start;
    RULE_OF(cold).rateB = rate;
    RULE_OF(cold).fadeStart = tick;
    RULE_OF(cold).fadeTicks = fade;
}

#define CROWD_COPY_FIELD(field) RULE_OF(to).field = RULE_OF(from).field;

RULE void crowdPlace(RULE_INOUT(LayoutCrowdState) to, RULE_IN(LayoutCrowdChange) from) {
    CROWD_TRANSFORM_FIELDS(CROWD_COPY_FIELD, transform);
}

RULE void crowdCopyTransform(RULE_INOUT(LayoutCrowdSlot) to, RULE_IN(LayoutCrowdState) from) {
    CROWD_TRANSFORM_FIELDS(CROWD_COPY_FIELD, transform);
}

/* Applies all changes of a character. */
RULE void crowdApply(RULE_INOUT(LayoutCrowdState) state, RULE_INOUT(LayoutCrowdCold) cold,
                     RULE_IN(LayoutCrowdChange) change, RULE_UINT tick) {
    const RULE_UINT what = RULE_OF(change).what;
    if ((what & (CROWD_CHANGE_ADD | CROWD_CHANGE_REMOVE)) != 0u) {
        RULE_OF(state).clips = 0u;
        RULE_OF(state).phase = 0u;
        RULE_OF(state).rate = 0u;
        RULE_OF(state).flags = (what & CROWD_CHANGE_ADD) != 0u ? RULE_OF(change).model | CROWD_EXISTS : 0u;
        RULE_OF(cold).generation = RULE_OF(change).generation;
    }
    if ((what & CROWD_CHANGE_MOVE) != 0u) {
        crowdPlace(state, change);
    }
    if ((what & CROWD_CHANGE_TELEPORT) != 0u) {
        RULE_OF(state).flags |= CROWD_TELEPORTED;
    }
    if ((what & CROWD_CHANGE_HIDE) != 0u) {
        RULE_OF(state).flags |= CROWD_HIDDEN;
    }
    if ((what & CROWD_CHANGE_SHOW) != 0u) {
        RULE_OF(state).flags &= ~CROWD_HIDDEN;
    }
    if ((what & CROWD_CHANGE_PRIORITY) != 0u) {
        RULE_OF(state).flags |= CROWD_PRIORITY;
    }
    if ((what & CROWD_CHANGE_NO_PRIORITY) != 0u) {
        RULE_OF(state).flags &= ~CROWD_PRIORITY;
    }
    if ((what & CROWD_CHANGE_VARIATION) != 0u) {
        RULE_OF(cold).variation = RULE_OF(change).variation;
    }
    if ((what & CROWD_CHANGE_PARTS) != 0u) {
        RULE_OF(state).flags |= RULE_OF(cold).parts != RULE_OF(change).parts ? CROWD_PARTED : 0u;
        RULE_OF(cold).parts = RULE_OF(change).parts;
    }
    if ((what & CROWD_CHANGE_SPEED) != 0u) {
        crowdChangeSpeed(state, cold, RULE_OF(change).speed, tick);
    }
    if ((what & CROWD_CHANGE_PLAY1) != 0u) {
        crowdPlay(state, cold, RULE_OF(change).clip1, RULE_OF(change).phase1, RULE_OF(change).speed1,
                  RULE_OF(change).unit1, RULE_OF(change).fade1, tick);
    }
    if ((what & CROWD_CHANGE_PLAY2) != 0u) {
        crowdPlay(state, cold, RULE_OF(change).clip2, RULE_OF(change).phase2, RULE_OF(change).speed2,
                  RULE_OF(change).unit2, RULE_OF(change).fade2, tick);
    }
}

/* ---- Levels ---- */

/* maxPixels with the growth of the budget. */
RULE float crowdGrown(float maxPixels, RULE_UINT growth) {
    return maxPixels * (1.0f + RULE_FLOAT(growth) * (1.0f / 65536.0f));
}

/* The demand of characters that wish a level, added to that of others. Saturates. */
RULE RULE_UINT crowdDemand(RULE_UINT demand, RULE_UINT wishes, RULE_UINT vertices, RULE_UINT interval) {
    RULE_UINT high = 0u;
    RULE_UINT low = 0u;
    const RULE_UINT units = vertices / (CROWD_BUDGET_UNIT * interval) + 1u;
    RULE_PRODUCT(wishes, units, high, low);
    return high != 0u || demand + low < low ? 0xffffffffu : demand + low;
}

/*
 * Changes the growth by the demand of a frame. It does not shrink to a growth with which the same characters wanted too
 * much: so it comes to rest. If the demand changes while the growth rests, the characters have changed.
 */
RULE void crowdBudget(RULE_INOUT(LayoutCrowdBudget) budget, RULE_UINT demand, RULE_UINT most) {
    const RULE_UINT growth = RULE_OF(budget).growth;
    const RULE_UINT whole = growth + 0x10000u;
    const bool moved = demand != RULE_OF(budget).demand && growth == RULE_OF(budget).before;
    RULE_UINT barrier = moved ? 0u : RULE_OF(budget).barrier;
    RULE_UINT next = growth;
    if (demand > most) {
        barrier = growth + 1u;
        next = growth + (demand - most > most / 8u ? whole / 20u : whole / 100u);
        next = next < CROWD_MOST_GROWTH ? next : CROWD_MOST_GROWTH;
    } else if (demand < most - most / 8u) {
        const RULE_UINT step = whole / 21u < growth ? whole / 21u : growth;
        next = growth - step + 1u > barrier ? growth - step : growth;
    }
    RULE_OF(budget).growth = most != 0u ? next : 0u;
    RULE_OF(budget).barrier = most != 0u ? barrier : 0u;
    RULE_OF(budget).demand = demand;
    RULE_OF(budget).before = growth;
}

/* A clip that does not exist becomes the last one. */
RULE RULE_UINT crowdKnownClip(RULE_UINT clip, RULE_UINT clipCount) {
    return clip < clipCount ? clip : clipCount - 1u;
}

/* elapsed / length as the bits of a float, in steps of 2^-16. elapsed is below length. */
RULE RULE_UINT crowdWeight(RULE_UINT elapsed, RULE_UINT length) {
    RULE_UINT part = elapsed;
    RULE_UINT whole = length;
    while (whole >= 0x10000u) {
        part >>= 1;
        whole >>= 1;
    }
    const RULE_UINT steps = (part << 16u) / whole;
    const float weight = RULE_FLOAT(steps) * (1.0f / 65536.0f);
    return RULE_FLOAT_BITS(weight);
}

/* The pose of a character that the cull pass has advanced. */
RULE LayoutCrowdPose crowdPoseOf(RULE_IN(LayoutCrowdState) state, RULE_IN(LayoutCrowdCold) cold, RULE_UINT clipCount,
                                 RULE_UINT tick) {
    const RULE_UINT flags = RULE_OF(state).flags;
    LayoutCrowdPose pose;
    pose.clips = crowdKnownClip(RULE_OF(state).clips & 0xffffu, clipCount) |
                 crowdKnownClip(RULE_OF(state).clips >> 16, clipCount) << 16;
    pose.phaseA = crowdPhase(RULE_OF(state).phase, RULE_OF(state).rate, flags, tick);
    pose.phaseB = 0u;
    pose.weight = 0u;
    if ((flags & CROWD_FADING) != 0u) {
        pose.phaseB = crowdPhase(RULE_OF(cold).phaseB, RULE_OF(cold).rateB, crowdFlagsOfB(flags), tick);
        pose.weight = crowdWeight(tick - RULE_OF(cold).fadeStart, RULE_OF(cold).fadeTicks);
    }
    return pose;
}

#endif
