/*
 * crowd_scene.h: the scene of a case: a mesh, and a palette for each instance. The same shape gives the same scene.
 *
 * The mesh is a tube along x. Its joints follow each other along the tube, as in limbs, so that neighbours share bones.
 * Its vertices are in the order of vkskinSortVertices. Weights are multiples of 1/255: every weight format represents
 * them exactly, so all methods and formats have the same correct result.
 */
#ifndef BENCH_CROWD_SCENE_H
#define BENCH_CROWD_SCENE_H

#include "engine_error.h"
#include "model.h"
#include "skin_choice.h"
#include "vkskin/vkskin_mesh.h"

/* CrowdShape.influences: 30, 35, 15 and 20 % of the vertices have 1, 2, 3 and 4. */
#define INFLUENCE_MIX 0

typedef struct CrowdShape {
    uint32_t vertices;   /* vertices of the mesh, a multiple of 20 */
    uint32_t instances;  /* 1 up */
    uint32_t bones;      /* bones of the mesh, at least 8 */
    uint32_t influences; /* influences of each vertex, 1 to 8, or INFLUENCE_MIX */
} CrowdShape;

/* The maximum number of poses; instance i has pose i modulo poseCount. */
#define CROWD_POSES_MAX 4096

typedef struct CrowdScene {
    CrowdShape shape;
    SkinMode mode;
    ModelMesh mesh; /* influences per vertex: the maximum in use, at least 4; blend weights if the mode needs them */
    void *centres;  /* centres of rotation in the library's format; null: the mode needs none */
    uint32_t poseCount;  /* the smaller of instances and CROWD_POSES_MAX */
    VkskinAffine *poses; /* [poseCount][bones]: rigid bone matrices */
    char *palettes;      /* palettes of all poses, in the mode's encoding */
    size_t paletteBytes; /* bytes of one pose */
} CrowdScene;

/* On failure *scene is zero. */
bool crowdSceneCreate(const CrowdShape *shape, SkinMode mode, CrowdScene *scene, EngineError *error);

/* A zero one is allowed. */
void crowdSceneDestroy(CrowdScene *scene);

/* The bones of an instance, [bones], and its palette. */
const VkskinAffine *crowdSceneBones(const CrowdScene *scene, uint32_t instance);
const void *crowdScenePalette(const CrowdScene *scene, uint32_t instance);

/* Bytes of a normal and a tangent without gaps. */
static inline uint32_t crowdAttributeBytes(VkskinVertexFormat format) {
    return format == VKSKIN_VERTEX_FLOAT ? 12 + 16 : 4 + 4;
}

/* The mesh with all attributes, influences and the data that the mode needs. The def points into the scene. */
VkskinMeshDef crowdSceneMeshDef(const CrowdScene *scene, VkskinVertexFormat format, VkskinWeightFormat weights);

#endif
