/*
 * library_crowd.h: a crowd skinned with the library: one mesh, and an instance and a palette for each character.
 *
 * The work is what vkskinRecordSkinning records, or does with the CPU backend. The host time is that of
 * vkskinAllocatePalette, vkskinSkinInstances and, with kernels, vkskinRecordSkinning. Writing palettes does not count:
 * the pose cases measure it.
 */
#ifndef BENCH_LIBRARY_CROWD_H
#define BENCH_LIBRARY_CROWD_H

#include "bench_case.h"
#include "crowd_scene.h"
#include "resources.h"
#include "skin_choice.h"
#include "vkskin/vkskin.h"

/* For CrowdShape.instances: as many as fill half of the device memory. */
#define LIBRARY_CROWD_MOST 0

/* BenchCase.parameters of these cases. */
typedef struct LibraryCrowdDef {
    CrowdShape shape; /* instances may be LIBRARY_CROWD_MOST */
    SkinMode mode;
    VkskinVertexFormat format;
    VkskinWeightFormat weights;
    uint32_t instancesPerThread;         /* 0: the library's choice */
    VkskinPaletteBinding paletteBinding; /* zero is the library's choice */
    bool tuned;                          /* vkskinTune runs first */
    VkskinBackend backend;               /* zero is compute; the CPU backend uses all processors */
} LibraryCrowdDef;

extern const CaseFunctions LIBRARY_CROWD;

/* ---- The same as a part of another case ---- */

typedef struct LibraryCrowd {
    const LibraryCrowdDef *def;
    Device *device;
    DeviceClock *clock;
    CrowdScene scene;
    void *centres;  /* null: none */
    void *palettes; /* of all poses */
    VkskinContext context;
    char message[ENGINE_ERROR_SIZE]; /* the library's last failure */
    VkskinMesh mesh;
    VkskinMeshInfo info;
    VkskinTuning tuning;         /* of its kernels */
    VkskinInstance *instances;   /* [instances] */
    VkskinSkinCommand *commands; /* [instances] */
    void **places;               /* [instances]: mapped palettes */
    Buffer readback;             /* of one instance */
    VkskinOutput output;         /* of the instance in `readback` */
} LibraryCrowd;

/* Null on failure. */
LibraryCrowd *libraryCrowdCreate(const LibraryCrowdDef *def, const BenchEnvironment *environment, EngineError *error);

/* The device no longer uses it. Null is allowed. */
void libraryCrowdDestroy(LibraryCrowd *crowd);

/* Sets *error to the library's last message and `result`. Returns false. */
bool libraryCrowdFail(const LibraryCrowd *crowd, VkskinResult result, EngineError *error);

bool libraryCrowdIsOnCpu(const LibraryCrowd *crowd);

/* Bytes of an instance's palette. */
size_t libraryCrowdPaletteSize(const LibraryCrowd *crowd);

/* Fills the output with CROWD_POISON. */
bool libraryCrowdPoison(LibraryCrowd *crowd, EngineError *error);

/* Writes the palettes and records the skinning. Sets the host time, and the work time with the CPU backend. */
bool libraryCrowdRecord(LibraryCrowd *crowd, VkCommandBuffer commandBuffer, RunTime *time, EngineError *error);

/* Submits the commands and waits; adds to *time. */
bool libraryCrowdSubmit(LibraryCrowd *crowd, RunTime *time, EngineError *error);

/* The output of an instance after skinning, the same in every frame. */
bool libraryCrowdOutput(LibraryCrowd *crowd, uint32_t instance, VkskinOutput *output, EngineError *error);

CaseTraffic libraryCrowdTraffic(const LibraryCrowd *crowd);

#endif
