// crowd_assign.comp: takes and gives slots, and counts for each block what every pool will list.
//
// Slots are taken from the head of the ring of free slots, and freed slots are put behind its tail: the two never meet in
// one frame.
#version 450
#extension GL_GOOGLE_include_directive : require

#define CROWD_SET_TABLES 0
#define CROWD_SET_WORK   3
#include "crowd/crowd_walk.glsl"

// Puts the slot of a character behind the tail. Returns false if it may yield its slot, but keeps it.
bool freeSlot(LayoutCrowdHead head, Need need, uint resident, uint block) {
    LayoutCrowdModel model = readModel(head, need.oldModel);
    uint column = need.oldModel * CROWD_MODEL_COLUMNS;
    Grant grant = grantOf(model, head.totals + column);
    uint rank = takeRank(head, column + (need.frees ? CROWD_FREES : CROWD_MAY_YIELD), block);
    if (need.mayYield) {
        uint keep = workWords[head.totals + column + CROWD_MAY_YIELD] - grant.yields;
        if (rank < keep) {
            return false;
        }
        rank += workWords[head.totals + column + CROWD_FREES] - keep;
    }
    uint place = (grant.head + grant.free + rank) % model.slots;
    workWords[model.ring + CROWD_RING_SLOTS + place] = resident & CROWD_RESIDENT_SLOT;
    return true;
}

// Returns the new resident word; 0 if there is no slot left.
uint takeSlot(LayoutCrowdHead head, Need need, uint block) {
    LayoutCrowdModel model = readModel(head, need.model);
    uint column = need.model * CROWD_MODEL_COLUMNS;
    Grant grant = grantOf(model, head.totals + column);
    uint rank = takeRank(head, column + need.wish, block);
    bool colour = need.wish == CROWD_WANTS_COLOUR;
    if (rank >= (colour ? grant.colours : grant.shadows)) {
        return 0u;
    }
    rank += colour ? 0u : grant.colours;
    uint place = (grant.head + rank) % model.slots;
    uint entry = workWords[model.ring + CROWD_RING_SLOTS + place];
    return need.model << CROWD_RESIDENT_SHIFT | ((entry == 0u ? place : entry - 1u) + 1u);
}

void main() {
    LayoutCrowdHead head = readHead(0u);
    uint block = threadIndex();
    if (block >= head.blocks) {
        return;
    }
    clearColumns(head, head.poolCount * CROWD_POOL_COLUMNS, block);
    uint end = min((block + 1u) * CROWD_BLOCK, head.capacity);
    for (uint c = block * CROWD_BLOCK; c < end; c++) {
        uint key = workWords[head.keys + c];
        uint resident = workWords[head.residents + c];
        Need need = needOf(head, key, resident);
        bool frees = (need.frees || need.mayYield) && freeSlot(head, need, resident, block);
        resident = frees ? 0u : resident;
        if (need.wants) {
            resident = takeSlot(head, need, block);
            if (resident != 0u) {
                workWords[head.keys + c] = key | CROWD_KEY_NEW;
            }
        }
        if (frees || need.wants) {
            workWords[head.residents + c] = resident;
        }
        if (resident == 0u) {
            continue;
        }
        uint slot;
        uvec4 places;
        countSlot(head, countAt(head, poolOf(head, resident, slot) * CROWD_POOL_COLUMNS, block), key, places);
    }
}
