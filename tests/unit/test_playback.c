/* Playback, clips in step and root motion, against values calculated by hand. */
#include "pose_builders.h"
#include "vkskin/vkskin_blend.h"

static const double Y[3] = {0, 1, 0};

static void assertStep(const VkskinPlayStep *step, double from, double to, int32_t loops, bool ended) {
    assert_true(fabs(step->from - from) < 1e-7 && fabs(step->to - to) < 1e-7); /* durations and weights are floats */
    assert_int_equal(step->loops, loops);
    assert_int_equal(step->ended, ended);
}

/* ---- One clip ---- */

TEST(aClipLoops) {
    VkskinPlayStep step;
    VkskinPlayback playback = vkskinStartPlayback(VKSKIN_PLAY_LOOP, 2, 3);
    OK(vkskinAdvancePlayback(&playback, 3, 1, &step));
    assertStep(&step, 0, 2, 0, false);
    OK(vkskinAdvancePlayback(&playback, 3, 0.5, &step)); /* exactly the end is the start */
    assertStep(&step, 2, 0, 1, false);
    OK(vkskinAdvancePlayback(&playback, 3, 5, &step));
    assertStep(&step, 0, 1, 3, false);
    OK(vkskinAdvancePlayback(&playback, 3, -1, &step));
    assertStep(&step, 1, 2, -1, false);
    playback.speed = -1;
    OK(vkskinAdvancePlayback(&playback, 3, 8, &step));
    assertStep(&step, 2, 0, -2, false);
    OK(vkskinAdvancePlayback(&playback, 3, 0, NULL));
    assert_float_equal(playback.time, 0, 0);
}

/* The time stays below the duration, also where the sum rounds to it. */
TEST(loopedTimesAreInRange) {
    VkskinPlayback playback = vkskinStartPlayback(VKSKIN_PLAY_LOOP, 1, 0.1f);
    int64_t loops = 0;
    double sum = 0;
    for (int i = 0; i < 100000; i++) {
        VkskinPlayStep step;
        const double seconds = i % 3 == 0 ? -1e-18 : 0.1 * (double)randomFraction();
        OK(vkskinAdvancePlayback(&playback, 0.1f, seconds, &step));
        assert_true(step.to >= 0 && step.to < (double)0.1f);
        loops += step.loops;
        sum += seconds;
        assert_true(fabs(playback.time + (double)loops * (double)0.1f - sum) < 1e-9);
    }
}

TEST(aClipEnds) {
    VkskinPlayStep step;
    for (int backwards = 0; backwards < 2; backwards++) {
        const float speed = backwards ? -1 : 1;
        const double start = backwards ? 2 : 0, middle = backwards ? 0.5 : 1.5, end = backwards ? 0 : 2;
        VkskinPlayback hold = vkskinStartPlayback(VKSKIN_PLAY_HOLD, speed, 2);
        VkskinPlayback once = vkskinStartPlayback(VKSKIN_PLAY_ONCE, speed, 2);
        OK(vkskinAdvancePlayback(&hold, 2, 1.5, &step));
        assertStep(&step, start, middle, 0, false);
        OK(vkskinAdvancePlayback(&hold, 2, 1.5, &step));
        assertStep(&step, middle, end, 0, true);
        OK(vkskinAdvancePlayback(&hold, 2, 1.5, &step));
        assertStep(&step, end, end, 0, true);
        OK(vkskinAdvancePlayback(&once, 2, 1.5, NULL));
        OK(vkskinAdvancePlayback(&once, 2, 0.5, &step));
        assertStep(&step, middle, start, 0, true);
        OK(vkskinAdvancePlayback(&once, 2, 1, &step));
        assertStep(&step, start, start, 0, true);
    }
}

TEST(aPoseHasOneMoment) {
    for (int mode = VKSKIN_PLAY_LOOP; mode <= VKSKIN_PLAY_ONCE; mode++) {
        VkskinPlayStep step;
        VkskinPlayback playback = vkskinStartPlayback((VkskinPlayMode)mode, 1, 0);
        OK(vkskinAdvancePlayback(&playback, 0, 0, &step));
        assertStep(&step, 0, 0, 0, false);
        OK(vkskinAdvancePlayback(&playback, 0, 1, &step));
        assertStep(&step, 0, 0, 0, mode != VKSKIN_PLAY_LOOP);
    }
}

TEST(badPlaybacksAreRefused) {
    const VkskinPlayback good = vkskinStartPlayback(VKSKIN_PLAY_LOOP, 1, 1);
    VkskinPlayback playback = good;
#define REFUSED(change, duration, seconds)                                                                             \
    do {                                                                                                               \
        playback = good;                                                                                               \
        change;                                                                                                        \
        RETURNS(VKSKIN_ERROR_INVALID_VALUE, vkskinAdvancePlayback(&playback, duration, seconds, NULL));                \
    } while (0)
    REFUSED((void)0, NAN, 1);
    REFUSED((void)0, -1, 1);
    REFUSED((void)0, INFINITY, 1);
    REFUSED((void)0, 1, NAN);
    REFUSED((void)0, 1, 1e10); /* that many loops */
    REFUSED((void)0, 1, -1e10);
    REFUSED(playback.time = -0.1, 1, 1);
    REFUSED(playback.time = 1.1, 1, 1);
    REFUSED(playback.time = NAN, 1, 1);
    REFUSED(playback.speed = INFINITY, 1, 1);
    REFUSED(playback.mode = (VkskinPlayMode)3, 1, 1);
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinAdvancePlayback(NULL, 1, 1, NULL));
}

/* ---- Clips in step ---- */

TEST(clipsStayInStep) {
    /* A walk of 1 s and a run of 0.5 s, 1 to 3: 0.625 s for a phase. 0.25 s is 0.4 of it. */
    const VkskinSyncClip clips[] = {{1, 0.5f, 0}, {0.5f, 1.5f, 0}, {2, 0, 0.75f}};
    VkskinPlayStep steps[3];
    double phase = 0.5;
    OK(vkskinAdvanceSync(clips, 3, 1, 0.25, &phase, steps));
    assert_true(fabs(phase - 0.9) < 1e-12);
    assertStep(&steps[0], 0.5, 0.9, 0, false);
    assertStep(&steps[1], 0.25, 0.45, 0, false);
    assertStep(&steps[2], 0.5, 1.3, 0, false); /* (0.5 + 0.75) % 1 x 2 s; (0.9 + 0.75) % 1 x 2 s */
    OK(vkskinAdvanceSync(clips, 3, 2, 0.25, &phase, steps));
    assert_true(fabs(phase - 0.7) < 1e-12);
    assertStep(&steps[0], 0.9, 0.7, 1, false);
    assertStep(&steps[2], 1.3, 0.9, 1, false);
    OK(vkskinAdvanceSync(clips, 3, -1, 0.5, &phase, steps)); /* back by 0.8 */
    assert_true(fabs(phase - 0.9) < 1e-12);
    assertStep(&steps[1], 0.35, 0.45, -1, false);
}

TEST(posesHaveNoPhase) {
    const VkskinSyncClip clips[] = {{0, 1, 0}, {3, 0, 0}};
    VkskinPlayStep steps[2];
    double phase = 0.25;
    OK(vkskinAdvanceSync(clips, 2, 1, 5, &phase, steps));
    assert_float_equal(phase, 0.25, 0);
    assertStep(&steps[0], 0, 0, 0, false);
    assertStep(&steps[1], 0.75, 0.75, 0, false);
}

TEST(badSyncIsRefused) {
    const VkskinSyncClip good = {1, 1, 0};
    VkskinSyncClip clip = good;
    VkskinPlayStep step;
    double phase = 0;
#define REFUSED_SYNC(change, count, speed, seconds)                                                                    \
    do {                                                                                                               \
        clip = good;                                                                                                   \
        phase = 0;                                                                                                     \
        change;                                                                                                        \
        RETURNS(VKSKIN_ERROR_INVALID_VALUE, vkskinAdvanceSync(&clip, count, speed, seconds, &phase, &step));           \
    } while (0)
    REFUSED_SYNC((void)0, 0, 1, 1);
    REFUSED_SYNC((void)0, 1, NAN, 1);
    REFUSED_SYNC((void)0, 1, 1, INFINITY);
    REFUSED_SYNC((void)0, 1, 1, 1e10);
    REFUSED_SYNC(clip.weight = 0, 1, 1, 1);
    REFUSED_SYNC(clip.weight = -1, 1, 1, 1);
    REFUSED_SYNC(clip.weight = NAN, 1, 1, 1);
    REFUSED_SYNC(clip.duration = -1, 1, 1, 1);
    REFUSED_SYNC(clip.offset = INFINITY, 1, 1, 1);
    REFUSED_SYNC(phase = 1.5, 1, 1, 1);
    REFUSED_SYNC(phase = NAN, 1, 1, 1);
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinAdvanceSync(NULL, 1, 1, 1, &phase, &step));
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinAdvanceSync(&clip, 1, 1, 1, NULL, &step));
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinAdvanceSync(&clip, 1, 1, 1, &phase, NULL));
}

/* ---- Root motion ---- */

#define DURATION 2.0f

/* A path that does not start at 0, goes up and down, and turns by 90 degrees about y in a loop of 2 s. */
static VkskinTransform rootAt(double time) {
    VkskinTransform root = vkskinIdentityTransform();
    const double tilt[3] = {1, 0, 0};
    float turn[4], lean[4];
    root.translation[0] = (float)(0.5 + time);
    root.translation[1] = (float)(1 + 0.25 * sin(M_PI * time));
    root.translation[2] = (float)(3 * time * time);
    turnAbout(Y, -30 + 45 * time, turn);
    turnAbout(tilt, 20, lean); /* turn x lean */
    root.rotation[0] = turn[3] * lean[0];
    root.rotation[1] = turn[1] * lean[3];
    root.rotation[2] = -turn[1] * lean[0];
    root.rotation[3] = turn[3] * lean[3];
    return root;
}

static VkskinRootDef rootDef(void) {
    VkskinRootDef def = vkskinDefaultRootDef();
    def.first = rootAt(0);
    def.last = rootAt(DURATION);
    return def;
}

static VkskinAffine matrixOf(VkskinTransform transform) {
    return vkskinAffineFromTransform(&transform);
}

static void assertSame(const VkskinAffine *a, const VkskinAffine *b, float tolerance) {
    assertRows(a, b->m, tolerance);
}

/* Plays a clip with a playback; the character's matrix times the root that is left is the clip's own root. */
TEST(theCharacterFollowsThePath) {
    const VkskinRootDef def = rootDef();
    VkskinPlayback playback = vkskinStartPlayback(VKSKIN_PLAY_HOLD, 1, DURATION);
    VkskinAffine place = vkskinIdentityAffine();
    while (!playback.ended) {
        VkskinPlayStep step;
        VkskinTransform delta;
        OK(vkskinAdvancePlayback(&playback, DURATION, 0.0625, &step));
        VkskinTransform from = rootAt(step.from), root = rootAt(step.to);
        OK(vkskinRootDelta(&def, &from, &root, step.loops, &delta));
        const VkskinAffine move = matrixOf(delta), whole = matrixOf(root);
        place = vkskinMultiplyAffine(&place, &move);
        OK(vkskinTakeRootPath(&def, &root));
        const VkskinAffine stays = matrixOf(root), shown = vkskinMultiplyAffine(&place, &stays);
        assertSame(&shown, &whole, 2e-5f);
        /* Without the path: over the place and in the direction of the start, at the clip's own height and lean. */
        assert_float_equal(root.translation[0], def.first.translation[0], 1e-5f);
        assert_float_equal(root.translation[1], whole.m[1][3], 1e-5f);
        assert_float_equal(root.translation[2], def.first.translation[2], 1e-5f);
        assert_float_equal(root.rotation[0], def.first.rotation[0], 1e-6f);
        assert_float_equal(root.rotation[1], def.first.rotation[1], 1e-6f);
    }
}

/*
 * A closed form: forward by 2 along x, then a turn of 90 degrees about y (x to -z). Four loops are a square. From its
 * start, one loop leads to (2, 0, 0), two to (2, 0, -2), three to (0, 0, -2), four back to the start.
 */
TEST(loopsAddUpToThePath) {
    static const float corners[5][2] = {{0, 0}, {2, 0}, {2, -2}, {0, -2}, {0, 0}};
    VkskinRootDef def = vkskinDefaultRootDef();
    VkskinTransform half = vkskinIdentityTransform();
    def.last.translation[0] = 2;
    turnAbout(Y, 90, def.last.rotation);
    half.translation[0] = 1;
    for (int32_t loops = 0; loops <= 4; loops++) {
        VkskinTransform delta;
        OK(vkskinRootDelta(&def, &def.first, &def.first, loops, &delta));
        assert_float_equal(delta.translation[0], corners[loops][0], 1e-5f);
        assert_float_equal(delta.translation[2], corners[loops][1], 1e-5f);
        /* Backwards it is the inverse. */
        VkskinTransform back;
        OK(vkskinRootDelta(&def, &def.first, &def.first, -loops, &back));
        const VkskinAffine there = matrixOf(delta), again = matrixOf(back), none = vkskinIdentityAffine();
        const VkskinAffine product = vkskinMultiplyAffine(&there, &again);
        assertSame(&product, &none, 1e-5f);
    }
    /* From the middle of one side over the end to the middle of the next. */
    VkskinTransform delta;
    OK(vkskinRootDelta(&def, &half, &half, 1, &delta));
    assert_float_equal(delta.translation[0], 1, 1e-6f);
    assert_float_equal(delta.translation[2], -1, 1e-6f);
    /* 4,000,000 sides are whole squares. */
    OK(vkskinRootDelta(&def, &def.first, &def.first, 4000000, &delta));
    assert_float_equal(delta.translation[0], 0, 1e-3f);
    assert_float_equal(fabsf(delta.rotation[3]), 1, 1e-5f);
}

/* Steps of any size, forward and backward over the ends, give the same place as one step. */
TEST(stepsAddUpOverTheEnds) {
    const VkskinRootDef def = rootDef();
    VkskinPlayback playback = vkskinStartPlayback(VKSKIN_PLAY_LOOP, 1, DURATION);
    VkskinAffine place = vkskinIdentityAffine();
    int32_t loops = 0;
    for (int i = 0; i < 400; i++) {
        VkskinPlayStep step;
        VkskinTransform delta;
        OK(vkskinAdvancePlayback(&playback, DURATION, 3.0 * (double)randomFraction(), &step));
        const VkskinTransform from = rootAt(step.from), to = rootAt(step.to);
        OK(vkskinRootDelta(&def, &from, &to, step.loops, &delta));
        const VkskinAffine move = matrixOf(delta);
        place = vkskinMultiplyAffine(&place, &move);
        loops += step.loops;
        const VkskinTransform start = rootAt(0);
        VkskinTransform whole;
        OK(vkskinRootDelta(&def, &start, &to, loops, &whole));
        const VkskinAffine direct = matrixOf(whole);
        assertSame(&place, &direct, 5e-3f);
    }
    assert_true(loops != 0);
}

TEST(partsAreChosen) {
    VkskinRootDef def = rootDef();
    const VkskinTransform start = rootAt(0), end = rootAt(1);
    VkskinTransform delta, left = end;
    def.parts = VKSKIN_ROOT_VERTICAL_BIT;
    def.first.translation[1] = 1;
    OK(vkskinRootDelta(&def, &start, &end, 0, &delta));
    const float none[4] = {0, 0, 0, 1};
    assert_memory_equal(delta.rotation, none, sizeof none);
    assert_float_equal(delta.translation[0], 0, 0);
    assert_float_equal(delta.translation[1], 0, 1e-6f); /* sin(pi) */
    def.parts = 0;
    OK(vkskinTakeRootPath(&def, &left));
    for (int i = 0; i < 3; i++) {
        assert_float_equal(left.translation[i], end.translation[i], 1e-6f);
    }
    /* Another up: of (1.5, 1, 3) from (0.5, 1, 0), the part along z is vertical. */
    def.parts = VKSKIN_ROOT_VERTICAL_BIT;
    def.up[1] = 0;
    def.up[2] = 2;
    OK(vkskinRootDelta(&def, &start, &end, 0, &delta));
    assert_float_equal(delta.translation[0], 0, 0);
    assert_float_equal(delta.translation[2], 3, 1e-6f);
}

TEST(badRootsAreRefused) {
    const VkskinRootDef good = rootDef();
    VkskinTransform root = rootAt(1), delta;
    VkskinRootDef def = good;
#define REFUSED_ROOT(change, result)                                                                                   \
    do {                                                                                                               \
        def = good;                                                                                                    \
        change;                                                                                                        \
        RETURNS(result, vkskinRootDelta(&def, &root, &root, 1, &delta));                                               \
        RETURNS(result, vkskinTakeRootPath(&def, &root));                                                              \
    } while (0)
    REFUSED_ROOT(def.cookie = 0, VKSKIN_ERROR_DEF_NOT_INITIALISED);
    REFUSED_ROOT(def.parts = 8, VKSKIN_ERROR_INVALID_VALUE);
    REFUSED_ROOT(def.up[1] = 0, VKSKIN_ERROR_INVALID_VALUE);
    REFUSED_ROOT(def.up[1] = NAN, VKSKIN_ERROR_INVALID_VALUE);
    REFUSED_ROOT(def.first.translation[0] = NAN, VKSKIN_ERROR_TRANSFORM_NOT_FINITE);
    REFUSED_ROOT(def.last.rotation[3] = INFINITY, VKSKIN_ERROR_TRANSFORM_NOT_FINITE);
    REFUSED_ROOT(root.translation[2] = NAN, VKSKIN_ERROR_TRANSFORM_NOT_FINITE);
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinRootDelta(NULL, &root, &root, 0, &delta));
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinRootDelta(&good, NULL, &root, 0, &delta));
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinRootDelta(&good, &root, NULL, 0, &delta));
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinRootDelta(&good, &root, &root, 0, NULL));
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinTakeRootPath(NULL, &root));
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinTakeRootPath(&good, NULL));
}

/* Finite transforms whose path is longer than a float can be. */
TEST(pathsBeyondFloatsAreRefused) {
    const float far = 3e38f;
    VkskinRootDef def = vkskinDefaultRootDef();
    VkskinTransform root = vkskinIdentityTransform(), delta = root;
    def.last.translation[0] = far;
    OK(vkskinRootDelta(&def, &root, &root, 1, &delta));
    assert_float_equal(delta.translation[0], far, 1e33f);
    const VkskinTransform before = delta;
    RETURNS(VKSKIN_ERROR_TRANSFORM_NOT_FINITE, vkskinRootDelta(&def, &root, &root, 2, &delta));
    RETURNS(VKSKIN_ERROR_TRANSFORM_NOT_FINITE, vkskinRootDelta(&def, &root, &root, INT32_MIN, &delta));
    assert_memory_equal(&delta, &before, sizeof delta);
    /* Without its turn the root is sqrt(2) times as far along z. */
    def.parts = VKSKIN_ROOT_TURN_BIT;
    root.translation[0] = root.translation[2] = far;
    turnAbout(Y, 45, root.rotation);
    const VkskinTransform same = root;
    RETURNS(VKSKIN_ERROR_TRANSFORM_NOT_FINITE, vkskinTakeRootPath(&def, &root));
    assert_memory_equal(&root, &same, sizeof root);
}
