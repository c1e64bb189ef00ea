#include "crowd_ball.h"

#include <float.h>

/* Steps of nodes to spend on all clips, so that time is linear in bytes + nodes x clips: one ball for all poses if the
 * rows alone take more, and no halvings for which nothing is left. */
#define STEPS_LEAST         4194304u
#define STEPS_PER_WORD      256u
#define STEPS_PER_NODE_CLIP 32u

void sknPlanSteps(Bounds *bounds) {
    const ClipSetData *set = bounds->set;
    const uint64_t steps = STEPS_LEAST + (uint64_t)STEPS_PER_WORD * (sknBlockHeader(set->block)->bytes / 4) +
                           (uint64_t)STEPS_PER_NODE_CLIP * set->nodeCount * set->clipCount;
    uint64_t rows = 0;
    for (uint32_t clip = 0; clip < set->clipCount; ++clip) {
        rows += sknBlockClip(set->block, clip)->keyCount;
    }
    const uint64_t needed = rows * (bounds->spanSteps + set->nodeCount);
    bounds->loose = needed > steps;
    bounds->stepsLeft = bounds->loose ? 0 : steps - needed;
}

/* The largest size of translations and scales in all clips: in `high` and `scaleHigh` of the ranges. */
static void findMaxMagnitudes(Bounds *bounds) {
    const ClipSetData *set = bounds->set;
    const LayoutClipSet *tables = sknBlockAt(set->block, sknBlockHeader(set->block)->bytes / 4);
    const uint32_t *entries = set->words + tables->channels;
    for (uint32_t clip = 0; clip < set->clipCount; ++clip) {
        for (uint32_t i = 0; i < set->nodeCount; ++i, entries += CLIP_CHANNELS) {
            NodeRange *range = &bounds->ranges[i];
            range->high = vectorMax(range->high, sknMaxMagnitude(set, clip, entries[VKSKIN_CHANNEL_TRANSLATION]));
            range->scaleHigh = vectorMax(range->scaleHigh, sknMaxMagnitude(set, clip, entries[VKSKIN_CHANNEL_SCALE]));
        }
    }
}

/* No point is farther from the origin than the sum of its chain, in fades too: they mix translations and scales. */
void sknAddBall(Bounds *bounds) {
    findMaxMagnitudes(bounds);
    bounds->low = splat(INFINITY);
    bounds->high = splat(-INFINITY);
    for (uint32_t i = 0; i < bounds->set->nodeCount; ++i) {
        const uint32_t parent = bounds->nodes[i].parent;
        Points points;
        bounds->moves[i] = (parent != CLIP_NO_PARENT ? bounds->moves[parent] : 1.0) * bounds->preNorms[i] *
                           largest(bounds->ranges[i].scaleHigh);
        bounds->broken |= !(bounds->moves[i] <= FLT_MAX);
        if (pointsOf(bounds, i, &points)) {
            bounds->lengths[i] = sknLength(points.centre) + points.radius;
            bounds->low = bounds->high = splat(0.0);
        }
    }
    for (uint32_t i = bounds->set->nodeCount; i-- > 0;) {
        const NodeRange *range = &bounds->ranges[i];
        const uint32_t parent = bounds->nodes[i].parent;
        const double length =
            (largest(range->scaleHigh) * bounds->lengths[i] + sknLength(range->high)) * bounds->preNorms[i] +
            preLength(bounds, i);
        double *longest = parent != CLIP_NO_PARENT ? &bounds->lengths[parent] : &bounds->size;
        bounds->broken |= !(length <= FLT_MAX);
        *longest = fmax(*longest, length);
    }
    bounds->low = sknSubtract(bounds->low, splat(bounds->size));
    bounds->high = sknAdd(bounds->high, splat(bounds->size));
}
