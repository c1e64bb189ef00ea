/* fuzz_context.h: contexts of any shape on guarded memory. */
#ifndef TESTS_FUZZ_CONTEXT_H
#define TESTS_FUZZ_CONTEXT_H

#include "gpu.h"
#include "random.h"

/* A method, and an encoding that it reads. */
typedef struct FuzzWay {
    VkskinMethod method;
    VkskinPaletteEncoding encoding;
} FuzzWay;

#define FUZZ_WAYS 2u

/* What the meshes of a context are like: not all of everything, as drivers take long for each kernel. */
typedef struct FuzzShape {
    FuzzWay ways[FUZZ_WAYS]; /* that skin meshes of three dimensions */
    bool flat;               /* there are flat meshes too */
    bool morphs;             /* some meshes have morph targets, and some of these no bones */
    VkskinVertexFormat format;
    uint32_t attributes; /* 0: positions alone, 1: normals, 2: tangents too */
    VkskinNormals normals;
    uint32_t instancesPerThread, workgroupSize;
    VkskinPaletteBinding binding;
} FuzzShape;

typedef struct FuzzContext {
    VkskinContextDef def;         /* as it was made; its pointers are no longer good */
    VkDeviceSize palettePageSize; /* as the device cuts it */
    VkskinContext context;
    FuzzShape shape;
    uint32_t maxBones; /* that a palette has room for */
} FuzzContext;

#define FUZZ_MAX_INSTANCES 256u /* more than a thread skins its vertex for */

/*
 * kernelSeed: contexts of the same one have the same shape. simple: one way, positions alone, no morph targets, since
 * lavapipe takes many seconds for each kernel that GPU-assisted validation has worked on.
 */
FuzzContext fuzzContextCreate(Gpu *gpu, Random *random, uint64_t kernelSeed, bool simple);

/* The kernels that a mesh of the context's needs. */
void fuzzContextKernels(Gpu *gpu, const FuzzContext *context, VkskinMesh mesh);

/* The context goes; its kernels stay until a context of another kernelSeed is made, or until fuzzContextFinish. */
void fuzzContextDestroy(FuzzContext *context);
void fuzzContextFinish(void);

#endif
