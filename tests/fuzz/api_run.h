/*
 * api_run.h: one input of fuzz_api as a program for the public API: the objects it has created and its instructions.
 *
 * The host keeps its side of the contract: each array has exactly the promised size and its own heap block, until the instruction ends; frames run
 * on the null driver before their slot is begun again; Vulkan handles are valid or null. The input sets everything
 * else.
 */
#ifndef TESTS_API_RUN_H
#define TESTS_API_RUN_H

#include "fuzz_bytes.h"
#include "fuzz_target.h"
#include "host_memory.h"
#include "null_driver.h"
#include "vkskin/vkskin_crowd.h"
#include "vkskin/vkskin_pose.h"

#define API_CONTEXTS   2u
#define API_MESHES     3u
#define API_INSTANCES  4u
#define API_PALETTES   2u
#define API_OBJECTS    2u
#define API_BUFFERS    2u /* for output, per context */
#define API_CHARACTERS 6u

/* The fault of the host's memory callbacks. */
typedef enum ApiFlaw {
    API_FLAW_NONE,
    API_FLAW_REFUSES, /* every third allocation */
    API_FLAW_NOT_MAPPED,
    API_FLAW_TYPE,
    API_FLAW_NO_MEMORY,
    API_FLAW_SMALL,
    API_FLAW_UNALIGNED,
    API_FLAW_SKEWED, /* mapped at an address that is not aligned */
    API_FLAW_ATOMS,  /* not of whole atoms; matters for memory that is not coherent */
    API_FLAW_COUNT
} ApiFlaw;

/* A frame that was recorded and has not run yet. */
typedef struct ApiFrame {
    uint32_t slot;
    VkCommandBuffer commands;
} ApiFrame;

typedef struct ApiContext {
    VkskinContext context; /* null: none */
    NullDriver *driver;
    ApiFlaw flaw;
    uint32_t allocations;          /* calls of the memory callbacks so far */
    VkBuffer buffers[API_BUFFERS]; /* buffers of the host, for output; same index as the output buffer in ApiRun */
    VkDeviceMemory memories[API_BUFFERS];
    uint32_t framesInFlight;
    uint32_t slot; /* slot of the recording frame, or of the one before a cancelled one; framesInFlight at first */
    VkCommandBuffer commands; /* commands of the recording frame */
    ApiFrame waiting[VKSKIN_MAX_FRAMES_IN_FLIGHT];
    uint32_t waitingCount;
} ApiContext;

typedef struct ApiRun {
    FuzzBytes bytes;
    NullDriver *driver;
    ApiContext contexts[API_CONTEXTS];
    VkskinMesh meshes[API_MESHES];
    VkskinInstance instances[API_INSTANCES];
    VkskinPalette palettes[API_PALETTES];
    VkskinOutputBuffer outputBuffers[API_BUFFERS];
    VkskinClipSet clipSets[API_OBJECTS];
    VkskinCrowd crowds[API_OBJECTS];
    VkskinCharacter characters[API_CHARACTERS];
    VkskinSkeleton skeletons[API_OBJECTS];
    VkskinClip clips[API_OBJECTS];
    VkskinSkin skins[API_OBJECTS];
} ApiRun;

/* One of the contexts; rarely an entry whose `context` is null. Never null itself. */
ApiContext *apiContext(ApiRun *run);

/* handles: [count] of 8 bytes each. Usually gives one of them, else one with any generation, or any bytes. */
void apiHandle(ApiRun *run, const void *handles, uint32_t count, void *handle);

/* Checks that the result has a name. Returns true for success and warnings. */
bool apiCheck(VkskinResult result);

/* A logger that checks every message: one line, not empty, with an error or a warning. */
VkskinLogger apiLogger(void);

/* Destroys a context. The next byte decides whether its frames run or are dropped. */
void apiDestroyContext(ApiRun *run, ApiContext *context);

/* Destroys the host's buffers after their context. */
void apiFreeBuffers(ApiContext *context);

/* Destroys skeletons, clips and skins. */
void apiDestroyPoses(ApiRun *run);

#define API_VERTICES_MAX 48u

/* A mesh of up to API_VERTICES_MAX vertices. parts: which optional ones; see api_mesh.c. */
void apiTakeMesh(FuzzBytes *bytes, uint8_t parts, VkskinMeshDef *def);

/* An output layout; mostly one that suits a mesh. */
void apiTakeLayout(FuzzBytes *bytes, VkskinOutputLayout *layout);

/* A 32-bit field of a def that the input may set to any number: for the byte `kind`, the field at `offset`. */
typedef struct ApiField {
    uint8_t kind;
    size_t offset;
} ApiField;

/* Sets the field whose kind is given, if there is one. */
void apiSpoilField(FuzzBytes *bytes, void *def, const ApiField *fields, size_t count, uint32_t kind);
#define API_SPOIL(bytes, def, fields, kind)                                                                            \
    apiSpoilField((bytes), (def), (fields), sizeof(fields) / sizeof(fields)[0], (kind))

/* Floats that ascend from 0 by `step`, except up to 3 that the input sets. */
float *apiTakeSteps(FuzzBytes *bytes, size_t count, float step);

/* `count` copies of a struct of floats, except up to 7 floats that the input sets. */
void *apiTakeCopies(FuzzBytes *bytes, uint32_t count, const void *usual, size_t size);

/* floats: [count]. Sets up to 7. */
void apiSpoilFloats(FuzzBytes *bytes, void *floats, size_t count);

/* For HostMemory: refuses the allocation that the uint32_t at `left` counts down to; 0: none. */
bool apiRefusesNth(void *left, size_t size, size_t alignment);

/* The instructions of a program. */
typedef void ApiInstruction(ApiRun *run);
ApiInstruction apiMakeContext, apiMakePipelines, apiMakeMesh, apiMakeInstance, apiMakeSkeleton, apiMakeClip,
    apiMakeSkin;
ApiInstruction apiBeginFrame, apiTakePalette, apiSkin, apiRecord, apiEndMesh, apiEndInstance, apiEndContext;
ApiInstruction apiFailSoon, apiScope, apiOutput, apiAccesses, apiTimings, apiVertexInput, apiPose, apiBlend, apiSurface;
ApiInstruction apiReplaceMesh, apiOpen, apiPrepareFrame, apiRepeatFrame, apiAddBuffer, apiRemoveBuffer;
ApiInstruction apiSkinMatrices, apiMakeInterleaved;
ApiInstruction apiMakeClips, apiMakeCrowd, apiEndCrowd, apiAddCharacters, apiChangeCharacters, apiRecordCrowd,
    apiAskCrowd;
ApiInstruction apiLayers, apiPlay, apiRoot, apiSolve, apiMachine;

#endif
