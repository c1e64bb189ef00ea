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

#define FRAME_TICKS 16u /* milliseconds from a frame to the next */

typedef struct FrameCharacter {
    VkskinAffine place;
    uint32_t clip;
    float start; /* part of the clip that has passed in frame 1, the first */
} FrameCharacter;

typedef struct FrameScene {
    CrowdScene mesh; /* mesh of one instance, whose pose is not used */
    PoseScene *pose;
    ModelObjects objects; /* objects of its model */
    VkskinAnimationBox boxes[POSE_BONES];
    void *animation; /* packed */
    size_t animationSize;
    float centre[3], extent[3]; /* box of the mesh in all keys of all clips */
    uint32_t count, vertices;
    float visible;              /* part of the characters that the camera sees: below 0.5, or 1 */
    FrameCharacter *characters; /* [count] */
} FrameScene;

/* vertices: of a character. clips: 1 to POSE_CLIPS. On failure destroy it too. *scene: zero. */
bool frameSceneCreate(uint32_t count, uint32_t vertices, float visible, uint32_t clips, FrameScene *scene,
                      EngineError *error);

/* A zero one is allowed. */
void frameSceneDestroy(FrameScene *scene);

/* Seconds in the clip of a character. */
double frameSceneTime(const FrameScene *scene, uint32_t character, uint32_t frame);

VkskinCrowdView frameSceneView(const FrameScene *scene, uint32_t frame);

/* Whether a view sees the box of the mesh around a character: what a host does on its CPU. */
bool frameSceneSees(const FrameScene *scene, const VkskinCrowdView *view, uint32_t character);

/* Compares skinned positions, [vertices of the scene][3], with the reference. False: *error says where. */
bool frameSceneCheck(const FrameScene *scene, uint32_t character, uint32_t frame, const float *positions,
                     EngineError *error);

#endif
