/*
 * system_case.c: the table of the cases of skinning systems, and their work: a crowd that the engine draws with a system
 * of systems/system.h, in one or more colour passes. The time covers copies of palettes, skinning and drawing; posing on
 * the host is not timed. Every system draws the same flat strips with the same camera. They are strips of separate
 * triangles, so that each pass reads each vertex once, on every device. The picture is small, so that pixels cost little.
 *
 * Frames take turns between two poses of the crowd, so that each frame skins all characters. The output of a case is its
 * picture of the pose that was drawn last. It is compared with the picture of compute, and compute's with that of
 * vertex-buffer. The poison is a picture of a third pose.
 */
#include <stdio.h>

#include "bench_case.h"
#include "builtin_model.h"
#include "count_of.h"
#include "draw.h"
#include "likeness.h"
#include "measure.h"
#include "scene.h"

#define CROWD_ERROR    0.001 /* millimetres of packed clips: much less than a pixel */
#define PICTURE_WIDTH  64u
#define PICTURE_HEIGHT 36u
#define LIKE           45.0 /* decibels, at least */
#define UNLIKE         30.0 /* decibels of different poses, at most: else the comparison cannot fail */
#define YAW            0.35f
#define PITCH          0.45f
#define FIELD_OF_VIEW  0.6f

/* Seconds of the crowd's clock by frame slot, within the strip's clip of 2 s. */
static const double CLOCKS[FRAMES_IN_FLIGHT] = {0.0, 0.7};
#define POISON_CLOCK 1.4

typedef struct SystemDef {
    SkinSystem system;
    uint32_t count, passes;
    bool motion; /* the pass of motion vectors too, and its view over the mesh */
} SystemDef;

/* ---- A crowd that is drawn with a system ---- */

typedef struct Show {
    Device *device;
    DeviceClock *clock;
    Scene *scene;
    Draw *draw;
    DrawScene view;
    Target target;
    uint32_t nextSlot;
} Show;

/* In front of nothing. */
static DrawScene viewOf(const Population *population, float aspect) {
    DrawScene view = drawDefaultScene(population, aspect);
    view.camera = cameraFrame(&population->bounds, YAW, PITCH, FIELD_OF_VIEW, aspect);
    view.plain = true;
    return view;
}

static bool checkAllShown(const Population *population, EngineError *error) {
    for (uint32_t i = 0; i < population->characterCount; i++) {
        if ((population->characters[i].passes & 1u << POPULATION_PASS_COLOUR) == 0) {
            return engineFail(error, "character %u is outside of the picture", i);
        }
    }
    return true;
}

static bool recordFrame(Show *show, uint32_t slot, VkCommandBuffer commandBuffer, uint32_t passes, EngineError *error) {
    const TargetImage image = targetOffscreenImage(&show->target);
    VkskinResult result = vkskinRecordSkinning(show->scene->skinning->context, commandBuffer);
    if (result < 0) {
        return skinningFail(show->scene->skinning, error, "recording skinning", result);
    }
    return passes > 0 ? drawRecordColour(show->draw, slot, commandBuffer, &show->target, &image, passes, error)
                      : drawRecord(show->draw, slot, commandBuffer, &show->target, &image, error);
}

/* passes: of colour; 0: a frame of the engine, with its shadow pass. */
static bool drawFrame(Show *show, double clock, uint32_t passes, RunTime *time, EngineError *error) {
    const uint32_t slot = show->nextSlot;
    Population *population = show->scene->population;
    VkCommandBuffer commandBuffer = deviceClockBegin(show->clock, error);
    if (!commandBuffer || !sceneBeginFrame(show->scene, slot, error)) {
        return false;
    }
    show->nextSlot = (slot + 1) % FRAMES_IN_FLIGHT;
    drawPrepare(show->draw, &show->view, (float)PICTURE_WIDTH / (float)PICTURE_HEIGHT);
    if (!checkAllShown(population, error) || !populationPose(population, clock, error) ||
        !populationSkin(population, error)) {
        return false;
    }
    double begun = measureNow();
    if (!recordFrame(show, slot, commandBuffer, passes, error)) {
        return false;
    }
    time->host += measureNow() - begun;
    return deviceClockEnd(show->clock, time, error);
}

/* Draws the shadows that all later frames use, in the pose of the poison: a character that keeps its first pose is wrong
 * in every picture that is checked. */
static bool showCreate(Show *show, const Model *model, SkinSystem system, const SystemDef *def,
                       const BenchEnvironment *environment, EngineError *error) {
    const TargetDef target = {PICTURE_WIDTH, PICTURE_HEIGHT, TARGET_OFFSCREEN_FORMAT, .offscreen = true};
    const SceneDef scene = {
        .models = &model,
        .modelCount = 1,
        .count = def->count,
        .seed = 1,
        .skin = {.system = system, .motion = def->motion, .maxError = system == SKIN_SYSTEM_CROWD ? CROWD_ERROR : 0.0},
        .wrap = VKSKIN_WRAP_LOOP,
        .format = VKSKIN_VERTEX_PACKED};
    RunTime unused = {0};
    show->device = environment->device;
    show->clock = environment->clock;
    show->scene = sceneCreate(show->device, &scene, error);
    if (!show->scene || !targetCreate(show->device, &target, &show->target, error)) {
        return false;
    }
    show->view = viewOf(show->scene->population, (float)PICTURE_WIDTH / (float)PICTURE_HEIGHT);
    show->view.shows = def->motion ? DRAW_SHOW_MESH | DRAW_SHOW_MOTION : 0;
    show->draw = drawCreate(show->device, show->scene->population, TARGET_OFFSCREEN_FORMAT, error);
    return show->draw && drawFrame(show, POISON_CLOCK, 0, &unused, error);
}

/* A zero one is allowed. */
static void showDestroy(Show *show) {
    drawDestroy(show->draw);
    if (show->device) {
        targetDestroy(show->device, &show->target);
    }
    sceneDestroy(show->scene);
    *show = (Show){0};
}

/* ---- The strip ---- */

#define BLOCK_VERTICES 15u /* three rows of five */

/* The built-in strip with each vertex in exactly one triangle. */
static Model *createStrip(EngineError *error) {
    static const uint32_t CORNERS[BLOCK_VERTICES] = {0, 1, 5, 6, 11, 10, 2, 3, 7, 12, 13, 9, 4, 8, 14};
    Model *model = builtinModel(BUILTIN_STRIP, error);
    if (!model) {
        return NULL;
    }
    ModelMesh *mesh = &model->meshes[0];
    if (mesh->vertexCount % BLOCK_VERTICES != 0 || mesh->indexCount < mesh->vertexCount) {
        engineFail(error, "the built-in strip has %u vertices", mesh->vertexCount);
        modelFree(model);
        return NULL;
    }
    mesh->indexCount = mesh->vertexCount;
    for (uint32_t i = 0; i < mesh->indexCount; i++) {
        mesh->indices[i] = i - i % BLOCK_VERTICES + CORNERS[i % BLOCK_VERTICES];
    }
    return model;
}

/* ---- The case ---- */

typedef struct SystemCrowd {
    const SystemDef *def;
    Model *model;
    Show show;
    uint32_t drawn;                       /* index into CLOCKS of the last run */
    Picture references[FRAMES_IN_FLIGHT]; /* pictures at CLOCKS */
    CaseTraffic traffic;
} SystemCrowd;

static bool readPicture(const Show *show, Picture *picture, EngineError *error) {
    return pictureRead(show->device, &show->target, true, picture, error);
}

/* Motion vectors depend on the frame before: it has the pose of the poison. */
static bool drawBefore(const SystemCrowd *population, Show *show, EngineError *error) {
    RunTime unused = {0};
    return !population->def->motion || drawFrame(show, POISON_CLOCK, 1, &unused, error);
}

/* Draws the pictures that the case must draw too, with another system. */
static bool drawReferences(SystemCrowd *population, const BenchEnvironment *environment, EngineError *error) {
    const SkinSystem other = population->def->system != SKIN_SYSTEM_COMPUTE ? SKIN_SYSTEM_COMPUTE
                             : population->def->motion                      ? SKIN_SYSTEM_CROWD
                                                                            : SKIN_SYSTEM_VERTEX_BUFFER;
    Show show = {0};
    Likeness likeness;
    RunTime unused = {0};
    bool drawn = showCreate(&show, population->model, other, population->def, environment, error);
    for (uint32_t i = 0; drawn && i < FRAMES_IN_FLIGHT; i++) {
        drawn = drawBefore(population, &show, error) && drawFrame(&show, CLOCKS[i], 1, &unused, error) &&
                readPicture(&show, &population->references[i], error);
    }
    showDestroy(&show);
    if (!drawn || !pictureLikeness(&population->references[0], &population->references[1], NULL, &likeness, error)) {
        return false;
    }
    return likeness.decibels <= UNLIKE ||
           engineFail(error, "pictures of different poses are alike: %.1f dB", likeness.decibels);
}

/* Bytes of a frame: the vertices and palettes of each pass, or what kernels read and write and each pass reads. */
static bool countTraffic(SystemCrowd *population, EngineError *error) {
    const Scene *scene = population->show.scene;
    VkskinContext context = scene->skinning->context;
    const double vertices = (double)scene->population->vertexCount, passes = population->def->passes;
    const double palettes = (double)drawSystemStats(population->show.draw)->uploadBytes;
    VkskinStats stats;
    VkskinMeshInfo info;
    VkskinTuning tuning;
    population->traffic =
        (CaseTraffic){.vertices = vertices, .bytesRead = passes * (vertices * sizeof(SourceVertex) + palettes)};
    if (population->def->system != SKIN_SYSTEM_COMPUTE) {
        return true;
    }
    VkskinResult result = vkskinGetStats(context, &stats);
    result = result >= 0 ? vkskinGetMeshInfo(context, scene->models[0]->meshes[0].mesh, &info) : result;
    result = result >= 0 ? vkskinGetTuning(context, &tuning) : result;
    if (result < 0) {
        return skinningFail(scene->skinning, error, "reading counters", result);
    }
    const uint32_t reads = (population->def->count + tuning.instancesPerThread - 1) / tuning.instancesPerThread;
    const double written = (double)stats.outputBytes;
    population->traffic.bytesRead = palettes + (double)reads * (double)info.sourceBytes + passes * written;
    population->traffic.bytesWritten = written;
    return true;
}

static bool prepare(void *state, const BenchCase *benchCase, const BenchEnvironment *environment, EngineError *error) {
    SystemCrowd *population = state;
    population->def = benchCase->parameters;
    population->model = createStrip(error);
    return population->model && drawReferences(population, environment, error) &&
           showCreate(&population->show, population->model, population->def->system, population->def, environment,
                      error) &&
           countTraffic(population, error);
}

static void destroy(void *state) {
    SystemCrowd *population = state;
    showDestroy(&population->show);
    for (uint32_t i = 0; i < FRAMES_IN_FLIGHT; i++) {
        pictureFree(&population->references[i]);
    }
    modelFree(population->model);
}

static bool poison(void *state, EngineError *error) {
    SystemCrowd *population = state;
    RunTime unused = {0};
    return drawFrame(&population->show, POISON_CLOCK, population->def->passes, &unused, error);
}

static bool run(void *state, RunTime *time, EngineError *error) {
    SystemCrowd *population = state;
    if (!drawBefore(population, &population->show, error)) {
        return false;
    }
    population->drawn = population->show.nextSlot;
    return drawFrame(&population->show, CLOCKS[population->drawn], population->def->passes, time, error);
}

static bool check(void *state, EngineError *error) {
    SystemCrowd *population = state;
    Picture picture = {0};
    Likeness likeness;
    bool good = readPicture(&population->show, &picture, error) &&
                pictureLikeness(&population->references[population->drawn], &picture, NULL, &likeness, error) &&
                (likeness.decibels >= LIKE ||
                 engineFail(error, "the picture is not that of another system: %.1f dB, at least %.0f expected",
                            likeness.decibels, LIKE));
    pictureFree(&picture);
    return good;
}

static CaseTraffic traffic(const void *state) {
    return ((const SystemCrowd *)state)->traffic;
}

static void describe(const void *state, char settings[CASE_SETTINGS_SIZE]) {
    const SystemCrowd *population = state;
    const SystemStats *stats = drawSystemStats(population->show.draw);
    snprintf(settings, CASE_SETTINGS_SIZE, "%u character%s, %u pass%s, %u draws, %u bytes per bone",
             population->def->count, population->def->count == 1 ? "" : "s", population->def->passes,
             population->def->passes == 1 ? "" : "es", drawCallCount(population->show.draw), stats->bytesPerBone);
}

static const CaseFunctions SYSTEM_CROWD = {
    sizeof(SystemCrowd), prepare, poison, run, check, traffic, describe, destroy,
};

/* ---- The table ---- */

#define BACKEND_OF(system_)                                                                                            \
    (SKIN_SYSTEM_##system_ == SKIN_SYSTEM_COMPUTE || SKIN_SYSTEM_##system_ == SKIN_SYSTEM_CROWD ? "compute"            \
                                                                                                : "vertex shader")

/* A row; passesText: "1 pass". */
#define SYSTEM_CASE(system_, name_, count_, countText, passes_, passesText)                                            \
    {.name = "system-" name_ "-" #count_ "-" #passes_,                                                                 \
     .summary = countText " of 405 vertices and 10 bones, " passesText " of 64 x 36 pixels",                           \
     .kind = CASE_DEVICE,                                                                                              \
     .domain = LIMIT_NONE,                                                                                             \
     .backend = BACKEND_OF(system_),                                                                                   \
     .baseline = "system-compute-" #count_ "-" #passes_,                                                               \
     .curve = (name_),                                                                                                 \
     .instances = (count_),                                                                                            \
     .passes = (passes_),                                                                                              \
     .parameters = &(const SystemDef){SKIN_SYSTEM_##system_, (count_), (passes_), false},                              \
     .functions = &SYSTEM_CROWD},

/* Against the same without motion vectors. */
#define MOTION_CASE(system_, name_)                                                                                    \
    {.name = "motion-" name_ "-100",                                                                                   \
     .summary = "system-" name_ "-100-1 with the pass of motion vectors and its view",                                 \
     .kind = CASE_DEVICE,                                                                                              \
     .domain = LIMIT_NONE,                                                                                             \
     .backend = "compute",                                                                                             \
     .baseline = "system-" name_ "-100-1",                                                                             \
     .instances = 100,                                                                                                 \
     .passes = 1,                                                                                                      \
     .parameters = &(const SystemDef){SKIN_SYSTEM_##system_, 100, 1, true},                                            \
     .functions = &SYSTEM_CROWD},

#define ONE_ONCE(system, name, help)       SYSTEM_CASE(system, name, 1, "1 strip", 1, "1 pass")
#define ONE_THRICE(system, name, help)     SYSTEM_CASE(system, name, 1, "1 strip", 3, "3 passes")
#define HUNDRED_ONCE(system, name, help)   SYSTEM_CASE(system, name, 100, "100 strips", 1, "1 pass")
#define HUNDRED_THRICE(system, name, help) SYSTEM_CASE(system, name, 100, "100 strips", 3, "3 passes")
#define CROWD_ONCE(system, name, help)     SYSTEM_CASE(system, name, 2000, "2,000 strips", 1, "1 pass")
#define CROWD_THRICE(system, name, help)   SYSTEM_CASE(system, name, 2000, "2,000 strips", 3, "3 passes")

static const BenchCase CASES[] = {
    /* clang-format off: rows without separators */
    SKIN_SYSTEMS(ONE_ONCE) SKIN_SYSTEMS(HUNDRED_ONCE) SKIN_SYSTEMS(CROWD_ONCE) SKIN_SYSTEMS(ONE_THRICE)
        SKIN_SYSTEMS(HUNDRED_THRICE) SKIN_SYSTEMS(CROWD_THRICE) MOTION_CASE(COMPUTE, "compute")
            MOTION_CASE(CROWD, "crowd")
    /* clang-format on */
};

CaseTable systemCases(void) {
    return (CaseTable){CASES, COUNT_OF(CASES)};
}
