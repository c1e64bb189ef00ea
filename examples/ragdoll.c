/*
 * ragdoll.c: a figure that falls, simulated by ODE, without window and device. It leans forward for a moment; then bodies take
 * over its pose and its velocities. After each frame their places are the world matrices of the nodes: palette and skinning
 * are as after a clip. It prints where the figure is.
 */
#include <math.h>
#include <ode/ode.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vkskin/vkskin_cpu.h>
#include <vkskin/vkskin_pose.h>

enum { PELVIS, CHEST, HEAD, LEFT_THIGH, LEFT_CALF, RIGHT_THIGH, RIGHT_CALF, NODES };
enum { ENDS = 2, VERTICES = NODES * ENDS, STEPS = 4, FRAMES = 240 };
#define CHECK(call) ((call) < 0 ? (fprintf(stderr, "fails: %s\n", #call), exit(1)) : (void)0)
#define STEP        (1.0 / 240.0) /* seconds; a frame has STEPS */
static const int32_t parents[NODES] = {-1, PELVIS, CHEST, PELVIS, LEFT_THIGH, PELVIS, RIGHT_THIGH};
/* For each node: its place under the parent; the height of its bone's other end above it; the radius. Metres. */
static const float places[NODES][3] = {{0, 0.95f, 0},  {0, 0.15f, 0}, {0, 0.5f, 0},  {0.1f, 0, 0},
                                       {0, -0.42f, 0}, {-0.1f, 0, 0}, {0, -0.42f, 0}};
static const double bones[NODES] = {0.12, 0.42, 0.22, -0.4, -0.45, -0.4, -0.45};
static const double radii[NODES] = {0.12, 0.14, 0.09, 0.07, 0.05, 0.07, 0.05};

typedef struct Figure {
    VkskinSkeleton skeleton;
    VkskinSkin skin;
    VkskinCpuMesh mesh;
    VkskinAffine world[NODES], before[NODES]; /* now, and a step earlier */
    float skinned[VERTICES][3];
} Figure;

typedef struct Bodies {
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
    dBodyID bodies[NODES]; /* each at the place and with the axes of its node */
} Bodies;

/* ---- The figure: what a host has anyway ---- */

/* Stands, and leans forward by an angle about the hips. A host samples its clip. */
static void pose(const Figure *figure, float angle, VkskinAffine *world) {
    VkskinTransform nodes[NODES];
    CHECK(vkskinSampleClip(figure->skeleton, NULL, 0, VKSKIN_WRAP_CLAMP, nodes));
    nodes[PELVIS].rotation[0] = sinf(angle / 2);
    nodes[PELVIS].rotation[3] = cosf(angle / 2);
    CHECK(vkskinComposePose(figure->skeleton, nodes, world));
}

static void makeSkeleton(Figure *figure) {
    VkskinTransform rest[NODES];
    VkskinSkeletonDef def = vkskinDefaultSkeletonDef();
    for (int i = 0; i < NODES; i++) {
        rest[i] = vkskinIdentityTransform();
        memcpy(rest[i].translation, places[i], sizeof places[i]);
    }
    def.nodeCount = NODES;
    def.parents = parents;
    def.restPose = rest;
    CHECK(vkskinCreateSkeleton(&def, &figure->skeleton));
}

/* Two vertices for each bone, at its ends. */
static void makeSkin(Figure *figure) {
    static float positions[VERTICES][3], weights[VERTICES];
    static uint8_t joints[VERTICES];
    uint32_t nodes[NODES];
    VkskinAffine inverseBinds[NODES];
    VkskinMeshDef mesh = vkskinDefaultMeshDef();
    VkskinCpuMeshDef def = vkskinDefaultCpuMeshDef();
    VkskinSkinDef skin = vkskinDefaultSkinDef();
    pose(figure, 0, figure->world);
    for (int i = 0; i < VERTICES; i++) {
        const int node = i / ENDS;
        for (int k = 0; k < 3; k++) {
            positions[i][k] = figure->world[node].m[k][3] + (k == 1 && i % ENDS == 1 ? (float)bones[node] : 0);
        }
        joints[i] = (uint8_t)node;
        weights[i] = 1;
        nodes[node] = (uint32_t)node;
        CHECK(vkskinInvertAffine(&figure->world[node], &inverseBinds[node]));
    }
    skin.nodeCount = skin.boneCount = NODES;
    skin.boneNodes = nodes;
    skin.inverseBinds = inverseBinds;
    CHECK(vkskinCreateSkin(&skin, &figure->skin));
    mesh.vertexCount = VERTICES;
    mesh.boneCount = NODES;
    mesh.positions = positions[0];
    mesh.influencesPerVertex = 1;
    mesh.jointFormat = VKSKIN_JOINTS_U8;
    mesh.joints = joints;
    mesh.weights = weights;
    def.mesh = &mesh;
    CHECK(vkskinCreateCpuMesh(&def, &figure->mesh));
}

/* Whatever moved the nodes. Returns the height of the lowest surface. */
static double skin(Figure *figure) {
    float palette[NODES][12];
    VkskinCpuCommand command = {0};
    double lowest = INFINITY;
    CHECK(vkskinWritePalette(figure->skin, figure->world, NODES, VKSKIN_PALETTE_MAT3X4, palette, NODES));
    command.palette = palette;
    command.encoding = VKSKIN_PALETTE_MAT3X4;
    command.boneCount = NODES;
    command.streams[0] = figure->skinned;
    CHECK(vkskinSkinOnCpu(figure->mesh, &command, 1, NULL));
    for (int i = 0; i < VERTICES; i++) {
        lowest = fmin(lowest, (double)figure->skinned[i][1] - (i % ENDS == 1 ? radii[i / ENDS] : 0));
    }
    return lowest;
}

/* ---- The bodies ---- */

static void placeBody(dBodyID body, const VkskinAffine *node) {
    dMatrix3 turn;
    for (int i = 0; i < 12; i++) {
        turn[i] = i % 4 < 3 ? (dReal)node->m[i / 4][i % 4] : 0;
    }
    dBodySetRotation(body, turn);
    dBodySetPosition(body, (dReal)node->m[0][3], (dReal)node->m[1][3], (dReal)node->m[2][3]);
}

/* A capsule along the bone. ODE wants the centre of mass at the body's place, so the node is at an offset from it. */
static void makeBody(Bodies *bodies, int node) {
    const double length = fabs(bones[node]);
    dBodyID body = bodies->bodies[node] = dBodyCreate(bodies->world);
    dGeomID geom = dCreateCapsule(bodies->space, radii[node], fmax(length - radii[node], 0.01));
    dMatrix3 alongY;
    dMass mass;
    dRFromAxisAndAngle(alongY, 1, 0, 0, M_PI / 2); /* from z */
    dMassSetCapsule(&mass, 1000, 2, radii[node], length);
    dBodySetMass(body, &mass);
    dGeomSetBody(geom, body);
    dGeomSetOffsetRotation(geom, alongY);
}

/* The middle of the bone in its node. */
static VkskinAffine middleOf(const VkskinAffine *node, int index, double sign) {
    VkskinAffine offset = vkskinIdentityAffine();
    offset.m[1][3] = (float)(sign * bones[index] / 2);
    return vkskinMultiplyAffine(node, &offset);
}

/* A knee bends backwards, by 140 degrees; other joints by 50 degrees about each axis. */
static void makeJoint(Bodies *bodies, int node, const VkskinAffine *at) {
    dBodyID child = bodies->bodies[node], parent = bodies->bodies[parents[node]];
    const dReal x = (dReal)at->m[0][3], y = (dReal)at->m[1][3], z = (dReal)at->m[2][3];
    if (node == LEFT_CALF || node == RIGHT_CALF) {
        dJointID hinge = dJointCreateHinge(bodies->world, NULL);
        dJointAttach(hinge, child, parent);
        dJointSetHingeAnchor(hinge, x, y, z);
        dJointSetHingeAxis(hinge, 1, 0, 0);
        dJointSetHingeParam(hinge, dParamLoStop, 0);
        dJointSetHingeParam(hinge, dParamHiStop, 140 * M_PI / 180);
        return;
    }
    dJointID ball = dJointCreateBall(bodies->world, NULL), motor = dJointCreateAMotor(bodies->world, NULL);
    dJointAttach(ball, parent, child);
    dJointSetBallAnchor(ball, x, y, z);
    dJointAttach(motor, parent, child);
    dJointSetAMotorMode(motor, dAMotorEuler);
    dJointSetAMotorAxis(motor, 0, 1, 1, 0, 0);
    dJointSetAMotorAxis(motor, 2, 2, 0, 1, 0);
    for (int i = 0; i < 3; i++) {
        dJointSetAMotorParam(motor, dParamLoStop + i * dParamGroup, -50 * M_PI / 180);
        dJointSetAMotorParam(motor, dParamHiStop + i * dParamGroup, 50 * M_PI / 180);
    }
}

/* Joints are made in the pose at rest, where their angles are 0; then the bodies take over pose and velocities. */
static void makeBodies(Bodies *bodies, const Figure *figure) {
    VkskinAffine rest[NODES];
    bodies->world = dWorldCreate();
    bodies->space = dSimpleSpaceCreate(NULL);
    bodies->contacts = dJointGroupCreate(0);
    dCreatePlane(bodies->space, 0, 1, 0, 0);
    dWorldSetGravity(bodies->world, 0, -9.81, 0);
    dWorldSetERP(bodies->world, 0.8);
    dWorldSetCFM(bodies->world, 1e-9);
    dWorldSetContactMaxCorrectingVel(bodies->world, 0.5);
    dWorldSetDamping(bodies->world, 0.1 * STEP, 4 * STEP);
    dWorldSetAutoDisableFlag(bodies->world, 1);
    dWorldSetAutoDisableLinearThreshold(bodies->world, 0.05);
    dWorldSetAutoDisableAngularThreshold(bodies->world, 0.2);
    pose(figure, 0, rest);
    for (int i = 0; i < NODES; i++) {
        makeBody(bodies, i);
        const VkskinAffine middle = middleOf(&rest[i], i, 1);
        placeBody(bodies->bodies[i], &middle);
        if (i != PELVIS) {
            makeJoint(bodies, i, &rest[i]);
        }
    }
    for (int i = 0; i < NODES; i++) {
        const VkskinAffine now = middleOf(&figure->world[i], i, 1), before = middleOf(&figure->before[i], i, 1);
        const double turn =
            asin((double)now.m[2][1]) - asin((double)before.m[2][1]); /* the figure leans about x alone */
        placeBody(bodies->bodies[i], &now);
        dBodySetLinearVel(bodies->bodies[i], (dReal)(now.m[0][3] - before.m[0][3]) / STEP,
                          (dReal)(now.m[1][3] - before.m[1][3]) / STEP, (dReal)(now.m[2][3] - before.m[2][3]) / STEP);
        dBodySetAngularVel(bodies->bodies[i], turn / STEP, 0, 0);
    }
}

/* Neighbours do not collide: they overlap at their joint. */
static void touch(void *data, dGeomID a, dGeomID b) {
    Bodies *bodies = data;
    dBodyID first = dGeomGetBody(a), second = dGeomGetBody(b);
    dContact contacts[4];
    if ((!first && !second) || (first && second && dAreConnected(first, second))) {
        return;
    }
    const int count = dCollide(a, b, 4, &contacts[0].geom, sizeof contacts[0]);
    for (int i = 0; i < count; i++) {
        memset(&contacts[i].surface, 0, sizeof contacts[i].surface);
        contacts[i].surface.mode = dContactApprox1;
        contacts[i].surface.mu = 0.8;
        dJointAttach(dJointCreateContact(bodies->world, bodies->contacts, &contacts[i]), first, second);
    }
}

/* Steps of one length at any frame rate. Returns the largest speed. */
static double simulate(Bodies *bodies, Figure *figure) {
    double speed = 0;
    for (int step = 0; step < STEPS; step++) {
        dSpaceCollide(bodies->space, bodies, touch);
        dWorldStep(bodies->world, STEP);
        dJointGroupEmpty(bodies->contacts);
    }
    for (int i = 0; i < NODES; i++) {
        const dReal *turn = dBodyGetRotation(bodies->bodies[i]), *place = dBodyGetPosition(bodies->bodies[i]);
        const dReal *v = dBodyGetLinearVel(bodies->bodies[i]);
        VkskinAffine middle;
        for (int k = 0; k < 12; k++) {
            middle.m[k / 4][k % 4] = (float)(k % 4 < 3 ? turn[k] : place[k / 4]);
        }
        figure->world[i] = middleOf(&middle, i, -1);
        speed = fmax(speed, sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
    }
    return speed;
}

int main(void) {
    static Figure figure;
    static Bodies bodies;
    double speed = 0, lowest = 0;
    dInitODE2(0);
    dAllocateODEDataForThread(dAllocateMaskAll);
    dRandSetSeed(1);
    makeSkeleton(&figure);
    makeSkin(&figure);
    pose(&figure, 0.19f, figure.before);
    pose(&figure, 0.2f, figure.world);
    makeBodies(&bodies, &figure);
    for (int frame = 1; frame <= FRAMES; frame++) {
        speed = simulate(&bodies, &figure);
        lowest = skin(&figure);
        if (frame % 30 == 0) {
            printf("%.1f s: head %.2f m high, lowest point %.2f m, at most %.2f m/s\n", frame / 60.0,
                   (double)figure.world[HEAD].m[1][3], lowest, speed);
        }
    }
    const int lies = figure.world[HEAD].m[1][3] < 0.4f && lowest > -0.05 && speed < 0.05;
    dJointGroupDestroy(bodies.contacts);
    dSpaceDestroy(bodies.space);
    dWorldDestroy(bodies.world);
    dCloseODE();
    vkskinDestroyCpuMesh(figure.mesh);
    vkskinDestroySkin(figure.skin);
    vkskinDestroySkeleton(figure.skeleton);
    return lies ? 0 : (fprintf(stderr, "the figure does not lie still\n"), 1);
}
