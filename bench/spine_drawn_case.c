/*
 * spine_drawn_case.c: SPINE_DRAWN of case_kinds.h. The time covers skinning and drawing on the device; posing, lists and
 * the sources that the host writes are host time. The output is the picture. It is compared with that of the other system.
 */
#include <stdio.h>
#include <stdlib.h>

#include "case_kinds.h"
#include "likeness.h"
#include "measure.h"
#include "spine_draw.h"
#include "spine_scene.h"

#define COLUMNS        60u
#define STEP           (1.1 * SPINE_SIZE) /* from a character to the next one */
#define PICTURE_WIDTH  64u
#define PICTURE_HEIGHT 36u
#define ALIKE          45.0 /* decibels, at least */
#define UNLIKE         30.0 /* decibels of other poses, at most: else the comparison cannot fail */
#define LATER          0.9  /* seconds, of other poses */

typedef struct DrawnState {
    const SpineDrawnDef *def;
    uint32_t count; /* characters */
    DeviceClock *clock;
    SpineScene *scene;
    Model model;                /* with the scene's 2D model */
    SpinePose **poses;          /* [count] */
    SpineCharacter *characters; /* [count] */
    bool later;                 /* the poses are those of LATER */
    Target target;
    Skinning *skinning;
    SpineDraw *draw;
    Picture reference; /* picture of the other system */
    uint32_t slot;
} DrawnState;

/* ---- Drawing ---- */

static void setPoses(DrawnState *state, bool later) {
    for (uint32_t c = 0; c < state->count && later != state->later; c++) {
        spinePoseSet(state->poses[c], 0, fmod(0.0137 * c + (later ? LATER : 0.0), SPINE_SECONDS));
    }
    state->later = later;
}

static bool drawFrame(DrawnState *state, RunTime *time, EngineError *error) {
    static const float background[4] = {0.1f, 0.2f, 0.3f, 1.0f};
    const double rows = ceil((double)state->count / COLUMNS);
    const SpineCamera camera = {{STEP * (COLUMNS - 1) / 2.0, STEP * (rows - 1.0) / 2.0},
                                STEP * fmax(rows, (double)COLUMNS * PICTURE_HEIGHT / PICTURE_WIDTH)};
    const TargetImage image = targetOffscreenImage(&state->target);
    VkskinContext context = state->skinning->context;
    VkCommandBuffer commandBuffer = deviceClockBegin(state->clock, error);
    if (!commandBuffer) {
        return false;
    }
    const double begun = measureNow();
    state->slot = (state->slot + 1) % FRAMES_IN_FLIGHT;
    VkskinResult result = vkskinBeginFrame(context, state->slot);
    if (result >= 0 &&
        !spineDrawPrepare(state->draw, state->slot, state->characters, state->count, SPINE_SHOW_MESH, error)) {
        return false;
    }
    result = result < 0 ? result : vkskinRecordSkinning(context, commandBuffer);
    if (result < 0) {
        return skinningFail(state->skinning, error, "skinning", result);
    }
    spineDrawRecord(state->draw, commandBuffer, &state->target, &image, &camera, background);
    time->host += measureNow() - begun;
    return deviceClockEnd(state->clock, time, error);
}

/* ---- Making ---- */

static bool createDraw(DrawnState *state, SkinSystem system, Device *device, EngineError *error) {
    const SpineDrawModel model = {&state->model, state->count};
    const SpineDrawDef def = {.system = system,
                              .models = &model,
                              .modelCount = 1,
                              .shows = SPINE_SHOW_MESH,
                              .colourFormat = SPINE_COLOUR_FORMAT,
                              .width = PICTURE_WIDTH,
                              .height = PICTURE_HEIGHT};
    VkskinContextDef context = vkskinDefaultContextDef();
    context.framesInFlight = FRAMES_IN_FLIGHT;
    state->skinning = skinningCreate(device, &context, error);
    state->draw = state->skinning ? spineDrawCreate(device, state->skinning, &def, error) : NULL;
    return state->draw != NULL;
}

static void destroyDraw(DrawnState *state) {
    spineDrawDestroy(state->draw);
    skinningDestroy(state->skinning);
    state->draw = NULL;
    state->skinning = NULL;
}

/* The picture that the case must draw too, by the other system, which is not that of other poses. */
static bool drawReference(DrawnState *state, Device *device, EngineError *error) {
    const SkinSystem other = state->def->system == SKIN_SYSTEM_COMPUTE ? SKIN_SYSTEM_UNIFORM_2D : SKIN_SYSTEM_COMPUTE;
    RunTime unused = {0};
    Picture later = {0};
    Likeness likeness;
    setPoses(state, true);
    bool good = createDraw(state, other, device, error) && drawFrame(state, &unused, error) &&
                pictureRead(device, &state->target, false, &later, error);
    setPoses(state, false);
    good = good && drawFrame(state, &unused, error) &&
           pictureRead(device, &state->target, false, &state->reference, error) &&
           pictureLikeness(&state->reference, &later, NULL, &likeness, error) &&
           (likeness.decibels <= UNLIKE ||
            engineFail(error, "pictures of different poses are alike: %.1f dB", likeness.decibels));
    pictureFree(&later);
    destroyDraw(state);
    return good;
}

static bool createPoses(DrawnState *state, EngineError *error) {
    state->scene = engineAllocate(1, sizeof *state->scene, error);
    state->poses = engineAllocate(state->count, sizeof(SpinePose *), error);
    state->characters = engineAllocate(state->count, sizeof *state->characters, error);
    bool good = state->scene && state->poses && state->characters && spineSceneFill(true, true, state->scene, error);
    for (uint32_t c = 0; c < state->count && good; c++) {
        state->poses[c] = spinePoseCreate(&state->scene->spine, NULL, 0, error);
        const uint32_t row = c / COLUMNS;
        state->characters[c] = (SpineCharacter){.pose = state->poses[c], .place = SPINE_UNPLACED};
        state->characters[c].place.x0 = STEP * (c % COLUMNS);
        state->characters[c].place.y0 = STEP * row;
        good = state->poses[c] != NULL;
    }
    return good;
}

static bool prepare(void *data, const BenchCase *benchCase, const BenchEnvironment *environment, EngineError *error) {
    DrawnState *state = data;
    const TargetDef target = {PICTURE_WIDTH, PICTURE_HEIGHT, SPINE_COLOUR_FORMAT, .offscreen = true};
    state->def = benchCase->parameters;
    state->clock = environment->clock;
    state->count = environment->quick ? SPINE_CHARACTERS / 10 : SPINE_CHARACTERS;
    if (!createPoses(state, error) || !targetCreate(environment->device, &target, &state->target, error)) {
        return false;
    }
    state->model = (Model){.spines = &state->scene->spine, .spineCount = 1};
    return drawReference(state, environment->device, error) &&
           createDraw(state, state->def->system, environment->device, error);
}

static void destroy(void *data) {
    DrawnState *state = data;
    destroyDraw(state);
    if (state->clock) {
        targetDestroy(state->clock->device, &state->target);
    }
    pictureFree(&state->reference);
    for (uint32_t c = 0; c < state->count && state->poses; c++) {
        spinePoseFree(state->poses[c]);
    }
    free(state->poses);
    free(state->characters);
    free(state->scene);
}

/* ---- Running ---- */

static bool poison(void *data, EngineError *error) {
    DrawnState *state = data;
    RunTime unused = {0};
    setPoses(state, true);
    return drawFrame(state, &unused, error);
}

static bool run(void *data, RunTime *time, EngineError *error) {
    DrawnState *state = data;
    setPoses(state, false);
    return drawFrame(state, time, error);
}

static bool check(void *data, EngineError *error) {
    DrawnState *state = data;
    Picture picture = {0};
    Likeness likeness;
    const bool good = pictureRead(state->clock->device, &state->target, false, &picture, error) &&
                      pictureLikeness(&state->reference, &picture, NULL, &likeness, error) &&
                      (likeness.decibels >= ALIKE ||
                       engineFail(error, "the picture is not that of the other system: %.1f dB, at least %.0f expected",
                                  likeness.decibels, ALIKE));
    pictureFree(&picture);
    return good;
}

static CaseTraffic traffic(const void *data) {
    const DrawnState *state = data;
    return (CaseTraffic){.vertices = (double)state->count * SPINE_VERTICES};
}

static void describe(const void *data, char settings[CASE_SETTINGS_SIZE]) {
    const DrawnState *state = data;
    snprintf(settings, CASE_SETTINGS_SIZE, "%u characters, 1 pass, %u draws, 24 bytes per bone", state->count,
             spineDrawCalls(state->draw));
}

const CaseFunctions SPINE_DRAWN = {sizeof(DrawnState), prepare, poison, run, check, traffic, describe, destroy};
