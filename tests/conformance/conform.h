/*
 * conform.h: skins instances of one mesh on the GPU and compares their vertices.
 *
 * The output is poisoned first. Each instance has neighbours that are never skinned. After the run every word of the
 * skinned ones must have been written. Kernels: all instances have their pass-through attributes, and zeros in the other
 * words of these streams. All other words of all pages must still be poison. An output in a buffer of the host must be in
 * its place there.
 */
#ifndef TESTS_CONFORM_H
#define TESTS_CONFORM_H

#include "gpu.h"
#include "reference.h"
#include "vertex_error.h"

/* How a context skins. All zero: kernels with the library's choices. */
typedef struct ConformSettings {
    VkskinBackend backend;
    VkskinPaletteBinding binding;
    uint32_t instancesPerThread;
    bool driverConstants;   /* the driver specialises the kernels, as on devices other than CPUs */
    uint32_t workgroupSize; /* maximum: the device's limit bounds it */
    bool hostOutput;        /* outputs are in a buffer of the host, each 0 to 12 bytes after the one before */
} ConformSettings;

typedef struct ConformInstance {
    VkskinMethod method;
    VkskinPaletteEncoding encoding;
    const void *palette;       /* entries for the mesh's bones; not read if it has none. Instances of one encoding and
                                  pointer share a palette of the library */
    const float *morphWeights; /* [morphWeightCount] */
    uint32_t morphWeightCount;
} ConformInstance;

/*
 * Creates the mesh, skins it once for each instance and returns all vertices, [count][vertexCount], freed with free().
 * Consecutive calls whose settings differ at most in hostOutput share one context, which keeps its kernels: a driver
 * takes long for each. settings: null for all zero.
 */
ReadVertex *newConformOutput(Gpu *gpu, const ConformSettings *settings, const VkskinMeshDef *def,
                             const ConformInstance *instances, uint32_t count, VkskinMeshInfo *info);

/* The result of a comparison. */
typedef struct ConformWorst {
    VertexError error;
    uint32_t compared, leftOut;
} ConformWorst;

/* Compares vertices [vertexCount] with the reference's; adds to *worst. */
void conformCompare(const ReferenceVertex *expected, const ReadVertex *vertices, const VkskinMeshInfo *info,
                    ConformWorst *worst);

/* Prints the worst; fails if it exceeds what float weights and palettes allow, or if much was left out. */
void conformCheckWorst(const char *label, const ConformWorst *worst, VkskinVertexFormat format);

#endif
