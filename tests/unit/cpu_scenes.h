/*
 * cpu_scenes.h: meshes and palettes for CPU skinning, and threads that take tasks in random order.
 */
#ifndef TESTS_CPU_SCENES_H
#define TESTS_CPU_SCENES_H

#include "vkskin/vkskin_cpu.h"

#define SCENE_BONES  24u
#define SCENE_PLACES 7u /* maximum influences per vertex */

/* The order of influence counts over the vertices. */
typedef enum SceneOrder {
    SCENE_SORTED,  /* 1, then 2, 3, 4 and more, a fifth of the vertices each */
    SCENE_MIXED,   /* 1 to 7 in turn */
    SCENE_PATCHES, /* hundreds of vertices with equal counts, then some with mixed counts */
} SceneOrder;

/* Has normals, tangents, blend weights and two morph targets; the second applies after skinning. Random values,
 * reproducible for the same arguments. */
typedef struct CpuScene {
    VkskinMeshDef def; /* points into the scene */
    float *positions, *normals, *tangents, *blends, *weights, *deltas;
    uint32_t *joints, *moved;
    VkskinMorphTarget targets[2];
} CpuScene;

/* Fills the scene. Exits if out of memory. */
void makeCpuScene(CpuScene *scene, uint32_t vertexCount, SceneOrder order);
void freeCpuScene(CpuScene *scene);

/* Makes a mesh. Fails the running test if the def is refused. */
VkskinCpuMesh makeCpuMesh(const VkskinMeshDef *def);

/* SCENE_BONES entries, tightly packed, of rotated and translated bones; different for each seed. Free with free(). */
void *newCpuPalette(VkskinPaletteEncoding encoding, uint32_t seed);

/* Size of an instance's positions, and of its attributes, in words. */
uint32_t cpuPositionWords(const VkskinMeshInfo *info);
uint32_t cpuAttributeWords(const VkskinMeshInfo *info);

/* A VkskinParallelFn: user points to this. */
typedef struct CpuCrew {
    uint32_t threads;
    uint32_t seed;  /* of the random order of tasks */
    uint32_t calls; /* number of calls so far */
    uint32_t tasks; /* in the last call */
} CpuCrew;
void lendCrew(void *user, uint32_t count, void (*task)(void *taskData, uint32_t i), void *taskData);

#endif
