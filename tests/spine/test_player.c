/*
 * test_player.c: what plays: fades, loops, a second animation in step, targets that are pulled. And the camera of a window.
 * On a character made by hand: animation a moves its bone along x from 0 to 8 in 2 s, b along y from 0 to 8 in 4 s, c holds
 * x at 100.
 */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "spine_camera.h"
#include "spine_player.h"
#include "spine_population.h"
#include "test.h"

#define NEAR(a, b) assert_true(fabs((a) - (b)) < 1e-6)

static float TIMES[] = {0.0f, 2.0f}, LONG_TIMES[] = {0.0f, 4.0f}, WAY[] = {0.0f, 8.0f}, FAR[] = {100.0f};
static uint32_t SHAPES[] = {SPINE_LINEAR, SPINE_LINEAR};

#define MOVES(direction, count, at, way)                                                                               \
    {                                                                                                                  \
        .kind = SPINE_TIMELINE_TRANSLATE_##direction, .keyCount = (count), .channels = 1, .curves = 1, .times = (at),  \
        .values = (way), .shapes = SHAPES                                                                              \
    }
static SpineTimeline ALONG_X[] = {MOVES(X, 2, TIMES, WAY)}, ALONG_Y[] = {MOVES(Y, 2, LONG_TIMES, WAY)},
                     STILL[] = {MOVES(X, 1, TIMES, FAR)};
static SpineAnimation ANIMATIONS[] = {
    {.name = "a", .duration = 2.0f, .timelineCount = 1, .timelines = ALONG_X},
    {.name = "b", .duration = 4.0f, .timelineCount = 1, .timelines = ALONG_Y},
    {.name = "c", .timelineCount = 1, .timelines = STILL},
};
static SpineBone BONES[] = {{.name = "bone", .parent = -1, .local = {[SPINE_SCALE_X] = 1.0f, [SPINE_SCALE_Y] = 1.0f}}};
static SpineModel SPINE = {
    .boneCount = 1, .bones = BONES, .animationCount = 3, .animations = ANIMATIONS, .defaultSkin = -1};

typedef struct Stage {
    SpinePlayer player;
    SpinePose *pose;
} Stage;

static void open(Stage *stage, SpineMotion motion) {
    EngineError error;
    spinePlayerStart(&stage->player, &SPINE, &motion);
    assert_non_null(stage->pose = spinePoseCreate(&SPINE, NULL, 0, &error));
}

static void expectPlace(Stage *stage, double x, double y) {
    spinePlayerPose(&stage->player, stage->pose);
    const SpineMatrix *matrix = &stage->pose->bones[0].matrix;
    if (!(fabs(matrix->x0 - x) < 1e-6 && fabs(matrix->y0 - y) < 1e-6)) {
        fail_msg("the bone is at (%g, %g), not (%g, %g)", matrix->x0, matrix->y0, x, y);
    }
}

TEST(playsInLoops) {
    Stage stage;
    open(&stage, (SpineMotion){.animation = 0, .blendAnimation = -1});
    expectPlace(&stage, 0.0, 0.0);
    spinePlayerAdvance(&stage.player, 0.5);
    expectPlace(&stage, 2.0, 0.0);
    spinePlayerAdvance(&stage.player, 2.0);
    expectPlace(&stage, 2.0, 0.0);
    spinePlayerStep(&stage.player, -1, false); /* round the end, from 0 s: c has no duration */
    spinePlayerAdvance(&stage.player, 1.0);
    expectPlace(&stage, 100.0, 0.0);
    spinePlayerStep(&stage.player, 2, false);
    assert_int_equal(spinePlayerAnimation(&stage.player), 1);
    expectPlace(&stage, 0.0, 0.0);
    spinePoseFree(stage.pose);
}

/* A third of the fade after the change: a goes on, b has begun. */
TEST(fades) {
    Stage stage;
    open(&stage, (SpineMotion){.animation = 0, .blendAnimation = -1});
    spinePlayerAdvance(&stage.player, 0.5);
    spinePlayerStep(&stage.player, 1, true);
    expectPlace(&stage, 2.0, 0.0);
    spinePlayerAdvance(&stage.player, SPINE_FADE / 3.0);
    expectPlace(&stage, (2.0 + 0.4) * 2.0 / 3.0, 0.2 / 3.0);
    spinePlayerAdvance(&stage.player, SPINE_FADE);
    expectPlace(&stage, 0.0, 0.8);
    assert_int_equal(stage.player.trackCount, 1);
    spinePoseFree(stage.pose);
}

/*
 * Slot 0 shows attachment 0. "keys" lasts 2 s: slot 0 shows attachment 1 from 0.5 s on, 0 from 1.5 s, none from 2 s; at 1 s
 * the slots change places. Its alpha goes from 0 to 1.
 */
static int32_t SHOWN[] = {1, 0, -1}, ORDER[] = {1, 0};
static float SHOW_TIMES[] = {0.5f, 1.5f, 2.0f}, ORDER_TIMES[] = {1.0f}, ALPHAS[] = {0.0f, 1.0f};
static SpineTimeline KEYS[] = {
    {.kind = SPINE_TIMELINE_SHOW, .keyCount = 3, .integers = 1, .times = SHOW_TIMES, .numbers = SHOWN},
    {.kind = SPINE_TIMELINE_DRAW_ORDER, .keyCount = 1, .integers = 2, .times = ORDER_TIMES, .numbers = ORDER},
    {.kind = SPINE_TIMELINE_ALPHA,
     .keyCount = 2,
     .channels = 1,
     .curves = 1,
     .times = TIMES,
     .values = ALPHAS,
     .shapes = SHAPES}};
static SpineAnimation SLOT_ANIMATIONS[] = {{.name = "keys", .duration = 2.0f, .timelineCount = 3, .timelines = KEYS},
                                           {.name = "none", .duration = 1.0f}};
static SpineName NAMES[] = {{(char *)"0"}, {(char *)"1"}};
static SpineSkin SKIN = {.name = "default"};
static SpineAttachment ATTACHMENTS[] = {{.kind = SPINE_POINT}, {.name = 1, .kind = SPINE_POINT}};
static SpineSlot SLOTS[] = {{.colour = {1.0f, 1.0f, 1.0f, 0.5f}}, {.shown = -1}};
static const SpineModel SLOTTED = {.boneCount = 1,
                                   .bones = BONES,
                                   .animationCount = 2,
                                   .animations = SLOT_ANIMATIONS,
                                   .slotCount = 2,
                                   .slots = SLOTS,
                                   .nameCount = 2,
                                   .names = NAMES,
                                   .skinCount = 1,
                                   .skins = &SKIN,
                                   .attachmentCount = 2,
                                   .attachments = ATTACHMENTS};

/* At the seam of a loop what was before the first key is shown again, as in the first round. */
TEST(keysAtTheSeam) {
    static const struct {
        double step;
        int32_t shown;
        uint32_t first;
        float alpha;
    } rows[] = {{0.25, 0, 0, 0.125f}, {0.25, 1, 0, 0.25f},  {0.5, 1, 1, 0.5f},  {0.75, 0, 1, 0.875f},
                {0.25, 0, 0, 0.0f},   {0.25, 0, 0, 0.125f}, {0.75, 1, 1, 0.5f}, {3.25, 0, 0, 0.125f}};
    EngineError error;
    SpinePlayer player;
    SpinePose *pose = spinePoseCreate(&SLOTTED, NULL, 0, &error);
    assert_non_null(pose);
    spinePlayerStart(&player, &SLOTTED, &(SpineMotion){.animation = 0, .blendAnimation = -1});
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        spinePlayerAdvance(&player, rows[i].step);
        spinePlayerPose(&player, pose);
        assert_int_equal(pose->slots[0].attachment, rows[i].shown);
        assert_int_equal(pose->drawOrder[0], rows[i].first);
        NEAR((double)pose->slots[0].colour[3], (double)rows[i].alpha);
    }
    spinePoseFree(pose);
}

/* What a mix leaves in a slot that only its first animation moves is gone in the next pose. */
TEST(mixesLeaveNothing) {
    EngineError error;
    SpinePose *pose = spinePoseCreate(&SLOTTED, NULL, 0, &error);
    assert_non_null(pose);
    spinePoseMix(pose, (const SpinePlay[]){{0, 2.0, 1.0}, {1, 0.0, 0.5}}, 2, NULL, 0);
    NEAR((double)pose->slots[0].colour[3], 0.75); /* half-way from 1 to the setup pose */
    assert_int_equal(pose->slots[0].attachment, 0);
    spinePoseSet(pose, 1, 0.0);
    NEAR((double)pose->slots[0].colour[3], 0.5);
    spinePoseSet(pose, 0, 2.0);
    assert_int_equal(pose->slots[0].attachment, -1);
    spinePoseFree(pose);
}

/* The next change comes within the first one's fade: c by a half to what a and b are, each with its own weight. */
TEST(fadesWhileItFades) {
    Stage stage;
    open(&stage, (SpineMotion){.animation = 0, .blendAnimation = -1});
    spinePlayerAdvance(&stage.player, 1.0);
    spinePlayerStep(&stage.player, 1, true);
    spinePlayerAdvance(&stage.player, SPINE_FADE / 4.0);
    spinePlayerStep(&stage.player, 1, true);
    spinePlayerAdvance(&stage.player, SPINE_FADE / 2.0);
    const double a = 4.0 + 4.0 * 0.75 * SPINE_FADE, b = 2.0 * 0.75 * SPINE_FADE;
    expectPlace(&stage, 0.5 * (0.25 * a) + 0.5 * 100.0, 0.5 * (0.75 * b));
    /* More changes than there are tracks drop the oldest. */
    for (int i = 0; i < 5; i++) {
        spinePlayerStep(&stage.player, 1, true);
    }
    assert_int_equal(stage.player.trackCount, SPINE_TRACKS_MAX);
    spinePlayerAdvance(&stage.player, SPINE_FADE);
    assert_int_equal(stage.player.trackCount, 1);
    spinePoseFree(stage.pose);
}

/* Animations a and b, each at weight 1/2, pass once in 3 s. */
TEST(mixesASecondInStep) {
    Stage stage;
    open(&stage, (SpineMotion){.animation = 0, .blendAnimation = -1});
    spinePlayerStepBlend(&stage.player);
    assert_int_equal(stage.player.blendAnimation, 1);
    spinePlayerStepBlend(&stage.player);
    spinePlayerAdvance(&stage.player, 1.5);
    expectPlace(&stage, 2.0, 2.0);
    spinePlayerStepBlend(&stage.player);
    spinePlayerStepBlend(&stage.player);
    expectPlace(&stage, 0.0, 4.0);
    spinePlayerStepBlend(&stage.player);
    expectPlace(&stage, 4.0, 0.0);
    spinePoseFree(stage.pose);
}

TEST(pulls) {
    Stage stage;
    open(&stage, (SpineMotion){.animation = 0, .blendAnimation = -1, .pull = {0, {5.0, 6.0}}, .pullCount = 1});
    expectPlace(&stage, 5.0, 6.0);
    assert_true(spinePlayerPull(&stage.player, 0, (const double[]){7.0, 8.0}));
    assert_int_equal(stage.player.pullCount, 1);
    expectPlace(&stage, 7.0, 8.0);
    for (uint32_t i = 1; i < SPINE_PULLS_MAX; i++) {
        assert_true(spinePlayerPull(&stage.player, i, (const double[]){0.0, 0.0}));
    }
    assert_false(spinePlayerPull(&stage.player, SPINE_PULLS_MAX, (const double[]){0.0, 0.0}));
    spinePoseFree(stage.pose);
}

/* The same names at other indices: b is the first animation now and a is gone. */
TEST(goesOnWithAnotherSpine) {
    SpineBone bones[] = {{.name = "root", .parent = -1, .local = {[SPINE_SCALE_X] = 1.0f, [SPINE_SCALE_Y] = 1.0f}},
                         BONES[0]};
    SpineTimeline along = ALONG_Y[0];
    along.target = 1;
    SpineAnimation animations[] = {{.name = "b", .duration = 4.0f, .timelineCount = 1, .timelines = &along},
                                   {.name = "d"}};
    const SpineModel other = {
        .boneCount = 2, .bones = bones, .animationCount = 2, .animations = animations, .defaultSkin = -1};
    Stage stage;
    open(&stage, (SpineMotion){.animation = 1, .blendAnimation = 0, .blendWeight = 0.5});
    spinePlayerChange(&stage.player, 0, false);
    spinePlayerChange(&stage.player, 1, false);
    spinePlayerAdvance(&stage.player, 1.5);
    assert_true(spinePlayerPull(&stage.player, 0, (const double[]){7.0, 8.0}));
    const double time = stage.player.tracks[0].time;
    NEAR(time, 2.0); /* b and a at weight 1/2 pass once in 3 s */
    spinePlayerReplace(&stage.player, &other);
    assert_int_equal(spinePlayerAnimation(&stage.player), 0);
    NEAR(stage.player.tracks[0].time, time);
    assert_int_equal(stage.player.blendAnimation, -1);
    NEAR(stage.player.blendWeight, 0.0);
    assert_int_equal(stage.player.pullCount, 1);
    assert_int_equal(stage.player.pulls[0].bone, 1);
    spinePlayerReplace(&stage.player, &SPINE); /* b is there again, the bone too; root is not */
    assert_int_equal(spinePlayerAnimation(&stage.player), 1);
    assert_int_equal(stage.player.pulls[0].bone, 0);
    spinePlayerChange(&stage.player, 2, false);
    spinePlayerReplace(&stage.player, &other); /* no c: the first one from 0 s */
    assert_int_equal(spinePlayerAnimation(&stage.player), 0);
    NEAR(stage.player.tracks[0].time, 0.0);
    spinePoseFree(stage.pose);
}

/* 400 x 200 pixels show 20 x 10 around (1, 2): a pixel is 0.05. */
TEST(cameraMoves) {
    const float size[2] = {400.0f, 200.0f}, corner[2] = {400.0f, 0.0f}, way[2] = {20.0f, 40.0f};
    SpineCamera camera = {{1.0, 2.0}, 10.0};
    double place[2];
    spineCameraPlace(&camera, size, corner, place);
    NEAR(place[0], 11.0);
    NEAR(place[1], 7.0);
    spineCameraPan(&camera, size, way); /* the picture goes right and down with the mouse */
    NEAR(camera.centre[0], 0.0);
    NEAR(camera.centre[1], 4.0);
    spineCameraPlace(&camera, size, corner, place);
    spineCameraZoom(&camera, size, corner, 2.0f);
    assert_true(camera.height < 10.0);
    double after[2];
    spineCameraPlace(&camera, size, corner, after);
    NEAR(after[0], place[0]);
    NEAR(after[1], place[1]);
    spineCameraZoom(&camera, size, corner, -2.0f);
    NEAR(camera.height, 10.0);
    NEAR(camera.centre[0], 0.0);
    spineCameraZoom(&camera, size, corner, 1e6f);
    assert_true(camera.height > 0.0);
}

TEST(cameraFrames) {
    SpineCamera camera;
    SpineBox box = SPINE_EMPTY_BOX;
    assert_false(spineCameraFrame(&box, 2.0, &camera));
    box = (SpineBox){{-10.0, 0.0}, {30.0, 10.0}}; /* wider than the picture: its width counts, with a margin of 5 % */
    assert_true(spineCameraFrame(&box, 2.0, &camera));
    NEAR(camera.height, 21.0);
    NEAR(camera.centre[0], 10.0);
    NEAR(camera.centre[1], 5.0);
}

/* ---- State machines ---- */

/* State "way" plays a, "fast" b at twice its speed, "far" holds c; each fades in within 1 s. */
static MotionMachine *newMachine(const MotionEvent *events, uint32_t count) {
    static const char text[] =
        "{\"parameters\": {\"go\": 0, \"jump\": 0}, \"states\": [{\"name\": \"way\", \"clip\": \"a\"},"
        " {\"name\": \"fast\", \"clip\": \"b\", \"speed\": 2}, {\"name\": \"far\", \"clip\": \"c\"}],"
        " \"transitions\": [{\"from\": \"way\", \"to\": \"fast\", \"seconds\": 1, \"when\": [{\"parameter\": \"go\","
        " \"above\": 0}]}, {\"from\": \"fast\", \"to\": \"far\", \"seconds\": 1, \"when\": [{\"parameter\": \"jump\","
        " \"above\": 0}]}]}";
    char path[] = "/tmp/vkskin_player_XXXXXX";
    const int file = mkstemp(path);
    EngineError error;
    assert_true(file >= 0 && write(file, text, sizeof text - 1) == (ssize_t)sizeof text - 1 && close(file) == 0);
    MotionMachine *machine = spineMachineCreate(path, &SPINE, events, count, &error);
    unlink(path);
    TEST_GOOD(machine, error);
    return machine;
}

/*
 * d seconds after go, at 0.5 s: a is at x = 4 (0.5 + d), b at y = 4 d with the weight d. e seconds after jump, at 1 s: c is
 * at x = 100 with the weight e of all. What an animation does not move is mixed with the setup pose.
 */
TEST(aMachineMixesAsTracks) {
    static const MotionEvent events[] = {{1.0, "jump", 1.0f}, {0.5, "go", 1.0f}};
    static const struct {
        double time, x, y;
        uint32_t events;
    } rows[] = {{0.25, 1.0, 0.0, 2},
                {0.26, 1.04, 0.0, 2},
                {1.0, 0.5 * 4.0, 0.5 * 2.0, 2},
                {1.25, 0.75 * 0.25 * 5.0 + 25.0, 0.75 * 0.75 * 3.0, 2},
                {9.0, 100.0, 0.0, 2},
                {2.5, 2.0, 0.0, 0}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        MotionMachine *machine = newMachine(events, rows[i].events);
        Stage stage;
        open(&stage, (SpineMotion){.animation = -1, .blendAnimation = 0, .blendWeight = 0.5, .machine = machine});
        spinePlayerAdvance(&stage.player, rows[i].time);
        spinePlayerPose(&stage.player, stage.pose);
        assert_float_equal(stage.pose->bones[0].matrix.x0, rows[i].x, 1e-4);
        assert_float_equal(stage.pose->bones[0].matrix.y0, rows[i].y, 1e-4);
        spinePoseFree(stage.pose);
        motionMachineDestroy(machine);
    }
}

/* Times that ascend, stay and go back: the same bits. */
TEST(aCursorChangesNothing) {
    static const MotionEvent events[] = {{1.0, "jump", 1.0f}, {0.5, "go", 1.0f}};
    static const double times[] = {0.0, 0.25, 0.5, 0.5, 31.0 / 60.0, 0.999, 1.25, 0.3, 0.6, 9.0};
    MotionMachine *machine = newMachine(events, 2);
    MotionCursor cursor = {0};
    for (size_t i = 0; i < COUNT_OF(times); i++) {
        SpinePlay with[SPINE_PLAYS_MAX], without[SPINE_PLAYS_MAX];
        const uint32_t count = spineMachinePlays(machine, &cursor, times[i], with);
        assert_int_equal(count, spineMachinePlays(machine, NULL, times[i], without));
        for (uint32_t p = 0; p < count; p++) {
            assert_true(with[p].animation == without[p].animation && with[p].time == without[p].time &&
                        with[p].weight == without[p].weight);
        }
    }
    free(cursor.parameters);
    motionMachineDestroy(machine);
}

TEST(aMachineNeverEnds) {
    MotionMachine *machine = newMachine(NULL, 0);
    const SpineMotion motion = {.animation = -1, .blendAnimation = -1, .machine = machine};
    assert_true(isinf(spineMotionDuration(&SPINE, &motion)));
    motionMachineDestroy(machine);
}

/* ---- Populations ---- */

/* SPINE with one slot, which shows a triangle. */
static SpineModel shownModel(void) {
    static uint32_t vertices[] = {0, 1, 2}, bones[] = {0, 0, 0}, indices[] = {0, 1, 2};
    static float offsets[] = {0, 0, 1, 1, 0, 1, 0, 1, 1}, texcoords[6];
    static SpineName name = {.text = "shown"};
    static SpineSkin skin = {.name = "default"};
    static SpineFrame frame = {.page = -1, .vertexCount = 3, .texcoords = texcoords};
    static SpineAttachment attachment = {.kind = SPINE_MESH,
                                         .vertexCount = 3,
                                         .influenceCount = 3,
                                         .vertices = vertices,
                                         .bones = bones,
                                         .offsets = offsets,
                                         .indexCount = 3,
                                         .indices = indices,
                                         .frameCount = 1,
                                         .frames = &frame,
                                         .clipEnd = -1};
    static SpineSlot slot = {.name = "slot"};
    SpineModel spine = SPINE;
    spine.nameCount = spine.skinCount = spine.slotCount = spine.attachmentCount = 1;
    spine.names = &name;
    spine.skins = &skin;
    spine.slots = &slot;
    spine.attachments = &attachment;
    spine.defaultSkin = 0;
    return spine;
}

/* The bones of 100 characters, 1.25 s after the start, on so many threads. */
static void poseHundred(const SpinePopulationDef *def, uint32_t threads, SpineMatrix bones[100]) {
    SpinePopulation population;
    ParallelPool pool;
    EngineError error;
    parallelBegin(&pool, threads);
    TEST_GOOD(spinePopulationCreate(def, &population, &error) && spinePopulationMakePoses(&population, &error), error);
    spinePopulationPose(&population, &pool, 0.5);
    spinePopulationPose(&population, &pool, 1.25);
    for (uint32_t i = 0; i < def->count; i++) {
        bones[i] = population.poses[i]->bones[0].matrix;
    }
    spinePopulationFree(&population);
    parallelEnd(&pool);
}

/* With animations in turn from random times, and with a machine, which all begin at 0 s. */
TEST(threadsPoseTheSameCrowd) {
    static const MotionEvent events[] = {{1.0, "jump", 1.0f}, {0.5, "go", 1.0f}};
    const SpineModel spine = shownModel();
    SpinePopulationKind kind = {
        .path = "made.json", .spine = &spine, .motion = {.animation = 0, .blendAnimation = -1}, .cycles = true};
    SpinePopulationDef def = {.kinds = &kind, .kindCount = 1, .count = 100, .aspect = 1.0, .time = -1.0, .seed = 5};
    SpineMatrix alone[100], many[100];
    poseHundred(&def, 1, alone);
    poseHundred(&def, 4, many);
    assert_memory_equal(alone, many, sizeof many);
    assert_true(alone[0].x0 != alone[2].x0); /* b is between them */
    kind.motion.machine = newMachine(events, 2);
    def.time = 0.0;
    poseHundred(&def, 4, many);
    for (uint32_t i = 0; i < 100; i++) {
        assert_float_equal(many[i].x0, 0.75 * 0.25 * 5.0 + 25.0, 1e-4);
    }
    motionMachineDestroy(kind.motion.machine);
}
