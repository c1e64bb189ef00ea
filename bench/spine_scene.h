/*
 * spine_scene.h: what the 2D cases pose and skin: one procedural character of 60 bones and 600 vertices, and an animation
 * of two seconds.
 *
 * Its bones: four limbs of three with IK of two bones, an eye with IK of one, a tail and a fin on one path that two bones
 * bend, four bones with transform constraints, and chains without constraints. Its mesh is a grid with a position per
 * influence: 30, 35, 15 and 20 % of the vertices have 1, 2, 3 and 4, which disagree by up to a tenth of the size.
 */
#ifndef BENCH_SPINE_SCENE_H
#define BENCH_SPINE_SCENE_H

#include "spine_mesh.h"

#define SPINE_BONES           60u
#define SPINE_COLUMNS         25u
#define SPINE_ROWS            24u
#define SPINE_VERTICES        (SPINE_COLUMNS * SPINE_ROWS)
#define SPINE_INFLUENCES      4u
#define SPINE_KEYS            13u /* per timeline */
#define SPINE_SECONDS         2.0
#define SPINE_SIZE            400.0 /* about the largest distance of two vertices */
#define SPINE_CONSTRAINTS     9u
#define SPINE_LIMBS           4u
#define SPINE_PATH_CURVES     4u
#define SPINE_SCENE_TIMELINES 64u

/* Keys of a timeline with at most six channels. */
typedef struct SpineSceneKeys {
    float times[SPINE_KEYS], values[SPINE_KEYS * 6], handles[SPINE_KEYS * 6 * 4];
    uint32_t shapes[SPINE_KEYS];
} SpineSceneKeys;

/* `spine` points to the other fields. */
typedef struct SpineScene {
    SpineModel spine;
    SpineName name;
    SpineBone bones[SPINE_BONES];
    SpineSlot slots[2]; /* the mesh, the path */
    SpineSkin skin;
    SpineAttachment attachments[2];
    SpineConstraint constraints[SPINE_CONSTRAINTS];
    uint32_t constraintBones[SPINE_CONSTRAINTS][12];
    SpineAnimation animation;
    SpineTimeline timelines[SPINE_SCENE_TIMELINES];
    SpineSceneKeys keys[SPINE_SCENE_TIMELINES];
    SpineFrame frame;
    uint32_t vertexOf[SPINE_VERTICES * SPINE_INFLUENCES], boneOf[SPINE_VERTICES * SPINE_INFLUENCES];
    float offsets[SPINE_VERTICES * SPINE_INFLUENCES][3], texcoords[SPINE_VERTICES][2];
    uint32_t indices[SPINE_VERTICES];
    uint32_t pathVertexOf[6 * SPINE_PATH_CURVES], pathBoneOf[6 * SPINE_PATH_CURVES];
    float pathOffsets[6 * SPINE_PATH_CURVES][3];
} SpineScene;

/* *scene: zero; it must not move. */
bool spineSceneFill(bool constraints, bool curves, SpineScene *scene, EngineError *error);

/* Bones that the check of a case looks at: of limb 0 to SPINE_LIMBS - 1. */
uint32_t spineSceneLower(uint32_t limb);
uint32_t spineSceneTarget(uint32_t limb);

#endif
