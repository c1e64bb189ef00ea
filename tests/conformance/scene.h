/*
 * scene.h: a mesh, its bones and its instances, as a row of the table asks, the same for the same seed.
 */
#ifndef TESTS_SCENE_H
#define TESTS_SCENE_H

#include "model.h"
#include "random.h"
#include "reference.h"
#include "row.h"

#define SCENE_VERTICES  333u /* no multiple of any workgroup or block of bits */
#define SCENE_INSTANCES 2u
#define SCENE_MORPHS    5u

#define SCENE_FAR_UNITS 10000.0f

typedef enum SceneKind {
    SCENE_TAME,
    SCENE_FAR, /* tame, SCENE_FAR_UNITS from the origin: the output alone, or the mesh too */
    SCENE_WILD /* maybe far; bones as sceneBone tells; now and then a vertex without weight */
} SceneKind;

/* One skinned copy. Bones that move no vertex have entries that are NaN throughout. */
typedef struct SceneInstance {
    ReferenceMatrix *bones; /* [bone count]: as they are meant */
    ReferenceMatrix *held;  /* [bone count]: what the palette's entries stand for */
    void *palette;
    float morphWeights[SCENE_MORPHS];
    uint32_t morphWeightCount;
} SceneInstance;

typedef struct Scene {
    Row row;
    ModelMesh mesh;
    bool morphsAfter[SCENE_MORPHS];
    float *centres;            /* [vertex count][3], or null */
    float distance;            /* that the whole lies from the origin */
    uint32_t usedCount, *used; /* bones that move a vertex, among them the last */
    SceneInstance instances[SCENE_INSTANCES];
    VkskinMeshDef def; /* points into the scene */
    VkskinMorphTarget targets[SCENE_MORPHS];
    float *flatDeltas[SCENE_MORPHS];
    void *joints; /* as the row's format has them */
    void *storedCentres;
} Scene;

/* Fails the running test where centres of rotation cannot be stored. A failed allocation ends the process. */
void makeScene(Scene *scene, const Row *row, SceneKind kind, uint64_t seed);
void freeScene(Scene *scene);

/* How the reference moves an instance, normals by the row's rule. */
ReferenceDef sceneReference(const Scene *scene, uint32_t instance);

/* Fills the def anew after the mesh was changed in place. */
void sceneFillDef(Scene *scene);

#endif
