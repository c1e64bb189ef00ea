// crowd_assign.comp: takes and gives the slots that were decided, and counts for each block what every pool will list.
//
// Slots are taken from the head of the ring of free slots, and freed slots are put behind its tail: the two never meet in
// one frame.
#version 450
#extension GL_GOOGLE_include_directive : require

#define CROWD_SET_TABLES 0
#define CROWD_SET_FRAME  1
#define CROWD_SET_WORK   3
#include "crowd/crowd_walk.glsl"

// Puts the slot of a character behind the tail.
void freeSlot(LayoutCrowdHead head, uint index, uint resident, uint block) {
    LayoutCrowdGroup group = readGroup(head, index);
    uint rank = takeRank(head, index * CROWD_GRANT_COLUMNS + CROWD_FREED, block);
    uint free = group.slots - workWords[group.ring + CROWD_RING_USED];
    uint place = (workWords[group.ring + CROWD_RING_HEAD] + free + rank) % group.slots;
    workWords[group.ring + CROWD_RING_SLOTS + place] = resident & CROWD_RESIDENT_SLOT;
}

// Returns the new resident word.
uint takeSlot(LayoutCrowdHead head, uint index, uint block) {
    LayoutCrowdGroup group = readGroup(head, index);
    uint rank = takeRank(head, index * CROWD_GRANT_COLUMNS + CROWD_GRANTED, block);
    uint place = (workWords[group.ring + CROWD_RING_HEAD] + rank) % group.slots;
    uint entry = workWords[group.ring + CROWD_RING_SLOTS + place];
    return index << CROWD_RESIDENT_SHIFT | ((entry == 0u ? place : entry - 1u) + 1u);
}

// Returns the resident word of a character in this frame; 0: it has no slot.
uint assign(LayoutCrowdHead head, Need need, uint key, uint resident, uint block) {
    bool given = (key & CROWD_KEY_NEW) != 0u;
    bool yields = (key & CROWD_KEY_YIELDS) != 0u;
    if (need.leaves || (need.holds && (given || yields))) {
        freeSlot(head, need.old, resident, block);
    }
    if (given) {
        uint made = takeSlot(head, givenOf(head, need, key), block);
        uint slot;
        LayoutCrowdPool pool = readPool(head, poolOf(head, made, slot));
        frameWords[pool.olds + slot] = need.holds ? resident : 0u;
        return made;
    }
    return !need.holds ? 0u : yields ? resident | CROWD_RESIDENT_YIELDED : resident;
}

void countSlot(LayoutCrowdHead head, uint column, uint key, bool refreshed, uint block) {
    workWords[countAt(head, column + CROWD_SKINNED, block)]++;
    workWords[countAt(head, column + CROWD_REFRESHED, block)] += refreshed ? 1u : 0u;
    for (uint view = CROWD_FIRST_VIEW; view < head.poolColumns; view++) {
        workWords[countAt(head, column + view, block)] += key & 1u;
        key >>= 1;
    }
}

void main() {
    LayoutCrowdHead head = readHead(0u);
    uint block = threadIndex();
    if (block >= head.blocks) {
        return;
    }
    clearColumns(head, head.poolCount * head.poolColumns, block);
    uint end = min((block + 1u) * CROWD_BLOCK, head.capacity);
    for (uint c = block * CROWD_BLOCK; c < end; c++) {
        uint key = workWords[head.keys + c];
        uint old = workWords[head.residents + c];
        if (old == 0u && (key & CROWD_KEY_NEW) == 0u) {
            continue;
        }
        uint resident = assign(head, needOf(head, key, old), key, old, block);
        if (resident != old) {
            workWords[head.residents + c] = resident;
        }
        if (resident == 0u) {
            continue;
        }
        uint slot;
        uint index = poolOf(head, resident, slot);
        countSlot(head, index * head.poolColumns, key, isRefreshed(head, key, resident, c), block);
    }
}
