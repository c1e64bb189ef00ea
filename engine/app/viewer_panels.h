/* viewer_panels.h: what the panels show of the viewer of models. */
#ifndef ENGINE_VIEWER_PANELS_H
#define ENGINE_VIEWER_PANELS_H

#include "panels.h"
#include "viewer_actions.h"

/* As the functions of ViewScene. user: a Viewer. */
void viewerPanels(void *user, Panels *panels);
void viewerCosts(const void *user, Panels *panels);
void viewerTimes(const void *user, PanelsTimes *times);

#endif
