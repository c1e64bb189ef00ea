/*
 * view_panels.h: the panels of the view loop: when they are shown, what the user does to them, their place in the picture, and
 * what they show of the loop itself.
 */
#ifndef ENGINE_VIEW_PANELS_H
#define ENGINE_VIEW_PANELS_H

#include "motion_machine.h"
#include "paint.h"
#include "panels.h"
#include "ui_draw.h"
#include "window.h"

#define VIEW_GRAPH_FRAMES  120
#define VIEW_MESSAGES      6
#define VIEW_MESSAGE_BYTES 400

/* Warnings, and errors of shaders, the newest last. Zero at first. */
typedef struct ViewMessages {
    char lines[VIEW_MESSAGES][VIEW_MESSAGE_BYTES];
    uint32_t count;
} ViewMessages;

/* Keeps what is printed from now on; null: no longer. */
void viewMessagesHear(ViewMessages *messages);

/* Zero at first, except `device`. */
typedef struct ViewPanels {
    Device *device;
    Panels *panels; /* null: not yet */
    UiDraw *draw;
    VkFormat format; /* that `draw` is for */
    const UiPicture *picture;
    float scale;                     /* pixels of a point */
    bool hidden, helps;              /* by the user */
    bool shown;                      /* in this frame */
    float frames[VIEW_GRAPH_FRAMES]; /* milliseconds */
    uint32_t newest;
    double lastSeconds; /* time of the frame before */
} ViewPanels;

/* The device must no longer use them. */
void viewPanelsEnd(ViewPanels *panels);

/*
 * Begins a frame. Takes from the input what the panels use: the mouse over them, typed text. isScripted: the mouse is ignored.
 * seconds: since the frame before.
 * Where the scene gets another part of the picture, it waits for the device.
 */
bool viewPanelsBegin(ViewPanels *panels, Window *window, WindowInput *input, const ActionTable *table, bool isScripted,
                     double seconds, EngineError *error);

/* The choice of a paint. isFlat: of 2D characters. */
void viewPanelsPaint(Panels *panels, const Paint *paint, bool isFlat);

/* Items for a state machine at a moment. */
void viewPanelsMachine(Panels *panels, const MotionMachine *machine, double seconds);

/* The graph of frames. False: its section is closed, make no items. */
bool viewPanelsFrames(ViewPanels *panels);

/* If they are shown: the items of the scene stand between viewPanelsBegin and this call. */
void viewPanelsFinish(ViewPanels *panels, const ViewMessages *messages, const PanelsTimes *times);

/* Pixels of the picture that the scene has beside panels: those at its upper left. */
void viewPanelsArea(const ViewPanels *panels, Target *target);

/* Draws over the picture. */
bool viewPanelsRecord(ViewPanels *panels, const Frame *frame, const Target *target, const TargetImage *image,
                      EngineError *error);

#endif
