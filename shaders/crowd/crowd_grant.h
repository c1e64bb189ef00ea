/*
 * crowd_grant.h: who gets a slot, for C and for GLSL: from the histograms of a group to its LayoutCrowdGrant. Integers only.
 *
 * Characters that need a slot of a level are newcomers, which have none, and changers, which have one of another level of
 * their model. A level gives its free slots from the largest class down. Within a class, its own newcomers come first, then
 * those whom finer levels refused, then changers, each in the order of the characters. Refused newcomers go on to the next
 * coarser level. Refused changers keep their slot.
 *
 * Slots that were refused are wanted in the next frame. Slots that others leave in this frame serve the largest classes;
 * for the others, characters of smaller classes that have a slot of the level yield it. Newcomers whom all levels refused
 * let characters of coarser levels yield too.
 *
 * The scratch memory of a model has CROWD_GRANT_SCRATCH words. Defined before, for GLSL: GRANT_WORD(at). The histogram of the
 * level is at its start, in the order of CROWD_HIST_.
 */
#ifndef VKSKIN_CROWD_GRANT_H
#define VKSKIN_CROWD_GRANT_H

#include "crowd/crowd_layout.h"

#define GRANT_CARRIED       CROWD_HIST_WORDS /* [3]: newcomers refused one, two, three levels finer */
#define GRANT_DEMAND        (GRANT_CARRIED + 3u * CROWD_CLASSES) /* those whose wish for a slot no level has met */
#define CROWD_GRANT_SCRATCH (GRANT_DEMAND + CROWD_CLASSES)

#ifdef __STDC__
#include <stdbool.h>
#include <stddef.h>
#define GRANT_RULE       static inline
#define GRANT_SCRATCH    uint32_t *scratch,
#define GRANT_PASS       scratch,
#define GRANT_INOUT(T)   T *
#define GRANT_OF(o)      (*(o))
#define GRANT_ADDRESS(o) (&(o))
#define GRANT_UINT       uint32_t
#define GRANT_WORD(at)   scratch[(size_t)(at)]
#else
#define GRANT_RULE
#define GRANT_SCRATCH
#define GRANT_PASS
#define GRANT_INOUT(T)   inout T
#define GRANT_OF(o)      o
#define GRANT_ADDRESS(o) o
#define GRANT_UINT       uint
#endif

GRANT_RULE GRANT_UINT crowdLeast(GRANT_UINT a, GRANT_UINT b) {
    return a < b ? a : b;
}

/* Gives slots to those of a word. Returns how many get one. */
GRANT_RULE GRANT_UINT crowdTake(GRANT_SCRATCH GRANT_UINT at, GRANT_INOUT(GRANT_UINT) left) {
    const GRANT_UINT taken = crowdLeast(GRANT_WORD(at), GRANT_OF(left));
    GRANT_WORD(at) -= taken;
    GRANT_OF(left) -= taken;
    return taken;
}

/* Newcomers of a class that have no slot yet: of this level and of finer ones. */
GRANT_RULE GRANT_UINT crowdWithout(GRANT_SCRATCH GRANT_UINT k) {
    return GRANT_WORD(CROWD_HIST_NEWCOMERS + k) + GRANT_WORD(GRANT_CARRIED + k) +
           GRANT_WORD(GRANT_CARRIED + CROWD_CLASSES + k) + GRANT_WORD(GRANT_CARRIED + 2u * CROWD_CLASSES + k);
}

/* free: slots that can be given in this frame. */
GRANT_RULE void crowdGive(GRANT_SCRATCH GRANT_UINT free, GRANT_INOUT(LayoutCrowdGrant) grant) {
    GRANT_UINT left = free;
    GRANT_OF(grant).above = 0u;
    GRANT_OF(grant).take0 = GRANT_OF(grant).take1 = GRANT_OF(grant).take2 = GRANT_OF(grant).take3 = 0u;
    GRANT_OF(grant).takeChangers = 0u;
    for (GRANT_UINT k = CROWD_CLASSES; k-- > 0u && GRANT_OF(grant).above == 0u;) {
        const bool cut = crowdWithout(GRANT_PASS k) + GRANT_WORD(CROWD_HIST_CHANGERS + k) > left;
        const GRANT_UINT take0 = crowdTake(GRANT_PASS CROWD_HIST_NEWCOMERS + k, GRANT_ADDRESS(left));
        const GRANT_UINT take1 = crowdTake(GRANT_PASS GRANT_CARRIED + k, GRANT_ADDRESS(left));
        const GRANT_UINT take2 = crowdTake(GRANT_PASS GRANT_CARRIED + CROWD_CLASSES + k, GRANT_ADDRESS(left));
        const GRANT_UINT take3 = crowdTake(GRANT_PASS GRANT_CARRIED + 2u * CROWD_CLASSES + k, GRANT_ADDRESS(left));
        const GRANT_UINT changers = crowdTake(GRANT_PASS CROWD_HIST_CHANGERS + k, GRANT_ADDRESS(left));
        if (cut) {
            GRANT_OF(grant).above = k + 1u;
            GRANT_OF(grant).take0 = take0;
            GRANT_OF(grant).take1 = take1;
            GRANT_OF(grant).take2 = take2;
            GRANT_OF(grant).take3 = take3;
            GRANT_OF(grant).takeChangers = changers;
        }
    }
}

/* After crowdGive. leaving: slots that are free from the next frame on. */
GRANT_RULE void crowdYield(GRANT_SCRATCH GRANT_UINT leaving, GRANT_INOUT(LayoutCrowdGrant) grant) {
    GRANT_UINT low = 0u;
    GRANT_UINT have = GRANT_WORD(CROWD_HIST_HOLDERS);
    GRANT_UINT skip = leaving;
    for (GRANT_UINT k = CROWD_CLASSES; k-- > 0u;) {
        const GRANT_UINT carried = crowdWithout(GRANT_PASS k) - GRANT_WORD(CROWD_HIST_NEWCOMERS + k);
        GRANT_UINT need = GRANT_WORD(CROWD_HIST_NEWCOMERS + k) + GRANT_WORD(CROWD_HIST_CHANGERS + k) +
                          crowdLeast(GRANT_WORD(GRANT_DEMAND + k), carried);
        const GRANT_UINT served = crowdLeast(skip, need);
        skip -= served;
        need -= served;
        while (need > 0u && low < k) {
            const GRANT_UINT met = crowdLeast(need, have);
            need -= met;
            have -= met;
            if (have == 0u) {
                low++;
                have = GRANT_WORD(CROWD_HIST_HOLDERS + low);
            }
        }
        GRANT_WORD(GRANT_DEMAND + k) = crowdLeast(need, crowdWithout(GRANT_PASS k));
    }
    const bool part = have != GRANT_WORD(CROWD_HIST_HOLDERS + low);
    GRANT_OF(grant).yieldBelow = low;
    GRANT_OF(grant).keep = part ? have : 0xffffffffu;
    GRANT_OF(grant).ranked = part || GRANT_OF(grant).above != 0u ? 1u : 0u;
}

/* Prepares the scratch memory for the next coarser level. Returns the number of newcomers without a slot. */
GRANT_RULE GRANT_UINT crowdCarry(GRANT_SCRATCH GRANT_UINT unused) {
    GRANT_UINT sum = unused;
    for (GRANT_UINT k = 0u; k < CROWD_CLASSES; k++) {
        sum += crowdWithout(GRANT_PASS k);
        GRANT_WORD(GRANT_CARRIED + 2u * CROWD_CLASSES + k) = GRANT_WORD(GRANT_CARRIED + CROWD_CLASSES + k);
        GRANT_WORD(GRANT_CARRIED + CROWD_CLASSES + k) = GRANT_WORD(GRANT_CARRIED + k);
        GRANT_WORD(GRANT_CARRIED + k) = GRANT_WORD(CROWD_HIST_NEWCOMERS + k);
    }
    return sum;
}

/* Decides for a level. free: slots that can be given. Its histogram is in the scratch memory, and what finer levels left
 * there; that of the first level is zero. */
GRANT_RULE void crowdGrantLevel(GRANT_SCRATCH GRANT_UINT free, bool last, GRANT_INOUT(LayoutCrowdGrant) grant) {
    const GRANT_UINT leaving = GRANT_WORD(CROWD_HIST_LEAVING);
    crowdGive(GRANT_PASS free, grant);
    crowdYield(GRANT_PASS leaving, grant);
    const GRANT_UINT without = crowdCarry(GRANT_PASS 0u);
    GRANT_OF(grant).refused = last ? without : 0u;
    GRANT_OF(grant).reserved0 = GRANT_OF(grant).reserved1 = 0u;
}

/*
 * What a newcomer gets. take: those of its origin that get a slot of this level in the class that is cut; before: those that
 * finer levels took of the same class. Whether the level gives a slot to the character of a class and a rank.
 */
GRANT_RULE bool crowdGets(GRANT_UINT above, GRANT_UINT take, GRANT_UINT before, GRANT_UINT k, GRANT_UINT rank) {
    return k >= above || (k + 1u == above && rank - before < take);
}

#endif
