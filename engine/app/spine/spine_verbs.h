/* spine_verbs.h: what the verbs do with 2D characters. Each function is all of a verb: it returns the exit status. `info` and
 * `bake` need no Vulkan device. */
#ifndef APP_SPINE_VERBS_H
#define APP_SPINE_VERBS_H

#include "options.h"

int spineBake(const Arguments *arguments);
int spineCompare(const Arguments *arguments);
int spineCrowd(const Arguments *arguments);
int spineInfo(const Arguments *arguments);
int spineRender(const Arguments *arguments);
int spineView(const Arguments *arguments);

/* The names of SpinePlacement, null-terminated. */
extern const char *const SPINE_PLACE_NAMES[];

#endif
