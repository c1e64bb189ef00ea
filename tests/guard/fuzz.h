/*
 * fuzz.h: contexts, palettes and meshes of any kind on guarded memory, for test_fuzz.c.
 *
 * The same seed makes the same objects on the same driver. Failures fail the running test.
 */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include "gpu.h"
#include "model.h"
#include "random.h"
#include "reference.h"

/* ---- fuzz_context.c: contexts ---- */

/* A method, and an encoding that it reads. */
typedef struct FuzzWay {
    VkskinMethod method;
    VkskinPaletteEncoding encoding;
} FuzzWay;

#define FUZZ_WAYS 2u

/* What the meshes of a context have in common: a driver needs long for each kernel, so not all of everything. */
typedef struct FuzzShape {
    FuzzWay ways[FUZZ_WAYS]; /* for meshes of three dimensions */
    bool flat;               /* there are flat meshes too */
    bool morphs;             /* some meshes have morph targets, and some of these have no bones */
    VkskinVertexFormat format;
    uint32_t attributes; /* 0: positions only, 1: normals, 2: tangents too */
    VkskinNormals normals;
    uint32_t instancesPerThread, workgroupSize;
    VkskinPaletteBinding binding;
} FuzzShape;

typedef struct FuzzContext {
    VkskinContextDef def;         /* as it was created; its pointers are dangling */
    VkDeviceSize palettePageSize; /* as the device limits it */
    VkskinContext context;
    FuzzShape shape;
    uint32_t maxBones; /* of a palette */
} FuzzContext;

#define FUZZ_MAX_INSTANCES 256u /* more than a thread skins its vertex for */

/*
 * kernelSeed: contexts of the same one have the same shape and share their kernels. simple: one way, positions only, no
 * morph targets, since lavapipe takes many seconds for each kernel that GPU-assisted validation has instrumented.
 */
FuzzContext fuzzContextCreate(Gpu *gpu, Random *random, uint64_t kernelSeed, bool simple);

/* The kernels that a mesh of the context needs. */
void fuzzContextKernels(Gpu *gpu, const FuzzContext *context, VkskinMesh mesh);

/* ---- fuzz_context.c: palettes of sane bones, of wild ones, and of both, and their places in the ring ---- */

typedef struct FuzzPalette {
    VkskinPalette handle;
    VkskinMethod method;    /* that reads it */
    ReferenceMatrix *bones; /* [handle.boneCount], what the entries mean */
    bool *wild;             /* [handle.boneCount]: the entry is anything, and not in the reference */
} FuzzPalette;

/* How far a frame's ring is filled, so that a palette can be put at the very end of a page. */
typedef struct FuzzRing {
    VkDeviceSize pageSize, size; /* of a page, except the last; of a frame */
    uint32_t page;               /* of the latest palette */
    VkDeviceSize used;           /* bytes of that page */
} FuzzRing;

/*
 * Allocates a palette of at least `bones` bones and fills it, one in three flush with the end of its page. False if the
 * ring is full; *palette is then empty.
 */
bool fuzzPaletteTake(Gpu *gpu, VkskinContext context, Random *random, FuzzRing *ring, FuzzWay way, uint32_t bones,
                     FuzzPalette *palette);
void fuzzPaletteFree(FuzzPalette *palette);

/* ---- fuzz_mesh.c: meshes of any size, format and influence count, with joints at the limits ---- */

#define FUZZ_MAX_INFLUENCES 40 /* places per vertex */
#define FUZZ_MORPHS         2  /* targets of a mesh that has any: one before the bones, one after */

typedef struct FuzzMesh {
    VkskinMesh handle;
    VkskinMeshInfo info;
    ModelMesh model;           /* as the library got it, for the reference; a flat one has z 0 */
    float *centres;            /* [vertexCount][3], or null */
    float *influencePositions; /* [vertexCount][influences][2], or null */
    float *influenceDeltas;    /* of the target before the bones, likewise */
    uint32_t maxInfluences;
    float minWeight;
    uint32_t unweightedBone;
    uint32_t instanceCount;
} FuzzMesh;

/* Creates one with 1 to maxBones bones, or none, as the shape has them, and its kernels. */
void fuzzMeshCreate(Gpu *gpu, const FuzzContext *context, Random *random, uint32_t maxBones, FuzzMesh *mesh);

/* Frees what the host keeps of it. Does not destroy the handle. */
void fuzzMeshFree(FuzzMesh *mesh);

/*
 * Compares the first, the last and some other vertices of an instance's output with the reference, except those that a
 * wild bone moves. bytes: the start of the output buffer; morphWeights: zeros if the mesh has no targets. Meshes of
 * rounded weights are not compared: the conformance tests do that. Returns how many were compared; a wrong one fails
 * the test.
 */
uint32_t fuzzCheckVertices(Random *random, const FuzzMesh *mesh, const FuzzPalette *palette,
                           const float morphWeights[FUZZ_MORPHS], const VkskinOutput *output, const void *bytes);

/* ---- fuzz_buffer.c: a buffer of the host, for outputs ---- */

/* On guarded memory. Its regions are in descending order; the last one begins at 0, the first one ends with the buffer. */
typedef struct FuzzBuffer {
    VkBuffer buffer;
    VkskinMemoryBlock block;
    VkskinOutputBufferDef def;
    VkskinOutputBuffer handle;
    VkDeviceSize next; /* in a region: behind the latest output */
} FuzzBuffer;

void fuzzBufferCreate(Gpu *gpu, const FuzzContext *context, Random *random, FuzzBuffer *buffer);

/* After the context was destroyed. */
void fuzzBufferFree(Gpu *gpu, FuzzBuffer *buffer);

/*
 * Creates an instance there: behind the latest one, anywhere, or where the library chooses. *place: its offset in a region,
 * or VKSKIN_OFFSET_AUTOMATIC. False if the library refused the place.
 */
bool fuzzBufferPlace(Gpu *gpu, VkskinContext context, Random *random, FuzzBuffer *buffer, const FuzzMesh *mesh,
                     VkskinInstance *instance, VkDeviceSize *place);

/* Fails the test if the output is not at this place, in one of the regions. */
void fuzzBufferCheck(const FuzzBuffer *buffer, const VkskinMeshInfo *info, const VkskinOutput *output,
                     VkDeviceSize place);

#endif
