/*
 * pose_scene.h: what is posed: one procedural skeleton of short chains, and clips with 30 keys a second.
 */
#ifndef BENCH_POSE_SCENE_H
#define BENCH_POSE_SCENE_H

#include "model.h"

#define POSE_BONES 64u
#define POSE_KEYS  61u /* per track, over 2 seconds */
#define POSE_CLIPS 8u

/* The tracks of a clip. */
typedef struct PoseClip {
    VkskinTrack tracks[3 * POSE_BONES];
    float values[3 * POSE_BONES][4 * POSE_KEYS]; /* values of each track */
} PoseClip;

/* `model` points to the other members: one part without a mesh, one skin with all nodes, some clips. */
typedef struct PoseScene {
    Model model;
    ModelNode nodes[POSE_BONES];
    ModelPart part;
    ModelSkin skin;
    uint32_t boneNodes[POSE_BONES];
    VkskinAffine inverseBinds[POSE_BONES];
    ModelClip clips[POSE_CLIPS];
    PoseClip keys[POSE_CLIPS];
    float times[POSE_KEYS];
} PoseScene;

/* clipCount: 1 to POSE_CLIPS. allTracks: translation, rotation and scale of every bone; else every rotation, and the
 * translation of the root. *scene: zero. The model has no mesh: its part and skin have all nodes as bones. */
void poseSceneFill(uint32_t clipCount, bool allTracks, PoseScene *scene);

#endif
