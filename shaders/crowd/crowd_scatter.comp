// crowd_scatter.comp: writes the lists: the slots of each pool with their characters, those that are refreshed, and those of
// each view.
#version 450
#extension GL_GOOGLE_include_directive : require

#define CROWD_SET_TABLES 0
#define CROWD_SET_FRAME  1
#define CROWD_SET_WORK   3
#include "crowd/crowd_walk.glsl"

uint flagsOf(uint key, uint resident, bool refreshed) {
    return ((key & CROWD_KEY_NEW) != 0u ? CROWD_SKINNED_NEW : 0u) |
           ((key & CROWD_KEY_TELEPORTED) != 0u ? CROWD_SKINNED_TELEPORTED : 0u) |
           ((key & CROWD_KEY_PARTED) != 0u ? CROWD_SKINNED_PARTED : 0u) |
           ((resident & CROWD_RESIDENT_YIELDED) != 0u ? CROWD_SKINNED_YIELDED : 0u) |
           (refreshed ? CROWD_SKINNED_REFRESHED : 0u);
}

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
        uint column = index * head.poolColumns;
        uint rank = takeRank(head, column + CROWD_SKINNED, block);
        bool refreshed = isRefreshed(head, key, resident, c);
        uint place = refreshed ? takeRank(head, column + CROWD_REFRESHED, block) : 0u;
        if (rank < pool.slots) { // it is not if characters share slots
            frameWords[pool.skinned + rank] = slot;
            frameWords[pool.characters + rank] = c | flagsOf(key, resident, refreshed);
            frameWords[pool.entries + rank] = place;
        }
        if (refreshed && place < pool.slots) {
            frameWords[pool.refreshed + place] = slot;
        }
        for (uint view = 0u; view < head.poolColumns - CROWD_FIRST_VIEW; view++) {
            if ((key >> view & 1u) != 0u) {
                uint place = takeRank(head, column + CROWD_FIRST_VIEW + view, block);
                if (place < pool.slots) {
                    frameWords[pool.lists + view * pool.slots + place] = slot;
                }
            }
        }
    }
}
