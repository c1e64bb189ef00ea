#include "figure_player.h"

#include <string.h>

#define BLEND_STEP 0.25

void figurePlayerStart(FigurePlayer *player, const Figure *figure, const FigureMotion *motion) {
    *player = (FigurePlayer){.figure = figure,
                             .tracks = {{motion->animation, 0.0, 1.0}},
                             .trackCount = 1,
                             .blendAnimation = motion->blendAnimation,
                             .blendWeight = motion->blendWeight,
                             .pulls = {motion->pull},
                             .pullCount = motion->pullCount};
}

static FigureTrack *newest(FigurePlayer *player) {
    return &player->tracks[player->trackCount - 1];
}

int32_t figurePlayerAnimation(const FigurePlayer *player) {
    return player->tracks[player->trackCount - 1].animation;
}

/* ---- Changes ---- */

void figurePlayerChange(FigurePlayer *player, int32_t animation, bool fades) {
    if (animation == figurePlayerAnimation(player)) {
        return;
    }
    if (!fades) {
        player->trackCount = 0;
    } else if (player->trackCount == FIGURE_TRACKS_MAX) {
        memmove(player->tracks, player->tracks + 1, (FIGURE_TRACKS_MAX - 1) * sizeof *player->tracks);
        player->trackCount--;
    }
    player->tracks[player->trackCount++] = (FigureTrack){animation, 0.0, fades ? 0.0 : 1.0};
    player->blendTime = 0.0;
}

void figurePlayerStep(FigurePlayer *player, int steps, bool fades) {
    const int64_t count = player->figure->animationCount;
    const int64_t from = figurePlayerAnimation(player);
    if (count > 0) {
        const int64_t first = from >= 0 ? from : steps > 0 ? -1 : count;
        figurePlayerChange(player, (int32_t)(((first + steps) % count + count) % count), fades);
    }
}

void figurePlayerStepBlend(FigurePlayer *player) {
    const int32_t count = (int32_t)player->figure->animationCount;
    if (count == 0) {
        return;
    }
    if (player->blendAnimation < 0) {
        player->blendAnimation = (figurePlayerAnimation(player) + 1) % count;
    }
    player->blendWeight = player->blendWeight < 1.0 ? fmin(player->blendWeight + BLEND_STEP, 1.0) : 0.0;
}

bool figurePlayerPull(FigurePlayer *player, uint32_t bone, const double place[2]) {
    uint32_t i = 0;
    while (i < player->pullCount && player->pulls[i].bone != bone) {
        i++;
    }
    if (i == FIGURE_PULLS_MAX) {
        return false;
    }
    player->pulls[i] = (FigurePull){bone, {place[0], place[1]}};
    player->pullCount += i == player->pullCount;
    return true;
}

static double loop(double time, double duration) {
    return duration > 0.0 ? fmod(time, duration) : 0.0;
}

/* ---- Another figure ---- */

/* The animation of the same name in another figure; -1: none. */
static int32_t sameAnimation(const Figure *old, int32_t animation, const Figure *figure) {
    return animation >= 0 ? figureFindAnimation(figure, old->animations[animation].name) : -1;
}

static bool findBone(const Figure *figure, const char *name, uint32_t *bone) {
    for (*bone = 0; *bone < figure->boneCount; (*bone)++) {
        if (strcmp(figure->bones[*bone].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static void keepPulls(FigurePlayer *player, const Figure *figure) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < player->pullCount; i++) {
        FigurePull pull = player->pulls[i];
        if (findBone(figure, player->figure->bones[pull.bone].name, &pull.bone)) {
            player->pulls[kept++] = pull;
        }
    }
    player->pullCount = kept;
}

void figurePlayerReplace(FigurePlayer *player, const Figure *figure) {
    const int32_t old = figurePlayerAnimation(player);
    FigureTrack track = {sameAnimation(player->figure, old, figure), newest(player)->time, 1.0};
    if (track.animation < 0) {
        track.animation = old >= 0 && figure->animationCount > 0 ? 0 : -1;
        track.time = 0.0;
    }
    track.time = loop(track.time, figureDuration(figure, track.animation));
    player->tracks[0] = track;
    player->trackCount = 1;
    player->blendAnimation = sameAnimation(player->figure, player->blendAnimation, figure);
    player->blendWeight = player->blendAnimation >= 0 ? player->blendWeight : 0.0;
    player->blendTime = loop(player->blendTime, figureDuration(figure, player->blendAnimation));
    keepPulls(player, figure);
    player->figure = figure;
}

/* ---- Playing ---- */

void figurePlayerAdvance(FigurePlayer *player, double seconds) {
    const FigureMotion motion = {.animation = figurePlayerAnimation(player),
                                 .blendAnimation = player->blendAnimation,
                                 .blendWeight = player->blendWeight};
    const double own = figureDuration(player->figure, motion.animation),
                 other = figureDuration(player->figure, motion.blendAnimation);
    const double mean = figureMotionDuration(player->figure, &motion);
    for (uint32_t i = 0; i < player->trackCount; i++) {
        FigureTrack *track = &player->tracks[i];
        const double pace = i + 1 == player->trackCount && mean > 0.0 ? own / mean : 1.0;
        track->time = loop(track->time + seconds * pace, figureDuration(player->figure, track->animation));
        track->share = fmin(1.0, track->share + seconds / FIGURE_FADE);
    }
    player->blendTime = own > 0.0 ? newest(player)->time / own * other : loop(player->blendTime + seconds, other);
    if (newest(player)->share >= 1.0) { /* nothing is seen of those before */
        player->tracks[0] = *newest(player);
        player->trackCount = 1;
    }
}

void figurePlayerPose(const FigurePlayer *player, FigurePose *pose) {
    FigurePlay plays[FIGURE_PLAYS_MAX];
    uint32_t count = 0;
    for (uint32_t i = 0; i < player->trackCount; i++) {
        plays[count++] = (FigurePlay){player->tracks[i].animation, player->tracks[i].time, player->tracks[i].share};
    }
    if (player->blendWeight > 0.0) {
        plays[count++] = (FigurePlay){player->blendAnimation, player->blendTime, player->blendWeight};
    }
    figurePoseMix(pose, plays, count, player->pulls, player->pullCount);
}
