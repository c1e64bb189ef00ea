/* spine_transform.c: transform constraints: bones take over a share of a target's place. */
#include "spine_rig.h"

static double angleX(const SpineMatrix *m) {
    return atan2(m->c, m->a);
}

static double angleY(const SpineMatrix *m) {
    return atan2(m->d, m->b);
}

static double wrapRadians(double angle) {
    return spineRadians(spineWrap(spineDegrees(angle)));
}

static void scaleX(SpineMatrix *m, double factor) {
    m->a *= factor;
    m->c *= factor;
}

static void scaleY(SpineMatrix *m, double factor) {
    m->b *= factor;
    m->d *= factor;
}

/* From a length to a share of the way to another one, as a factor. */
static double towards(double length, double target, double mix) {
    return length > 0.0 ? (length + (target - length) * mix) / length : 1.0;
}

/* The matrix of one bone. A target that mirrors turns the other way round, so its offsets of angles are negated. */
static void mixMatrix(SpineMatrix *m, const SpineMatrix *target, const SpineConstraint *constraint, const double *mix) {
    const bool relative = constraint->modes[SPINE_TRANSFORM_RELATIVE];
    const float *offsets = constraint->offsets;
    const double turned = spineDeterminant(target) > 0.0 ? 1.0 : -1.0;
    const double offsetRotation = spineRadians((double)offsets[SPINE_ROTATION]) * turned;
    const double offsetShear = spineRadians((double)offsets[SPINE_SHEAR_Y]) * turned;
    if (mix[SPINE_MIX_ROTATE] != 0.0) {
        const double angle = angleX(target) - (relative ? 0.0 : angleX(m)) + offsetRotation;
        spineTurn(m, wrapRadians(angle) * mix[SPINE_MIX_ROTATE]);
    }
    double place[2];
    spineTransform(target, (double)offsets[SPINE_X], (double)offsets[SPINE_Y], place);
    m->x0 += (place[0] - (relative ? 0.0 : m->x0)) * mix[SPINE_MIX_X];
    m->y0 += (place[1] - (relative ? 0.0 : m->y0)) * mix[SPINE_MIX_Y];
    const double lengthX = hypot(target->a, target->c) + (double)offsets[SPINE_SCALE_X];
    const double lengthY = hypot(target->b, target->d) + (double)offsets[SPINE_SCALE_Y];
    scaleX(m, relative ? (lengthX - 1.0) * mix[SPINE_MIX_SCALE_X] + 1.0
                       : towards(hypot(m->a, m->c), lengthX, mix[SPINE_MIX_SCALE_X]));
    scaleY(m, relative ? (lengthY - 1.0) * mix[SPINE_MIX_SCALE_Y] + 1.0
                       : towards(hypot(m->b, m->d), lengthY, mix[SPINE_MIX_SCALE_Y]));
    if (mix[SPINE_MIX_SHEAR_Y] != 0.0) {
        const double own = angleY(m), length = hypot(m->b, m->d);
        const double from = relative ? SPINE_PI / 2.0 : own - angleX(m);
        const double shear = relative ? wrapRadians(angleY(target) - angleX(target)) - from + offsetShear
                                      : wrapRadians(angleY(target) - angleX(target) - from) + offsetShear;
        m->b = cos(own + shear * mix[SPINE_MIX_SHEAR_Y]) * length;
        m->d = sin(own + shear * mix[SPINE_MIX_SHEAR_Y]) * length;
    }
}

/* The mix of each number of a bone's place. The shear of the x axis has none. */
static const int MIXES[SPINE_LOCAL_COUNT] = {SPINE_MIX_X,       SPINE_MIX_Y, SPINE_MIX_ROTATE, SPINE_MIX_SCALE_X,
                                             SPINE_MIX_SCALE_Y, -1,          SPINE_MIX_SHEAR_Y};

static void mixLocal(double *local, const double *target, const SpineConstraint *constraint, const double *mixes) {
    const bool relative = constraint->modes[SPINE_TRANSFORM_RELATIVE];
    for (int i = 0; i < SPINE_LOCAL_COUNT; i++) {
        const double mix = MIXES[i] >= 0 ? mixes[MIXES[i]] : 0.0;
        const double goal = target[i] + (double)constraint->offsets[i];
        const bool angle = i == SPINE_ROTATION || i == SPINE_SHEAR_Y;
        const bool scale = i == SPINE_SCALE_X || i == SPINE_SCALE_Y;
        if (mix == 0.0) {
            continue;
        }
        if (relative && scale) {
            local[i] *= (goal - 1.0) * mix + 1.0;
        } else if (relative) {
            local[i] += goal * mix;
        } else {
            local[i] += (angle ? spineWrap(goal - local[i]) : goal - local[i]) * mix;
        }
    }
}

void spineApplyTransform(SpinePose *pose, const SpineConstraint *constraint, const double *values) {
    const SpineBoneState target = pose->bones[constraint->target]; /* copied: the target may be one of the bones */
    const bool local = constraint->modes[SPINE_TRANSFORM_LOCAL];
    bool any = false;
    for (int i = 0; i < SPINE_VALUE_COUNT; i++) {
        any |= values[i] != 0.0;
    }
    for (uint32_t i = 0; i < constraint->boneCount && any; i++) {
        const uint32_t bone = constraint->bones[i];
        SpineBoneState *state = &pose->bones[bone];
        spineMark(pose, bone, !local);
        if (local) {
            mixLocal(state->local, target.local, constraint, values);
        } else {
            mixMatrix(&state->matrix, &target.matrix, constraint, values);
        }
    }
    spineFollow(pose); /* before the next step, which needs the matrices of parents */
    for (uint32_t i = 0; i < constraint->boneCount && any && !local; i++) {
        spineUnplace(pose, constraint->bones[i], constraint);
    }
}
