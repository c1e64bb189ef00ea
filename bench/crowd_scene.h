/*
 * crowd_scene.h: what a case skins: a mesh and a palette for each instance, the same for the same shape.
 *
 * The mesh is a tube along x whose joints follow one another along it, as limbs do: neighbours share their bones. Its
 * vertices are in the order of vkskinSortVertices. Weights are multiples of 1/255, so that every weight format holds
 * them exactly and all ways of skinning have one right result.
 */
#ifndef BENCH_CROWD_SCENE_H
#define BENCH_CROWD_SCENE_H

#include "engine_error.h"
#include "model.h"
#include "vkskin/vkskin_mesh.h"

/* CrowdShape.influences: 30, 35, 15 and 20 % of the vertices have 1, 2, 3 and 4. */
#define INFLUENCE_MIX 0

typedef struct CrowdShape {
    uint32_t vertices;   /* of the mesh, a multiple of 20 */
    uint32_t instances;  /* 1 up */
    uint32_t bones;      /* of the mesh: 8 up */
    uint32_t influences; /* of each vertex, 1 to 8, or INFLUENCE_MIX */
} CrowdShape;

/* Poses beyond so many repeat: instance i has pose i modulo poseCount. */
#define CROWD_POSES_MAX 4096

typedef struct CrowdScene {
    CrowdShape shape;
    ModelMesh mesh;      /* its places a vertex are as many as the most that a vertex has, at least 4 */
    uint32_t poseCount;  /* of unlike poses: instances or CROWD_POSES_MAX */
    VkskinAffine *poses; /* [poseCount][bones]: rigid bone matrices */
} CrowdScene;

/* On failure *scene is zero. */
bool crowdSceneCreate(const CrowdShape *shape, CrowdScene *scene, EngineError *error);

/* A zero one is allowed. */
void crowdSceneDestroy(CrowdScene *scene);

/* Gives the mesh blend weights, for VKSKIN_METHOD_PAINTED_BLEND. */
bool crowdScenePaint(CrowdScene *scene, EngineError *error);

/* The mesh's centres of rotation as the library stores them: from malloc, null on failure. */
void *newCrowdCentres(const CrowdScene *scene, EngineError *error);

/* The bones of an instance, [bones]. */
const VkskinAffine *crowdSceneBones(const CrowdScene *scene, uint32_t instance);

/* The mesh as the library takes it, all attributes, influences kept. Points into the scene. */
VkskinMeshDef crowdSceneMeshDef(const CrowdScene *scene, VkskinVertexFormat format, VkskinWeightFormat weights);

/* The palettes of all poses, [poseCount][bones] entries: from malloc, null where memory is out. */
void *newCrowdPalettes(const CrowdScene *scene, VkskinPaletteEncoding encoding);

#endif
