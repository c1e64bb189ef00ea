/*
 * Which kernels there are, which share a place, and which are made for a def.
 */

#include "kernels.h"
#include "test.h"

#define SPIRV_MAGIC UINT32_C(0x07230203)

/* As vkskin_base.h lists them. */
static bool reads(uint32_t method, uint32_t encoding) {
#define IS_PAIR(m, e) || (method == VKSKIN_METHOD_##m && encoding == VKSKIN_PALETTE_##e)
    return false VKSKIN_METHOD_ENCODINGS(IS_PAIR);
}

TEST(methodsReadTheirEncodings) {
    uint32_t pairs = 0;
    for (uint32_t method = 0; method <= VKSKIN_METHOD_COUNT; method++) {
        for (uint32_t encoding = 0; encoding <= VKSKIN_PALETTE_ENCODING_COUNT; encoding++) {
            uint32_t pair = sknFindMethodPair((VkskinMethod)method, (VkskinPaletteEncoding)encoding);
            assert_int_equal(vkskinMethodReads((VkskinMethod)method, (VkskinPaletteEncoding)encoding),
                             reads(method, encoding));
            assert_int_equal(pair != NO_PAIR, reads(method, encoding));
            pairs += pair != NO_PAIR;
        }
        assert_true(method == VKSKIN_METHOD_COUNT || reads(method, vkskinMethodEncoding((VkskinMethod)method)));
    }
    assert_int_equal(pairs, METHOD_PAIRS);
    assert_int_equal(vkskinMethodEncoding(VKSKIN_METHOD_LINEAR_BLEND), VKSKIN_PALETTE_MAT3X4);
    assert_int_equal(sknMethodPairs[sknPlainPair(3)].encoding, VKSKIN_PALETTE_MAT3X4);
    assert_int_equal(sknMethodPairs[sknPlainPair(2)].encoding, VKSKIN_PALETTE_MAT2X3);
}

static const KernelCode *codeOf(uint32_t index) {
    return &sknKernelCodes[index / KERNEL_CODES][index % KERNEL_CODES];
}

/* One that stood in another's place would skin by the wrong method. */
TEST(everyCodeIsAnother) {
    for (uint32_t i = 0; i < METHOD_PAIRS * KERNEL_CODES; i++) {
        const KernelCode *code = codeOf(i);
        assert_true(code->bytes > 1000 && code->bytes % 4 == 0);
        assert_int_equal(code->words[0], SPIRV_MAGIC);
        for (uint32_t k = 0; k < i; k++) {
            const KernelCode *other = codeOf(k);
            assert_true(code->bytes != other->bytes || memcmp(code->words, other->words, code->bytes) != 0);
        }
    }
}

/* Whether a field makes a kernel of its own. */
static bool hasFormat(const KernelVariant *variant) {
    return variant->attributes != KERNEL_POSITIONS;
}

static bool hasExact(const KernelVariant *variant) {
    return hasFormat(variant) && sknMethodPairs[variant->pair].stretches;
}

static bool isFlatPair(uint32_t pair) {
    return sknIsFlatEncoding(sknMethodPairs[pair].encoding);
}

static bool same(const KernelVariant *a, const KernelVariant *b) {
    return a->pair == b->pair && a->attributes == b->attributes && a->morphs == b->morphs &&
           a->influences == b->influences && a->ownLayout == b->ownLayout &&
           (!isFlatPair(a->pair) || a->influencePositions == b->influencePositions) &&
           (!hasFormat(a) || a->format == b->format) && (!hasExact(a) || a->normals == b->normals);
}

/* All combinations: a place leads back to a variant that is the same in all that matters to it. */
TEST(placesLeadBack) {
    static bool met[KERNEL_COUNT];
    uint32_t distinct = 0, expected = 0;
    for (uint32_t i = 0; i < KERNEL_COUNT; i++) {
        KernelVariant variant = sknKernelVariant(i);
        uint32_t index = sknKernelIndex(variant);
        assert_true(index < KERNEL_COUNT);
        KernelVariant back = sknKernelVariant(index);
        assert_true(same(&variant, &back));
        assert_int_equal(sknKernelIndex(back), index);
        distinct += !met[index];
        met[index] = true;
        KernelVariant none = variant;
        none.influences = 0;
        assert_int_equal(sknKernelOf(sknKernelIndex(none), variant.influences), index);
        uint32_t code = (variant.influences == LAYOUT_MANY ? KERNEL_CODE_MANY : KERNEL_CODE_PLAIN) |
                        (variant.morphs ? KERNEL_CODE_MORPHS : KERNEL_CODE_PLAIN);
        assert_int_equal(sknVariantCode(variant), code);
    }
    for (uint32_t pair = 0; pair < METHOD_PAIRS; pair++) {
        /* Positions alone, then normals and tangents of each format: six influence counts, with morphs and without, with
         * a layout and without; flat meshes have positions of vertices or of influences. */
        const uint32_t shapes = 1 + VKSKIN_VERTEX_FORMAT_COUNT * 2 * (sknMethodPairs[pair].stretches ? 2 : 1);
        expected += shapes * (isFlatPair(pair) ? 2 : 1) * KERNEL_INFLUENCES * 4;
    }
    assert_int_equal(distinct, expected);
}

static uint32_t countOf(const KernelSet *set) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < KERNEL_COUNT; i++) {
        count += set->has[i];
    }
    return count;
}

/* Sets of methods, encodings and formats have bit n for enumerator n here. */
static uint32_t countFormats(uint32_t methods, uint32_t encodings, uint32_t formats, uint32_t features) {
    KernelSet set = {0};
    VkskinPipelineDef def = {
        .methods = methods << 8, .encodings = encodings << 8, .formats = formats << 8, .features = features};
    assert_true(sknAsksForPairs(&def));
    sknWantFormats(&def, &set);
    return countOf(&set);
}

#define MAT2X3 (1u << VKSKIN_PALETTE_MAT2X3)

TEST(formatsWantAllMeshes) {
    /* Five classes of positions, normals, tangents. */
    assert_int_equal(countFormats(1, 0, 1, 0), 15);
    assert_int_equal(countFormats(1, 0, 3, 0), 25);
    assert_int_equal(countFormats(1, 0, 7, 0), 35);
    /* And with exact normals. */
    assert_int_equal(countFormats(1, 0, 1, VKSKIN_KERNEL_EXACT_NORMALS_BIT), 25);
    /* All twice. */
    assert_int_equal(countFormats(1, 0, 1, VKSKIN_KERNEL_LAYOUT_BIT), 30);
    /* All twice, and meshes without bones, solid and flat, with weights and without, whatever the method. */
    assert_int_equal(countFormats(1, 0, 1, VKSKIN_KERNEL_MORPHS_BIT), 2 * (15 + 3 + 1));
    assert_int_equal(countFormats(1u << VKSKIN_METHOD_PAINTED_BLEND, 0, 1, VKSKIN_KERNEL_MORPHS_BIT), 2 * (15 + 3 + 1));
    assert_int_equal(countFormats(1, MAT2X3, 3, 3), 2 * (5 + 5 + 1));
    assert_int_equal(countFormats(1, MAT2X3, 1, VKSKIN_KERNEL_INFLUENCE_POSITIONS_BIT), 10);
    assert_int_equal(countFormats(1, 1 | MAT2X3, 1, 0), 15 + 5);
    assert_int_equal(countFormats(31, 0, 1, 0), 5 * 15);
    VkskinPipelineDef none = {.methods = VKSKIN_METHOD_DUAL_QUATERNION_BIT, .encodings = VKSKIN_PALETTE_MAT3X4_BIT};
    assert_false(sknAsksForPairs(&none));
}

static uint32_t countMesh(const MeshNeeds *needs, uint32_t methods, uint32_t encodings) {
    KernelSet set = {0};
    VkskinPipelineDef def = {.methods = methods << 8, .encodings = encodings << 8};
    sknWantMesh(&def, needs, &set);
    return countOf(&set);
}

TEST(meshesWantTheirOwn) {
    MeshNeeds needs = {.dimensions = 3,
                       .attributes = KERNEL_TANGENTS,
                       .normals = VKSKIN_NORMALS_EXACT,
                       .influences = 1u << 1 | 1u << 4 | 1u << LAYOUT_MANY};
    assert_int_equal(countMesh(&needs, 1, 0), 3);
    assert_int_equal(countMesh(&needs, 31, 0), 3 * 3); /* no painted blend without weights, no centres without these */
    needs.blendWeights = true;
    assert_int_equal(countMesh(&needs, 31, 0), 4 * 3);
    needs.centres = true;
    assert_int_equal(countMesh(&needs, 31, 0), 5 * 3);
    needs.morphs = true;
    assert_int_equal(countMesh(&needs, 31, 0), 2 * 5 * 3);
    needs.influences = 1u; /* without bones: one kernel, whatever was asked for */
    assert_int_equal(countMesh(&needs, 2, 0), 2);
    needs = (MeshNeeds){.dimensions = 2, .influences = 1u << 1};
    assert_int_equal(countMesh(&needs, 2, 0), 1);
    needs.influencePositions = true;
    assert_int_equal(countMesh(&needs, 2, 0), 1);
    /* What a mesh needs is what the formats give, where both are asked for. */
    KernelSet all = {0}, own = {0};
    VkskinPipelineDef def = {.methods = 31u << 8, .formats = 3u << 8, .features = 3};
    needs = (MeshNeeds){.dimensions = 3, .attributes = KERNEL_NORMALS, .morphs = true, .influences = 1u << 2};
    sknWantFormats(&def, &all);
    sknWantMesh(&def, &needs, &own);
    for (uint32_t i = 0; i < KERNEL_COUNT; i++) {
        assert_true(!own.has[i] || all.has[i]);
    }
}
