// crowd_scan.comp: sums the counts of the blocks before each block: a workgroup for each column. Out of place.
#version 450
#extension GL_GOOGLE_include_directive : require

#define CROWD_SET_TABLES 0
#define CROWD_SET_WORK   3
#include "crowd/crowd_walk.glsl"

shared uint sums[CROWD_GROUP];

void main() {
    LayoutCrowdHead head = readHead(0u);
    uint column = gl_WorkGroupID.x;
    uint thread = gl_LocalInvocationID.x;
    uint part = (head.blocks + CROWD_GROUP - 1u) / CROWD_GROUP;
    uint first = min(thread * part, head.blocks);
    uint end = min(first + part, head.blocks);
    uint sum = 0u;
    for (uint b = first; b < end; b++) {
        sum += workWords[countAt(head, column, b)];
    }
    sums[thread] = sum;
    barrier();
    uint before = 0u;
    for (uint t = 0u; t < thread; t++) {
        before += sums[t];
    }
    if (thread == CROWD_GROUP - 1u && pass.columns != CROWD_SCAN_RANKS) {
        uint firstColumn = pass.columns == CROWD_SCAN_POOLS ? head.groupCount * CROWD_GRANT_COLUMNS : 0u;
        workWords[head.totals + firstColumn + column] = before + sum;
    }
    for (uint b = first; b < end; b++) {
        workWords[rankAt(head, column, b)] = before;
        before += workWords[countAt(head, column, b)];
    }
}
