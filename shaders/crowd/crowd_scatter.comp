// crowd_scatter.comp: writes the lists: the skinned slots of each pool with their characters, and the slots of each view.
#version 450
#extension GL_GOOGLE_include_directive : require

#define CROWD_SET_TABLES 0
#define CROWD_SET_FRAME  1
#define CROWD_SET_WORK   3
#include "crowd/crowd_walk.glsl"

void main() {
    LayoutCrowdHead head = readHead(0u);
    uint block = threadIndex();
    if (block >= head.blocks) {
        return;
    }
    uint end = min((block + 1u) * CROWD_BLOCK, head.capacity);
    for (uint c = block * CROWD_BLOCK; c < end; c++) {
        uint resident = workWords[head.residents + c];
        if (resident == 0u) {
            continue;
        }
        uint key = workWords[head.keys + c];
        uint slot;
        uint index = poolOf(head, resident, slot);
        LayoutCrowdPool pool = readPool(head, index);
        uvec4 places;
        uint rank = countSlot(head, rankAt(head, index * CROWD_POOL_COLUMNS, block), key, places);
        if (rank < pool.slots) { // it is not if characters share slots
            frameWords[pool.skinned + rank] = slot;
            frameWords[pool.characters + rank] = c | ((key & CROWD_KEY_NEW) != 0u ? CROWD_SKINNED_NEW : 0u) |
                                                 ((key & CROWD_KEY_TELEPORTED) != 0u ? CROWD_SKINNED_TELEPORTED : 0u);
        }
        for (uint view = 0u; view < CROWD_VIEWS; view++) {
            if ((key >> view & 1u) != 0u && places.x < pool.slots) {
                frameWords[pool.lists + view * pool.slots + places.x] = slot;
            }
            places = places.yzwx;
        }
    }
}
