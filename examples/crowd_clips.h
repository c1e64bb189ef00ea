/*
 * crowd_clips.h: the skeleton and the packed clips of crowd.c: an arm that goes four units to the right, or down, in four
 * seconds. Most programs pack clips in a tool, and read the block from a file.
 */
#ifndef EXAMPLE_CROWD_CLIPS_H
#define EXAMPLE_CROWD_CLIPS_H

#include "host.h"

#include <vkskin/vkskin_crowd.h>

enum { ROOT, ARM, NODES };
enum { ACROSS, DOWN, CLIPS };

static VkskinClip makeClip(int clip) {
    const float times[2] = {0, 4}, paths[CLIPS][2][3] = {{{-.5f, 0, 0}, {3.5f, 0, 0}}, {{0, -.5f, 0}, {0, 3.5f, 0}}};
    const VkskinTrack track = {.node = ARM, .keyCount = 2, .times = times, .values = paths[clip][0]};
    VkskinClipDef def = vkskinDefaultClipDef();
    VkskinClip made;
    def.nodeCount = NODES;
    def.trackCount = 1;
    def.tracks = &track;
    HOST_SKIN(vkskinCreateClip(&def, &made));
    return made;
}

static VkskinClipSet packClips(VkskinContext context, const VkskinAnimationBox boxes[NODES]) {
    VkskinTransform rest[NODES] = {vkskinIdentityTransform(), vkskinIdentityTransform()};
    const VkskinClip clips[CLIPS] = {makeClip(ACROSS), makeClip(DOWN)};
    VkskinSkeletonDef skeleton = vkskinDefaultSkeletonDef();
    VkskinAnimationDef def = vkskinDefaultAnimationDef();
    VkskinClipSet made;
    void *block;
    size_t size;
    rest[ARM].scale[0] = rest[ARM].scale[1] = 1.5f; /* the triangle covers the centre of one pixel */
    skeleton.nodeCount = NODES;
    skeleton.parents = (const int32_t[NODES]){-1, ROOT};
    skeleton.restPose = rest;
    HOST_SKIN(vkskinCreateSkeleton(&skeleton, &def.skeleton));
    def.clipCount = CLIPS;
    def.clips = clips;
    def.maxError = 0.001f;
    def.boxes = boxes;
    HOST_SKIN(vkskinPackAnimation(&def, &block, &size, NULL));
    HOST_SKIN(vkskinCreateClipSet(context, block, size, &made));
    vkskinFreeAnimation(block, NULL);
    vkskinDestroySkeleton(def.skeleton);
    vkskinDestroyClip(clips[ACROSS]);
    vkskinDestroyClip(clips[DOWN]);
    return made;
}

#endif
