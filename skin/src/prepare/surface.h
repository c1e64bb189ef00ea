/*
 * surface.h: reads and checks the positions, influences and triangles of a VkskinMeshDef, and reports progress.
 *
 * The read functions require a surface whose fields were checked, and a valid index of a vertex or triangle. The
 * checks report to the logger of the run; messages name a vertex or a triangle by its number.
 */
#ifndef VKSKIN_SURFACE_H
#define VKSKIN_SURFACE_H

#include "host.h"
#include "vkskin/vkskin_mesh.h"

#define MAX_INFLUENCES 255

typedef struct Influence {
    uint32_t joint;
    float weight;
} Influence;

#define MAX_MESH_BONES 1048576u
#define MAX_STRIDE     65536u /* above any real vertex size; a stride that wrapped around is far above */

/* A mesh def, and the VkskinPrepareRun of the call that reads it. */
typedef struct Surface {
    const VkskinMeshDef *mesh;
    VkskinPrepareRun run;
} Surface;

/* run: null for all zero. */
Surface sknSurface(const VkskinMeshDef *mesh, const VkskinPrepareRun *run);

/* How messages begin: "mesh " and the def's name, or "unnamed mesh" and "". */
const char *sknMeshKind(const VkskinMeshDef *mesh);
const char *sknMeshName(const VkskinMeshDef *mesh);

/* Both, for a Subject or for "%s%s". */
#define SKN_MESH_LABEL(mesh) sknMeshKind(mesh), sknMeshName(mesh)

/* Reports a minWeight that is out of its range. Error: INVALID_VALUE. */
VkskinResult sknCheckMinWeight(const Subject *subject, const VkskinMeshDef *mesh);

/* The parts of a surface that a call reads: a set of bits. */
#define SURFACE_POSITIONS  1u
#define SURFACE_INFLUENCES 2u
#define SURFACE_TRIANGLES  4u
#define SURFACE_ATTRIBUTES                                                                                             \
    8u /* positions in any number of dimensions, normals, tangents, blend weights, pass-through data */

/*
 * Checks the fields that the parts need, without reading arrays. Errors: NULL_ARGUMENT, DEF_NOT_INITIALISED,
 * INVALID_VALUE.
 */
VkskinResult sknCheckSurfaceFields(const Surface *surface, uint32_t parts);

/*
 * Checks the strides of the streams that are not null: 0, or a multiple of the element's alignment from its size to
 * MAX_STRIDE. Two streams that overlap with one of them tightly packed are reported as a forgotten stride. Needs valid
 * dimensions, influencesPerVertex and jointFormat; for SURFACE_ATTRIBUTES a valid layout, if there is one, and its
 * passThrough. Error: INVALID_VALUE.
 */
VkskinResult sknCheckStreams(const Surface *surface, uint32_t parts);

/* Checks the position and influences of a vertex. Errors: ATTRIBUTE_NOT_FINITE, WEIGHT_..., JOINT_OUT_OF_RANGE. */
VkskinResult sknCheckSurfaceVertex(const Surface *surface, uint32_t parts, uint32_t vertex);

/* Checks fields, all vertices and, if `parts` has SURFACE_TRIANGLES, indices. */
VkskinResult sknCheckSurface(const Surface *surface, uint32_t parts);

/*
 * The def, or, if it has interleaved vertices, *own: a copy with the strides of the streams that begin in the first
 * vertex. A null or bad def is returned as it is.
 */
const VkskinMeshDef *sknWithStrides(const VkskinMeshDef *mesh, VkskinMeshDef *own);

/* The address of a vertex in a stream. tight: the stride if `stride` is 0. */
const void *sknStreamAt(const void *stream, size_t stride, size_t tight, uint32_t vertex);

/* The position of a vertex: three floats. */
const float *sknSurfacePosition(const Surface *surface, uint32_t vertex);

/* Reads all influences of a vertex into influences[influencesPerVertex], including those with weight zero. */
void sknSurfaceInfluences(const Surface *surface, uint32_t vertex, Influence *influences);

/* The material of a triangle. */
uint32_t sknSurfaceMaterial(const Surface *surface, uint32_t triangle);

/* ---- Progress ---- */

/* Calls the progress callback. done: 0 to 1. Error: CANCELLED, logged. */
VkskinResult sknReportProgress(const Surface *surface, double done);

/* A part of a call that reports progress from time to time. */
typedef struct ProgressStage {
    const Surface *surface;
    double from, to; /* share of the whole call, 0 to 1 */
    uint64_t work;   /* since the last report; initially 0 */
} ProgressStage;

/*
 * Counts a finished step: `work` memory accesses or so, after which `done` of `all` items are done. Reports progress
 * after some hundredths of a second of work. Error: as sknReportProgress.
 */
VkskinResult sknProgressStep(ProgressStage *stage, uint64_t work, uint64_t done, uint64_t all);

#endif
