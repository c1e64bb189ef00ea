// crowd_count.comp: counts for each block, model by model, the characters that want a slot and the slots that they free.
#version 450
#extension GL_GOOGLE_include_directive : require

#define CROWD_SET_TABLES 0
#define CROWD_SET_WORK   3
#include "crowd/crowd_walk.glsl"

void main() {
    LayoutCrowdHead head = readHead(0u);
    uint block = threadIndex();
    if (block >= head.blocks) {
        return;
    }
    clearColumns(head, head.modelCount * CROWD_MODEL_COLUMNS, block);
    uint end = min((block + 1u) * CROWD_BLOCK, head.capacity);
    for (uint c = block * CROWD_BLOCK; c < end; c++) {
        Need need = needOf(head, workWords[head.keys + c], workWords[head.residents + c]);
        if (need.frees) {
            workWords[countAt(head, need.oldModel * CROWD_MODEL_COLUMNS + CROWD_FREES, block)]++;
        }
        if (need.mayYield) {
            workWords[countAt(head, need.oldModel * CROWD_MODEL_COLUMNS + CROWD_MAY_YIELD, block)]++;
        }
        if (need.wants) {
            workWords[countAt(head, need.model * CROWD_MODEL_COLUMNS + need.wish, block)]++;
        }
    }
}
