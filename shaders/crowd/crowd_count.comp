// crowd_count.comp: adds each character to the histogram of its group. Sums do not depend on the order.
#version 450
#extension GL_GOOGLE_include_directive : require

#define CROWD_SET_TABLES 0
#define CROWD_SET_WORK   3
#include "crowd/crowd_walk.glsl"

void add(uint group, uint word) {
    atomicAdd(workWords[CROWD_WORK_HISTS + group * CROWD_HIST_WORDS + word], 1u);
}

void main() {
    LayoutCrowdHead head = readHead(0u);
    uint character = threadIndex();
    if (character >= head.capacity) {
        return;
    }
    uint key = workWords[head.keys + character];
    Need need = needOf(head, key, workWords[head.residents + character]);
    if (need.leaves) {
        add(need.old, CROWD_HIST_LEAVING);
    }
    if (need.holds) {
        add(need.old, CROWD_HIST_HOLDERS + need.grade);
    }
    if (need.wants) {
        add(need.group, (need.holds ? CROWD_HIST_CHANGERS : CROWD_HIST_NEWCOMERS) + need.grade);
    }
    if ((key & CROWD_KEY_VIEWS) != 0u) {
        add(need.group, CROWD_HIST_WISHES);
    }
}
