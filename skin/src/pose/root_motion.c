/*
 * Root motion. M(t) is the path of the root, made of the parts that are taken out; M0 and M1 are M at the ends of the
 * clip. A character that follows the path is moved by E(t) = M(t) M0^-1, which is the identity at time 0, and its root
 * is E(t)^-1 local(t). So the root shows no jump where the clip loops, wherever it starts.
 */
#include "affine.h"
#include "cookie.h"
#include "quaternion.h"
#include "vkskin/vkskin_blend.h"

#define ROOT_BITS (VKSKIN_ROOT_HORIZONTAL_BIT | VKSKIN_ROOT_VERTICAL_BIT | VKSKIN_ROOT_TURN_BIT)

VkskinRootDef vkskinDefaultRootDef(void) {
    return (VkskinRootDef){.cookie = VKSKIN_COOKIE_ROOT,
                           .parts = VKSKIN_ROOT_HORIZONTAL_BIT | VKSKIN_ROOT_TURN_BIT,
                           .up = {0.0f, 1.0f, 0.0f},
                           .first = vkskinIdentityTransform(),
                           .last = vkskinIdentityTransform()};
}

static VkskinResult checkDef(const VkskinRootDef *def) {
    const VkskinResult result = sknCheckCookie(def, VKSKIN_COOKIE_ROOT);
    if (result < 0) {
        return result;
    }
    const double length = sknLength(sknVector(def->up));
    if ((def->parts & ~(uint32_t)ROOT_BITS) != 0 || !isfinite(length) || length == 0.0) {
        return VKSKIN_ERROR_INVALID_VALUE;
    }
    const bool finite = sknTransformIsFinite(&def->first) && sknTransformIsFinite(&def->last);
    return finite ? VKSKIN_SUCCESS : VKSKIN_ERROR_TRANSFORM_NOT_FINITE;
}

/* ---- Rigid transforms ---- */

typedef struct Rigid {
    Quaternion turn;
    Vector move;
} Rigid;

/* b first, then a. */
static Rigid join(Rigid a, Rigid b) {
    return (Rigid){sknUnit(sknMultiply(a.turn, b.turn)), sknAdd(a.move, sknRotate(a.turn, b.move))};
}

static Rigid invert(Rigid a) {
    const Quaternion turn = sknConjugate(a.turn);
    return (Rigid){turn, sknScale(sknRotate(turn, a.move), -1.0)};
}

/* The parts of a root transform that belong to the path. */
static Rigid pathOf(const VkskinRootDef *def, const VkskinTransform *root) {
    const Vector up = sknDirection(sknVector(def->up), (Vector){0.0, 1.0, 0.0});
    const Vector all = sknVector(root->translation);
    const Vector across = sknAcross(all, up);
    Rigid path = {sknNoRotation(), {0.0, 0.0, 0.0}};
    if ((def->parts & VKSKIN_ROOT_HORIZONTAL_BIT) != 0) {
        path.move = across;
    }
    if ((def->parts & VKSKIN_ROOT_VERTICAL_BIT) != 0) {
        path.move = sknAdd(path.move, sknSubtract(all, across));
    }
    if ((def->parts & VKSKIN_ROOT_TURN_BIT) != 0) {
        /* The twist about `up`. None is defined where the root is upside down: then there is no turn. */
        const Quaternion q = sknQuaternion(root->rotation);
        const Vector along = sknScale(up, sknDot((Vector){q.x, q.y, q.z}, up));
        path.turn = sknUnit((Quaternion){along.x, along.y, along.z, q.w});
    }
    return path;
}

/* `count` times the same step, at least 0. */
static Rigid repeat(Rigid step, uint32_t count) {
    Rigid whole = {sknNoRotation(), {0.0, 0.0, 0.0}};
    for (; count > 0; count >>= 1) {
        if ((count & 1) != 0) {
            whole = join(whole, step);
        }
        step = join(step, step);
    }
    return whole;
}

/* Stores translation and rotation; nothing if a number does not fit into a float. */
static VkskinResult storeRigid(Rigid rigid, VkskinTransform *target) {
    VkskinTransform stored = *target;
    stored.translation[0] = (float)rigid.move.x;
    stored.translation[1] = (float)rigid.move.y;
    stored.translation[2] = (float)rigid.move.z;
    sknStoreQuaternion(rigid.turn, stored.rotation);
    if (!sknTransformIsFinite(&stored)) {
        return VKSKIN_ERROR_TRANSFORM_NOT_FINITE;
    }
    *target = stored;
    return VKSKIN_SUCCESS;
}

/* ---- Public calls ---- */

static VkskinResult checkRoot(const VkskinTransform *root) {
    return sknTransformIsFinite(root) ? VKSKIN_SUCCESS : VKSKIN_ERROR_TRANSFORM_NOT_FINITE;
}

VkskinResult vkskinRootDelta(const VkskinRootDef *def, const VkskinTransform *from, const VkskinTransform *to,
                             int32_t loops, VkskinTransform *delta) {
    if (from == NULL || to == NULL || delta == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    VkskinResult result = checkDef(def);
    result = result < 0 ? result : checkRoot(from);
    result = result < 0 ? result : checkRoot(to);
    if (result < 0) {
        return result;
    }
    const Rigid first = pathOf(def, &def->first);
    const Rigid last = pathOf(def, &def->last);
    /* A whole clip: from its first to its last moment; backwards the other way. */
    const Rigid clip = loops < 0 ? join(invert(last), first) : join(invert(first), last);
    const uint32_t count = loops < 0 ? 0u - (uint32_t)loops : (uint32_t)loops;
    const Rigid start = pathOf(def, from);
    const Rigid end = pathOf(def, to);
    /* M(from)^-1 M1 (M0^-1 M1)^(loops - 1) M0^-1 M(to), which is M(from)^-1 M0 (M0^-1 M1)^loops M0^-1 M(to). */
    const Rigid turning = loops < 0 ? last : first;
    Rigid move = join(join(invert(start), turning), repeat(clip, count));
    move = join(move, join(invert(turning), end));
    move = join(join(first, move), invert(first));
    VkskinTransform step = vkskinIdentityTransform();
    result = storeRigid(move, &step);
    *delta = result < 0 ? *delta : step;
    return result;
}

VkskinResult vkskinTakeRootPath(const VkskinRootDef *def, VkskinTransform *root) {
    if (root == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    VkskinResult result = checkDef(def);
    result = result < 0 ? result : checkRoot(root);
    if (result < 0) {
        return result;
    }
    const Rigid away = join(pathOf(def, &def->first), invert(pathOf(def, root)));
    const Rigid local = {sknQuaternion(root->rotation), sknVector(root->translation)};
    return storeRigid(join(away, local), root);
}
