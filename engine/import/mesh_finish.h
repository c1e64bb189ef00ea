/*
 * mesh_finish.h: what every importer does with a mesh that it has read: influences, normals, morph targets, welding.
 * For the parser's process.
 */
#ifndef ENGINE_MESH_FINISH_H
#define ENGINE_MESH_FINISH_H

#include "engine_error.h"
#include "model.h"

/* ---- Influences ---- */

typedef struct Influence {
    uint32_t vertex; /* below the mesh's vertexCount */
    uint32_t joint;
    float weight; /* as in the file: may be anything */
} Influence;

/*
 * Sets mesh->influences, joints, weights and boneCount (the highest joint plus 1) from `list`. Influences of a vertex
 * keep their order. Weights of 0 count as absent. So do negative and not finite ones, which the repairs count.
 *
 * True when some vertex has no weight. Bone 0 then stands for the node that carries the mesh: those vertices follow it
 * with weight 1, and all joints of the list move up by one. The caller must prepend that node to the part's skin.
 */
bool influencesPack(ModelMesh *mesh, const Influence *list, size_t count, ModelRepairs *repairs);

/* Binds every vertex to joint 0 with weight 1. */
void influencesRigid(ModelMesh *mesh);

/* ---- Morph targets ---- */

/* Deltas of positions, normals and tangents: [vertexCount][3] each, or null. */
typedef struct MorphDeltas {
    const float *positions, *normals, *tangents;
} MorphDeltas;

/* Fills a morph in which at most the name is set. It keeps the vertices that have a delta other than zero. */
void morphSetSparse(ModelMorph *morph, uint32_t vertexCount, MorphDeltas deltas);

/* ---- Normals ---- */

/*
 * Sets the normal of every vertex to the area-weighted mean of its triangles' normals: flat where each triangle has
 * vertices of its own, smooth where triangles share vertices. A vertex without area around it gets (0, 0, 1). Positions
 * and indices must be set and in range. Allocates mesh->normals where it is null.
 */
void meshComputeNormals(ModelMesh *mesh);

/*
 * Sets the normals of every morph that has positions to those of the morphed triangles minus the mesh's, made by
 * meshComputeNormals. They are exact at weights 0 and 1. A morph may then move more vertices. A vertex without area
 * around it after the morph keeps its normal.
 */
void meshComputeMorphNormals(ModelMesh *mesh);

/*
 * meshComputeNormals for the vertices whose normal is zero or not finite, and returns their number; for all where
 * mesh->normals is null, then returns 0.
 */
uint32_t meshRepairNormals(ModelMesh *mesh);

/*
 * Sets the tangents from texture coordinates and normals, if the mesh has the former and no tangents. A vertex between
 * triangles with and without a mirrored texture becomes two. Vertices without triangles are dropped. The bitangent,
 * which is normal x tangent times the tangent's w, points against v.
 */
void meshComputeTangents(ModelMesh *mesh);

/*
 * Checks positions, which must be finite. Removes texture coordinates, colours and tangents that are not finite, repairs
 * normals, each with a warning. Limits colours to 0 to 1, and removes them where all are 1. model: receives them. False: *error names the vertex.
 */
bool meshFinishAttributes(Model *model, ModelMesh *mesh, EngineError *error);

/* ---- Welding ---- */

/*
 * Joins vertices that are equal bit for bit in every attribute, joint, weight and morph. Keeps the first of each and
 * drops vertices that no triangle uses. Vertices that differ only in weights or a morph stay apart. Positions, normals,
 * joints, weights and indices must be set and in range.
 */
void meshWeld(ModelMesh *mesh);

/* Gives every corner of every triangle a vertex of its own. Normals and tangents may be null. */
void meshSplit(ModelMesh *mesh);

#endif
