/*
 * viewer_title.h: the title bar of a window that shows a crowd.
 */
#ifndef ENGINE_VIEWER_TITLE_H
#define ENGINE_VIEWER_TITLE_H

#include "crowd.h"

#define VIEWER_TITLE_SIZE 256

typedef struct ViewerTitle {
    const char *label;      /* what is shown */
    double framesPerSecond; /* 0: not known yet, left out */
    bool paused;
    VkskinBackend backend; /* in use */
} ViewerTitle;

/*
 * "LABEL | CLIP | linear blend by compute | 60.0 fps | paused". CLIP and method are those of the first member: "clip 1 of 3:
 * Run", "rest pose", or "mixed clips" when members of its kind show different ones.
 */
void viewerTitle(char text[VIEWER_TITLE_SIZE], const ViewerTitle *title, const Crowd *crowd);

#endif
