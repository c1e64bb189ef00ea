/* What the options of poses do: on an arm of three nodes and clips whose poses are known at every time. */
#include <unistd.h>

#include "motion.h"
#include "test.h"

#define CLOSE 1e-5f

/* ---- A model: root at the origin, upper at (0, 1, 0), lower and hand 1 further along z each ---- */

enum { ROOT, UPPER, LOWER, HAND, NODES };

/* Clips move the root along x: "slow" by 4 in 4 s, "fast" by 8 in 2 s; "lift" moves it by 1 along y in 1 s. */
typedef struct Arm {
    ModelNode nodes[NODES];
    ModelClip clips[3];
    VkskinTrack tracks[3];
    Model model;
    VkskinSkeleton skeleton;
    VkskinClip handles[3];
    void *block; /* the clips packed, or null */
    MotionChoice choice;
    VkskinAffine world[NODES];
} Arm;

static const float slowTimes[] = {0, 4}, fastTimes[] = {0, 2}, liftTimes[] = {0, 1};
static const float slowKeys[] = {0, 0, 0, 4, 0, 0}, fastKeys[] = {0, 0, 0, 8, 0, 0}, liftKeys[] = {5, 0, 0, 5, 1, 0};

static void setUpArm(Arm *arm) {
    static char names[][8] = {"root", "upper", "lower", "hand"}, clipNames[][8] = {"slow", "fast", "lift"};
    static const float *const times[] = {slowTimes, fastTimes, liftTimes};
    static const float *const keys[] = {slowKeys, fastKeys, liftKeys};
    *arm = (Arm){.model = {.nodeCount = NODES, .nodes = arm->nodes, .clipCount = 3, .clips = arm->clips}};
    for (int32_t i = 0; i < NODES; i++) {
        arm->nodes[i] = (ModelNode){names[i], i - 1, vkskinIdentityTransform(), vkskinIdentityAffine()};
        arm->nodes[i].rest.translation[i == UPPER ? 1 : 2] = i > ROOT ? 1.0f : 0.0f;
    }
    for (int i = 0; i < 3; i++) {
        arm->tracks[i] = (VkskinTrack){.keyCount = 2, .times = times[i], .values = keys[i]};
        arm->clips[i] =
            (ModelClip){.name = clipNames[i], .duration = times[i][1], .trackCount = 1, .tracks = &arm->tracks[i]};
    }
    assert_int_equal(modelCreateSkeleton(&arm->model, NULL, (VkskinLogger){0}, &arm->skeleton), VKSKIN_SUCCESS);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(modelCreateClip(&arm->model, i, NULL, (VkskinLogger){0}, &arm->handles[i]), VKSKIN_SUCCESS);
    }
}

static void tearDownArm(Arm *arm) {
    for (int i = 0; i < 3; i++) {
        vkskinDestroyClip(arm->handles[i]);
    }
    vkskinFreeAnimation(arm->block, NULL);
    vkskinDestroySkeleton(arm->skeleton);
}

static Motion *make(const Arm *arm, EngineError *error) {
    const VkskinAffine identity = vkskinIdentityAffine();
    const ClipSource source = {arm->skeleton, 3, arm->handles, arm->block};
    return motionCreate(&arm->choice, &arm->model, &identity, &source, error);
}

/* The pose of the clip "slow". */
static void pose(Arm *arm, double time, VkskinWrap wrap) {
    EngineError error;
    Motion *motion = make(arm, &error);
    assert_non_null(motion);
    assert_int_equal(motionPose(motion, 0, time, wrap, NULL, arm->world), VKSKIN_SUCCESS);
    motionDestroy(motion);
}

static void assertAt(const Arm *arm, int node, float x, float y, float z) {
    const float expected[3] = {x, y, z};
    for (int i = 0; i < 3; i++) {
        assert_float_equal(arm->world[node].m[i][3], expected[i], CLOSE);
    }
}

/* ---- Clips ---- */

/* What a crowd gives to a pose batch: at 1.75 s both clips are half over, as below. */
TEST(secondClipsOfBatches) {
    Arm arm;
    EngineError error;
    setUpArm(&arm);
    strcpy(arm.choice.blendClip, "fast");
    arm.choice.blendWeight = 0.25f;
    Motion *motion = make(&arm, &error);
    assert_true(motionOnlyBlends(motion));
    MotionBlend blend = motionBlend(motion, 0, 1.75);
    assert_float_equal(blend.time, 2.0, CLOSE);
    assert_float_equal(blend.otherTime, 1.0, CLOSE);
    assert_float_equal(blend.otherWeight, 0.25f, 0.0f);
    assert_int_equal(blend.otherClip, 1);
    blend = motionBlend(motion, VKSKIN_REST_POSE, 1.75); /* the rest pose */
    assert_true(blend.time == 1.75 && blend.otherWeight == 0.0f);
    motion->addClip = 2;
    motion->addWeight = 0.5f;
    assert_false(motionOnlyBlends(motion));
    motion->addWeight = 0.0f;
    motion->looks = true;
    assert_false(motionOnlyBlends(motion));
    motion->looks = false;
    motion->blendWeight = 0.0f;
    assert_false(motionOnlyBlends(motion));
    assert_false(motionOnlyBlends(NULL));
    motionDestroy(motion);
    tearDownArm(&arm);
}

/* A quarter of fast: both take 3.5 s. At 1.75 s both are half over: 3/4 of 2 and 1/4 of 4. */
TEST(clipsBlendInStep) {
    Arm arm;
    setUpArm(&arm);
    strcpy(arm.choice.blendClip, "fast");
    arm.choice.blendWeight = 0.25f;
    pose(&arm, 1.75, VKSKIN_WRAP_LOOP);
    assertAt(&arm, ROOT, 2.5f, 0, 0);
    pose(&arm, 1.75 + 7, VKSKIN_WRAP_LOOP);
    assertAt(&arm, ROOT, 2.5f, 0, 0);
    pose(&arm, 99, VKSKIN_WRAP_CLAMP);
    assertAt(&arm, ROOT, 5, 0, 0);
    strcpy(arm.choice.blendClip, "1"); /* by index */
    arm.choice.blendWeight = 1;
    pose(&arm, 1, VKSKIN_WRAP_LOOP);
    assertAt(&arm, ROOT, 4, 0, 0);
    tearDownArm(&arm);
}

/* The clip that is added begins at x 5, which its difference to its begin does not contain. */
TEST(clipsAreAdded) {
    Arm arm;
    setUpArm(&arm);
    strcpy(arm.choice.addClip, "lift");
    arm.choice.addWeight = 0.5f;
    pose(&arm, 0.5, VKSKIN_WRAP_LOOP);
    assertAt(&arm, ROOT, 0.5f, 0.25f, 0);
    arm.choice.addWeight = -1;
    pose(&arm, 0.5, VKSKIN_WRAP_LOOP);
    assertAt(&arm, ROOT, 0.5f, -0.5f, 0);
    /* The rest pose has no duration of its own: it takes that of the clip that is added. */
    EngineError error;
    Motion *motion = make(&arm, &error);
    assert_non_null(motion);
    assert_true(motionDuration(motion, VKSKIN_REST_POSE) == 1 && motionDuration(motion, 0) == 4);
    assert_int_equal(motionPose(motion, VKSKIN_REST_POSE, 0.25, VKSKIN_WRAP_LOOP, NULL, arm.world), VKSKIN_SUCCESS);
    assertAt(&arm, ROOT, 0, -0.25f, 0);
    motionDestroy(motion);
    tearDownArm(&arm);
}

/* ---- Solvers ---- */

TEST(aHandReaches) {
    static const float target[3] = {1.5f, 2, 0.5f}, far[3] = {0.5f, 9, 0};
    Arm arm;
    setUpArm(&arm);
    strcpy(arm.choice.reachNode, "hand");
    memcpy(arm.choice.reachTarget, target, sizeof target);
    pose(&arm, 0.5, VKSKIN_WRAP_LOOP); /* the root at x 0.5, the upper node at (0.5, 1, 0): sqrt(2.25) away */
    assertAt(&arm, HAND, 1.5f, 2, 0.5f);
    memcpy(arm.choice.reachTarget, far, sizeof far);
    pose(&arm, 0.5, VKSKIN_WRAP_LOOP);
    assertAt(&arm, HAND, 0.5f, 3, 0);
    tearDownArm(&arm);
}

/* The hand looks along z at rest; then along x. Its own rotation at rest does not matter. */
TEST(aNodeLooks) {
    static const float target[3] = {9, 1, 2};
    Arm arm;
    setUpArm(&arm);
    arm.nodes[HAND].rest.rotation[0] = arm.nodes[HAND].rest.rotation[3] = sqrtf(0.5f); /* y to z, z to -y */
    vkskinDestroySkeleton(arm.skeleton);
    assert_int_equal(modelCreateSkeleton(&arm.model, NULL, (VkskinLogger){0}, &arm.skeleton), VKSKIN_SUCCESS);
    strcpy(arm.choice.lookNode, "hand");
    memcpy(arm.choice.lookTarget, target, sizeof target);
    pose(&arm, 0, VKSKIN_WRAP_LOOP);
    assertAt(&arm, HAND, 0, 1, 2);
    /* The axis that was z, its y, is x now; the one that was up, its -z, still is. */
    assert_float_equal(arm.world[HAND].m[0][1], 1, CLOSE);
    assert_float_equal(arm.world[HAND].m[1][2], -1, CLOSE);
    tearDownArm(&arm);
}

static void setUpTail(Arm *arm, float stiffness, float damping, float gravity) {
    setUpArm(arm);
    arm->choice.springCount = 1;
    arm->choice.springs[0] = (MotionSpringChoice){"upper", stiffness, damping, gravity};
}

/* ---- Machines ---- */

static const char machineText[] =
    "{\"parameters\": {\"go\": 0},\n"
    " \"states\": [{\"name\": \"a\", \"clip\": \"slow\"}, {\"name\": \"b\", \"clip\": \"fast\", \"play\": \"hold\"}],\n"
    " \"transitions\": [{\"from\": \"a\", \"to\": \"b\", \"when\": [{\"parameter\": \"go\", \"above\": 0}]}]}\n";

/* slow until the event at 1 s, then fast from its begin. A moment does not depend on other moments. */
TEST(aMachinePlays) {
    char path[] = "/tmp/vkskin_motion_XXXXXX";
    const int file = mkstemp(path);
    const ssize_t length = (ssize_t)sizeof machineText - 1;
    Arm arm;
    EngineError error;
    setUpTail(&arm, 400, 8, 0); /* a swing plays the machine, too */
    assert_true(file >= 0 && write(file, machineText, (size_t)length) == length && close(file) == 0);
    arm.choice.machine = path;
    arm.choice.eventCount = 2;
    arm.choice.events[0] = (MotionEvent){.seconds = 1, .name = "go", .value = 1};
    arm.choice.events[1] = (MotionEvent){.seconds = 0, .name = "go", .value = -1};
    static const float cases[][2] = {{0.5f, 0.5f}, {1.5f, 2}, {1.25f, 1}, {2.5f, 6}, {9, 8}, {0.75f, 0.75f}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        pose(&arm, (double)cases[i][0], VKSKIN_WRAP_LOOP);
        assert_true(fabsf(arm.world[ROOT].m[0][3] - cases[i][1]) < 0.07f); /* the event waits for the next step */
    }
    strcpy(arm.choice.events[0].name, "stop");
    assert_null(make(&arm, &error));
    assert_non_null(strstr(error.message, ": no parameter 'stop'"));
    unlink(path);
    assert_null(make(&arm, &error));
    assert_non_null(strstr(error.message, "cannot be read"));
    tearDownArm(&arm);
}

/* ---- Packed clips ---- */

#define PACK_BOUND 0.01f /* distance of a point of a node, at most 1 away, from where float keys have it */

/* The block of the clips, with `first` in place of the first one. */
static void packArm(Arm *arm, VkskinClip first) {
    const VkskinClip clips[3] = {first, arm->handles[1], arm->handles[2]};
    VkskinAnimationBox boxes[NODES];
    VkskinAnimationDef def = vkskinDefaultAnimationDef();
    size_t size;
    for (int i = 0; i < NODES; i++) {
        boxes[i] = (VkskinAnimationBox){{-0.5f, -0.5f, -0.5f}, {0.5f, 0.5f, 0.5f}};
    }
    def.skeleton = arm->skeleton;
    def.clips = clips;
    def.clipCount = 3;
    def.boxes = boxes;
    def.maxError = PACK_BOUND;
    assert_true(vkskinPackAnimation(&def, &arm->block, &size, NULL) >= 0);
}

/* The largest distance between nodes of two poses. */
static float apart(const VkskinAffine *a, const VkskinAffine *b) {
    float largest = 0;
    for (int node = 0; node < NODES; node++) {
        for (int i = 0; i < 3; i++) {
            largest = fmaxf(largest, fabsf(a[node].m[i][3] - b[node].m[i][3]));
        }
    }
    return largest;
}

/* Blending, adding, reaching and looking hold the bound of the clips: 1 of the weighted means, 2 of a difference. */
TEST(packedClipsHoldTheirBound) {
    static const float target[3] = {1.5f, 2, 0.5f};
    VkskinAffine expected[NODES];
    float largest = 0;
    for (int what = 0; what < 4; what++) {
        Arm arm;
        setUpArm(&arm);
        strcpy(arm.choice.blendClip, what == 0 ? "fast" : "");
        strcpy(arm.choice.addClip, what == 1 ? "lift" : "");
        strcpy(arm.choice.reachNode, what == 2 ? "hand" : "");
        strcpy(arm.choice.lookNode, what == 3 ? "hand" : "");
        memcpy(arm.choice.reachTarget, target, sizeof target);
        memcpy(arm.choice.lookTarget, target, sizeof target);
        arm.choice.blendWeight = arm.choice.addWeight = 0.7f;
        for (double time = 0.05; time < 4; time += 0.31) {
            pose(&arm, time, VKSKIN_WRAP_LOOP);
            memcpy(expected, arm.world, sizeof expected);
            packArm(&arm, arm.handles[0]);
            pose(&arm, time, VKSKIN_WRAP_LOOP);
            vkskinFreeAnimation(arm.block, NULL);
            arm.block = NULL;
            assert_true(apart(arm.world, expected) <= 3 * PACK_BOUND);
            largest = fmaxf(largest, apart(arm.world, expected));
        }
        tearDownArm(&arm);
    }
    assert_true(largest > 0);
}

/* A block with "lift" first: motions and machines read it, not the float keys. */
TEST(motionsReadTheBlock) {
    for (int machine = 0; machine < 2; machine++) {
        char path[] = "/tmp/vkskin_motion_XXXXXX";
        const int file = mkstemp(path);
        const ssize_t length = (ssize_t)sizeof machineText - 1;
        Arm arm;
        setUpArm(&arm);
        assert_true(file >= 0 && write(file, machineText, (size_t)length) == length && close(file) == 0);
        arm.choice.machine = machine ? path : NULL;
        strcpy(arm.choice.addClip, machine ? "" : "lift");
        arm.choice.addWeight = 1;
        packArm(&arm, arm.handles[2]);
        pose(&arm, 0.5, VKSKIN_WRAP_CLAMP);
        assert_float_equal(arm.world[ROOT].m[0][3], 5, PACK_BOUND);
        assert_float_equal(arm.world[ROOT].m[1][3], machine ? 0.5f : 1, 3 * PACK_BOUND);
        unlink(path);
        tearDownArm(&arm);
    }
}

/* ---- Springs ---- */

/* The moments of a character, in any order, are those of nothing but their time. After 10 s only what has faded differs. */
TEST(swingsDependOnTheTimeAlone) {
    static const double times[] = {0.0, 0.1, 0.1, 1.0 / 3, 2.0, 0.7, 3.7, 9.9, 30.0};
    Arm arm;
    EngineError error;
    setUpTail(&arm, 400, 8, 10);
    Motion *motion = make(&arm, &error);
    assert_non_null(motion);
    assert_true(motionIsActive(motion) && !motionOnlyBlends(motion));
    MotionSwing *swing = motionCreateSwing(motion);
    for (size_t i = 0; i < COUNT_OF(times); i++) {
        VkskinAffine seen[NODES];
        assert_int_equal(motionPose(motion, 0, times[i], VKSKIN_WRAP_LOOP, swing, seen), VKSKIN_SUCCESS);
        pose(&arm, times[i], VKSKIN_WRAP_LOOP);
        assert_memory_equal(seen, arm.world, sizeof seen);
        const double x = fmod(times[i], 4.0); /* the root is where the clip has it, and so is where the chain begins */
        assertAt(&arm, UPPER, (float)x, 1, 0);
        assert_true(i == 0 || arm.world[HAND].m[0][3] < x - 1e-4 || x < 0.5);
        for (int node = LOWER; node <= HAND; node++) {
            float square = 0;
            for (int k = 0; k < 3; k++) {
                const float side = arm.world[node].m[k][3] - arm.world[node - 1].m[k][3];
                square += side * side;
            }
            assert_float_equal(square, 1, 1e-4f);
        }
    }
    pose(&arm, 99, VKSKIN_WRAP_CLAMP); /* clips that do not loop end with their swing */
    const VkskinAffine late = arm.world[HAND];
    pose(&arm, 4, VKSKIN_WRAP_CLAMP);
    assert_memory_equal(&late, &arm.world[HAND], sizeof late);
    int64_t next, last;
    motionSwingFind(swing, 99, &next, &last); /* no more steps than from 10 s before */
    assert_true(last - next == llround(MOTION_SWING_SECONDS / VKSKIN_SPRING_STEP));
    motionSwingDestroy(swing);
    motionDestroy(motion);
    tearDownArm(&arm);
}

/* Without stiffness the chain hangs: down is where the model's up axis says. The rest pose does not end. */
TEST(chainsHangDown) {
    const VkskinAffine turned = modelUpToY(MODEL_UP_X);
    Arm arm;
    EngineError error;
    setUpTail(&arm, 0, 8, 20);
    const ClipSource source = {arm.skeleton, 3, arm.handles, NULL};
    Motion *motion = motionCreate(&arm.choice, &arm.model, &turned, &source, &error);
    assert_non_null(motion);
    assert_true(isinf(motionDuration(motion, VKSKIN_REST_POSE)));
    assert_int_equal(motionPose(motion, VKSKIN_REST_POSE, 9, VKSKIN_WRAP_CLAMP, NULL, arm.world), VKSKIN_SUCCESS);
    assert_float_equal(arm.world[HAND].m[0][3], -2, 1e-2f);
    motionDestroy(motion);
    arm.nodes[HAND].parent = UPPER; /* two nodes below, equally deep */
    motion = make(&arm, &error);
    assert_true(motion && motion->springs.defs[0].start == UPPER && motion->springs.defs[0].end == LOWER);
    motionDestroy(motion);
    tearDownArm(&arm);
}

/* ---- Switches and refusals ---- */

TEST(partsAreSwitched) {
    Arm arm;
    EngineError error;
    setUpArm(&arm);
    Motion *motion = make(&arm, &error);
    assert_non_null(motion);
    assert_false(motionIsActive(motion) || motionIsActive(NULL));
    motionSwitchAdd(motion);
    motionSwitchSolvers(motion);
    assert_false(motionIsActive(motion)); /* there are none */
    static const float weights[] = {0.25f, 0.5f, 0.75f, 1, 0, 0.25f};
    for (size_t i = 0; i < COUNT_OF(weights); i++) {
        const uint32_t version = motion->version;
        motionStepBlend(motion, 2);
        assert_int_equal(motion->blendClip, 0); /* after the last comes the first */
        assert_float_equal(motion->blendWeight, weights[i], 0);
        assert_int_equal(motionIsActive(motion), weights[i] > 0);
        assert_true(motion->version != version);
    }
    motionDestroy(motion);
    strcpy(arm.choice.addClip, "lift");
    arm.choice.addWeight = 0.5f;
    strcpy(arm.choice.lookNode, "3");
    motion = make(&arm, &error);
    assert_non_null(motion);
    assert_true(motion->looks && !motion->reaches);
    motionSwitchSolvers(motion);
    assert_true(!motion->looks && motionIsActive(motion));
    motionSwitchAdd(motion);
    assert_false(motionIsActive(motion));
    motionSwitchSolvers(motion);
    motionSwitchAdd(motion);
    assert_true(motion->looks && motion->addWeight == 0.5f);
    motionDestroy(motion);
    tearDownArm(&arm);
}

TEST(unknownNamesAreRefused) {
    static const struct {
        size_t offset;
        const char *name, *message;
    } cases[] = {
        {offsetof(MotionChoice, blendClip), "run", "no clip 'run' to blend; 'vkskin info' lists the clips"},
        {offsetof(MotionChoice, addClip), "3", "no clip '3' to add; 'vkskin info' lists the clips"},
        {offsetof(MotionChoice, reachNode), "foot", "no node 'foot' to reach with; did you mean 'root'?"},
        {offsetof(MotionChoice, reachNode), "uper", "no node 'uper' to reach with; did you mean 'upper'?"},
        {offsetof(MotionChoice, reachNode), "UPPER", "node 'UPPER' cannot reach: there are no two bones above it"},
        {offsetof(MotionChoice, reachNode), "upper", "node 'upper' cannot reach: there are no two bones above it"},
        {offsetof(MotionChoice, lookNode), "4", "no node '4' to look with; 'vkskin info' lists the nodes"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Arm arm;
        EngineError error;
        setUpArm(&arm);
        strcpy((char *)&arm.choice + cases[i].offset, cases[i].name);
        assert_null(make(&arm, &error));
        assert_string_equal(error.message, cases[i].message);
        tearDownArm(&arm);
    }
}
