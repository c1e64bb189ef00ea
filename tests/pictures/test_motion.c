/*
 * Motion vectors: a ray through the centre of each pixel finds the triangle and the point on it that a reference in double
 * precision shows there; the point, as both frames place it, gives the vector.
 */
#include "draw.h"
#include "import.h"
#include "model_levels.h"
#include "model_lods.h"
#include "model_mesh.h"
#include "random.h"
#include "raster/raster_layout.h"
#include "reference.h"
#include "scene.h"
#include "test.h"

#define WIDTH    320
#define HEIGHT   240
#define ASPECT   ((float)WIDTH / HEIGHT)
#define STEP     0.016 /* seconds, and whole ticks of a crowd */
#define INTERVAL 4     /* for crowds, and frames to each event */
#define COUNT    6u    /* characters */
#define COVERED  2000u /* pixels, at least */
#define CLOSE    0.02  /* pixels */
#define SHARE    0.99  /* as many of the covered pixels are so close */

/* What happens in a frame: nothing more; every other character is teleported; the camera looked away, so all are new; all change to
 * a coarser level. */
typedef enum Event { WALK, TELEPORT, NEW, LEVEL } Event;

typedef enum Subject { BEAST, FACE, SUBJECT_COUNT } Subject;

typedef struct Case {
    const char *name;
    SkinChoice skin;
    Subject subject;
    uint32_t events; /* the first ones */
    VkskinVertexFormat format;
} Case;

/* The clips of a crowd are packed: so well that no vertex is off by a hundredth of a pixel. */
#define CROWD(...)                                                                                                     \
    { .motion = true, .system = SKIN_SYSTEM_CROWD, .maxError = 0.01, __VA_ARGS__ }

static const Case CASES[] = {
    {"compute", {.motion = true}, BEAST, 3, VKSKIN_VERTEX_FLOAT},
    {"compute, packed", {.motion = true}, BEAST, 1, VKSKIN_VERTEX_PACKED},
    {"compute, morphs", {.motion = true}, FACE, 1, VKSKIN_VERTEX_FLOAT},
    {"crowd", CROWD(.intervals = {INTERVAL}, .lods = 2), BEAST, 4, VKSKIN_VERTEX_FLOAT},
    {"crowd by the CPU", CROWD(.intervals = {INTERVAL}, .lods = 2, .backend = VKSKIN_BACKEND_CPU), BEAST, 4,
     VKSKIN_VERTEX_FLOAT},
    {"crowd, morphs", CROWD(.intervals = {1}), FACE, 1, VKSKIN_VERTEX_FLOAT},
};

static Device *device;
static Model *models[SUBJECT_COUNT];
static EngineError error;

/* Before the device: import forks, and a driver may have threads of its own. */
static int openAll(void **state) {
    static const char *const PATHS[SUBJECT_COUNT] = {VKSKIN_TEST_MODELS "/X/Testwuson.X", SCENE_FIXTURE};
    ModelLodTry tried;
    (void)state;
    for (int i = 0; i < SUBJECT_COUNT; i++) {
        models[i] = importModel(PATHS[i], NULL, &error);
    }
    const bool good = models[BEAST] && models[FACE] && modelSortVertices(models[BEAST], &error) &&
                      modelMakeLods(models[BEAST], 1, &tried, &error);
    device = good ? deviceCreate(&(DeviceOptions){.validation = true}, &error) : NULL;
    return device ? 0 : -1;
}

static int closeAll(void **state) {
    const bool clean = device->validationMessages == 0;
    (void)state;
    for (int i = 0; i < SUBJECT_COUNT; i++) {
        modelFree(models[i]);
    }
    deviceDestroy(device);
    return clean ? 0 : -1;
}

/* ---- The engine ---- */

/* The case that runs. places, matrices: of the last two frames, before and now. */
static const Case *tested;
static Scene *scene;
static Draw *draw;
static Target targets[2]; /* the first for frame 0, with other sizes */
static DrawScene view;    /* in frame 0 */
static VkskinAffine places[2][COUNT];
static float matrices[2][16];
static int frame;

/* Characters walk, and the camera turns. now: in the last frame of the event. */
static DrawScene change(Event event, bool now) {
    DrawScene changed = view;
    Camera *camera = &changed.camera;
    const float turn = 0.001f * (float)frame;
    const float x = camera->target[0] - camera->eye[0], z = camera->target[2] - camera->eye[2];
    scene->population->changed = true;
    for (uint32_t i = 0; i < COUNT; i++) {
        Character *character = &scene->population->characters[i];
        const bool jumps = now && event == TELEPORT && i % 2 == 0;
        character->place.m[0][3] += jumps ? 0.4f : 0.01f;
        character->place.m[2][3] += 0.005f;
        character->continues = character->continues && !jumps;
        places[now][i] = character->place;
    }
    camera->target[0] = camera->eye[0] + cosf(turn) * x - sinf(turn) * z;
    camera->target[1] += event == NEW && !now ? 0.3f * hypotf(x, z) : 0.0f; /* to the sky */
    camera->target[2] = camera->eye[2] + sinf(turn) * x + cosf(turn) * z;
    changed.height = event == LEVEL && now ? 40 : 0;
    cameraViewProjection(camera, ASPECT, matrices[now]);
    return changed;
}

static void drawFrames(Frames *frames, Event event) {
    for (int left = INTERVAL; left-- > 0; frame += left > 0) {
        const DrawScene changed = change(event, left == 0);
        const Target *target = &targets[frame > 0];
        const TargetImage image = targetOffscreenImage(target);
        Frame begun;
        drawPrepare(draw, &changed, ASPECT);
        TEST_GOOD(framesBegin(frames, &begun, &error) &&
                      sceneRecordSkinning(scene, begun.slot, begun.commandBuffer, STEP * frame, &error) &&
                      drawRecord(draw, begun.slot, begun.commandBuffer, target, &image, &error) &&
                      framesEnd(frames, &begun, NULL, &error) && (frame > 0 || deviceWait(device, &error)),
                  error);
    }
}

/* They are then in buffer->mapped. */
static void readVectors(Buffer *buffer) {
    VkImage image = drawMotionVectors(draw)->handle;
    assert_true(deviceWait(device, &error) &&
                bufferCreateReadback(device, (VkDeviceSize)WIDTH * HEIGHT * 8, "vectors", buffer, &error));
    VkCommandBuffer commandBuffer = immediateBegin(device, &error);
    imageBarrier(commandBuffer, image, IMAGE_SAMPLED, IMAGE_COPY_SOURCE);
    recordPixels(commandBuffer, image, WIDTH, HEIGHT, buffer);
    imageBarrier(commandBuffer, image, IMAGE_COPY_SOURCE, IMAGE_SAMPLED);
    assert_true(immediateEnd(device, commandBuffer, &error));
}

/* ---- The truth ---- */

/* x, y and w of the clip space: before, now. */
typedef double Clips[2][3];

/* A pixel's nearest surface: 1 / w, 0: none, and the point before. */
typedef struct Pixel {
    double near, before[3];
} Pixel;

/* The frame whose pose a frame shows. A crowd keeps poses, in turns; the last character comes first. */
static int posedIn(uint32_t character, int shown) {
    int turn = 0;
    while (scene->population->order[COUNT - 1 - (uint32_t)turn] != character) {
        turn++;
    }
    while (tested->skin.intervals[0] > 1 && shown > 0 && (shown + turn) % INTERVAL != 0) {
        shown--;
    }
    return shown;
}

/* Vertices of a part, posed as in frame `posed`, at `place`, seen as in frame `which` of the last two. */
static void project(const Character *character, uint32_t part, const ModelMesh *mesh, int posed,
                    const VkskinAffine *place, int which, Clips *clips) {
    const SkinnedModel *skinned = scene->models[0];
    const double time = character->time + STEP * posed;
    const VkskinAffine spaces[3] = {*place, skinned->modelToCommon, skinned->parts[part].meshToModel};
    float weights[8] = {0};
    assert_true(skinned->morphCount <= COUNT_OF(weights) &&
                skinnedModelMorphWeights(skinned, character->clip, time, VKSKIN_WRAP_LOOP, weights, &error));
    const ReferenceDef def = {.morphWeights = weights + skinned->parts[part].firstMorph};
    ReferenceMatrix *world = newReferenceWorld(skinned->model, (int32_t)character->clip, time, VKSKIN_WRAP_LOOP);
    ReferenceMatrix *bones = newReferenceBones(skinned->model, part, world);
    ReferenceVertex *vertices = newReferenceVertices(mesh, bones, &def);
    for (uint32_t v = 0; v < mesh->vertexCount; v++) {
        double *p = vertices[v].position;
        for (int space = 2; space >= 0; space--) {
            const double from[3] = {p[0], p[1], p[2]};
            for (int row = 0; row < 3; row++) {
                const float *m = spaces[space].m[row];
                p[row] = (double)m[0] * from[0] + (double)m[1] * from[1] + (double)m[2] * from[2] + (double)m[3];
            }
        }
        for (int i = 0; i < 3; i++) {
            const float *m = matrices[which] + (i < 2 ? i : 3);
            clips[v][which][i] = (double)m[0] * p[0] + (double)m[4] * p[1] + (double)m[8] * p[2] + (double)m[12];
        }
    }
    free(world);
    free(bones);
    free(vertices);
}

static double pixelOf(const double clip[3], int axis) {
    return (clip[axis] / clip[2] + 1.0) * 0.5 * (axis == 0 ? WIDTH : HEIGHT);
}

/* The shares of the corners are those of the areas opposite them, over w. */
static void cover(const Clips *clips, const uint32_t corners[3], Pixel *pixels) {
    double at[3][2], low[2] = {WIDTH, HEIGHT}, high[2] = {0.0, 0.0};
    for (int c = 0; c < 3; c++) {
        for (int axis = 0; axis < 2; axis++) {
            at[c][axis] = pixelOf(clips[corners[c]][1], axis);
            low[axis] = fmax(fmin(low[axis], at[c][axis]), 0.0);
            high[axis] = fmin(fmax(high[axis], at[c][axis]), axis == 0 ? WIDTH : HEIGHT);
        }
    }
    const double area = (at[1][0] - at[0][0]) * (at[2][1] - at[0][1]) - (at[1][1] - at[0][1]) * (at[2][0] - at[0][0]);
    for (int y = (int)low[1]; y < high[1]; y++) {
        for (int x = (int)low[0]; x < high[0]; x++) {
            Pixel found = {0};
            bool inside = area != 0.0;
            for (int c = 0; c < 3; c++) {
                const double *a = at[(c + 1) % 3], *b = at[(c + 2) % 3], *clip = clips[corners[c]][0];
                const double part = ((b[0] - a[0]) * (y + 0.5 - a[1]) - (b[1] - a[1]) * (x + 0.5 - a[0])) / area;
                const double share = part / clips[corners[c]][1][2];
                inside = inside && part >= 0.0;
                found.near += share;
                for (int i = 0; i < 3; i++) {
                    found.before[i] += share * clip[i];
                }
            }
            if (inside && found.near > pixels[y * WIDTH + x].near) {
                pixels[y * WIDTH + x] = found;
            }
        }
    }
}

static void coverCharacter(Event event, uint32_t index, Pixel *pixels) {
    const SkinnedModel *skinned = scene->models[0];
    const Character *character = &scene->population->characters[index];
    const bool jumps = (event == TELEPORT && index % 2 == 0) || event == NEW, stays = jumps || event == LEVEL;
    const int now = stays ? frame : posedIn(index, frame), before = stays ? now : posedIn(index, frame - 1);
    for (uint32_t part = 0; part < skinned->partCount; part++) {
        ModelMesh coarse = {.name = NULL};
        const uint32_t source = skinned->parts[part].modelMesh;
        const ModelMesh *mesh = event == LEVEL ? &coarse : &skinned->model->meshes[source];
        assert_true(event != LEVEL || modelLodMesh(skinned->model, source, 0, &coarse, &error));
        Clips *clips = newZeroed(mesh->vertexCount, sizeof *clips);
        project(character, part, mesh, before, &places[jumps][index], 0, clips);
        project(character, part, mesh, now, &places[1][index], 1, clips);
        for (uint32_t i = 0; i < mesh->indexCount; i += 3) {
            cover((const Clips *)clips, mesh->indices + i, pixels);
        }
        free(clips);
        modelFreeMesh(&coarse);
    }
}

static void checkVectors(Event event) {
    Pixel *pixels = newZeroed((size_t)WIDTH * HEIGHT, sizeof *pixels);
    uint32_t covered = 0, close = 0, moved = 0;
    Buffer buffer;
    readVectors(&buffer);
    for (uint32_t i = 0; i < COUNT; i++) {
        coverCharacter(event, i, pixels);
    }
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
        const float *vector = (const float *)buffer.mapped + 2 * (size_t)i;
        if (vector[0] != RASTER_MOTION_NONE || pixels[i].near > 0.0) { /* both must cover it to be close */
            const double x = pixelOf(pixels[i].before, 0) - (i % WIDTH + 0.5);
            const double y = pixelOf(pixels[i].before, 1) - (double)(i / WIDTH) - 0.5;
            close += hypot((double)vector[0] - x, (double)vector[1] - y) <= CLOSE;
            moved += hypot(x, y) > 0.5;
            covered++;
        }
    }
    print_message("%s, event %d: %.2f %% of %u pixels are close\n", tested->name, event, 100.0 * close / covered,
                  covered);
    bufferDestroy(device, &buffer);
    free(pixels);
    assert_true(covered >= COVERED && close >= SHARE * covered && moved >= covered / 2);
}

static void runCase(void) {
    const TargetDef small = {WIDTH, HEIGHT / 2, TARGET_OFFSCREEN_FORMAT, .offscreen = true};
    const TargetDef large = {WIDTH, HEIGHT, TARGET_OFFSCREEN_FORMAT, .offscreen = true};
    const SceneDef def = {.models = (const Model *const *)&models[tested->subject],
                          .modelCount = 1,
                          .count = COUNT,
                          .seed = 3,
                          .clips = &(uint32_t){0},
                          .skin = tested->skin,
                          .wrap = VKSKIN_WRAP_LOOP,
                          .format = tested->format};
    Frames frames;
    scene = sceneCreate(device, &def, &error);
    TEST_GOOD(scene, error);
    view = (DrawScene){.camera = cameraFrame(&scene->population->bounds, 0.5f, 0.15f, 0.1f, ASPECT),
                       .sunDirection = {0.0f, 1.0f, 0.0f},
                       .shows = DRAW_SHOW_MOTION,
                       .plain = true};
    draw = drawCreate(device, scene->population, TARGET_OFFSCREEN_FORMAT, &error);
    TEST_GOOD(draw && targetCreate(device, &small, &targets[0], &error) &&
                  targetCreate(device, &large, &targets[1], &error) && framesCreate(device, &frames, &error),
              error);
    frame = 0;
    for (uint32_t event = 0; event < tested->events; event++, frame++) {
        drawFrames(&frames, (Event)event);
        checkVectors((Event)event);
    }
    framesDestroy(&frames);
    drawDestroy(draw);
    targetDestroy(device, &targets[0]);
    targetDestroy(device, &targets[1]);
    sceneDestroy(scene);
}

TEST(vectorsAreThoseOfTheReference) {
    for (tested = CASES; tested < CASES + COUNT_OF(CASES); tested++) {
        runCase();
    }
}

int main(int count, char **texts) {
    return testRunGroup("motion", count > 1 ? texts[1] : NULL, openAll, closeAll);
}
