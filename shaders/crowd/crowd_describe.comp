// crowd_describe.comp: writes the records, poses, morph weights and skinning instances of the skinned slots: a thread for each
// slot that a pool could skin.
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

// copies: of the output of a slot
LayoutCrowdSlot describe(LayoutCrowdState state, LayoutCrowdCold cold, LayoutCrowdSlot last, uint who, uint copies) {
    uint copy = pass.copy;
    if ((who & (CROWD_SKINNED_NEW | CROWD_SKINNED_TELEPORTED)) != 0u) {
        crowdCopyTransform(last, state);
    } else {
        copy = min(last.copies & 0xffu, copies - 1u);
    }
    return LayoutCrowdSlot(CROWD_TRANSFORM_FIELDS(OF_STATE, transform) CROWD_TRANSFORM_FIELDS(OF_LAST, transform)
        cold.variation, who & CROWD_SKINNED_CHARACTER, pass.copy | copy << 8, cold.generation);
}

void writeInstances(LayoutCrowdPool pool, uint entry, uint slot) {
    for (uint p = 0u; p < pool.partCount; p++) {
        LayoutCrowdPart part = readPartAt(pool.partsAt + p * CROWD_PART_WORDS);
        uint at = part.instances + entry * LAYOUT_INSTANCE_WORDS;
        frameWords[at] = slot * pool.paletteUnits;
        frameWords[at + 1u] = slot * pool.outputWords + pass.copy * pool.copyWords + part.place;
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
    uint record = pool.records + slot * CROWD_SLOT_WORDS;
    writeSlot(record, describe(state, cold, readSlot(record), who, head.copies));
    LayoutCrowdPose pose = crowdPoseOf(state, cold, head.clipCount, pass.tick);
    writePose(pool.poses + slot * CROWD_POSE_WORDS, pose);
    if (pool.morphWords != 0u) {
        writeMorphs(pose, readModel(head, pool.model).morphsAt, pool.morphs + slot * pool.morphWords);
    }
    writeInstances(pool, entry, slot);
}
