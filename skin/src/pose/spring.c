#include "cookie.h"
#include "ik.h"
#include "vkskin/vkskin_ik.h"
#include "vkskin/vkskin_spring.h"

#include <math.h>
#include <string.h>

#define LONGEST   0.25  /* seconds of a call */
#define FASTEST   100.0 /* radians per second */
#define STIFFEST  1e6f
#define DAMPEST   1e4f
#define PUSHES    2    /* times that colliders and length take turns */
#define LATE      1e-4 /* steps by which a frame may end before a step and have it */
#define SQUARINGS 20   /* for the propagator: 2^-20 of a step has terms below 1 for the largest stiffness */

/* A point of the chain at the last step, in world space. */
typedef struct Point {
    Vector at, velocity;
    Vector joint; /* the node before it */
} Point;

struct VkskinSpring_T {
    Arena arena; /* memory of the spring, this struct included */
    VkskinLogger logger;
    VkskinSkeleton skeleton;
    uint32_t count;       /* nodes, at least 2 */
    uint32_t *nodes;      /* [count], from start to end */
    AffineDouble *locals; /* [count], of the current call */
    Point *points;        /* [count]; the first is not used */
    AffineDouble base;    /* the space of the start, in world space, at the end of the last call */
    Vector gravity;
    double radius;
    double steps[2][3]; /* what a step makes of the distance to the pose, the velocity and gravity */
    double behind;      /* seconds from the last step to the last call */
    bool started;
};

/* ---- Making ---- */

VkskinSpringDef vkskinDefaultSpringDef(void) {
    return (VkskinSpringDef){.cookie = VKSKIN_COOKIE_SPRING, .stiffness = 400.0f, .damping = 8.0f};
}

static void multiply(double a[3][3], double b[3][3], double product[3][3]) {
    double made[3][3];
    for (int i = 0; i < 9; ++i) {
        made[i / 3][i % 3] = a[i / 3][0] * b[0][i % 3] + a[i / 3][1] * b[1][i % 3] + a[i / 3][2] * b[2][i % 3];
    }
    memcpy(product, made, sizeof made);
}

/* exp(A h) of (x, v, g)' = A (x, v, g): a Taylor series for a small part of a step, squared again and again. */
static void makePropagator(const VkskinSpringDef *def, double steps[2][3]) {
    const double part = ldexp(VKSKIN_SPRING_STEP, -SQUARINGS);
    double a[3][3] = {{0.0, part, 0.0}, {-(double)def->stiffness * part, -(double)def->damping * part, part}};
    double sum[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}, term[3][3];
    memcpy(term, sum, sizeof term);
    for (int order = 1; order <= 4; ++order) {
        multiply(term, a, term);
        for (int i = 0; i < 9; ++i) {
            term[i / 3][i % 3] /= order;
            sum[i / 3][i % 3] += term[i / 3][i % 3];
        }
    }
    for (int i = 0; i < SQUARINGS; ++i) {
        multiply(sum, sum, sum);
    }
    memcpy(steps, sum, 2 * sizeof *steps);
}

/* From 0 to `most`; false for NaN. */
static bool isWithin(float value, float most) {
    return value >= 0.0f && value <= most;
}

static VkskinResult checkDef(const VkskinSpringDef *def, const VkskinSpring *place) {
    const VkskinResult invalid = VKSKIN_ERROR_INVALID_VALUE;
    const uint32_t nodes = def->skeleton != NULL ? def->skeleton->nodeCount : 0;
    const bool inside = def->start < nodes && def->end < nodes;
    const Subject subject = {&def->logger, "vkskinCreateSpring", ""};
    const Rule rules[] = {
        {place == NULL || def->skeleton == NULL, VKSKIN_ERROR_NULL_ARGUMENT, "spring or skeleton is null"},
        {!sknHostAllocatorIsComplete(def->allocator), VKSKIN_ERROR_NULL_ARGUMENT,
         "a function of the allocator is null"},
        {!inside, VKSKIN_ERROR_NODE_OUT_OF_RANGE, "start or end is not a node of the skeleton"},
        {inside && (def->start == def->end || !sknIsBelow(def->skeleton, def->end, def->start)), invalid,
         "end is not a descendant of start"},
        {!isWithin(def->stiffness, STIFFEST), invalid, "stiffness is not in 0 to 1,000,000"},
        {!isWithin(def->damping, DAMPEST), invalid, "damping is not in 0 to 10,000"},
        {!sknAreFinite(def->gravity, 3) || !isWithin(def->radius, 1e30f), invalid, "gravity or radius is out of range"},
    };
    return sknCheckRules(&subject, rules, SKN_COUNT(rules));
}

static void listNodes(VkskinSpring spring, uint32_t end) {
    uint32_t node = end;
    for (uint32_t i = spring->count; i > 0; --i) {
        spring->nodes[i - 1] = node;
        node = (uint32_t)spring->skeleton->parents[node];
    }
}

VkskinResult vkskinCreateSpring(const VkskinSpringDef *def, VkskinSpring *spring) {
    if (spring != NULL) {
        *spring = NULL;
    }
    VkskinResult result = sknCheckCookie(def, VKSKIN_COOKIE_SPRING);
    result = result < 0 ? result : checkDef(def, spring);
    if (result < 0) {
        return result;
    }
    uint32_t count = 1;
    for (uint32_t node = def->end; node != def->start; node = (uint32_t)def->skeleton->parents[node]) {
        ++count;
    }
    Arena arena = sknMakeArena(def->allocator);
    VkskinSpring made = sknArenaArray(&arena, 1, sizeof *made);
    uint32_t *nodes = sknArenaArray(&arena, count, sizeof *nodes);
    AffineDouble *locals = sknArenaArray(&arena, count, sizeof *locals);
    Point *points = sknArenaArray(&arena, count, sizeof *points);
    if (arena.failed) {
        sknFreeArena(&arena);
        return sknReport(&def->logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "vkskinCreateSpring: no memory for %u nodes",
                         count);
    }
    *made = (struct VkskinSpring_T){.arena = arena,
                                    .logger = def->logger,
                                    .skeleton = def->skeleton,
                                    .count = count,
                                    .nodes = nodes,
                                    .locals = locals,
                                    .points = points,
                                    .gravity = sknVector(def->gravity),
                                    .radius = (double)def->radius};
    listNodes(made, def->end);
    makePropagator(def, made->steps);
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a rule checked it, in another file */
    *spring = made;
    return VKSKIN_SUCCESS;
}

void vkskinDestroySpring(VkskinSpring spring) {
    if (spring != NULL) {
        sknFreeArena(&spring->arena);
    }
}

/* ---- A step ---- */

static Vector placeOf(const AffineDouble *m) {
    return (Vector){m->m[0][3], m->m[1][3], m->m[2][3]};
}

/* Turns the axes of a matrix about its place. */
static AffineDouble turned(const AffineDouble *m, Quaternion turn) {
    AffineDouble result = *m;
    for (int column = 0; column < 3; ++column) {
        const Vector axis = sknRotate(turn, (Vector){m->m[0][column], m->m[1][column], m->m[2][column]});
        result.m[0][column] = axis.x;
        result.m[1][column] = axis.y;
        result.m[2][column] = axis.z;
    }
    return result;
}

/* The turn that brings a point from `from` to `to`, seen from a joint; none if they have no direction. */
static Quaternion turnTo(Vector joint, Vector from, Vector to) {
    const Vector a = sknSubtract(from, joint), b = sknSubtract(to, joint);
    return sknShortestTurn(sknDirection(a, a), sknDirection(b, b));
}

/* Moves a point out of a capsule, with its distance. */
static Vector pushOut(const VkskinSpringCollider *collider, double radius, Vector at) {
    const Vector from = sknVector(collider->from), axis = sknSubtract(sknVector(collider->to), from);
    const double square = sknDot(axis, axis);
    const double along = square > 0.0 ? sknDot(sknSubtract(at, from), axis) / square : 0.0;
    const Vector nearest = sknAdd(from, sknScale(axis, fmin(fmax(along, 0.0), 1.0)));
    const Vector away = sknSubtract(at, nearest);
    const double distance = (double)collider->radius + radius;
    if (sknLength(away) >= distance) {
        return at;
    }
    return sknAdd(nearest, sknScale(sknDirection(away, (Vector){0.0, 1.0, 0.0}), distance));
}

/* Moves a point to its length from the joint and out of the colliders. */
static Vector constrain(VkskinSpring spring, const VkskinSpringFrame *frame, Vector joint, Vector target, Vector at) {
    const Vector arm = sknSubtract(target, joint);
    const double length = sknLength(arm);
    for (int round = 0; round <= PUSHES; ++round) {
        const Vector direction = sknDirection(sknSubtract(at, joint), sknDirection(arm, arm));
        at = sknAdd(joint, sknScale(direction, length));
        for (uint32_t i = 0; i < frame->colliderCount && round < PUSHES; ++i) {
            at = pushOut(&frame->colliders[i], spring->radius, at);
        }
    }
    return at;
}

static void movePoint(VkskinSpring spring, const VkskinSpringFrame *frame, Vector joint, Vector target, Point *point) {
    const double *atRow = spring->steps[0], *speedRow = spring->steps[1];
    const Vector away = sknSubtract(point->at, target), velocity = point->velocity;
    const Vector free = sknAdd(target, sknAdd(sknAdd(sknScale(away, atRow[0]), sknScale(velocity, atRow[1])),
                                              sknScale(spring->gravity, atRow[2])));
    Vector speed = sknAdd(sknAdd(sknScale(away, speedRow[0]), sknScale(velocity, speedRow[1])),
                          sknScale(spring->gravity, speedRow[2]));
    const Vector at = constrain(spring, frame, joint, target, free);
    speed = sknAdd(speed, sknScale(sknSubtract(at, free), 1.0 / VKSKIN_SPRING_STEP));
    const Vector carried = sknScale(sknSubtract(joint, point->joint), 1.0 / VKSKIN_SPRING_STEP);
    const Vector own = sknSubtract(speed, carried);
    const double fastest = FASTEST * sknLength(sknSubtract(target, joint));
    if (sknLength(own) > fastest) {
        speed = sknAdd(carried, sknScale(own, fastest / sknLength(own)));
    }
    *point = (Point){.at = at, .velocity = speed, .joint = joint};
}

/* frame: null: the points are set to the pose, at rest. */
static void stepChain(VkskinSpring spring, const VkskinSpringFrame *frame, const AffineDouble *base) {
    AffineDouble m = sknAffineMultiply(base, &spring->locals[0]);
    for (uint32_t i = 1; i < spring->count; ++i) {
        Point *point = &spring->points[i];
        const AffineDouble child = sknAffineMultiply(&m, &spring->locals[i]);
        const Vector joint = placeOf(&m), target = placeOf(&child);
        if (frame != NULL) {
            movePoint(spring, frame, joint, target, point);
        } else {
            *point = (Point){.at = target, .joint = joint};
        }
        m = turned(&m, turnTo(joint, target, point->at));
        m = sknAffineMultiply(&m, &spring->locals[i]);
    }
}

/* ---- A call ---- */

static VkskinResult checkFrame(VkskinSpring spring, const VkskinSpringFrame *frame, const VkskinTransform *pose,
                               const VkskinAffine *world) {
    const int32_t parent = spring->skeleton->parents[spring->nodes[0]];
    bool finite = parent < 0 || sknAffineIsFinite(&world[parent]), valid = frame->seconds >= 0.0f;
    for (uint32_t i = 0; i < spring->count; ++i) {
        finite = finite && sknTransformIsFinite(&pose[spring->nodes[i]]) && sknAffineIsFinite(&world[spring->nodes[i]]);
    }
    for (uint32_t i = 0; i < frame->colliderCount && frame->colliders != NULL; ++i) {
        const VkskinSpringCollider *collider = &frame->colliders[i];
        valid = valid && sknAreFinite(collider->from, 3) && sknAreFinite(collider->to, 3) &&
                isWithin(collider->radius, 1e30f);
    }
    const Subject subject = {&spring->logger, "vkskinStepSpring", ""};
    const Rule rules[] = {
        {frame->colliderCount > 0 && frame->colliders == NULL, VKSKIN_ERROR_NULL_ARGUMENT, "colliders is null"},
        {!valid || !isfinite(frame->seconds), VKSKIN_ERROR_INVALID_VALUE,
         "seconds or a number of a collider is out of range or not finite"},
        {!finite, VKSKIN_ERROR_TRANSFORM_NOT_FINITE, "a transform of the chain is not finite"},
    };
    return sknCheckRules(&subject, rules, SKN_COUNT(rules));
}

/* The space of the start in world space, and the local matrices of the chain. */
static AffineDouble readPose(VkskinSpring spring, const AffineDouble *place, const VkskinTransform *pose,
                             const VkskinAffine *world) {
    VkskinSkeleton skeleton = spring->skeleton;
    const int32_t parent = skeleton->parents[spring->nodes[0]];
    for (uint32_t i = 0; i < spring->count; ++i) {
        spring->locals[i] = sknLocalMatrix(skeleton, pose, spring->nodes[i]);
    }
    if (parent < 0) {
        return *place;
    }
    const AffineDouble above = sknAffineWiden(&world[parent]);
    return sknAffineMultiply(place, &above);
}

/* All steps that end in the frame. The start moves in a straight line between two calls. */
static void advance(VkskinSpring spring, const VkskinSpringFrame *frame, const AffineDouble *base) {
    const double seconds = fmin((double)frame->seconds, LONGEST);
    double end = VKSKIN_SPRING_STEP - spring->behind;
    while (end <= seconds + LATE * VKSKIN_SPRING_STEP) {
        const double share = seconds > 0.0 ? fmin(end / seconds, 1.0) : 1.0;
        AffineDouble now;
        for (int i = 0; i < 12; ++i) {
            const double from = spring->base.m[i / 4][i % 4];
            now.m[i / 4][i % 4] = from + (base->m[i / 4][i % 4] - from) * share;
        }
        stepChain(spring, frame, &now);
        end += VKSKIN_SPRING_STEP;
    }
    spring->behind = seconds + VKSKIN_SPRING_STEP - end;
}

/* Turns each node so that the next one is in the direction of its point, which moves on until the end of the frame. */
static void turnNodes(VkskinSpring spring, const AffineDouble *toModel, VkskinTransform *pose, VkskinAffine *world) {
    for (uint32_t i = 1; i < spring->count; ++i) {
        const uint32_t node = spring->nodes[i - 1], next = spring->nodes[i];
        const Vector point = sknAdd(spring->points[i].at, sknScale(spring->points[i].velocity, spring->behind));
        AffineDouble at = {{{0.0, 0.0, 0.0, point.x}, {0.0, 0.0, 0.0, point.y}, {0.0, 0.0, 0.0, point.z}}};
        at = sknAffineMultiply(toModel, &at);
        const AffineDouble joint = sknAffineWiden(&world[node]), tip = sknAffineWiden(&world[next]);
        const Quaternion turn = turnTo(placeOf(&joint), placeOf(&tip), placeOf(&at));
        sknTurnNode(spring->skeleton, world, node, turn, 1.0, pose);
        (void)vkskinComposeSubtree(spring->skeleton, pose, node, world); /* cannot fail: the arguments were checked */
    }
}

VkskinResult vkskinStepSpring(VkskinSpring spring, const VkskinSpringFrame *frame, VkskinTransform *pose,
                              VkskinAffine *world) {
    if (spring == NULL || frame == NULL || pose == NULL || world == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    const VkskinResult result = checkFrame(spring, frame, pose, world);
    if (result < 0) {
        return result;
    }
    const VkskinAffine identity = vkskinIdentityAffine();
    const AffineDouble place = sknAffineWiden(frame->place != NULL ? frame->place : &identity);
    AffineDouble toModel;
    if (!sknAffineInvert(&place, &toModel)) {
        return sknReport(&spring->logger, VKSKIN_ERROR_SINGULAR_MATRIX, "vkskinStepSpring: place has no inverse");
    }
    const AffineDouble base = readPose(spring, &place, pose, world);
    if (!spring->started || frame->teleport) {
        spring->started = true;
        spring->behind = 0.0;
        stepChain(spring, NULL, &base);
    } else {
        advance(spring, frame, &base);
    }
    spring->base = base;
    turnNodes(spring, &toModel, pose, world);
    return VKSKIN_SUCCESS;
}
