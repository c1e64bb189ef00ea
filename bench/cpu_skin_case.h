/*
 * cpu_skin_case.h: cases of kind CASE_CPU: crowds skinned on the CPU into host memory, with the library or with the
 * scalar loop.
 */
#ifndef BENCH_CPU_SKIN_CASE_H
#define BENCH_CPU_SKIN_CASE_H

#include "bench_case.h"
#include "crowd_scene.h"
#include "vkskin/vkskin_cpu.h"

/* The parameters of cpuSkinFunctions. Meshes have 10,000 vertices and 64 joints. */
typedef struct CpuSkinParameters {
    bool scalar;          /* the scalar loop instead of the library: linear blending, floats, one thread */
    VkskinCpuLevel level; /* of the library's instructions */
    bool threads;         /* all processors, otherwise the calling thread */
    uint32_t influences;  /* as in CrowdShape */
    bool positionsAlone;  /* no normals and tangents */
    VkskinVertexFormat format;
    VkskinWeightFormat weights;
    VkskinMethod method;
    VkskinPaletteEncoding encoding;
    uint32_t instances; /* 0: CPU_INSTANCES */
} CpuSkinParameters;

#define CPU_INSTANCES       600u /* 240 MB of floats */
#define CPU_QUICK_INSTANCES 200u /* at most, under --quick */

extern const CaseFunctions cpuSkinFunctions;

#endif
