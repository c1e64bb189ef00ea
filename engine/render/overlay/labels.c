#include "labels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ui_draw.h"

#define CELL 4.0f /* points: side of the squares that a label takes */
#define GAP  7.0f /* points from the point to the text */

static const char MARK[] = "\u2022";
static const uint8_t SHADES[2][4] = {{255, 255, 255, 255}, {20, 20, 20, 255}};

struct Labels {
    Ui *ui;
    UiDraw *draw;
    float mark[2]; /* width and height of the mark */
};

/* The squares of a picture that labels take: a label is compared with few squares, however many labels there are. */
typedef struct Taken {
    uint8_t *cells; /* [rows][columns] */
    uint32_t columns, rows;
} Taken;

/* A place for text: left, top, right, bottom, in points. */
typedef struct Place {
    float left, top, right, bottom;
} Place;

Labels *labelsCreate(Device *device, VkFormat colourFormat, EngineError *error) {
    Labels *labels = engineAllocate(1, sizeof *labels, error);
    if (!labels) {
        return NULL;
    }
    labels->ui = uiCreate(error);
    if (labels->ui) {
        const UiAtlas atlas = uiAtlas(labels->ui);
        labels->draw = uiDrawCreate(device, &atlas, colourFormat, error);
        uiTextSize(labels->ui, LABEL_LINE, MARK, labels->mark);
    }
    if (!labels->draw) {
        labelsDestroy(labels);
        return NULL;
    }
    return labels;
}

void labelsDestroy(Labels *labels) {
    if (labels) {
        uiDrawDestroy(labels->draw);
        uiDestroy(labels->ui);
        free(labels);
    }
}

/* Takes the squares of a place that lies in the picture. False: they are not all free. */
static bool take(const Taken *taken, Place place) {
    const uint32_t left = (uint32_t)(fmaxf(place.left, 0.0f) / CELL), top = (uint32_t)(fmaxf(place.top, 0.0f) / CELL);
    const uint32_t right = (uint32_t)ceilf(place.right / CELL), bottom = (uint32_t)ceilf(place.bottom / CELL);
    if (place.left < 0.0f || place.top < 0.0f || right > taken->columns || bottom > taken->rows) {
        return false;
    }
    for (uint32_t row = top; row < bottom; row++) {
        if (memchr(taken->cells + (size_t)row * taken->columns + left, 1, right - left)) {
            return false;
        }
    }
    for (uint32_t row = top; row < bottom; row++) {
        memset(taken->cells + (size_t)row * taken->columns + left, 1, right - left);
    }
    return true;
}

static void write(Labels *labels, float left, float top, const char *text) {
    UiText style = {.position = {left, top}, .size = LABEL_LINE, .weight = 0.01f, .outline = 1.6f};
    memcpy(style.colour, SHADES[0], sizeof style.colour);
    memcpy(style.outlineColour, SHADES[1], sizeof style.outlineColour);
    uiText(labels->ui, &style, text);
}

/* Right of the point, or left of it. */
static void place(Labels *labels, const Taken *taken, const Label *label, float scale) {
    const float x = label->position[0] / scale, y = label->position[1] / scale;
    float size[2];
    uiTextSize(labels->ui, LABEL_LINE, label->text, size);
    const float top = y - 0.5f * size[1], lefts[2] = {x + GAP, x - GAP - size[0]};
    for (int side = 0; side < 2 && size[0] > 0.0f; side++) { /* with the mark, which no text covers then */
        const float left = side == 0 ? x - 0.5f * GAP : lefts[1];
        if (take(taken, (Place){left, top, left + size[0] + 1.5f * GAP, top + size[1]})) {
            write(labels, x - 0.5f * labels->mark[0], y - 0.5f * labels->mark[1], MARK);
            write(labels, lefts[side], top, label->text);
            return;
        }
    }
}

static int compareLabels(const void *a, const void *b) {
    const Label *left = a, *right = b;
    const int farther = (left->distance > right->distance) - (left->distance < right->distance);
    return farther != 0 ? farther : strcmp(left->text, right->text);
}

bool labelsRecord(Labels *labels, Label *list, uint32_t count, const Frame *frame, const TargetImage *image,
                  uint32_t width, uint32_t height, EngineError *error) {
    const float scale = fmaxf((float)height / LABEL_HEIGHT, 1.0f);
    Taken taken = {.columns = (uint32_t)((float)width / scale / CELL),
                   .rows = (uint32_t)((float)height / scale / CELL)};
    taken.cells = engineAllocate((size_t)taken.columns * taken.rows + 1, 1, error);
    if (!taken.cells) {
        return false;
    }
    qsort(list, count, sizeof *list, compareLabels);
    uiBegin(labels->ui, &(UiInput){.width = width, .height = height, .scale = scale});
    for (uint32_t i = 0; i < count; i++) {
        const float *at = list[i].position;
        if (at[0] >= 0.0f && at[1] >= 0.0f && at[0] < (float)width && at[1] < (float)height) {
            place(labels, &taken, &list[i], scale);
        }
    }
    free(taken.cells);
    return uiDrawRecord(labels->draw, frame->slot, frame->commandBuffer, uiEnd(labels->ui), image, width, height,
                        error);
}
