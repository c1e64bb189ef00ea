/*
 * spine_view_actions.h: what a user of `view` does to a 2D character, and what the panels show of it: clips, skins, paints, the
 * state machine, the camera.
 */
#ifndef APP_SPINE_VIEW_ACTIONS_H
#define APP_SPINE_VIEW_ACTIONS_H

#include "file_watch.h"
#include "spine_draw.h"
#include "spine_player.h"
#include "view_run.h"

typedef struct SpineViewer {
    Session *session;
    const ViewPlace *place;
    const char *path;
    const Model *model;
    const SpineModel *spine;
    SpinePose *pose;
    SpinePlayer player;
    MotionMachine *machine; /* for --machine, or null */
    Skinning *skinning;
    SpineDraw *draw;
    VkFormat format;
    uint32_t width, height; /* that `draw` is for; 0: not yet */
    SpineCamera camera;
    uint32_t shows; /* SPINE_SHOW_MESH and so on */
    int32_t skin;   /* chosen by the key; -1: those of --skin */
    int32_t bone;   /* selected; -1: none */
    Paint paint;
    char paintText[ACTION_VALUE_SIZE]; /* that it was read from, if an action chose it */
    int32_t grabbed;                   /* index of the bone that is pulled; -1: none */
    double grabbedAt[2];
    bool paused; /* in the last frame */
    FileWatch watch;
    double polled; /* time of the last look at the file */
} SpineViewer;

/* Makes the pose anew, with the skins that are chosen. On failure the old one stays. */
bool spineMakePose(SpineViewer *viewer, EngineError *error);

/* Shows all of the newest animation. */
void spineFrameCamera(SpineViewer *viewer);

/* Their user is a SpineViewer. */
const Action *spineActions(uint32_t *count);

/* As the functions of ViewScene. */
void spinePanels(void *user, Panels *panels);
void spineTimes(const void *user, PanelsTimes *times);

#endif
