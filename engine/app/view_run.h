/*
 * view_run.h: the steps of `view` that all kinds of content share: script, files, window, device, session. A file that the user
 * opens takes the place of the operands, in the same window.
 */
#ifndef APP_VIEW_RUN_H
#define APP_VIEW_RUN_H

#include "session.h"
#include "view_loop.h"

/* Where a kind of content is shown. */
typedef struct ViewPlace {
    Window *window; /* hidden at first */
    ViewState *state;
} ViewPlace;

typedef struct ViewContent {
    /* Reads the operands of the session, then viewOpen and viewShow. */
    bool (*run)(Session *session, ViewPlace *place, EngineError *error);
    const ViewScene *scene;
} ViewContent;

/* Opens the session's device, which presents to the window; makes the window if there is none yet. */
bool viewOpen(ViewPlace *place, Session *session, EngineError *error);

/*
 * Shows the scene until the user closes the window or opens a file, and writes the picture of --output if no file was opened.
 * user: of the scene.
 */
bool viewShow(const Session *session, const ViewPlace *place, const ViewScene *scene, void *user, EngineError *error);

extern const ViewContent modelViewContent, spineViewContent;

#endif
