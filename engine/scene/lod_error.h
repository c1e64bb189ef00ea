/*
 * lod_error.h: how far the coarser levels of a model are from it while its clips move it.
 *
 * Each vertex of a mesh is bound to the nearest point of the level's surface. The corners, the middles of the edges and the
 * centre of each triangle of the level are bound to the nearest points of the mesh. Near is what is near in three poses: the
 * rest pose and two others that differ much. The distance at a moment is the largest one between two points that are bound to
 * each other. So it is not below the distance of these points to the other surface. All is skinned with linear blending.
 */
#ifndef ENGINE_LOD_ERROR_H
#define ENGINE_LOD_ERROR_H

#include "lod_moments.h"

#define LOD_POSES                                                                                                      \
    8 /* poses that differ much: the rest pose, and each further one as far as possible from those before */

/*
 * The vertices of all meshes in up to LOD_POSES poses, in the space of the model; a mesh of several parts as the first one shows
 * it. influences: the largest so many of each vertex. posed: [LOD_POSES][vertices of all meshes][3]. *count: poses that differ.
 */
bool lodPose(const Model *model, uint32_t influences, float *posed, uint32_t *count, EngineError *error);

/* Vertices that are marked. A level above the limit at one in eight moments is not measured at the others. */
typedef struct LodMarks {
    float limit;     /* those with a distance above it, in the model's unit */
    uint8_t **rows;  /* [meshCount][MODEL_LODS_MAX], each [vertexCount of the mesh]: a mark becomes 1 */
    uint32_t levels; /* one bit for each level that is measured; others have the error 0 */
} LodMarks;

/*
 * Measures the distances at the moments. errors: [meshCount][lodCount]: receives the largest of each mesh and level, in the
 * model's unit. Work: the moments times the vertices, triangles and nodes, on all processors. marks: or null. With marks,
 * the error of a level above the limit is at least so large.
 */
bool lodMeasure(const Model *model, const LodMoment *moments, size_t count, float *errors, const LodMarks *marks,
                EngineError *error);

#endif
