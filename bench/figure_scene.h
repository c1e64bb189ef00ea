/*
 * figure_scene.h: what the 2D cases pose and skin: one procedural character of 60 bones and 600 vertices, and an animation
 * of two seconds.
 *
 * Its bones: four limbs of three with IK of two bones, an eye with IK of one, a tail and a fin on one path that two bones
 * bend, four bones with transform constraints, and chains without constraints. Its mesh is a grid with a position per
 * influence: 30, 35, 15 and 20 % of the vertices have 1, 2, 3 and 4, which disagree by up to a tenth of the size.
 */
#ifndef BENCH_FIGURE_SCENE_H
#define BENCH_FIGURE_SCENE_H

#include "figure_mesh.h"

#define FIGURE_BONES           60u
#define FIGURE_COLUMNS         25u
#define FIGURE_ROWS            24u
#define FIGURE_VERTICES        (FIGURE_COLUMNS * FIGURE_ROWS)
#define FIGURE_INFLUENCES      4u
#define FIGURE_KEYS            13u /* per timeline */
#define FIGURE_SECONDS         2.0
#define FIGURE_SIZE            400.0 /* about the largest distance of two vertices */
#define FIGURE_CONSTRAINTS     9u
#define FIGURE_LIMBS           4u
#define FIGURE_PATH_CURVES     4u
#define FIGURE_SCENE_TIMELINES 64u

/* Keys of a timeline with at most six channels. */
typedef struct FigureSceneKeys {
    float times[FIGURE_KEYS], values[FIGURE_KEYS * 6], handles[FIGURE_KEYS * 6 * 4];
    uint32_t shapes[FIGURE_KEYS];
} FigureSceneKeys;

/* `figure` points to the other members. */
typedef struct FigureScene {
    Figure figure;
    FigureName name;
    FigureBone bones[FIGURE_BONES];
    FigureSlot slots[2]; /* the mesh, the path */
    FigureSkin skin;
    FigureAttachment attachments[2];
    FigureConstraint constraints[FIGURE_CONSTRAINTS];
    uint32_t constraintBones[FIGURE_CONSTRAINTS][12];
    FigureAnimation animation;
    FigureTimeline timelines[FIGURE_SCENE_TIMELINES];
    FigureSceneKeys keys[FIGURE_SCENE_TIMELINES];
    FigureFrame frame;
    uint32_t vertexOf[FIGURE_VERTICES * FIGURE_INFLUENCES], boneOf[FIGURE_VERTICES * FIGURE_INFLUENCES];
    float offsets[FIGURE_VERTICES * FIGURE_INFLUENCES][3], texcoords[FIGURE_VERTICES][2];
    uint32_t indices[FIGURE_VERTICES];
    uint32_t pathVertexOf[6 * FIGURE_PATH_CURVES], pathBoneOf[6 * FIGURE_PATH_CURVES];
    float pathOffsets[6 * FIGURE_PATH_CURVES][3];
} FigureScene;

/* *scene: zero; it must not move. */
bool figureSceneFill(bool constraints, bool curves, FigureScene *scene, EngineError *error);

/* Bones that the check of a case looks at: of limb 0 to FIGURE_LIMBS - 1. */
uint32_t figureSceneLower(uint32_t limb);
uint32_t figureSceneTarget(uint32_t limb);

#endif
