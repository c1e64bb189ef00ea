/* viewer_state.h: what the viewer of models shows now; its actions, its panels and its falls share it. */
#ifndef ENGINE_VIEWER_STATE_H
#define ENGINE_VIEWER_STATE_H

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
    PickRay ray;                   /* the ray of that pick */
    Scene *guest;                  /* the character that left the crowd: viewer_fall.h; or null */
    uint32_t guestOf;              /* the index of that character in the population */
    double posing, recording;      /* milliseconds of the CPU, of the last frame */
    uint32_t background;           /* 0xRRGGBB, or OPTION_COLOUR_NONE */
    char paint[ACTION_VALUE_SIZE]; /* text that scene.paint was read from, if an action chose it */
} Viewer;

/* The first character of the selected model; null: the scene has none. */
Character *viewerCharacter(const Viewer *viewer);

/* Seconds since the start of the clip of that character, within its duration where it has one. */
double viewerTime(const Viewer *viewer);

#endif
