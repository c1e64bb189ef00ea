/*
 * conform.h: skins instances of one mesh on the GPU, and what it takes to judge their vertices.
 *
 * The output is poisoned first. Each instance has neighbours that are never skinned; after the run every word of the
 * skinned ones must have been written, and all other words of all pages must still be poison.
 */
#ifndef TESTS_CONFORM_H
#define TESTS_CONFORM_H

#include "conform_settings.h"
#include "gpu.h"
#include "reference.h"
#include "vertex_error.h"

typedef struct ConformInstance {
    VkskinMethod method;
    VkskinPaletteEncoding encoding;
    const void *palette;       /* entries for the mesh's bones; not looked at where it has none. Instances of one
                                  encoding and pointer share a palette of the library's */
    const float *morphWeights; /* [morphWeightCount] */
    uint32_t morphWeightCount;
} ConformInstance;

/*
 * Makes the mesh, skins it once for each instance, and gives all vertices, [count][vertexCount], freed by free(). One
 * context serves all calls of a process that have the same settings one after the other, and makes the kernels that the
 * mesh needs: drivers take long for each. settings: null for all zero.
 */
ReadVertex *newConformOutput(Gpu *gpu, const ConformSettings *settings, const VkskinMeshDef *def,
                             const ConformInstance *instances, uint32_t count, VkskinMeshInfo *info);

/* What a comparison came to. */
typedef struct ConformWorst {
    VertexError error;
    uint32_t compared, leftOut;
} ConformWorst;

/* Of vertices [vertexCount] with the reference's. */
void conformCompare(const ReferenceVertex *expected, const ReadVertex *vertices, const VkskinMeshInfo *info,
                    ConformWorst *worst);

/* Fails where the worst is worse than float weights and palettes allow, or much was left out. Prints it. */
void conformCheckWorst(const char *label, const ConformWorst *worst, VkskinVertexFormat format);

#endif
