#include "ragdoll_world.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <ode/ode.h>

#include "ragdoll_limits.h"

#define SPREAD          0.04 /* m: this radius of gyration is added, so that fingers do not whirl */
#define GRAVITY         9.81 /* m/s^2 */
#define LINEAR_DAMPING  0.1  /* 1/s */
#define ANGULAR_DAMPING 1.0  /* 1/s */
#define JOINT_DAMPING   3.0  /* 1/s: of the spin of a bone relative to its parent */
#define JOINT_DRAG      1.0  /* 1/s for each rad/s of it: ends of chains do not whip */
#define JOINT_FRICTION  8.0  /* rad/s^2: the same of a dry joint, for spins above FRICTION_SPIN; below in proportion */
#define FRICTION_SPIN   0.25 /* rad/s */
#define SPEED_MAX       12.0 /* m/s: a clip that jumps throws nothing further */
#define SPIN_MAX        25.0 /* rad/s */
#define REST_SPEED      0.03 /* m/s and rad/s: bodies that are slower for REST_SECONDS stop */
#define REST_SPIN       0.15
#define REST_SECONDS    0.4
#define TIRING_SECONDS  1.0 /* after them both limits are twice as high, and so on */
#define FRICTION        0.9 /* coefficient at contacts */
#define CONTACTS_MAX    4
#define EXACT_MOST      64 /* contacts: with more, a step is solved by iterations, whose cost grows only linearly */
#define ITERATIONS      60
#define LIGHT           0.2 /* kg: ends of fingers do not stop in one step, which would make them whirl */
#define STOP_ERP        0.1 /* the share of what a joint turns too far that is turned back in a step */
#define MIDDLE_MOST     (85.0 * M_PI / 180.0) /* the second angle of a ball: at 90 degrees the others are undefined */

struct RagdollWorld {
    const RagdollShape *shape;
    dWorldID world;
    dSpaceID space;
    dGeomID ground;
    dJointGroupID contacts;
    dBodyID bodies[RAGDOLL_BODIES_MAX];
    dGeomID geoms[RAGDOLL_BODIES_MAX];
    dJointID joints[RAGDOLL_BODIES_MAX]; /* to the parent: ball or hinge; none of body 0 */
    dJointID motors[RAGDOLL_BODIES_MAX]; /* balls have one */
    uint64_t apart[RAGDOLL_BODIES_MAX];  /* bit b: it does not collide with body b */
    bool falls[RAGDOLL_BODIES_MAX];
    double height, hits;
    int touches; /* contacts of this step */
    double age;  /* seconds since the start, or the last hit */
};

_Static_assert(RAGDOLL_BODIES_MAX <= 64, "a bit for each body");

/* ODE keeps state outside its worlds. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t worldCount;

static void enter(void) {
    pthread_mutex_lock(&lock);
    dAllocateODEDataForThread(dAllocateMaskAll);
}

static void leave(void) {
    pthread_mutex_unlock(&lock);
}

static Turn turnOf(dBodyID body) {
    const dReal *q = dBodyGetQuaternion(body);
    return (Turn){{q[1], q[2], q[3], q[0]}};
}

static double massOf(dBodyID body) {
    dMass mass;
    dBodyGetMass(body, &mass);
    return mass.mass;
}

/* Applies a matrix in the body's axes, as that of the inertia, to a vector of the world. */
static void applyIn(dBodyID body, const dReal *matrix, const double *vector, dVector3 to) {
    dVector3 local, applied;
    dBodyVectorFromWorld(body, vector[0], vector[1], vector[2], local);
    for (size_t i = 0; i < 3; i++) {
        applied[i] = dot3(matrix + 4 * i, local);
    }
    dBodyVectorToWorld(body, applied[0], applied[1], applied[2], to);
}

/* ---- Creation ---- */

static void toQuaternion(Turn turn, dQuaternion q) {
    q[0] = turn.q[3];
    memcpy(q + 1, turn.q, sizeof(double[3]));
}

static void placeBody(const RagdollWorld *world, uint32_t body, Turn turn, const double place[3]) {
    dQuaternion q;
    toQuaternion(turn, q);
    dBodySetPosition(world->bodies[body], place[0], place[1], place[2]);
    dBodySetQuaternion(world->bodies[body], q);
}

/* At the origin, as at rest. */
static void makeBody(RagdollWorld *world, uint32_t index) {
    const RagdollBody *source = &world->shape->bodies[index];
    const double radius = source->radius * world->shape->metres;
    const double length = fmax(2.0 * source->half * world->shape->metres, 1e-3 * radius);
    dBodyID body = world->bodies[index] = dBodyCreate(world->world);
    dGeomID geom = world->geoms[index] = dCreateCapsule(world->space, radius, length);
    dMatrix3 turn;
    dMass mass;
    dRFromZAxis(turn, source->axis[0], source->axis[1], source->axis[2]);
    dMassSetCapsule(&mass, RAGDOLL_DENSITY, 3, radius, length);
    dMassRotate(&mass, turn);
    for (size_t i = 0; i < 3; i++) {
        mass.I[5 * i] += mass.mass * SPREAD * SPREAD;
    }
    dBodySetMass(body, &mass);
    dBodySetData(body, &world->bodies[index]);
    dGeomSetBody(geom, body);
    dGeomSetOffsetRotation(geom, turn);
}

static void makeJoint(RagdollWorld *world, uint32_t index) {
    const RagdollBody *source = &world->shape->bodies[index];
    dBodyID parent = world->bodies[source->parent], child = world->bodies[index];
    if (source->joint.kind == RAGDOLL_HINGE) {
        world->joints[index] = dJointCreateHinge(world->world, NULL);
        dJointAttach(world->joints[index], child, parent);
        return;
    }
    world->joints[index] = dJointCreateBall(world->world, NULL);
    world->motors[index] = dJointCreateAMotor(world->world, NULL);
    dJointAttach(world->joints[index], parent, child);
    dJointAttach(world->motors[index], parent, child);
    dJointSetAMotorMode(world->motors[index], dAMotorEuler);
}

RagdollWorld *ragdollWorldCreate(const RagdollShape *shape) {
    RagdollWorld *world = calloc(1, sizeof *world);
    if (!world) {
        return NULL;
    }
    pthread_mutex_lock(&lock);
    if (worldCount++ == 0) {
        dInitODE2(0);
    }
    dAllocateODEDataForThread(dAllocateMaskAll);
    world->shape = shape;
    world->world = dWorldCreate();
    world->space = dSimpleSpaceCreate(NULL);
    world->contacts = dJointGroupCreate(0);
    world->ground = dCreatePlane(NULL, 0, 1, 0, 0);
    dWorldSetERP(world->world, 0.8);
    dWorldSetCFM(world->world, 1e-9);
    dWorldSetContactMaxCorrectingVel(world->world, 0.3);
    dWorldSetContactSurfaceLayer(world->world, 0.001);
    dWorldSetLinearDamping(world->world, LINEAR_DAMPING * RAGDOLL_STEP);
    dWorldSetAngularDamping(world->world, ANGULAR_DAMPING * RAGDOLL_STEP);
    dWorldSetMaxAngularSpeed(world->world, 4.0 * SPIN_MAX);
    dWorldSetQuickStepNumIterations(world->world, ITERATIONS);
    dWorldSetAutoDisableTime(world->world, REST_SECONDS);
    dWorldSetAutoDisableSteps(world->world, 0);
    dWorldSetAutoDisableAverageSamplesCount(world->world, 8);
    dWorldSetGravity(world->world, -GRAVITY * shape->up[0], -GRAVITY * shape->up[1], -GRAVITY * shape->up[2]);
    for (uint32_t i = 0; i < shape->bodyCount; i++) {
        makeBody(world, i);
    }
    for (uint32_t i = 1; i < shape->bodyCount; i++) {
        makeJoint(world, i);
    }
    leave();
    return world;
}

void ragdollWorldDestroy(RagdollWorld *world) {
    if (world) {
        enter();
        dJointGroupDestroy(world->contacts);
        dGeomDestroy(world->ground);
        dSpaceDestroy(world->space);
        dWorldDestroy(world->world);
        if (--worldCount == 0) {
            dCloseODE();
        }
        leave();
        free(world);
    }
}

/* ---- The start ---- */

/*
 * The joint is where the child's node is in the first pose: clips may move it from its place at rest. Both bodies are placed
 * as they are where all angles are 0, with the joint at the origin, since the engine takes angles from there.
 */
static void setJoint(const RagdollWorld *world, uint32_t index, const RagdollState *states) {
    const RagdollBody *source = &world->shape->bodies[index];
    const RagdollJoint *joint = &source->joint;
    const Rigid *child = &states[index].place, *parent = &states[source->parent].place;
    const double metres = world->shape->metres;
    double arm[3], away[3], between[3], twist[3];
    add3(source->centre, -1.0, source->anchor, arm); /* from the joint to the child */
    scale3(metres, arm, arm);
    turnApply(child->turn, arm, away);
    add3(parent->place, -1.0, child->place, between);
    add3(away, metres, between, away); /* from the joint to the parent */
    turnApply(turnInverse(parent->turn), away, away);
    turnApply(joint->zero, arm, arm);
    placeBody(world, (uint32_t)source->parent, turnNone(), away);
    placeBody(world, index, joint->zero, arm);
    if (joint->kind == RAGDOLL_HINGE) {
        dJointSetHingeAnchor(world->joints[index], 0, 0, 0);
        dJointSetHingeAxis(world->joints[index], joint->axis[0], joint->axis[1], joint->axis[2]);
        return;
    }
    turnApply(joint->zero, joint->twist, twist);
    dJointSetBallAnchor(world->joints[index], 0, 0, 0);
    dJointSetAMotorAxis(world->motors[index], 0, 1, joint->axis[0], joint->axis[1], joint->axis[2]);
    dJointSetAMotorAxis(world->motors[index], 2, 2, twist[0], twist[1], twist[2]);
}

/* Metres from the joint to the parent to the far end. */
static double boneLength(const RagdollShape *shape, uint32_t index) {
    const RagdollBody *body = &shape->bodies[index];
    double bone[3];
    add3(body->centre, -1.0, body->anchor, bone);
    return (length3(bone) + body->half + body->radius) * shape->metres;
}

/* Limits hold the first pose too. */
static void setLimits(const RagdollWorld *world, uint32_t index, const RagdollState *states) {
    static const int PARAMETERS[] = {dParamLoStop, dParamHiStop, dParamStopERP};
    const RagdollBody *body = &world->shape->bodies[index];
    const bool hinge = body->joint.kind == RAGDOLL_HINGE;
    double angles[3];
    ragdollAngles(&body->joint, states[body->parent].place.turn, states[index].place.turn, angles);
    for (int k = 0; k < (hinge ? 1 : 3); k++) {
        const double most = k == 1 ? MIDDLE_MOST : M_PI;
        const double low = fmin(body->joint.lowest[k], angles[k]), high = fmax(body->joint.highest[k], angles[k]);
        const bool isFree = k != 1 && (low <= -M_PI || high >= M_PI);
        const double values[3] = {isFree ? -dInfinity : fmax(low, -most), isFree ? dInfinity : fmin(high, most),
                                  STOP_ERP};
        for (int i = 0; i < 3; i++) {
            const int parameter = PARAMETERS[i] + k * dParamGroup;
            if (hinge) {
                dJointSetHingeParam(world->joints[index], parameter, values[i]);
            } else {
                dJointSetAMotorParam(world->motors[index], parameter, values[i]);
            }
        }
    }
}

static void findPairs(RagdollWorld *world) {
    const RagdollShape *shape = world->shape;
    memset(world->apart, 0, sizeof world->apart);
    for (uint32_t a = 0; a < shape->bodyCount; a++) {
        for (uint32_t b = 0; b < a; b++) {
            dContactGeom touch;
            if ((!world->falls[a] && !world->falls[b]) || shape->bodies[a].parent == (int32_t)b ||
                dCollide(world->geoms[a], world->geoms[b], 1, &touch, sizeof touch) > 0) {
                world->apart[a] |= 1ull << b;
                world->apart[b] |= 1ull << a;
            }
        }
    }
}

/* At most SPEED_MAX and SPIN_MAX: after a jump of the clip the body comes later. */
static void setVelocity(dBodyID body, const double *velocity, const double *spin) {
    const double v = fmin(1.0, SPEED_MAX / fmax(length3(velocity), 1e-9));
    const double w = fmin(1.0, SPIN_MAX / fmax(length3(spin), 1e-9));
    dBodySetLinearVel(body, v * velocity[0], v * velocity[1], v * velocity[2]);
    dBodySetAngularVel(body, w * spin[0], w * spin[1], w * spin[2]);
}

static void setState(RagdollWorld *world, uint32_t index, const RagdollState *state) {
    const double metres = world->shape->metres;
    dBodyID body = world->bodies[index];
    double place[3], velocity[3];
    scale3(metres, state->place.place, place);
    scale3(metres, state->velocity, velocity);
    world->falls[index] = state->falls;
    if (state->falls) {
        dBodySetDynamic(body);
    } else {
        dBodySetKinematic(body);
    }
    placeBody(world, index, state->place.turn, place);
    setVelocity(body, velocity, state->spin);
    dBodySetForce(body, 0, 0, 0);
    dBodySetTorque(body, 0, 0, 0);
}

void ragdollWorldStart(RagdollWorld *world, const RagdollState *states, double ground) {
    const RagdollShape *shape = world->shape;
    bool whole = true;
    enter();
    world->height = ground * shape->metres;
    world->hits = world->age = 0.0;
    dGeomPlaneSetParams(world->ground, shape->up[0], shape->up[1], shape->up[2], world->height);
    dJointGroupEmpty(world->contacts);
    for (uint32_t i = 1; i < shape->bodyCount; i++) {
        setJoint(world, i, states);
        setLimits(world, i, states);
    }
    for (uint32_t i = 0; i < shape->bodyCount; i++) {
        setState(world, i, &states[i]);
        whole = whole && states[i].falls;
    }
    for (uint32_t i = 0; i < shape->bodyCount; i++) {
        dBodySetAutoDisableDefaults(world->bodies[i]);
        dBodySetAutoDisableFlag(world->bodies[i], whole);
        dBodyEnable(world->bodies[i]);
    }
    findPairs(world);
    leave();
}

/* ---- Steps ---- */

void ragdollWorldDrive(RagdollWorld *world, uint32_t index, const Rigid *place) {
    dBodyID body = world->bodies[index];
    Rigid from = {.turn = turnOf(body)}, to = *place;
    double velocity[3], spin[3];
    memcpy(from.place, dBodyGetPosition(body), sizeof from.place);
    scale3(world->shape->metres, to.place, to.place);
    rigidVelocity(&from, &to, RAGDOLL_STEP, velocity, spin);
    setVelocity(body, velocity, spin);
}

static void touch(void *data, dGeomID a, dGeomID b) {
    RagdollWorld *world = data;
    dContact contacts[CONTACTS_MAX];
    dBodyID first = dGeomGetBody(a), second = dGeomGetBody(b);
    const ptrdiff_t index = (dBodyID *)dBodyGetData(first) - world->bodies;
    const ptrdiff_t other = second ? (dBodyID *)dBodyGetData(second) - world->bodies : 0;
    if (second ? world->apart[index] >> other & 1u : !world->falls[index]) {
        return;
    }
    const double lighter = fmin(massOf(first), second ? massOf(second) : INFINITY);
    const double softness = lighter < LIGHT ? RAGDOLL_STEP / lighter : 1e-6; /* half of the speed is left */
    const int count = dCollide(a, b, CONTACTS_MAX, &contacts[0].geom, sizeof contacts[0]);
    world->touches += count;
    for (int i = 0; i < count; i++) {
        contacts[i].surface = (dSurfaceParameters){.mode = dContactApprox1 | dContactSoftERP | dContactSoftCFM,
                                                   .mu = FRICTION,
                                                   .soft_erp = 0.2,
                                                   .soft_cfm = softness};
        dJointAttach(dJointCreateContact(world->world, world->contacts, &contacts[i]), first, second);
    }
}

/* The spin of a bone relative to its parent decays. The lighter one of both decides how fast, so that neither turns back. */
static void dampJoints(const RagdollWorld *world) {
    for (uint32_t i = 1; i < world->shape->bodyCount; i++) {
        dBodyID child = world->bodies[i], parent = world->bodies[world->shape->bodies[i].parent];
        double spin[3];
        dMass mass, above;
        dVector3 torque;
        if (!dBodyIsEnabled(child) || !world->falls[i]) {
            continue;
        }
        dBodyGetMass(child, &mass);
        dBodyGetMass(parent, &above);
        add3(dBodyGetAngularVel(child), -1.0, dBodyGetAngularVel(parent), spin);
        applyIn(child, mass.I, spin, torque);
        const double size = length3(spin);
        const double lighter =
            fmin(1.0, fmin(above.I[0], fmin(above.I[5], above.I[10])) / fmax(mass.I[0], fmax(mass.I[5], mass.I[10])));
        const double rate = lighter * (JOINT_DAMPING + JOINT_DRAG * size + JOINT_FRICTION / fmax(size, FRICTION_SPIN));
        dBodyAddTorque(child, -rate * torque[0], -rate * torque[1], -rate * torque[2]);
        dBodyAddTorque(parent, rate * torque[0], rate * torque[1], rate * torque[2]);
    }
}

/* The longer the fall is, the more it takes to go on. */
static void tire(RagdollWorld *world) {
    const double factor = 1.0 + world->age / TIRING_SECONDS;
    for (uint32_t i = 0; i < world->shape->bodyCount; i++) {
        dBodySetAutoDisableLinearThreshold(world->bodies[i], REST_SPEED * factor);
        dBodySetAutoDisableAngularThreshold(world->bodies[i], REST_SPIN * factor);
    }
    world->age += RAGDOLL_STEP;
}

void ragdollWorldStep(RagdollWorld *world, Rigid *places) {
    const double unit = 1.0 / world->shape->metres;
    enter();
    dRandSetSeed(1);
    tire(world);
    dampJoints(world);
    world->touches = 0;
    dSpaceCollide(world->space, world, touch);
    dSpaceCollide2((dGeomID)world->space, world->ground, world, touch);
    (world->touches > EXACT_MOST ? dWorldQuickStep : dWorldStep)(world->world, RAGDOLL_STEP);
    dJointGroupEmpty(world->contacts);
    leave();
    for (uint32_t i = 0; i < world->shape->bodyCount; i++) {
        const dReal *place = dBodyGetPosition(world->bodies[i]);
        places[i] = (Rigid){turnOf(world->bodies[i]), {unit * place[0], unit * place[1], unit * place[2]}};
    }
}

/* ---- Energy ---- */

/* The energy of a body's motion. */
static double kinetic(dBodyID body) {
    dMass mass;
    dVector3 moment;
    const dReal *v = dBodyGetLinearVel(body), *w = dBodyGetAngularVel(body);
    dBodyGetMass(body, &mass);
    applyIn(body, mass.I, w, moment);
    return 0.5 * (mass.mass * dot3(v, v) + dot3(w, moment));
}

void ragdollWorldHit(RagdollWorld *world, uint32_t index, const float point[3], const float impulse[3]) {
    dBodyID body = world->bodies[index];
    if (!world->falls[index]) {
        return;
    }
    const dReal *place = dBodyGetPosition(body), *v = dBodyGetLinearVel(body), *w = dBodyGetAngularVel(body);
    double push[3], arm[3], moment[3];
    dMass mass;
    dVector3 spin;
    dMatrix3 inverse = {0};
    const double before = kinetic(body);
    dBodyGetMass(body, &mass);
    widen3(impulse, push);
    widen3(point, arm);
    scale3(world->shape->metres, arm, arm);
    add3(arm, -1.0, place, arm);
    cross3(arm, push, moment);
    dInvertPDMatrix(mass.I, inverse, 3);
    applyIn(body, inverse, moment, spin);
    dBodySetLinearVel(body, v[0] + push[0] / mass.mass, v[1] + push[1] / mass.mass, v[2] + push[2] / mass.mass);
    dBodySetAngularVel(body, w[0] + spin[0], w[1] + spin[1], w[2] + spin[2]);
    dBodyEnable(body);
    world->age = 0.0;
    world->hits += kinetic(body) - before;
}

/* Radians by which the joint is outside its limits. */
static double beyondLimits(const RagdollWorld *world, uint32_t index) {
    const RagdollBody *body = &world->shape->bodies[index];
    double angles[3], beyond = 0.0;
    ragdollAngles(&body->joint, turnOf(world->bodies[body->parent]), turnOf(world->bodies[index]), angles);
    for (int k = 0; k < (body->joint.kind == RAGDOLL_HINGE ? 1 : 3); k++) {
        beyond = fmax(beyond, fmax(body->joint.lowest[k] - angles[k], angles[k] - body->joint.highest[k]));
    }
    return beyond;
}

RagdollMeasure ragdollWorldMeasure(const RagdollWorld *world) {
    const RagdollShape *shape = world->shape;
    RagdollMeasure measure = {.hits = world->hits};
    for (uint32_t i = 0; i < shape->bodyCount; i++) {
        const RagdollBody *source = &shape->bodies[i];
        dBodyID body = world->bodies[i];
        const dReal *place = dBodyGetPosition(body);
        dVector3 ends[2];
        double gap[3];
        if (world->falls[i]) {
            measure.energy += kinetic(body) + massOf(body) * GRAVITY * (dot3(place, shape->up) - world->height);
            measure.speed = fmax(measure.speed, length3(dBodyGetLinearVel(body)));
            measure.spin = fmax(measure.spin, length3(dBodyGetAngularVel(body)));
        }
        if (i > 0 && source->joint.kind == RAGDOLL_HINGE) {
            dJointGetHingeAnchor(world->joints[i], ends[0]);
            dJointGetHingeAnchor2(world->joints[i], ends[1]);
        } else if (i > 0) {
            dJointGetBallAnchor(world->joints[i], ends[0]);
            dJointGetBallAnchor2(world->joints[i], ends[1]);
        }
        if (i > 0 && (world->falls[i] || world->falls[source->parent])) {
            add3(ends[0], -1.0, ends[1], gap);
            measure.beyond = fmax(measure.beyond, beyondLimits(world, i));
            measure.gap = fmax(measure.gap, length3(gap) / boneLength(shape, i));
        }
    }
    return measure;
}
