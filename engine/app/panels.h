/*
 * panels.h: the items of the viewer's panels: one panel at the right, one time line below the picture. An item shows a value of
 * the scene. What the user changes is an action of the table, which the caller runs: the item itself holds nothing.
 *
 * A frame: panelsBegin, items, panelsEnd, then panelsTake for each action.
 */
#ifndef APP_PANELS_H
#define APP_PANELS_H

#include "actions.h"
#include "ui.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Points that the panels take from the picture. */
#define PANELS_WIDTH  300.0f
#define PANELS_HEIGHT 60.0f
/* A smaller window shows none. */
#define PANELS_LEAST_WIDTH  720.0f
#define PANELS_LEAST_HEIGHT 420.0f

typedef struct Panels Panels;

/* What the time line shows. */
typedef struct PanelsTimes {
    double time, duration; /* seconds; a duration of 0 or infinity: nothing repeats */
    double speed;
    bool paused;
    bool loops;
} PanelsTimes;

Panels *panelsCreate(EngineError *error);

/* Null is allowed. */
void panelsDestroy(Panels *panels);

UiAtlas panelsAtlas(const Panels *panels);

/* table: outlives the frame. */
UiWants panelsBegin(Panels *panels, const UiInput *input, const ActionTable *table);

/* A group of items under a title. False: it is closed, make no items. opens: at first. */
bool panelsSection(Panels *panels, const char *title, bool opens);

/* Items of a section. word: of the action that a change is; an item whose action the table does not have is not shown. */

/* The names of the action to choose from. none: the entry for ACTION_NONE; null: there is none. */
void panelsChoice(Panels *panels, const char *word, const char *label, uint32_t current, const char *none);
/* Other names to choose from; the value is the name. */
void panelsWords(Panels *panels, const char *word, const char *label, const Names *names, uint32_t current);
/* A slider over the range of the action. format: printf's, of a double. */
void panelsNumber(Panels *panels, const char *word, const char *label, double number, const char *format);
/* The same, for an action whose value is NAME=NUMBER; minimum = maximum: any number. */
void panelsSetting(Panels *panels, const char *word, const char *name, double number, double minimum, double maximum);
/* A button for such an action, which sets 1. */
void panelsSet(Panels *panels, const char *word, const char *name);
/* A colour, 0xRRGGBB; the value is its six digits, or "none" for the switch beside it. none: it is off. */
void panelsColour(Panels *panels, const char *word, const char *label, uint32_t colour, bool none);
/* Two of them stand in a row; other items stand before them in a section. */
void panelsSwitch(Panels *panels, const char *word, const char *label, bool on);
/* Buttons in one row; words, labels: [count]. */
void panelsButtons(Panels *panels, const char *const *words, const char *const *labels, uint32_t count);
/*
 * The names of the action as a tree; the chosen one again: "none". parents: the first member `parent`, of the structs that the
 * names are members of: the index of an earlier one, -1: a root.
 */
void panelsTree(Panels *panels, const char *word, const int32_t *parents, uint32_t current);
void panelsText(Panels *panels, const char *label, const char *text);
/* A text that may take several lines. */
void panelsMessage(Panels *panels, const char *text);
/* values: [count], the newest at `newest`. maximum: at the top. */
void panelsGraph(Panels *panels, const float *values, uint32_t count, uint32_t newest, float maximum, const char *text);

/* Adds the time line. helps: keys and help of all actions, over the picture. Valid until the next panelsBegin. */
const UiPicture *panelsEnd(Panels *panels, const PanelsTimes *times, bool helps);

/* The word of the next action of this frame, with its value; null: there are no more. */
const char *panelsTake(Panels *panels, char value[ACTION_VALUE_SIZE]);

#ifdef __cplusplus
}
#endif

#endif
