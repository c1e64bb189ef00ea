#include "null_morphs.h"

static uint32_t countBits(uint32_t word) {
    uint32_t count = 0;
    for (; word != 0; word &= word - 1) {
        count++;
    }
    return count;
}

static void readUnused(NullAccess *access, uint32_t stream, uint32_t delta) {
    float unused[3];
    if (stream != 0) {
        nullReadFloats(access, LAYOUT_SET_MESH, stream + delta * 3, 3, unused);
    }
}

static void addDelta(NullAccess *access, const LayoutMorph *morph, uint32_t delta, float weight, NullMorphShape shape,
                     float point[3]) {
    if (morph->positions != 0) {
        float moved[3];
        nullReadFloats(access, LAYOUT_SET_MESH, morph->positions + delta * shape.positionWords, shape.positionWords,
                       moved);
        for (uint32_t i = 0; i < shape.positionWords; i++) {
            point[i] += weight * moved[i];
        }
    }
    readUnused(access, shape.attributes >= 1 ? morph->normals : 0, delta);
    readUnused(access, shape.attributes == 2 ? morph->tangents : 0, delta);
}

void nullAddMorphs(NullAccess *access, uint32_t at, uint32_t count, uint32_t place, NullMorphShape shape,
                   float point[3]) {
    uint32_t bit = 1u << place % 32;
    for (uint32_t i = 0; !access->failed && i < count; i++, at += LAYOUT_MORPH_WEIGHT_WORDS) {
        LayoutMorph morph;
        nullReadStruct(access, LAYOUT_SET_MESH, nullReadWord(access, LAYOUT_SET_TABLE, at), LAYOUT_MORPH_WORDS, &morph);
        uint32_t block = place / 32 - morph.firstBlock; /* wraps around before the first */
        if (block >= morph.blockCount) {
            continue;
        }
        uint32_t moved = nullReadWord(access, LAYOUT_SET_MESH, morph.blocks + block * 2);
        if ((moved & bit) != 0) {
            uint32_t before = nullReadWord(access, LAYOUT_SET_MESH, morph.blocks + block * 2 + 1);
            float weight = nullReadFloat(access, LAYOUT_SET_TABLE, at + 1);
            addDelta(access, &morph, before + countBits(moved & (bit - 1)), weight, shape, point);
        }
    }
}
