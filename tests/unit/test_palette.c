/* Palettes of whole skins: matrices calculated by hand, and the rules of every encoding. */
#include <math.h>

#include "palette_bone.h"
#include "test.h"

static VkskinSkin makeSkin(uint32_t nodeCount, uint32_t boneCount, const uint32_t *boneNodes,
                           const VkskinAffine *inverseBinds, const VkskinAffine *meshToModel) {
    VkskinSkinDef def = vkskinDefaultSkinDef();
    def.nodeCount = nodeCount;
    def.boneCount = boneCount;
    def.boneNodes = boneNodes;
    def.inverseBinds = inverseBinds;
    if (meshToModel != NULL) {
        def.meshToModel = *meshToModel;
    }
    VkskinSkin skin = NULL;
    assert_int_equal(vkskinCreateSkin(&def, &skin), VKSKIN_SUCCESS);
    return skin;
}

static void assertRows(const VkskinAffine *actual, const float expected[3][4]) {
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 4; ++column) {
            assert_float_equal(actual->m[row][column], expected[row][column], 1e-5f);
        }
    }
}

TEST(entryIsWorldTimesInverseBind) {
    const VkskinAffine world[2] = {
        {{{1, 0, 0, 100}, {0, 1, 0, 0}, {0, 0, 1, 0}}},
        {{{0, -2, 0, 5}, {2, 0, 0, 6}, {0, 0, 2, 7}}},
    };
    const uint32_t nodes[3] = {1, 0, 1}; /* a node may be two bones */
    const VkskinAffine binds[3] = {
        {{{1, 0, 0, -1}, {0, 1, 0, -2}, {0, 0, 1, -3}}},
        {{{1, 0, 0, -1}, {0, 3, 0, -2}, {0, 0, 1, -3}}},
        {{{0.5f, 0, 0, 0}, {0, 0.5f, 0, 0}, {0, 0, 0.5f, 0}}},
    };
    VkskinSkin skin = makeSkin(2, 3, nodes, binds, NULL);
    VkskinAffine palette[3];
    assert_int_equal(vkskinWritePalette(skin, world, 2, VKSKIN_PALETTE_MAT3X4, palette, 3), VKSKIN_SUCCESS);
    assertRows(&palette[0], (const float[3][4]){{0, -2, 0, 9}, {2, 0, 0, 4}, {0, 0, 2, 1}});
    assertRows(&palette[1], (const float[3][4]){{1, 0, 0, 99}, {0, 3, 0, -2}, {0, 0, 1, -3}});
    assertRows(&palette[2], (const float[3][4]){{0, -1, 0, 5}, {1, 0, 0, 6}, {0, 0, 1, 7}});
    vkskinDestroySkin(skin);
}

TEST(meshSpaceIsLeftByTheMeshNode) {
    /* The mesh hangs at a node scaled by 2 and moved by 10 along x; its bone stands at bind where the mesh stands. */
    const VkskinAffine meshToModel = {{{2, 0, 0, 10}, {0, 2, 0, 0}, {0, 0, 2, 0}}};
    const uint32_t node = 0;
    VkskinSkin skin = makeSkin(1, 1, &node, NULL, &meshToModel);
    VkskinAffine palette;
    assert_int_equal(vkskinWritePalette(skin, &meshToModel, 1, VKSKIN_PALETTE_MAT3X4, &palette, 1), VKSKIN_SUCCESS);
    const VkskinAffine identity = vkskinIdentityAffine();
    assertRows(&palette, identity.m);
    /* The bone moves by 4 in model space: 2 in mesh space. */
    const VkskinAffine moved = {{{2, 0, 0, 10}, {0, 2, 0, 4}, {0, 0, 2, 0}}};
    assert_int_equal(vkskinWritePalette(skin, &moved, 1, VKSKIN_PALETTE_MAT3X4, &palette, 1), VKSKIN_SUCCESS);
    assertRows(&palette, (const float[3][4]){{1, 0, 0, 0}, {0, 1, 0, 2}, {0, 0, 1, 0}});
    float bone[8]; /* the scale of 2 is cancelled: nothing is lost */
    assert_int_equal(vkskinWritePalette(skin, &moved, 1, VKSKIN_PALETTE_DUAL_QUATERNION, bone, 1), VKSKIN_SUCCESS);
    double movement[3];
    dualTranslation(bone, bone + 4, movement);
    assert_true(fabs(movement[0]) < 1e-6 && fabs(movement[1] - 2.0) < 1e-6 && fabs(movement[2]) < 1e-6);
    vkskinDestroySkin(skin);
}

TEST(zeroScaleIsAMatrixLikeAnother) {
    const VkskinAffine world = {{{0, 0, 0, 1}, {0, 0, 0, 2}, {0, 0, 0, 3}}};
    VkskinAffine palette;
    assert_int_equal(writeBone(&world, VKSKIN_PALETTE_MAT3X4, &palette), VKSKIN_SUCCESS);
    assert_memory_equal(&palette, &world, sizeof world);
}

TEST(badBoneEndsThePalette) {
    const uint32_t nodes[3] = {0, 1, 0};
    VkskinAffine world[2] = {vkskinIdentityAffine(), vkskinIdentityAffine()};
    VkskinSkin skin = makeSkin(2, 3, nodes, NULL, NULL);
    const float bad[] = {NAN, INFINITY, -INFINITY};
    for (int encoding = 0; encoding < VKSKIN_PALETTE_ENCODING_COUNT; ++encoding) {
        const size_t stride = vkskinPaletteStride((VkskinPaletteEncoding)encoding);
        for (int i = 0; i < 3; ++i) {
            world[1].m[i][i + 1] = bad[i];
            unsigned char palette[3 * 64];
            unsigned char poison[3 * 64];
            memset(palette, 0xcd, sizeof palette);
            memset(poison, 0xcd, sizeof poison);
            assert_int_equal(vkskinWritePalette(skin, world, 2, (VkskinPaletteEncoding)encoding, palette, 3),
                             VKSKIN_ERROR_TRANSFORM_NOT_FINITE);
            assert_memory_not_equal(palette, poison, stride);
            assert_memory_equal(palette + stride, poison, sizeof palette - stride);
            world[1] = vkskinIdentityAffine();
        }
    }
    vkskinDestroySkin(skin);
}

/* One bone of three loses scale or depth: a warning is returned and all three are written. */
TEST(oneBoneThatLosesIsEnough) {
    const uint32_t nodes[3] = {0, 1, 2};
    VkskinSkin skin = makeSkin(3, 3, nodes, NULL, NULL);
    for (int encoding = 0; encoding < VKSKIN_PALETTE_ENCODING_COUNT; ++encoding) {
        const VkskinPaletteEncoding as = (VkskinPaletteEncoding)encoding;
        const bool holdsAll = as == VKSKIN_PALETTE_MAT3X4 || as == VKSKIN_PALETTE_SCALED_DUAL_QUATERNION;
        const VkskinResult loss = as == VKSKIN_PALETTE_MAT2X3 ? VKSKIN_WARNING_DEPTH_LOST : VKSKIN_WARNING_SCALE_LOST;
        const uint32_t stride = vkskinPaletteStride(as);
        for (int bone = 0; bone < 3; ++bone) {
            VkskinAffine world[3] = {vkskinIdentityAffine(), vkskinIdentityAffine(), vkskinIdentityAffine()};
            world[bone].m[0][2] = 0.5f; /* a shear that leads into the plane */
            unsigned char palette[3 * 64];
            unsigned char poison[64];
            memset(palette, 0xcd, sizeof palette);
            memset(poison, 0xcd, sizeof poison);
            assert_int_equal(vkskinWritePalette(skin, world, 3, as, palette, 3), holdsAll ? VKSKIN_SUCCESS : loss);
            for (uint32_t i = 0; i < 3; ++i) {
                assert_memory_not_equal(palette + i * stride, poison, stride);
            }
        }
    }
    vkskinDestroySkin(skin);
}

TEST(productBeyondFloatIsRefused) {
    const uint32_t node = 0;
    const VkskinAffine large = {{{1e30f, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    VkskinSkin skin = makeSkin(1, 1, &node, &large, NULL);
    VkskinAffine palette;
    assert_int_equal(vkskinWritePalette(skin, &large, 1, VKSKIN_PALETTE_MAT3X4, &palette, 1),
                     VKSKIN_ERROR_TRANSFORM_NOT_FINITE);
    vkskinDestroySkin(skin);
}

TEST(onlyItsEntriesAreWritten) {
    const uint32_t nodes[2] = {0, 0};
    const VkskinAffine world = vkskinIdentityAffine();
    VkskinSkin skin = makeSkin(1, 2, nodes, NULL, NULL);
    for (int encoding = 0; encoding < VKSKIN_PALETTE_ENCODING_COUNT; ++encoding) {
        const size_t bytes = 2 * vkskinPaletteStride((VkskinPaletteEncoding)encoding);
        _Alignas(16) unsigned char memory[4 + 2 * 64 + 4];
        memset(memory, 0xcd, sizeof memory);
        /* 4-byte aligned and no more */
        assert_int_equal(vkskinWritePalette(skin, &world, 1, (VkskinPaletteEncoding)encoding, memory + 4, 2),
                         VKSKIN_SUCCESS);
        for (size_t i = 0; i < sizeof memory; ++i) {
            assert_true((memory[i] == 0xcd) == (i < 4 || i >= 4 + bytes));
        }
    }
    vkskinDestroySkin(skin);
}

TEST(paletteArguments) {
    const uint32_t node = 0;
    const VkskinAffine world = vkskinIdentityAffine();
    VkskinAffine palette;
    VkskinSkin skin = makeSkin(1, 1, &node, NULL, NULL);
    assert_int_equal(vkskinWritePalette(NULL, &world, 1, VKSKIN_PALETTE_MAT3X4, &palette, 1),
                     VKSKIN_ERROR_NULL_ARGUMENT);
    assert_int_equal(vkskinWritePalette(skin, NULL, 1, VKSKIN_PALETTE_MAT3X4, &palette, 1), VKSKIN_ERROR_NULL_ARGUMENT);
    assert_int_equal(vkskinWritePalette(skin, &world, 1, VKSKIN_PALETTE_MAT3X4, NULL, 1), VKSKIN_ERROR_NULL_ARGUMENT);
    assert_int_equal(vkskinWritePalette(skin, &world, 1, VKSKIN_PALETTE_ENCODING_COUNT, &palette, 1),
                     VKSKIN_ERROR_INVALID_VALUE);
    assert_int_equal(vkskinWritePalette(skin, &world, 1, (VkskinPaletteEncoding)-1, &palette, 1),
                     VKSKIN_ERROR_INVALID_VALUE);
    vkskinDestroySkin(skin);
}

/* Too few worlds or entries are refused before anything is written; more are accepted. */
TEST(roomIsLookedAt) {
    const uint32_t nodes[3] = {1, 0, 1};
    const VkskinAffine world[3] = {vkskinIdentityAffine(), vkskinIdentityAffine(), vkskinIdentityAffine()};
    VkskinSkin skin = makeSkin(2, 3, nodes, NULL, NULL);
    for (int encoding = 0; encoding < VKSKIN_PALETTE_ENCODING_COUNT; ++encoding) {
        const VkskinPaletteEncoding as = (VkskinPaletteEncoding)encoding;
        const size_t bytes = 3 * (size_t)vkskinPaletteStride(as);
        unsigned char palette[4 * 64];
        unsigned char poison[4 * 64];
        memset(palette, 0xcd, sizeof palette);
        memset(poison, 0xcd, sizeof poison);
        assert_int_equal(vkskinWritePalette(skin, world, 1, as, palette, 3), VKSKIN_ERROR_INVALID_VALUE);
        assert_int_equal(vkskinWritePalette(skin, world, 0, as, palette, 3), VKSKIN_ERROR_INVALID_VALUE);
        assert_int_equal(vkskinWritePalette(skin, world, 2, as, palette, 2), VKSKIN_ERROR_PALETTE_TOO_SMALL);
        assert_int_equal(vkskinWritePalette(skin, world, 2, as, palette, 0), VKSKIN_ERROR_PALETTE_TOO_SMALL);
        assert_memory_equal(palette, poison, sizeof palette);
        assert_int_equal(vkskinWritePalette(skin, world, 3, as, palette, 4), VKSKIN_SUCCESS);
        assert_memory_not_equal(palette, poison, bytes);
        assert_memory_equal(palette + bytes, poison, sizeof palette - bytes);
    }
    vkskinDestroySkin(skin);
}
