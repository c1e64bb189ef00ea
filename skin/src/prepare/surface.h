/*
 * surface.h: reads and checks the positions, influences and triangles of a VkskinMeshDef, and reports progress.
 *
 * The readers take a surface whose fields were checked, and a vertex or a triangle that it has. The checks report to the
 * logger of the run; each names a vertex or a triangle by its number.
 */
#ifndef VKSKIN_SURFACE_H
#define VKSKIN_SURFACE_H

#include "vkskin/vkskin_mesh.h"

#define MAX_INFLUENCES 255

typedef struct Influence {
    uint32_t joint;
    float weight;
} Influence;

#define MAX_BONES  1048576u
#define MAX_STRIDE 65536u /* beyond every vertex of a host's; a stride that wrapped is far above */

/* A mesh def, and the run of the call that reads it. */
typedef struct Surface {
    const VkskinMeshDef *mesh;
    VkskinPrepareRun run;
} Surface;

/* run: null for all zero. */
Surface sknSurface(const VkskinMeshDef *mesh, const VkskinPrepareRun *run);

/* The def's name, or "unnamed". */
const char *sknMeshName(const VkskinMeshDef *mesh);

/* What a call reads of a surface; may be joined. */
#define SURFACE_POSITIONS  1u
#define SURFACE_INFLUENCES 2u
#define SURFACE_TRIANGLES  4u

/*
 * The surface's fields, as far as the parts that will be read need them; no array is looked into. Errors: those of null
 * arguments, defs not initialised and invalid values.
 */
VkskinResult sknCheckSurfaceFields(const Surface *surface, uint32_t parts);

/* A vertex's position and influences, of `parts`. Errors: attribute, weight not finite; weight negative; joint. */
VkskinResult sknCheckSurfaceVertex(const Surface *surface, uint32_t parts, uint32_t vertex);

/* All of the above, then the triangles' vertices where they are of `parts`. */
VkskinResult sknCheckSurface(const Surface *surface, uint32_t parts);

/* The place of a vertex in a stream: stride bytes from one to the next, `tight` where that is 0. */
const void *sknStreamAt(const void *stream, size_t stride, size_t tight, uint32_t vertex);

/* Three floats. */
const float *sknSurfacePosition(const Surface *surface, uint32_t vertex);

/* All influencesPerVertex of a vertex into influences[], as they stand, those of weight zero among them. */
void sknSurfaceInfluences(const Surface *surface, uint32_t vertex, Influence *influences);

/* The material of a triangle. */
uint32_t sknSurfaceMaterial(const Surface *surface, uint32_t triangle);

/* ---- Progress ---- */

/* Tells the host that `done` of the work, 0 to 1, is behind. Error: CANCELLED, told to the logger. */
VkskinResult sknReportProgress(const Surface *surface, double done);

/* A stretch of a call, which tells the host now and then how far it is. */
typedef struct ProgressStage {
    const Surface *surface;
    double from, to; /* of the call, 0 to 1 */
    uint64_t work;   /* since the host was told; 0 to begin with */
} ProgressStage;

/*
 * A step of the stage is behind: `work` times a look into memory or so, by which `done` of its `all` things are done.
 * Tells the host once there was work of some hundredths of a second. Error: as sknReportProgress.
 */
VkskinResult sknProgressStep(ProgressStage *stage, uint64_t work, uint64_t done, uint64_t all);

#endif
