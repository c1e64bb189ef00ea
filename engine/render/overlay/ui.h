/*
 * ui.h: text and panels as one draw list. Wraps Dear ImGui, which is C++, for the rest of the engine.
 *
 * A frame: uiBegin, then calls of ImGui or uiText, then uiEnd; ui_draw.h draws the result. Positions and sizes are in points from
 * the upper left, y down; UiInput.scale says how many pixels a point has. All on one thread.
 * From its uiBegin to its uiEnd, a Ui is the context of ImGui.
 */
#ifndef ENGINE_UI_H
#define ENGINE_UI_H

#include "engine_error.h"

#ifdef __cplusplus
extern "C" {
#endif

#define UI_LINE 17.0f /* points: the height of a line of text in panels */

/* Keys that edit text. */
typedef enum UiKey {
    UI_KEY_TAB = 0,
    UI_KEY_LEFT,
    UI_KEY_RIGHT,
    UI_KEY_HOME,
    UI_KEY_END,
    UI_KEY_DELETE,
    UI_KEY_BACKSPACE,
    UI_KEY_ENTER,
    UI_KEY_ESCAPE,
    UI_KEY_CTRL,
    UI_KEY_SHIFT
} UiKey;

/* What the user does, and the picture that the frame is drawn over. */
typedef struct UiInput {
    uint32_t width, height; /* pixels, above 0 */
    float scale;            /* pixels of a point, above 0; 0: 1 */
    float seconds;          /* since the frame before, above 0; 0: 1/60 */
    bool hasMouse;          /* false: outside the window, or there is none */
    float mouse[2];         /* pixels */
    uint32_t buttons;       /* bit 0: left, 1: right, 2: middle; down now, or pressed since the frame before */
    float wheel;            /* steps; positive: away from the user */
    uint32_t keys;          /* bit k: UiKey k is down */
    const char *text;       /* UTF-8 typed since the frame before; null: none */
} UiInput;

/* What panels take from the scene: the mouse is over one or drags what it holds; an item takes typed text. */
typedef struct UiWants {
    bool mouse, keyboard;
} UiWants;

/* A vertex of the draw list. */
typedef struct UiVertex {
    float position[2]; /* points */
    float place[2];    /* in the atlas, 0 to 1 */
    uint8_t colour[4]; /* sRGB and alpha */
} UiVertex;

/* Triangles with one setting. */
typedef struct UiCommand {
    float clip[4];                                /* points: left, top, right, bottom */
    uint32_t firstVertex, firstIndex, indexCount; /* an index counts from firstVertex */
    float grow;                                   /* texels of the atlas that outlines of letters are moved outwards */
} UiCommand;

/* A frame's draw list, from back to front. */
typedef struct UiPicture {
    float scale; /* pixels of a point */
    const UiVertex *vertices;
    const uint16_t *indices;
    const UiCommand *commands;
    uint32_t vertexCount, indexCount, commandCount; /* 0 commands: there is nothing to draw */
} UiPicture;

/* One byte a texel: distance fields as in glyphs.h, and white. */
typedef struct UiAtlas {
    const uint8_t *texels;
    uint32_t width, height;
} UiAtlas;

typedef struct UiText {
    float position[2]; /* the upper left of the first line */
    float size;        /* height of a line, above 0 */
    float
        weight; /* share of the height of a line, added to both sides of each stroke: 0 regular, 0.02 bold, -0.01 thin */
    float outline;                       /* points around each letter; 0: none */
    uint8_t colour[4], outlineColour[4]; /* sRGB and alpha */
} UiText;

typedef struct Ui Ui;

/* Makes all glyphs. Null on failure. */
Ui *uiCreate(EngineError *error);

/* Null is allowed. */
void uiDestroy(Ui *ui);

UiAtlas uiAtlas(const Ui *ui);

UiWants uiBegin(Ui *ui, const UiInput *input);

/* Valid until the next uiBegin. */
const UiPicture *uiEnd(Ui *ui);

/*
 * Text above all panels, between uiBegin and uiEnd. text: UTF-8; what has no glyph shows as GLYPH_UNKNOWN; up to UI_TEXT_BYTES.
 * Weight and outline wider than the fields hold are cut.
 */
void uiText(Ui *ui, const UiText *style, const char *text);

#define UI_TEXT_BYTES 4096

/* Width and height of the text without outline. */
void uiTextSize(const Ui *ui, float size, const char *text, float extent[2]);

#ifdef __cplusplus
}
#endif

#endif
