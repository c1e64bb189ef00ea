// crowd_walk.glsl: what passes share in which a thread walks a block of characters, one after the other. So ranks in a
// block are those of a loop, without atomics and barriers.
#ifndef CROWD_WALK_GLSL
#define CROWD_WALK_GLSL

#include "crowd/crowd_buffers.glsl"

uint countAt(LayoutCrowdHead head, uint column, uint block) {
    return head.counts + column * head.blocks + block;
}

uint rankAt(LayoutCrowdHead head, uint column, uint block) {
    return head.ranks + column * head.blocks + block;
}

void clearColumns(LayoutCrowdHead head, uint columns, uint block) {
    for (uint c = 0u; c < columns; c++) {
        workWords[countAt(head, c, block)] = 0u;
    }
}

// Counts a character in the columns of its pool. at: the block's word in the first one. Returns its rank, and its places in
// the lists of the views. All words are read before the first one is written: a load that follows a store waits for it.
uint countSlot(LayoutCrowdHead head, uint at, uint key, out uvec4 places) {
    uvec4 views = at + head.blocks * uvec4(1u, 2u, 3u, 4u);
    uint rank = workWords[at];
    places = uvec4(workWords[views.x], workWords[views.y], workWords[views.z], workWords[views.w]);
    uvec4 after = places + (uvec4(key, key >> 1, key >> 2, key >> 3) & 1u);
    workWords[at] = rank + 1u;
    workWords[views.x] = after.x;
    workWords[views.y] = after.y;
    workWords[views.z] = after.z;
    workWords[views.w] = after.w;
    return rank;
}

// Returns the rank of the next character of a column, and counts it.
uint takeRank(LayoutCrowdHead head, uint column, uint block) {
    uint at = rankAt(head, column, block);
    uint rank = workWords[at];
    workWords[at] = rank + 1u;
    return rank;
}

// The model of a slot. Older frames wrote residents: any bits.
uint modelOf(LayoutCrowdHead head, uint resident) {
    return min(resident >> CROWD_RESIDENT_SHIFT, head.modelCount - 1u);
}

// What a character needs of the slots.
struct Need {
    bool frees, wants, mayYield;
    uint oldModel, model; // models of the slot that the character has, and of the slot that it wants
    uint wish;            // CROWD_WANTS_
};

Need needOf(LayoutCrowdHead head, uint key, uint resident) {
    uint views = key & CROWD_KEY_VIEWS;
    Need need;
    need.oldModel = modelOf(head, resident);
    need.model = key >> CROWD_KEY_MODEL_SHIFT;
    need.wish = (views & pass.colours) != 0u ? CROWD_WANTS_COLOUR : CROWD_WANTS_SHADOW;
    bool has = (resident & CROWD_RESIDENT_SLOT) != 0u;
    bool keeps = has && views != 0u && need.oldModel == need.model;
    need.frees = has && !keeps;
    need.wants = views != 0u && !keeps;
    need.mayYield = keeps && need.wish == CROWD_WANTS_SHADOW;
    return need;
}

// How many of those who want a slot of a model get one, and how many yield one.
struct Grant {
    uint head, free, used;
    uint colours, shadows, yields;
};

Grant grantOf(LayoutCrowdModel model, uint totals) {
    Grant grant;
    grant.head = workWords[model.ring + CROWD_RING_HEAD];
    grant.used = workWords[model.ring + CROWD_RING_USED];
    grant.free = model.slots - grant.used;
    grant.colours = min(workWords[totals + CROWD_WANTS_COLOUR], grant.free);
    grant.shadows = min(workWords[totals + CROWD_WANTS_SHADOW], grant.free - grant.colours);
    grant.yields = min(workWords[totals + CROWD_MAY_YIELD], workWords[totals + CROWD_WANTS_COLOUR] - grant.colours);
    return grant;
}

// The pool of a slot, and the slot counted from its first one.
uint poolOf(LayoutCrowdHead head, uint resident, out uint slot) {
    LayoutCrowdModel model = readModel(head, modelOf(head, resident));
    uint index = min((resident & CROWD_RESIDENT_SLOT) - 1u, model.slots - 1u);
    uint pool = index / model.poolSlots;
    slot = index - pool * model.poolSlots;
    return model.firstPool + pool;
}

#endif
