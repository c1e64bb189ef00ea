/*
 * frame_state.h: what the frames of crowds share. frame_crowd and frame_instances do the work.
 */
#ifndef BENCH_FRAME_STATE_H
#define BENCH_FRAME_STATE_H

#include "case_kinds.h"
#include "frame_scene.h"
#include "parallel.h"
#include "resources.h"

/* Characters that are skinned in one frame of the library, for FRAME_ALL: more would not fit into memory at 100,000. */
#define FRAME_BATCH 2000u

typedef struct FrameInstances {
    VkskinPoseBatch poser;
    uint32_t room;             /* characters in a frame of the library */
    VkskinInstance *instances; /* for each level, as many as its room */
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
    VkskinMesh meshes[FRAME_MESHES]; /* [levels of the scene] */
    VkskinMeshInfo infos[FRAME_MESHES];
    uint32_t slots;               /* characters that may be skinned at once */
    uint32_t rooms[FRAME_MESHES]; /* how many of these have each level */
    uint32_t frame;               /* number of the last run's frame */
    uint32_t skinned;             /* by it */
    FrameInstances instances;
    FrameCrowd crowd;
    Buffer vertices; /* readback, of one character */
    char message[ENGINE_ERROR_SIZE];
} FrameState;

/* Keeps the library's last error in the state. */
VkskinLogger frameLogger(FrameState *state);

/* Whether the call succeeded. If not, *error gets the library's message. */
bool frameIsGood(const FrameState *state, VkskinResult result, EngineError *error);

/* Reads the positions of a character with a level at an offset. Null on failure. */
const float *frameRead(FrameState *state, uint32_t level, VkBuffer buffer, VkDeviceSize offset, EngineError *error);

#endif
