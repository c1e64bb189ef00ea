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

#define SKINNING_WARNINGS_MAX 16u

typedef struct Skinning {
    Device *device;
    VkskinContext context;
    VkskinBackend backend; /* in use: VKSKIN_BACKEND_COMPUTE or VKSKIN_BACKEND_CPU */
    ParallelPool pool;     /* for posing, and skinning with the CPU backend */
    VkskinLogger logger; /* keeps warnings, and the last failure for skinningFail; give it to skeletons, clips, skins */
    char lastMessage[ENGINE_ERROR_SIZE];
    /* By VkskinResult: the first message of each warning, or "". Calls that return a warning log it too. For
     * VKSKIN_WARNING_NORMALS_CHEAP see VkskinContextDef.checkPalettes. */
    char warnings[SKINNING_WARNINGS_MAX][ENGINE_ERROR_SIZE / 2];
} Skinning;

/* `choices`, or the default def where it is null, for this device. */
VkskinContextDef skinningDeviceDef(const Device *device, const VkskinContextDef *choices, VkskinLogger logger);

/* The backend used if `wanted` is requested: VKSKIN_BACKEND_COMPUTE or VKSKIN_BACKEND_CPU. */
VkskinBackend skinningBackend(const Device *device, VkskinBackend wanted);

/*
 * Makes the context without kernels. choices: a def whose device, logger and threads are ignored: those of `device` and of
 * the pool, one thread per processor, are used. The address does not change until skinningDestroy. Null on failure.
 */
Skinning *skinningCreate(Device *device, const VkskinContextDef *choices, EngineError *error);

/* Makes the missing kernels for this mesh, this method and this encoding. Slow on some drivers. */
bool skinningMakeKernels(Skinning *skinning, VkskinMethod method, VkskinPaletteEncoding encoding,
                         const VkskinMesh *mesh, EngineError *error);

/* Waits for the device, then frees the context with all its meshes and instances. Null is allowed. */
void skinningDestroy(Skinning *skinning);

/* engineVkskin with the last message of the library. Returns false. */
bool skinningFail(Skinning *skinning, EngineError *error, const char *what, VkskinResult result);

typedef struct SkinnedVertices {
    uint32_t count;
    float *positions; /* [count][3], in mesh space */
    float *normals;   /* [count][3], or null if the mesh has none */
} SkinnedVertices;

/*
 * Waits for the device and copies the instance's current output, which must be VKSKIN_VERTEX_FLOAT. The buffer of
 * the output must allow transfers. Submit the frame's command buffers first. On failure *vertices is zero.
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
