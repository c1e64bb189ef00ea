/*
 * viewer_fall.h: characters that collapse in the viewer. One of a crowd on the device leaves it while it falls: it becomes the
 * guest, an instance that the CPU poses. There is one guest at a time.
 */
#ifndef ENGINE_VIEWER_FALL_H
#define ENGINE_VIEWER_FALL_H

#include "viewer_state.h"

/* The action `collapse`. */
bool viewerCollapse(void *user, const ActionValue *value, EngineError *error);

/* Once per frame, outside of it: a guest that stands in its clip again returns to the crowd. */
bool viewerGuestUpdate(Viewer *viewer, EngineError *error);

/* Without a guest, does nothing. Waits for the device. */
bool viewerGuestEnd(Viewer *viewer, EngineError *error);

#endif
