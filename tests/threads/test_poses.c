/*
 * One skeleton, clip and skin, read by several threads at once; others are made and destroyed meanwhile.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "crew.h"
#include "vkskin/vkskin_pose.h"

#define NODES  12u
#define TIMES  16u
#define MORPHS 4u
#define TURNS  60u /* through all times, a thread */

/* What is read at one time, in every encoding. */
typedef struct Posed {
    unsigned char palettes[VKSKIN_PALETTE_ENCODING_COUNT][NODES * 64];
    float weights[MORPHS];
} Posed;

typedef struct Rig {
    VkskinSkeleton skeleton;
    VkskinClip clip;
    VkskinSkin skin;
} Rig;

typedef struct Actors {
    Rig rig;
    Posed expected[TIMES]; /* as one thread alone gets it */
} Actors;

static Rig makeRig(void) {
    Rig rig = {0};
    int32_t parents[NODES];
    uint32_t nodes[NODES];
    VkskinTransform rest[NODES];
    VkskinTrack tracks[NODES + 1];
    static const float times[2] = {0.0f, 1.0f};
    static const float turns[8] = {0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.6f, 0.0f, 0.8f};
    for (uint32_t i = 0; i < NODES; i++) {
        parents[i] = (int32_t)i - 1;
        nodes[i] = i;
        rest[i] = vkskinIdentityTransform();
        rest[i].translation[0] = 1.0f;
        tracks[i] = (VkskinTrack){
            .node = i, .channel = VKSKIN_CHANNEL_ROTATION, .keyCount = 2, .times = times, .values = turns};
    }
    tracks[NODES] = (VkskinTrack){.node = 0,
                                  .channel = VKSKIN_CHANNEL_MORPH_WEIGHTS,
                                  .keyCount = 2,
                                  .times = times,
                                  .values = turns,
                                  .weightCount = MORPHS};
    VkskinSkeletonDef skeleton = vkskinDefaultSkeletonDef();
    skeleton.nodeCount = NODES;
    skeleton.parents = parents;
    skeleton.restPose = rest;
    VkskinClipDef clip = vkskinDefaultClipDef();
    clip.nodeCount = NODES;
    clip.trackCount = NODES + 1;
    clip.tracks = tracks;
    VkskinSkinDef skin = vkskinDefaultSkinDef();
    skin.nodeCount = NODES;
    skin.boneCount = NODES;
    skin.boneNodes = nodes;
    CREW_CHECK(vkskinCreateSkeleton(&skeleton, &rig.skeleton) == VKSKIN_SUCCESS);
    CREW_CHECK(vkskinCreateClip(&clip, &rig.clip) == VKSKIN_SUCCESS);
    CREW_CHECK(vkskinCreateSkin(&skin, &rig.skin) == VKSKIN_SUCCESS);
    return rig;
}

static void destroyRig(Rig rig) {
    vkskinDestroySkin(rig.skin);
    vkskinDestroyClip(rig.clip);
    vkskinDestroySkeleton(rig.skeleton);
}

static void pose(Rig rig, uint32_t time, Posed *posed) {
    VkskinTransform early[NODES];
    VkskinTransform late[NODES];
    VkskinAffine world[NODES];
    double seconds = 0.3 * time;
    CREW_CHECK(vkskinSampleClip(rig.skeleton, rig.clip, seconds, VKSKIN_WRAP_LOOP, early) == VKSKIN_SUCCESS);
    CREW_CHECK(vkskinSampleClip(rig.skeleton, rig.clip, seconds + 0.1, VKSKIN_WRAP_CLAMP, late) == VKSKIN_SUCCESS);
    CREW_CHECK(vkskinBlendPoses(NODES, early, late, 0.25f, early) == VKSKIN_SUCCESS);
    CREW_CHECK(vkskinComposePose(rig.skeleton, early, world) == VKSKIN_SUCCESS);
    memset(posed, 0, sizeof *posed);
    for (uint32_t i = 0; i < VKSKIN_PALETTE_ENCODING_COUNT; i++) {
        CREW_CHECK(vkskinWritePalette(rig.skin, world, NODES, (VkskinPaletteEncoding)i, posed->palettes[i], NODES) ==
                   (i == VKSKIN_PALETTE_MAT2X3 ? VKSKIN_WARNING_DEPTH_LOST : VKSKIN_SUCCESS));
    }
    CREW_CHECK(vkskinSampleMorphWeights(rig.clip, 0, seconds, VKSKIN_WRAP_LOOP, posed->weights, MORPHS) ==
               VKSKIN_SUCCESS);
}

static void act(void *argument) {
    const Actors *actors = argument;
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        for (uint32_t time = 0; time < TIMES; time++) {
            Posed posed;
            pose(actors->rig, time, &posed);
            CREW_CHECK(memcmp(&posed, &actors->expected[time], sizeof posed) == 0);
        }
        CREW_CHECK(vkskinGetSkeletonNodeCount(actors->rig.skeleton) == NODES);
        CREW_CHECK(vkskinGetClipDuration(actors->rig.clip) == 1.0f);
        CREW_CHECK(vkskinGetSkinBoneCount(actors->rig.skin) == NODES);
    }
}

static void makeOthers(void *argument) {
    (void)argument;
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        Posed posed;
        Rig rig = makeRig();
        pose(rig, turn % TIMES, &posed);
        destroyRig(rig);
    }
}

static void rigIsReadByAll(void **state) {
    static const CrewWork works[] = {act, act, act, makeOthers};
    (void)state;
    static Actors actors;
    actors.rig = makeRig();
    for (uint32_t time = 0; time < TIMES; time++) {
        pose(actors.rig, time, &actors.expected[time]);
    }
    crewRun(works, sizeof works / sizeof works[0], &actors);
    destroyRig(actors.rig);
    assert_int_equal(crewFailures(), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(rigIsReadByAll)};
    return cmocka_run_group_tests_name("threads: poses", tests, NULL, NULL);
}
