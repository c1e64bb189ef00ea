/*
 * cpu_backend.h: skins a frame's commands on the CPU, into the mapped output pages.
 *
 * Meshes are CpuMesh; palettes and morph weights are in host memory. Frames, regions, handles and commands are the same
 * as with kernels.
 */
#ifndef VKSKIN_CPU_BACKEND_H
#define VKSKIN_CPU_BACKEND_H

#include "context.h"

/* Whether the def selects the CPU backend on this device. */
bool sknWantsCpu(const Gpu *gpu, const VkskinContextDef *def);

/* Errors: INVALID_VALUE (the level), OUT_OF_HOST_MEMORY; *backend is then zero. */
VkskinResult sknInitCpuBackend(const Gpu *gpu, const VkskinContextDef *def, CpuBackend *backend);
void sknDestroyCpuBackend(CpuBackend *backend);

/* Makes room for the next record call. Error: OUT_OF_HOST_MEMORY. With the context's lock. */
VkskinResult sknReserveCpuWork(const Gpu *gpu, CpuBackend *backend, uint32_t commands, uint32_t morphs);

/*
 * The commands that are not recorded, as jobs in context->cpu.busy; returns their number. sknSkinJobs skins them without
 * the lock. sknEndCpuWork then flushes what they wrote. Both with the context's lock.
 */
uint32_t sknBeginCpuWork(VkskinContext context);
VkskinResult sknEndCpuWork(VkskinContext context);

#endif
