/*
 * skinning.h: the engine's VkskinContext: made for a device, its diagnostics turned into engine errors; its kernels.
 */
#ifndef ENGINE_SKINNING_H
#define ENGINE_SKINNING_H

#include "device.h"
#include "parallel.h"
#include "skin_choice.h"
#include "vkskin/vkskin.h"
#include "vkskin/vkskin_pose.h"

typedef struct SkinningDef {
    uint32_t framesInFlight;           /* 0: FRAMES_DEFAULT */
    uint32_t maxInstances;             /* 0: the library's default */
    VkDeviceSize paletteBytesPerFrame; /* 0: the library's default */
    VkDeviceSize pageSize;             /* 0: the library's default */
    uint32_t maxMorphWeights;          /* as VkskinContextDef has it, no default: 0 for none */
    bool readback;                     /* outputs can be copied from: see readback.h */
    VkskinBackend backend;
    uint32_t threads;           /* of the CPU backend, as parallelBegin takes them */
    const VkskinTuning *tuning; /* null: by the type of device; lives during skinningCreate */
} SkinningDef;

typedef struct Skinning {
    Device *device;
    VkskinContext context;
    uint32_t framesInFlight;
    VkskinBackend backend; /* in use: VKSKIN_BACKEND_COMPUTE or VKSKIN_BACKEND_CPU */
    ParallelPool pool;     /* of the CPU backend; else without threads */
    VkskinLogger logger;   /* of the engine: keeps the last failure; give it to skeletons, clips, skins */
    char lastMessage[ENGINE_ERROR_SIZE];
} Skinning;

/* A def of the library's for this device, all else by default. */
VkskinContextDef skinningDeviceDef(const Device *device, VkskinLogger logger);

/* What a backend that is asked for comes to on a device: VKSKIN_BACKEND_COMPUTE or VKSKIN_BACKEND_CPU. */
VkskinBackend skinningBackend(const Device *device, VkskinBackend wanted);

/* The context, without kernels. Its address stays until skinningDestroy. Null on failure. */
Skinning *skinningCreate(Device *device, const SkinningDef *def, EngineError *error);

/* Makes the kernels that skin these meshes in this way, as far as there are none: slow on some drivers. */
bool skinningMakeKernels(Skinning *skinning, SkinWay way, const VkskinMesh *meshes, uint32_t meshCount,
                         EngineError *error);

/* Waits for the device, then frees the context and all meshes and instances in it. Null is allowed. */
void skinningDestroy(Skinning *skinning);

/* "WHAT: the library's message (VKSKIN_ERROR_...)". Returns false. */
bool skinningFail(Skinning *skinning, EngineError *error, const char *what, VkskinResult result);

#endif
