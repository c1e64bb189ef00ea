/* figure_transform.c: transform constraints: bones take over a share of a target's place. */
#include "figure_rig.h"

static double angleX(const FigureMatrix *m) {
    return atan2(m->c, m->a);
}

static double angleY(const FigureMatrix *m) {
    return atan2(m->d, m->b);
}

static double wrapRadians(double angle) {
    return figureRadians(figureWrap(figureDegrees(angle)));
}

static void scaleX(FigureMatrix *m, double factor) {
    m->a *= factor;
    m->c *= factor;
}

static void scaleY(FigureMatrix *m, double factor) {
    m->b *= factor;
    m->d *= factor;
}

/* From a length to a share of the way to another one, as a factor. */
static double towards(double length, double target, double mix) {
    return length > 0.0 ? (length + (target - length) * mix) / length : 1.0;
}

/* The matrix of one bone. A target that mirrors turns the other way round, so its offsets of angles are negated. */
static void mixMatrix(FigureMatrix *m, const FigureMatrix *target, const FigureConstraint *constraint,
                      const double *mix) {
    const bool relative = constraint->modes[FIGURE_TRANSFORM_RELATIVE];
    const float *offsets = constraint->offsets;
    const double turned = figureDeterminant(target) > 0.0 ? 1.0 : -1.0;
    const double offsetRotation = figureRadians((double)offsets[FIGURE_ROTATION]) * turned;
    const double offsetShear = figureRadians((double)offsets[FIGURE_SHEAR_Y]) * turned;
    if (mix[FIGURE_MIX_ROTATE] != 0.0) {
        const double angle = angleX(target) - (relative ? 0.0 : angleX(m)) + offsetRotation;
        figureTurn(m, wrapRadians(angle) * mix[FIGURE_MIX_ROTATE]);
    }
    double place[2];
    figureTransform(target, (double)offsets[FIGURE_X], (double)offsets[FIGURE_Y], place);
    m->x0 += (place[0] - (relative ? 0.0 : m->x0)) * mix[FIGURE_MIX_X];
    m->y0 += (place[1] - (relative ? 0.0 : m->y0)) * mix[FIGURE_MIX_Y];
    const double lengthX = hypot(target->a, target->c) + (double)offsets[FIGURE_SCALE_X];
    const double lengthY = hypot(target->b, target->d) + (double)offsets[FIGURE_SCALE_Y];
    scaleX(m, relative ? (lengthX - 1.0) * mix[FIGURE_MIX_SCALE_X] + 1.0
                       : towards(hypot(m->a, m->c), lengthX, mix[FIGURE_MIX_SCALE_X]));
    scaleY(m, relative ? (lengthY - 1.0) * mix[FIGURE_MIX_SCALE_Y] + 1.0
                       : towards(hypot(m->b, m->d), lengthY, mix[FIGURE_MIX_SCALE_Y]));
    if (mix[FIGURE_MIX_SHEAR_Y] != 0.0) {
        const double own = angleY(m), length = hypot(m->b, m->d);
        const double from = relative ? FIGURE_PI / 2.0 : own - angleX(m);
        const double shear = relative ? wrapRadians(angleY(target) - angleX(target)) - from + offsetShear
                                      : wrapRadians(angleY(target) - angleX(target) - from) + offsetShear;
        m->b = cos(own + shear * mix[FIGURE_MIX_SHEAR_Y]) * length;
        m->d = sin(own + shear * mix[FIGURE_MIX_SHEAR_Y]) * length;
    }
}

/* The mix of each number of a bone's place. The shear of the x axis has none. */
static const int MIXES[FIGURE_LOCAL_COUNT] = {FIGURE_MIX_X,       FIGURE_MIX_Y, FIGURE_MIX_ROTATE, FIGURE_MIX_SCALE_X,
                                              FIGURE_MIX_SCALE_Y, -1,           FIGURE_MIX_SHEAR_Y};

static void mixLocal(double *local, const double *target, const FigureConstraint *constraint, const double *mixes) {
    const bool relative = constraint->modes[FIGURE_TRANSFORM_RELATIVE];
    for (int i = 0; i < FIGURE_LOCAL_COUNT; i++) {
        const double mix = MIXES[i] >= 0 ? mixes[MIXES[i]] : 0.0;
        const double goal = target[i] + (double)constraint->offsets[i];
        const bool angle = i == FIGURE_ROTATION || i == FIGURE_SHEAR_Y;
        const bool scale = i == FIGURE_SCALE_X || i == FIGURE_SCALE_Y;
        if (mix == 0.0) {
            continue;
        }
        if (relative && scale) {
            local[i] *= (goal - 1.0) * mix + 1.0;
        } else if (relative) {
            local[i] += goal * mix;
        } else {
            local[i] += (angle ? figureWrap(goal - local[i]) : goal - local[i]) * mix;
        }
    }
}

void figureApplyTransform(FigurePose *pose, const FigureConstraint *constraint, const double *values) {
    const FigureBoneState target = pose->bones[constraint->target]; /* copied: the target may be one of the bones */
    const bool local = constraint->modes[FIGURE_TRANSFORM_LOCAL];
    bool any = false;
    for (int i = 0; i < FIGURE_VALUE_COUNT; i++) {
        any |= values[i] != 0.0;
    }
    for (uint32_t i = 0; i < constraint->boneCount && any; i++) {
        const uint32_t bone = constraint->bones[i];
        FigureBoneState *state = &pose->bones[bone];
        pose->moved[bone] = true;
        if (local) {
            mixLocal(state->local, target.local, constraint, values);
        } else {
            mixMatrix(&state->matrix, &target.matrix, constraint, values);
            pose->fixed[bone] = true;
        }
    }
    for (uint32_t i = 0; i < pose->figure->boneCount && any && local; i++) {
        if (pose->moved[i]) {
            figurePlace(pose, i);
        }
        const int32_t parent = pose->figure->bones[i].parent;
        if (!pose->moved[i] && parent >= 0 && pose->moved[parent]) {
            pose->moved[i] = true;
            figurePlace(pose, i);
        }
    }
    figureFollow(pose); /* before the next step, which needs the matrices of parents */
    for (uint32_t i = 0; i < constraint->boneCount && any && !local; i++) {
        figureUnplace(pose, constraint->bones[i]);
    }
}
