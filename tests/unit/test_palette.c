/* Palettes of whole skins: matrices calculated by hand, and the rules of every encoding. */
#include "pose_builders.h"

/* Writes twice over different bytes, 4-byte aligned and no more. The bytes of the first `written` entries, and no other
 * bytes, must be the same both times. */
static void checkWritten(VkskinSkin skin, const VkskinAffine *world, uint32_t nodes, VkskinPaletteEncoding encoding,
                         uint32_t room, VkskinResult expected, uint32_t written) {
    _Alignas(16) unsigned char memory[2][4 + 4 * 64 + 4];
    for (int i = 0; i < 2; ++i) {
        memset(memory[i], 0xcd + i, sizeof memory[i]);
        RETURNS(expected, vkskinWritePalette(skin, world, nodes, encoding, memory[i] + 4, room));
    }
    const size_t end = 4 + written * (size_t)vkskinPaletteStride(encoding);
    for (size_t i = 0; i < sizeof memory[0]; ++i) {
        assert_int_equal(memory[0][i] == memory[1][i], i >= 4 && i < end);
    }
}

OWNING_TEST(entryIsWorldTimesInverseBind) {
    const VkskinAffine world[2] = {
        {{{1, 0, 0, 100}, {0, 1, 0, 0}, {0, 0, 1, 0}}},
        {{{0, -2, 0, 5}, {2, 0, 0, 6}, {0, 0, 2, 7}}},
    };
    const uint32_t nodes[3] = {1, 0, 1}; /* one node may be two bones */
    const VkskinAffine binds[3] = {
        {{{1, 0, 0, -1}, {0, 1, 0, -2}, {0, 0, 1, -3}}},
        {{{1, 0, 0, -1}, {0, 3, 0, -2}, {0, 0, 1, -3}}},
        {{{0.5f, 0, 0, 0}, {0, 0.5f, 0, 0}, {0, 0, 0.5f, 0}}},
    };
    VkskinSkin skin = ownSkin(2, 3, nodes, binds, NULL);
    VkskinAffine palette[3];
    OK(vkskinWritePalette(skin, world, 2, VKSKIN_PALETTE_MAT3X4, palette, 3));
    assertRows(&palette[0], (const float[3][4]){{0, -2, 0, 9}, {2, 0, 0, 4}, {0, 0, 2, 1}}, 1e-5f);
    assertRows(&palette[1], (const float[3][4]){{1, 0, 0, 99}, {0, 3, 0, -2}, {0, 0, 1, -3}}, 1e-5f);
    assertRows(&palette[2], (const float[3][4]){{0, -1, 0, 5}, {1, 0, 0, 6}, {0, 0, 1, 7}}, 1e-5f);
}

OWNING_TEST(meshSpaceIsLeftByTheMeshNode) {
    /* The mesh hangs at a node scaled by 2 and moved by 10 along x; its bone stands at bind where the mesh stands. */
    const VkskinAffine meshToModel = {{{2, 0, 0, 10}, {0, 2, 0, 0}, {0, 0, 2, 0}}};
    const uint32_t node = 0;
    VkskinSkin skin = ownSkin(1, 1, &node, NULL, &meshToModel);
    VkskinAffine palette;
    OK(vkskinWritePalette(skin, &meshToModel, 1, VKSKIN_PALETTE_MAT3X4, &palette, 1));
    const VkskinAffine identity = vkskinIdentityAffine();
    assertRows(&palette, identity.m, 1e-5f);
    /* The bone moves by 4 in model space: 2 in mesh space. */
    const VkskinAffine moved = {{{2, 0, 0, 10}, {0, 2, 0, 4}, {0, 0, 2, 0}}};
    OK(vkskinWritePalette(skin, &moved, 1, VKSKIN_PALETTE_MAT3X4, &palette, 1));
    assertRows(&palette, (const float[3][4]){{1, 0, 0, 0}, {0, 1, 0, 2}, {0, 0, 1, 0}}, 1e-5f);
    float bone[8]; /* the scale of 2 is cancelled: nothing is lost */
    OK(vkskinWritePalette(skin, &moved, 1, VKSKIN_PALETTE_DUAL_QUATERNION, bone, 1));
}

OWNING_TEST(badBoneEndsThePalette) {
    const uint32_t nodes[3] = {0, 1, 0};
    const float bad[] = {NAN, INFINITY, -INFINITY};
    VkskinSkin skin = ownSkin(2, 3, nodes, NULL, NULL);
    for (VkskinPaletteEncoding as = 0; as < VKSKIN_PALETTE_ENCODING_COUNT; ++as) {
        for (int i = 0; i < 3; ++i) {
            VkskinAffine world[2] = {vkskinIdentityAffine(), vkskinIdentityAffine()};
            world[1].m[i][i + 1] = bad[i];
            checkWritten(skin, world, 2, as, 3, VKSKIN_ERROR_TRANSFORM_NOT_FINITE, 1);
        }
    }
}

/* One bone of three loses scale or depth: a warning is returned and all three are written. */
OWNING_TEST(oneBoneThatLosesIsEnough) {
    const uint32_t nodes[3] = {0, 1, 2};
    VkskinSkin skin = ownSkin(3, 3, nodes, NULL, NULL);
    for (VkskinPaletteEncoding as = 0; as < VKSKIN_PALETTE_ENCODING_COUNT; ++as) {
        const bool holdsAll = as == VKSKIN_PALETTE_MAT3X4 || as == VKSKIN_PALETTE_SCALED_DUAL_QUATERNION;
        const VkskinResult loss = as == VKSKIN_PALETTE_MAT2X3 ? VKSKIN_WARNING_DEPTH_LOST : VKSKIN_WARNING_SCALE_LOST;
        for (int bone = 0; bone < 3; ++bone) {
            VkskinAffine world[3] = {vkskinIdentityAffine(), vkskinIdentityAffine(), vkskinIdentityAffine()};
            world[bone].m[0][2] = 0.5f; /* shear that leads into the plane */
            checkWritten(skin, world, 3, as, 3, holdsAll ? VKSKIN_SUCCESS : loss, 3);
        }
    }
}

OWNING_TEST(productBeyondFloatIsRefused) {
    const uint32_t node = 0;
    const VkskinAffine large = {{{1e30f, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    VkskinSkin skin = ownSkin(1, 1, &node, &large, NULL);
    VkskinAffine palette;
    RETURNS(VKSKIN_ERROR_TRANSFORM_NOT_FINITE, vkskinWritePalette(skin, &large, 1, VKSKIN_PALETTE_MAT3X4, &palette, 1));
}

OWNING_TEST(paletteArguments) {
    const uint32_t node = 0;
    const VkskinAffine world = vkskinIdentityAffine();
    VkskinAffine palette;
    VkskinSkin skin = ownSkin(1, 1, &node, NULL, NULL);
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinWritePalette(NULL, &world, 1, VKSKIN_PALETTE_MAT3X4, &palette, 1));
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinWritePalette(skin, NULL, 1, VKSKIN_PALETTE_MAT3X4, &palette, 1));
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinWritePalette(skin, &world, 1, VKSKIN_PALETTE_MAT3X4, NULL, 1));
    RETURNS(VKSKIN_ERROR_INVALID_VALUE,
            vkskinWritePalette(skin, &world, 1, VKSKIN_PALETTE_ENCODING_COUNT, &palette, 1));
    RETURNS(VKSKIN_ERROR_INVALID_VALUE, vkskinWritePalette(skin, &world, 1, (VkskinPaletteEncoding)-1, &palette, 1));
}

/* Too few worlds or entries are refused before anything is written; more are accepted. */
OWNING_TEST(roomIsLookedAt) {
    const uint32_t nodes[3] = {1, 0, 1};
    const VkskinAffine world[3] = {vkskinIdentityAffine(), vkskinIdentityAffine(), vkskinIdentityAffine()};
    VkskinSkin skin = ownSkin(2, 3, nodes, NULL, NULL);
    for (VkskinPaletteEncoding as = 0; as < VKSKIN_PALETTE_ENCODING_COUNT; ++as) {
        checkWritten(skin, world, 1, as, 3, VKSKIN_ERROR_INVALID_VALUE, 0);
        checkWritten(skin, world, 0, as, 3, VKSKIN_ERROR_INVALID_VALUE, 0);
        checkWritten(skin, world, 2, as, 2, VKSKIN_ERROR_PALETTE_TOO_SMALL, 0);
        checkWritten(skin, world, 2, as, 0, VKSKIN_ERROR_PALETTE_TOO_SMALL, 0);
        checkWritten(skin, world, 2, as, 3, VKSKIN_SUCCESS, 3);
        checkWritten(skin, world, 3, as, 4, VKSKIN_SUCCESS, 3);
    }
}
