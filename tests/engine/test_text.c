/*
 * test_text.c: text on the device that the environment names, against coverage of the font's outlines that stb_truetype rasters
 * 8 times as fine in both directions; clips, many vertices, and characters without a glyph.
 */
#include <math.h>

#include <stb/stb_truetype.h>

#include "glyphs.h"
#include "labels.h"
#include "programs.h"
#include "test.h"
#include "ui_draw.h"

#define WIDTH  900
#define HEIGHT 128
#define FINE   8 /* samples in the side of a pixel */
#define LEFT   6 /* place of the text */
#define TOP    4

/* The colours are not encoded, so that a byte is a coverage. */
#define FORMAT VK_FORMAT_R8G8B8A8_UNORM

static Device *device;
static Ui *ui;
static UiDraw *draw;
static Target target;
static Frames frames;
static Labels *labeller;
static stbtt_fontinfo font;

#define GOOD(call) TEST_GOOD(call, error)

static int setUp(void **state) {
    (void)state;
    EngineError error;
    size_t size;
    const TargetDef def = {.width = WIDTH, .height = HEIGHT, .colourFormat = FORMAT, .offscreen = true};
    GOOD(device = deviceCreate(&(DeviceOptions){.validation = true}, &error));
    GOOD(labeller = labelsCreate(device, FORMAT, &error));
    GOOD(ui = uiCreate(&error));
    const UiAtlas atlas = uiAtlas(ui);
    GOOD(draw = uiDrawCreate(device, &atlas, FORMAT, &error));
    GOOD(targetCreate(device, &def, &target, &error));
    GOOD(framesCreate(device, &frames, &error));
    assert_true(stbtt_InitFont(&font, glyphsFont(&size), 0));
    return 0;
}

/* The device stays: the leak checker knows the memory of a driver only while that is loaded. */
static int tearDown(void **state) {
    (void)state;
    framesDestroy(&frames);
    targetDestroy(device, &target);
    uiDrawDestroy(draw);
    uiDestroy(ui);
    labelsDestroy(labeller);
    assert_int_equal(device->validationMessages, 0);
    return 0;
}

static void begin(float scale) {
    uiBegin(ui, &(UiInput){.width = WIDTH, .height = HEIGHT, .scale = scale});
}

/* Draws over black: lists, or else labels. */
static Picture showOn(Target *on, UiDraw *with, const UiPicture *lists, Label *labels, uint32_t count) {
    EngineError error;
    Frame frame;
    Picture picture;
    TargetImage image = targetOffscreenImage(on);
    const VkRenderingAttachmentInfo colour = passAttachment(image.view, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                                                            VK_ATTACHMENT_LOAD_OP_CLEAR, VK_ATTACHMENT_STORE_OP_STORE);
    GOOD(framesBegin(&frames, &frame, &error));
    imageDiscard(frame.commandBuffer, image.image, image.before, IMAGE_COLOUR);
    passBegin(frame.commandBuffer, WIDTH, HEIGHT, &colour, NULL, NULL);
    vkCmdEndRendering(frame.commandBuffer);
    image.before = IMAGE_COLOUR;
    GOOD(lists ? uiDrawRecord(with, frame.slot, frame.commandBuffer, lists, &image, WIDTH, HEIGHT, &error)
               : labelsRecord(labeller, labels, count, &frame, &image, WIDTH, HEIGHT, &error));
    GOOD(framesEnd(&frames, &frame, NULL, &error));
    GOOD(pictureRead(device, on, false, &picture, &error));
    return picture;
}

static Picture show(const UiPicture *lists) {
    return showOn(&target, draw, lists, NULL, 0);
}

static Picture showText(const UiText *style, float scale, const char *text) {
    begin(scale);
    uiText(ui, style, text);
    return show(uiEnd(ui));
}

static const uint8_t *pixelAt(const Picture *picture, int x, int y) {
    return picture->pixels + 4 * ((size_t)y * WIDTH + (size_t)x);
}

static bool same(const Picture *a, const Picture *b) {
    return memcmp(a->pixels, b->pixels, (size_t)WIDTH * HEIGHT * 4) == 0;
}

/* ---- Coverage ---- */

/* Rasters a glyph with its pen at a place in fine samples, and adds 1/FINE^2 of them to their pixels. */
static void addGlyph(float *coverage, uint32_t code, float scale, float x, float baseline) {
    int width, height, left, top;
    unsigned char *fine = stbtt_GetCodepointBitmapSubpixel(
        &font, scale, scale, x - floorf(x), baseline - floorf(baseline), (int)code, &width, &height, &left, &top);
    for (int i = 0; i < width * height; i++) {
        const int column = ((int)floorf(x) + left + i % width) / FINE,
                  row = ((int)floorf(baseline) + top + i / width) / FINE;
        assert_true(column >= 0 && column < WIDTH && row >= 0 && row < HEIGHT);
        coverage[row * WIDTH + column] += (float)fine[i] / 255.0f / (FINE * FINE);
    }
    stbtt_FreeBitmap(fine, NULL);
}

/* [HEIGHT][WIDTH] of text whose lines are `size` pixels high. */
static float *coverageOf(const char *text, float size) {
    float *coverage = calloc((size_t)WIDTH * HEIGHT, sizeof *coverage);
    const float scale = stbtt_ScaleForPixelHeight(&font, size * FINE);
    int ascent;
    stbtt_GetFontVMetrics(&font, &ascent, NULL, NULL);
    const float texels = ceilf((float)ascent * stbtt_ScaleForPixelHeight(&font, GLYPH_HEIGHT));
    float x = LEFT * FINE;
    for (uint32_t code; *text; text += utf8Code(text, &code)) {
        int advance;
        assert_true(utf8Code(text, &code) > 0);
        addGlyph(coverage, code, scale, x, (TOP + texels * size / GLYPH_HEIGHT) * FINE);
        stbtt_GetCodepointHMetrics(&font, (int)code, &advance, NULL);
        x += (float)advance * scale;
    }
    return coverage;
}

/* The mean difference over pixels with ink in either picture. */
static double meanError(const Picture *picture, const float *coverage) {
    double sum = 0.0;
    uint32_t inked = 0;
    for (size_t i = 0; i < (size_t)WIDTH * HEIGHT; i++) {
        const double found = picture->pixels[4 * i] / 255.0, wanted = fmin((double)coverage[i], 1.0);
        if (fmax(found, wanted) > 1.0 / 255.0) {
            sum += fabs(found - wanted);
            inked++;
        }
    }
    return inked > 0 ? sum / inked : 1.0;
}

TEST(textCoversWhatOutlinesCover) {
    static const struct {
        float size, scale;
        double limit;
        const char *text;
    } cases[] = {
        {8.0f, 1.0f, 0.02, "Hamburgefonts @ Zürich, Łódź, Ωμέγα αβγδ, Жизнь — «Щука» {0123456789} MWmwil|/\\"},
        {24.0f, 1.0f, 0.025, "Hamburgefonts @ Zürich, Łódź, Ωμέγα, Жизнь — 0123456789"},
        {24.0f, 2.0f, 0.025, "Hamburgefonts @ Zürich"},
        {96.0f, 1.0f, 0.03, "RgWö@ΩЖ&k"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const float scale = cases[i].scale;
        const UiText style = {
            .position = {LEFT / scale, TOP / scale}, .size = cases[i].size / scale, .colour = {255, 255, 255, 255}};
        Picture picture = showText(&style, scale, cases[i].text);
        float *coverage = coverageOf(cases[i].text, cases[i].size);
        const double error = meanError(&picture, coverage);
        memset(picture.pixels, 0, (size_t)WIDTH * HEIGHT * 4);
        const double blank = meanError(&picture, coverage);
        print_message("%g pixels, scale %g: mean error %.2f %%, of a blank picture %.0f %%\n", (double)cases[i].size,
                      (double)scale, 100.0 * error, 100.0 * blank);
        if (!(error < cases[i].limit && blank > 2.0 * cases[i].limit)) {
            fail_msg("above %g %%", 100.0 * cases[i].limit);
        }
        free(coverage);
        pictureFree(&picture);
    }
}

/* White, with a red outline of `outline` points. */
static UiText styled(float size, float weight, float outline) {
    return (UiText){.position = {LEFT, TOP},
                    .size = size,
                    .weight = weight,
                    .outline = outline,
                    .colour = {255, 255, 255, 255},
                    .outlineColour = {255, 0, 0, 255}};
}

static double inkOf(float weight) {
    const UiText style = styled(24.0f, weight, 0.0f);
    Picture picture = showText(&style, 1.0f, "Hamburgefonts");
    double ink = 0.0;
    for (size_t i = 0; i < (size_t)WIDTH * HEIGHT; i++) {
        ink += picture.pixels[4 * i] / 255.0;
    }
    pictureFree(&picture);
    return ink;
}

/* A stroke of DejaVu Sans is 0.08 of a line wide. */
TEST(weightWidensStrokes) {
    const double regular = inkOf(0.0f), bold = inkOf(0.02f) / regular, thin = inkOf(-0.01f) / regular;
    print_message("ink of bold and thin text: %.2f and %.2f\n", bold, thin);
    assert_true(bold > 1.35 && bold < 1.65 && thin > 0.65 && thin < 0.85);
}

/* The largest coverage within so many pixels across and down. */
static float near(const float *coverage, int x, int y, int across, int down) {
    float largest = 0.0f;
    for (int row = y - down; row <= y + down; row++) {
        for (int column = x - across; column <= x + across; column++) {
            const bool inside = row >= 0 && column >= 0 && row < HEIGHT && column < WIDTH;
            largest = fmaxf(largest, inside ? coverage[row * WIDTH + column] : 0.0f);
        }
    }
    return largest;
}

TEST(outlineSurroundsLettersAndCoversNone) {
    static const char text[] = "HillMinimum Жук";
    const UiText style = styled(24.0f, 0.0f, 2.0f);
    Picture picture = showText(&style, 1.0f, text);
    float *coverage = coverageOf(text, 24.0f);
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            const uint8_t *pixel = pixelAt(&picture, x, y);
            const float here = coverage[y * WIDTH + x];
            const bool good = near(coverage, x, y, 4, 4) == 0.0f    ? pixel[0] == 0
                              : here >= 0.99f                       ? pixel[1] >= 225
                              : near(coverage, x, y, 2, 0) >= 0.99f ? pixel[0] >= 225
                                                                    : true;
            if (!good) {
                fail_msg("(%d, %d), coverage %.2f: %u, %u, %u", x, y, (double)here, pixel[0], pixel[1], pixel[2]);
            }
        }
    }
    free(coverage);
    pictureFree(&picture);
}

TEST(clipsCutAtPixels) {
    static const struct {
        float clip[4], scale;
        int pixels[4];
    } cases[] = {{{100.0f, 20.0f, 200.0f, 60.0f}, 1.0f, {100, 20, 200, 60}},
                 {{50.0f, 10.5f, 100.0f, 30.0f}, 2.0f, {100, 21, 200, 60}},
                 {{-1e6f, -5.0f, 200.0f, 1e6f}, 1.0f, {0, 0, 200, HEIGHT}},
                 {{300.0f, 0.0f, 200.0f, 60.0f}, 1.0f, {0, 0, 0, 0}}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const UiText style = styled(96.0f / cases[i].scale, 0.0f, 0.0f);
        begin(cases[i].scale);
        uiText(ui, &style, "MWMWMW");
        const UiPicture *all = uiEnd(ui);
        Picture whole = show(all);
        assert_int_equal(all->commandCount, 1);
        UiCommand command = all->commands[0];
        UiPicture clipped = *all;
        memcpy(command.clip, cases[i].clip, sizeof command.clip);
        clipped.commands = &command;
        Picture cut = show(&clipped);
        for (int p = 0; p < WIDTH * HEIGHT; p++) {
            const int x = p % WIDTH, y = p / WIDTH, *pixels = cases[i].pixels;
            const bool inside = x >= pixels[0] && y >= pixels[1] && x < pixels[2] && y < pixels[3];
            assert_int_equal(pixelAt(&cut, x, y)[0], inside ? pixelAt(&whole, x, y)[0] : 0);
        }
        pictureFree(&whole);
        pictureFree(&cut);
    }
}

TEST(manyVerticesAreDrawn) {
    const UiText white = styled(24.0f, 0.0f, 0.0f);
    UiText black = styled(4.0f, 0.0f, 0.0f);
    memset(black.colour, 0, 3);
    Picture alone = showText(&white, 1.0f, "last");
    begin(1.0f);
    for (int i = 0; i < 400; i++) {
        uiText(ui, &black, "0123456789012345678901234567890123456789012345678");
    }
    uiText(ui, &white, "last");
    const UiPicture *lists = uiEnd(ui);
    assert_true(lists->vertexCount > 1 << 16);
    Picture many = show(lists);
    assert_true(same(&alone, &many));
    pictureFree(&alone);
    pictureFree(&many);
}

TEST(charactersWithoutGlyphAreReplaced) {
    static const char *const texts[] = {"a\u6F22b", "a\U0001F600b", "a\377b"};
    const UiText style = styled(24.0f, 0.0f, 0.0f);
    Picture known = showText(&style, 1.0f, "a\uFFFDb"), other = showText(&style, 1.0f, "a?b");
    assert_false(same(&known, &other));
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        Picture picture = showText(&style, 1.0f, texts[i]);
        if (!same(&known, &picture)) {
            fail_msg("text %zu", i);
        }
        pictureFree(&picture);
    }
    pictureFree(&known);
    pictureFree(&other);
}

/* Also in a target that encodes colours itself. */
TEST(coloursAreThoseOfTheText) {
    EngineError error;
    Target srgb;
    UiDraw *encoded;
    const UiAtlas atlas = uiAtlas(ui);
    const TargetDef def = {
        .width = WIDTH, .height = HEIGHT, .colourFormat = TARGET_OFFSCREEN_FORMAT, .offscreen = true};
    UiText style = styled(96.0f, 0.0f, 0.0f);
    GOOD(targetCreate(device, &def, &srgb, &error));
    GOOD(encoded = uiDrawCreate(device, &atlas, TARGET_OFFSCREEN_FORMAT, &error));
    memcpy(style.colour, (const uint8_t[]){200, 100, 10, 255}, 4);
    begin(1.0f);
    uiText(ui, &style, "\u25A0");
    const UiPicture *lists = uiEnd(ui);
    Picture pictures[] = {showOn(&target, draw, lists, NULL, 0), showOn(&srgb, encoded, lists, NULL, 0)};
    for (size_t i = 0; i < COUNT_OF(pictures); i++) {
        const uint8_t *pixel = pixelAt(&pictures[i], LEFT + 40, TOP + 60);
        for (int channel = 0; channel < 3; channel++) {
            assert_float_equal(pixel[channel], style.colour[channel], 1.0f);
        }
        pictureFree(&pictures[i]);
    }
    uiDrawDestroy(encoded);
    targetDestroy(device, &srgb);
}

TEST(noTextDrawsNothing) {
    begin(1.0f);
    const UiPicture *lists = uiEnd(ui);
    assert_int_equal(lists->commandCount, 0);
    Picture picture = show(lists);
    assert_int_equal(pixelAt(&picture, WIDTH / 2, HEIGHT / 2)[0], 0);
    pictureFree(&picture);
}

/* At one point there is room on two sides. */
TEST(nearestLabelsAreShown) {
    Label all[] = {{"far", {300.0f, 60.0f}, 3.0f},       {"farthest", {301.0f, 61.0f}, 4.0f},
                   {"near", {300.0f, 60.0f}, 1.0f},      {"next", {299.0f, 59.0f}, 2.0f},
                   {"outside", {-1.0f, 60.0f}, 0.5f},    {"", {300.0f, 60.0f}, 0.0f},
                   {"edge", {WIDTH - 9.0f, 60.0f}, 1.0f}};
    Label shown[] = {all[2], all[3], all[6]}, wrong[] = {all[0], all[1], all[6]};
    Picture found = showOn(&target, NULL, NULL, all, COUNT_OF(all));
    Picture expected = showOn(&target, NULL, NULL, shown, COUNT_OF(shown));
    Picture other = showOn(&target, NULL, NULL, wrong, COUNT_OF(wrong));
    assert_true(same(&found, &expected) && !same(&found, &other));
    pictureFree(&found);
    pictureFree(&expected);
    pictureFree(&other);
}

int main(void) {
    return testRunGroup("text", NULL, setUp, tearDown);
}
