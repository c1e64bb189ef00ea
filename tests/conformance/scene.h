/*
 * scene.h: a mesh, its bones and its instances, as a row of the table requires; the same seed makes the same scene.
 */
#ifndef TESTS_SCENE_H
#define TESTS_SCENE_H

#include "meshes.h"
#include "random.h"
#include "reference.h"
#include "table.h"

#define SCENE_VERTICES  333u /* no multiple of any workgroup or block of bits */
#define SCENE_INSTANCES 2u
#define SCENE_MORPHS    5u

#define SCENE_FAR_UNITS 10000.0f

/*
 * Tame bones: rotated by up to 1.5 radians, so that two may differ by twice as much, moved within a unit cube, stretched
 * and sheared to between half and twice their size, never mirrored.
 * Mirrored bones: tame, but mirrored where the palette can hold it; and of size 1, 2^100 or 2^-100, by the seed.
 * Wild bones: rotated by any angle, so that the quaternions of two bones may be antipodes; scales along any axis from -2
 * to 2, some of them 0.
 */
typedef enum SceneKind {
    SCENE_TAME,
    SCENE_FAR, /* tame, SCENE_FAR_UNITS from the origin: the output only, or the mesh too */
    SCENE_MIRRORED,
    SCENE_WILD /* sometimes far; wild bones; sometimes a vertex without weight */
} SceneKind;

/* Maximum distance of the positions of a vertex's influences from the vertex along an axis: a tenth of the mesh's size; of
 * their deltas from that of the vertex. */
#define SCENE_APART        0.2f
#define SCENE_DELTAS_APART 0.1f

/* One skinned copy. Entries of bones that move no vertex are NaN. */
typedef struct SceneInstance {
    ReferenceMatrix *bones; /* [bone count]: exact, before they are scaled by the scene's size */
    ReferenceMatrix *held;  /* [bone count]: what the palette's entries mean, likewise */
    void *palette;
    float morphWeights[SCENE_MORPHS];
    uint32_t morphWeightCount;
} SceneInstance;

typedef struct Scene {
    Row row;
    RowView view;
    ModelMesh mesh;
    bool morphsAfter[SCENE_MORPHS];
    float *centres;                       /* [vertex count][3], or null */
    float *influencePositions;            /* [vertex count][influences][2], or null */
    float *influenceDeltas[SCENE_MORPHS]; /* [vertex count of the target][influences][2], likewise */
    float distance;                       /* from the origin */
    double size;                          /* size of the bones, and so of the output */
    uint32_t usedCount, *used; /* bones that move a vertex; the first and the last of the mesh are among them */
    SceneInstance instances[SCENE_INSTANCES];
    uint64_t layoutSeed;
    MeshInput input; /* points into the scene */
} Scene;

void makeScene(Scene *scene, const Row *row, SceneKind kind, uint64_t seed);
void freeScene(Scene *scene);

/* The reference's def for an instance. */
ReferenceDef sceneReference(const Scene *scene, uint32_t instance);

/* Fills the input again after the mesh was changed in place. */
void sceneFillInput(Scene *scene);

#endif
