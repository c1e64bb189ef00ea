/*
 * test_crowd.c FOLDER: many made characters in one frame, on the device that the environment names: vertices are those of
 * the evaluation, later characters cover earlier ones, draw calls do not grow with their number, too many are refused.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "import.h"
#include "spine_draw.h"
#include "spine_mesh.h"
#include "spine_run.h"
#include "test.h"

#define TOLERANCE 1e-4
#define SIDE      100u /* pixels of the pictures of cards, and units of the world */

static const char *folder;
static Device *device;
static Skinning *skinning;
static Frames frames;
static Target target;

#define GOOD(call) TEST_GOOD(call, error)

/* ---- The device ---- */

static void begin(VkskinBackend backend) {
    EngineError error;
    VkskinContextDef def = vkskinDefaultContextDef();
    const TargetDef picture = {.width = SIDE, .height = SIDE, .colourFormat = SPINE_COLOUR_FORMAT, .offscreen = true};
    def.framesInFlight = FRAMES_IN_FLIGHT;
    def.backend = backend;
    def.outputUsage |= VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
    def.consumerStages |= VK_PIPELINE_STAGE_TRANSFER_BIT;
    def.consumerAccess |= VK_ACCESS_TRANSFER_READ_BIT;
    if (!device) { /* it stays: the leak checker knows the memory of a driver only while that is loaded */
        GOOD(device = deviceCreate(&(DeviceOptions){.validation = true}, &error));
    }
    GOOD(skinning = skinningCreate(device, &def, &error));
    GOOD(framesCreate(device, &frames, &error));
    GOOD(targetCreate(device, &picture, &target, &error));
}

static void end(SpineDraw *draw) {
    framesDestroy(&frames); /* waits for the device */
    spineDrawDestroy(draw);
    skinningDestroy(skinning);
    targetDestroy(device, &target);
    assert_int_equal(device->validationMessages, 0);
}

static Model *load(const char *name) {
    char path[512];
    EngineError error;
    Model *model;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    GOOD(model = importModel(path, NULL, &error));
    return model;
}

static SpineDraw *newDraw(SkinSystem system, const SpineDrawModel *models, uint32_t count, EngineError *error) {
    const SpineDrawDef def = {.system = system,
                              .models = models,
                              .modelCount = count,
                              .shows = SPINE_SHOW_MESH,
                              .colourFormat = SPINE_COLOUR_FORMAT,
                              .width = SIDE,
                              .height = SIDE};
    return spineDrawCreate(device, skinning, &def, error);
}

/* Draws a frame, and copies the vertices of each character to its place in `buffer` if that is not null. */
static void drawFrame(SpineDraw *draw, const SpineCharacter *characters, uint32_t count, Buffer *buffer,
                      const VkDeviceSize *starts) {
    static const float black[4] = {0.0f, 0.0f, 0.0f, 1.0f};
    const SpineCamera camera = {{0.0, 0.0}, SIDE};
    const TargetImage image = targetOffscreenImage(&target);
    EngineError error;
    Frame frame;
    GOOD(framesBegin(&frames, &frame, &error));
    assert_int_equal(vkskinBeginFrame(skinning->context, frame.slot), VKSKIN_SUCCESS);
    GOOD(spineDrawPrepare(draw, frame.slot, characters, count, SPINE_SHOW_MESH, &error));
    assert_int_equal(vkskinRecordSkinning(skinning->context, frame.commandBuffer), VKSKIN_SUCCESS);
    for (uint32_t i = 0; i < count && buffer; i++) {
        VkskinOutput output;
        assert_int_equal(vkskinGetOutput(skinning->context, spineDrawInstance(draw, i), &output), VKSKIN_SUCCESS);
        const VkBufferCopy region = {output.positionOffset, starts[i], (VkDeviceSize)output.vertexCount * 8};
        vkCmdCopyBuffer(frame.commandBuffer, output.buffer, buffer->handle, 1, &region);
    }
    copyToHostBarrier(frame.commandBuffer);
    spineDrawRecord(draw, frame.commandBuffer, &target, &image, &camera, black);
    GOOD(framesEnd(&frames, &frame, NULL, &error));
    GOOD(deviceWait(device, &error));
}

/* ---- Vertices ---- */

#define KINDS   6u
#define MEMBERS 20u

typedef struct Spines {
    Model *models[KINDS];
    SpineMesh meshes[KINDS];
    SpineDrawModel drawn[KINDS];
    SpinePopulation population;
} Spines;

static void openScene(Spines *scene) {
    static const char *const names[KINDS] = {"arm.json",  "flag.json",  "train.json",
                                             "face.json", "scene.json", "tentacle.json"};
    static const uint32_t skins[] = {0, 1};
    SpinePopulationKind kinds[KINDS];
    EngineError error;
    SpinePopulationDef def = {.kinds = kinds,
                              .kindCount = KINDS,
                              .count = MEMBERS,
                              .placement = SPINE_STREET,
                              .aspect = 1.5,
                              .time = -1.0,
                              .seed = 3};
    for (uint32_t k = 0; k < KINDS; k++) {
        scene->models[k] = load(names[k]);
        const SpineModel *spine = scene->models[k]->spines;
        kinds[k] = (SpinePopulationKind){.path = names[k],
                                         .spine = spine,
                                         .skins = skins,
                                         .skinCount = spine->skinCount > 2 ? 2 : 0,
                                         .motion = {.animation = -1, .blendAnimation = -1},
                                         .cycles = true};
        GOOD(spineMeshCreate(spine, &scene->meshes[k], &error));
        scene->drawn[k] = (SpineDrawModel){scene->models[k], spinePopulationCountOf(&def, k)};
    }
    GOOD(spinePopulationCreate(&def, &scene->population, &error));
    GOOD(spinePopulationMakePoses(&scene->population, &error));
    assert_int_equal(scene->population.count, MEMBERS);
}

static void closeScene(Spines *scene) {
    spinePopulationFree(&scene->population);
    for (uint32_t k = 0; k < KINDS; k++) {
        spineMeshFree(&scene->meshes[k]);
        modelFree(scene->models[k]);
    }
}

/* Returns how many vertices it compared. */
static uint32_t compareCharacter(const Spines *scene, uint32_t index, const float *found) {
    const SpineCharacter *character = &scene->population.characters[index];
    const SpineMesh *mesh = &scene->meshes[character->model];
    const SpineModel *spine = mesh->spine;
    const double size = fmax(hypot((double)spine->bounds[2], (double)spine->bounds[3]), 1.0) * character->place.a;
    uint32_t compared = 0;
    for (uint32_t s = 0; s < spine->slotCount; s++) {
        const SpineSlotState *state = &character->pose->slots[s];
        if (spineMeshShown(mesh, character->pose, s).count == 0) {
            continue;
        }
        const SpineAttachment *attachment = &spine->attachments[state->attachment];
        const uint32_t picture = attachment->frameCount > 0 ? state->frame : 0;
        const uint32_t first = mesh->firstVertex[state->attachment] + picture * attachment->vertexCount;
        double *expected = calloc(attachment->vertexCount, 2 * sizeof *expected);
        spinePoseVertices(character->pose, s, expected);
        for (uint32_t i = 0; i < attachment->vertexCount; i++, compared++) {
            const double x = character->place.a * expected[2 * i] + character->place.x0;
            const double y = character->place.d * expected[2 * i + 1] + character->place.y0;
            const float *own = found + 2 * (size_t)(first + i);
            if (!(hypot((double)own[0] - x, (double)own[1] - y) <= TOLERANCE * size)) {
                fail_msg("character %u, slot %s, vertex %u: (%g, %g), not (%g, %g)", index, spine->slots[s].name, i,
                         (double)own[0], (double)own[1], x, y);
            }
        }
        free(expected);
    }
    return compared;
}

static void runVertices(VkskinBackend backend) {
    static const double clocks[] = {0.0, 0.31, 1.7};
    EngineError error;
    Spines scene;
    VkDeviceSize starts[MEMBERS], size = 0;
    uint32_t compared = 0;
    Buffer buffer;
    begin(backend);
    openScene(&scene);
    SpineDraw *draw = newDraw(SKIN_SYSTEM_COMPUTE, scene.drawn, KINDS, &error);
    GOOD(draw);
    for (uint32_t i = 0; i < MEMBERS; i++) {
        starts[i] = size;
        size += (VkDeviceSize)scene.meshes[i % KINDS].vertexCount * 8;
    }
    GOOD(bufferCreateReadback(device, size, "skinned", &buffer, &error));
    for (size_t t = 0; t < COUNT_OF(clocks); t++) {
        spinePopulationPose(&scene.population, &skinning->pool, clocks[t]);
        drawFrame(draw, scene.population.characters, MEMBERS, &buffer, starts);
        for (uint32_t i = 0; i < MEMBERS; i++) {
            compared +=
                compareCharacter(&scene, i, (const float *)(const void *)((const char *)buffer.mapped + starts[i]));
        }
    }
    print_message("%s: %u vertices of %u characters compared\n",
                  skinning->backend == VKSKIN_BACKEND_CPU ? "CPU backend" : "kernels", compared, MEMBERS);
    assert_true(compared > 1000);
    bufferDestroy(device, &buffer);
    end(draw);
    closeScene(&scene);
}

TEST(verticesOfACrowdAreTheEvaluated) {
    runVertices(VKSKIN_BACKEND_COMPUTE);
    runVertices(VKSKIN_BACKEND_CPU);
}

/* ---- Pictures ---- */

enum { RED, GREEN, BLUE, COLOURS, CUT = COLOURS, POSES }; /* CUT: green, and only its left half */

typedef struct Cards {
    Model *model;
    SpinePose *poses[POSES];
} Cards;

static void openCards(Cards *cards) {
    static const uint32_t cut = 1;
    EngineError error;
    cards->model = load("cards.json");
    for (int i = 0; i < POSES; i++) {
        GOOD(cards->poses[i] = spinePoseCreate(cards->model->spines, &cut, i == CUT ? 1 : 0, &error));
        spinePoseSet(cards->poses[i], i == CUT ? GREEN : i, 0.0);
    }
}

/* Channel 0 to 2 that is 255 where the others are 0; -1: all are 0. */
static int colourAt(const Picture *picture, int x, int y) {
    const uint8_t *pixel = picture->pixels + 4 * ((size_t)(SIDE / 2 - y) * SIDE + (size_t)(SIDE / 2 + x));
    int colour = -1;
    for (int c = 0; c < 3; c++) {
        assert_true(pixel[c] == 0 || pixel[c] == 255);
        if (pixel[c] == 255) {
            assert_int_equal(colour, -1);
            colour = c;
        }
    }
    return colour;
}

/* Three cards of 40 x 40: at (0, 0), at (20, 0) with x from 0 to 20 left, at (0, 30). */
static void drawCards(SpineDraw *draw, const Cards *cards, const int order[3], Picture *picture) {
    static const double places[POSES][2] = {[RED] = {0.0, 0.0}, [CUT] = {20.0, 0.0}, [BLUE] = {0.0, 30.0}};
    SpineCharacter characters[3];
    EngineError error;
    for (int i = 0; i < 3; i++) {
        characters[i] = (SpineCharacter){.pose = cards->poses[order[i]], .place = SPINE_UNPLACED};
        characters[i].place.x0 = places[order[i]][0];
        characters[i].place.y0 = places[order[i]][1];
    }
    drawFrame(draw, characters, 3, NULL, NULL);
    GOOD(pictureRead(device, &target, false, picture, &error));
}

static void runCards(SkinSystem system) {
    static const struct {
        int order[3], between, above, corner; /* colours where two or three cards are above each other */
        uint32_t calls;                       /* the polygon begins and ends; neighbours without it are one */
    } cases[] = {{{RED, CUT, BLUE}, GREEN, BLUE, BLUE, 5},
                 {{BLUE, CUT, RED}, RED, RED, RED, 5},
                 {{RED, BLUE, CUT}, GREEN, BLUE, GREEN, 4},
                 {{CUT, RED, BLUE}, RED, BLUE, BLUE, 4}};
    EngineError error;
    Cards cards;
    begin(VKSKIN_BACKEND_COMPUTE);
    openCards(&cards);
    const SpineDrawModel model = {cards.model, 3};
    SpineDraw *draw = newDraw(system, &model, 1, &error);
    GOOD(draw);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Picture picture;
        drawCards(draw, &cards, cases[i].order, &picture);
        assert_int_equal(spineDrawCalls(draw), system == SKIN_SYSTEM_COMPUTE ? cases[i].calls : 5);
        assert_int_equal(colourAt(&picture, -10, -10), RED);
        assert_int_equal(colourAt(&picture, 0, 40), BLUE);
        assert_int_equal(colourAt(&picture, 30, 0), -1); /* cut off */
        assert_int_equal(colourAt(&picture, -30, 0), -1);
        assert_int_equal(colourAt(&picture, 10, 0), cases[i].between);
        assert_int_equal(colourAt(&picture, -10, 15), cases[i].above);
        assert_int_equal(colourAt(&picture, 10, 15), cases[i].corner);
        pictureFree(&picture);
    }
    end(draw);
    for (int i = 0; i < POSES; i++) {
        spinePoseFree(cards.poses[i]);
    }
    modelFree(cards.model);
}

TEST(laterCharactersCoverEarlierOnes) {
    runCards(SKIN_SYSTEM_COMPUTE);
    runCards(SKIN_SYSTEM_UNIFORM_2D);
}

/* ---- Numbers ---- */

/* One more for each further output page. */
static uint32_t pagesOf(const SpineDraw *draw, uint32_t count) {
    uint32_t pages = 0, last = UINT32_MAX;
    for (uint32_t i = 0; i < count; i++) {
        VkskinOutput output;
        assert_int_equal(vkskinGetOutput(skinning->context, spineDrawInstance(draw, i), &output), VKSKIN_SUCCESS);
        pages += output.page != last;
        last = output.page;
    }
    return pages;
}

static uint32_t callsOf(SkinSystem system, const Model *model, uint32_t count) {
    const SpineDrawModel drawn = {model, count};
    SpineCharacter *characters = calloc(count, sizeof *characters);
    EngineError error;
    SpinePose *pose;
    begin(VKSKIN_BACKEND_COMPUTE);
    GOOD(pose = spinePoseCreate(model->spines, NULL, 0, &error));
    SpineDraw *draw = newDraw(system, &drawn, 1, &error);
    GOOD(draw);
    for (uint32_t i = 0; i < count; i++) {
        characters[i] = (SpineCharacter){.pose = pose, .place = SPINE_UNPLACED};
    }
    drawFrame(draw, characters, count, NULL, NULL);
    const uint32_t calls = spineDrawCalls(draw);
    if (system == SKIN_SYSTEM_COMPUTE) {
        assert_int_equal(calls, pagesOf(draw, count));
        assert_true(calls <= 2); /* one page holds hundreds */
    }
    end(draw);
    spinePoseFree(pose);
    free(characters);
    return calls;
}

TEST(drawCallsDoNotGrowWithCharacters) {
    Model *model = load("cards.json");
    assert_int_equal(callsOf(SKIN_SYSTEM_COMPUTE, model, 1), 1);
    assert_int_equal(callsOf(SKIN_SYSTEM_COMPUTE, model, 100), 1);
    (void)callsOf(SKIN_SYSTEM_COMPUTE, model, 1000);
    assert_int_equal(callsOf(SKIN_SYSTEM_UNIFORM_2D, model, 100), 100);
    modelFree(model);
}

TEST(tooManyCharactersAreRefused) {
    static const SkinSystem systems[] = {SKIN_SYSTEM_COMPUTE, SKIN_SYSTEM_UNIFORM_2D};
    Model *model = load("tentacle.json");
    EngineError error;
    for (size_t i = 0; i < COUNT_OF(systems); i++) {
        const SpineDrawModel many = {model, 400000000}, few = {model, 2};
        begin(VKSKIN_BACKEND_COMPUTE);
        assert_null(newDraw(systems[i], &many, 1, &error));
        assert_non_null(strstr(error.message, "400000000 2D characters are too many for this device: "));
        SpineDraw *draw = newDraw(systems[i], &few, 1, &error);
        GOOD(draw);
        SpinePose *pose = spinePoseCreate(model->spines, NULL, 0, &error);
        const SpineCharacter character = {.pose = pose, .place = SPINE_UNPLACED},
                             characters[] = {character, character, character};
        assert_int_equal(vkskinBeginFrame(skinning->context, 0), VKSKIN_SUCCESS);
        assert_false(spineDrawPrepare(draw, 0, characters, 3, SPINE_SHOW_MESH, &error));
        assert_string_equal(error.message, "more characters in a frame than 2");
        assert_true(spineDrawPrepare(draw, 0, characters, 2, SPINE_SHOW_MESH, &error));
        end(draw);
        spinePoseFree(pose);
    }
    modelFree(model);
}

/* Poses of a population take more memory than anything else. */
TEST(aRefusedCrowdHasNoPoses) {
    Model *model = load("cards.json");
    const SpinePopulationKind kind = {.path = "cards.json", .spine = model->spines, .motion = {.blendAnimation = -1}};
    const SpinePopulationDef def = {.kinds = &kind, .kindCount = 1, .count = 2, .aspect = 1.0};
    const SpineDrawModel many = {model, 400000000};
    SpinePopulation population;
    RunResult result;
    EngineError error;
    begin(VKSKIN_BACKEND_COMPUTE);
    GOOD(spinePopulationCreate(&def, &population, &error));
    const RunDef run = {.frames = 1, .width = 8, .height = 8};
    const SpineShow show = {
        .device = device, .skinning = skinning, .population = &population, .models = &many, .modelCount = 1};
    assert_false(spineRun(&show, &run, &result, NULL, &error));
    assert_non_null(strstr(error.message, "400000000 2D characters are too many for this device: "));
    assert_null(population.poses[0]);
    assert_null(population.characters[0].pose);
    spinePopulationFree(&population);
    end(NULL);
    modelFree(model);
}

static void expectObjects(uint32_t meshes, uint32_t instances) {
    VkskinStats stats;
    assert_int_equal(vkskinGetStats(skinning->context, &stats), VKSKIN_SUCCESS);
    assert_int_equal(stats.meshes, meshes);
    assert_int_equal(stats.instances, instances);
}

/* `view` makes another one for each change of the file. */
TEST(aDestroyedOneLeavesNothingInTheLibrary) {
    Model *model = load("cards.json");
    const SpineDrawModel few = {model, 3};
    EngineError error;
    begin(VKSKIN_BACKEND_COMPUTE);
    for (int i = 0; i < 3; i++) {
        SpineDraw *draw = newDraw(SKIN_SYSTEM_COMPUTE, &few, 1, &error);
        GOOD(draw);
        expectObjects(1, 3);
        spineDrawDestroy(draw);
        expectObjects(0, 0);
    }
    end(NULL);
    modelFree(model);
}

int main(int count, char **texts) {
    folder = count > 1 ? texts[1] : ".";
    return testRunGroup("crowds of 2D models", NULL, NULL, NULL);
}
