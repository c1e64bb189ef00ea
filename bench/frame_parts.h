/*
 * frame_parts.h: what the frames of crowds share. frame_crowd.c and frame_instances.c do the work.
 */
#ifndef BENCH_FRAME_PARTS_H
#define BENCH_FRAME_PARTS_H

#include "case_kinds.h"
#include "frame_scene.h"
#include "parallel.h"
#include "resources.h"

/* Characters that are skinned in one frame of the library, for FRAME_ALL: more would not fit into memory at 100,000. */
#define FRAME_BATCH 2000u

typedef struct FrameInstances {
    VkskinPoseBatch poser;
    uint32_t room; /* instances */
    VkskinInstance *instances;
    VkskinSkinCommand *commands;
    VkskinPalette *palettes; /* palettes of the frame */
    void **places;           /* mapped palettes */
    VkskinPoseBatchCharacter *posed;
    uint32_t *visible; /* [count of the scene]: characters */
    uint32_t used;     /* instances used in the last frame: they show visible[first] and the following */
    uint32_t first;
} FrameInstances;

typedef struct FrameCrowd {
    VkskinClipSet clips;
    VkskinCrowd crowd;
    VkskinCrowdDraw *draws; /* draws of all views */
    uint32_t drawCount;
    VkskinCrowdBuffers buffers;
    Buffer lists; /* readback */
} FrameCrowd;

typedef struct FrameState {
    const FrameDef *def;
    Device *device;
    DeviceClock *clock;
    FrameScene scene;
    ParallelPool pool;
    VkskinContext context;
    VkskinMesh mesh;
    VkskinMeshInfo info;
    uint32_t slots;   /* characters that may be skinned at once */
    uint32_t frame;   /* number of the last run's frame */
    uint32_t skinned; /* by it */
    FrameInstances instances;
    FrameCrowd crowd;
    Buffer vertices; /* readback, of one character */
    char message[ENGINE_ERROR_SIZE];
} FrameState;

/* Whether the call succeeded. If not, *error gets the library's message. */
bool frameIsGood(const FrameState *state, VkskinResult result, EngineError *error);

/* Reads the positions of a character at an offset. Null on failure. */
const float *frameRead(FrameState *state, VkBuffer buffer, VkDeviceSize offset, EngineError *error);

/* Each has these functions. *time gets the host time. */
bool frameInstancesCreate(FrameState *state, EngineError *error);
bool frameInstancesRun(FrameState *state, RunTime *time, EngineError *error);
bool frameInstancesPoison(FrameState *state, EngineError *error);
bool frameInstancesCheck(FrameState *state, EngineError *error);
void frameInstancesDestroy(FrameState *state);

/* Only the objects of the library: needs `context`, `mesh`, `scene` and `slots`. */
VkskinResult frameCrowdMake(FrameState *state);
bool frameCrowdCreate(FrameState *state, EngineError *error);
bool frameCrowdRun(FrameState *state, RunTime *time, EngineError *error);
bool frameCrowdPoison(FrameState *state, EngineError *error);
bool frameCrowdCheck(FrameState *state, EngineError *error);
void frameCrowdDestroy(FrameState *state);

#endif
