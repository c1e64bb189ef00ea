/* spine_ik.c: IK constraints: one bone points at its target, or the tip of the second of two bones reaches it. */
#include "spine_rig.h"

/* Scales below it, and differences of scales, count as none. */
#define SMALL 1e-4

/* The angles of both bones in the space above the first one, in radians; the second is relative to the first. */
typedef struct Bend {
    double first, second;
    double stretch; /* factor of the first bone's scale */
} Bend;

/* The task of two bones: lengths, the target's place seen from the first bone, which way they bend (1 or -1). */
typedef struct Limb {
    double first, second;  /* lengths; the second one without the first bone's scale */
    double scaleX, scaleY; /* scale of the first bone, which shapes the second one */
    double target[2], mix;
    double bend;
    bool stretch;
} Limb;

static void aimAt(const SpinePose *pose, uint32_t bone, const double target[2], double aim[2], double *distance) {
    const SpineBoneState *state = &pose->bones[bone];
    const double direction[2] = {target[0] - state->matrix.x0, target[1] - state->matrix.y0};
    const bool scaleless =
        state->inherit == SPINE_INHERIT_NO_SCALE || state->inherit == SPINE_INHERIT_NO_SCALE_OR_REFLECTION;
    if (!spineAim(pose, bone, direction, aim)) {
        aim[0] = aim[1] = 0.0;
    }
    *distance = scaleless ? hypot(direction[0], direction[1]) : hypot(aim[0], aim[1]);
}

static void applyOne(SpinePose *pose, uint32_t bone, const double target[2], const double *values, bool uniform) {
    SpineBoneState *state = &pose->bones[bone];
    double *local = state->local, aim[2], distance;
    const double mix = values[SPINE_IK_MIX];
    aimAt(pose, bone, target, aim, &distance);
    const double half = local[SPINE_SCALE_X] < 0.0 ? 180.0 : 0.0; /* 180 if the bone's length points backwards */
    const double goal = spineDegrees(atan2(aim[1], aim[0])) - local[SPINE_SHEAR_X] + half;
    const double length = (double)pose->spine->bones[bone].length * local[SPINE_SCALE_X];
    local[SPINE_ROTATION] += spineWrap(goal - local[SPINE_ROTATION]) * mix;
    const bool changes =
        (values[SPINE_IK_COMPRESS] > 0.0 && distance < length) || (values[SPINE_IK_STRETCH] > 0.0 && distance > length);
    if (changes && length > SMALL) {
        const double factor = (distance / length - 1.0) * mix + 1.0;
        local[SPINE_SCALE_X] *= factor;
        local[SPINE_SCALE_Y] *= uniform ? factor : 1.0;
    }
    spineMark(pose, bone, false);
}

/* ---- Two bones ---- */

/* Moves the target nearer where it is almost out of reach, so that the bones straighten slowly. */
static void soften(Limb *limb, double softness) {
    const double distance = hypot(limb->target[0], limb->target[1]);
    const double beyond = distance - limb->first - limb->second * limb->scaleX + softness;
    if (softness > 0.0 && beyond > 0.0 && distance > 0.0) {
        const double share = fmin(1.0, beyond / (softness * 2.0)) - 1.0;
        const double factor = 1.0 - (beyond - softness * (1.0 - share * share)) / distance;
        limb->target[0] *= factor;
        limb->target[1] *= factor;
    }
}

/* The law of cosines: both lengths have the same scale. */
static Bend bendTriangle(const Limb *limb) {
    const double first = limb->first, second = limb->second * limb->scaleX;
    const double distance = hypot(limb->target[0], limb->target[1]);
    const double product = 2.0 * first * second;
    double cosine = product > 0.0 ? (distance * distance - first * first - second * second) / product : 1.0;
    Bend bend = {.stretch = 1.0};
    if (cosine > 1.0 && limb->stretch && first + second > 0.0) {
        bend.stretch = (distance / (first + second) - 1.0) * limb->mix + 1.0;
    }
    cosine = fmax(-1.0, fmin(1.0, cosine));
    bend.second = acos(cosine) * limb->bend;
    const double along = first + second * cosine, across = second * sin(bend.second);
    bend.first = atan2(limb->target[1], limb->target[0]) - atan2(across, along);
    return bend;
}

/* A point of the ellipse on which the tip lies, at its angle, seen from the first bone. */
typedef struct Tip {
    double angle, x, y, squared;
} Tip;

static Tip tipAt(double angle, double first, double a, double b) {
    const double x = first + a * cos(angle), y = b * sin(angle);
    return (Tip){angle, x, y, x * x + y * y};
}

/* The tip that is nearest to the target where none is at its distance. */
static Bend bendFarthest(const Limb *limb, double a, double b, double squared, double direction) {
    Tip near = tipAt(SPINE_PI, limb->first, a, b), far = tipAt(0.0, limb->first, a, b);
    const double cosine = -a * limb->first / (a * a - b * b);
    if (fabs(cosine) <= 1.0) {
        const Tip side = tipAt(acos(cosine), limb->first, a, b);
        near = side.squared < near.squared ? side : near;
        far = side.squared > far.squared ? side : far;
    }
    const Tip *tip = squared <= (near.squared + far.squared) / 2.0 ? &near : &far;
    return (Bend){direction - atan2(tip->y * limb->bend, tip->x), tip->angle * limb->bend, 1.0};
}

/*
 * The first bone's scale differs in x and y, so the tip lies on an ellipse with half axes a and b around the joint at
 * (first, 0), the first bone being turned to the x axis. A tip (r, y) at the target's distance has
 * ((r - first) / a)^2 + (y / b)^2 = 1 and r^2 + y^2 = distance^2: a quadratic equation for r.
 */
static Bend bendEllipse(const Limb *limb) {
    const double a = limb->scaleX * limb->second, b = limb->scaleY * limb->second;
    const double squared = limb->target[0] * limb->target[0] + limb->target[1] * limb->target[1];
    const double direction = atan2(limb->target[1], limb->target[0]);
    const double second = b * b - a * a, linear = -2.0 * b * b * limb->first;
    const double constant = b * b * limb->first * limb->first + a * a * squared - a * a * b * b;
    const double root = linear * linear - 4.0 * second * constant;
    if (root >= 0.0) {
        const double q = -0.5 * (linear + (linear < 0.0 ? -sqrt(root) : sqrt(root)));
        const double one = q / second, other = q != 0.0 ? constant / q : one;
        const double r = fabs(one) < fabs(other) ? one : other;
        if (squared - r * r >= 0.0) {
            const double y = sqrt(squared - r * r) * limb->bend;
            return (Bend){direction - atan2(y, r), atan2(y / limb->scaleY, (r - limb->first) / limb->scaleX), 1.0};
        }
    }
    return bendFarthest(limb, a, b, squared, direction);
}

static void applyTwo(SpinePose *pose, const uint32_t *bones, const double target[2], const double *values,
                     bool uniform) {
    SpineBoneState *first = &pose->bones[bones[0]], *second = &pose->bones[bones[1]];
    double *upper = first->local, *lower = second->local, unused;
    const double mix = values[SPINE_IK_MIX], childScale = fabs(lower[SPINE_SCALE_X]);
    Limb limb = {.scaleX = fabs(upper[SPINE_SCALE_X]),
                 .scaleY = fabs(upper[SPINE_SCALE_Y]),
                 .second = (double)pose->spine->bones[bones[1]].length * childScale,
                 .mix = mix,
                 .bend = values[SPINE_IK_BEND],
                 .stretch = values[SPINE_IK_STRETCH] > 0.0};
    if (first->inherit != SPINE_INHERIT_NORMAL || second->inherit != SPINE_INHERIT_NORMAL) {
        return; /* import has warned */
    }
    const bool even = fabs(limb.scaleX - limb.scaleY) <= SMALL;
    const double childY = even && !limb.stretch ? lower[SPINE_Y] : 0.0;
    /* Without the first bone's shear, which is given up below. */
    limb.first = hypot(upper[SPINE_SCALE_X] * lower[SPINE_X], upper[SPINE_SCALE_Y] * childY);
    aimAt(pose, bones[0], target, limb.target, &unused);
    if (limb.first < SMALL) {
        const double one[SPINE_VALUE_COUNT] = {mix, 0.0, 1.0, 0.0, values[SPINE_IK_STRETCH]};
        lower[SPINE_ROTATION] = 0.0;
        applyOne(pose, bones[0], target, one, false);
        return;
    }
    soften(&limb, values[SPINE_IK_SOFTNESS] * limb.scaleX * (childScale + 1.0) * 0.5);
    const Bend bend = even ? bendTriangle(&limb) : bendEllipse(&limb);
    /* Negative scales turn a bone round, or change the direction in which angles count. */
    const double side = (upper[SPINE_SCALE_X] < 0.0) != (upper[SPINE_SCALE_Y] < 0.0) ? -1.0 : 1.0;
    const double upperHalf = upper[SPINE_SCALE_X] < 0.0 ? 180.0 : 0.0;
    const double lowerHalf = lower[SPINE_SCALE_X] < 0.0 ? 180.0 : 0.0;
    const double offset = spineDegrees(atan2(childY, lower[SPINE_X])) * side;
    const double upperGoal = spineDegrees(bend.first) - offset + upperHalf;
    const double lowerGoal = (spineDegrees(bend.second) + offset - lower[SPINE_SHEAR_X]) * side + lowerHalf;
    upper[SPINE_ROTATION] += spineWrap(upperGoal - upper[SPINE_ROTATION]) * mix;
    upper[SPINE_SCALE_X] *= bend.stretch;
    upper[SPINE_SCALE_Y] *= uniform ? bend.stretch : 1.0;
    upper[SPINE_SHEAR_X] = upper[SPINE_SHEAR_Y] = 0.0;
    lower[SPINE_ROTATION] += spineWrap(lowerGoal - lower[SPINE_ROTATION]) * mix;
    lower[SPINE_Y] = childY;
    spineMark(pose, bones[0], false);
}

void spineApplyIk(SpinePose *pose, const SpineConstraint *constraint, const double *values) {
    const SpineMatrix *target = &pose->bones[constraint->target].matrix;
    const double place[2] = {target->x0, target->y0};
    if (values[SPINE_IK_MIX] == 0.0) {
        return;
    }
    if (constraint->boneCount == 1) {
        applyOne(pose, constraint->bones[0], place, values, constraint->modes[SPINE_IK_UNIFORM]);
    } else {
        applyTwo(pose, constraint->bones, place, values, constraint->modes[SPINE_IK_UNIFORM]);
    }
    spineFollow(pose);
}
