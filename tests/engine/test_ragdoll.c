/* Ragdolls: bodies and joints of a chain whose sizes and turns are known, its fall, and falls of two real models. */
#include "import.h"
#include "ragdoll.h"
#include "ragdoll_limits.h"
#include "test.h"

#define DEGREES (180.0 / M_PI)

/*
 * A chain along y, 1.8 high, so that a unit is a metre: hips from 0.9 to 1.3, a chest above, an arm of two bones along x at
 * the height 1.5, and a fingertip of 0.02. Clip 0 moves the hips by (1, 2, 3) a second and bends the elbow by 90 degrees about
 * z; the shoulder turns by 40 degrees about y and by 20 about x.
 */
enum { HIPS, CHEST, ARM, HAND, TIP, LEG, NODES };
enum { CORNERS = 8, VERTICES = NODES * CORNERS };

typedef struct Doll {
    ModelNode nodes[NODES];
    ModelMesh mesh;
    ModelSkin skin;
    ModelPart part;
    ModelClip clip;
    VkskinTrack tracks[3];
    Model model;
    float positions[VERTICES][3], weights[VERTICES][2];
    uint32_t joints[VERTICES][2], bones[NODES];
    VkskinAffine inverseBinds[NODES];
    ClipSource source;
    VkskinClip handle;
    RagdollShape *shape;
    Ragdoll *ragdoll;
    VkskinTransform pose[NODES];
    VkskinAffine world[NODES], first[NODES];
} Doll;

static const int32_t parents[NODES] = {-1, HIPS, CHEST, ARM, HAND, HIPS};
static const float places[NODES][3] = {{0, 0.9f, 0}, {0, 0.4f, 0},  {0.2f, 0.2f, 0},
                                       {0.4f, 0, 0}, {0.35f, 0, 0}, {0, 0, 0}};
/* Of the box of each node: from, to. */
static const float boxes[NODES][2][3] = {
    {{-0.15f, 0.05f, -0.1f}, {0.15f, 0.4f, 0.1f}},    {{-0.2f, 0.05f, -0.1f}, {0.2f, 0.5f, 0.1f}},
    {{0.02f, -0.05f, -0.05f}, {0.38f, 0.05f, 0.05f}}, {{0.02f, -0.04f, -0.04f}, {0.33f, 0.04f, 0.04f}},
    {{0, -0.01f, -0.01f}, {0.02f, 0.01f, 0.01f}},     {{-0.06f, -0.9f, -0.06f}, {0.06f, -0.1f, 0.06f}}};
static const float walkTimes[] = {0, 2}, walkKeys[] = {0, 0.9f, 0, 2, 4.9f, 6};
static const float bendTimes[] = {0, 1, 2}, bendKeys[] = {0, 0, 0, 1, 0, 0, 0.70710678f, 0.70710678f, 0, 0, 0, 1};
static const float swayTimes[] = {0, 0.5f, 1, 1.5f, 2};
static const float swayKeys[] = {0, 0.34202014f,  0, 0.93969262f, 0.17364818f,  0, 0, 0.98480775f,
                                 0, -0.34202014f, 0, 0.93969262f, -0.17364818f, 0, 0, 0.98480775f,
                                 0, 0.34202014f,  0, 0.93969262f};

static VkskinResult poseClip(void *user, double time, VkskinTransform *pose, VkskinAffine *world) {
    const ClipSource *source = user;
    const VkskinResult result = clipSourceSample(source, 0, time, VKSKIN_WRAP_LOOP, pose);
    return result < 0 ? result : vkskinComposePose(source->skeleton, pose, world);
}

static void makeMesh(Doll *doll) {
    VkskinAffine world[NODES];
    for (int i = 0; i < NODES; i++) {
        const VkskinAffine local = vkskinAffineFromTransform(&doll->nodes[i].rest);
        world[i] = i > 0 ? vkskinMultiplyAffine(&world[parents[i]], &local) : local;
        (void)vkskinInvertAffine(&world[i], &doll->inverseBinds[i]);
        doll->bones[i] = (uint32_t)i;
        for (int v = i * CORNERS; v < (i + 1) * CORNERS; v++) {
            for (int k = 0; k < 3; k++) {
                doll->positions[v][k] = world[i].m[k][3] + boxes[i][v >> k & 1][k];
            }
            doll->joints[v][0] = HIPS; /* the lighter one comes first */
            doll->joints[v][1] = (uint32_t)i;
            doll->weights[v][0] = i == HIPS ? 0 : 1e-6f;
            doll->weights[v][1] = 1;
        }
    }
    doll->skin = (ModelSkin){NODES, doll->bones, doll->inverseBinds};
    doll->mesh = (ModelMesh){.vertexCount = VERTICES,
                             .positions = doll->positions[0],
                             .influences = 2,
                             .joints = doll->joints[0],
                             .weights = doll->weights[0],
                             .boneCount = NODES};
}

/* scaled: mirrors and scales the node of the arm. */
static void setUpDoll(Doll *doll, bool scaled, bool clips) {
    static char names[NODES][8] = {"hips", "chest", "arm", "hand", "tip", "leg"};
    EngineError error;
    const VkskinAffine identity = vkskinIdentityAffine();
    *doll = (Doll){.clip = {.duration = 2, .trackCount = 3, .tracks = doll->tracks}};
    for (int i = 0; i < NODES; i++) {
        doll->nodes[i] = (ModelNode){names[i], parents[i], vkskinIdentityTransform(), identity};
        memcpy(doll->nodes[i].rest.translation, places[i], sizeof places[i]);
    }
    if (scaled) {
        memcpy(doll->nodes[CHEST].rest.scale, (float[]){-1, 1, 1}, sizeof(float[3]));
    }
    makeMesh(doll);
    doll->tracks[0] = (VkskinTrack){.node = HIPS, .keyCount = 2, .times = walkTimes, .values = walkKeys};
    doll->tracks[1] = (VkskinTrack){
        .node = HAND, .channel = VKSKIN_CHANNEL_ROTATION, .keyCount = 3, .times = bendTimes, .values = bendKeys};
    doll->tracks[2] = (VkskinTrack){
        .node = ARM, .channel = VKSKIN_CHANNEL_ROTATION, .keyCount = 5, .times = swayTimes, .values = swayKeys};
    doll->model = (Model){.nodeCount = NODES,
                          .nodes = doll->nodes,
                          .meshCount = 1,
                          .meshes = &doll->mesh,
                          .skinCount = 1,
                          .skins = &doll->skin,
                          .partCount = 1,
                          .parts = &doll->part,
                          .clipCount = clips,
                          .clips = &doll->clip};
    assert_int_equal(modelCreateSkeleton(&doll->model, NULL, (VkskinLogger){0}, &doll->source.skeleton), 0);
    assert_int_equal(modelCreateClip(&doll->model, 0, NULL, (VkskinLogger){0}, &doll->handle), 0);
    doll->source.clips = &doll->handle;
    doll->source.clipCount = clips;
    TEST_GOOD(doll->shape = ragdollShapeCreate(&doll->model, &identity, &doll->source, &error), error);
    doll->ragdoll = ragdollCreate(doll->shape);
}

static void tearDownDoll(Doll *doll) {
    ragdollDestroy(doll->ragdoll);
    ragdollShapeDestroy(doll->shape);
    vkskinDestroyClip(doll->handle);
    vkskinDestroySkeleton(doll->source.skeleton);
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
    setUpDoll(&doll, false, true);
    assert_int_equal(doll.shape->bodyCount, NODES - 1); /* the tip is less than 3 % of the height: the hand has it */
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
    assert_float_equal((elbow->highest[0] - elbow->lowest[0]) * DEGREES, 110, 1); /* 90 and 10 at both ends */
    assert_int_equal(shoulder->kind, RAGDOLL_BALL);
    assert_float_equal((shoulder->highest[0] - shoulder->lowest[0]) * DEGREES, 100, 6);
    assert_float_equal((shoulder->highest[2] - shoulder->lowest[2]) * DEGREES, 60, 12);
    assert_float_equal((leg->joint.highest[1] - leg->joint.lowest[1]) * DEGREES, 20, 0.1); /* it does not turn */
    tearDownDoll(&doll);
    setUpDoll(&doll, false, false);
    assert_float_equal(bodyOf(&doll, LEG)->joint.lowest[0] * DEGREES, -45, 0.1);
    tearDownDoll(&doll);
}

/* ---- The start, gravity, hits ---- */

/* All bodies go on with the velocity of the hips, and fall. The damping of 0.1 a second takes 1 % of the way. */
TEST(fallsGoOnAsTheClipDid) {
    Doll doll;
    setUpDoll(&doll, false, true);
    fall(&doll, 0.25, INFINITY, NODES);
    poseAt(&doll, 0.25 + 0.5);
    const double gone[3] = {0.5, 2 * 0.5 - 9.81 * 0.125, 3 * 0.5};
    for (int k = 0; k < 3; k++) {
        double centre = 0, mass = 0; /* joints do not move the centre of all */
        for (uint32_t i = 0; i < doll.shape->bodyCount; i++) {
            const RagdollBody *body = &doll.shape->bodies[i];
            const double volume = body->radius * body->radius * (2 * body->half + 4 * body->radius / 3);
            centre += volume * (ragdollBodyIn(doll.shape, i, doll.world).place[k] -
                                ragdollBodyIn(doll.shape, i, doll.first).place[k]);
            mass += volume;
        }
        assert_float_equal(centre / mass, gone[k], 0.06);
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
    tearDownDoll(&doll);
}

TEST(hitsMoveTheirBody) {
    Doll doll;
    setUpDoll(&doll, false, false); /* without clips it is at rest */
    VkskinAffine plain[2][NODES];
    fall(&doll, 0, INFINITY, NODES);
    for (int i = 0; i < 2; i++) {
        poseAt(&doll, i == 0 ? 0.25 : 0.26);
        memcpy(plain[i], doll.world, sizeof plain[i]);
    }
    const RagdollBody *leg = bodyOf(&doll, LEG);
    const RagdollHit hit = {
        .time = 0.25, .node = LEG, .point = {0, doll.world[LEG].m[1][3] - 0.5f, 0}, .impulse = {0, 0, 2}};
    assert_true(ragdollHit(doll.ragdoll, &hit)); /* in the past */
    poseAt(&doll, 0.25);
    assert_memory_equal(plain[0], doll.world, sizeof plain[0]);
    poseAt(&doll, 0.26);
    assert_true(doll.world[LEG].m[2][3] > plain[1][LEG].m[2][3] + 1e-4);
    const double mass = 1000 * M_PI * leg->radius * leg->radius * (2 * leg->half + 4 * leg->radius / 3);
    assert_float_equal(ragdollMeasure(doll.ragdoll).hits, 2 * 2 / (2 * mass), 0.02 * 2 * 2 / (2 * mass));
    for (uint32_t i = 1; i < RAGDOLL_HITS_MAX; i++) {
        assert_true(ragdollHit(doll.ragdoll, &hit));
    }
    assert_false(ragdollHit(doll.ragdoll, &hit));
    tearDownDoll(&doll);
}

/* ---- Below a node, fades, scales ---- */

TEST(theRestFollowsTheClip) {
    Doll doll;
    VkskinTransform pose[NODES];
    VkskinAffine world[NODES];
    setUpDoll(&doll, false, true);
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
    for (int scaled = 0; scaled < 2; scaled++) {
        VkskinAffine last[NODES], clip[NODES], frozen[NODES];
        VkskinTransform pose[NODES];
        setUpDoll(&doll, scaled, true);
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

TEST(nothingThatFallsIsRefused) {
    Doll doll;
    EngineError error;
    const VkskinAffine identity = vkskinIdentityAffine();
    setUpDoll(&doll, false, true);
    assert_true(ragdollCanFall(doll.shape, HAND, &error));
    assert_false(ragdollCanFall(doll.shape, TIP, &error));
    assert_string_equal(error.message,
                        "node 'tip' cannot collapse: no bone of at least 3 % of the height is at or below it");
    doll.model.partCount = 0;
    assert_null(ragdollShapeCreate(&doll.model, &identity, &doll.source, &error));
    assert_string_equal(error.message, "the model cannot collapse: it has no bones with vertices");
    tearDownDoll(&doll);
}

/* ---- Real models ---- */

/* 10 s of a fall: what must hold, by step. again: how many seconds are simulated twice, for the same bits. */
static void fallsAndRests(const char *path, double start, double again) {
    EngineError error;
    Model *model;
    TEST_GOOD(model = importModel(path, NULL, &error), error);
    const VkskinAffine up = modelUpToY(model->up);
    ClipSource source = {.clipCount = model->clipCount};
    VkskinClip clips[8] = {0};
    source.clips = clips;
    assert_int_equal(modelCreateSkeleton(model, NULL, (VkskinLogger){0}, &source.skeleton), 0);
    for (uint32_t i = 0; i < model->clipCount && i < COUNT_OF(clips); i++) {
        assert_int_equal(modelCreateClip(model, i, NULL, (VkskinLogger){0}, &clips[i]), 0);
    }
    RagdollShape *shape;
    TEST_GOOD(shape = ragdollShapeCreate(model, &up, &source, &error), error);
    Ragdoll *ragdolls[2] = {ragdollCreate(shape), ragdollCreate(shape)};
    VkskinTransform *pose = calloc(model->nodeCount, sizeof *pose);
    VkskinAffine *worlds[2] = {calloc(model->nodeCount, sizeof(VkskinAffine)),
                               calloc(model->nodeCount, sizeof(VkskinAffine))};
    const RagdollPoser poser = {poseClip, &source};
    RagdollFall falls = {.start = start, .end = INFINITY, .ground = NAN, .node = model->nodeCount};
    falls.hits[falls.hitCount++] =
        (RagdollHit){.time = start + 0.5, .node = shape->bodies[0].node, .impulse = {0, 40, 0}};
    double first = 0;
    for (int i = 0; i < 2; i++) {
        ragdollSetFall(ragdolls[i], &falls);
    }
    for (int step = 0; step <= 2400; step++) {
        const double time = start + step * RAGDOLL_STEP;
        for (int i = 0; i < (time < start + again ? 2 : 1); i++) {
            assert_int_equal(ragdollPose(ragdolls[i], time, &poser, pose, worlds[i]), VKSKIN_SUCCESS);
        }
        const RagdollMeasure measure = ragdollMeasure(ragdolls[0]);
        first = step == 0 ? measure.energy : first;
        assert_true(time >= start + again || memcmp(worlds[0], worlds[1], model->nodeCount * sizeof **worlds) == 0);
        assert_true(measure.energy <= 1.05 * (first + measure.hits));
        assert_true(step < 24 || measure.gap < 0.02);
        assert_true(step < 8 * 240 || (measure.speed < 0.01 && measure.spin < 5 / DEGREES));
        assert_true(step < 121 || measure.hits != 0);
    }
    for (uint32_t i = 0; i < shape->bodyCount; i++) { /* it lies on the ground, not below it */
        const RagdollCapsule capsule = ragdollCapsuleIn(shape, i, worlds[0]);
        const double ends[2][3] = {{(double)capsule.from[0], (double)capsule.from[1], (double)capsule.from[2]},
                                   {(double)capsule.to[0], (double)capsule.to[1], (double)capsule.to[2]}};
        const double low = fmin(dot3(ends[0], shape->up), dot3(ends[1], shape->up)) - (double)capsule.radius;
        assert_true((low - ragdollGround(ragdolls[0])) * shape->metres > -0.01);
    }
    for (int i = 0; i < 2; i++) {
        ragdollDestroy(ragdolls[i]);
        free(worlds[i]);
    }
    for (size_t i = 0; i < COUNT_OF(clips); i++) {
        vkskinDestroyClip(clips[i]);
    }
    free(pose);
    ragdollShapeDestroy(shape);
    vkskinDestroySkeleton(source.skeleton);
    modelFree(model);
}

TEST(realModelsComeToRest) {
    fallsAndRests(VKSKIN_TEST_MODELS "/FBX/huesitos.fbx", 0.5, 10);
    fallsAndRests(VKSKIN_TEST_MODELS "/X/Testwuson.X", 0.5, 1);
}
