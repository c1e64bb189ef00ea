/*
 * viewer.h: shows a scene in a window until the user closes it.
 */
#ifndef ENGINE_VIEWER_H
#define ENGINE_VIEWER_H

#include "viewer_actions.h"

/*
 * Shows a scene; its user is a Viewer that is zero but for `def`. Prints which shaders were replaced to standard output; errors of
 * shaders, whose old version stays, to standard error. Shaders that `reload` has compiled are in use from the first frame on.
 */
extern const ViewScene viewerScene;

/*
 * "LABEL | CLIP | linear blend by compute". CLIP and method are those of the first character: "clip 1 of 0 to 3: Run", "rest
 * pose", or "mixed clips" when characters of its kind show different ones. backend: in use, with SKIN_SYSTEM_COMPUTE; else the
 * system is named.
 */
void viewerTitle(char text[VIEW_TITLE_SIZE], const char *label, VkskinBackend backend, const Population *population);

#endif
