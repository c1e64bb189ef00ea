/* Two-bone chains and aiming. Both find rotations in model space and write them back as local rotations. */
#include "ik.h"
#include "cookie.h"
#include "polar.h"
#include "vkskin/vkskin_ik.h"

#define REACHED  1e-3 /* share of the length of the chain */
#define PI_FLOAT 3.14159274f
#define NO_SIDE  1e-6 /* relative to the chain's length: shorter vectors have no direction */

static Vector placeOf(const VkskinAffine *world) {
    return (Vector){world->m[0][3], world->m[1][3], world->m[2][3]};
}

/* The rotation of a matrix; if it mirrors, of its negative, which turns rotations in the same way. */
static Quaternion rotationOf(const AffineDouble *matrix) {
    double q[4];
    sknPolarRotation(matrix, q);
    return (Quaternion){q[0], q[1], q[2], q[3]};
}

/* ---- Two bones ---- */

VkskinTwoBoneDef vkskinDefaultTwoBoneDef(void) {
    return (VkskinTwoBoneDef){.cookie = VKSKIN_COOKIE_TWO_BONE, .soften = 1.0f, .weight = 1.0f};
}

/* A chain in a plane: its three points, and the unit normal about which it bends. */
typedef struct Chain {
    Vector start, mid, end;
    Vector normal;
} Chain;

static VkskinResult checkTwoBone(VkskinSkeleton skeleton, const VkskinTwoBoneDef *def, const VkskinTransform *pose,
                                 const VkskinAffine *world) {
    const uint32_t nodes = skeleton->nodeCount;
    if (def->start >= nodes || def->mid >= nodes || def->end >= nodes) {
        return VKSKIN_ERROR_NODE_OUT_OF_RANGE;
    }
    if (def->start == def->mid || def->mid == def->end || !sknIsBelow(skeleton, def->mid, def->start) ||
        !sknIsBelow(skeleton, def->end, def->mid) || !sknAreFinite(def->target, 3) || !sknAreFinite(def->pole, 3) ||
        !sknAreFinite(def->midAxis, 3) || !isfinite(def->twist) || !sknIsShare(def->soften) ||
        !sknIsShare(def->weight)) {
        return VKSKIN_ERROR_INVALID_VALUE;
    }
    if (!sknAffineIsFinite(&world[def->start]) || !sknAffineIsFinite(&world[def->mid]) ||
        !sknAffineIsFinite(&world[def->end]) || !sknTransformIsFinite(&pose[def->start]) ||
        !sknTransformIsFinite(&pose[def->mid])) {
        return VKSKIN_ERROR_TRANSFORM_NOT_FINITE;
    }
    return VKSKIN_SUCCESS;
}

/* The distance that a chain of `length` takes for a target at `distance`. */
static double softDistance(double distance, double length, double soften) {
    const double from = soften * length;
    const double left = length - from;
    if (distance <= from) {
        return distance;
    }
    return left > 0.0 ? from + left * (1.0 - exp((from - distance) / left)) : length;
}

/* The unit vector across `line`, the direction from start to target, to which the chain bends. */
static Vector sideOf(const Chain *chain, Vector pole, Vector line) {
    const Vector wanted = sknAcross(pole, line);
    if (sknLength(wanted) > NO_SIDE * sknLength(pole)) {
        return sknDirection(wanted, pole);
    }
    /* The pose's own side, about its normal, which the shortest turn takes along. */
    const Vector before = sknDirection(sknSubtract(chain->end, chain->start), line);
    const Vector side = sknRotate(sknShortestTurn(before, line), sknCross(before, chain->normal));
    const Vector across = sknAcross(side, line);
    return sknLength(across) > NO_SIDE ? sknDirection(across, line) : sknAnyAcross(line);
}

/* The normal of a chain in the pose. */
static Vector normalOf(const Chain *chain, const VkskinTwoBoneDef *def, const VkskinAffine *world) {
    const Vector upper = sknSubtract(chain->mid, chain->start);
    const Vector lower = sknSubtract(chain->end, chain->mid);
    const Vector along = sknDirection(upper, upper);
    const Vector axis = sknVector(def->midAxis);
    Vector normal = sknCross(upper, lower);
    if (sknLength(axis) > 0.0) {
        const AffineDouble mid = sknAffineWiden(&world[def->mid]);
        normal = sknAcross(sknRotate(rotationOf(&mid), axis), along);
    } else if (sknLength(normal) <= NO_SIDE * sknLength(upper) * sknLength(lower)) {
        /* Straight: bends to the pole. */
        normal = sknCross(sknAcross(sknVector(def->pole), along), along);
    }
    return sknLength(normal) > 0.0 ? sknDirection(normal, along) : sknAnyAcross(along);
}

/* The chain with its end at the target, or as close as it gets. */
static Chain solvedChain(const Chain *chain, const VkskinTwoBoneDef *def) {
    const double upper = sknLength(sknSubtract(chain->mid, chain->start));
    const double lower = sknLength(sknSubtract(chain->end, chain->mid));
    const Vector toTarget = sknSubtract(sknVector(def->target), chain->start);
    const Vector along = sknDirection(sknSubtract(chain->mid, chain->start), toTarget);
    const Vector line = sknDirection(toTarget, sknDirection(sknSubtract(chain->end, chain->start), along));
    const double shortest = fabs(upper - lower);
    double distance = softDistance(sknLength(toTarget), upper + lower, def->soften);
    distance = distance < shortest ? shortest : distance;
    Vector side = sideOf(chain, sknVector(def->pole), line);
    side = sknRotate(sknTurn(line, def->twist), side);
    /* The law of cosines gives the part of the upper bone along the line; a folded chain of equal bones has none. */
    double ahead = distance > 0.0 ? (upper * upper + distance * distance - lower * lower) / (2.0 * distance) : 0.0;
    ahead = ahead > upper ? upper : ahead < -upper ? -upper : ahead;
    const double aside = sqrt(upper * upper - ahead * ahead);
    Chain solved = {.start = chain->start, .normal = sknCross(side, line)};
    solved.mid = sknAdd(chain->start, sknAdd(sknScale(line, ahead), sknScale(side, aside)));
    solved.end = sknAdd(chain->start, sknScale(line, distance));
    return solved;
}

/* The turn about the unit vector `line` that brings `up` into the plane of line and pole, if both have a side. */
static Quaternion levelTurn(Vector line, Vector up, Vector pole) {
    const Vector from = sknAcross(up, line);
    const Vector to = sknAcross(pole, line);
    if (sknLength(from) <= NO_SIDE * sknLength(up) || sknLength(to) <= NO_SIDE * sknLength(pole)) {
        return sknNoRotation();
    }
    const double angle = sknAngle(from, to);
    return sknTurn(line, sknDot(sknCross(from, to), line) < 0.0 ? -angle : angle);
}

/* The rotation that takes a bone and the normal of its plane to another bone and normal. */
static Quaternion turnBetween(Vector bone, Vector normal, Vector toBone, Vector toNormal) {
    const Vector from = sknDirection(bone, bone);
    const Vector to = sknDirection(toBone, toBone);
    const Quaternion swing = sknShortestTurn(from, to);
    return sknMultiply(levelTurn(to, sknRotate(swing, normal), toNormal), swing);
}

/* What the local matrix of a node is multiplied with: its parent's world matrix and its pre-transform. */
static AffineDouble baseOf(VkskinSkeleton skeleton, const VkskinAffine *world, uint32_t node) {
    const int32_t parent = skeleton->parents[node];
    const VkskinAffine identity = vkskinIdentityAffine();
    AffineDouble base = sknAffineWiden(parent >= 0 ? &world[parent] : &identity);
    if (skeleton->preTransforms != NULL) {
        const AffineDouble pre = sknAffineWiden(&skeleton->preTransforms[node]);
        base = sknAffineMultiply(&base, &pre);
    }
    return base;
}

void sknTurnNode(VkskinSkeleton skeleton, const VkskinAffine *world, uint32_t node, Quaternion turn, double weight,
                 VkskinTransform *pose) {
    const AffineDouble matrix = baseOf(skeleton, world, node);
    const Quaternion base = rotationOf(&matrix);
    const Quaternion inside = sknMultiply(sknMultiply(sknConjugate(base), turn), base);
    const Quaternion turned = sknMultiply(sknShare(inside, weight), sknQuaternion(pose[node].rotation));
    sknStoreQuaternion(sknUnit(turned), pose[node].rotation);
}

VkskinResult vkskinSolveTwoBone(VkskinSkeleton skeleton, const VkskinTwoBoneDef *def, VkskinTransform *pose,
                                VkskinAffine *world, bool *reached) {
    if (skeleton == NULL || def == NULL || pose == NULL || world == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    VkskinResult result = sknCheckCookie(def, VKSKIN_COOKIE_TWO_BONE);
    result = result < 0 ? result : checkTwoBone(skeleton, def, pose, world);
    if (result < 0) {
        return result;
    }
    Chain chain = {
        .start = placeOf(&world[def->start]), .mid = placeOf(&world[def->mid]), .end = placeOf(&world[def->end])};
    const Vector upper = sknSubtract(chain.mid, chain.start);
    const Vector lower = sknSubtract(chain.end, chain.mid);
    if (sknLength(upper) == 0.0 || sknLength(lower) == 0.0) {
        return VKSKIN_ERROR_INVALID_VALUE;
    }
    chain.normal = normalOf(&chain, def, world);
    const Chain solved = solvedChain(&chain, def);
    const Quaternion first = turnBetween(upper, chain.normal, sknSubtract(solved.mid, solved.start), solved.normal);
    /* The first turn also takes the lower bone along. What is left is a turn about the normal, in the space before. */
    const Quaternion both = turnBetween(lower, chain.normal, sknSubtract(solved.end, solved.mid), solved.normal);
    const Quaternion second = sknMultiply(sknConjugate(first), both);
    if (def->weight > 0.0f) {
        sknTurnNode(skeleton, world, def->start, first, def->weight, pose);
        sknTurnNode(skeleton, world, def->mid, second, def->weight, pose);
        (void)vkskinComposeSubtree(skeleton, pose, def->start, world); /* cannot fail: the arguments were checked */
    }
    if (reached != NULL) {
        const double miss = sknLength(sknSubtract(solved.end, sknVector(def->target)));
        *reached = miss <= REACHED * (sknLength(upper) + sknLength(lower));
    }
    return VKSKIN_SUCCESS;
}

/* ---- Aiming ---- */

VkskinAimDef vkskinDefaultAimDef(void) {
    return (VkskinAimDef){.cookie = VKSKIN_COOKIE_AIM,
                          .forward = {0.0f, 0.0f, 1.0f},
                          .up = {0.0f, 1.0f, 0.0f},
                          .maxAngle = PI_FLOAT,
                          .weight = 1.0f};
}

static VkskinResult checkAim(VkskinSkeleton skeleton, const VkskinAimDef *def, const VkskinTransform *pose,
                             const VkskinAffine *world) {
    if (def->node >= skeleton->nodeCount) {
        return VKSKIN_ERROR_NODE_OUT_OF_RANGE;
    }
    const double forward = sknLength(sknVector(def->forward));
    if (!sknAreFinite(def->target, 3) || !isfinite(forward) || forward == 0.0 || !sknAreFinite(def->offset, 3) ||
        !sknAreFinite(def->up, 3) || !sknAreFinite(def->pole, 3) || !isfinite(def->twist) || !(def->maxAngle >= 0.0f) ||
        !(def->maxAngle <= PI_FLOAT) || !sknIsShare(def->weight)) {
        return VKSKIN_ERROR_INVALID_VALUE;
    }
    const bool finite = sknAffineIsFinite(&world[def->node]) && sknTransformIsFinite(&pose[def->node]);
    return finite ? VKSKIN_SUCCESS : VKSKIN_ERROR_TRANSFORM_NOT_FINITE;
}

/*
 * Where the ray from `offset` along the unit vector `forward` leaves the sphere about the node on which the target is:
 * that point has to be turned to the target. False: the ray does not meet the sphere.
 */
static bool aimPoint(Vector offset, Vector forward, double radius, Vector *point) {
    const double along = sknDot(offset, forward);
    const double square = along * along - sknDot(offset, offset) + radius * radius;
    if (square < 0.0 || sqrt(square) < along || radius == 0.0) {
        return false;
    }
    *point = sknAdd(offset, sknScale(forward, sqrt(square) - along));
    return true;
}

/*
 * The share of a turn after which `forward` has turned by `most`, less than it turns in the whole. It moves on a cone
 * about the axis: with sine s of its angle to the axis, sin(its angle / 2) is s sin(angle of the turn / 2).
 */
static double limitedShare(Quaternion turn, Vector forward, double most) {
    const double half = atan2(sknLength((Vector){turn.x, turn.y, turn.z}), fabs(turn.w));
    const double whole = sin(0.5 * sknAngle(forward, sknRotate(turn, forward)));
    return asin(sin(0.5 * most) * sin(half) / whole) / half;
}

/* Target, pole and the axes of an aim in the space of the node's local rotation, without its scale. */
typedef struct AimSpace {
    Vector target, pole, forward, offset, up;
} AimSpace;

static AimSpace aimSpace(const VkskinAimDef *def, const AffineDouble *inverse, const VkskinTransform *local) {
    const Quaternion back = sknConjugate(sknQuaternion(local->rotation));
    double target[3];
    double pole[3];
    for (int row = 0; row < 3; ++row) {
        const double *r = inverse->m[row];
        pole[row] = r[0] * def->pole[0] + r[1] * def->pole[1] + r[2] * def->pole[2];
        target[row] = r[0] * def->target[0] + r[1] * def->target[1] + r[2] * def->target[2] + r[3];
        target[row] -= local->translation[row];
    }
    const float *s = local->scale;
    return (AimSpace){
        .target = sknRotate(back, (Vector){target[0], target[1], target[2]}),
        .pole = sknRotate(back, (Vector){pole[0], pole[1], pole[2]}),
        .forward = {(double)s[0] * def->forward[0], (double)s[1] * def->forward[1], (double)s[2] * def->forward[2]},
        .offset = {(double)s[0] * def->offset[0], (double)s[1] * def->offset[1], (double)s[2] * def->offset[2]},
        .up = {(double)s[0] * def->up[0], (double)s[1] * def->up[1], (double)s[2] * def->up[2]},
    };
}

/* The rotation in the space of the node. False: the target cannot be seen. */
static bool aimTurn(const VkskinAimDef *def, const AimSpace *space, Quaternion *turn, bool *limited) {
    const Vector toTarget = sknDirection(space->target, space->target);
    const Vector forward = sknDirection(space->forward, toTarget);
    Vector point;
    if (!aimPoint(space->offset, forward, sknLength(space->target), &point)) {
        return false;
    }
    *turn = sknShortestTurn(sknDirection(point, forward), toTarget);
    *limited = sknAngle(forward, sknRotate(*turn, forward)) > (double)def->maxAngle;
    if (*limited) {
        *turn = sknShare(*turn, limitedShare(*turn, forward, def->maxAngle));
    }
    const Vector line = sknDirection(sknRotate(*turn, point), toTarget);
    *turn = sknMultiply(levelTurn(line, sknRotate(*turn, space->up), space->pole), *turn);
    *turn = sknMultiply(sknTurn(line, def->twist), *turn);
    return true;
}

VkskinResult vkskinSolveAim(VkskinSkeleton skeleton, const VkskinAimDef *def, VkskinTransform *pose,
                            VkskinAffine *world, bool *reached) {
    if (skeleton == NULL || def == NULL || pose == NULL || world == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    VkskinResult result = sknCheckCookie(def, VKSKIN_COOKIE_AIM);
    result = result < 0 ? result : checkAim(skeleton, def, pose, world);
    if (result < 0) {
        return result;
    }
    const AffineDouble base = baseOf(skeleton, world, def->node);
    AffineDouble inverse;
    if (!sknAffineInvert(&base, &inverse)) {
        return VKSKIN_ERROR_SINGULAR_MATRIX;
    }
    VkskinTransform *local = &pose[def->node];
    const AimSpace space = aimSpace(def, &inverse, local);
    Quaternion turn;
    bool limited = false;
    const bool seen = aimTurn(def, &space, &turn, &limited);
    if (seen && def->weight > 0.0f) {
        const Quaternion turned = sknMultiply(sknQuaternion(local->rotation), sknShare(turn, def->weight));
        sknStoreQuaternion(sknUnit(turned), local->rotation);
        (void)vkskinComposeSubtree(skeleton, pose, def->node, world); /* cannot fail: the arguments were checked */
    }
    if (reached != NULL) {
        *reached = seen && !limited;
    }
    return VKSKIN_SUCCESS;
}
