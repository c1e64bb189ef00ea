/*
 * surface.h: reads and checks the positions, influences and triangles of a VkskinMeshDef.
 *
 * The readers take a surface whose fields were checked, and a vertex or a triangle that it has. The checks tell the
 * surface's own logger; each names a vertex or a triangle by its number.
 */
#ifndef VKSKIN_SURFACE_H
#define VKSKIN_SURFACE_H

#include "influences.h"
#include "vkskin/vkskin_mesh.h"

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

#endif
