/*
 * soak_context.h: the library's context of one span of a soak, of random make, with its objects counted.
 */
#ifndef ENGINE_SOAK_CONTEXT_H
#define ENGINE_SOAK_CONTEXT_H

#include "device.h"
#include "parallel.h"
#include "random.h"
#include "soak_memory.h"
#include "vkskin/vkskin.h"

#define SOAK_MAX_INSTANCES 48u

/* What the meshes of a context are like and how they move: not all of everything, as some drivers take long for each
 * kernel. */
typedef struct SoakWays {
    uint32_t methods; /* bit m: some move so; linear blend always */
    bool quaternions; /* linear blending takes rigid bones as quaternions */
    bool morphs;      /* meshes have the morph targets of their models */
    uint32_t vectors; /* 0: positions alone, 1: normals, 2: tangents too */
    VkskinVertexFormat format;
    VkskinNormals normals;
} SoakWays;

typedef struct SoakContext {
    VkskinContext handle;
    VkskinBackend backend;   /* in use */
    ParallelPool pool;       /* of the CPU backend */
    uint32_t framesInFlight; /* 1 to SOAK_MAX_FRAMES */
    uint32_t regions;
    bool hostBarriers;
    SoakWays ways;
    uint32_t slot;      /* of the frame being made */
    uint64_t frame;     /* counts from 1 */
    SoakMemory *memory; /* borrowed: the library's and its driver objects' */
    char message[256];  /* the library's latest */
} SoakContext;

/* Without kernels. *context stays where it is until soakContextDestroy. On failure its handle is null. */
bool soakContextCreate(Device *device, Random *random, VkskinBackend backend, SoakMemory *memory, SoakContext *context,
                       EngineError *error);

/* The kernels that a mesh of it needs. */
bool soakContextKernels(SoakContext *context, VkskinMesh mesh, EngineError *error);

/* The device is done with it. Fails where anything of it is left over: host memory or objects of the driver. */
bool soakContextDestroy(SoakContext *context, EngineError *error);

/* Writes "CALL: message (NAME)" and returns false. */
bool soakContextFail(SoakContext *context, const char *call, VkskinResult result, EngineError *error);

/* Records pending uploads and the skinning, with full barriers of the host's where the context leaves them to it. */
bool soakContextRecord(SoakContext *context, VkCommandBuffer commandBuffer, EngineError *error);

#endif
