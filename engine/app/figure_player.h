/*
 * figure_player.h: plays the animations of a 2D character one after the other, in loops. A change fades within FIGURE_FADE
 * seconds; a second animation may be mixed in all the time. Targets of IK may be pulled.
 */
#ifndef APP_FIGURE_PLAYER_H
#define APP_FIGURE_PLAYER_H

#include "figure_motion.h"

#define FIGURE_FADE       0.3                    /* seconds */
#define FIGURE_TRACKS_MAX (FIGURE_PLAYS_MAX - 1) /* one play is left for the second animation */
#define FIGURE_PULLS_MAX  16u

/* An animation that is shown, or still to be seen while the next one fades in. */
typedef struct FigureTrack {
    int32_t animation; /* -1: the setup pose */
    double time;       /* seconds, within its duration */
    double share;      /* 0 to 1: of its fade */
} FigureTrack;

typedef struct FigurePlayer {
    const Figure *figure;
    FigureTrack tracks[FIGURE_TRACKS_MAX]; /* the oldest first */
    uint32_t trackCount;                   /* at least 1 */
    int32_t blendAnimation;                /* in step with the newest track, as FigureMotion */
    double blendWeight, blendTime;
    FigurePull pulls[FIGURE_PULLS_MAX];
    uint32_t pullCount;
} FigurePlayer;

/* Begins with the motion at 0 s. The figure stays. */
void figurePlayerStart(FigurePlayer *player, const Figure *figure, const FigureMotion *motion);

/*
 * Goes on with a figure that replaces the old one, which must still be there. What has the same name stays: the newest
 * animation with its time, the second one with its weight, bones that are pulled. Without the newest animation it is the
 * first one, from 0 s.
 */
void figurePlayerReplace(FigurePlayer *player, const Figure *figure);

/* The newest animation. */
int32_t figurePlayerAnimation(const FigurePlayer *player);

/*
 * Goes on with another animation, from 0 s; fades: not at once. If more animations than FIGURE_TRACKS_MAX are still to be
 * seen, the oldest is dropped.
 */
void figurePlayerChange(FigurePlayer *player, int32_t animation, bool fades);

/* To the next animation of the figure (steps 1) or the one before (-1), around the ends. */
void figurePlayerStep(FigurePlayer *player, int steps, bool fades);

/* The weight of the second animation by a quarter more, from 1 to 0. Without one it is the animation after the newest. */
void figurePlayerStepBlend(FigurePlayer *player);

/* Time passes. seconds: at least 0. */
void figurePlayerAdvance(FigurePlayer *player, double seconds);

/* Puts a bone there from now on. False: FIGURE_PULLS_MAX others are pulled already. */
bool figurePlayerPull(FigurePlayer *player, uint32_t bone, const double place[2]);

void figurePlayerPose(const FigurePlayer *player, FigurePose *pose);

#endif
