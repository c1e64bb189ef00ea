/*
 * The title bar, and stepping through clips: on crowds made by hand.
 */

#include "test.h"
#include "viewer.h"

typedef struct HandMade {
    ModelClip clips[3];
    Model model, still;
    Character moving, standing;
    Character *characters[2];
    CrowdMember members[3];
    Crowd crowd;
} HandMade;

/* Two members of a model with three clips, then one of a model without. */
static void make(HandMade *made) {
    *made = (HandMade){.clips = {{.name = "Bind"}, {.name = "Run"}, {.name = "Walk"}}};
    made->model = (Model){.clipCount = 3, .clips = made->clips};
    made->moving = (Character){.model = &made->model, .clipCount = 3};
    made->standing = (Character){.model = &made->still};
    made->characters[0] = &made->moving;
    made->characters[1] = &made->standing;
    made->members[2] = (CrowdMember){.character = 1, .clip = UINT32_MAX};
    made->crowd =
        (Crowd){.characterCount = 2, .characters = made->characters, .memberCount = 3, .members = made->members};
}

static void assertTitle(const Crowd *crowd, VkskinBackend backend, const char *wanted) {
    char text[VIEW_TITLE_SIZE];
    viewerTitle(text, "a.x", backend, crowd);
    assert_string_equal(text, wanted);
}

TEST(tellsClipAndMethod) {
    HandMade made;
    make(&made);
    assertTitle(&made.crowd, VKSKIN_BACKEND_COMPUTE, "a.x | clip 0 of 0 to 2: Bind | linear blend by compute");
    made.members[0].mode = SKIN_MODE_DQS;
    assertTitle(&made.crowd, VKSKIN_BACKEND_COMPUTE, "a.x | clip 0 of 0 to 2: Bind | dual quaternions by compute");
    made.members[0].clip = 1;
    assertTitle(&made.crowd, VKSKIN_BACKEND_COMPUTE, "a.x | mixed clips | dual quaternions by compute");
    made.members[0] = made.members[2];
    assertTitle(&made.crowd, VKSKIN_BACKEND_CPU, "a.x | rest pose | linear blend by cpu");
    made.crowd.skin.system = SKIN_SYSTEM_TEXTURE_MATRIX;
    assertTitle(&made.crowd, VKSKIN_BACKEND_CPU, "a.x | rest pose | linear blend by texture-matrix");
}

TEST(tellsRateAndClock) {
    static const struct {
        double rate;
        ViewClock clock;
        const char *wanted;
    } rows[] = {{0.0, {.speed = 1.0}, "a.x"},
                {59.94, {.speed = 1.0}, "a.x | 59.9 fps"},
                {59.94, {.speed = 0.25, .paused = true}, "a.x | 59.9 fps | x0.25 | paused"},
                {0.0, {.speed = 2.0}, "a.x | x2"}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char text[VIEW_TITLE_SIZE];
        viewLoopTitle(text, "a.x", rows[i].rate, &rows[i].clock);
        assert_string_equal(text, rows[i].wanted);
    }
}

TEST(longNamesAreCut) {
    HandMade made;
    make(&made);
    char label[1000], name[1000], what[VIEW_TITLE_SIZE], text[VIEW_TITLE_SIZE];
    memset(label, 'l', sizeof label);
    memset(name, 'n', sizeof name);
    label[sizeof label - 1] = name[sizeof name - 1] = '\0';
    made.clips[0].name = name;
    viewerTitle(what, label, VKSKIN_BACKEND_COMPUTE, &made.crowd);
    viewLoopTitle(text, what, 1.0, &(ViewClock){.speed = 1.0, .paused = true});
    assert_true(strlen(text) < VIEW_TITLE_SIZE);
    assert_non_null(strstr(text, "linear blend by compute | 1.0 fps | paused"));
}

TEST(clipsGoRound) {
    HandMade made;
    make(&made);
    made.members[1].clip = 2;
    viewerStepClips(&made.crowd, 1);
    assert_int_equal(made.members[0].clip, 1);
    assert_int_equal(made.members[1].clip, 0);
    assert_true(made.members[2].clip == UINT32_MAX);
    viewerStepClips(&made.crowd, -2);
    assert_int_equal(made.members[0].clip, 2);
    assert_int_equal(made.members[1].clip, 1);
    viewerStepClips(&made.crowd, -1000000);
    assert_int_equal(made.members[0].clip, 1);
}

TEST(clipsBeginAfterTheRestPose) {
    HandMade made;
    make(&made);
    made.members[0].clip = UINT32_MAX;
    made.members[1].clip = UINT32_MAX;
    viewerStepClips(&made.crowd, 1);
    assert_int_equal(made.members[0].clip, 0);
    made.members[0].clip = UINT32_MAX;
    viewerStepClips(&made.crowd, -1);
    assert_int_equal(made.members[0].clip, 2);
}
