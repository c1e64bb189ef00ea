/*
 * library_crowd.h: a crowd skinned with the library, as a case and as a part of another case.
 */
#ifndef BENCH_LIBRARY_CROWD_H
#define BENCH_LIBRARY_CROWD_H

#include "case_kinds.h"
#include "resources.h"

typedef struct LibraryCrowd {
    const LibraryCrowdDef *def;
    Device *device;
    DeviceClock *clock;
    CrowdScene scene;
    VkskinContext context;
    char message[ENGINE_ERROR_SIZE]; /* the library's last failure */
    VkskinMesh mesh;
    VkskinMeshInfo info;
    VkskinTuning tuning;         /* tuning of its kernels */
    VkskinInstance *instances;   /* [instances] */
    VkskinSkinCommand *commands; /* [instances] */
    VkskinPalette *palettes;     /* [instances] of the frame */
    void **places;               /* [instances]: mapped palettes */
    Buffer readback;             /* copy of one instance's output */
    Buffer output;               /* output buffer of the host, or zero */
} LibraryCrowd;

/* The functions below that take a void pointer are CaseFunctions of a LibraryCrowd. */

/* *crowd: zero. Destroy it also on failure. */
bool libraryCrowdCreate(LibraryCrowd *crowd, const LibraryCrowdDef *def, const BenchEnvironment *environment,
                        EngineError *error);

/* The device no longer uses it. A zero one is allowed. */
void libraryCrowdDestroy(void *state);

/* Fills the output with CROWD_POISON. */
bool libraryCrowdPoison(void *state, EngineError *error);

/* Writes the palettes and records the skinning. Sets the host time, and the work time with the CPU backend. */
bool libraryCrowdRecord(LibraryCrowd *crowd, VkCommandBuffer commandBuffer, RunTime *time, EngineError *error);

/* Submits the commands and waits; adds to *time. */
bool libraryCrowdSubmit(LibraryCrowd *crowd, RunTime *time, EngineError *error);

/* The output of an instance after skinning, the same in every frame. */
bool libraryCrowdOutput(LibraryCrowd *crowd, uint32_t instance, VkskinOutput *output, EngineError *error);

CaseTraffic libraryCrowdTraffic(const void *state);

#endif
