/*
 * cpu_scenes.h: meshes to skin on the CPU, with palettes, and threads that take tasks in any order.
 */
#ifndef TESTS_CPU_SCENES_H
#define TESTS_CPU_SCENES_H

#include "vkskin/vkskin_cpu.h"

#define SCENE_BONES  24u
#define SCENE_PLACES 7u /* influences that a vertex may have */

/* How many influences the vertices have, one after another. */
typedef enum SceneOrder {
    SCENE_SORTED,  /* 1, then 2, 3, 4 and more, a fifth of the vertices each */
    SCENE_MIXED,   /* 1 to 7 in turn */
    SCENE_PATCHES, /* all alike for some hundreds of vertices, then mixed for some */
} SceneOrder;

/* Normals and tangents, blend weights, two morph targets; the second applies after the bones. All random, the same
 * for the same numbers. */
typedef struct CpuScene {
    VkskinMeshDef def; /* points into the scene */
    float *positions, *normals, *tangents, *blends, *weights, *deltas;
    uint32_t *joints, *moved;
    VkskinMorphTarget targets[2];
} CpuScene;

/* A failed allocation ends the process. */
void makeCpuScene(CpuScene *scene, uint32_t vertexCount, SceneOrder order);
void freeCpuScene(CpuScene *scene);

/* Makes the mesh of a def that has no fault; fails the running test otherwise. */
VkskinCpuMesh makeCpuMesh(const VkskinMeshDef *def);

/* SCENE_BONES entries, tightly packed, of turned and moved bones; not the same for two seeds. Freed by free(). */
void *newCpuPalette(VkskinPaletteEncoding encoding, uint32_t seed);

/* Words of an instance's positions, and of its attributes. */
uint32_t cpuPositionWords(const VkskinMeshInfo *info);
uint32_t cpuAttributeWords(const VkskinMeshInfo *info);

/* A VkskinParallelFn: user points to this. */
typedef struct CpuCrew {
    uint32_t threads;
    uint32_t seed;  /* of the order that tasks are taken in */
    uint32_t calls; /* of the function, so far */
    uint32_t tasks; /* in the last of them */
} CpuCrew;
void lendCrew(void *user, uint32_t count, void (*task)(void *taskData, uint32_t i), void *taskData);

#endif
