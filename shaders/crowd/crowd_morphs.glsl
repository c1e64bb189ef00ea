// crowd_morphs.glsl: writes the morph weights of a slot. Defined before: the tables and the frame.
#ifndef CROWD_MORPHS_GLSL
#define CROWD_MORPHS_GLSL

LAYOUT_READER(LayoutCrowdMorphs, readMorphs, CROWD_MORPHS_FIELDS, READ_TABLE_WORD)
LAYOUT_READER(LayoutCrowdMorphClip, readMorphClip, CROWD_MORPH_CLIP_FIELDS, READ_TABLE_WORD)
LAYOUT_READER(LayoutCrowdMorphPart, readMorphPart, CROWD_MORPH_PART_FIELDS, READ_TABLE_WORD)

// Two rows of a clip, word offsets in the tables, and the fraction from the first to the second.
struct MorphRows {
    uint row, next;
    float fraction;
};

MorphRows morphRowsAt(LayoutCrowdMorphs morphs, uint clip, uint phase) {
    LayoutCrowdMorphClip found = readMorphClip(morphs.clips + clip * CROWD_MORPH_CLIP_WORDS);
    uint low = 0u;
    uint high = found.rowCount;
    while (high - low > 1u) { // the last row that is not after the phase
        uint middle = (low + high) / 2u;
        if (tableWords[found.phases + middle] <= phase) {
            low = middle;
        } else {
            high = middle;
        }
    }
    uint row = found.weights + low * morphs.count;
    if (high == found.rowCount) {
        return MorphRows(row, row, 0.0);
    }
    uint from = tableWords[found.phases + low];
    return MorphRows(row, row + morphs.count, float(phase - from) / float(tableWords[found.phases + high] - from));
}

float morphWeightAt(MorphRows rows, uint index) {
    return mix(uintBitsToFloat(tableWords[rows.row + index]), uintBitsToFloat(tableWords[rows.next + index]),
               rows.fraction);
}

// morphsAt: LayoutCrowdModel.morphsAt. at: word offset of the weights of the slot in the frame. Writes those that are not 0.
void writeMorphs(LayoutCrowdPose pose, uint morphsAt, uint at) {
    LayoutCrowdMorphs morphs = readMorphs(morphsAt);
    float weight = uintBitsToFloat(pose.weight);
    MorphRows a = morphRowsAt(morphs, pose.clips & 0xffffu, pose.phaseA);
    MorphRows b = a;
    if (weight > 0.0) {
        b = morphRowsAt(morphs, pose.clips >> 16, pose.phaseB);
    }
    uint first = 0u;
    for (uint p = 0u; p < morphs.partCount; p++) {
        LayoutCrowdMorphPart part = readMorphPart(morphs.parts + p * CROWD_MORPH_PART_WORDS);
        uint before = 0u;
        uint entries = 0u;
        for (uint i = 0u; i < part.count; i++) {
            float value = mix(morphWeightAt(a, first + i), morphWeightAt(b, first + i), weight);
            if (value != 0.0) {
                entries++;
                before += i < part.before ? 1u : 0u;
                frameWords[at + entries * LAYOUT_MORPH_WEIGHT_WORDS] = tableWords[morphs.targets + first + i];
                frameWords[at + entries * LAYOUT_MORPH_WEIGHT_WORDS + 1u] = floatBitsToUint(value);
            }
        }
        if (part.count > 0u) {
            frameWords[at] = before;
            frameWords[at + 1u] = entries - before;
            at += (1u + part.count) * LAYOUT_MORPH_WEIGHT_WORDS;
        }
        first += part.count;
    }
}

#endif
