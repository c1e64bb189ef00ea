/*
 * The title bar, and stepping through clips: on crowds made by hand.
 */

#include "test.h"
#include "viewer.h"

typedef struct HandMade {
    ModelClip clips[3];
    Model model, still;
    SkinnedModel moving, standing;
    SkinnedModel *models[2];
    Character characters[3];
    Population population;
} HandMade;

/* Two characters of a model with three clips, then one of a model without. */
static void make(HandMade *made) {
    *made = (HandMade){.clips = {{.name = "Bind"}, {.name = "Run"}, {.name = "Walk"}}};
    made->model = (Model){.clipCount = 3, .clips = made->clips};
    made->moving = (SkinnedModel){.model = &made->model, .clipCount = 3};
    made->standing = (SkinnedModel){.model = &made->still};
    made->models[0] = &made->moving;
    made->models[1] = &made->standing;
    made->characters[2] = (Character){.model = 1, .clip = UINT32_MAX};
    made->population =
        (Population){.modelCount = 2, .models = made->models, .characterCount = 3, .characters = made->characters};
}

static void assertTitle(const Population *population, VkskinBackend backend, const char *wanted) {
    char text[VIEW_TITLE_SIZE];
    viewerTitle(text, "a.x", backend, population);
    assert_string_equal(text, wanted);
}

TEST(tellsClipAndMethod) {
    HandMade made;
    make(&made);
    assertTitle(&made.population, VKSKIN_BACKEND_COMPUTE, "a.x | clip 0 of 0 to 2: Bind | linear blend by compute");
    made.characters[0].mode = SKIN_MODE_DQS;
    assertTitle(&made.population, VKSKIN_BACKEND_COMPUTE, "a.x | clip 0 of 0 to 2: Bind | dual quaternions by compute");
    made.characters[0].clip = 1;
    assertTitle(&made.population, VKSKIN_BACKEND_COMPUTE, "a.x | mixed clips | dual quaternions by compute");
    made.characters[0] = made.characters[2];
    assertTitle(&made.population, VKSKIN_BACKEND_CPU, "a.x | rest pose | linear blend by cpu");
    made.population.skin.system = SKIN_SYSTEM_TEXTURE_MATRIX;
    assertTitle(&made.population, VKSKIN_BACKEND_CPU, "a.x | rest pose | linear blend by texture-matrix");
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
    viewerTitle(what, label, VKSKIN_BACKEND_COMPUTE, &made.population);
    viewLoopTitle(text, what, 1.0, &(ViewClock){.speed = 1.0, .paused = true});
    assert_true(strlen(text) < VIEW_TITLE_SIZE);
    assert_non_null(strstr(text, "linear blend by compute | 1.0 fps | paused"));
}

TEST(clipsGoRound) {
    HandMade made;
    make(&made);
    made.characters[1].clip = 2;
    viewerStepClips(&made.population, 1);
    assert_int_equal(made.characters[0].clip, 1);
    assert_int_equal(made.characters[1].clip, 0);
    assert_true(made.characters[2].clip == UINT32_MAX);
    viewerStepClips(&made.population, -2);
    assert_int_equal(made.characters[0].clip, 2);
    assert_int_equal(made.characters[1].clip, 1);
    viewerStepClips(&made.population, -1000000);
    assert_int_equal(made.characters[0].clip, 1);
    for (int way = 1; way >= -1; way -= 2) { /* from the rest pose */
        made.characters[0].clip = UINT32_MAX;
        viewerStepClips(&made.population, way);
        assert_int_equal(made.characters[0].clip, way > 0 ? 0 : 2);
    }
}
