/*
 * pose_batch_scenes.h: random skeletons, skins and clips for pose batches, and the palettes that vkskinSampleClip,
 * vkskinComposePose and vkskinWritePalette write for a character.
 */
#ifndef TESTS_POSE_BATCH_SCENES_H
#define TESTS_POSE_BATCH_SCENES_H

#include "pose_builders.h"

#define SCENE_CLIPS 4u

/* SCENE_BACKWARDS: a chain in which each parent comes after its child. */
typedef enum SceneTree { SCENE_CHAIN, SCENE_BUSH, SCENE_FOREST, SCENE_BACKWARDS } SceneTree;

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
typedef struct BatchScene {
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
} BatchScene;

/* An object of the test. The same shape gives the same scene. */
BatchScene batchScene(const SceneShape *shape);

/* A def of the scene's batch. */
VkskinPoseBatchDef batchSceneDef(const BatchScene *scene, uint32_t slotCount);

/*
 * The MAT3X4 palette that the three calls write for a character, with vkskinBlendLayers if it has a second clip, and the
 * documented bound of the error of vkskinPoseBatch. Both: [boneCount]. block: null, or the animation set to sample.
 */
void batchSceneExpect(const BatchScene *scene, const void *block, const VkskinPoseBatchCharacter *character,
                      VkskinAffine *expected, VkskinAffine *bounds);

/* Characters with slots of their own, in all clips and the rest pose, at any time; no palettes. */
void batchSceneCast(VkskinPoseBatchCharacter *characters, uint32_t count);

/* Second clips for about two thirds of the characters, with weights from above 0 to 1, 1 too. */
void batchSceneBlend(VkskinPoseBatchCharacter *characters, uint32_t count);

#endif
