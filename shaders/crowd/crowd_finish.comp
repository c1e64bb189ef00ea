// crowd_finish.comp: writes the counts of the pools and the arguments of the pose pass, moves the rings of free slots on, and
// writes the counters of the frame for the host. One workgroup.
#version 450
#extension GL_GOOGLE_include_directive : require

#define CROWD_SET_TABLES 0
#define CROWD_SET_FRAME  1
#define CROWD_SET_INPUT  2
#define CROWD_SET_WORK   3
#include "crowd/crowd_walk.glsl"
#include "crowd/crowd_rules.h"

// The total of a column of a pool. It is above the slots of the pool if characters share slots.
uint poolTotal(LayoutCrowdHead head, uint pool, uint column) {
    uint total = workWords[head.totals + head.groupCount * CROWD_GRANT_COLUMNS + pool * head.poolColumns + column];
    return column < head.poolColumns ? min(total, readPool(head, pool).slots) : 0u;
}

// Moves the ring on. Returns the number of refused characters.
uint finishGroup(LayoutCrowdHead head, uint index) {
    LayoutCrowdGroup group = readGroup(head, index);
    uint totals = head.totals + index * CROWD_GRANT_COLUMNS;
    uint given = workWords[totals + CROWD_GRANTED];
    workWords[group.ring + CROWD_RING_HEAD] = (workWords[group.ring + CROWD_RING_HEAD] + given) % group.slots;
    workWords[group.ring + CROWD_RING_USED] += given - workWords[totals + CROWD_FREED];
    return readGrant(head, index).refused;
}

void finishPool(LayoutCrowdHead head, uint index) {
    LayoutCrowdPool pool = readPool(head, index);
    for (uint column = 0u; column < CROWD_POOL_COLUMNS; column++) {
        frameWords[pool.counts + column] = poolTotal(head, index, column);
    }
    writeGroups(pool.poseGroups, (poolTotal(head, index, CROWD_REFRESHED) + head.poseSlots - 1u) / head.poseSlots);
}

void finishCounters(LayoutCrowdHead head) {
    uint refused = 0u;
    for (uint g = 0u; g < head.groupCount; g++) {
        refused += finishGroup(head, g);
    }
    for (uint i = 0u; i < CROWD_STATS_SKINNED; i++) {
        inputWords[CROWD_INPUT_STATS + i] = workWords[CROWD_WORK_STATS + i];
    }
    inputWords[CROWD_INPUT_STATS + CROWD_STATS_REFUSED] = refused;
}

// The budget of the next frame.
void finishBudget(LayoutCrowdHead head) {
    uint at = CROWD_WORK_BUDGET;
    LayoutCrowdBudget budget =
        LayoutCrowdBudget(workWords[at], workWords[at + 1u], workWords[at + 2u], workWords[at + 3u]);
    float used = crowdGrown(uintBitsToFloat(pass.maxPixels), budget.growth);
    inputWords[CROWD_INPUT_STATS + CROWD_STATS_MAX_PIXELS] = floatBitsToUint(used);
    uint demand = 0u;
    for (uint g = 0u; g < head.groupCount; g++) {
        LayoutCrowdGroup group = readGroup(head, g);
        uint wishes = workWords[CROWD_WORK_HISTS + g * CROWD_HIST_WORDS + CROWD_HIST_WISHES];
        demand = crowdDemand(demand, wishes, group.vertices, group.interval);
    }
    crowdBudget(budget, demand, pass.budget);
    workWords[at] = budget.growth;
    workWords[at + 1u] = budget.barrier;
    workWords[at + 2u] = budget.demand;
    workWords[at + 3u] = budget.before;
}

// Writes the counter of a column: its sum over all pools.
void finishColumn(LayoutCrowdHead head, uint column) {
    uint sum = 0u;
    for (uint p = 0u; p < head.poolCount; p++) {
        sum += poolTotal(head, p, column);
    }
    if (column != CROWD_REFRESHED) { // it is counted by level
        uint field = column == CROWD_SKINNED ? CROWD_STATS_SKINNED : CROWD_STATS_DRAWN + column - CROWD_FIRST_VIEW;
        inputWords[CROWD_INPUT_STATS + field] = sum;
    }
}

// Writes the counters of a level: its sums over all pools.
void finishLevel(LayoutCrowdHead head, uint level) {
    uint slots = 0u;
    uint refreshed = 0u;
    uint low = 0u;
    uint high = 0u;
    for (uint p = 0u; p < head.poolCount; p++) {
        LayoutCrowdGroup group = readGroup(head, readPool(head, p).group);
        if (group.level == level) {
            uint count = poolTotal(head, p, CROWD_REFRESHED);
            uint more;
            uint product;
            umulExtended(count, group.vertices, more, product);
            slots += poolTotal(head, p, CROWD_SKINNED);
            refreshed += count;
            low += product;
            high += more + (low < product ? 1u : 0u);
        }
    }
    inputWords[CROWD_INPUT_STATS + CROWD_STATS_SLOTS + level] = slots;
    inputWords[CROWD_INPUT_STATS + CROWD_STATS_UPDATED + level] = refreshed;
    inputWords[CROWD_INPUT_STATS + CROWD_STATS_LOW + level] = low;
    inputWords[CROWD_INPUT_STATS + CROWD_STATS_HIGH + level] = high;
}

void main() {
    LayoutCrowdHead head = readHead(0u);
    uint thread = gl_LocalInvocationID.x;
    if (thread == 0u) {
        finishCounters(head);
        finishBudget(head);
    }
    if (thread < CROWD_POOL_COLUMNS) {
        finishColumn(head, thread);
    }
    if (thread < CROWD_LEVELS) {
        finishLevel(head, thread);
    }
    for (uint i = thread; i < head.poolCount; i += CROWD_GROUP) {
        finishPool(head, i);
    }
}
