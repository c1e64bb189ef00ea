/*
 * api_run.h: one input of fuzz_api as a program for the public API: what it has made so far, and its instructions.
 *
 * The host that it plays keeps its side of the contract: arrays are there with exactly the promised size, each in a
 * heap block of its own; frames are run by the null driver before their slot is begun again; handles of Vulkan's are
 * the driver's or null. All else comes from the input.
 */
#ifndef TESTS_API_RUN_H
#define TESTS_API_RUN_H

#include "fuzz_bytes.h"
#include "null_driver.h"
#include "vkskin/vkskin_pose.h"

#define API_CONTEXTS  2u
#define API_MESHES    3u
#define API_INSTANCES 4u
#define API_PALETTES  2u
#define API_OBJECTS   2u

/* How the host's memory callbacks misbehave. */
typedef enum ApiFlaw {
    API_FLAW_NONE,
    API_FLAW_REFUSES, /* every third time */
    API_FLAW_NOT_MAPPED,
    API_FLAW_TYPE,
    API_FLAW_NO_MEMORY,
    API_FLAW_SMALL,
    API_FLAW_UNALIGNED,
    API_FLAW_SKEWED, /* mapped at an address that is not aligned */
    API_FLAW_ATOMS,  /* not of whole atoms, which matters where memory is not coherent */
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
    uint32_t allocations; /* of the memory callbacks */
    uint32_t framesInFlight;
    uint32_t slot;            /* of the frame that records, of the one before a cancelled one; framesInFlight first */
    VkCommandBuffer commands; /* of the frame that records */
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
    VkskinSkeleton skeletons[API_OBJECTS];
    VkskinClip clips[API_OBJECTS];
    VkskinSkin skins[API_OBJECTS];
} ApiRun;

typedef void (*ApiInstruction)(ApiRun *run);

/* A context of the run's; now and then one that is not there, whose `context` is null. Never null itself. */
ApiContext *apiContext(ApiRun *run);

/* Most often one of the `count` handles of 8 bytes at `handles`, else one of the same place and any generation, or any
 * bytes. */
void apiHandle(ApiRun *run, const void *handles, uint32_t count, void *handle);

/* What every result must be: one of those that have a name. Returns whether it is a success. */
bool apiCheck(VkskinResult result);

/* A logger that holds every message against what is promised of it. */
VkskinLogger apiLogger(void);

/* What the first bytes ask to find done: nothing, a context with kernels, meshes and instances, or a frame too; and
 * a skeleton with a clip and a skin. */
void apiPrepare(ApiRun *run);

/* Makes a context of the def that the next bytes describe; it stays null where that is refused. */
void apiOpenContext(ApiRun *run, ApiContext *context);

/* Begins a frame in `slot` after what the contract asks to wait for. */
void apiNextFrame(ApiContext *context, uint32_t slot);

/* Runs the frames that wait, oldest first, up to the last one of `slot`; all of them for a slot that none has. */
void apiRunFrames(ApiContext *context, uint32_t slot);

/* Ends a context: its frames run, or are dropped, as the next byte says. */
void apiDestroyContext(ApiRun *run, ApiContext *context);

/* Frees what was made of the pose side. */
void apiDestroyPoses(ApiRun *run);

/* Instructions. api_context.c */
void apiMakeContext(ApiRun *run);
void apiEndContext(ApiRun *run);
void apiMakePipelines(ApiRun *run);
void apiFailSoon(ApiRun *run);

/* api_mesh.c */
void apiMakeMesh(ApiRun *run);
void apiEndMesh(ApiRun *run);
void apiMakeInstance(ApiRun *run);
void apiEndInstance(ApiRun *run);

/* api_frame.c */
void apiBeginFrame(ApiRun *run);
void apiTakePalette(ApiRun *run);
void apiSkin(ApiRun *run);
void apiRecord(ApiRun *run);
void apiScope(ApiRun *run);

/* api_query.c */
void apiOutput(ApiRun *run);
void apiAccesses(ApiRun *run);
void apiTimings(ApiRun *run);
void apiVertexInput(ApiRun *run);

/* api_surface.c */
void apiSurface(ApiRun *run);

/* api_pose.c */
void apiMakeSkeleton(ApiRun *run);
void apiMakeClip(ApiRun *run);
void apiMakeSkin(ApiRun *run);
void apiPose(ApiRun *run);
void apiBlend(ApiRun *run);

#endif
