/*
 * The skinning systems: each draws the picture that compute draws, with shadows, for models of 1 to 4 influences; one
 * wrong bone is seen. Where a limit of the device is lower or a format is missing, the system says so or does with it.
 */
#include "builtin_model.h"
#include "population_run.h"
#include "import.h"
#include "likeness.h"
#include "scene.h"
#include "test.h"

#define WIDTH  200
#define HEIGHT 160
#define FRAMES 4    /* multiple of the slots: each slot's palettes are written twice */
#define CROWDS 55.0 /* packed clips move vertices by up to 0.01 mm */
#define FLOATS 45.0 /* decibels */
#define FEW    35.0 /* minimum decibels for rotations in 16 bits */

typedef enum Subject { HUMAN, BEAST, STRIP, MATERIALS, SUBJECT_COUNT = MATERIALS + 5 } Subject;

static Device *device;
static VkPhysicalDeviceLimits limits;  /* limits of the driver */
static VkPhysicalDeviceLimits lowered; /* as systems see the device */
static uint32_t messages;              /* messages of the validation layer before the test */
static PFN_vkGetPhysicalDeviceFormatProperties formatProperties;
static Model *models[SUBJECT_COUNT];
static uint32_t rowStep; /* every so many rows are drawn: all on lavapipe, a third elsewhere */
static EngineError error;

/* Before the device: import forks, and a driver may have threads of its own. */
static int openAll(void **state) {
    static const char *const PATHS[SUBJECT_COUNT] = {VKSKIN_TEST_MODELS "/X/BCN_Epileptic.X",
                                                     VKSKIN_TEST_MODELS "/X/Testwuson.X",
                                                     BUILTIN_STRIP,
                                                     MATERIAL_MODELS "/mask.gltf",
                                                     MATERIAL_MODELS "/blend.gltf",
                                                     MATERIAL_MODELS "/normals.gltf",
                                                     MATERIAL_MODELS "/sides.gltf",
                                                     MATERIAL_MODELS "/colours.gltf"};
    const DeviceOptions options = {.validation = true};
    (void)state;
    for (int i = 0; i < SUBJECT_COUNT; i++) {
        models[i] = i == STRIP ? builtinModel(PATHS[i], &error) : importModel(PATHS[i], NULL, &error);
        if (!models[i]) {
            print_error("%s\n", error.message);
            return -1;
        }
    }
    device = deviceCreate(&options, &error);
    if (!device) {
        print_error("%s\n", error.message);
        return -1;
    }
    limits = lowered = device->limits;
    rowStep = strstr(device->info.name, "llvmpipe") != NULL ? 1 : 3;
    formatProperties = vkGetPhysicalDeviceFormatProperties;
    return 0;
}

static int closeAll(void **state) {
    (void)state;
    for (int i = 0; i < SUBJECT_COUNT; i++) {
        modelFree(models[i]);
    }
    deviceDestroy(device);
    return 0;
}

static int endTest(void **state) {
    (void)state;
    const bool clean = device->validationMessages == messages;
    lowered = limits;
    vkGetPhysicalDeviceFormatProperties = formatProperties;
    messages = device->validationMessages;
    return clean ? 0 : -1;
}

#define SYSTEM_TEST(name) TEST_WITH(name, NULL, endTest)

/* ---- The systems ---- */

typedef struct Row {
    const char *label;
    SkinChoice skin;
    double least; /* decibels against compute with the same method; without one: linear blending */
} Row;

#define ROW(least, text, ...)                                                                                          \
    { text, {__VA_ARGS__}, least }

/* One of each system first: ONE_EACH rows. */
static const Row ROWS[] = {
    ROW(FLOATS, "vertex-buffer", .system = SKIN_SYSTEM_VERTEX_BUFFER),
    ROW(FLOATS, "texture-matrix", .system = SKIN_SYSTEM_TEXTURE_MATRIX),
    ROW(FLOATS, "uniform-matrix 15", .system = SKIN_SYSTEM_UNIFORM_MATRIX, .bonesPerDraw = 15),
    ROW(FLOATS, "texture-qt", .system = SKIN_SYSTEM_TEXTURE_QT),
    ROW(FEW, "texture-qt pair half", .system = SKIN_SYSTEM_TEXTURE_QT, .textureLayout = SKIN_TEXTURE_PAIR,
        .textureFormat = SKIN_TEXTURE_HALF),
    ROW(FEW, "texture-qt snorm16", .system = SKIN_SYSTEM_TEXTURE_QT, .textureFormat = SKIN_TEXTURE_SNORM16),
    ROW(FLOATS, "texture-qt pair", .system = SKIN_SYSTEM_TEXTURE_QT, .textureLayout = SKIN_TEXTURE_PAIR),
    ROW(FEW, "texture-qt half", .system = SKIN_SYSTEM_TEXTURE_QT, .textureFormat = SKIN_TEXTURE_HALF),
    ROW(FLOATS, "uniform-matrix", .system = SKIN_SYSTEM_UNIFORM_MATRIX),
    ROW(FLOATS, "uniform-matrix 26", .system = SKIN_SYSTEM_UNIFORM_MATRIX, .bonesPerDraw = 26),
};
#define ONE_EACH 4
#define MATRICES 3 /* the first ones keep non-uniform scale */
#define FORMATS  6 /* and one of each texture format */

/* Other methods, which only the storage buffer has. */
static const Row METHOD_ROWS[] = {
    ROW(FLOATS, "dqs", .system = SKIN_SYSTEM_VERTEX_BUFFER, .mode = SKIN_MODE_DQS),
    ROW(FLOATS, "dqs-scaled", .system = SKIN_SYSTEM_VERTEX_BUFFER, .mode = SKIN_MODE_DQS_SCALED),
    ROW(FLOATS, "qt", .system = SKIN_SYSTEM_VERTEX_BUFFER, .mode = SKIN_MODE_QT),
    ROW(FLOATS, "qt-half", .system = SKIN_SYSTEM_VERTEX_BUFFER, .mode = SKIN_MODE_QT_HALF),
    ROW(FLOATS, "qt-snorm16", .system = SKIN_SYSTEM_VERTEX_BUFFER, .mode = SKIN_MODE_QT_SNORM16),
    ROW(FLOATS, "exact normals", .system = SKIN_SYSTEM_VERTEX_BUFFER, .normals = VKSKIN_NORMALS_EXACT),
    ROW(FLOATS, "exact normals of dqs-scaled", .system = SKIN_SYSTEM_VERTEX_BUFFER, .mode = SKIN_MODE_DQS_SCALED,
        .normals = VKSKIN_NORMALS_EXACT),
};

/* Characters that the device, or the CPU in its place, poses from packed clips. */
#define CROWD(...) .system = SKIN_SYSTEM_CROWD, .maxError = 0.01, __VA_ARGS__
static const Row CROWD_ROWS[] = {
    ROW(CROWDS, "crowd", CROWD()),
    ROW(CROWDS, "crowd by the CPU", CROWD(.backend = VKSKIN_BACKEND_CPU)),
    ROW(CROWDS, "crowd dqs", CROWD(.mode = SKIN_MODE_DQS)),
    ROW(CROWDS, "crowd qt by the CPU", CROWD(.mode = SKIN_MODE_QT, .backend = VKSKIN_BACKEND_CPU)),
};

static SkinChoice computeOf(const SkinChoice *skin) {
    return (SkinChoice){.mode = skin->mode,
                        .normals = skin->normals,
                        .maxInfluences = skin->maxInfluences ? skin->maxInfluences : SKIN_SYSTEM_INFLUENCES};
}

/* ---- Drawing ---- */

typedef struct View {
    Subject first; /* first of the models */
    uint32_t modelCount, count;
    bool whole;     /* the camera shows the whole crowd */
    bool ground;    /* else transparent around the characters */
    bool wrongBone; /* one bone of the first character is wrong: it moves as another one does */
    double seconds; /* clock, in seconds */
    const char *paint;
    uint32_t shows; /* DRAW_SHOW_... */
} View;

/* A palette that is spoilt after it is posed. */
static struct {
    PopulationPalettes real;
    char *entries;
    size_t stride;
} spoilt;

#define WRONG_BONE 20u /* bone of the human: the left upper arm */
#define OTHER_BONE 1u

static bool placeSpoilt(void *user, uint32_t kind, const uint32_t *characters, uint32_t count,
                        VkskinPaletteEncoding encoding, void **data, EngineError *failure) {
    const bool placed = spoilt.real.place(user, kind, characters, count, encoding, data, failure);
    spoilt.entries = data[0];
    spoilt.stride = vkskinPaletteStride(encoding);
    return placed;
}

static bool finishSpoilt(void *user, EngineError *failure) {
    memcpy(spoilt.entries + WRONG_BONE * spoilt.stride, spoilt.entries + OTHER_BONE * spoilt.stride, spoilt.stride);
    return spoilt.real.finish(user, failure);
}

static bool drawFrames(Scene *scene, const View *view, Draw *draw, const Target *target) {
    const TargetImage image = targetOffscreenImage(target);
    DrawScene drawn = drawDefaultScene(scene->population, (float)WIDTH / HEIGHT);
    Frames frames;
    drawn.plain = !view->ground;
    drawn.shows = view->shows;
    assert_true(!view->paint || paintParse(view->paint, &drawn.paint, &error));
    if (view->whole) {
        drawn.camera = cameraFrame(&scene->population->bounds, 0.5f, 0.6f, 0.6f, (float)WIDTH / HEIGHT);
    }
    bool good = framesCreate(device, &frames, &error);
    for (uint32_t i = FRAMES; good && i-- > 0;) { /* other moments first */
        Frame frame;
        drawPrepare(draw, &drawn, (float)WIDTH / HEIGHT);
        good = framesBegin(&frames, &frame, &error);
        assert_int_equal(frame.slot, (FRAMES - 1 - i) % FRAMES_IN_FLIGHT);
        good = good && sceneRecordSkinning(scene, frame.slot, frame.commandBuffer, view->seconds + 0.2 * i, &error) &&
               drawRecord(draw, frame.slot, frame.commandBuffer, target, &image, &error) &&
               framesEnd(&frames, &frame, NULL, &error);
    }
    framesDestroy(&frames);
    return good;
}

static Scene *makeScene(const View *view, const SkinChoice *skin) {
    const SceneDef def = {.models = (const Model *const *)&models[view->first],
                          .modelCount = view->modelCount,
                          .count = view->count,
                          .seed = 3,
                          .placement = view->count == 1 ? POPULATION_ORIGIN : POPULATION_FIELD,
                          .skin = *skin,
                          .wrap = VKSKIN_WRAP_LOOP,
                          .format = VKSKIN_VERTEX_PACKED};
    Scene *scene = sceneCreate(device, &def, &error);
    TEST_GOOD(scene, error);
    return scene;
}

/* False: *error says why. */
static bool tryDraw(const View *view, const SkinChoice *skin, Picture *picture, SystemStats *stats) {
    const TargetDef def = {
        .width = WIDTH, .height = HEIGHT, .colourFormat = TARGET_OFFSCREEN_FORMAT, .offscreen = true};
    Scene *scene = makeScene(view, skin);
    Target target;
    assert_true(targetCreate(device, &def, &target, &error));
    device->limits = lowered;
    Draw *draw = drawCreate(device, scene->population, TARGET_OFFSCREEN_FORMAT, &error);
    device->limits = limits;
    if (draw && view->wrongBone) {
        spoilt.real = scene->population->palettes;
        scene->population->palettes.place = placeSpoilt;
        scene->population->palettes.finish = finishSpoilt;
    }
    bool good =
        draw && drawFrames(scene, view, draw, &target) && pictureRead(device, &target, !view->ground, picture, &error);
    if (good && stats) {
        *stats = *drawSystemStats(draw);
    }
    drawDestroy(draw);
    targetDestroy(device, &target);
    sceneDestroy(scene);
    return good;
}

static Picture drawn(const View *view, const SkinChoice *skin) {
    Picture picture = {0};
    TEST_GOOD(tryDraw(view, skin, &picture, NULL), error);
    return picture;
}

static double likenessTo(const Picture *expected, const View *view, const SkinChoice *skin) {
    Picture picture = drawn(view, skin);
    Likeness likeness;
    assert_true(pictureLikeness(expected, &picture, NULL, &likeness, &error));
    assert_true(likeness.covered > 500);
    pictureFree(&picture);
    return likeness.decibels;
}

static void expectAlike(const View *view, const Row *row, const Picture *expected) {
    const double decibels = likenessTo(expected, view, &row->skin);
    print_message("%-28s %u influences: %.1f dB\n", row->label, row->skin.maxInfluences, decibels);
    if (decibels < row->least) {
        fail_msg("%s, %u influences: %.1f dB, expected %.0f", row->label, row->skin.maxInfluences, decibels,
                 row->least);
    }
}

/* Rows against compute. */
static void expectAllAlike(const View *view, const Row *rows, size_t count, uint32_t influences) {
    Picture expected = {0};
    SkinChoice shown = {.maxInfluences = UINT32_MAX}; /* what `expected` shows */
    for (size_t i = 0; i < count; i += rowStep) {
        Row row = rows[i];
        row.skin.maxInfluences = influences;
        const SkinChoice compute = computeOf(&row.skin);
        if (memcmp(&compute, &shown, sizeof shown) != 0) {
            pictureFree(&expected);
            expected = drawn(view, &compute);
            shown = compute;
        }
        expectAlike(view, &row, &expected);
    }
    pictureFree(&expected);
}

static const View HUMANS = {.first = HUMAN, .modelCount = 1, .count = 1, .seconds = 0.7};

/* ---- The same picture ---- */

/* The beast has vertices of 1 to 4 influences and more. */
SYSTEM_TEST(everySystemDrawsThePictureOfCompute) {
    const View view = {.first = BEAST, .modelCount = 1, .count = 1, .seconds = 0.7};
    for (uint32_t influences = 1; influences <= 4; influences += rowStep) {
        const SkinChoice compute = {.maxInfluences = influences};
        Scene *scene = makeScene(&view, &compute);
        SceneWeights weights;
        assert_true(sceneWeights(scene, &weights, &error));
        assert_int_equal(weights.influences, influences);
        sceneDestroy(scene);
        expectAllAlike(&view, ROWS, influences == 4 ? COUNT_OF(ROWS) : FORMATS, influences);
    }
}

/* Two kinds of characters, and the shadows that they throw on the ground: each pixel counts. */
SYSTEM_TEST(crowdsAndShadowsOnTheGround) {
    const View view = {.first = HUMAN, .modelCount = 2, .count = 7, .ground = true, .seconds = 0.4};
    expectAllAlike(&view, ROWS, FORMATS, 4);
}

SYSTEM_TEST(crowdsOfTheDevice) {
    const View one = {.first = BEAST, .modelCount = 1, .count = 1, .seconds = 0.7};
    const View many = {.first = HUMAN, .modelCount = 2, .count = 7, .ground = true, .seconds = 0.4};
    const ModelUp up = models[BEAST]->up;
    models[BEAST]->up = up == MODEL_UP_Z ? MODEL_UP_X : MODEL_UP_Z; /* axes that are not those of the scene */
    expectAllAlike(&one, CROWD_ROWS, COUNT_OF(CROWD_ROWS), 0);
    models[BEAST]->up = up;
    expectAllAlike(&many, CROWD_ROWS, COUNT_OF(CROWD_ROWS), 0);
}

SYSTEM_TEST(methodsFromStorageBuffers) {
    expectAllAlike(&HUMANS, METHOD_ROWS, COUNT_OF(METHOD_ROWS), 4);
}

/* Masks, blending, normal maps, sides, colours, textures. */
SYSTEM_TEST(materials) {
    for (Subject subject = MATERIALS; subject < SUBJECT_COUNT; subject++) {
        const View view = {.first = subject, .modelCount = 1, .count = 1, .ground = true};
        expectAllAlike(&view, ROWS, ONE_EACH, 4);
    }
}

/* Split meshes have other vertices; draws of crowds have arguments that the device wrote. */
SYSTEM_TEST(paintsAndOverlays) {
    View view = {.first = HUMAN, .modelCount = 1, .count = 1, .seconds = 0.7, .paint = "dominant"};
    expectAllAlike(&view, ROWS, ONE_EACH, 4);
    expectAllAlike(&view, CROWD_ROWS, 1, 0);
    view.shows = DRAW_SHOW_MESH | DRAW_SHOW_JOINTS | DRAW_SHOW_NORMALS;
    expectAllAlike(&view, CROWD_ROWS, 2, 0);
}

SYSTEM_TEST(flatModels) {
    static const Row FLAT[] = {ROW(60.0, "uniform-2d", .system = SKIN_SYSTEM_UNIFORM_2D)};
    const View one = {.first = STRIP, .modelCount = 1, .count = 1, .ground = true, .seconds = 0.6};
    const View many = {.first = STRIP, .modelCount = 1, .count = 9, .ground = true, .seconds = 0.6};
    expectAllAlike(&one, FLAT, 1, 4);
    expectAllAlike(&many, FLAT, 1, 4);
    expectAllAlike(&many, ROWS, ONE_EACH, 4);
}

SYSTEM_TEST(oneWrongBoneIsSeen) {
    const View wrong = {.first = HUMAN, .modelCount = 1, .count = 1, .wrongBone = true, .seconds = 0.7};
    const SkinChoice compute = {.maxInfluences = 4};
    Picture expected = drawn(&HUMANS, &compute);
    for (size_t i = 0; i < FORMATS; i += rowStep) {
        const double decibels = likenessTo(&expected, &wrong, &ROWS[i].skin);
        print_message("%-28s wrong bone: %.1f dB\n", ROWS[i].label, decibels);
        if (decibels >= FEW) {
            fail_msg("%s: a wrong bone is not seen: %.1f dB", ROWS[i].label, decibels);
        }
    }
    pictureFree(&expected);
}

/* ---- What it costs ---- */

static RunResult runCrowd(const View *view, const SkinChoice *skin, Picture *picture) {
    const RunDef def = {.frames = 2, .warmupFrames = 1, .width = WIDTH, .height = HEIGHT, .still = true};
    Scene *scene = makeScene(view, skin);
    RunResult result;
    TEST_GOOD(populationRun(scene, NULL, &def, &result, picture, &error), error);
    sceneDestroy(scene);
    return result;
}

/* One slot of each model for two characters: half of the characters are refused. */
SYSTEM_TEST(charactersWithoutASlotAreCounted) {
    const View view = {.first = HUMAN, .modelCount = 1, .count = 2};
    const SkinChoice skin = {.system = SKIN_SYSTEM_CROWD, .slots = 1};
    const GpuCrowdStats stats = runCrowd(&view, &skin, NULL).system.crowd;
    assert_true(stats.slots > 0);
    assert_int_equal(stats.skinned, stats.slots);
    assert_int_equal(stats.refused, stats.slots);
}

/* The human has 54 bones in three parts; all 5 characters are in the picture. */
SYSTEM_TEST(countersSayWhatItCosts) {
    static const struct {
        SkinChoice skin;
        uint32_t bytesPerBone, uploaded, calls, pipelines, images; /* uploaded: bytes of a character */
    } COSTS[] = {
        {{.system = SKIN_SYSTEM_COMPUTE, .maxInfluences = 4}, 48, 54 * 48, 2 * 3, 2, 0},
        {{.system = SKIN_SYSTEM_VERTEX_BUFFER}, 48, 54 * 48, 2 * 3, 2, 0},
        {{.system = SKIN_SYSTEM_TEXTURE_QT}, 32, 54 * 32, 2 * 3, 2, 2},
        {{.system = SKIN_SYSTEM_TEXTURE_QT, .textureLayout = SKIN_TEXTURE_PAIR}, 32, 54 * 32, 2 * 3, 2, 1},
        {{.system = SKIN_SYSTEM_TEXTURE_QT, .textureFormat = SKIN_TEXTURE_HALF}, 16, 54 * 16, 2 * 3, 2, 2},
        {{.system = SKIN_SYSTEM_TEXTURE_QT, .textureFormat = SKIN_TEXTURE_SNORM16}, 24, 54 * 24, 2 * 3, 2, 2},
        {{.system = SKIN_SYSTEM_TEXTURE_MATRIX, .maxInfluences = 1}, 48, 54 * 48, 2 * 3, 2, 1},
    };
    const View view = {.first = HUMAN, .modelCount = 1, .count = 5};
    for (size_t i = 0; i < COUNT_OF(COSTS); i++) {
        const RunResult result = runCrowd(&view, &COSTS[i].skin, NULL);
        const SystemStats *stats = &result.system;
        print_message("%s %zu: %u pieces, %llu bytes, %u calls\n", SKIN_SYSTEM_NAMES[COSTS[i].skin.system], i,
                      stats->piecesPerFrame, (unsigned long long)stats->uploadBytes, result.drawCalls);
        assert_int_equal(stats->bytesPerBone, COSTS[i].bytesPerBone);
        assert_int_equal(result.pipelines, COSTS[i].pipelines);
        assert_int_equal(stats->imagesPerFrame, COSTS[i].images);
        assert_int_equal(stats->remarkCount, 0);
        if (i > 0) { /* compute skips unchanged poses */
            assert_int_equal(stats->uploadBytes, 5 * COSTS[i].uploaded);
        }
        assert_int_equal(result.drawCalls, COSTS[i].calls + 2); /* ground and sky */
        assert_string_equal(result.backend, i == 0 ? "compute" : "vertex-shader");
        assert_true(i == 0 || result.skinning.count == 0);
        assert_int_equal(result.stats.dispatches, 0);
    }
}

/* A draw for each piece of each character in each pass. */
SYSTEM_TEST(splitMeshesCostDraws) {
    const View view = {.first = BEAST, .modelCount = 1, .count = 4};
    const SkinChoice whole = {.system = SKIN_SYSTEM_UNIFORM_MATRIX},
                     split = {.system = SKIN_SYSTEM_UNIFORM_MATRIX, .bonesPerDraw = 15};
    const RunResult one = runCrowd(&view, &whole, NULL), many = runCrowd(&view, &split, NULL);
    assert_int_equal(one.system.piecesPerFrame, 1);
    assert_int_equal(one.drawCalls, 2 * 4 + 2);
    assert_int_equal(one.system.bonesPerDraw, 37);
    assert_int_equal(many.system.bonesPerDraw, 15);
    assert_true(many.system.piecesPerFrame > 2);
    assert_int_equal(many.drawCalls, 2 * 4 * many.system.piecesPerFrame + 2);
    assert_int_equal(many.system.remarkCount, 1);
    char expected[SYSTEM_REMARK_SIZE];
    snprintf(expected, sizeof expected, "15 bones per draw: mesh 'Wuson' with 37 bones is split into %u pieces",
             many.system.piecesPerFrame);
    assert_string_equal(many.system.remarks[0], expected);
}

/* ---- Limits ---- */

static void expectRefusal(const View *view, const SkinChoice *skin, const char *format, ...) {
    char expected[ENGINE_ERROR_SIZE];
    Picture picture = {0};
    va_list values;
    va_start(values, format);
    vsnprintf(expected, sizeof expected, format, values);
    va_end(values);
    assert_false(tryDraw(view, skin, &picture, NULL));
    assert_string_equal(error.message, expected);
}

/* The shadow map has the side 2,048, so the limit is no lower: 682 characters of three rows fit. All of them are seen. */
SYSTEM_TEST(charactersThatDoNotFitAnImageGoToTheNext) {
    const View view = {.first = STRIP, .modelCount = 1, .count = 700, .ground = true, .whole = true, .seconds = 0.7};
    const SkinChoice compute = {.maxInfluences = 4};
    const Row matrix = ROW(FLOATS, "texture-matrix", .system = SKIN_SYSTEM_TEXTURE_MATRIX);
    Picture expected = drawn(&view, &compute), picture = {0};
    SystemStats stats;
    lowered.maxImageDimension2D = 2048;
    expectAlike(&view, &matrix, &expected);
    assert_true(tryDraw(&view, &matrix.skin, &picture, &stats));
    assert_int_equal(stats.imagesPerFrame, 2);
    assert_int_equal(stats.uploadBytes, 700 * 3 * 10 * 16);
    assert_int_equal(stats.remarkCount, 1);
    assert_string_equal(stats.remarks[0], "maxImageDimension2D 2048: 2 images for 700 characters, 682 each");
    pictureFree(&picture);
    pictureFree(&expected);
}

SYSTEM_TEST(imagesThatAreTooSmallAreRefused) {
    const SkinChoice matrix = {.system = SKIN_SYSTEM_TEXTURE_MATRIX},
                     pair = {.system = SKIN_SYSTEM_TEXTURE_QT, .textureLayout = SKIN_TEXTURE_PAIR};
    lowered.maxImageDimension2D = 53;
    expectRefusal(&HUMANS, &matrix,
                  "system 'texture-matrix': 54 bones take an image 54 texels wide; maxImageDimension2D of '%s' is 53",
                  device->info.name);
    lowered.maxImageDimension2D = 107;
    expectRefusal(&HUMANS, &pair,
                  "system 'texture-qt': 54 bones take an image 108 texels wide; maxImageDimension2D of '%s' is 107",
                  device->info.name);
}

static VkFormat missingFormat;

static void VKAPI_PTR withoutFormat(VkPhysicalDevice physical, VkFormat format, VkFormatProperties *properties) {
    formatProperties(physical, format, properties);
    if (format == missingFormat) {
        properties->optimalTilingFeatures &= ~(VkFormatFeatureFlags)VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT;
    }
}

SYSTEM_TEST(formatsThatShadersCannotReadAreRefused) {
    static const struct {
        SkinChoice skin;
        VkFormat format;
        const char *name;
    } MISSING[] = {
        {{.system = SKIN_SYSTEM_TEXTURE_QT, .textureFormat = SKIN_TEXTURE_SNORM16},
         VK_FORMAT_R16G16B16A16_SNORM,
         "R16G16B16A16_SNORM"},
        {{.system = SKIN_SYSTEM_TEXTURE_QT, .textureFormat = SKIN_TEXTURE_SNORM16},
         VK_FORMAT_R32G32B32A32_SFLOAT,
         "R32G32B32A32_SFLOAT"},
        {{.system = SKIN_SYSTEM_TEXTURE_QT, .textureFormat = SKIN_TEXTURE_HALF},
         VK_FORMAT_R16G16B16A16_SFLOAT,
         "R16G16B16A16_SFLOAT"},
        {{.system = SKIN_SYSTEM_TEXTURE_MATRIX}, VK_FORMAT_R32G32B32A32_SFLOAT, "R32G32B32A32_SFLOAT"},
    };
    vkGetPhysicalDeviceFormatProperties = withoutFormat;
    for (size_t i = 0; i < COUNT_OF(MISSING); i++) {
        missingFormat = MISSING[i].format;
        expectRefusal(&HUMANS, &MISSING[i].skin,
                      "system '%s': shaders of '%s' cannot read images of %s (SAMPLED_IMAGE, TRANSFER_DST)",
                      SKIN_SYSTEM_NAMES[MISSING[i].skin.system], device->info.name, MISSING[i].name);
    }
    missingFormat = VK_FORMAT_R16G16B16A16_SNORM; /* format that no other system uses */
    Picture picture = drawn(&HUMANS, &(SkinChoice){.system = SKIN_SYSTEM_TEXTURE_QT});
    pictureFree(&picture);
}

SYSTEM_TEST(bindingsOfAStageAreCounted) {
    lowered.maxPerStageDescriptorSampledImages = 1;
    expectRefusal(&HUMANS, &(SkinChoice){.system = SKIN_SYSTEM_TEXTURE_QT},
                  "system 'texture-qt': a vertex shader reads 2 images; '%s' allows 1 images, %u samplers",
                  device->info.name, limits.maxPerStageDescriptorSamplers);
}

/* 20 bones fit a block of 1,000 bytes. */
SYSTEM_TEST(blocksHoldWhatTheRangeAllows) {
    const Row row = ROW(FLOATS, "uniform-matrix", .system = SKIN_SYSTEM_UNIFORM_MATRIX);
    const SkinChoice compute = {.maxInfluences = 4}, more = {.system = SKIN_SYSTEM_UNIFORM_MATRIX, .bonesPerDraw = 21};
    Picture expected = drawn(&HUMANS, &compute), picture = {0};
    SystemStats stats;
    lowered.maxUniformBufferRange = 1000;
    lowered.minUniformBufferOffsetAlignment = 512; /* more than the driver's */
    expectAlike(&HUMANS, &row, &expected);
    assert_true(tryDraw(&HUMANS, &row.skin, &picture, &stats));
    assert_int_equal(stats.bonesPerDraw, 20);
    assert_true(stats.remarkCount > 0);
    expectRefusal(&HUMANS, &more,
                  "system 'uniform-matrix': 21 bones per draw take a block of 1008 bytes; maxUniformBufferRange of "
                  "'%s' is 1000: 20 bones",
                  device->info.name);
    lowered.maxUniformBufferRange = 2047;
    expectRefusal(&(View){.first = STRIP, .modelCount = 1, .count = 1}, &(SkinChoice){.system = SKIN_SYSTEM_UNIFORM_2D},
                  "system 'uniform-2d': its block has 2048 bytes; maxUniformBufferRange of '%s' is 2047",
                  device->info.name);
    pictureFree(&picture);
    pictureFree(&expected);
}

/* ---- What a system does not draw ---- */

SYSTEM_TEST(modelsThatAreNotFlatAreRefused) {
    const SkinChoice flat = {.system = SKIN_SYSTEM_UNIFORM_2D};
    const View view = {.first = STRIP, .modelCount = 1, .count = 1, .seconds = 0.3};
    ModelMesh *mesh = &models[STRIP]->meshes[0];
    float *rotation = (float *)models[STRIP]->clips[0].tracks[3].values; /* the model owns it */
    mesh->positions[3 * 7 + 2] = 0.5f;
    expectRefusal(&view, &flat, "system 'uniform-2d': mesh 'strip' is not flat: vertex 7 has z = 0.5");
    mesh->positions[3 * 7 + 2] = 0.0f;
    mesh->boneCount = 65;
    expectRefusal(&view, &flat, "system 'uniform-2d': mesh 'strip' has 65 bones; its block holds 64");
    mesh->boneCount = 10;
    for (uint32_t key = 0; key < models[STRIP]->clips[0].tracks[3].keyCount; key++) {
        rotation[4 * key] = 0.3f;
    }
    expectRefusal(&view, &flat, "system 'uniform-2d': bone 3 of a character leaves the plane z = 0 of its mesh");
    for (uint32_t key = 0; key < models[STRIP]->clips[0].tracks[3].keyCount; key++) {
        rotation[4 * key] = 0.0f;
    }
}

SYSTEM_TEST(nonUniformScaleIsRefusedByQuaternions) {
    const View view = {.first = STRIP, .modelCount = 1, .count = 1, .seconds = 0.3};
    ModelNode *node = &models[STRIP]->nodes[4];
    node->rest.scale[0] = 1.5f;
    expectRefusal(&view, &(SkinChoice){.system = SKIN_SYSTEM_TEXTURE_QT},
                  "system 'texture-qt': a bone has non-uniform scale, which quaternions cannot represent "
                  "(VKSKIN_WARNING_SCALE_LOST)");
    expectAllAlike(&view, ROWS, MATRICES, 4);
    node->rest.scale[0] = 1.0f;
}

SYSTEM_TEST(methodsAndFormatsAreRefusedByName) {
    static const struct {
        SkinChoice skin;
        const char *message;
    } CASES[] = {
        {{.system = SKIN_SYSTEM_TEXTURE_MATRIX, .mode = SKIN_MODE_DQS},
         "system 'texture-matrix': it has no method 'dqs'"},
        {{.system = SKIN_SYSTEM_UNIFORM_MATRIX, .mode = SKIN_MODE_QT},
         "system 'uniform-matrix': it has no method 'qt'"},
        {{.system = SKIN_SYSTEM_UNIFORM_2D, .mode = SKIN_MODE_DQS_SCALED},
         "system 'uniform-2d': it has no method 'dqs-scaled'"},
        {{.system = SKIN_SYSTEM_VERTEX_BUFFER, .mode = SKIN_MODE_BLEND},
         "system 'vertex-buffer': it has no method 'blend'"},
        {{.system = SKIN_SYSTEM_VERTEX_BUFFER, .weights = VKSKIN_WEIGHTS_UNORM8},
         "system 'vertex-buffer': it has weights as floats only"},
        {{.system = SKIN_SYSTEM_TEXTURE_QT, .textureLayout = SKIN_TEXTURE_PAIR, .textureFormat = SKIN_TEXTURE_SNORM16},
         "system 'texture-qt': format 'snorm16' is for rotations only, so it needs two images: layout 'two'"},
    };
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        expectRefusal(&(View){.first = STRIP, .modelCount = 1, .count = 1}, &CASES[i].skin, "%s", CASES[i].message);
    }
}

/* ---- Other models in place of one ---- */

SYSTEM_TEST(modelsAreReplaced) {
    const TargetDef def = {
        .width = WIDTH, .height = HEIGHT, .colourFormat = TARGET_OFFSCREEN_FORMAT, .offscreen = true};
    Target target;
    assert_true(targetCreate(device, &def, &target, &error));
    for (size_t i = 0; i < ONE_EACH; i++) {
        Picture before = {0}, after = {0};
        Likeness likeness;
        Scene *scene = makeScene(&HUMANS, &ROWS[i].skin);
        Draw *draw = drawCreate(device, scene->population, TARGET_OFFSCREEN_FORMAT, &error);
        assert_non_null(draw);
        assert_true(drawFrames(scene, &HUMANS, draw, &target) && pictureRead(device, &target, true, &before, &error));
        assert_int_equal(sceneReplaceModel(scene, 0, models[HUMAN], &error), SCENE_REPLACED);
        assert_true(drawRenew(draw, &error));
        assert_true(drawFrames(scene, &HUMANS, draw, &target) && pictureRead(device, &target, true, &after, &error));
        assert_true(pictureLikeness(&before, &after, NULL, &likeness, &error));
        assert_int_equal(likeness.different, 0);
        drawDestroy(draw);
        sceneDestroy(scene);
        pictureFree(&before);
        pictureFree(&after);
    }
    targetDestroy(device, &target);
}

int main(int count, char **texts) {
    return testRunGroup("systems", count > 1 ? texts[1] : NULL, openAll, closeAll);
}
