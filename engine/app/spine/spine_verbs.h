/* spine_verbs.h: what the verbs do with 2D characters. `info` and `bake` need no Vulkan device. */
#ifndef APP_SPINE_VERBS_H
#define APP_SPINE_VERBS_H

#include "spine_characters.h"
#include "spine_options.h"
#include "file_watch.h"
#include "import.h"
#include "window.h"

/* Prints the tables or JSON of `info`. The model has a 2D model. */
bool spineInfo(const Arguments *arguments, const Model *model, const ImportSandbox *sandbox, EngineError *error);

/* All of `bake`: returns its exit status. */
int spineBake(const Arguments *arguments);

/* All of `render`: returns its exit status. */
int spineRender(const Arguments *arguments);

/* All of `crowd`: returns its exit status. */
int spineCrowd(const Arguments *arguments);

/* For `view`, in two steps: a model is read before there is a device. watch: of the file, from now on. */
bool spineViewLoad(Session *session, FileWatch *watch, EngineError *error);

/* Shows the session's character until the user closes the window, and writes the picture of --output. */
bool spineViewRun(Session *session, Window *window, const FileWatch *watch, EngineError *error);

/* For `compare`: reads the characters, null on failure; draws and measures them with a system, with the numbers of its table. */
SpineCharacters *spineCompareLoad(Session *session, EngineError *error);
bool spineCompareRun(Session *session, SpineCharacters *characters, SkinSystem system, CrowdResult *result,
                     Picture *picture, EngineError *error);

/* The names of SpinePlacement, null-terminated. */
extern const char *const SPINE_PLACE_NAMES[];

#endif
