#include "spine_player.h"

#include <string.h>

#include "near_names.h"

#define BLEND_STEP 0.25

void spinePlayerStart(SpinePlayer *player, const SpineModel *spine, const SpineMotion *motion) {
    *player = (SpinePlayer){.spine = spine,
                            .tracks = {{motion->animation, 0.0, 1.0}},
                            .trackCount = 1,
                            .blendAnimation = motion->blendAnimation,
                            .blendWeight = motion->blendWeight,
                            .pulls = {motion->pull},
                            .pullCount = motion->pullCount,
                            .curves = motion->curves,
                            .machine = motion->machine};
}

static SpineTrack *newest(SpinePlayer *player) {
    return &player->tracks[player->trackCount - 1];
}

int32_t spinePlayerAnimation(const SpinePlayer *player) {
    return player->tracks[player->trackCount - 1].animation;
}

/* ---- Changes ---- */

void spinePlayerChange(SpinePlayer *player, int32_t animation, bool fades) {
    if (animation == spinePlayerAnimation(player)) {
        return;
    }
    if (!fades) {
        player->trackCount = 0;
    } else if (player->trackCount == SPINE_TRACKS_MAX) {
        memmove(player->tracks, player->tracks + 1, (SPINE_TRACKS_MAX - 1) * sizeof *player->tracks);
        player->trackCount--;
    }
    player->tracks[player->trackCount++] = (SpineTrack){animation, 0.0, fades ? 0.0 : 1.0};
    player->blendTime = 0.0;
}

void spinePlayerStep(SpinePlayer *player, int steps, bool fades) {
    const int64_t count = player->spine->animationCount;
    const int64_t from = spinePlayerAnimation(player);
    if (count > 0) {
        const int64_t first = from >= 0 ? from : steps > 0 ? -1 : count;
        spinePlayerChange(player, (int32_t)(((first + steps) % count + count) % count), fades);
    }
}

void spinePlayerStepBlend(SpinePlayer *player) {
    const int32_t count = (int32_t)player->spine->animationCount;
    if (count == 0) {
        return;
    }
    if (player->blendAnimation < 0) {
        player->blendAnimation = (spinePlayerAnimation(player) + 1) % count;
    }
    player->blendWeight = player->blendWeight < 1.0 ? fmin(player->blendWeight + BLEND_STEP, 1.0) : 0.0;
}

bool spinePlayerPull(SpinePlayer *player, uint32_t bone, const double place[2]) {
    uint32_t i = 0;
    while (i < player->pullCount && player->pulls[i].bone != bone) {
        i++;
    }
    if (i == SPINE_PULLS_MAX) {
        return false;
    }
    player->pulls[i] = (SpinePull){bone, {place[0], place[1]}};
    player->pullCount += i == player->pullCount;
    return true;
}

static double loop(double time, double duration) {
    const double rest = duration > 0.0 ? fmod(time, duration) : 0.0;
    return rest + (rest < 0.0 ? duration : 0.0);
}

/* ---- Another 2D model ---- */

/* The animation of the same name in another 2D model; -1: none. */
static int32_t sameAnimation(const SpineModel *old, int32_t animation, const SpineModel *spine) {
    return animation >= 0 ? spineFindAnimation(spine, old->animations[animation].name) : -1;
}

static void keepPulls(SpinePlayer *player, const SpineModel *spine) {
    const Names bones = NAMES_OF(spine->bones, spine->boneCount);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < player->pullCount; i++) {
        SpinePull pull = player->pulls[i];
        pull.bone = nameFind(&bones, player->spine->bones[pull.bone].name);
        if (pull.bone < bones.count) {
            player->pulls[kept++] = pull;
        }
    }
    player->pullCount = kept;
}

void spinePlayerReplace(SpinePlayer *player, const SpineModel *spine) {
    const int32_t old = spinePlayerAnimation(player);
    SpineTrack track = {sameAnimation(player->spine, old, spine), newest(player)->time, 1.0};
    if (track.animation < 0) {
        track.animation = old >= 0 && spine->animationCount > 0 ? 0 : -1;
        track.time = 0.0;
    }
    track.time = loop(track.time, spineDuration(spine, track.animation));
    player->tracks[0] = track;
    player->trackCount = 1;
    player->blendAnimation = sameAnimation(player->spine, player->blendAnimation, spine);
    player->blendWeight = player->blendAnimation >= 0 ? player->blendWeight : 0.0;
    player->blendTime = loop(player->blendTime, spineDuration(spine, player->blendAnimation));
    keepPulls(player, spine);
    player->spine = spine;
}

/* ---- Playing ---- */

void spinePlayerSeek(SpinePlayer *player, double seconds) {
    player->tracks[0] = *newest(player);
    player->tracks[0].share = 1.0;
    player->tracks[0].time = loop(seconds, spineDuration(player->spine, player->tracks[0].animation));
    player->trackCount = 1;
    player->clock = player->machine ? seconds : player->clock;
    spinePlayerAdvance(player, 0.0);
}

void spinePlayerAdvance(SpinePlayer *player, double seconds) {
    const SpineMotion motion = {.animation = spinePlayerAnimation(player),
                                .blendAnimation = player->blendAnimation,
                                .blendWeight = player->blendWeight};
    const double own = spineDuration(player->spine, motion.animation),
                 other = spineDuration(player->spine, motion.blendAnimation);
    const double mean = spineMotionDuration(player->spine, &motion);
    player->clock = fmax(player->clock + seconds, 0.0);
    for (uint32_t i = 0; i < player->trackCount; i++) {
        SpineTrack *track = &player->tracks[i];
        const double pace = i + 1 == player->trackCount && mean > 0.0 ? own / mean : 1.0;
        track->time = loop(track->time + seconds * pace, spineDuration(player->spine, track->animation));
        track->share = fmin(1.0, track->share + fmax(seconds, 0.0) / SPINE_FADE);
    }
    player->blendTime = own > 0.0 ? newest(player)->time / own * other : loop(player->blendTime + seconds, other);
    if (newest(player)->share >= 1.0) { /* nothing is seen of those before */
        player->tracks[0] = *newest(player);
        player->trackCount = 1;
    }
}

void spinePlayerPose(const SpinePlayer *player, SpinePose *pose) {
    SpinePlay plays[SPINE_PLAYS_MAX];
    uint32_t count = player->machine ? spineMachinePlays(player->machine, NULL, player->clock, plays) : 0;
    for (uint32_t i = 0; i < player->trackCount && !player->machine; i++) {
        plays[count++] = (SpinePlay){player->tracks[i].animation, player->tracks[i].time, player->tracks[i].share};
    }
    if (player->blendWeight > 0.0 && !player->machine) {
        plays[count++] = (SpinePlay){player->blendAnimation, player->blendTime, player->blendWeight};
    }
    spinePoseCurves(pose, player->curves);
    spinePoseMix(pose, plays, count, player->pulls, player->pullCount);
}
