/* spine_physics.c: physics constraints: springs between where a bone is and where it would be if it had no mass. */
#include "spine_pose.h"
#include "spine_rig.h"

#include <stdlib.h>
#include <string.h>

#define STEPS_MAX 100000u /* in one update: more time than this is left out */

/* ---- State ---- */

bool spinePhysicsCreate(SpinePose *pose, EngineError *error) {
    const SpineModel *spine = pose->spine;
    pose->physics = (SpinePhysics){0};
    for (uint32_t i = 0; i < spine->constraintCount; i++) {
        pose->physics.count += spine->constraints[i].kind == SPINE_PHYSICS;
    }
    if (pose->physics.count == 0) {
        return true;
    }
    pose->physics.springs = engineAllocate((size_t)2 * spine->constraintCount, sizeof(SpineSprings), error);
    pose->physics.played = engineAllocate((size_t)2 * spine->animationCount, sizeof(double), error);
    const bool good = pose->physics.springs && pose->physics.played;
    if (good) {
        spinePoseReset(pose);
    }
    return good;
}

void spinePhysicsFree(SpinePose *pose) {
    free(pose->physics.springs);
    free(pose->physics.played);
}

/* At rest where its bone is at the next update. */
static SpineSprings resting(double time) {
    return (SpineSprings){.fresh = true, .last = time};
}

void spinePoseReset(SpinePose *pose) {
    SpinePhysics *physics = &pose->physics;
    physics->time = physics->before = physics->begin = 0.0;
    physics->frames = 0;
    physics->updates = false;
    for (uint32_t i = 0; i < pose->spine->constraintCount && physics->count > 0; i++) {
        physics->springs[i] = resting(0.0);
    }
    for (uint32_t i = 0; i < pose->spine->animationCount && physics->count > 0; i++) {
        physics->played[i] = -1.0;
    }
}

void spinePoseAdvance(SpinePose *pose, double seconds) {
    pose->physics.before = pose->physics.time;
    pose->physics.time += seconds;
    pose->physics.updates = pose->physics.count > 0;
}

/* From one half of the memory to the other one. */
static void copyHalf(SpinePose *pose, size_t from, size_t to) {
    SpinePhysics *physics = &pose->physics;
    const size_t springs = pose->spine->constraintCount, played = pose->spine->animationCount;
    if (physics->count > 0) {
        memcpy(physics->springs + to * springs, physics->springs + from * springs, springs * sizeof(SpineSprings));
        memcpy(physics->played + to * played, physics->played + from * played, played * sizeof(double));
    }
}

void spinePhysicsKeep(SpinePose *pose) {
    copyHalf(pose, 0, 1);
    pose->physics.keptTime = pose->physics.time;
}

void spinePhysicsRestore(SpinePose *pose) {
    copyHalf(pose, 1, 0);
    pose->physics.time = pose->physics.keptTime;
}

/* ---- Keys of RESET ---- */

/* Whether a key lies after `from` and at or before `to`. */
static bool passes(const SpineTimeline *timeline, double from, double to) {
    return spineKey(timeline, to) > spineKey(timeline, from);
}

static void resetAll(SpinePose *pose, uint32_t target) {
    for (uint32_t i = 0; i < pose->spine->constraintCount; i++) {
        if ((i == target || target == pose->spine->constraintCount) && pose->constraintActive[i]) {
            pose->physics.springs[i] = resting(pose->physics.before);
        }
    }
}

static void passResets(SpinePose *pose, const SpinePlay *play) {
    const SpineAnimation *animation = &pose->spine->animations[play->animation];
    double from = pose->physics.played[play->animation];
    for (uint32_t i = 0; i < animation->timelineCount; i++) {
        const SpineTimeline *timeline = &animation->timelines[i];
        const bool wraps = from > play->time;
        if (timeline->kind == SPINE_TIMELINE_RESET &&
            (passes(timeline, wraps ? -1.0 : from, play->time) || (wraps && passes(timeline, from, INFINITY)))) {
            resetAll(pose, timeline->target);
        }
    }
}

void spinePassResets(SpinePose *pose, const SpinePlay *plays, uint32_t count) {
    SpinePhysics *physics = &pose->physics;
    if (!physics->updates) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (plays[i].animation >= 0) {
            passResets(pose, &plays[i]);
        }
    }
    for (uint32_t i = 0; i < pose->spine->animationCount; i++) {
        physics->played[i] = -1.0;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (plays[i].animation >= 0) {
            physics->played[plays[i].animation] = plays[i].time;
        }
    }
}

/* ---- One constraint ---- */

/* What an update of a constraint needs. */
typedef struct Update {
    const SpineConstraint *constraint;
    const double *values;
    SpineSprings *springs;
    SpineMatrix *matrix;
    double length, limit; /* length of the bone; maximum of the way since the last update */
    double reference;
    uint32_t steps;
    double step, damping; /* seconds; factor of velocities per step */
    bool moves[2], turns, scales;
    double turnShare; /* part of the offset that the bone shows */
} Update;

static double clampTo(double value, double limit) {
    return fmax(-limit, fmin(limit, value));
}

/* Goes on by one step of the time. force: in units of the offset. */
static void stepSpring(const Update *update, int spring, double force) {
    SpineSprings *springs = update->springs;
    const double mass = update->values[SPINE_MASS], pace = mass > 0.0 ? update->step / mass : 0.0;
    double *offset = &springs->offsets[spring], *velocity = &springs->velocities[spring];
    *velocity += (force - *offset * update->values[SPINE_STRENGTH]) * pace;
    *offset += *velocity * update->step;
    *velocity *= update->damping;
    if (!isfinite(*offset) || !isfinite(*velocity)) { /* the spring is too strong for its steps */
        *offset = *velocity = 0.0;
    }
}

static void updatePlace(Update *update) {
    SpineSprings *springs = update->springs;
    const double forces[2] = {update->values[SPINE_WIND] * update->reference,
                              -update->values[SPINE_GRAVITY] * update->reference};
    double *place[2] = {&update->matrix->x0, &update->matrix->y0};
    for (int a = 0; a < 2; a++) {
        if (update->moves[a]) {
            springs->offsets[a] +=
                clampTo((springs->place[a] - *place[a]) * update->values[SPINE_INERTIA], update->limit);
            springs->place[a] = *place[a];
            for (uint32_t i = 0; i < update->steps; i++) {
                stepSpring(update, a, forces[a]);
            }
        }
    }
}

static void showPlace(const Update *update) {
    const double mix = update->values[SPINE_PHYSICS_MIX];
    const float *shares = update->constraint->offsets;
    update->matrix->x0 += update->moves[0] ? update->springs->offsets[0] * mix * (double)shares[SPINE_X] : 0.0;
    update->matrix->y0 += update->moves[1] ? update->springs->offsets[1] * mix * (double)shares[SPINE_Y] : 0.0;
}

/* Where the bone would still point, and how far its end would still be. */
static void lagBehind(const Update *update, const double way[2], double angle, double direction[2]) {
    SpineSprings *springs = update->springs;
    const double inertia = update->values[SPINE_INERTIA];
    if (update->turns) {
        const double turn = atan2(way[1] + springs->tip[1], way[0] + springs->tip[0]) - angle -
                            springs->offsets[SPINE_SPRING_TURN] * update->turnShare;
        springs->offsets[SPINE_SPRING_TURN] +=
            (turn - ceil(turn / (2.0 * SPINE_PI) - 0.5) * (2.0 * SPINE_PI)) * inertia;
        angle += springs->offsets[SPINE_SPRING_TURN] * update->turnShare;
    }
    direction[0] = cos(angle);
    direction[1] = sin(angle);
    const double length = update->scales ? update->length * hypot(update->matrix->a, update->matrix->c) : 0.0;
    if (length > 0.0) {
        springs->offsets[SPINE_SPRING_SCALE] += (way[0] * direction[0] + way[1] * direction[1]) * inertia / length;
    }
}

/* Turns and scales: after the place, which they see. */
static void updateTip(Update *update) {
    SpineSprings *springs = update->springs;
    const SpineMatrix *m = update->matrix;
    const double wind = update->values[SPINE_WIND], gravity = update->values[SPINE_GRAVITY];
    const double angle = atan2(m->c, m->a);
    const double way[2] = {clampTo(springs->origin[0] - m->x0, update->limit),
                           clampTo(springs->origin[1] - m->y0, update->limit)};
    double direction[2];
    lagBehind(update, way, angle, direction);
    for (uint32_t i = 0; i < update->steps; i++) {
        if (update->scales) {
            stepSpring(update, SPINE_SPRING_SCALE, wind * direction[0] - gravity * direction[1]);
        }
        if (update->turns) {
            stepSpring(update, SPINE_SPRING_TURN,
                       -(wind * direction[1] + gravity * direction[0]) * update->length / update->reference);
            const double turned = angle + springs->offsets[SPINE_SPRING_TURN] * update->turnShare;
            direction[0] = cos(turned);
            direction[1] = sin(turned);
        }
    }
}

/* Time that is due for steps. The first update only takes the time. */
static void takeTime(Update *update, double time) {
    SpineSprings *springs = update->springs;
    const double passed = fmax(time - springs->last, 0.0), step = update->step;
    springs->remaining += passed;
    springs->last = time;
    update->limit = (double)update->constraint->limit * passed;
    while (!springs->fresh && springs->remaining >= step && update->steps < STEPS_MAX) {
        springs->remaining -= step;
        update->steps++;
    }
    springs->remaining = update->steps < STEPS_MAX ? springs->remaining : 0.0;
    if (springs->perFrame != update->values[SPINE_DAMPING]) {
        springs->perFrame = update->values[SPINE_DAMPING];
        springs->perStep = pow(springs->perFrame, 60.0 * step);
    }
    update->damping = springs->perStep;
}

static void showTurn(const Update *update) {
    const float *shares = update->constraint->offsets;
    const double offset = update->springs->offsets[SPINE_SPRING_TURN] * update->values[SPINE_PHYSICS_MIX];
    const double turn = offset * (double)shares[SPINE_ROTATION];
    SpineMatrix *m = update->matrix, x = *m;
    spineTurn(m, turn);
    if (shares[SPINE_SHEAR_X] != 0.0f) { /* shear turns the x axis alone */
        spineTurn(&x, turn + offset * (double)shares[SPINE_SHEAR_X]);
        m->a = x.a;
        m->c = x.c;
    }
}

static void showScale(const Update *update) {
    const double factor = 1.0 + update->springs->offsets[SPINE_SPRING_SCALE] * update->values[SPINE_PHYSICS_MIX] *
                                    (double)update->constraint->offsets[SPINE_SCALE_X];
    update->matrix->a *= factor;
    update->matrix->c *= factor;
}

static Update updateOf(SpinePose *pose, uint32_t index) {
    const SpineConstraint *constraint = &pose->spine->constraints[index];
    const float *shares = constraint->offsets;
    const double mix = pose->values[index][SPINE_PHYSICS_MIX];
    return (Update){.constraint = constraint,
                    .values = pose->values[index],
                    .springs = &pose->physics.springs[index],
                    .matrix = &pose->bones[constraint->bones[0]].matrix,
                    .length = (double)pose->spine->bones[constraint->bones[0]].length,
                    .reference = (double)pose->spine->referenceScale,
                    .step = 1.0 / (double)constraint->rate,
                    .moves = {shares[SPINE_X] > 0.0f, shares[SPINE_Y] > 0.0f},
                    .turns = shares[SPINE_ROTATION] > 0.0f || shares[SPINE_SHEAR_X] > 0.0f,
                    .scales = shares[SPINE_SCALE_X] > 0.0f,
                    .turnShare = (double)(shares[SPINE_ROTATION] + shares[SPINE_SHEAR_X]) * mix};
}

void spineApplyPhysics(SpinePose *pose, uint32_t index) {
    Update update = updateOf(pose, index);
    SpineSprings *springs = update.springs;
    SpineMatrix *m = update.matrix;
    const bool updates = pose->physics.updates, fresh = springs->fresh;
    if (update.values[SPINE_PHYSICS_MIX] == 0.0) {
        return;
    }
    if (updates) {
        takeTime(&update, pose->physics.time);
        if (fresh) {
            springs->place[0] = m->x0;
            springs->place[1] = m->y0;
        } else {
            updatePlace(&update);
        }
    }
    showPlace(&update);
    if (updates && !fresh && (update.turns || update.scales)) {
        updateTip(&update);
    }
    if (updates) {
        springs->fresh = false;
        springs->origin[0] = m->x0;
        springs->origin[1] = m->y0;
    }
    if (update.turns) {
        showTurn(&update);
    }
    if (update.scales) {
        showScale(&update);
    }
    if (updates) {
        springs->tip[0] = update.length * m->a;
        springs->tip[1] = update.length * m->c;
    }
    const uint32_t bone = update.constraint->bones[0];
    spineMark(pose, bone, true);
    spineFollow(pose);
    spineUnplace(pose, bone, update.constraint);
}
