/*
 * test_pick.c: what is at a place, on a character made by hand. At 1 s bone 1 has moved by 20 along x, and slot 1 is drawn after
 * slot 2. Pictures are two triangles, boxes are polygons.
 */
#include "count_of.h"
#include "spine_pick.h"
#include "test.h"

static float TIMES[] = {1.0f}, WAY[] = {20.0f};
static uint32_t SHAPES[] = {SPINE_LINEAR};
static int32_t ORDER[] = {0, 2, 1, 3, 4, 5, 6, 7};
static SpineTimeline TIMELINES[] = {
    {.kind = SPINE_TIMELINE_TRANSLATE_X,
     .target = 1,
     .keyCount = 1,
     .channels = 1,
     .curves = 1,
     .times = TIMES,
     .values = WAY,
     .shapes = SHAPES},
    {.kind = SPINE_TIMELINE_DRAW_ORDER,
     .keyCount = 1,
     .integers = COUNT_OF(ORDER),
     .times = TIMES,
     .shapes = SHAPES,
     .numbers = ORDER},
};
static SpineAnimation ANIMATION = {.name = "a", .duration = 1.0f, .timelineCount = 2, .timelines = TIMELINES};

#define BONE(above)                                                                                                    \
    {                                                                                                                  \
        .name = "bone", .parent = (above), .local = { [SPINE_SCALE_X] = 1.0f, [SPINE_SCALE_Y] = 1.0f }                 \
    }
static SpineBone BONES[] = {BONE(-1), BONE(0)};

/* The corners of a polygon on one bone. */
static uint32_t VERTICES[] = {0, 1, 2, 3, 4, 5, 6, 7}, BELOW[8], ABOVE[] = {1, 1, 1, 1, 1, 1, 1, 1},
                QUAD[] = {0, 1, 2, 0, 2, 3};
static float SQUARE[][3] = {{0, 0, 1}, {10, 0, 1}, {10, 10, 1}, {0, 10, 1}},
             U[][3] = {{0, 0, 1}, {10, 0, 1}, {10, 10, 1}, {7, 10, 1}, {7, 3, 1}, {3, 3, 1}, {3, 10, 1}, {0, 10, 1}},
             NEXT[][3] = {{8, 0, 1}, {18, 0, 1}, {18, 10, 1}, {8, 10, 1}},
             HALF[][3] = {{100, 0, 1}, {105, 0, 1}, {105, 10, 1}, {100, 10, 1}},
             WHOLE[][3] = {{100, 0, 1}, {110, 0, 1}, {110, 10, 1}, {100, 10, 1}};
/* The third corner is one quarter of bone 0. */
static float WEIGHTED[][3] = {{0, 20, 1}, {10, 20, 1}, {5, 30, 0.25f}, {5, 30, 0.75f}};
static uint32_t WEIGHTED_VERTICES[] = {0, 1, 2, 2}, WEIGHTED_BONES[] = {0, 1, 0, 1};
static SpineFrame FRAMES[] = {{.page = 0, .vertexCount = 4}};

#define SHAPE(at, type, count, of, corners)                                                                            \
    .slot = (at), .kind = (type), .vertexCount = (count), .influenceCount = COUNT_OF(corners), .vertices = VERTICES,   \
    .bones = (of), .offsets = (corners)[0], .colour = {1, 1, 1, 1}
#define PICTURE(at, of, corners)                                                                                       \
    { SHAPE(at, SPINE_MESH, 4, of, corners), .indexCount = 6, .indices = QUAD, .frameCount = 1, .frames = FRAMES }
static SpineAttachment ATTACHMENTS[] = {
    PICTURE(0, BELOW, SQUARE),
    {SHAPE(1, SPINE_BOUNDS, 8, ABOVE, U)},
    {SHAPE(2, SPINE_BOUNDS, 4, ABOVE, NEXT)},
    {.slot = 3,
     .kind = SPINE_BOUNDS,
     .vertexCount = 3,
     .influenceCount = 4,
     .vertices = WEIGHTED_VERTICES,
     .bones = WEIGHTED_BONES,
     .offsets = WEIGHTED[0]},
    {SHAPE(4, SPINE_CLIPPING, 4, BELOW, HALF), .clipEnd = 5},
    PICTURE(5, BELOW, WHOLE),
    PICTURE(6, BELOW, SQUARE), /* in a slot with alpha 0 */
    PICTURE(7, ABOVE, SQUARE), /* over the boxes */
};

TEST(picksWhatIsDrawnLast) {
    static const struct {
        double place[2];
        int32_t slot;
        uint32_t bone;
    } CASES[] = {
        {{5, 5}, 0, 0},   {{21, 5}, 1, 1},   {{25, 8}, 7, 1},  {{29, 5}, 1, 1},   {{35, 5}, 2, 1},
        {{20, 28}, 3, 1}, {{3, 20.5}, 3, 0}, {{102, 5}, 5, 0}, {{108, 5}, -1, 0}, {{50, 50}, -1, 0},
    };
    SpineName name = {"name"};
    SpineSkin skin = {.name = "default"};
    SpineSlot slots[COUNT_OF(ATTACHMENTS)];
    for (size_t i = 0; i < COUNT_OF(slots); i++) {
        slots[i] = (SpineSlot){.name = "slot", .colour = {1, 1, 1, i == 6 ? 0 : 1}};
    }
    const SpineModel spine = {.nameCount = 1,
                              .names = &name,
                              .boneCount = 2,
                              .bones = BONES,
                              .slotCount = COUNT_OF(slots),
                              .slots = slots,
                              .skinCount = 1,
                              .skins = &skin,
                              .attachmentCount = COUNT_OF(ATTACHMENTS),
                              .attachments = ATTACHMENTS,
                              .animationCount = 1,
                              .animations = &ANIMATION};
    EngineError error;
    SpinePose *pose = spinePoseCreate(&spine, NULL, 0, &error);
    assert_non_null(pose);
    spinePoseSet(pose, 0, 1.0);
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        const SpinePick pick = spinePick(pose, CASES[i].place);
        if (pick.slot != CASES[i].slot ||
            (pick.slot >= 0 && (pick.bone != CASES[i].bone || pick.attachment != (uint32_t)pick.slot))) {
            fail_msg("(%g, %g): slot %d of bone %u", CASES[i].place[0], CASES[i].place[1], pick.slot, pick.bone);
        }
    }
    spinePoseFree(pose);
}
