/* figure_verbs.h: what the verbs do with 2D characters. `info` and `bake` need no Vulkan device. */
#ifndef APP_FIGURE_VERBS_H
#define APP_FIGURE_VERBS_H

#include "figure_characters.h"
#include "figure_options.h"
#include "file_watch.h"
#include "import.h"
#include "window.h"

/* Prints the tables or JSON of `info`. The model has a figure. */
bool figureInfo(const Arguments *arguments, const Model *model, const ImportSandbox *sandbox, EngineError *error);

/* All of `bake`: returns its exit status. */
int figureBake(const Arguments *arguments);

/* All of `render`: returns its exit status. */
int figureRender(const Arguments *arguments);

/* All of `crowd`: returns its exit status. */
int figureCrowd(const Arguments *arguments);

/* For `view`, in two steps: a model is read before there is a device. watch: of the file, from now on. */
bool figureViewLoad(Session *session, FileWatch *watch, EngineError *error);

/* Shows the session's character until the user closes the window, and writes the picture of --output. */
bool figureViewRun(Session *session, Window *window, const FileWatch *watch, EngineError *error);

/* For `compare`: reads the characters, null on failure; draws and measures them with a system, with the numbers of its table. */
FigureCharacters *figureCompareLoad(Session *session, EngineError *error);
bool figureCompareRun(Session *session, FigureCharacters *characters, SkinSystem system, CrowdResult *result,
                      Picture *picture, EngineError *error);

/* The names of FigurePlacement, null-terminated. */
extern const char *const FIGURE_PLACE_NAMES[];

#endif
