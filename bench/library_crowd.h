/*
 * library_crowd.h: a crowd skinned by the library: one mesh, an instance and a palette for each character.
 *
 * The work is what vkskinRecordSkinning recorded, or, with the CPU backend, did itself; the host's time is that of
 * vkskinAllocatePalette, vkskinSkinInstances and, where it records, vkskinRecordSkinning together. Palettes are written
 * between them and not counted: that is the poses' business.
 */
#ifndef BENCH_LIBRARY_CROWD_H
#define BENCH_LIBRARY_CROWD_H

#include "bench_case.h"
#include "crowd_scene.h"
#include "resources.h"
#include "skin_choice.h"
#include "vkskin/vkskin.h"

/* CrowdShape.instances: as many as half of the device's memory takes. */
#define LIBRARY_CROWD_MOST 0

/* BenchCase.parameters of these cases. */
typedef struct LibraryCrowdDef {
    CrowdShape shape; /* instances may be LIBRARY_CROWD_MOST */
    SkinWay way;
    VkskinVertexFormat format;
    VkskinWeightFormat weights;
    uint32_t instancesPerThread;         /* 0: the library's choice */
    VkskinPaletteBinding paletteBinding; /* zero is the library's choice */
    bool tuned;                          /* by vkskinTune, before */
    VkskinBackend backend;               /* zero is compute; the CPU's: on all processors */
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
    VkskinTuning tuning;         /* what its kernels have */
    VkskinInstance *instances;   /* [instances] */
    VkskinSkinCommand *commands; /* [instances] */
    void **places;               /* [instances]: where their palettes are to be written */
    Buffer readback;             /* of one instance */
    VkskinOutput output;         /* of the instance that was read back, from the start of `readback` */
} LibraryCrowd;

/* Null on failure. */
LibraryCrowd *libraryCrowdCreate(const LibraryCrowdDef *def, const BenchEnvironment *environment, EngineError *error);

/* Null is allowed; nothing of it is on the device. */
void libraryCrowdDestroy(LibraryCrowd *crowd);

/* Writes the library's last message and `result`. Returns false. */
bool libraryCrowdFail(const LibraryCrowd *crowd, VkskinResult result, EngineError *error);

bool libraryCrowdIsOnCpu(const LibraryCrowd *crowd);

/* Bytes of an instance's palette. */
size_t libraryCrowdPaletteSize(const LibraryCrowd *crowd);

/* Fills the output with CROWD_POISON. */
bool libraryCrowdPoison(LibraryCrowd *crowd, EngineError *error);

/* Writes the palettes and records the skinning. *time: what the host spent, the work itself where the CPU did it. */
bool libraryCrowdRecord(LibraryCrowd *crowd, VkCommandBuffer commandBuffer, RunTime *time, EngineError *error);

/* Submits what was recorded and waits; adds to the times of *time. */
bool libraryCrowdSubmit(LibraryCrowd *crowd, RunTime *time, EngineError *error);

/* Where an instance's vertices lie, once they were skinned: in every frame the same. */
bool libraryCrowdOutput(LibraryCrowd *crowd, uint32_t instance, VkskinOutput *output, EngineError *error);

CaseTraffic libraryCrowdTraffic(const LibraryCrowd *crowd);

#endif
