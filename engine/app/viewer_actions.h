/*
 * viewer_actions.h: what a user of the viewer of models does to the scene: clips, times, methods, morph targets, the state
 * machine, the camera. A model of the scene has a clip and a time of its own, which all of its characters show.
 */
#ifndef ENGINE_VIEWER_ACTIONS_H
#define ENGINE_VIEWER_ACTIONS_H

#include "viewer_state.h"

/* Their user is a Viewer. */
const Action *viewerActions(uint32_t *count);

/* As the functions of ViewScene: viewer_panels.c. user: a Viewer. */
void viewerPanels(void *user, Panels *panels);
void viewerCosts(const void *user, Panels *panels);
void viewerTimes(const void *user, PanelsTimes *times);

/* Where the sun is: degrees about the vertical axis from the front to the right side, and above the horizon. */
void viewerSun(const Viewer *viewer, double *azimuth, double *elevation);

/* The camera of a new scene. */
void viewerResetCamera(Viewer *viewer);

/* Selects the node that is nearest to a place of the window, and looks at it. Nothing is near: looks at the selection. */
void viewerFocus(Viewer *viewer, const float pixel[2]);

/* Takes the answer to a pick of a crowd on the device, if there is one. Once per frame. */
bool viewerAnswer(Viewer *viewer, EngineError *error);

/* Every character to its next clip (steps 1) or the one before (-1), around the ends. Those without clips stay. */
void viewerStepClips(Population *population, int steps);

#endif
