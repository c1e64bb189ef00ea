/* Ragdolls: bodies and joints of a doll whose sizes and turns are known, its falls, and falls of two real models. */
#include "import.h"
#include "motion.h"
#include "ragdoll.h"
#include "ragdoll_fit.h"
#include "ragdoll_limits.h"
#include "test.h"

#define DEGREES (180.0 / M_PI)

/*
 * fixtures/doll.gltf: 1.8 high along y, so that a unit is a metre. Boxes: hips around (0, 1.1, 0), a chest above, an arm of
 * two bones along x at the height 1.5, a fingertip of 0.02, and a leg from 0.8 down to 0. All vertices have a small weight of the
 * hips first. The clip of 2 s moves the hips from y 0.5, at rest 0.9, by (1, 2, 3) a second; it bends the elbow by 90 degrees about
 * z and back; the shoulder turns by 40 degrees about y and by 20 about x, both ways.
 */
enum { HIPS, CHEST, ARM, HAND, TIP, LEG, MESH, NODES };

#define CLIPS_MAX 4
typedef struct Doll {
    Model *model;
    VkskinClip clips[CLIPS_MAX];
    ClipSource source;
    RagdollShape *shape;
    Ragdoll *ragdoll;
    VkskinTransform *pose;
    VkskinAffine *world;
    VkskinAffine first[NODES];
} Doll;

static VkskinResult poseClip(void *user, double time, VkskinTransform *pose, VkskinAffine *world) {
    const ClipSource *source = user;
    const VkskinResult result = clipSourceSample(source, 0, time, VKSKIN_WRAP_LOOP, pose);
    return result < 0 ? result : vkskinComposePose(source->skeleton, pose, world);
}

/* mirrored: a node that has a scale of -1 along x; NODES: none. */
static void setUp(Doll *doll, const char *path, uint32_t mirrored, bool clips) {
    EngineError error;
    *doll = (Doll){0};
    TEST_GOOD(doll->model = importModel(path, NULL, &error), error);
    const VkskinAffine up = modelUpToY(doll->model->up);
    if (mirrored < NODES) {
        doll->model->nodes[mirrored].rest.scale[0] = -1;
    }
    doll->source = (ClipSource){.clipCount = clips ? doll->model->clipCount : 0, .clips = doll->clips};
    assert_int_equal(modelCreateSkeleton(doll->model, NULL, (VkskinLogger){0}, &doll->source.skeleton), 0);
    assert_true(doll->source.clipCount <= CLIPS_MAX);
    for (uint32_t i = 0; i < doll->source.clipCount; i++) {
        assert_int_equal(modelCreateClip(doll->model, i, NULL, (VkskinLogger){0}, &doll->clips[i]), 0);
    }
    TEST_GOOD(doll->shape = ragdollShapeCreate(doll->model, &up, &doll->source, &error), error);
    doll->ragdoll = ragdollCreate(doll->shape);
    doll->pose = calloc(doll->model->nodeCount, sizeof *doll->pose);
    doll->world = calloc(doll->model->nodeCount, sizeof *doll->world);
}

static void setUpDoll(Doll *doll, uint32_t mirrored, bool clips) {
    setUp(doll, RAGDOLL_FIXTURE, mirrored, clips);
}

static void tearDownDoll(Doll *doll) {
    ragdollDestroy(doll->ragdoll);
    ragdollShapeDestroy(doll->shape);
    for (int i = 0; i < CLIPS_MAX; i++) {
        vkskinDestroyClip(doll->clips[i]);
    }
    vkskinDestroySkeleton(doll->source.skeleton);
    modelFree(doll->model);
    free(doll->pose);
    free(doll->world);
}

static void poseAt(Doll *doll, double time) {
    const RagdollPoser poser = {poseClip, &doll->source};
    assert_int_equal(ragdollPose(doll->ragdoll, time, &poser, doll->pose, doll->world), VKSKIN_SUCCESS);
}

/* From the start on; node: NODES for all. */
static void fall(Doll *doll, double start, double end, uint32_t node) {
    ragdollSetFall(doll->ragdoll, &(RagdollFall){.start = start, .end = end, .ground = -50, .node = node});
    poseAt(doll, start);
    memcpy(doll->first, doll->world, sizeof doll->first);
}

static const RagdollBody *bodyOf(const Doll *doll, uint32_t node) {
    const RagdollBody *body = &doll->shape->bodies[doll->shape->bodyOfNodes[node]];
    assert_int_equal(body->node, node);
    return body;
}

/* ---- Bodies and joints ---- */

TEST(bodiesAreThoseOfTheVertices) {
    Doll doll;
    EngineError error;
    const VkskinAffine identity = vkskinIdentityAffine();
    setUpDoll(&doll, NODES, true);
    assert_int_equal(doll.shape->bodyCount, 5); /* the tip is less than 3 % of the height: the hand has it */
    assert_int_equal(doll.shape->bodyOfNodes[TIP], doll.shape->bodyOfNodes[HAND]);
    assert_float_equal(doll.shape->metres, 1, 1e-6);
    assert_float_equal(doll.shape->lowest, 0, 1e-6);
    const RagdollBody *arm = bodyOf(&doll, ARM), *leg = bodyOf(&doll, LEG);
    assert_float_equal(fabs(arm->axis[0]), 1, 1e-6);
    assert_float_equal(arm->radius, sqrt(0.005), 1e-5);
    assert_float_equal(arm->half + arm->radius, 0.18, 1e-5);
    assert_float_equal(arm->centre[0], 0.4, 1e-5);
    assert_float_equal(leg->centre[1], 0.4, 1e-5);
    assert_float_equal(fabs(leg->axis[1]), 1, 1e-6);
    assert_int_equal(doll.shape->bodies[arm->parent].node, CHEST);
    const RagdollJoint *elbow = &bodyOf(&doll, HAND)->joint, *shoulder = &arm->joint;
    assert_int_equal(elbow->kind, RAGDOLL_HINGE);
    assert_float_equal(fabs(elbow->axis[2]), 1, 1e-5);
    assert_float_equal(elbow->highest[0] * DEGREES, 55, 1); /* 90 about their mean, and 10 at both ends */
    assert_float_equal(elbow->lowest[0] * DEGREES, -55, 1);
    assert_int_equal(shoulder->kind, RAGDOLL_BALL);
    assert_float_equal((shoulder->highest[0] - shoulder->lowest[0]) * DEGREES, 100, 6);
    assert_float_equal((shoulder->highest[2] - shoulder->lowest[2]) * DEGREES, 60, 12);
    assert_float_equal((leg->joint.highest[1] - leg->joint.lowest[1]) * DEGREES, 20, 0.1); /* it does not turn */
    tearDownDoll(&doll);
    setUpDoll(&doll, NODES, false);
    assert_float_equal(bodyOf(&doll, LEG)->joint.lowest[0] * DEGREES, -45, 0.1);
    ragdollShapeDestroy(doll.shape);
    vkskinDestroySkeleton(doll.source.skeleton);
    doll.model->nodes[HAND].rest.scale[2] = 1e-6f; /* flat: its inverse would throw the body away */
    assert_int_equal(modelCreateSkeleton(doll.model, NULL, (VkskinLogger){0}, &doll.source.skeleton), 0);
    TEST_GOOD(doll.shape = ragdollShapeCreate(doll.model, &identity, &doll.source, &error), error);
    assert_int_equal(doll.shape->bodyCount, 4);
    tearDownDoll(&doll);
}

/* ---- The start, gravity, hits ---- */

/* All bodies go on with the velocity of the hips, and fall. The damping of 0.1 a second takes 1 % of the way. */
TEST(fallsGoOnAsTheClipDid) {
    Doll doll;
    const VkskinAffine turned = modelUpToY(MODEL_UP_X);
    EngineError error;
    for (int up = 0; up < 2; up++) {
        setUpDoll(&doll, NODES, true);
        if (up == 0) { /* up is x: the height is that from the chest's -0.2 to the tip's 0.97 */
            ragdollDestroy(doll.ragdoll);
            ragdollShapeDestroy(doll.shape);
            doll.model->up = MODEL_UP_X;
            doll.shape = ragdollShapeCreate(doll.model, &turned, &doll.source, &error);
            doll.ragdoll = ragdollCreate(doll.shape);
            assert_float_equal(doll.shape->metres, 1.8 / 1.17, 1e-5);
        }
        fall(&doll, 0.25, INFINITY, NODES);
        poseAt(&doll, 0.25 + 0.5);
        for (int k = 0; k < 3; k++) {
            double centre = 0, mass = 0; /* joints do not move the centre of all */
            const double gone = 0.5 * (k + 1) - doll.shape->up[k] * 9.81 * 0.125 / doll.shape->metres;
            for (uint32_t i = 0; i < doll.shape->bodyCount; i++) {
                const RagdollBody *body = &doll.shape->bodies[i];
                const double volume = body->radius * body->radius * (2 * body->half + 4 * body->radius / 3);
                centre += volume * (ragdollBodyIn(doll.shape, i, doll.world).place[k] -
                                    ragdollBodyIn(doll.shape, i, doll.first).place[k]);
                mass += volume;
            }
            assert_float_equal(centre / mass, gone, 0.06);
        }
        if (up == 0) {
            tearDownDoll(&doll);
        }
    }
    assert_true(ragdollMeasure(doll.ragdoll).gap < 0.01);
    /* A frame between two steps is between both; an earlier one, shown again, has the same bits. */
    VkskinAffine at[3][NODES];
    for (int i = 0; i < 3; i++) {
        poseAt(&doll, 0.25 + (100 + 0.5 * i) * RAGDOLL_STEP + (i == 0 ? 1e-9 : 0));
        memcpy(at[i], doll.world, sizeof at[i]);
    }
    assert_float_equal(at[1][LEG].m[2][3], 0.5f * (at[0][LEG].m[2][3] + at[2][LEG].m[2][3]), 1e-6);
    poseAt(&doll, 0.25 + 100.5 * RAGDOLL_STEP);
    assert_memory_equal(at[1], doll.world, sizeof at[1]);
    /* The ground is that at rest; a first pose that is 0.4 lower has it lower. */
    for (int i = 0; i < 2; i++) {
        ragdollSetFall(doll.ragdoll, &(RagdollFall){.start = i, .end = INFINITY, .ground = NAN, .node = NODES});
        poseAt(&doll, i);
        assert_float_equal(ragdollGround(doll.ragdoll), i == 0 ? -0.4 : 0, 1e-5);
    }
    tearDownDoll(&doll);
}

/* Where a point of a node in its space is, along z. */
static double depthOf(const VkskinAffine *world, float y) {
    return (double)(world->m[2][1] * y + world->m[2][3]);
}

/* Without clips the doll falls from rest. The leg is hit in its middle, then at its foot: the foot moves more. */
TEST(hitsMoveTheirBody) {
    Doll doll;
    VkskinAffine plain[NODES];
    setUpDoll(&doll, NODES, false);
    const RagdollBody *leg = bodyOf(&doll, LEG);
    const double mass = 1000 * M_PI * leg->radius * leg->radius * (2 * leg->half + 4 * leg->radius / 3);
    const double given = 2 * 2 / (2 * mass);
    for (int beside = 0; beside < 2; beside++) {
        fall(&doll, 0, INFINITY, NODES);
        poseAt(&doll, 0.25);
        memcpy(plain, doll.world, sizeof plain);
        const float hip = doll.world[LEG].m[1][3], place = hip - (beside ? 0.85f : 0.5f);
        const RagdollHit hit = {.time = 0.25, .node = LEG, .point = {0, place, 0}, .impulse = {0, 0, 2}};
        poseAt(&doll, 0.26);
        const double before = depthOf(&doll.world[LEG], -0.9f);
        assert_true(ragdollHit(doll.ragdoll, &hit)); /* in the past */
        poseAt(&doll, 0.26);
        const double foot = depthOf(&doll.world[LEG], -0.9f) - before, top = depthOf(&doll.world[LEG], 0) - before;
        const double hits = ragdollMeasure(doll.ragdoll).hits;
        assert_true(foot > 1e-3 && (!beside || foot > 3 * top));
        assert_true(beside ? hits > 1.5 * given : fabs(hits - given) < 0.02 * given);
        poseAt(&doll, 0.25);
        assert_memory_equal(plain, doll.world, sizeof plain);
        for (uint32_t i = 1; i < RAGDOLL_HITS_MAX; i++) {
            assert_true(ragdollHit(doll.ragdoll, &hit));
        }
        assert_false(ragdollHit(doll.ragdoll, &hit));
    }
    tearDownDoll(&doll);
}

/* ---- Below a node, fades, scales ---- */

TEST(theRestFollowsTheClip) {
    Doll doll;
    VkskinTransform pose[NODES];
    VkskinAffine world[NODES];
    setUpDoll(&doll, NODES, true);
    fall(&doll, 0.2, INFINITY, ARM);
    for (double time = 0.2; time < 2; time += 0.1) {
        poseAt(&doll, time);
        assert_int_equal(poseClip(&doll.source, time, pose, world), VKSKIN_SUCCESS);
        for (int i = 0; i < NODES; i++) {
            const bool falls = i == ARM || i == HAND || i == TIP;
            assert_true(falls || memcmp(&world[i], &doll.world[i], sizeof world[i]) == 0);
            assert_true(!falls || time < 0.6 || memcmp(&world[i], &doll.world[i], sizeof world[i]) != 0);
        }
        for (int k = 0; k < 3; k++) {
            assert_float_equal(doll.world[ARM].m[k][3], world[ARM].m[k][3], 0.006); /* 2 % of the bone */
        }
    }
    tearDownDoll(&doll);
}

static float farthest(const VkskinAffine *a, const VkskinAffine *b) {
    float most = 0;
    for (int i = 0; i < NODES * 12; i++) {
        most = fmaxf(most, fabsf(a[i / 12].m[i / 4 % 3][i % 4] - b[i / 12].m[i / 4 % 3][i % 4]));
    }
    return most;
}

/* No frame moves further than the clip, the fall and its share of the way between both. */
TEST(fadesDoNotJump) {
    Doll doll;
    for (int mirrored = 0; mirrored < 2; mirrored++) {
        VkskinAffine last[NODES], clip[NODES], frozen[NODES];
        VkskinTransform pose[NODES];
        setUpDoll(&doll, mirrored ? CHEST : NODES, true);
        fall(&doll, 0.2, 1.0, NODES);
        poseAt(&doll, 1.0);
        memcpy(frozen, doll.world, sizeof frozen);
        assert_int_equal(poseClip(&doll.source, 1.0, pose, clip), VKSKIN_SUCCESS);
        const float apart = farthest(frozen, clip) + 9.81f * 0.3f;
        poseAt(&doll, 0.19);
        for (double time = 0.19; time < 1.35; time += 1.0 / 480) {
            memcpy(last, doll.world, sizeof last);
            poseAt(&doll, time);
            const bool fading = time > 1.0 && time < 1.0 + RAGDOLL_FADE + 1.0 / 480;
            assert_true(farthest(last, doll.world) < 12.0f / 480 + (fading ? 1.5f * apart / (480 * 0.3f) : 0.0f));
        }
        assert_int_equal(poseClip(&doll.source, 1.4, pose, clip), VKSKIN_SUCCESS);
        poseAt(&doll, 1.4);
        assert_memory_equal(clip, doll.world, sizeof clip);
        poseAt(&doll, 0.8); /* the pose is that of the world matrices, also where a node is mirrored */
        assert_int_equal(vkskinComposePose(doll.source.skeleton, doll.pose, last), VKSKIN_SUCCESS);
        assert_true(farthest(last, doll.world) < 1e-5f);
        tearDownDoll(&doll);
    }
}

/* How far a point is outside of a body's capsule. */
static double outside(const Doll *doll, uint32_t node, uint32_t body) {
    const VkskinSpringCollider capsule = ragdollCapsuleIn(doll->shape, body, doll->world);
    double nearest = INFINITY;
    for (int i = 0; i <= 1000; i++) {
        double distance = 0;
        for (int k = 0; k < 3; k++) {
            const double at = (double)capsule.from[k] + i / 1000.0 * ((double)capsule.to[k] - (double)capsule.from[k]);
            distance = hypot(distance, (double)doll->world[node].m[k][3] - at);
        }
        nearest = fmin(nearest, distance);
    }
    return nearest - (double)capsule.radius;
}

/* An arm without a will of its own swings down and through the hips and the leg. */
TEST(chainsStayOutsideOfBodies) {
    const MotionChoice choice = {.springCount = 1, .springs = {{"arm", 0, 0, 9.81f}}};
    const VkskinAffine identity = vkskinIdentityAffine();
    Doll doll;
    EngineError error;
    double deepest[2] = {INFINITY, INFINITY};
    setUpDoll(&doll, NODES, false);
    Motion *motion = motionCreate(&choice, doll.model, &identity, &doll.source, &error);
    TEST_GOOD(motion, error);
    const uint32_t hips = doll.shape->bodyOfNodes[HIPS], leg = doll.shape->bodyOfNodes[LEG];
    assert_true(motion->springs.collides[0] == (1u << hips | 1u << leg));
    for (int alone = 0; alone < 2; alone++) {
        MotionSwing *swing = motionCreateSwing(motion);
        for (int step = 0; step < 180; step++) {
            assert_int_equal(motionPose(motion, 0, step / 60.0, VKSKIN_WRAP_LOOP, swing, doll.world), VKSKIN_SUCCESS);
            for (int i = 0; i < 4; i++) {
                deepest[alone] = fmin(deepest[alone], outside(&doll, i % 2 ? HAND : TIP, i < 2 ? hips : leg));
            }
        }
        motionSwingDestroy(swing);
        motion->springs.collides[0] = 0;
    }
    print_message("depth with bodies %.4f m, without %.4f\n", -deepest[0], -deepest[1]);
    assert_true(deepest[0] > -0.02 && deepest[1] < -0.1); /* the length of a bone has priority */
    /* What holds a point at rest does not push it out. */
    memcpy(doll.world[HAND].m, doll.world[HIPS].m, sizeof doll.world[HAND].m);
    doll.world[HAND].m[1][3] += 0.2f;
    motionSpringsCollide(&motion->springs, doll.world);
    assert_true(motion->springs.collides[0] == 1u << leg);
    motionDestroy(motion);
    tearDownDoll(&doll);
}

TEST(nothingThatFallsIsRefused) {
    Doll doll;
    EngineError error;
    const VkskinAffine identity = vkskinIdentityAffine();
    setUpDoll(&doll, NODES, true);
    assert_true(ragdollCanFall(doll.shape, HAND, &error));
    assert_false(ragdollCanFall(doll.shape, TIP, &error));
    assert_string_equal(error.message,
                        "node 'tip' cannot collapse: no bone of at least 3 % of the height is at or below it");
    doll.model->partCount = 0;
    assert_null(ragdollShapeCreate(doll.model, &identity, &doll.source, &error));
    assert_string_equal(error.message, "the model cannot collapse: it has no bones with vertices");
    doll.model->partCount = 1;
    tearDownDoll(&doll);
}

/* ---- Real models ---- */

/* 10 s of a fall: what must hold, by step. again: how many seconds are simulated twice, for the same bits. */
static void fallsAndRests(const char *path, double again) {
    const double start = 0.5;
    Doll dolls[2];
    double first = 0;
    for (int i = 0; i < 2; i++) {
        setUp(&dolls[i], path, NODES, true);
        RagdollFall falls = {.start = start, .end = INFINITY, .ground = NAN, .node = UINT32_MAX};
        falls.hits[falls.hitCount++] =
            (RagdollHit){.time = start + 0.5, .node = dolls[i].shape->bodies[0].node, .impulse = {0, 40, 0}};
        ragdollSetFall(dolls[i].ragdoll, &falls);
    }
    const RagdollShape *shape = dolls[0].shape;
    for (int step = 0; step <= 2400; step++) {
        const double time = start + step * RAGDOLL_STEP;
        for (int i = 0; i < (time < start + again ? 2 : 1); i++) {
            poseAt(&dolls[i], time);
        }
        const RagdollMeasure measure = ragdollMeasure(dolls[0].ragdoll);
        first = step == 0 ? measure.energy : first;
        assert_true(time >= start + again ||
                    memcmp(dolls[0].world, dolls[1].world, shape->model->nodeCount * sizeof(VkskinAffine)) == 0);
        assert_true(measure.energy <= 1.05 * (first + measure.hits));
        assert_true(step < 24 || measure.gap < 0.02);
        assert_true(measure.beyond < 15 / DEGREES);
        assert_true(step < 8 * 240 || (measure.speed < 0.01 && measure.spin < 5 / DEGREES));
        assert_true(step < 121 || measure.hits != 0);
    }
    for (uint32_t i = 0; i < shape->bodyCount; i++) { /* it lies on the ground, not below it */
        const VkskinSpringCollider capsule = ragdollCapsuleIn(shape, i, dolls[0].world);
        for (int end = 0; end < 2; end++) {
            const float *at = end == 0 ? capsule.from : capsule.to;
            const double place[3] = {(double)at[0], (double)at[1], (double)at[2]};
            const double low = dot3(place, shape->up) - (double)capsule.radius - ragdollGround(dolls[0].ragdoll);
            assert_true(low * shape->metres > -0.01);
        }
    }
    tearDownDoll(&dolls[0]);
    tearDownDoll(&dolls[1]);
}

TEST(realModelsComeToRest) {
    fallsAndRests(VKSKIN_TEST_MODELS "/FBX/huesitos.fbx", 10);
    fallsAndRests(VKSKIN_TEST_MODELS "/X/Testwuson.X", 1);
}
