// crowd_walk.glsl: what the passes share that give slots and make lists. In most of them a thread walks a block of characters,
// one after the other. So ranks in a block are those of a loop, without atomics and barriers.
#ifndef CROWD_WALK_GLSL
#define CROWD_WALK_GLSL

#include "crowd/crowd_buffers.glsl"

#define READ_WORK_WORD(field) value.field = workWords[at++];
LAYOUT_READER(LayoutCrowdGrant, readGrantAt, CROWD_GRANT_FIELDS, READ_WORK_WORD)

LayoutCrowdGrant readGrant(LayoutCrowdHead head, uint group) {
    return readGrantAt(head.grants + group * CROWD_GRANT_WORDS);
}

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

// Returns the rank of the next character of a column, and counts it.
uint takeRank(LayoutCrowdHead head, uint column, uint block) {
    uint at = rankAt(head, column, block);
    uint rank = workWords[at];
    workWords[at] = rank + 1u;
    return rank;
}

// The group of a slot. Older frames wrote residents: any bits.
uint groupOf(LayoutCrowdHead head, uint resident) {
    return min(resident >> CROWD_RESIDENT_SHIFT & CROWD_RESIDENT_GROUP, head.groupCount - 1u);
}

// What a character needs of the slots.
struct Need {
    bool leaves;        // its slot is free from the next frame on
    bool holds;         // it has a slot, and may keep it
    bool wants;         // it needs a slot of `group`
    uint old, group;    // groups of the slot that it has, and that it wishes
    uint grade;         // its class
};

Need needOf(LayoutCrowdHead head, uint key, uint resident) {
    bool seen = (key & CROWD_KEY_VIEWS) != 0u;
    bool has = (resident & CROWD_RESIDENT_SLOT) != 0u && (resident & CROWD_RESIDENT_YIELDED) == 0u;
    Need need;
    need.old = groupOf(head, resident);
    need.group = min(key >> CROWD_KEY_GROUP_SHIFT, head.groupCount - 1u);
    need.grade = key >> CROWD_KEY_CLASS_SHIFT & (CROWD_CLASSES - 1u);
    need.holds = false;
    if (has && seen) {
        LayoutCrowdGroup group = readGroup(head, need.group);
        need.holds = need.old - group.firstGroup <= group.level + group.coarser;
    }
    need.leaves = has && !need.holds;
    need.wants = seen && !(need.holds && need.old == need.group);
    return need;
}

// The group of the slot that a character gets.
uint givenOf(LayoutCrowdHead head, Need need, uint key) {
    return min(need.group + ((key & CROWD_KEY_SPILL) >> CROWD_KEY_SPILL_SHIFT), head.groupCount - 1u);
}

// The newcomer's column of ranks: that of the first level that cuts its class. CROWD_LEVELS: it needs none.
uint cutOf(LayoutCrowdHead head, LayoutCrowdGroup group, Need need) {
    for (uint level = 0u; level <= min(group.coarser, CROWD_LEVELS - 1u); level++) {
        uint above = readGrant(head, need.group + level).above;
        if (need.grade >= above) {
            return CROWD_LEVELS;
        }
        if (need.grade + 1u == above) {
            return level;
        }
    }
    return CROWD_LEVELS;
}

// The pool of a slot, and the slot counted from its first one.
uint poolOf(LayoutCrowdHead head, uint resident, out uint slot) {
    LayoutCrowdGroup group = readGroup(head, groupOf(head, resident));
    uint index = min((resident & CROWD_RESIDENT_SLOT) - 1u, group.slots - 1u);
    uint pool = index / group.poolSlots;
    slot = index - pool * group.poolSlots;
    return group.firstPool + pool;
}

// Whether the slot of a character is posed and skinned in this frame.
bool isRefreshed(LayoutCrowdHead head, uint key, uint resident, uint character) {
    uint interval = readGroup(head, groupOf(head, resident)).interval;
    return (key & CROWD_KEY_REFRESHES) != 0u ||
           (pass.number + character & interval - 1u) == 0u;
}

#endif
