/*
 * cpu_backend.h: skins a frame's commands on the CPU, into the mapped output pages.
 *
 * Meshes are CpuMesh, palettes and morph weights lie in host memory, and all else (frames, regions, handles, commands)
 * is as with kernels.
 */
#ifndef VKSKIN_CPU_BACKEND_H
#define VKSKIN_CPU_BACKEND_H

#include "context.h"

/* Whether the def asks for it on this device. */
bool sknWantsCpu(const Gpu *gpu, const VkskinContextDef *def);

/* Errors: INVALID_VALUE (the level), OUT_OF_HOST_MEMORY; nothing is left over then. */
VkskinResult sknInitCpuBackend(const Gpu *gpu, const VkskinContextDef *def, CpuBackend *backend);
void sknDestroyCpuBackend(const Gpu *gpu, CpuBackend *backend);

/* vkskinRecordSkinning of such a context. */
VkskinResult sknSkinOnCpu(VkskinContext context, VkCommandBuffer commandBuffer);

#endif
