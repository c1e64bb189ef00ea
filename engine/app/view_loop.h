/*
 * view_loop.h: shows a ViewScene in a window until the user closes it: input, a clock, frames, the title bar. `viewer.h` makes a
 * scene of characters, `spine_view.c` one of a 2D character.
 */
#ifndef ENGINE_VIEW_LOOP_H
#define ENGINE_VIEW_LOOP_H

#include "actions.h"
#include "view_panels.h"

/* The user may pause it, step by VIEW_STEP, and change its speed. While a script runs, a frame is VIEW_SCRIPT_STEP. */
typedef struct ViewClock {
    double now;   /* the moment of the frame: seconds of measureNow */
    double step;  /* seconds that the scene moves in this frame; below 0 after a step back */
    double speed; /* seconds of the scene in a second: 1 at first, 1/16 to 16 */
    bool paused;
} ViewClock;

#define VIEW_STEP        (1.0 / 30.0)
#define VIEW_SCRIPT_STEP (1.0 / 60.0)
#define VIEW_TITLE_SIZE  400
#define VIEW_CLIP_SIZE   192
#define VIEW_PATH_SIZE   4096

/* What is shown. Functions return false with *error to end the loop. */
typedef struct ViewScene {
    /* Before the first frame. format: of the window's images. */
    bool (*open)(void *user, VkFormat format, EngineError *error);
    /* The user's mouse, in each frame, before actions. */
    void (*input)(void *user, const WindowInput *input);
    /* Moves by clock->step, and takes what has changed in files; *titled is then set where the title must be shown anew. */
    bool (*update)(void *user, const ViewClock *clock, bool *titled, EngineError *error);
    /* Records a frame. target: its size is that of the scene's part of the picture, without panels. */
    bool (*record)(void *user, const Frame *frame, const Target *target, const TargetImage *image, EngineError *error);
    /* The title bar without rate and clock. */
    void (*title)(void *user, char text[VIEW_TITLE_SIZE]);
    /* Frees what open has made; the device is idle. Also after a failure of open. */
    void (*close)(void *user);
    /* Items of the side panel, in frames that show it. */
    void (*panels)(void *user, Panels *panels);
    /* What frames cost: items below the graph of frames. Null: nothing. */
    void (*costs)(const void *user, Panels *panels);
    /* Time, duration and whether it repeats. */
    void (*times)(const void *user, PanelsTimes *times);
    /* [*count]; run between frames, with the scene's user. A click of the left button runs `pick`. */
    const Action *(*actions)(uint32_t *count);
    const char *mouse; /* what the mouse does, as a line of the help */
    bool plain;        /* shaders write the bytes of the screen: no sRGB format; where none is offered, it fails */
} ViewScene;

/* What outlasts a file that is shown. Zero at first. */
typedef struct ViewState {
    Script script;
    ViewMessages messages;
    bool force;                  /* pictures may replace any file */
    char opened[VIEW_PATH_SIZE]; /* the file that the user opened, which ended the loop; or empty */
    bool isShown;                /* the file was opened since the caller cleared this */
    uint64_t presented;          /* frames */
    /* Whether a file can be shown in place of what is shown. */
    bool (*canOpen)(const void *user, const char *path, EngineError *error);
    const void *openUser;
    bool (*write)(const Picture *picture, const char *path, EngineError *error); /* as a PNG file */
} ViewState;

typedef struct ViewLoopDef {
    Window *window;
    Device *device; /* can present to the window */
    const ViewScene *scene;
    void *user;       /* passed to the scene's functions */
    ViewState *state; /* with a script, if there is one */
    uint64_t frames;  /* to present in all loops of the state, then end; 0: until the user closes the window */
    bool paused;      /* at the start */
    bool capture;     /* the last frame is wanted as a picture */
} ViewLoopDef;

/* Adds what the scene and the loop itself do. Null users: for a table that only reads a script. */
void viewLoopActions(ActionTable *table, const ViewScene *scene, void *user, void *loop);

/*
 * Shows the window when the scene is open and the script is checked. picture: the last frame if `capture` is set and no file was
 * opened; else zero, and zero on failure.
 */
bool viewLoopRun(const ViewLoopDef *def, Picture *picture, EngineError *error);

/* "WHAT | 60.0 fps | x2 | paused". framesPerSecond 0: not known yet, left out. */
void viewLoopTitle(char text[VIEW_TITLE_SIZE], const char *what, double framesPerSecond, const ViewClock *clock);

/*
 * "clip 1 of 0 to 3: Run, 25 % of Walk" for a title. none: in place of a clip that `clips` do not have. other: a second clip
 * with a weight, or none of them.
 */
void viewClipText(char text[VIEW_CLIP_SIZE], const Names *clips, uint32_t clip, const char *none, uint32_t other,
                  double weight);

#endif
