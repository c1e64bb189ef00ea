/*
 * crowd_stages.h: the stages of a crowd's frame on the CPU. Each does what the kernel of the same name in shaders/crowd
 * does, on the same structures. In the order of a frame:
 *
 *     apply     applies the changes of the host to states
 *     cull      writes the key of each character: which views see it
 *     count     adds each character to the histogram of its group: those that want a slot, and those that have one
 *     grant     decides which classes get slots, and which yield theirs
 *     rank      counts for each block the characters of the classes in which slots run out
 *     scan      sums the counts of the blocks before
 *     decide    writes into the keys who gets which slot, and counts them for each block
 *     scan      sums these counts
 *     assign    gives and takes slots, and counts what each view and pool will list
 *     scan      sums these counts
 *     scatter   writes the lists
 *     finish    writes the counts of the pools, the arguments of the pose pass, and the counters of the frame
 *     describe  writes slot records, and poses and skinning instances of the refreshed slots. The kernel also writes morph weights;
 *               on the CPU the tasks that pose do it
 *     parts     lists for each part the slots that show it, and writes the arguments of its draws and skinning
 *
 * Results do not depend on how tasks run.
 */
#ifndef VKSKIN_CROWD_STAGES_H
#define VKSKIN_CROWD_STAGES_H

#include "crowd_lanes.h"

/* Counters and histograms; sknCrowdApply does it too. */
void sknClearCrowdCounts(const CrowdArrays *arrays);

void sknCrowdApply(const CrowdArrays *arrays, const LayoutCrowdPush *push);
void sknCrowdCull(const CrowdArrays *arrays, const LayoutCrowdPush *push, const VkskinCpuRun *run);

/* The stages from count to finish. */
void sknCrowdLists(const CrowdArrays *arrays, const LayoutCrowdPush *push, const VkskinCpuRun *run);

/* All stages after the keys: from count to parts. */
void sknCrowdFromKeys(const CrowdArrays *arrays, const LayoutCrowdPush *push, const VkskinCpuRun *run);

/* After describe; sknCrowdFromKeys does it too. */
void sknCrowdParts(const CrowdArrays *arrays, const VkskinCpuRun *run);

/* A VkDispatchIndirectCommand. */
static inline void sknWriteGroups(uint32_t arguments[3], uint32_t groups) {
    const uint32_t columns = groups < CROWD_MOST_GROUPS ? groups : CROWD_MOST_GROUPS;
    arguments[0] = columns;
    arguments[1] = columns == 0 ? 1 : (groups + columns - 1) / columns;
    arguments[2] = 1;
}

static inline LayoutCrowdStats *sknCrowdStats(uint32_t *work) {
    return (LayoutCrowdStats *)(work + CROWD_WORK_STATS);
}

#endif
