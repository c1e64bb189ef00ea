#include "scene_bone.h"

#include "random.h"

#define TAME_ANGLE 1.5f
#define WILD_ANGLE 3.1415926f

static const double noMove[3] = {0, 0, 0}, noScale[3] = {1, 1, 1}, still[4] = {0, 0, 0, 1};

static double randomScale(Random *random, SceneKind kind) {
    if (kind != SCENE_WILD) {
        return randomFloat(random, 0.6f, 1.6f);
    }
    return randomBelow(random, 8) == 0 ? 0.0 : randomFloat(random, -2.0f, 2.0f);
}

static ReferenceMatrix randomTurn(Random *random, SceneKind kind, const double scale[3], bool moved) {
    float rotation[4], translation[3];
    randomRigidBone(random, kind == SCENE_WILD ? WILD_ANGLE : TAME_ANGLE, rotation, translation);
    const double q[4] = {rotation[0], rotation[1], rotation[2], rotation[3]};
    const double t[3] = {translation[0], translation[1], translation[2]};
    return referenceCompose(moved ? t : noMove, q, scale);
}

/* Stretched along axes that are not its own, which shears it, then turned. */
static ReferenceMatrix randomSheared(Random *random, SceneKind kind) {
    const double scale[3] = {randomScale(random, kind), randomScale(random, kind), randomScale(random, kind)};
    ReferenceMatrix turn = randomTurn(random, kind, noScale, true), axes = randomTurn(random, kind, noScale, false);
    ReferenceMatrix back = referenceInvert(&axes), along = referenceCompose(noMove, still, scale);
    ReferenceMatrix stretch = referenceMultiply(&along, &axes);
    stretch = referenceMultiply(&back, &stretch);
    return referenceMultiply(&turn, &stretch);
}

/* What a sheared bone does to x and y, their z left out. */
static ReferenceMatrix randomFlat(Random *random, SceneKind kind) {
    const double scale[3] = {randomScale(random, kind), randomScale(random, kind), 1.0};
    double half = 0.5 * randomFloat(random, -TAME_ANGLE, TAME_ANGLE);
    const double turn[4] = {0, 0, half, 1.0}, move[3] = {randomFloat(random, -0.5f, 0.5f), half, 0.0};
    ReferenceMatrix bone = referenceCompose(move, turn, scale);
    bone.m[0][1] += randomFloat(random, -0.3f, 0.3f);
    return bone;
}

static ReferenceMatrix randomUniform(Random *random, SceneKind kind) {
    double size = randomScale(random, kind);
    const double scale[3] = {size, size, size};
    return randomTurn(random, kind, scale, true);
}

ReferenceMatrix sceneBone(Random *random, VkskinPaletteEncoding encoding, SceneKind kind) {
    switch (encoding) {
    case VKSKIN_PALETTE_MAT2X3:
        return randomFlat(random, kind);
    case VKSKIN_PALETTE_DUAL_QUATERNION:
        return randomTurn(random, kind, noScale, true);
    case VKSKIN_PALETTE_MAT3X4:
    case VKSKIN_PALETTE_SCALED_DUAL_QUATERNION:
        return randomSheared(random, kind);
    case VKSKIN_PALETTE_QUATERNION:
    case VKSKIN_PALETTE_QUATERNION_HALF:
    case VKSKIN_PALETTE_QUATERNION_SNORM16:
        break;
    }
    return randomUniform(random, kind);
}

ReferenceMatrix sceneBoneMoved(const ReferenceMatrix *bone, float distance, bool mesh) {
    ReferenceMatrix moved = *bone;
    moved.m[0][3] += distance;
    for (int r = 0; r < 3 && mesh; r++) {
        moved.m[r][3] -= bone->m[r][0] * distance;
    }
    return moved;
}
