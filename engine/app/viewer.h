/*
 * viewer.h: shows a scene in a window until the user closes it.
 */
#ifndef ENGINE_VIEWER_H
#define ENGINE_VIEWER_H

#include "hot_reload.h"
#include "scene.h"
#include "target.h"
#include "window.h"

typedef enum ViewerLine {
    VIEWER_LINE_KEYS,     /* the list of keys, on request; may hold line ends */
    VIEWER_LINE_RELOADED, /* a shader was replaced */
    VIEWER_LINE_SHADER    /* a shader has an error and the old one stays; may hold line ends */
} ViewerLine;

/* Receives text for the user, without a line end after the last line. Called on the thread of viewerRun. */
typedef void (*ViewerSayFn)(void *user, ViewerLine kind, const char *text);

typedef struct ViewerDef {
    Window *window;
    Scene *scene;            /* its device can present to the window */
    uint32_t framesInFlight; /* as the scene's; 0: FRAMES_DEFAULT */
    const char *label;       /* of the title bar */
    uint64_t frames;         /* to present, then end; 0: until the user closes the window */
    double clock;            /* the crowd's, at the start; seconds */
    bool paused;             /* at the start */
    HotReload *reload;       /* null: shaders stay as they are */
    bool capture;            /* the last frame is wanted as a picture */
    ViewerSayFn say;
    void *user;
} ViewerDef;

/*
 * Shows the scene. The user may change the clip and the method of its members. Shaders that `reload` has compiled are in
 * use from the first frame on. picture: the last frame if ViewerDef.capture is set; else zero, and zero on failure.
 */
bool viewerRun(const ViewerDef *def, Picture *picture, EngineError *error);

/* The keys and what the mouse does, as `h` prints them. Static. */
const char *viewerKeys(void);

/* Every member to its next clip (steps 1) or the one before (-1), around the ends. Those without clips stay. */
void viewerStepClips(Crowd *crowd, int steps);

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
