// crowd_describe.comp: writes the records of the slots that have a character, and poses, morph weights and skinning instances
// of those that are refreshed: a thread for each slot of a pool.
#version 450
#extension GL_GOOGLE_include_directive : require

#define CROWD_SET_TABLES 0
#define CROWD_SET_STATES 1
#define CROWD_SET_COLDS  2
#define CROWD_SET_FRAME  3
#include "crowd/crowd_buffers.glsl"
#include "crowd/crowd_morphs.glsl"
#include "crowd/crowd_rules.h"

#define READ_FRAME_WORD(field)  value.field = frameWords[at++];
#define WRITE_FRAME_WORD(field) frameWords[at++] = value.field;
LAYOUT_READER(LayoutCrowdSlot, readSlot, CROWD_SLOT_FIELDS, READ_FRAME_WORD)

void writeSlot(uint at, LayoutCrowdSlot value) {
    CROWD_SLOT_FIELDS(WRITE_FRAME_WORD)
}

void writePose(uint at, LayoutCrowdPose value) {
    CROWD_POSE_FIELDS(WRITE_FRAME_WORD)
}

// The pool of the thread with an index: the last one whose first slot is not above it.
uint findPool(LayoutCrowdHead head, uint index) {
    uint low = 0u;
    uint high = head.poolCount;
    while (high - low > 1u) {
        uint middle = (low + high) / 2u;
        if (tableWords[head.poolsAt + middle * CROWD_POOL_WORDS + 1u] <= index) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

#define OF_STATE(field) state.field,
#define OF_LAST(field) last.field,

// The record of the slot that the character had in the last frame.
LayoutCrowdSlot lastRecord(LayoutCrowdHead head, LayoutCrowdPool pool, uint slot, uint who) {
    LayoutCrowdSlot last = readSlot(pool.records + slot * CROWD_SLOT_WORDS);
    uint old = (who & CROWD_SKINNED_NEW) != 0u ? frameWords[pool.olds + slot] : 0u;
    if (old != 0u) { // another level
        LayoutCrowdGroup group =
            readGroup(head, min(old >> CROWD_RESIDENT_SHIFT & CROWD_RESIDENT_GROUP, head.groupCount - 1u));
        uint index = min((old & CROWD_RESIDENT_SLOT) - 1u, group.slots - 1u);
        LayoutCrowdPool from = readPool(head, group.firstPool + index / group.poolSlots);
        LayoutCrowdSlot record = readSlot(from.records + index % group.poolSlots * CROWD_SLOT_WORDS);
        record.copies = last.copies;
        return record;
    }
    return last;
}

// last: see lastRecord. copies: of the output of a slot. changed: level or parts. Only slots that are refreshed go on to the next copy.
LayoutCrowdSlot describe(LayoutCrowdState state, LayoutCrowdCold cold, LayoutCrowdSlot last, uint who, uint copies,
                         bool changed) {
    uint copy = min(last.copies & 0xffu, copies - 1u);
    uint lastCopy = copy;
    if ((who & CROWD_SKINNED_REFRESHED) != 0u) {
        copy = copy + 1u < copies ? copy + 1u : 0u;
    }
    if ((who & CROWD_SKINNED_JUMPS) != 0u) {
        lastCopy = copy;
        if (!changed || (who & CROWD_SKINNED_TELEPORTED) != 0u) {
            crowdCopyTransform(last, state);
        }
    }
    return LayoutCrowdSlot(CROWD_TRANSFORM_FIELDS(OF_STATE, transform) CROWD_TRANSFORM_FIELDS(OF_LAST, transform)
        cold.variation, who & CROWD_SKINNED_CHARACTER, copy | lastCopy << 8, cold.generation);
}

void writeInstances(LayoutCrowdPool pool, uint entry, uint slot, uint copy) {
    for (uint p = 0u; p < pool.partCount; p++) {
        LayoutCrowdPart part = readPartAt(pool.partsAt + p * CROWD_PART_WORDS);
        uint at = part.instances + entry * LAYOUT_INSTANCE_WORDS;
        frameWords[at] = slot * pool.paletteUnits;
        frameWords[at + 1u] = slot * pool.outputWords + copy * pool.copyWords + part.place;
        frameWords[at + 2u] = part.morphs == 0u ? 0u : part.morphs + slot * pool.morphWords;
    }
}

void main() {
    LayoutCrowdHead head = readHead(0u);
    uint index = threadIndex();
    if (index >= head.slotCount) {
        return;
    }
    LayoutCrowdPool pool = readPool(head, findPool(head, index));
    uint entry = index - pool.firstSlot;
    if (entry >= frameWords[pool.counts + CROWD_SKINNED]) {
        return;
    }
    uint slot = frameWords[pool.skinned + entry];
    uint who = frameWords[pool.characters + entry];
    LayoutCrowdState state = states[who & CROWD_SKINNED_CHARACTER];
    LayoutCrowdCold cold = colds[who & CROWD_SKINNED_CHARACTER];
    bool changed = (who & CROWD_SKINNED_NEW) == 0u || frameWords[pool.olds + slot] != 0u;
    LayoutCrowdSlot record = describe(state, cold, lastRecord(head, pool, slot, who), who, head.copies, changed);
    writeSlot(pool.records + slot * CROWD_SLOT_WORDS, record);
    if ((who & CROWD_SKINNED_REFRESHED) == 0u) {
        return;
    }
    LayoutCrowdPose pose = crowdPoseOf(state, cold, head.clipCount, pass.tick);
    writePose(pool.poses + slot * CROWD_POSE_WORDS, pose);
    if (pool.morphWords != 0u) {
        writeMorphs(pose, readGroup(head, pool.group).morphsAt, pool.morphs + slot * pool.morphWords);
    }
    writeInstances(pool, min(frameWords[pool.entries + entry], pool.slots - 1u), slot, record.copies & 0xffu);
}
