/*
 * Morph targets as they lie on the device, looked up as the kernels do: a bit and a rank in blocks of 32 vertices.
 */

#include "host_doubles.h"
#include "mesh_pack.h"

#define VERTICES 200u
#define TARGETS  4u
#define START    3u /* word at which the targets begin */

/* Sorted vertices stand the other way round. */
static uint32_t placeOf(uint32_t vertex) {
    return VERTICES - 1 - vertex;
}

typedef struct Packed {
    VkskinMeshDef def;
    VkskinMorphTarget targets[TARGETS];
    uint32_t places[VERTICES];
    LayoutMorph heads[TARGETS];
    uint64_t words;
    uint32_t *data; /* [words] */
} Packed;

static float deltaOf(uint32_t vertex, uint32_t component) {
    return (float)(10 * vertex + component + 1);
}

static const uint32_t some[] = {70, 5, 64, 63, 32, 199};
static float someDeltas[6][3], allDeltas[VERTICES][3];

static void fillTargets(Packed *packed) {
    for (uint32_t i = 0; i < 6 * 3; i++) {
        someDeltas[i / 3][i % 3] = deltaOf(some[i / 3], i % 3);
    }
    for (uint32_t i = 0; i < VERTICES * 3; i++) {
        allDeltas[i / 3][i % 3] = deltaOf(i / 3, i % 3);
    }
    packed->targets[0] = (VkskinMorphTarget){.vertexCount = 6,
                                             .vertices = some,
                                             .positions = someDeltas[0],
                                             .normals = someDeltas[0],
                                             .tangents = someDeltas[0]};
    packed->targets[1] = (VkskinMorphTarget){.vertexCount = VERTICES, .normals = allDeltas[0]};
    packed->targets[2] = (VkskinMorphTarget){.vertexCount = 0, .positions = someDeltas[0]};
    packed->targets[3] = (VkskinMorphTarget){.vertexCount = 1, .vertices = some, .positions = someDeltas[0]};
}

static void pack(Packed *packed, bool normals) {
    static const float up[3] = {0, 0, 1};
    *packed = (Packed){.def = vkskinDefaultMeshDef()};
    fillTargets(packed);
    packed->def.vertexCount = VERTICES;
    packed->def.normals = normals ? up : NULL;
    packed->def.morphTargets = packed->targets;
    packed->def.morphTargetCount = TARGETS;
    for (uint32_t v = 0; v < VERTICES; v++) {
        packed->places[v] = placeOf(v);
    }
    packed->words = sknPlanMorphs(&packed->def, packed->places, START, packed->heads);
    uint32_t *scratch = ownZeros(sknMorphScratch(&packed->def, packed->heads), sizeof *scratch);
    /* Once over zeros, once over ones: what is the same was written. */
    uint32_t *other = ownZeros(packed->words, sizeof *other);
    packed->data = ownZeros(packed->words, sizeof *packed->data);
    memset(other, 0xff, packed->words * sizeof *other);
    sknWriteMorphs(&packed->def, packed->places, packed->heads, scratch, packed->data);
    sknWriteMorphs(&packed->def, packed->places, packed->heads, scratch, other);
    assert_memory_equal(packed->data + START, other + START, (packed->words - START) * sizeof *other);
}

static uint32_t bitsBelow(uint32_t word, uint32_t bit) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < bit; i++) {
        count += word >> i & 1u;
    }
    return count;
}

/* The delta's number, or UINT32_MAX where the target does not move the vertex. */
static uint32_t find(const Packed *packed, uint32_t target, uint32_t vertex) {
    const LayoutMorph *head = &packed->heads[target];
    uint32_t place = placeOf(vertex);
    uint32_t block = place / 32 - head->firstBlock;
    if (block >= head->blockCount) {
        return UINT32_MAX;
    }
    const uint32_t *words = packed->data + head->blocks + 2 * (size_t)block;
    return (words[0] >> place % 32 & 1u) != 0 ? words[1] + bitsBelow(words[0], place % 32) : UINT32_MAX;
}

static bool isMoved(const Packed *packed, uint32_t target, uint32_t vertex) {
    const VkskinMorphTarget *given = &packed->targets[target];
    for (uint32_t i = 0; i < given->vertexCount; i++) {
        if ((given->vertices != NULL ? given->vertices[i] : i) == vertex) {
            return true;
        }
    }
    return false;
}

static void checkStream(const Packed *packed, uint32_t stream, bool wanted, uint32_t delta, uint32_t vertex) {
    assert_int_equal(stream != 0, wanted);
    for (uint32_t k = 0; wanted && k < 3; k++) {
        float value;
        memcpy(&value, packed->data + stream + 3 * (size_t)delta + k, sizeof value);
        assert_true(value == deltaOf(vertex, k));
    }
}

static void checkAll(const Packed *packed, bool normals) {
    for (uint32_t t = 0; t < TARGETS; t++) {
        const VkskinMorphTarget *given = &packed->targets[t];
        for (uint32_t v = 0; v < VERTICES; v++) {
            uint32_t delta = find(packed, t, v);
            assert_int_equal(delta != UINT32_MAX, isMoved(packed, t, v));
            if (delta != UINT32_MAX) {
                checkStream(packed, packed->heads[t].positions, given->positions != NULL, delta, v);
                checkStream(packed, packed->heads[t].normals, normals && given->normals != NULL, delta, v);
                checkStream(packed, packed->heads[t].tangents, false, delta, v);
            }
        }
    }
}

OWNING_TEST(everyDeltaIsFound) {
    Packed packed;
    pack(&packed, true); /* without tangents */
    checkAll(&packed, true);
    /* Blocks 0 (the last vertex's) to 6; six deltas of positions and of normals. Then all; then nothing; then one. */
    assert_int_equal(packed.heads[0].firstBlock, 0);
    assert_int_equal(packed.heads[0].blockCount, 7);
    assert_int_equal(packed.heads[2].blockCount, 0);
    assert_int_equal(packed.heads[3].firstBlock, placeOf(70) / 32);
    assert_int_equal(packed.heads[3].blockCount, 1);
    assert_int_equal(packed.words - START, (14 + 18 + 18) + (14 + 600) + 0 + (2 + 3));
}

OWNING_TEST(deltasOfNothingAreLeftOut) {
    Packed packed;
    pack(&packed, false);
    checkAll(&packed, false);
    assert_int_equal(packed.words - START, (14 + 18) + 14 + 0 + (2 + 3));
}
