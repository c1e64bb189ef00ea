/*
 * viewer_actions.h: what a user of the viewer of models does to the scene: clips, times, methods, morph targets, the state
 * machine, the camera. A model of the scene has a clip and a time of its own, which all of its characters show.
 */
#ifndef ENGINE_VIEWER_ACTIONS_H
#define ENGINE_VIEWER_ACTIONS_H

#include "actions.h"
#include "draw.h"
#include "hot_reload.h"
#include "population_pick.h"
#include "scene.h"
#include "view_loop.h"

/*
 * Shows other models in the scene if their files have changed; *replaced is then set. Called twice a second, between
 * frames. False: the viewer ends with *error.
 */
typedef bool (*ViewerModelsFn)(void *user, bool *replaced, EngineError *error);

typedef struct ViewerDef {
    Window *window;
    Scene *scene;             /* scene on a device that can present to the window */
    const char *label;        /* text of the title bar */
    const char *const *names; /* [models of the scene], by kind: for lists */
    HotReload *reload;        /* null: shaders stay as they are */
    ViewerModelsFn models;    /* null: models stay as they are */
    void *modelsUser;
    uint32_t shows; /* as DrawScene */
    Paint paint;    /* likewise */
} ViewerDef;

typedef struct Viewer {
    const ViewerDef *def;
    Draw *draw;
    DrawScene scene;
    Orbit orbit;
    double clock;                  /* clock of the population */
    double polled, modelsPolled;   /* moments of ViewClock.now */
    uint32_t kind;                 /* the model that actions are for */
    uint32_t node;                 /* the selected node of that model, or ACTION_NONE */
    PopulationPick pick;           /* the last one */
    PickRay ray;                   /* of it */
    Scene *guest;                  /* a character that left the crowd: viewer_fall.h; or null */
    uint32_t guestOf;              /* its index in the population */
    double posing, recording;      /* milliseconds of the CPU, of the last frame */
    uint32_t background;           /* 0xRRGGBB, or OPTION_COLOUR_NONE */
    char paint[ACTION_VALUE_SIZE]; /* text that scene.paint was read from, if an action chose it */
} Viewer;

/* Their user is a Viewer. */
const Action *viewerActions(uint32_t *count);

/* As the functions of ViewScene: viewer_panels.c. user: a Viewer. */
void viewerPanels(void *user, Panels *panels);
void viewerCosts(const void *user, Panels *panels);
void viewerTimes(const void *user, PanelsTimes *times);

/* The first character of the selected model; null: the scene has none. */
Character *viewerCharacter(const Viewer *viewer);

/* Seconds since the start of the clip of that character, within its duration where it has one. */
double viewerTime(const Viewer *viewer);

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
