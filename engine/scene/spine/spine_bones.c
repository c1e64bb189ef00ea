/* spine_bones.c: matrices of bones from what they inherit, and back. */
#include "spine_rig.h"

#include <string.h>

static const SpineMatrix IDENTITY = {.a = 1.0, .d = 1.0};

static SpineMatrix rotationOf(double angle) {
    const double c = cos(angle), s = sin(angle);
    return (SpineMatrix){.a = c, .b = -s, .c = s, .d = c};
}

/* Without translation. */
static SpineMatrix multiply(const SpineMatrix *p, const SpineMatrix *q) {
    return (SpineMatrix){.a = p->a * q->a + p->b * q->c,
                         .b = p->a * q->b + p->b * q->d,
                         .c = p->c * q->a + p->d * q->c,
                         .d = p->c * q->b + p->d * q->d};
}

/* Solves m x result = (x, y) without translation. */
static bool solve(const SpineMatrix *m, double x, double y, double result[2]) {
    const double determinant = spineDeterminant(m);
    const double size = fabs(m->a * m->d) + fabs(m->b * m->c);
    if (!(fabs(determinant) > 1e-12 * size)) {
        return false;
    }
    result[0] = (m->d * x - m->b * y) / determinant;
    result[1] = (m->a * y - m->c * x) / determinant;
    return true;
}

void spineTransform(const SpineMatrix *m, double x, double y, double result[2]) {
    result[0] = m->a * x + m->b * y + m->x0;
    result[1] = m->c * x + m->d * y + m->y0;
}

SpineMatrix spineMultiply(const SpineMatrix *outer, const SpineMatrix *inner) {
    double place[2];
    SpineMatrix product = multiply(outer, inner);
    spineTransform(outer, inner->x0, inner->y0, place);
    product.x0 = place[0];
    product.y0 = place[1];
    return product;
}

double spineWrap(double degrees) {
    return degrees - 360.0 * floor((degrees + 180.0) / 360.0);
}

void spineTurn(SpineMatrix *m, double angle) {
    const SpineMatrix turned = rotationOf(angle), before = *m;
    *m = multiply(&turned, &before);
    m->x0 = before.x0;
    m->y0 = before.y0;
}

static const SpineMatrix *parentOf(const SpinePose *pose, uint32_t bone) {
    const int32_t parent = pose->spine->bones[bone].parent;
    return parent < 0 ? &IDENTITY : &pose->bones[parent].matrix;
}

/*
 * The parent's scale along its own axes, which stay where they are in the 2D model: R S R', with R the rotation of its x
 * axis and S its scale along x and across it, both positive.
 */
static SpineMatrix stretchOf(const SpineMatrix *parent) {
    const double along = hypot(parent->a, parent->c);
    const bool flat = along <= SPINE_TINY;
    const double angle = flat ? atan2(parent->d, parent->b) - SPINE_PI / 2.0 : atan2(parent->c, parent->a);
    const double across = flat ? hypot(parent->b, parent->d) : fabs(spineDeterminant(parent)) / along;
    const SpineMatrix turn = rotationOf(angle), back = rotationOf(-angle);
    const SpineMatrix scale = {.a = flat ? 0.0 : along, .d = across};
    const SpineMatrix half = multiply(&turn, &scale);
    return multiply(&half, &back);
}

/* A rotation, or a reflection where the parent reflects and `keeps` is set, that turns a bone's x axis to where the parent
 * points it. */
static SpineMatrix directionOf(const SpineMatrix *parent, double rotation, bool keeps) {
    const double angle = spineRadians(rotation);
    const double x = parent->a * cos(angle) + parent->b * sin(angle);
    const double y = parent->c * cos(angle) + parent->d * sin(angle);
    SpineMatrix turn = rotationOf(atan2(y, x));
    if (keeps && spineDeterminant(parent) < 0.0) {
        turn.b = -turn.b;
        turn.d = -turn.d;
    }
    return turn;
}

/*
 * The frame in which a bone's rotation, shear and scale act: without its translation, its matrix is the frame times that
 * of rotation, shear and scale. rotation: the bone's, which matters where scale is not inherited.
 */
static SpineMatrix frameOf(const SpinePose *pose, uint32_t bone, double rotation) {
    const SpineMatrix *parent = parentOf(pose, bone);
    const SpineInherit inherit = pose->bones[bone].inherit;
    SpineMatrix frame = *parent;
    if (pose->spine->bones[bone].parent < 0 || inherit == SPINE_INHERIT_ONLY_TRANSLATION) {
        frame = IDENTITY;
    } else if (inherit == SPINE_INHERIT_NO_ROTATION_OR_REFLECTION) {
        frame = stretchOf(parent);
    } else if (inherit != SPINE_INHERIT_NORMAL) {
        const SpineMatrix back = rotationOf(-spineRadians(rotation));
        const SpineMatrix turn = directionOf(parent, rotation, inherit == SPINE_INHERIT_NO_SCALE);
        frame = multiply(&turn, &back);
    }
    frame.x0 = frame.y0 = 0.0;
    return frame;
}

bool spineAim(const SpinePose *pose, uint32_t bone, const double direction[2], double result[2]) {
    const SpineInherit inherit = pose->bones[bone].inherit;
    const bool scaleless = inherit == SPINE_INHERIT_NO_SCALE || inherit == SPINE_INHERIT_NO_SCALE_OR_REFLECTION;
    const SpineMatrix frame = scaleless ? *parentOf(pose, bone) : frameOf(pose, bone, 0.0);
    return solve(&frame, direction[0], direction[1], result);
}

/* Rotation, shear and scale. Angles that the bone had the last time have the same sines: those take most of the time. */
static SpineMatrix turnedOf(SpineBoneState *state) {
    const double *local = state->local;
    const double degrees[2] = {local[SPINE_ROTATION] + local[SPINE_SHEAR_X],
                               local[SPINE_ROTATION] + local[SPINE_SHEAR_Y] + 90.0};
    for (int i = 0; i < 2; i++) {
        if (memcmp(&degrees[i], &state->degrees[i], sizeof degrees[i]) != 0) { /* also the sign of 0 */
            const double angle = spineRadians(degrees[i]);
            state->degrees[i] = degrees[i];
            state->turn[i][0] = cos(angle);
            state->turn[i][1] = sin(angle);
        }
    }
    return (SpineMatrix){.a = state->turn[0][0] * local[SPINE_SCALE_X],
                         .b = state->turn[1][0] * local[SPINE_SCALE_Y],
                         .c = state->turn[0][1] * local[SPINE_SCALE_X],
                         .d = state->turn[1][1] * local[SPINE_SCALE_Y]};
}

void spinePlace(SpinePose *pose, uint32_t bone) {
    SpineBoneState *state = &pose->bones[bone];
    const double *local = state->local;
    const SpineMatrix own = turnedOf(state), *parent = parentOf(pose, bone);
    double place[2];
    spineTransform(parent, local[SPINE_X], local[SPINE_Y], place);
    if (state->inherit == SPINE_INHERIT_NORMAL) {
        state->matrix = multiply(parent, &own);
    } else {
        const SpineMatrix frame = frameOf(pose, bone, local[SPINE_ROTATION]);
        state->matrix = multiply(&frame, &own);
    }
    state->matrix.x0 = place[0];
    state->matrix.y0 = place[1];
}

void spineMove(SpinePose *pose, uint32_t bone, const double place[2]) {
    const SpineMatrix *parent = parentOf(pose, bone);
    if (solve(parent, place[0] - parent->x0, place[1] - parent->y0, pose->bones[bone].local + SPINE_X)) {
        spinePlace(pose, bone);
    }
}

void spineUnplace(SpinePose *pose, uint32_t bone, const SpineConstraint *constraint) {
    SpineBoneState *state = &pose->bones[bone];
    const SpineMatrix *parent = parentOf(pose, bone), *matrix = &state->matrix;
    double place[2], aim[2], x[2], y[2];
    const double axis[2] = {matrix->a, matrix->c};
    if (pose->lastReader[bone] <= (uint32_t)(constraint - pose->spine->constraints) ||
        !solve(parent, matrix->x0 - parent->x0, matrix->y0 - parent->y0, place) || !spineAim(pose, bone, axis, aim)) {
        return;
    }
    const double rotation = spineDegrees(atan2(aim[1], aim[0]));
    const SpineMatrix frame = frameOf(pose, bone, rotation);
    if (!solve(&frame, matrix->a, matrix->c, x) || !solve(&frame, matrix->b, matrix->d, y)) {
        return;
    }
    const double mirrored = x[0] * y[1] - x[1] * y[0] < 0.0 ? -1.0 : 1.0;
    double *local = state->local;
    local[SPINE_X] = place[0];
    local[SPINE_Y] = place[1];
    local[SPINE_ROTATION] = rotation;
    local[SPINE_SCALE_X] = hypot(x[0], x[1]);
    local[SPINE_SCALE_Y] = mirrored * hypot(y[0], y[1]);
    local[SPINE_SHEAR_X] = 0.0;
    local[SPINE_SHEAR_Y] =
        spineWrap(spineDegrees(atan2(mirrored * y[1], mirrored * y[0])) - 90.0 - spineDegrees(atan2(x[1], x[0])));
}

static uint32_t later(uint32_t a, uint32_t b) {
    return a > b ? a : b;
}

void spineMark(SpinePose *pose, uint32_t bone, bool fixed) {
    pose->moved[bone] = true;
    pose->fixed[bone] = fixed;
    pose->firstMoved = bone < pose->firstMoved ? bone : pose->firstMoved;
    pose->lastMoved = later(pose->lastMoved, pose->lastBelow[bone]);
}

/* Goes on from a bone to the next one that its own `local` places. False: there is none, and all marks are cleared. */
static bool nextMoved(SpinePose *pose, uint32_t *bone) {
    for (; *bone <= pose->lastMoved; (*bone)++) {
        const int32_t parent = pose->spine->bones[*bone].parent;
        pose->moved[*bone] |= parent >= 0 && pose->moved[parent];
        if (pose->moved[*bone] && !pose->fixed[*bone]) {
            return true;
        }
    }
    for (uint32_t i = pose->firstMoved; i <= pose->lastMoved; i++) {
        pose->moved[i] = pose->fixed[i] = false;
    }
    pose->firstMoved = pose->spine->boneCount;
    pose->lastMoved = 0;
    return false;
}

void spineFollow(SpinePose *pose) {
    for (uint32_t i = pose->firstMoved; nextMoved(pose, &i); i++) {
        spinePlace(pose, i);
    }
}

void spineFindReaders(SpinePose *pose) {
    const SpineModel *spine = pose->spine;
    for (uint32_t i = spine->boneCount; i-- > 0;) {
        const int32_t parent = spine->bones[i].parent;
        pose->lastBelow[i] = later(pose->lastBelow[i], i);
        if (parent >= 0) {
            pose->lastBelow[parent] = later(pose->lastBelow[parent], pose->lastBelow[i]);
        }
    }
    pose->firstMoved = spine->boneCount;
    for (uint32_t c = 0; c < spine->constraintCount; c++) {
        const SpineConstraint *constraint = &spine->constraints[c];
        const bool local = constraint->kind == SPINE_IK ||
                           (constraint->kind == SPINE_TRANSFORM && constraint->modes[SPINE_TRANSFORM_LOCAL]);
        for (uint32_t i = 0; i < constraint->boneCount; i++) {
            spineMark(pose, constraint->bones[i], !local);
        }
        for (uint32_t i = pose->firstMoved; nextMoved(pose, &i); i++) {
            pose->lastReader[i] = c;
        }
        if (constraint->kind == SPINE_TRANSFORM && local) {
            pose->lastReader[constraint->target] = c;
        }
    }
}
