// crowd_decide.comp: decides for each character, by its class and its rank, which slot it gets: it changes the keys. Counts for
// each block the slots that groups give, and those that are free from the next frame on.
#version 450
#extension GL_GOOGLE_include_directive : require

#define CROWD_SET_TABLES 0
#define CROWD_SET_WORK   3
#include "crowd/crowd_walk.glsl"
#define GRANT_WORD(at) workWords[at] // not used here
#include "crowd/crowd_grant.h"

uint takeOf(LayoutCrowdGrant grant, uint finer) {
    return finer == 0u ? grant.take0 : finer == 1u ? grant.take1 : finer == 2u ? grant.take2 : grant.take3;
}

// The level, counted from that of its wish, that gives a newcomer a slot. CROWD_LEVELS: none.
uint levelFor(LayoutCrowdHead head, LayoutCrowdGroup group, Need need, uint block) {
    uint cut = cutOf(head, group, need);
    uint rank = cut < CROWD_LEVELS ? takeRank(head, group.rankAt + cut, block) : 0u;
    uint before = 0u;
    for (uint level = 0u; level <= min(group.coarser, CROWD_LEVELS - 1u); level++) {
        LayoutCrowdGrant grant = readGrant(head, need.group + level);
        uint take = takeOf(grant, level);
        if (crowdGets(grant.above, take, before, need.grade, rank)) {
            return level;
        }
        before += need.grade + 1u == grant.above ? take : 0u;
    }
    return CROWD_LEVELS;
}

// Whether a character may change to the level that it wishes.
bool mayChange(LayoutCrowdHead head, LayoutCrowdGroup group, Need need, uint block) {
    LayoutCrowdGrant grant = readGrant(head, need.group);
    uint rank = need.grade + 1u == grant.above ? takeRank(head, group.rankAt + group.coarser + 1u, block) : 0u;
    return crowdGets(grant.above, grant.takeChangers, 0u, need.grade, rank);
}

bool yieldsSlot(LayoutCrowdHead head, Need need, uint block) {
    LayoutCrowdGrant grant = readGrant(head, need.old);
    if (need.grade != grant.yieldBelow) {
        return need.grade < grant.yieldBelow;
    }
    LayoutCrowdGroup group = readGroup(head, need.old);
    return takeRank(head, group.rankAt + group.coarser + 2u, block) >= grant.keep;
}

void count(LayoutCrowdHead head, uint group, uint column, uint block) {
    workWords[countAt(head, group * CROWD_GRANT_COLUMNS + column, block)]++;
}

// Returns the key with what is decided.
uint decide(LayoutCrowdHead head, Need need, uint key, uint block) {
    bool yields = need.holds && yieldsSlot(head, need, block);
    if (need.wants) {
        LayoutCrowdGroup group = readGroup(head, need.group);
        uint level = 0u;
        if (need.holds) {
            level = mayChange(head, group, need, block) ? 0u : CROWD_LEVELS;
        } else {
            level = levelFor(head, group, need, block);
        }
        if (level < CROWD_LEVELS) {
            return key | level << CROWD_KEY_SPILL_SHIFT | CROWD_KEY_NEW;
        }
    }
    return yields ? key | CROWD_KEY_YIELDS : key;
}

void main() {
    LayoutCrowdHead head = readHead(0u);
    uint block = threadIndex();
    if (block >= head.blocks) {
        return;
    }
    clearColumns(head, head.groupCount * CROWD_GRANT_COLUMNS, block);
    uint end = min((block + 1u) * CROWD_BLOCK, head.capacity);
    for (uint c = block * CROWD_BLOCK; c < end; c++) {
        uint key = workWords[head.keys + c];
        Need need = needOf(head, key, workWords[head.residents + c]);
        if (!need.leaves && !need.holds && !need.wants) {
            continue;
        }
        uint decided = decide(head, need, key, block);
        if (decided != key) {
            workWords[head.keys + c] = decided;
        }
        bool given = (decided & CROWD_KEY_NEW) != 0u;
        if (given) {
            count(head, givenOf(head, need, decided), CROWD_GRANTED, block);
        }
        if (need.leaves || (need.holds && given) || (decided & CROWD_KEY_YIELDS) != 0u) {
            count(head, need.old, CROWD_FREED, block);
        }
    }
}
