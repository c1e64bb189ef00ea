/* figure_bones.c: matrices of bones from what they inherit, and back. */
#include "figure_rig.h"

#include <string.h>

static const FigureMatrix IDENTITY = {.a = 1.0, .d = 1.0};

static FigureMatrix rotationOf(double angle) {
    const double c = cos(angle), s = sin(angle);
    return (FigureMatrix){.a = c, .b = -s, .c = s, .d = c};
}

/* Without translation. */
static FigureMatrix multiply(const FigureMatrix *p, const FigureMatrix *q) {
    return (FigureMatrix){.a = p->a * q->a + p->b * q->c,
                          .b = p->a * q->b + p->b * q->d,
                          .c = p->c * q->a + p->d * q->c,
                          .d = p->c * q->b + p->d * q->d};
}

/* Solves m x result = (x, y) without translation. */
static bool solve(const FigureMatrix *m, double x, double y, double result[2]) {
    const double determinant = figureDeterminant(m);
    const double size = fabs(m->a * m->d) + fabs(m->b * m->c);
    if (!(fabs(determinant) > 1e-12 * size)) {
        return false;
    }
    result[0] = (m->d * x - m->b * y) / determinant;
    result[1] = (m->a * y - m->c * x) / determinant;
    return true;
}

void figureTransform(const FigureMatrix *m, double x, double y, double result[2]) {
    result[0] = m->a * x + m->b * y + m->x0;
    result[1] = m->c * x + m->d * y + m->y0;
}

FigureMatrix figureMultiply(const FigureMatrix *outer, const FigureMatrix *inner) {
    double place[2];
    FigureMatrix product = multiply(outer, inner);
    figureTransform(outer, inner->x0, inner->y0, place);
    product.x0 = place[0];
    product.y0 = place[1];
    return product;
}

double figureWrap(double degrees) {
    return degrees - 360.0 * floor((degrees + 180.0) / 360.0);
}

void figureTurn(FigureMatrix *m, double angle) {
    const FigureMatrix turned = rotationOf(angle), before = *m;
    *m = multiply(&turned, &before);
    m->x0 = before.x0;
    m->y0 = before.y0;
}

static const FigureMatrix *parentOf(const FigurePose *pose, uint32_t bone) {
    const int32_t parent = pose->figure->bones[bone].parent;
    return parent < 0 ? &IDENTITY : &pose->bones[parent].matrix;
}

/*
 * The parent's scale along its own axes, which stay where they are in the figure: R S R', with R the rotation of its x
 * axis and S its scale along x and across it, both positive.
 */
static FigureMatrix stretchOf(const FigureMatrix *parent) {
    const double along = hypot(parent->a, parent->c);
    const bool flat = along <= FIGURE_TINY;
    const double angle = flat ? atan2(parent->d, parent->b) - FIGURE_PI / 2.0 : atan2(parent->c, parent->a);
    const double across = flat ? hypot(parent->b, parent->d) : fabs(figureDeterminant(parent)) / along;
    const FigureMatrix turn = rotationOf(angle), back = rotationOf(-angle);
    const FigureMatrix scale = {.a = flat ? 0.0 : along, .d = across};
    const FigureMatrix half = multiply(&turn, &scale);
    return multiply(&half, &back);
}

/* A rotation, or a reflection where the parent reflects and `keeps` is set, that turns a bone's x axis to where the parent
 * points it. */
static FigureMatrix directionOf(const FigureMatrix *parent, double rotation, bool keeps) {
    const double angle = figureRadians(rotation);
    const double x = parent->a * cos(angle) + parent->b * sin(angle);
    const double y = parent->c * cos(angle) + parent->d * sin(angle);
    FigureMatrix turn = rotationOf(atan2(y, x));
    if (keeps && figureDeterminant(parent) < 0.0) {
        turn.b = -turn.b;
        turn.d = -turn.d;
    }
    return turn;
}

/*
 * The frame in which a bone's rotation, shear and scale act: without its translation, its matrix is the frame times that
 * of rotation, shear and scale. rotation: the bone's, which matters where scale is not inherited.
 */
static FigureMatrix frameOf(const FigurePose *pose, uint32_t bone, double rotation) {
    const FigureMatrix *parent = parentOf(pose, bone);
    const FigureInherit inherit = pose->bones[bone].inherit;
    FigureMatrix frame = *parent;
    if (pose->figure->bones[bone].parent < 0 || inherit == FIGURE_INHERIT_ONLY_TRANSLATION) {
        frame = IDENTITY;
    } else if (inherit == FIGURE_INHERIT_NO_ROTATION_OR_REFLECTION) {
        frame = stretchOf(parent);
    } else if (inherit != FIGURE_INHERIT_NORMAL) {
        const FigureMatrix back = rotationOf(-figureRadians(rotation));
        const FigureMatrix turn = directionOf(parent, rotation, inherit == FIGURE_INHERIT_NO_SCALE);
        frame = multiply(&turn, &back);
    }
    frame.x0 = frame.y0 = 0.0;
    return frame;
}

bool figureAim(const FigurePose *pose, uint32_t bone, const double direction[2], double result[2]) {
    const FigureInherit inherit = pose->bones[bone].inherit;
    const bool scaleless = inherit == FIGURE_INHERIT_NO_SCALE || inherit == FIGURE_INHERIT_NO_SCALE_OR_REFLECTION;
    const FigureMatrix frame = scaleless ? *parentOf(pose, bone) : frameOf(pose, bone, 0.0);
    return solve(&frame, direction[0], direction[1], result);
}

void figurePlace(FigurePose *pose, uint32_t bone) {
    FigureBoneState *state = &pose->bones[bone];
    const double *local = state->local;
    const double x = figureRadians(local[FIGURE_ROTATION] + local[FIGURE_SHEAR_X]);
    const double y = figureRadians(local[FIGURE_ROTATION] + local[FIGURE_SHEAR_Y] + 90.0);
    const FigureMatrix own = {.a = cos(x) * local[FIGURE_SCALE_X],
                              .b = cos(y) * local[FIGURE_SCALE_Y],
                              .c = sin(x) * local[FIGURE_SCALE_X],
                              .d = sin(y) * local[FIGURE_SCALE_Y]};
    const FigureMatrix frame = frameOf(pose, bone, local[FIGURE_ROTATION]);
    double place[2];
    figureTransform(parentOf(pose, bone), local[FIGURE_X], local[FIGURE_Y], place);
    state->matrix = multiply(&frame, &own);
    state->matrix.x0 = place[0];
    state->matrix.y0 = place[1];
}

void figureMove(FigurePose *pose, uint32_t bone, const double place[2]) {
    const FigureMatrix *parent = parentOf(pose, bone);
    if (solve(parent, place[0] - parent->x0, place[1] - parent->y0, pose->bones[bone].local + FIGURE_X)) {
        figurePlace(pose, bone);
    }
}

void figureUnplace(FigurePose *pose, uint32_t bone) {
    FigureBoneState *state = &pose->bones[bone];
    const FigureMatrix *parent = parentOf(pose, bone), *matrix = &state->matrix;
    double place[2], aim[2], x[2], y[2];
    const double axis[2] = {matrix->a, matrix->c};
    if (!solve(parent, matrix->x0 - parent->x0, matrix->y0 - parent->y0, place) || !figureAim(pose, bone, axis, aim)) {
        return;
    }
    const double rotation = figureDegrees(atan2(aim[1], aim[0]));
    const FigureMatrix frame = frameOf(pose, bone, rotation);
    if (!solve(&frame, matrix->a, matrix->c, x) || !solve(&frame, matrix->b, matrix->d, y)) {
        return;
    }
    const double mirrored = x[0] * y[1] - x[1] * y[0] < 0.0 ? -1.0 : 1.0;
    double *local = state->local;
    local[FIGURE_X] = place[0];
    local[FIGURE_Y] = place[1];
    local[FIGURE_ROTATION] = rotation;
    local[FIGURE_SCALE_X] = hypot(x[0], x[1]);
    local[FIGURE_SCALE_Y] = mirrored * hypot(y[0], y[1]);
    local[FIGURE_SHEAR_X] = 0.0;
    local[FIGURE_SHEAR_Y] =
        figureWrap(figureDegrees(atan2(mirrored * y[1], mirrored * y[0])) - 90.0 - figureDegrees(atan2(x[1], x[0])));
}

void figureFollow(FigurePose *pose) {
    const Figure *figure = pose->figure;
    for (uint32_t i = 0; i < figure->boneCount; i++) {
        const int32_t parent = figure->bones[i].parent;
        if (!pose->moved[i] && parent >= 0 && pose->moved[parent]) {
            pose->moved[i] = true;
            if (!pose->fixed[i]) {
                figurePlace(pose, i);
            }
        }
    }
    memset(pose->moved, 0, figure->boneCount * sizeof *pose->moved);
    memset(pose->fixed, 0, figure->boneCount * sizeof *pose->fixed);
}
