/*
 * skinning.h: the engine's VkskinContext: creation for a device, kernels, errors, tuning, and readback of skinned
 * vertices.
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
    uint32_t maxMorphWeights;          /* see VkskinContextDef; 0: none */
    bool readback;                     /* allow readbackInstance */
    VkskinBackend backend;
    uint32_t threads;           /* for posing, and skinning with the CPU backend; 0: one per processor */
    const VkskinTuning *tuning; /* null: default for the device type; used only during skinningCreate */
} SkinningDef;

typedef struct Skinning {
    Device *device;
    VkskinContext context;
    uint32_t framesInFlight;
    VkskinBackend backend; /* in use: VKSKIN_BACKEND_COMPUTE or VKSKIN_BACKEND_CPU */
    ParallelPool pool;     /* for posing, and skinning with the CPU backend */
    VkskinLogger logger;   /* keeps the last failure for skinningFail; give it to skeletons, clips, skins */
    char lastMessage[ENGINE_ERROR_SIZE];
} Skinning;

/* A context def for this device; all other fields have their defaults. */
VkskinContextDef skinningDeviceDef(const Device *device, VkskinLogger logger);

/* The backend used if `wanted` is requested: VKSKIN_BACKEND_COMPUTE or VKSKIN_BACKEND_CPU. */
VkskinBackend skinningBackend(const Device *device, VkskinBackend wanted);

/* Makes the context without kernels. The address does not change until skinningDestroy. Null on failure. */
Skinning *skinningCreate(Device *device, const SkinningDef *def, EngineError *error);

/* Makes the missing kernels for these meshes, this method and this encoding. Slow on some drivers. */
bool skinningMakeKernels(Skinning *skinning, VkskinMethod method, VkskinPaletteEncoding encoding,
                         const VkskinMesh *meshes, uint32_t meshCount, EngineError *error);

/* Waits for the device, then frees the context with all its meshes and instances. Null is allowed. */
void skinningDestroy(Skinning *skinning);

/* "WHAT: the library's message (VKSKIN_ERROR_...)". Returns false. */
bool skinningFail(Skinning *skinning, EngineError *error, const char *what, VkskinResult result);

typedef struct SkinnedVertices {
    uint32_t count;
    float *positions; /* [count][3], in mesh space */
    float *normals;   /* [count][3], or null if the mesh has none */
    float *tangents;  /* [count][4], w: handedness; or null */
} SkinnedVertices;

/*
 * Waits for the device and copies the instance's current output, which must be VKSKIN_VERTEX_FLOAT. SkinningDef.readback
 * must have been set. Submit the frame's command buffers first. On failure *vertices is zero.
 */
bool readbackInstance(Skinning *skinning, VkskinInstance instance, SkinnedVertices *vertices, EngineError *error);

/* Zero vertices are allowed. */
void skinnedVerticesFree(SkinnedVertices *vertices);

/* runs: number of runs so far. Called on the thread of tuneDevice. */
typedef void (*TuneProgressFn)(void *user, uint32_t runs);

/* Calls vkskinTune with its defaults. Each run is a separate submission, timed with the wall clock around a fence.
 * Takes seconds on some drivers. progress: null for none. */
bool tuneDevice(Device *device, TuneProgressFn progress, void *user, VkskinTuning *tuning, EngineError *error);

/* *fits: whether the library accepts the tuning for this device. False if the check itself fails. */
bool tuneFits(Device *device, const VkskinTuning *tuning, bool *fits, EngineError *error);

#endif
