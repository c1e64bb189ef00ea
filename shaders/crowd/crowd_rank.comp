// crowd_rank.comp: counts for each block the characters of the classes in which slots run out.
#version 450
#extension GL_GOOGLE_include_directive : require

#define CROWD_SET_TABLES 0
#define CROWD_SET_WORK   3
#include "crowd/crowd_walk.glsl"

void count(LayoutCrowdHead head, uint column, uint block) {
    workWords[countAt(head, column, block)]++;
}

void main() {
    LayoutCrowdHead head = readHead(0u);
    uint block = threadIndex();
    if (block >= head.blocks) {
        return;
    }
    clearColumns(head, head.rankColumns, block);
    uint end = min((block + 1u) * CROWD_BLOCK, head.capacity);
    for (uint c = block * CROWD_BLOCK; c < end; c++) {
        Need need = needOf(head, workWords[head.keys + c], workWords[head.residents + c]);
        if (need.holds) {
            LayoutCrowdGroup group = readGroup(head, need.old);
            if (need.grade == readGrant(head, need.old).yieldBelow) {
                count(head, group.rankAt + group.coarser + 2u, block);
            }
        }
        if (need.wants) {
            LayoutCrowdGroup group = readGroup(head, need.group);
            uint cut = need.holds ? group.coarser + 1u : cutOf(head, group, need);
            bool counts = need.holds ? need.grade + 1u == readGrant(head, need.group).above : cut < CROWD_LEVELS;
            if (counts) {
                count(head, group.rankAt + cut, block);
            }
        }
    }
}
