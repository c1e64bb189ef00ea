/*
 * skinning.h: the engine's VkskinContext: made for a device, its diagnostics turned into engine errors; its kernels.
 */
#ifndef ENGINE_SKINNING_H
#define ENGINE_SKINNING_H

#include "device.h"
#include "parallel.h"
#include "resources.h"
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
    uint32_t threads;           /* that pose, and skin with the CPU backend; 0: one per processor */
    const VkskinTuning *tuning; /* null: by the type of device; lives during skinningCreate */
} SkinningDef;

typedef struct Skinning {
    Device *device;
    VkskinContext context;
    uint32_t framesInFlight;
    VkskinBackend backend; /* in use: VKSKIN_BACKEND_COMPUTE or VKSKIN_BACKEND_CPU */
    ParallelPool pool;     /* poses; skins with the CPU backend */
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
bool skinningMakeKernels(Skinning *skinning, VkskinMethod method, VkskinPaletteEncoding encoding,
                         const VkskinMesh *meshes, uint32_t meshCount, EngineError *error);

/* Waits for the device, then frees the context and all meshes and instances in it. Null is allowed. */
void skinningDestroy(Skinning *skinning);

/* "WHAT: the library's message (VKSKIN_ERROR_...)". Returns false. */
bool skinningFail(Skinning *skinning, EngineError *error, const char *what, VkskinResult result);

typedef struct SkinnedVertices {
    uint32_t count;
    float *positions; /* [count][3], in the mesh's own space */
    float *normals;   /* [count][3], or null where the mesh has none */
    float *tangents;  /* [count][4], w the handedness, or null */
} SkinnedVertices;

/*
 * Waits for the device and copies the instance's current output. SkinningDef.readback must have been set, and the
 * command buffers of the frame submitted. Both vertex formats. On failure *vertices is zero.
 */
bool readbackInstance(Skinning *skinning, VkskinInstance instance, SkinnedVertices *vertices, EngineError *error);

/* A zero one is allowed. */
void skinnedVerticesFree(SkinnedVertices *vertices);

/* runs: of the device so far. Called on the thread of tuneDevice. */
typedef void (*TuneProgressFn)(void *user, uint32_t runs);

/* By vkskinTune with its defaults; each run is submitted on its own and timed by the wall clock around a fence. Takes
 * seconds on some drivers. progress: null for none. */
bool tuneDevice(Device *device, TuneProgressFn progress, void *user, VkskinTuning *tuning, EngineError *error);

/* *fits: whether the library takes the tuning for this device. False where it cannot be asked. */
bool tuneFits(Device *device, const VkskinTuning *tuning, bool *fits, EngineError *error);

#endif
