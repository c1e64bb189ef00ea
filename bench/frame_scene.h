/*
 * frame_scene.h: the scene of whole frames of crowds: one mesh of 64 bones, packed clips, and
 * characters on a disc. The camera is in the middle and turns a little with each frame.
 */
#ifndef BENCH_FRAME_SCENE_H
#define BENCH_FRAME_SCENE_H

#include "crowd_scene.h"
#include "model_objects.h"
#include "pose_scene.h"
#include "vkskin/vkskin_crowd.h"

#define FRAME_TICKS  16u /* milliseconds from a frame to the next */
#define FRAME_MESHES 4u  /* levels at most */

typedef struct FrameCharacter {
    VkskinAffine place;
    uint32_t clip;
    float start; /* part of the clip that has passed in frame 1, the first */
} FrameCharacter;

typedef struct FrameScene {
    CrowdScene meshes[FRAME_MESHES]; /* [levels]: mesh of one instance, whose pose is not used */
    uint32_t levels;
    PoseScene *pose;
    ModelObjects objects; /* objects of its model */
    VkskinAnimationBox boxes[POSE_BONES];
    void *animation; /* packed */
    size_t animationSize;
    float centre[3], extent[3]; /* box of the mesh in all keys of all clips */
    uint32_t count;
    float visible;              /* part of the characters that the camera sees: below 0.5, or 1 */
    FrameCharacter *characters; /* [count] */
} FrameScene;

/* vertices: of a character; each level has half as many as the one before. levels: 1, or FRAME_MESHES. clips: 1 to POSE_CLIPS.
 * On failure destroy it too. *scene: zero. */
bool frameSceneCreate(uint32_t count, uint32_t vertices, uint32_t levels, float visible, uint32_t clips,
                      FrameScene *scene, EngineError *error);

/* A zero one is allowed. */
void frameSceneDestroy(FrameScene *scene);

/* Seconds in the clip of a character. */
double frameSceneTime(const FrameScene *scene, uint32_t character, uint32_t frame);

VkskinCrowdView frameSceneView(const FrameScene *scene, uint32_t frame);

/* Whether a view sees the box of the mesh around a character: what a host does on its CPU. */
bool frameSceneSees(const FrameScene *scene, const VkskinCrowdView *view, uint32_t character);

/* The distance from which characters have a level, 1 and above. */
float frameSceneDistance(uint32_t level);

/* The level that a host gives a character. */
uint32_t frameSceneLevel(const FrameScene *scene, uint32_t character);

/* Compares skinned positions, [vertices of the level][3], with the reference at one of the last `interval` frames. False:
 * *error says where. */
bool frameSceneCheck(const FrameScene *scene, uint32_t level, uint32_t character, uint32_t frame, uint32_t interval,
                     const float *positions, EngineError *error);

#endif
