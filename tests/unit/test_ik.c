/* Two-bone chains, aiming and single nodes, against values calculated by hand. */
#include "pose_builders.h"
#include "vkskin/vkskin_ik.h"

#define CLOSE 2e-6f

/* ---- An arm: a shoulder at (0, 1, 0), an upper bone of 3 and a lower one of 2 along x, bent by `degrees` about z ---- */

enum { BODY, SHOULDER, ELBOW, HAND, FINGER, ARM_NODES };

static const double X[3] = {1, 0, 0}, Y[3] = {0, 1, 0}, Z[3] = {0, 0, 1};
static const int32_t armParents[ARM_NODES] = {-1, BODY, SHOULDER, ELBOW, HAND};

typedef struct Arm {
    VkskinSkeleton skeleton;
    VkskinTransform pose[ARM_NODES];
    VkskinAffine world[ARM_NODES];
    VkskinTwoBoneDef def;
    bool reached;
} Arm;

static void place(VkskinTransform *transform, float x, float y, float z) {
    *transform = vkskinIdentityTransform();
    transform->translation[0] = x;
    transform->translation[1] = y;
    transform->translation[2] = z;
}

static Arm makeArm(double degrees) {
    Arm arm;
    place(&arm.pose[BODY], 0, 1, 0);
    place(&arm.pose[SHOULDER], 0, 0, 0);
    place(&arm.pose[ELBOW], 3, 0, 0);
    place(&arm.pose[HAND], 2, 0, 0);
    place(&arm.pose[FINGER], 0.5f, 0, 0);
    turnAbout(Z, degrees, arm.pose[ELBOW].rotation);
    arm.skeleton = ownSkeleton(ARM_NODES, armParents, arm.pose, NULL, (VkskinLogger){0});
    OK(vkskinComposePose(arm.skeleton, arm.pose, arm.world));
    arm.def = vkskinDefaultTwoBoneDef();
    arm.def.start = SHOULDER;
    arm.def.mid = ELBOW;
    arm.def.end = HAND;
    return arm;
}

static void aimAt(Arm *arm, float x, float y, float z, const float pole[3]) {
    const float target[3] = {x, y, z};
    memcpy(arm->def.target, target, sizeof target);
    memcpy(arm->def.pole, pole, 3 * sizeof *pole);
}

static void assertAt(const VkskinAffine *world, double x, double y, double z, float tolerance) {
    assert_float_equal(world->m[0][3], x, tolerance);
    assert_float_equal(world->m[1][3], y, tolerance);
    assert_float_equal(world->m[2][3], z, tolerance);
}

/* Solves, and checks that the world matrices are those of the pose, and that bones keep their lengths. */
static void solve(Arm *arm) {
    VkskinAffine world[ARM_NODES];
    OK(vkskinSolveTwoBone(arm->skeleton, &arm->def, arm->pose, arm->world, &arm->reached));
    OK(vkskinComposePose(arm->skeleton, arm->pose, world));
    assert_memory_equal(arm->world, world, sizeof world);
}

/*
 * Target at distance 3 of the shoulder along x: cos of the shoulder's angle is (9 + 9 - 4) / (2 x 3 x 3) = 7/9, so the
 * elbow is at 3 x 7/9 = 7/3 along and 3 x sqrt(1 - 49/81) = sqrt(32)/3 aside, towards the pole.
 */
OWNING_TEST(aChainReachesItsTarget) {
    static const float poles[][3] = {{0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {5, 0, -2}};
    static const float sides[][3] = {{0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    const double aside = sqrt(32.0) / 3;
    for (size_t i = 0; i < COUNT_OF(poles); i++) {
        Arm arm = makeArm(-50);
        aimAt(&arm, 3, 1, 0, poles[i]);
        solve(&arm);
        assert_true(arm.reached);
        assertAt(&arm.world[SHOULDER], 0, 1, 0, 0);
        assertAt(&arm.world[ELBOW], 7.0 / 3, 1 + aside * (double)sides[i][1], aside * (double)sides[i][2], CLOSE);
        assertAt(&arm.world[HAND], 3, 1, 0, CLOSE);
    }
}

OWNING_TEST(aChainReachesEverywhere) {
    for (int i = 0; i < 2000; i++) {
        Arm arm = makeArm(170.0 * (double)randomFraction());
        float pole[3], target[3];
        double distance = 0;
        for (int k = 0; k < 3; k++) {
            pole[k] = randomFraction();
            target[k] = 3 * randomFraction();
            distance += (double)target[k] * target[k];
        }
        if (i % 4 == 0) {
            memset(pole, 0, sizeof pole);
        }
        distance = sqrt(distance);
        turnAbout(X, 180.0 * (double)randomFraction(), arm.pose[BODY].rotation);
        OK(vkskinComposePose(arm.skeleton, arm.pose, arm.world));
        aimAt(&arm, target[0], 1 + target[1], target[2], pole);
        solve(&arm);
        const double taken = distance < 1 ? 1 : distance > 5 ? 5 : distance;
        const double share = taken / distance;
        assert_int_equal(arm.reached, fabs(taken - distance) < 0.005);
        assertAt(&arm.world[HAND], share * (double)target[0], 1 + share * (double)target[1], share * (double)target[2],
                 1e-5f);
        destroyOwned(0);
    }
}

OWNING_TEST(targetsOutOfReachArePointedAt) {
    static const float up[3] = {0, 0, 1};
    Arm arm = makeArm(40);
    aimAt(&arm, 0, 11, 0, up);
    solve(&arm);
    assert_false(arm.reached);
    assertAt(&arm.world[ELBOW], 0, 4, 0, CLOSE);
    assertAt(&arm.world[HAND], 0, 6, 0, CLOSE);
    /* Closer than 3 - 2: folded. */
    arm = makeArm(40);
    aimAt(&arm, 0, 1.5f, 0, up);
    solve(&arm);
    assert_false(arm.reached);
    assertAt(&arm.world[ELBOW], 0, 4, 0, CLOSE);
    assertAt(&arm.world[HAND], 0, 2, 0, CLOSE);
    /* On the shoulder itself there is no direction to the target: folded along the line to the hand. */
    arm = makeArm(40);
    const double x = 3 + 2 * cos(40 * M_PI / 180), y = 2 * sin(40 * M_PI / 180), length = sqrt(x * x + y * y);
    aimAt(&arm, 0, 1, 0, up);
    solve(&arm);
    assertAt(&arm.world[ELBOW], 3 * x / length, 1 + 3 * y / length, 0, CLOSE);
    assertAt(&arm.world[HAND], x / length, 1 + y / length, 0, CLOSE);
}

/* Without a pole the chain bends in the plane and to the side of the pose: up for a bend about -z, down for +z. */
OWNING_TEST(withoutAPoleTheSideIsKept) {
    static const float none[3] = {0, 0, 0};
    for (int sign = -1; sign <= 1; sign += 2) {
        Arm arm = makeArm(50.0 * sign);
        aimAt(&arm, 3, 1, 0, none);
        solve(&arm);
        assertAt(&arm.world[ELBOW], 7.0 / 3, 1 - sign * sqrt(32.0) / 3, 0, CLOSE);
        assertAt(&arm.world[HAND], 3, 1, 0, CLOSE);
    }
}

/* The elbow only bends about its hinge: its local rotation stays one about z, whatever the plane of the chain. */
OWNING_TEST(theHingeIsKept) {
    static const float pole[3] = {0.2f, -1, 3};
    Arm arm = makeArm(-50);
    aimAt(&arm, 1, 2, 2, pole);
    solve(&arm);
    assert_true(arm.reached);
    assert_float_equal(arm.pose[ELBOW].rotation[0], 0, CLOSE);
    assert_float_equal(arm.pose[ELBOW].rotation[1], 0, CLOSE);
}

/* A straight chain has no plane: midAxis names the hinge, and its sign the side to which it bends. */
OWNING_TEST(straightChainsBendAboutTheirAxis) {
    static const float pole[3] = {0, 1, 0};
    for (int sign = -1; sign <= 1; sign += 2) {
        Arm arm = makeArm(0);
        arm.def.midAxis[2] = (float)sign;
        aimAt(&arm, 3, 1, 0, pole);
        solve(&arm);
        assertAt(&arm.world[ELBOW], 7.0 / 3, 1 + sqrt(32.0) / 3, 0, CLOSE);
        assertAt(&arm.world[HAND], 3, 1, 0, CLOSE);
        /* A bend about +z with the elbow up needs the shoulder turned by half a turn about the bone. */
        const float z = arm.world[SHOULDER].m[2][2];
        assert_float_equal(z, -sign, CLOSE);
        assert_float_equal(arm.pose[ELBOW].rotation[0], 0, CLOSE);
        assert_float_equal(arm.pose[ELBOW].rotation[1], 0, CLOSE);
        assert_true(sign * arm.pose[ELBOW].rotation[2] * arm.pose[ELBOW].rotation[3] > 0.1f);
    }
}

/* A quarter turn about the line from shoulder to target, here x: from up to z. */
OWNING_TEST(twistTurnsThePlane) {
    static const float pole[3] = {0, 1, 0};
    Arm arm = makeArm(-50);
    aimAt(&arm, 3, 1, 0, pole);
    arm.def.twist = 1.57079633f;
    solve(&arm);
    assertAt(&arm.world[ELBOW], 7.0 / 3, 1, sqrt(32.0) / 3, CLOSE);
    assertAt(&arm.world[HAND], 3, 1, 0, CLOSE);
}

/* Weight 0 changes no bit, weight 1/2 turns the shoulder by half of the angle. */
OWNING_TEST(weightsShareTheTurn) {
    static const float pole[3] = {0, 1, 0};
    Arm arm = makeArm(-50);
    Arm before = arm;
    aimAt(&arm, 3, 1, 0, pole);
    arm.def.weight = 0;
    solve(&arm);
    assert_true(arm.reached);
    assert_memory_equal(arm.pose, before.pose, sizeof arm.pose);
    assert_memory_equal(arm.world, before.world, sizeof arm.world);
    arm.def.weight = 0.5f;
    solve(&arm);
    const double whole = acos(7.0 / 9),
                 turned = 2 * atan2((double)arm.pose[SHOULDER].rotation[2], (double)arm.pose[SHOULDER].rotation[3]);
    assert_float_equal(turned, whole / 2, CLOSE);
}

/* ---- The soft limit ---- */

static double takenAt(float distance, float soften) {
    static const float pole[3] = {0, 1, 0};
    Arm arm = makeArm(-50);
    aimAt(&arm, distance, 1, 0, pole);
    arm.def.soften = soften;
    solve(&arm);
    assert_float_equal(arm.world[HAND].m[1][3], 1, 1e-5f);
    destroyOwned(0);
    return (double)arm.world[HAND].m[0][3];
}

/*
 * The length is 5. With soften 0.8 the chain lags from 4 on: 4 + 1 (1 - exp(-(d - 4) / 1)). It grows with the distance
 * but slower, never jumps, and stays below 5.
 */
OWNING_TEST(softChainsNearTheirLengthSmoothly) {
    assert_float_equal(takenAt(3.9f, 0.8f), 3.9f, 1e-5f);
    assert_float_equal(takenAt(5, 0.8f), 5 - exp(-1), 1e-5f);
    assert_float_equal(takenAt(7, 0.8f), 5 - exp(-3), 1e-5f);
    assert_float_equal(takenAt(4.9f, 1), 4.9f, 1e-4f);
    assert_float_equal(takenAt(7, 1), 5, 1e-5f);
    double before = takenAt(1.5f, 0.8f);
    for (int i = 1; i <= 500; i++) {
        const double taken = takenAt(1.5f + 0.01f * (float)i, 0.8f);
        assert_true(taken > before - 1e-6 && taken < before + 0.01 + 1e-5);
        assert_true(taken < 5);
        before = taken;
    }
}

/* ---- Spaces ---- */

/* With scaled and mirrored ancestors, pre-transforms, and a node between the bones, the hand still gets there. */
OWNING_TEST(ancestorsMayScaleAndMirror) {
    static const float pole[3] = {0, 1, 1};
    static const int32_t parents[] = {-1, 0, 1, 2, 3};
    for (int kind = 0; kind < 4; kind++) {
        VkskinTransform rest[5];
        VkskinAffine pre[5], world[5];
        for (int i = 0; i < 5; i++) {
            pre[i] = vkskinIdentityAffine();
            place(&rest[i], i == 0 ? 0 : 1, 0.25f * (float)i, i == 4 ? 0.5f : 0);
            turnAbout(i % 2 ? X : Y, 20.0 * i, rest[i].rotation);
        }
        for (int i = 0; i < 3; i++) {
            rest[0].scale[i] = kind == 0 ? 100 : kind == 1 ? -2 : kind == 2 && i == 0 ? -1.0f : 1.0f;
        }
        if (kind == 3) {
            const VkskinAffine quarter = {{{0, -1, 0, 0.5f}, {1, 0, 0, 0}, {0, 0, 1, 0}}};
            pre[1] = pre[3] = quarter;
        }
        const VkskinSkeleton skeleton = ownSkeleton(5, parents, rest, pre, (VkskinLogger){0});
        OK(vkskinComposePose(skeleton, rest, world));
        VkskinTwoBoneDef def = vkskinDefaultTwoBoneDef();
        bool reached = false;
        def.start = 1;
        def.mid = 3;
        def.end = 4;
        /* Half-way between the start and where the hand is. */
        for (int i = 0; i < 3; i++) {
            def.target[i] = 0.3f * world[1].m[i][3] + 0.7f * world[4].m[i][3];
            def.pole[i] = pole[i];
        }
        OK(vkskinSolveTwoBone(skeleton, &def, rest, world, &reached));
        const float size = kind == 0 ? 100.0f : 1.0f;
        assert_true(reached);
        assertAt(&world[4], (double)def.target[0], (double)def.target[1], (double)def.target[2], 4e-6f * size);
    }
}

/* ---- Aiming ---- */

typedef struct Head {
    VkskinSkeleton skeleton;
    VkskinTransform pose[2];
    VkskinAffine world[2];
    VkskinAimDef def;
    bool reached;
} Head;

/* A head at (0, 2, 0) that looks along z. */
static Head makeHead(float x, float y, float z) {
    static const int32_t parents[] = {-1, 0};
    Head head = {.def = vkskinDefaultAimDef()};
    place(&head.pose[0], 0, 1, 0);
    place(&head.pose[1], 0, 1, 0);
    head.skeleton = ownSkeleton(2, parents, head.pose, NULL, (VkskinLogger){0});
    head.def.node = 1;
    head.def.target[0] = x;
    head.def.target[1] = y;
    head.def.target[2] = z;
    return head;
}

static void look(Head *head) {
    OK(vkskinComposePose(head->skeleton, head->pose, head->world));
    OK(vkskinSolveAim(head->skeleton, &head->def, head->pose, head->world, &head->reached));
    VkskinAffine world[2];
    OK(vkskinComposePose(head->skeleton, head->pose, world));
    assert_memory_equal(head->world, world, sizeof world);
}

/* The direction of an axis of the head: a column of its matrix. */
static void assertAxis(const Head *head, int axis, double x, double y, double z) {
    assert_float_equal(head->world[1].m[0][axis], x, CLOSE);
    assert_float_equal(head->world[1].m[1][axis], y, CLOSE);
    assert_float_equal(head->world[1].m[2][axis], z, CLOSE);
}

OWNING_TEST(theNodeLooksAtTheTarget) {
    Head head = makeHead(4, 2, 0);
    look(&head);
    assert_true(head.reached);
    assertAxis(&head, 2, 1, 0, 0);
    assertAxis(&head, 1, 0, 1, 0);
    head = makeHead(3, 6, 0); /* 3-4-5 */
    look(&head);
    assertAxis(&head, 2, 0.6, 0.8, 0);
    head = makeHead(0, 2, -7); /* behind: some half turn */
    look(&head);
    assert_true(head.reached);
    assertAxis(&head, 2, 0, 0, -1);
}

/* At the limit forward has turned by exactly that angle, in the plane of the turn; below it the target is seen. */
OWNING_TEST(theTurnIsLimited) {
    static const double degrees[] = {10, 59.99, 60.01, 90, 179};
    const double most = 60 * M_PI / 180;
    for (size_t i = 0; i < COUNT_OF(degrees); i++) {
        const double angle = degrees[i] * M_PI / 180, taken = angle < most ? angle : most;
        Head head = makeHead((float)(5 * sin(angle)), 2, (float)(5 * cos(angle)));
        head.def.maxAngle = (float)most;
        look(&head);
        assert_int_equal(head.reached, angle < most);
        assertAxis(&head, 2, sin(taken), 0, cos(taken));
    }
    Head head = makeHead(4, 2, 0);
    head.def.maxAngle = 0;
    look(&head);
    assertAxis(&head, 2, 0, 0, 1);
    /* With an eye beside the head forward also moves on a cone; its angle is the limit all the same. */
    head = makeHead(1, -2, -2);
    head.def.maxAngle = 0.5f;
    head.def.offset[0] = 0.5f;
    head.def.offset[1] = 0.7f;
    look(&head);
    assert_float_equal(acos((double)head.world[1].m[2][2]), 0.5, CLOSE);
}

/*
 * The eye is at (1, 0, 0) of the head, so the ray passes the head at distance 1. The target is at distance sqrt(2) along
 * x: the ray leaves that sphere 1 in front of the eye, at 45 degrees, and has to turn by 45 degrees: forward is then
 * (sin 45, 0, cos 45), the eye at (cos 45, 0, -sin 45), and 1 in front of it the target (2 cos 45, 0, 0).
 */
OWNING_TEST(theRayStartsAtTheOffset) {
    const double half = sqrt(0.5);
    Head head = makeHead((float)sqrt(2), 2, 0);
    head.def.offset[0] = 1;
    look(&head);
    assert_true(head.reached);
    assertAxis(&head, 2, half, 0, half);
    assertAxis(&head, 0, half, 0, -half);
    /* Nearer than the ray passes: no turn. */
    head = makeHead(0.9f, 2, 0);
    head.def.offset[0] = 1;
    look(&head);
    assert_false(head.reached);
    assertAxis(&head, 2, 0, 0, 1);
    /* With an own scale of (2, 3, -1) the same eye is 1/2 away, and forward is -z. */
    head = makeHead((float)sqrt(2), 2, 0);
    head.pose[1].scale[0] = 2;
    head.pose[1].scale[1] = 3;
    head.pose[1].scale[2] = -1;
    head.def.offset[0] = 0.5f;
    head.def.forward[2] = -1;
    look(&head);
    assert_true(head.reached);
    assertAxis(&head, 2, -half, 0, -half);
}

static void cross(const double a[3], const double b[3], double product[3]) {
    for (int i = 0; i < 3; i++) {
        product[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
    }
}

static double dot3(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The direction or the point that the head has at `v`, in model space. */
static void ofHead(const Head *head, const float v[3], double point, double moved[3]) {
    for (int row = 0; row < 3; row++) {
        const float *m = head->world[1].m[row];
        moved[row] = (double)m[0] * v[0] + (double)m[1] * v[1] + (double)m[2] * v[2] + point * m[3];
    }
}

/* Under a scaled or mirrored parent and a pre-transform, with a scale of its own: the ray from the eye still meets the
 * target, and up is in the plane of the ray and the pole, on the pole's side. */
OWNING_TEST(ancestorsOfAnAimMayScale) {
    static const float scales[][3] = {{2, 2, 2}, {3, 1, 1}, {1, 2, 0.5f}, {-1, 1, 2}, {100, 100, 100}};
    static const float own[3] = {1, 2, 3}, offset[3] = {0.1f, 0.2f, 0.3f}, forward[3] = {0.5f, 0.2f, 1};
    static const float up[3] = {0.3f, 1, 0.2f}, pole[3] = {0.2f, 1, -0.3f}, target[3] = {40, 15, 30};
    static const int32_t parents[] = {-1, 0};
    for (size_t i = 0; i < COUNT_OF(scales); i++) {
        const VkskinAffine turned = {{{0, -1, 0, 0.5f}, {1, 0, 0, 0}, {0, 0, 1, 0}}};
        const VkskinAffine pre[2] = {vkskinIdentityAffine(), turned};
        Head head = makeHead(target[0] * scales[i][1], target[1] * scales[i][1], target[2] * scales[i][1]);
        memcpy(head.pose[0].scale, scales[i], sizeof own);
        memcpy(head.pose[1].scale, own, sizeof own);
        turnAbout(X, 25, head.pose[1].rotation);
        head.skeleton = ownSkeleton(2, parents, head.pose, pre, (VkskinLogger){0});
        memcpy(head.def.offset, offset, sizeof offset);
        memcpy(head.def.forward, forward, sizeof forward);
        memcpy(head.def.up, up, sizeof up);
        memcpy(head.def.pole, pole, sizeof pole);
        look(&head);
        assert_true(head.reached);
        double eye[3], ray[3], above[3], to[3], line[3], off[3], side[3], poleSide[3];
        const double upwards[3] = {(double)pole[0], (double)pole[1], (double)pole[2]};
        ofHead(&head, offset, 1, eye);
        ofHead(&head, forward, 0, ray);
        ofHead(&head, up, 0, above);
        for (int k = 0; k < 3; k++) {
            to[k] = (double)head.def.target[k] - eye[k];
            line[k] = (double)head.def.target[k] - (double)head.world[1].m[k][3];
        }
        cross(ray, to, off);
        cross(line, above, side);
        cross(line, upwards, poleSide);
        assert_true(dot3(ray, to) > 0 && dot3(off, off) < 1e-8 * dot3(ray, ray) * dot3(to, to));
        cross(side, poleSide, off);
        assert_true(dot3(side, poleSide) > 0);
        assert_true(dot3(off, off) < 1e-8 * dot3(side, side) * dot3(poleSide, poleSide));
    }
}

/* The head rolls so that up lies in the plane of view and pole. */
OWNING_TEST(thePoleKeepsUpUpright) {
    static const float up[3] = {0, 1, 0};
    Head head = makeHead(3, 6, 0);
    turnAbout(Z, 33, head.pose[0].rotation);
    look(&head);
    assert_true(fabsf(head.world[1].m[1][0]) > 0.1f); /* x of the head is not level */
    head = makeHead(3, 6, 0);
    turnAbout(Z, 33, head.pose[0].rotation);
    memcpy(head.def.pole, up, sizeof up);
    head.def.target[0] += head.pose[0].translation[0];
    look(&head);
    assert_true(head.reached);
    assert_float_equal(head.world[1].m[1][0], 0, CLOSE);
    assert_true(head.world[1].m[1][1] > 0);
    /* Then half a turn about the view: upside down. */
    head.def.twist = (float)M_PI;
    look(&head);
    assert_float_equal(head.world[1].m[1][0], 0, CLOSE);
    assert_true(head.world[1].m[1][1] < 0);
}

OWNING_TEST(aimsAreWeighted) {
    Head head = makeHead(4, 2, 0);
    const VkskinTransform before = head.pose[1];
    head.def.weight = 0;
    look(&head);
    assert_memory_equal(&head.pose[1], &before, sizeof before);
    head.def.weight = 1.0f / 3;
    look(&head);
    assertAxis(&head, 2, 0.5, 0, sqrt(0.75));
}

/* ---- Single nodes ---- */

OWNING_TEST(oneNodeIsComposedAlone) {
    static const int32_t parents[] = {2, 0, -1, 1}; /* 2 <- 0 <- 1 <- 3 */
    VkskinTransform pose[4];
    VkskinAffine pre[4], world[4], again[4], one;
    for (int i = 0; i < 4; i++) {
        place(&pose[i], randomFraction(), randomFraction(), randomFraction());
        turnAbout(X, 180.0 * (double)randomFraction(), pose[i].rotation);
        const VkskinAffine turn = {{{0, -1, 0, randomFraction()}, {1, 0, 0, 0}, {0, 0, 2, 0}}};
        pre[i] = turn;
    }
    const VkskinSkeleton skeleton = ownSkeleton(4, parents, pose, pre, (VkskinLogger){0});
    OK(vkskinComposePose(skeleton, pose, world));
    for (uint32_t i = 0; i < 4; i++) {
        const VkskinAffine whole = world[i];
        OK(vkskinComposeNode(skeleton, pose, i, &one));
        assertRows(&one, whole.m, 1e-5f);
    }
    pose[0].translation[1] += 1;
    pose[3].scale[2] = 7;
    memcpy(again, world, sizeof world);
    OK(vkskinComposePose(skeleton, pose, world));
    OK(vkskinComposeSubtree(skeleton, pose, 0, again));
    assert_memory_equal(again, world, sizeof world);
    RETURNS(VKSKIN_ERROR_NODE_OUT_OF_RANGE, vkskinComposeNode(skeleton, pose, 4, &one));
    RETURNS(VKSKIN_ERROR_NODE_OUT_OF_RANGE, vkskinComposeSubtree(skeleton, pose, 4, world));
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinComposeNode(NULL, pose, 0, &one));
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinComposeNode(skeleton, NULL, 0, &one));
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinComposeNode(skeleton, pose, 0, NULL));
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinComposeSubtree(NULL, pose, 0, world));
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinComposeSubtree(skeleton, NULL, 0, world));
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinComposeSubtree(skeleton, pose, 0, NULL));
}

/* ---- Refusals ---- */

OWNING_TEST(badChainsAreRefused) {
    const Arm good = makeArm(30);
    Arm arm;
#define REFUSED(change, result)                                                                                        \
    do {                                                                                                               \
        arm = good;                                                                                                    \
        change;                                                                                                        \
        const Arm before = arm;                                                                                        \
        RETURNS(result, vkskinSolveTwoBone(arm.skeleton, &arm.def, arm.pose, arm.world, &arm.reached));                \
        assert_memory_equal(arm.pose, before.pose, sizeof arm.pose);                                                   \
        assert_memory_equal(arm.world, before.world, sizeof arm.world);                                                \
    } while (0)
    float *const numbers[] = {arm.def.target + 1, arm.def.pole + 2, arm.def.midAxis,
                              &arm.def.twist,     &arm.def.soften,  &arm.def.weight};
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        REFUSED(*numbers[i] = NAN, VKSKIN_ERROR_INVALID_VALUE);
        REFUSED(*numbers[i] = INFINITY, VKSKIN_ERROR_INVALID_VALUE);
    }
    REFUSED(arm.def.cookie = 1, VKSKIN_ERROR_DEF_NOT_INITIALISED);
    REFUSED(arm.def.soften = 1.01f, VKSKIN_ERROR_INVALID_VALUE);
    REFUSED(arm.def.weight = -0.01f, VKSKIN_ERROR_INVALID_VALUE);
    REFUSED(arm.def.start = 5, VKSKIN_ERROR_NODE_OUT_OF_RANGE);
    REFUSED(arm.def.mid = 5, VKSKIN_ERROR_NODE_OUT_OF_RANGE);
    REFUSED(arm.def.end = 5, VKSKIN_ERROR_NODE_OUT_OF_RANGE);
    REFUSED(arm.def.mid = SHOULDER, VKSKIN_ERROR_INVALID_VALUE);
    REFUSED(arm.def.end = ELBOW, VKSKIN_ERROR_INVALID_VALUE);
    REFUSED(arm.def.start = FINGER, VKSKIN_ERROR_INVALID_VALUE);
    REFUSED(arm.def.end = BODY, VKSKIN_ERROR_INVALID_VALUE);
    REFUSED(arm.pose[ELBOW].rotation[1] = NAN, VKSKIN_ERROR_TRANSFORM_NOT_FINITE);
    REFUSED(arm.world[HAND].m[0][3] = INFINITY, VKSKIN_ERROR_TRANSFORM_NOT_FINITE);
    REFUSED(arm.world[HAND] = arm.world[ELBOW], VKSKIN_ERROR_INVALID_VALUE); /* bone without length */
    arm = good;
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinSolveTwoBone(NULL, &arm.def, arm.pose, arm.world, NULL));
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinSolveTwoBone(arm.skeleton, NULL, arm.pose, arm.world, NULL));
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinSolveTwoBone(arm.skeleton, &arm.def, NULL, arm.world, NULL));
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinSolveTwoBone(arm.skeleton, &arm.def, arm.pose, NULL, NULL));
    OK(vkskinSolveTwoBone(arm.skeleton, &arm.def, arm.pose, arm.world, NULL));
}

OWNING_TEST(badAimsAreRefused) {
    Head good = makeHead(4, 2, 0), head;
    OK(vkskinComposePose(good.skeleton, good.pose, good.world));
#define REFUSED_AIM(change, result)                                                                                    \
    do {                                                                                                               \
        head = good;                                                                                                   \
        change;                                                                                                        \
        RETURNS(result, vkskinSolveAim(head.skeleton, &head.def, head.pose, head.world, &head.reached));               \
    } while (0)
    float *const numbers[] = {head.def.target,   head.def.forward + 1, head.def.offset,    head.def.up + 2,
                              head.def.pole + 1, &head.def.twist,      &head.def.maxAngle, &head.def.weight};
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        REFUSED_AIM(*numbers[i] = NAN, VKSKIN_ERROR_INVALID_VALUE);
        REFUSED_AIM(*numbers[i] = INFINITY, VKSKIN_ERROR_INVALID_VALUE);
    }
    REFUSED_AIM(head.def.cookie = 1, VKSKIN_ERROR_DEF_NOT_INITIALISED);
    REFUSED_AIM(head.def.node = 2, VKSKIN_ERROR_NODE_OUT_OF_RANGE);
    REFUSED_AIM(head.def.forward[2] = 0, VKSKIN_ERROR_INVALID_VALUE);
    REFUSED_AIM(head.def.maxAngle = -0.1f, VKSKIN_ERROR_INVALID_VALUE);
    REFUSED_AIM(head.def.weight = 1.1f, VKSKIN_ERROR_INVALID_VALUE);
    REFUSED_AIM(head.pose[1].rotation[0] = NAN, VKSKIN_ERROR_TRANSFORM_NOT_FINITE);
    REFUSED_AIM(head.world[1].m[0][0] = NAN, VKSKIN_ERROR_TRANSFORM_NOT_FINITE);
    REFUSED_AIM(head.world[0].m[0][0] = 0, VKSKIN_ERROR_SINGULAR_MATRIX);
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinSolveAim(NULL, &good.def, good.pose, good.world, NULL));
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinSolveAim(good.skeleton, NULL, good.pose, good.world, NULL));
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinSolveAim(good.skeleton, &good.def, NULL, good.world, NULL));
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinSolveAim(good.skeleton, &good.def, good.pose, NULL, NULL));
}
