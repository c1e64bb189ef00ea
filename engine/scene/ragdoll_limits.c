#include "ragdoll_limits.h"

#include <stdlib.h>
#include <string.h>

#define SAMPLES_MAX   2048u /* for all clips together */
#define CLIP_SAMPLES  128u  /* for one clip */
#define RADIANS       (M_PI / 180.0)
#define HINGE_OFF     (5.0 * RADIANS)
#define HINGE_LEAST   (10.0 * RADIANS) /* joints that turn less have no axis */
#define MARGIN        (10.0 * RADIANS)
#define MIDDLE_MOST   (80.0 * RADIANS)
#define WITHOUT_CLIPS (45.0 * RADIANS)

/* ---- Orientations in the clips ---- */

typedef struct Samples {
    uint32_t count, perClip;
    Turn *turns; /* [bodyCount][count]: of each body relative to its parent */
} Samples;

static bool sampleClips(const RagdollShape *shape, const ClipSource *source, const Samples *samples,
                        EngineError *error) {
    const uint32_t nodeCount = shape->model->nodeCount;
    VkskinTransform *pose = engineAllocate(nodeCount, sizeof *pose, error);
    VkskinAffine *world = engineAllocate(nodeCount, sizeof *world, error);
    VkskinResult result = VKSKIN_SUCCESS;
    for (uint32_t i = 0; i < samples->count && pose && world && result >= 0; i++) {
        const uint32_t clip = i / samples->perClip, step = i % samples->perClip;
        const double time = clipSourceDuration(source, clip) * step / (samples->perClip - 1);
        result = clipSourceSample(source, clip, time, VKSKIN_WRAP_CLAMP, pose);
        result = result < 0 ? result : vkskinComposePose(source->skeleton, pose, world);
        Turn turns[RAGDOLL_BODIES_MAX];
        for (uint32_t body = 0; body < shape->bodyCount && result >= 0; body++) {
            const int32_t parent = shape->bodies[body].parent;
            turns[body] = ragdollBodyIn(shape, body, world).turn;
            samples->turns[(size_t)body * samples->count + i] =
                parent < 0 ? turnNone() : turnMultiply(turnInverse(turns[parent]), turns[body]);
        }
    }
    free(pose);
    free(world);
    return pose && world && (result >= 0 || engineVkskin(error, "sampling a clip", result, ""));
}

/* ---- Joints ---- */

/* The mean of orientations that lie close together; the first one decides between a quaternion and its negative. */
static Turn meanOf(const Turn *turns, uint32_t count) {
    Turn sum = {{0}};
    for (uint32_t i = 0; i < count; i++) {
        const double *q = turns[i].q, *first = turns[0].q;
        const double sign = dot3(q, first) + q[3] * first[3] < 0.0 ? -1.0 : 1.0;
        for (int k = 0; k < 4; k++) {
            sum.q[k] += sign * q[k];
        }
    }
    return turnMultiply(sum, turnNone()); /* makes the length 1 */
}

/* The turn from the joint's zero, as a vector in the child's space. */
static void fromZero(const RagdollJoint *joint, Turn turn, double *vector) {
    turnVector(turnMultiply(turnInverse(joint->zero), turn), vector);
}

/* The axis of the clips' turns, without their part along `without`, which may be zero. In the child's space. */
static void axisOf(const RagdollJoint *joint, const Turn *turns, uint32_t count, const double *without, double *axis) {
    double spread[3][3] = {{0}}, vector[3];
    for (uint32_t i = 0; i < count; i++) {
        fromZero(joint, turns[i], vector);
        add3(vector, -dot3(vector, without), without, vector);
        for (int k = 0; k < 9; k++) {
            spread[k / 3][k % 3] += vector[k / 3] * vector[k % 3];
        }
    }
    largestAxis(spread, axis);
}

/* Whether all turns are about one axis; then the joint becomes a hinge about it. */
static bool makeHinge(RagdollJoint *joint, const Turn *turns, uint32_t count) {
    double axis[3], vector[3], low = 0.0, high = 0.0;
    axisOf(joint, turns, count, (const double[3]){0}, axis);
    for (uint32_t i = 0; i < count; i++) {
        fromZero(joint, turns[i], vector);
        const double about = dot3(vector, axis);
        double off[3];
        add3(vector, -about, axis, off);
        if (length3(off) > HINGE_OFF) {
            return false;
        }
        low = fmin(low, about);
        high = fmax(high, about);
    }
    joint->kind = RAGDOLL_HINGE;
    memcpy(joint->twist, axis, sizeof axis);
    turnApply(joint->zero, axis, joint->axis);
    return high - low > HINGE_LEAST;
}

/* The bone is the twist; the axis across it, about which the clips turn most, is the first one. */
static void makeBall(RagdollJoint *joint, const RagdollBody *body, const Turn *turns, uint32_t count) {
    double across[3];
    joint->kind = RAGDOLL_BALL;
    add3(body->centre, -1.0, body->anchor, joint->twist);
    const double length = length3(joint->twist);
    if (length > 0.1 * body->radius) {
        scale3(1.0 / length, joint->twist, joint->twist);
    } else {
        memcpy(joint->twist, body->axis, sizeof joint->twist);
    }
    axisOf(joint, turns, count, joint->twist, across);
    if (fabs(dot3(across, joint->twist)) > 1e-3) { /* no turns across the bone */
        acrossOf(joint->twist, across);
    }
    add3(across, -dot3(across, joint->twist), joint->twist, across);
    scale3(1.0 / length3(across), across, across);
    turnApply(joint->zero, across, joint->axis);
}

static void setLimits(RagdollJoint *joint, const Turn *turns, uint32_t count) {
    double angles[3];
    for (int k = 0; k < 3; k++) {
        joint->lowest[k] = count > 0 ? -MARGIN : -WITHOUT_CLIPS;
        joint->highest[k] = -joint->lowest[k];
    }
    for (uint32_t i = 0; i < count; i++) {
        ragdollAngles(joint, turnNone(), turns[i], angles);
        for (int k = 0; k < 3; k++) {
            joint->lowest[k] = fmin(joint->lowest[k], angles[k] - MARGIN);
            joint->highest[k] = fmax(joint->highest[k], angles[k] + MARGIN);
        }
    }
    joint->lowest[1] = fmax(joint->lowest[1], -MIDDLE_MOST);
    joint->highest[1] = fmin(joint->highest[1], MIDDLE_MOST);
}

bool ragdollFindLimits(RagdollShape *shape, const ClipSource *source, EngineError *error) {
    Samples samples = {0};
    if (source->clipCount > 0) {
        samples.perClip = SAMPLES_MAX / source->clipCount;
        samples.perClip = samples.perClip < 2 ? 2 : samples.perClip > CLIP_SAMPLES ? CLIP_SAMPLES : samples.perClip;
        samples.count = samples.perClip * (source->clipCount < SAMPLES_MAX / 2 ? source->clipCount : SAMPLES_MAX / 2);
    }
    samples.turns = engineAllocate((size_t)shape->bodyCount * samples.count, sizeof *samples.turns, error);
    if (!samples.turns || !sampleClips(shape, source, &samples, error)) {
        free(samples.turns);
        return false;
    }
    for (uint32_t i = 1; i < shape->bodyCount; i++) {
        RagdollJoint *joint = &shape->bodies[i].joint;
        const Turn *turns = samples.turns + (size_t)i * samples.count;
        joint->zero = samples.count > 0 ? meanOf(turns, samples.count) : turnNone();
        if (!makeHinge(joint, turns, samples.count)) {
            makeBall(joint, &shape->bodies[i], turns, samples.count);
        }
        setLimits(joint, turns, samples.count);
    }
    free(samples.turns);
    return true;
}

/* ---- Angles ---- */

/*
 * Those of a ball are Euler's: about an axis of the parent, then about the one across both, then about the twist. The signs
 * are those of the physics engine.
 */
void ragdollAngles(const RagdollJoint *joint, Turn parent, Turn child, double angles[3]) {
    const Turn relative = turnMultiply(turnInverse(parent), child); /* in the parent's space */
    double twist[3], first[3], across[3], side[3], reference[3];
    turnApply(relative, joint->twist, twist);
    if (joint->kind == RAGDOLL_HINGE) {
        double vector[3];
        fromZero(joint, relative, vector);
        angles[0] = dot3(vector, joint->twist);
        angles[1] = angles[2] = 0.0;
        return;
    }
    turnApply(joint->zero, joint->twist, first); /* the twist at zero, in the parent's space */
    cross3(joint->axis, first, side);
    angles[0] = -atan2(dot3(twist, side), dot3(twist, first));
    cross3(twist, joint->axis, across);
    scale3(1.0 / fmax(length3(across), 1e-12), across, across);
    cross3(joint->axis, across, side);
    angles[1] = -atan2(dot3(twist, joint->axis), dot3(twist, side));
    turnApply(turnInverse(joint->zero), joint->axis, reference); /* the axis at zero, in the child's space */
    turnApply(relative, reference, reference);
    cross3(across, twist, side);
    angles[2] = -atan2(dot3(reference, across), dot3(reference, side));
}
