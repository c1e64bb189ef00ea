/* Springs: the damped oscillator, the same swing at any frame rate, lengths, colliders, and what must not explode. */
#include "pose_builders.h"
#include "vkskin/vkskin_ik.h"
#include "vkskin/vkskin_spring.h"

enum { BODY, ROOT, MIDDLE, LOW, TIP, NODES };

static const int32_t parents[NODES] = {-1, BODY, ROOT, MIDDLE, LOW};
static const float lengths[NODES] = {0, 0, 1, 0.5f, 0.75f};

static void destroySpring(void *spring) {
    vkskinDestroySpring(spring);
}

/* A chain along x from the origin, whose end is `end`; and the pose that a clip would give. */
typedef struct Tail {
    VkskinSkeleton skeleton;
    VkskinSpringDef def;
    VkskinSpring spring;
    VkskinTransform rest[NODES], pose[NODES];
    VkskinAffine world[NODES];
    VkskinSpringFrame frame;
} Tail;

static Tail makeTail(uint32_t end, float stiffness, float damping, float gravity) {
    Tail tail = {.frame = {.teleport = true}};
    for (uint32_t i = 0; i < NODES; i++) {
        tail.rest[i] = vkskinIdentityTransform();
        tail.rest[i].translation[0] = lengths[i];
    }
    tail.skeleton = ownSkeleton(NODES, parents, tail.rest, NULL, (VkskinLogger){0});
    tail.def = vkskinDefaultSpringDef();
    tail.def.skeleton = tail.skeleton;
    tail.def.start = ROOT;
    tail.def.end = end;
    tail.def.stiffness = stiffness;
    tail.def.damping = damping;
    tail.def.gravity[1] = gravity;
    OK(vkskinCreateSpring(&tail.def, &tail.spring));
    own(tail.spring, destroySpring);
    return tail;
}

/* One frame. Bones keep their lengths, and the world matrices are those of the pose. */
static void step(Tail *tail, float seconds) {
    VkskinAffine again[NODES];
    memcpy(tail->pose, tail->rest, sizeof tail->pose);
    OK(vkskinComposePose(tail->skeleton, tail->pose, tail->world));
    tail->frame.seconds = seconds;
    OK(vkskinStepSpring(tail->spring, &tail->frame, tail->pose, tail->world));
    tail->frame.teleport = false;
    OK(vkskinComposePose(tail->skeleton, tail->pose, again));
    assert_memory_equal(again, tail->world, sizeof again);
    for (uint32_t i = MIDDLE; i < NODES; i++) {
        float square = 0;
        for (int k = 0; k < 3; k++) {
            const float away = tail->world[i].m[k][3] - tail->world[i - 1].m[k][3];
            square += away * away;
        }
        assert_float_equal(sqrtf(square), lengths[i], 2e-4f);
    }
}

static double angleOf(const Tail *tail) {
    return atan2((double)(tail->world[MIDDLE].m[1][3] - tail->world[ROOT].m[1][3]),
                 (double)(tail->world[MIDDLE].m[0][3] - tail->world[ROOT].m[0][3]));
}

static const double Z[3] = {0, 0, 1};

/* angle'' = -stiffness angle - damping angle', from 3 degrees at rest: underdamped, critical, overdamped, and free. */
OWNING_TEST(oneBoneIsADampedOscillator) {
    static const float cases[][2] = {{158, 2}, {400, 8}, {400, 40}, {400, 100}, {0, 3}, {30000, 5}};
    for (size_t c = 0; c < COUNT_OF(cases); c++) {
        const double k = (double)cases[c][0], d = (double)cases[c][1], start = 3 * M_PI / 180;
        Tail tail = makeTail(MIDDLE, cases[c][0], cases[c][1], 0);
        turnAbout(Z, 3, tail.rest[ROOT].rotation);
        step(&tail, 0);
        tail.rest[ROOT] = vkskinIdentityTransform();
        double angle = start, speed = 0;
        for (int frame = 0; frame < 120; frame++) {
            step(&tail, 1.0f / 60);
            for (int i = 0; i < 2000; i++) { /* midpoint rule */
                const double h = 1.0 / 60 / 2000, half = angle + 0.5 * h * speed;
                const double middle = speed + 0.5 * h * (-k * angle - d * speed);
                angle += h * middle;
                speed += h * (-k * half - d * middle);
            }
            assert_float_equal(angleOf(&tail), angle, 0.01 * start);
        }
    }
}

/* A heavy chain hangs lower by gravity / stiffness, to the first order, in world space: the body is turned. */
OWNING_TEST(gravityPullsDownInTheWorld) {
    Tail tail = makeTail(LOW, 400, 30, -8);
    const double X[3] = {1, 0, 0};
    turnAbout(X, 90, tail.rest[BODY].rotation);
    for (int frame = 0; frame < 240; frame++) {
        step(&tail, 1.0f / 60);
    }
    assert_float_equal(tail.world[MIDDLE].m[1][3], -0.02f, 1e-4f);
    assert_float_equal(tail.world[LOW].m[1][3], -0.05f, 2e-4f); /* half as long, as turned, and as heavy */
    const VkskinAffine place = {{{0, -1, 0, 5}, {1, 0, 0, 0}, {0, 0, 1, 0}}}; /* x of the model is y of the world */
    tail.frame.place = &place;
    tail.frame.teleport = true;
    for (int frame = 0; frame < 240; frame++) {
        step(&tail, 1.0f / 60);
    }
    assert_float_equal(tail.world[MIDDLE].m[0][3], 1, 1e-4f);
    assert_float_equal(tail.world[MIDDLE].m[1][3], 0, 1e-4f);
}

/* At times that the rates have in common: each 1/6 second. */
OWNING_TEST(allFrameRatesSwingAlike) {
    static const int rates[] = {30, 60, 144};
    float tips[COUNT_OF(rates)][18][3];
    for (size_t r = 0; r < COUNT_OF(rates); r++) {
        Tail tail = makeTail(TIP, 100, 1, -9.81f);
        VkskinAffine place = vkskinIdentityAffine();
        tail.frame.place = &place;
        turnAbout(Z, 70, tail.rest[ROOT].rotation);
        step(&tail, 0);
        tail.rest[ROOT] = vkskinIdentityTransform();
        for (int frame = 1; frame <= 3 * rates[r]; frame++) {
            place.m[2][3] = 2.0f * (float)frame / (float)rates[r];
            step(&tail, 1.0f / (float)rates[r]);
            for (int k = 0; k < 3 && frame % (rates[r] / 6) == 0; k++) {
                tips[r][frame / (rates[r] / 6) - 1][k] = tail.world[TIP].m[k][3];
            }
        }
    }
    for (int i = 0; i < 2 * 18 * 3; i++) {
        assert_float_equal(tips[1 + i / 54][i % 54 / 3][i % 3], tips[0][i % 54 / 3][i % 3], 2.25e-5f);
    }
    assert_true(fabsf(tips[0][0][1] - tips[0][2][1]) > 0.1f); /* and it swings */
}

/* Between two steps the chain moves on: 1,000 frames a second. */
OWNING_TEST(framesBetweenStepsMove) {
    Tail tail = makeTail(MIDDLE, 400, 0, 0);
    turnAbout(Z, 30, tail.rest[ROOT].rotation);
    step(&tail, 0);
    tail.rest[ROOT] = vkskinIdentityTransform();
    double last = angleOf(&tail);
    for (int frame = 0; frame < 60; frame++) {
        step(&tail, 0.001f);
        assert_true(angleOf(&tail) < last || frame < 5); /* it is at rest until the first step */
        last = angleOf(&tail);
    }
}

/* Far away at once without a word, and a pause: the chain is at rest in the pose some seconds later. A chain that is said to
 * be moved is at rest at once. */
OWNING_TEST(nothingExplodes) {
    for (int kind = 0; kind < 4; kind++) {
        Tail tail = makeTail(TIP, kind == 3 ? 1e6f : 400, 8, 0);
        VkskinAffine place = vkskinIdentityAffine();
        tail.frame.place = &place;
        step(&tail, 0);
        turnAbout(Z, 120, tail.rest[MIDDLE].rotation);
        step(&tail, 0.1f);
        place.m[0][3] += kind != 1 ? 1000.0f : 0.0f;
        tail.frame.teleport = kind == 2;
        step(&tail, kind == 1 ? 10 : 1.0f / 60);
        VkskinAffine rest[NODES];
        OK(vkskinComposePose(tail.skeleton, tail.rest, rest));
        assert_true(kind != 1 ||
                    fabsf(tail.world[TIP].m[0][3] - rest[TIP].m[0][3]) > 0.01f); /* the pause is left out */
        for (int frame = 0; frame < 600 && kind != 2; frame++) {
            step(&tail, 1.0f / 60);
        }
        for (int k = 0; k < 3; k++) {
            assert_float_equal(tail.world[TIP].m[k][3], rest[TIP].m[k][3], 1e-4f);
        }
    }
}

/* A hanging chain lies on a capsule, at the distance of its radius. */
OWNING_TEST(pointsStayOutsideOfCapsules) {
    const VkskinSpringCollider capsules[2] = {{{1.2f, -1, -3}, {1.2f, -1, 3}, 0.5f}, {{9, 9, 9}, {9, 9, 9}, 1}};
    Tail tail = makeTail(TIP, 1, 4, -10);
    tail.def.radius = 0.25f;
    OK(vkskinCreateSpring(&tail.def, &tail.spring));
    own(tail.spring, destroySpring);
    tail.frame.colliders = capsules;
    tail.frame.colliderCount = 2;
    float closest = INFINITY;
    for (int frame = 0; frame < 300; frame++) {
        step(&tail, 1.0f / 60);
        for (uint32_t i = MIDDLE; i < NODES; i++) {
            closest = fminf(closest, hypotf(tail.world[i].m[0][3] - 1.2f, tail.world[i].m[1][3] + 1));
        }
    }
    assert_float_equal(closest, 0.75f, 0.02f);
    assert_true(tail.world[TIP].m[1][3] < -0.2f);
}

OWNING_TEST(badArgumentsAreRefused) {
    const VkskinResult null = VKSKIN_ERROR_NULL_ARGUMENT, invalid = VKSKIN_ERROR_INVALID_VALUE;
    Tail tail = makeTail(TIP, 400, 8, 0);
    const VkskinSpringCollider broken = {.radius = -1};
    const VkskinAffine flat = {{{1}}};
    VkskinSpring made;
    LogMemory log;
#define REFUSE(change, result, message)                                                                                \
    do {                                                                                                               \
        VkskinSpringDef def = tail.def;                                                                                \
        def.logger = rememberingLogger(&log);                                                                          \
        def.change;                                                                                                    \
        assertRefused(&log, vkskinCreateSpring(&def, &made), result, "vkskinCreateSpring: " message);                  \
        assert_null(made);                                                                                             \
    } while (0)
    REFUSE(skeleton = NULL, null, "spring or skeleton is null");
    REFUSE(end = NODES, VKSKIN_ERROR_NODE_OUT_OF_RANGE, "start or end is not a node of the skeleton");
    REFUSE(end = ROOT, invalid, "end is not a descendant of start");
    REFUSE(end = BODY, invalid, "end is not a descendant of start");
    REFUSE(stiffness = -1, invalid, "stiffness is not in 0 to 1,000,000");
    REFUSE(damping = NAN, invalid, "damping is not in 0 to 10,000");
    REFUSE(gravity[2] = INFINITY, invalid, "gravity or radius is out of range");
    REFUSE(radius = -1, invalid, "gravity or radius is out of range");
    RETURNS(VKSKIN_ERROR_DEF_NOT_INITIALISED, vkskinCreateSpring(&(VkskinSpringDef){0}, &made));
    step(&tail, 0);
    const VkskinTransform before = tail.pose[ROOT];
#define REFUSE_FRAME(change, result)                                                                                   \
    do {                                                                                                               \
        VkskinSpringFrame frame = {.seconds = 0.1f};                                                                   \
        frame.change;                                                                                                  \
        RETURNS(result, vkskinStepSpring(tail.spring, &frame, tail.pose, tail.world));                                 \
    } while (0)
    REFUSE_FRAME(seconds = -1, invalid);
    REFUSE_FRAME(seconds = INFINITY, invalid);
    REFUSE_FRAME(colliderCount = 1, null);
    REFUSE_FRAME(colliders = &broken; frame.colliderCount = 1, invalid);
    REFUSE_FRAME(place = &flat, VKSKIN_ERROR_SINGULAR_MATRIX);
    vkskinDestroySpring(NULL);
    RETURNS(null, vkskinStepSpring(NULL, &tail.frame, tail.pose, tail.world));
    tail.pose[LOW].translation[1] = NAN;
    REFUSE_FRAME(seconds = 0.1f, VKSKIN_ERROR_TRANSFORM_NOT_FINITE);
    tail.pose[LOW] = tail.rest[LOW];
    tail.world[MIDDLE].m[2][1] = NAN;
    REFUSE_FRAME(seconds = 0.1f, VKSKIN_ERROR_TRANSFORM_NOT_FINITE);
    assert_memory_equal(&before, &tail.pose[ROOT], sizeof before);
    AllocatorState counts = {.failAt = 1};
    const VkskinHostAllocator allocator = countingAllocator(&counts);
    tail.def.logger = rememberingLogger(&log);
    tail.def.allocator = &allocator;
    while (memoryRanOut(&counts, &log, vkskinCreateSpring(&tail.def, &made),
                        "vkskinCreateSpring: no memory for 4 nodes")) {
    }
    vkskinDestroySpring(made);
    assert_int_equal(counts.alive, 0);
}
