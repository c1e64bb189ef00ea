/*
 * test_text.c: text on the device that the environment names, against coverage of the font's outlines that stb_truetype rasters
 * 8 times as fine in both directions; clips, many vertices, and characters without a glyph.
 */
#include <math.h>

#include <stb/stb_truetype.h>

#include "glyphs.h"
#include "test.h"
#include "ui_draw.h"

#define WIDTH  900
#define HEIGHT 128
#define FINE   8 /* samples in the side of a pixel */
#define LEFT   6 /* place of the text */
#define TOP    4

/* Its colours are not encoded, so that a byte is a coverage. */
#define FORMAT VK_FORMAT_R8G8B8A8_UNORM

static Device *device;
static Ui *ui;
static UiDraw *draw;
static Target target;
static Frames frames;
static stbtt_fontinfo font;

#define GOOD(call) TEST_GOOD(call, error)

static int setUp(void **state) {
    (void)state;
    EngineError error;
    size_t size;
    const TargetDef def = {.width = WIDTH, .height = HEIGHT, .colourFormat = FORMAT, .offscreen = true};
    GOOD(device = deviceCreate(&(DeviceOptions){.validation = true}, &error));
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
    assert_int_equal(device->validationMessages, 0);
    return 0;
}

static void begin(float scale) {
    uiBegin(ui, &(UiInput){.width = WIDTH, .height = HEIGHT, .scale = scale});
}

/* Draws lists over black. */
static Picture show(const UiPicture *lists) {
    EngineError error;
    Frame frame;
    Picture picture;
    TargetImage image = targetOffscreenImage(&target);
    const VkRenderingAttachmentInfo colour = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                              .imageView = image.view,
                                              .imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                                              .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                              .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
    const VkRenderingInfo rendering = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                       .renderArea = {{0, 0}, {WIDTH, HEIGHT}},
                                       .layerCount = 1,
                                       .colorAttachmentCount = 1,
                                       .pColorAttachments = &colour};
    GOOD(framesBegin(&frames, &frame, &error));
    imageDiscard(frame.commandBuffer, image.image, image.before, IMAGE_COLOUR);
    vkCmdBeginRendering(frame.commandBuffer, &rendering);
    vkCmdEndRendering(frame.commandBuffer);
    image.before = IMAGE_COLOUR;
    GOOD(uiDrawRecord(draw, frame.slot, frame.commandBuffer, lists, &image, WIDTH, HEIGHT, &error));
    GOOD(framesEnd(&frames, &frame, NULL, &error));
    GOOD(pictureRead(device, &target, false, &picture, &error));
    return picture;
}

static Picture showText(const UiText *style, float scale, const char *text) {
    begin(scale);
    uiText(ui, style, text);
    return show(uiEnd(ui));
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
        {8.0f, 1.0f, 0.10, "Hamburgefonts @ Zürich, Łódź, Ωμέγα αβγδ, Жизнь — «Щука» {0123456789} MWmwil|/\\"},
        {24.0f, 1.0f, 0.04, "Hamburgefonts @ Zürich, Łódź, Ωμέγα, Жизнь — 0123456789"},
        {24.0f, 2.0f, 0.04, "Hamburgefonts @ Zürich"},
        {96.0f, 1.0f, 0.04, "RgWö@ΩЖ&k"},
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

int main(void) {
    return testRunGroup("text", NULL, setUp, tearDown);
}
