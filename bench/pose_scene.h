/*
 * pose_scene.h: the skeleton and the clip of the pose cases, made by numbers: a body of short chains, keys 30 a second.
 */
#ifndef BENCH_POSE_SCENE_H
#define BENCH_POSE_SCENE_H

#include "engine_error.h"
#include "model.h"
#include "vkskin/vkskin_pose.h"

#define POSE_BONES 64u
#define POSE_KEYS  61u /* of a track, over 2 seconds */

typedef struct PoseScene {
    Model *model; /* one mesh-less part, one skin of all nodes, one clip: what the reference reads */
    VkskinSkeleton skeleton;
    VkskinClip clip;
    VkskinSkin skin;
} PoseScene;

/* allTracks: translation, rotation and scale of every bone, as exporters write them; otherwise every rotation and the
 * root's translation, as motion capture has them. On failure nothing is left over. */
bool poseSceneCreate(bool allTracks, PoseScene *scene, EngineError *error);

/* A zero one is allowed. */
void poseSceneDestroy(PoseScene *scene);

#endif
