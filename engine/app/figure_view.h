/* figure_view.h: vkskin view for a 2D character, in two steps: a model is read before there is a device. */
#ifndef APP_FIGURE_VIEW_H
#define APP_FIGURE_VIEW_H

#include "file_watch.h"
#include "session.h"
#include "window.h"

/* watch: of the file, from now on. */
bool figureViewLoad(Session *session, FileWatch *watch, EngineError *error);

/* Shows the session's character until the user closes the window, and writes the picture of --output. */
bool figureViewRun(Session *session, Window *window, const FileWatch *watch, EngineError *error);

#endif
