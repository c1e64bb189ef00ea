/*
 * pose_batch_scenes.h: skeletons, skins and clips of any shape for crowds, and what vkskinSampleClip, vkskinComposePose and
 * vkskinWritePalette make of a character.
 */
#ifndef TESTS_POSE_BATCH_SCENES_H
#define TESTS_POSE_BATCH_SCENES_H

#include "vkskin/vkskin_pose.h"

#define SCENE_CLIPS 4u

typedef enum SceneTree { SCENE_CHAIN, SCENE_BUSH, SCENE_FOREST } SceneTree;

typedef struct SceneShape {
    const char *name;
    uint32_t nodeCount;
    uint32_t boneCount;
    SceneTree tree;
    bool preTransforms;
    bool meshToModel;
    bool anyScale;   /* negative and zero too */
    bool mixedBones; /* out of order, some twice; otherwise the first nodes */
} SceneShape;

/* Clips, in order: linear keys; steps; all kinds and channels, cubic too; one of no length. */
typedef struct CrowdScene {
    SceneShape shape;
    int32_t *parents;
    VkskinTransform *rest;
    VkskinAffine *preTransforms; /* or null */
    uint32_t *boneNodes;
    VkskinAffine *inverseBinds;
    VkskinAffine modelToMesh;
    VkskinSkeleton skeleton;
    VkskinSkin skin;
    VkskinClip clips[SCENE_CLIPS];
} CrowdScene;

/* Fails the running test where it cannot be made. The same shape gives the same scene. */
CrowdScene crowdScene(const SceneShape *shape);
void crowdSceneFree(CrowdScene *scene);

/* A def of the scene's crowd. */
VkskinPoseBatchDef crowdSceneDef(const CrowdScene *scene, uint32_t slotCount);

/*
 * What the three calls give for a character, as MAT3X4, and how far each number may be from it by vkskinPoseBatch's
 * promise. Both: [boneCount].
 */
void crowdSceneExpect(const CrowdScene *scene, const VkskinPoseBatchCharacter *character, VkskinAffine *expected,
                      VkskinAffine *bounds);

/* Characters with slots of their own, in all clips and the rest pose, at any time; no palettes. */
void crowdSceneCast(VkskinPoseBatchCharacter *characters, uint32_t count);

#endif
