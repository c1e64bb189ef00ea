/*
 * What materials look like, pixel by pixel. Each model of models/ that is read here has quads that face +z; its
 * asset.extras describes it. The camera is at z = +4 or -4 and sees x and y from -2 to 2. The colours that are expected
 * follow from the light model of shaders/raster/light.glsl and surface.glsl, written again in double precision.
 */
#include "commands.h"
#include "count_of.h"
#include "draw.h"
#include "frames.h"
#include "import.h"
#include "scene.h"
#include "test.h"

#define SIDE      128 /* side of the picture, pixels */
#define TOLERANCE 3   /* maximum error of a channel, 0 to 255: rounding of normals, textures and the target */

typedef struct Colour {
    double r, g, b;
} Colour;

static const Colour SUN = {2.35, 2.10, 1.75}, FILL = {0.62, 0.70, 0.86}, SKY = {0.40, 0.49, 0.64},
                    GROUND = {0.24, 0.21, 0.17};

static Device *device;
static VkskinVertexFormat format; /* vertex format of the scenes */
static Picture picture;           /* the last one that was drawn */

static int openDevice(void **state) {
    const DeviceOptions options = {.validation = true};
    EngineError error;
    (void)state;
    device = deviceCreate(&options, &error);
    return device ? 0 : -1;
}

static int closeDevice(void **state) {
    (void)state;
    deviceDestroy(device);
    return 0;
}

static int endTest(void **state) {
    (void)state;
    pictureFree(&picture);
    format = VKSKIN_VERTEX_PACKED;
    return device->validationMessages == 0 ? 0 : -1;
}

#define MATERIAL_TEST(name) TEST_WITH(name, NULL, endTest)

/* ---- Drawing ---- */

typedef struct View {
    float z; /* z of the camera */
    float sun[3];
    double time;
    const char *paints[6]; /* for one frame each, not waited for; null: one frame without */
    uint32_t level;        /* Paint.firstLevel */
    uint32_t shows;        /* DRAW_SHOW_... */
} View;

static void drawScene(Scene *scene, const View *view, EngineError *error) {
    const TargetDef targetDef = {
        .width = SIDE, .height = SIDE, .colourFormat = TARGET_OFFSCREEN_FORMAT, .offscreen = true};
    DrawScene drawn = {
        .camera = {.eye = {0, 0, view->z}, .fieldOfView = 2.0f * atanf(0.5f), .nearPlane = 0.1f, .farPlane = 100.0f},
        .groundHeight = -50.0f,
        .groundUnit = 1.0f};
    Target target;
    Frames frames;
    drawn.shows = view->shows;
    memcpy(drawn.sunDirection, view->sun, sizeof drawn.sunDirection);
    assert_true(targetCreate(device, &targetDef, &target, error));
    Draw *draw = drawCreate(device, scene->population, TARGET_OFFSCREEN_FORMAT, error);
    assert_non_null(draw);
    if (view->shows & DRAW_SHOW_WIREFRAME) {
        device->fillModeNonSolid = false;
        assert_false(drawCanShow(draw, view->shows, error));
        assert_non_null(strstr(error->message, "(fillModeNonSolid)"));
        device->fillModeNonSolid = true;
    }
    assert_true(framesCreate(device, &frames, error));
    const TargetImage image = targetOffscreenImage(&target);
    for (size_t i = 0; i == 0 || (i < COUNT_OF(view->paints) && view->paints[i]); i++) {
        Frame frame;
        assert_true(!view->paints[i] || paintParse(view->paints[i], &drawn.paint, error));
        drawn.paint.firstLevel = view->level;
        drawPrepare(draw, &drawn, 1.0f);
        assert_true(framesBegin(&frames, &frame, error));
        assert_true(sceneRecordSkinning(scene, frame.slot, frame.commandBuffer, view->time, error));
        TEST_GOOD(drawRecord(draw, frame.slot, frame.commandBuffer, &target, &image, error), *error);
        assert_true(framesEnd(&frames, &frame, NULL, error));
    }
    framesDestroy(&frames);
    pictureFree(&picture);
    assert_true(pictureRead(device, &target, false, &picture, error));
    drawDestroy(draw);
    targetDestroy(device, &target);
}

static void draw(const char *name, const View *view) {
    char path[512];
    EngineError error = {.message = ""};
    snprintf(path, sizeof path, "%s/%s", MATERIAL_MODELS, name);
    Model *model = importModel(path, NULL, &error);
    TEST_GOOD(model, error);
    const Model *const models[] = {model};
    const SceneDef def = {
        .models = models, .modelCount = 1, .placement = POPULATION_ORIGIN, .wrap = VKSKIN_WRAP_CLAMP, .format = format};
    Scene *scene = sceneCreate(device, &def, &error);
    TEST_GOOD(scene, error);
    drawScene(scene, view, &error);
    sceneDestroy(scene);
    modelFree(model);
}

/* ---- What is expected ---- */

static Colour times(Colour a, Colour b) {
    return (Colour){a.r * b.r, a.g * b.g, a.b * b.b};
}

static Colour plus(Colour a, Colour b) {
    return (Colour){a.r + b.r, a.g + b.g, a.b + b.b};
}

static Colour scaled(double factor, Colour a) {
    return (Colour){factor * a.r, factor * a.g, factor * a.b};
}

/* up: the normal's y. */
static Colour skylight(double up) {
    return plus(scaled(0.5 + 0.5 * up, SKY), scaled(0.5 - 0.5 * up, GROUND));
}

/* Towards the second light, of a sun at the horizon: 150 degrees about y from it, and 0.35 above. Along the sun, y, across. */
static const double TO_FILL[] = {-0.866025 / 1.059481, 0.35 / 1.059481, 0.5 / 1.059481};

/* A surface that reflects nothing. facing: the cosine between normal and sun; what is left of the normal is y's. */
static Colour matt(Colour base, double facing, double up) {
    const double sun = fmax(facing, 0.0) + 0.06 * (facing + 1.0);
    const double fill = fmax(facing * TO_FILL[0] + up * TO_FILL[1], 0.0);
    return times(base, plus(plus(scaled(sun, SUN), scaled(fill, FILL)), skylight(up)));
}

/* Highlights are rolled off. */
static double shown(double light) {
    return 1.0 - exp(-1.15 * light);
}

static double encoded(double light) {
    return 255.0 * (light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1.0 / 2.4) - 0.055);
}

static double decoded(double texel) {
    return pow((texel / 255.0 + 0.055) / 1.055, 2.4);
}

/* The pixel at the point (x y 0) as the camera at z = +4 sees it: 0 to 255. */
static void expectPixel(double x, double y, const double expected[3]) {
    const size_t column = (size_t)((x / 4.0 + 0.5) * SIDE), row = (size_t)((0.5 - y / 4.0) * SIDE);
    const uint8_t *pixel = picture.pixels + 4 * (row * SIDE + column);
    for (int channel = 0; channel < 3; channel++) {
        if (fabs(pixel[channel] - expected[channel]) > TOLERANCE) {
            fail_msg("(%g %g) is %u %u %u, expected %.1f %.1f %.1f", x, y, pixel[0], pixel[1], pixel[2], expected[0],
                     expected[1], expected[2]);
        }
    }
}

/* The pixel at the point (x y 0) as the camera at z = +4 sees it has the channels r, g and b: linear, after `shown`. */
static void expectShown(double x, double y, double r, double g, double b) {
    expectPixel(x, y, (const double[3]){encoded(r), encoded(g), encoded(b)});
}

/* A paint on a surface that faces +z, at (x 0 0). */
static void expectPaint(double x, const double colour[3]) {
    const double shade = 255.0 * (0.5 + 0.5 * 4.0 / sqrt(16.0 + x * x));
    expectPixel(x, 0, (const double[3]){shade * colour[0], shade * colour[1], shade * colour[2]});
}

static void expectLight(double x, double y, Colour light) {
    expectShown(x, y, shown(light.r), shown(light.g), shown(light.b));
}

/* ---- Tests ---- */

static const View FRONT = {.z = 4, .sun = {0, 0, 1}};

MATERIAL_TEST(coloursAreMultiplied) {
    draw("colours.gltf", &FRONT);
    expectLight(-1, 1, matt((Colour){0.5 * decoded(188), decoded(128), 0.25 * decoded(64)}, 1, 0));
    expectLight(1, 1, matt((Colour){16384 / 65535.0, 0.5 * 32768 / 65535.0, 0.5}, 1, 0));
}

/* The other half of the file's pictures. */
MATERIAL_TEST(unreadTexturesLeaveTheBaseColour) {
    draw("colours.gltf", &FRONT);
    expectLight(-1, -1, matt((Colour){0.25, 0.5, 0.125}, 1, 0));
    expectLight(1, -1, matt((Colour){0.125, 0.25, 0.5}, 1, 0));
}

/* The sun is behind the quads. */
MATERIAL_TEST(emissionNeedsNoLight) {
    draw("emission.gltf", &(View){.z = 4, .sun = {0, 0, -1}});
    expectLight(-1, 1, (Colour){2 * 0.5 * decoded(188), 2 * 0.25, 2 * 0.125});
    expectLight(1, 1, (Colour){0.5, 0.25, 0.125});
}

/* Left the quad, right the wall behind it: the shadow has the hole too. */
MATERIAL_TEST(masksCutPicturesAndShadows) {
    draw("mask.gltf", &FRONT);
    expectLight(-0.4, 0, matt((Colour){0.5, 0.125, 0.125}, 1, 0));
    expectLight(0.4, 0, matt((Colour){0.5, 0.5, 0.5}, 1, 0));
}

/* Half of the colour in front, a quarter of the next, an eighth of the last; a channel each. */
MATERIAL_TEST(blendedPartsGoFromFarToNear) {
    const double white = shown(1.0);
    draw("blend.gltf", &(View){.z = 4, .sun = {0, 0, 1}});
    expectShown(0, 0, white / 2, white / 4, white / 8);
    draw("blend.gltf", &(View){.z = 4, .sun = {0, 0, 1}, .time = 1.0});
    expectShown(0, 0, white / 8, white / 4, white / 2);
    draw("blend.gltf", &(View){.z = -4, .sun = {0, 0, 1}});
    expectShown(0, 0, white / 8, white / 4, white / 2);
    draw("blend.gltf", &(View){.z = -4, .sun = {0, 0, 1}, .time = 1.0});
    expectShown(0, 0, white / 2, white / 4, white / 8);
}

/* ---- Blended parts of crowds ---- */

/* Three characters of a model. */
static Scene *createBlended(const Model *model, SkinSystem system) {
    EngineError error = {.message = ""};
    const SceneDef def = {.models = &model,
                          .modelCount = 1,
                          .count = 3,
                          .placement = POPULATION_ORIGIN,
                          .skin.system = system,
                          .wrap = VKSKIN_WRAP_CLAMP};
    Scene *scene = sceneCreate(device, &def, &error);
    TEST_GOOD(scene, error);
    return scene;
}

static Picture drawBlended(Scene *scene, const float places[3][3]) {
    EngineError error = {.message = ""};
    for (int i = 0; i < 9; i++) {
        scene->population->characters[i / 3].place.m[i % 3][3] = places[i / 3][i % 3];
    }
    drawScene(scene, &FRONT, &error);
    const Picture drawn = picture;
    picture = (Picture){0};
    return drawn;
}

#define INSIDE_FIRST 40 /* columns and rows that all three quads cover */
#define INSIDE_END   88

static double meanLight(const Picture *of, size_t x, size_t y, size_t box, size_t channel) {
    double sum = 0.0;
    for (size_t i = 0; i < box * box; i++) {
        sum += decoded(of->pixels[4 * ((y + i / box) * SIDE + x + i % box) + channel]);
    }
    return sum / (double)(box * box);
}

/* Decibels between light of squares of box x box pixels. */
static double likenessOfBoxes(const Picture *a, const Picture *b, size_t box) {
    double sum = 1e-12;
    size_t count = 0;
    for (size_t y = INSIDE_FIRST; y < INSIDE_END; y += box) {
        for (size_t x = INSIDE_FIRST; x < INSIDE_END; x += box) {
            for (size_t channel = 0; channel < 3; channel++, count++) {
                sum += pow(meanLight(a, x, y, box, channel) - meanLight(b, x, y, box, channel), 2);
            }
        }
    }
    return -10.0 * log10(sum / (double)count);
}

/* The characters in both orders. */
static void expectNoOrder(Scene *crowd) {
    static const float forth[3][3] = {{-0.6f, 0.2f, -0.2f}, {0, 0, 0}, {0.6f, -0.3f, 0.2f}};
    static const float back[3][3] = {{0.6f, -0.3f, 0.2f}, {0, 0, 0}, {-0.6f, 0.2f, -0.2f}};
    Picture pictures[] = {drawBlended(crowd, forth), drawBlended(crowd, back)};
    assert_memory_equal(pictures[0].pixels, pictures[1].pixels, 4 * SIDE * SIDE);
    pictureFree(&pictures[0]);
    pictureFree(&pictures[1]);
}

/* 2 x 2 pixels have 16 levels with multisampling, 4 without. */
MATERIAL_TEST(crowdsDitherWhatComputeSorts) {
    static const struct {
        const char *name;
        float opacities[3]; /* for red, green and blue; red is in front */
        float apart;        /* x of the other two characters, which are in front of and behind the first one */
        VkSampleCountFlags samples;
        double pair, block; /* minimum decibels of 2 x 2 and 8 x 8 pixels */
    } ROWS[] = {{"one layer", {0.37f, 0, 0}, 900, VK_SAMPLE_COUNT_4_BIT, 35, 45},
                {"one layer, one sample", {0.37f, 0, 0}, 900, VK_SAMPLE_COUNT_1_BIT, 20, 38},
                {"three parts", {0.37f, 0.6f, 0.8f}, 900, VK_SAMPLE_COUNT_4_BIT, 25, 35},
                {"three characters", {0.37f, 0, 0}, 0, VK_SAMPLE_COUNT_4_BIT, 25, 35}};
    const VkSampleCountFlags all = device->limits.framebufferColorSampleCounts;
    EngineError error = {.message = ""};
    Model *model = importModel(MATERIAL_MODELS "/blend.gltf", NULL, &error);
    TEST_GOOD(model, error);
    Scene *scenes[] = {createBlended(model, SKIN_SYSTEM_COMPUTE), createBlended(model, SKIN_SYSTEM_CROWD)};
    expectNoOrder(scenes[1]);
    for (size_t i = 0; i < COUNT_OF(ROWS); i++) {
        for (int layer = 0; layer < 3; layer++) {
            model->materials[layer].baseColor[3] = ROWS[i].opacities[layer];
        }
        device->limits.framebufferColorSampleCounts = ROWS[i].samples;
        const float places[3][3] = {{0, 0, 0}, {ROWS[i].apart, 0, 0.1f}, {-ROWS[i].apart, 0, -0.1f}};
        Picture sorted = drawBlended(scenes[0], places), dithered = drawBlended(scenes[1], places);
        device->limits.framebufferColorSampleCounts = all;
        const double pair = likenessOfBoxes(&sorted, &dithered, 2), block = likenessOfBoxes(&sorted, &dithered, 8);
        print_message("%s: 2 x 2 pixels %.1f dB, 8 x 8 %.1f dB\n", ROWS[i].name, pair, block);
        assert_true(pair > ROWS[i].pair && block > ROWS[i].block);
        pictureFree(&sorted);
        pictureFree(&dithered);
    }
    sceneDestroy(scenes[0]);
    sceneDestroy(scenes[1]);
    modelFree(model);
}

/* ---- Normal maps, lights, sides, textures, paints ---- */

/* The sun is at +x. */
MATERIAL_TEST(normalMapsFollowTangents) {
    const Colour grey = {0.5, 0.5, 0.5};
    for (format = 0; format < VKSKIN_VERTEX_FORMAT_COUNT; format++) {
        draw("normals.gltf", &(View){.z = 4, .sun = {1, 0, 0}});
        expectLight(-1, 1, matt(grey, 1, 0));
        expectLight(1, 1, matt(grey, 0, 1));
        expectLight(-1, -1, matt(grey, -1, 0));
        expectLight(1, -1, matt(grey, 0, 1));
        expectLight(0, 0, matt(grey, 1, 0));
    }
}

/* Without tangents. */
MATERIAL_TEST(normalsAreLitInEachFormat) {
    for (format = 0; format < VKSKIN_VERTEX_FORMAT_COUNT; format++) {
        draw("sides.gltf", &FRONT);
        expectLight(1, 1, matt((Colour){0.5, 0.25, 0.125}, 1, 0));
    }
}

/*
 * Seen and lit straight on, the GGX highlight is f0 x 1 / a^2 x 1 / 4 with a = roughness^2, where white diffuse light is 1.
 * The sky's light is reflected by f0 too, less what the occlusion takes: 1 - 0.5 (1 - 0.2).
 */
MATERIAL_TEST(metalsReflect) {
    const Colour base = {0.8, 0.5, 0.2};
    const double a = pow(230 / 255.0, 2);
    draw("metal.gltf", &FRONT);
    expectLight(0, 0, times(base, plus(scaled(0.25 / (a * a), SUN), scaled(0.6, skylight(0)))));
}

/* The sun is behind the metal, the second light in front of it. Hammon's masking, Schlick's reflectance. */
MATERIAL_TEST(theSecondLightFindsDarkSides) {
    const double a = pow(230 / 255.0, 2), lamp = -TO_FILL[0], middle = sqrt(0.5 + 0.5 * lamp);
    const double spread = middle * middle * (a * a - 1.0) + 1.0, edge = pow(1.0 - middle, 5);
    const double gloss = a * a / (spread * spread) * lamp * 0.5 / (2.0 * lamp * (1.0 - a) + (lamp + 1.0) * a);
    const Colour base = {0.8, 0.5, 0.2}, white = {edge, edge, edge};
    const Colour sky = times(base, skylight(0)), reflectance = plus(scaled(1.0 - edge, base), white);
    draw("metal.gltf", &(View){.z = 4, .sun = {0, 0, -1}});
    expectLight(0, 0, scaled(0.6, plus(sky, scaled(gloss, times(reflectance, FILL)))));
    assert_true(gloss > 0.1); /* without it, the picture would differ by more than the tolerance */
}

MATERIAL_TEST(sidesAreSeenAsTheMaterialSays) {
    const Colour lit = matt((Colour){0.5, 0.25, 0.125}, 1, 0), wall = {0, 0.25, 0};
    draw("sides.gltf", &FRONT);
    expectLight(-1, 1, wall);
    expectLight(1, 1, lit);
    expectLight(-1, -1, lit);
    expectLight(1, -1, wall);
}

/*
 * Shows normals.gltf from behind: the quads are turned about y, so that tangents along +x go to -x. The visible normal
 * is the opposite of the mapped one: +x for the first quad, -y for the second, whose bitangent stays. The pictures of
 * the others are mirrored: -x, and -y.
 */
MATERIAL_TEST(normalMapsTurnOnBacks) {
    const Colour grey = {0.5, 0.5, 0.5};
    draw("backs.gltf", &(View){.z = 4, .sun = {1, 0, 0}});
    expectLight(-1, 1, matt(grey, 1, 0));
    expectLight(1, 1, matt(grey, 0, -1));
    expectLight(-1, -1, matt(grey, -1, 0));
    expectLight(1, -1, matt(grey, 0, -1));
}

/* wraps.gltf: at 1.25 a repeated picture has its left texel, a clamped and a mirrored one the right; at 1.75 the reverse,
 * but a clamped one the right again. */
MATERIAL_TEST(texturesEndAsTheirSamplersSay) {
    const Colour red = {1, 0, 0}, green = {0, 1, 0}, blue = {0, 0, 1};
    draw("wraps.gltf", &FRONT);
    expectLight(-1.4, 1.4, red);
    expectLight(0, 1.4, green);
    expectLight(1.4, 1.4, green);
    expectLight(-1.4, 0, green);
    expectLight(0, 0, green);
    expectLight(1.4, 0, red);
    expectLight(-1.4, -1.4, blue);
    expectLight(1.4, -1.4, red);
}

/* weights.gltf: the middle between the first two columns, and between the last two. The joints' nodes are 2 and 1. */
MATERIAL_TEST(paintsShowWhatMovesVertices) {
    static const struct {
        const char *paint;
        double left[3], right[3];
    } PAINTS[] = {
        {"weights", {0.75, 0.25, 0}, {0.625, 0.375, 0}},     {"bone:first", {0.15, 0.65, 0.15}, {0.5, 1, 0}},
        {"bone:SECOND", {0.5, 0.5, 0}, {0, 1, 0.5}},         {"bone:third", {0.3, 0.3, 0.3}, {0.3, 0.3, 0.3}},
        {"dominant", {0.646, 1, 0.15}, {0.372, 0.629, 0.4}}, {"influences", {0.2, 0.6, 0.95}, {0.2, 0.8, 0.9}},
        {"level", {0.2, 0.8, 0.2}, {0.2, 0.8, 0.2}},
    };
    for (size_t i = 0; i < COUNT_OF(PAINTS); i++) {
        draw("weights.gltf", &(View){.z = 4, .sun = {0, 0, 1}, .paints = {PAINTS[i].paint}, .level = 1});
        expectPaint(-1, PAINTS[i].left);
        expectPaint(1, PAINTS[i].right);
    }
}

/* A buffer that a frame in flight reads is not freed: the validation layer would report it. */
MATERIAL_TEST(paintsChangeFromFrameToFrame) {
    draw("weights.gltf", &(View){.z = 4,
                                 .sun = {0, 0, 1},
                                 .paints = {"weights", "none", "bone:second", "level", "bone:second", "bone:first"}});
    expectPaint(1, (const double[3]){0.5, 1, 0});
    draw("weights.gltf", &(View){.z = 4, .sun = {0, 0, 1}, .paints = {"weights", "none"}});
    expectLight(1, 0, matt((Colour){1, 1, 1}, 1, 0));
}

/* The edge at x = 0 covers half of the pixels on either side. */
MATERIAL_TEST(edgesLieOnTheSurface) {
    const Colour edge = {decoded(0.05 * 255), decoded(0.10 * 255), decoded(0.30 * 255)};
    const Colour lit = matt((Colour){1, 1, 1}, 1, 0);
    draw("weights.gltf", &(View){.z = 4, .sun = {0, 0, 1}, .shows = DRAW_SHOW_MESH | DRAW_SHOW_WIREFRAME});
    expectShown(0, 0.5, 0.5 * (edge.r + shown(lit.r)), 0.5 * (edge.g + shown(lit.g)), 0.5 * (edge.b + shown(lit.b)));
    expectLight(-1.5, 0.5, lit);
}

int main(int count, char **texts) {
    return testRunGroup("materials", count > 1 ? texts[1] : NULL, openDevice, closeDevice);
}
