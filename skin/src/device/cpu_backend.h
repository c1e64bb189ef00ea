/*
 * cpu_backend.h: skins a frame's commands on the CPU, into the mapped output pages.
 *
 * Meshes are CpuMesh, palettes and morph weights lie in host memory, and all else (frames, regions, handles, commands)
 * is as with kernels.
 */
#ifndef VKSKIN_CPU_BACKEND_H
#define VKSKIN_CPU_BACKEND_H

#include "cpu_skin.h"
#include "gpu.h"
#include "lock.h"

typedef struct CpuBackend {
    bool used;
    VkskinCpuRun run; /* its level is one that is there */
    Lock lock; /* one vkskinRecordSkinning after another: taken before the context's, which the work is done without */
    CpuCommand *commands; /* [maxInstances], of one record call */
    CpuJob *jobs;         /* likewise */
} CpuBackend;

/* Whether the def asks for it on this device. */
bool sknWantsCpu(const Gpu *gpu, const VkskinContextDef *def);

/* Errors: INVALID_VALUE (the level), OUT_OF_HOST_MEMORY; nothing is left over then. */
VkskinResult sknInitCpuBackend(const Gpu *gpu, const VkskinContextDef *def, CpuBackend *backend);
void sknDestroyCpuBackend(const Gpu *gpu, CpuBackend *backend);

/* vkskinRecordSkinning of such a context. */
VkskinResult sknSkinOnCpu(VkskinContext context, VkCommandBuffer commandBuffer);

#endif
