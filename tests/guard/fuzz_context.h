/* fuzz_context.h: contexts of any shape on guarded memory. */
#ifndef TESTS_FUZZ_CONTEXT_H
#define TESTS_FUZZ_CONTEXT_H

#include "gpu.h"
#include "random.h"

typedef struct FuzzContext {
    VkskinContextDef def; /* as it was made; its pointers are no longer good */
    VkskinContext context;
    uint32_t methods, formats; /* masks of the kernels that there are */
    uint32_t maxBones;         /* that a palette has room for */
} FuzzContext;

#define FUZZ_MAX_INSTANCES 256u /* more than a thread skins its vertex for */

/*
 * kernelSeed: contexts of the same one have the same kernels. simple: one method and packed meshes alone, since lavapipe
 * takes seconds for each kernel that GPU-assisted validation has worked on, and minutes for some of unpacked meshes.
 */
FuzzContext fuzzContextCreate(Gpu *gpu, Random *random, uint64_t kernelSeed, bool simple);

/* The context goes; its kernels stay until a context of another kernelSeed is made, or until fuzzContextFinish. */
void fuzzContextDestroy(FuzzContext *context);
void fuzzContextFinish(void);

#endif
