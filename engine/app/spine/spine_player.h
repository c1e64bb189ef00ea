/*
 * spine_player.h: plays the animations of a 2D character one after the other, in loops. A change fades within SPINE_FADE
 * seconds; a second animation may be mixed in all the time. Targets of IK may be pulled. Or a state machine plays.
 */
#ifndef APP_SPINE_PLAYER_H
#define APP_SPINE_PLAYER_H

#include "spine_play.h"

#define SPINE_FADE       0.3                   /* seconds */
#define SPINE_TRACKS_MAX (SPINE_PLAYS_MAX - 1) /* one play is left for the second animation */
#define SPINE_PULLS_MAX  16u

/* An animation that is shown, or still to be seen while the next one fades in. */
typedef struct SpineTrack {
    int32_t animation; /* -1: the setup pose */
    double time;       /* seconds, within its duration */
    double share;      /* 0 to 1: of its fade */
} SpineTrack;

typedef struct SpinePlayer {
    const SpineModel *spine;
    SpineTrack tracks[SPINE_TRACKS_MAX]; /* the oldest first */
    uint32_t trackCount;                 /* at least 1 */
    int32_t blendAnimation;              /* in step with the newest track, as SpineMotion */
    double blendWeight, blendTime;
    SpinePull pulls[SPINE_PULLS_MAX];
    uint32_t pullCount;
    SpineCurves curves;
    const MotionMachine *machine; /* or null: plays instead of all animations */
    double clock;                 /* seconds that it has played */
} SpinePlayer;

/* Begins with the motion at 0 s. The 2D model and the machine stay. */
void spinePlayerStart(SpinePlayer *player, const SpineModel *spine, const SpineMotion *motion);

/*
 * Goes on with a 2D model that replaces the old one, which must still be there. What has the same name stays: the newest
 * animation with its time, the second one with its weight, bones that are pulled. Without the newest animation it is the
 * first one, from 0 s. The caller replaces the machine, which goes on at its time.
 */
void spinePlayerReplace(SpinePlayer *player, const SpineModel *spine);

/* The newest animation. */
int32_t spinePlayerAnimation(const SpinePlayer *player);

/*
 * Goes on with another animation, from 0 s; fades: not at once. If more animations than SPINE_TRACKS_MAX are still to be
 * seen, the oldest is dropped.
 */
void spinePlayerChange(SpinePlayer *player, int32_t animation, bool fades);

/* To the next animation of the 2D model (steps 1) or the one before (-1), around the ends. */
void spinePlayerStep(SpinePlayer *player, int steps, bool fades);

/* The weight of the second animation by a quarter more, from 1 to 0. Without one it is the animation after the newest. */
void spinePlayerStepBlend(SpinePlayer *player);

/* To a moment of the newest animation, which is then shown alone; with a machine, of its clock. seconds: at least 0. */
void spinePlayerSeek(SpinePlayer *player, double seconds);

/* Time passes. seconds: below 0 after a step back. */
void spinePlayerAdvance(SpinePlayer *player, double seconds);

/* Puts a bone there from now on. False: SPINE_PULLS_MAX others are pulled already. */
bool spinePlayerPull(SpinePlayer *player, uint32_t bone, const double place[2]);

void spinePlayerPose(const SpinePlayer *player, SpinePose *pose);

#endif
