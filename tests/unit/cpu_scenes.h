/*
 * cpu_scenes.h: meshes and palettes for CPU skinning, as objects of the test.
 */
#ifndef TESTS_CPU_SCENES_H
#define TESTS_CPU_SCENES_H

#include "host_doubles.h"
#include "random.h"
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
    ModelMesh mesh;
    float *blends, *deltas;
    uint32_t *moved;
    VkskinMorphTarget targets[2];
} CpuScene;

CpuScene *makeCpuScene(uint32_t vertexCount, SceneOrder order);

/* A mesh of the scene's def, which must be good. The mesh has copies: destroys the scene and all else that is owned. */
VkskinCpuMesh cpuMeshOf(const CpuScene *scene);

/* SCENE_BONES entries, tightly packed, of rotated and translated bones; different for each seed. */
void *newCpuPalette(VkskinPaletteEncoding encoding, uint32_t seed);

#endif
