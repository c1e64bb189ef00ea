/* view_run.h: the steps of `view` that all kinds of content share: files, window, device, session. */
#ifndef APP_VIEW_RUN_H
#define APP_VIEW_RUN_H

#include "session.h"
#include "window.h"

typedef struct ViewContent {
    /* Reads the operands. */
    bool (*load)(Session *session, void *user, EngineError *error);
    /* Shows them on the session's device until the user closes the window, and writes the picture of --output. */
    bool (*show)(Session *session, Window *window, void *user, EngineError *error);
    void *user;
} ViewContent;

/* Returns the exit status. Files are read before there is a window. */
int viewRun(const Arguments *arguments, const ViewContent *content);

#endif
