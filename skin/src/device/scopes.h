/*
 * scopes.h: named spans of device time by timestamp queries, read when the host asks and their frame is over.
 *
 * There are twice as many sets of queries as frames in flight: those of the frame that has just been found finished
 * stay readable while the new frame in the same slot records its own.
 */
#ifndef VKSKIN_SCOPES_H
#define VKSKIN_SCOPES_H

#include "gpu.h"

#define MAX_SCOPES 64

typedef struct Scope {
    char name[VKSKIN_SCOPE_NAME_BYTES];
    VkCommandBuffer begunIn;
    bool ended;
} Scope;

/* The queries of one frame: scope i uses queries 2i and 2i + 1. */
typedef struct ScopeFrame {
    VkQueryPool pool;
    Scope scopes[MAX_SCOPES];
    uint32_t count;
    uint64_t frame; /* that these are of */
    bool read;      /* the results are those of Scopes */
} ScopeFrame;

typedef struct Scopes {
    uint32_t most; /* scopes a frame; 0: no timestamps */
    uint64_t mask; /* the valid bits of a timestamp */
    double period; /* nanoseconds a tick */
    uint32_t framesInFlight;
    ScopeFrame frames[2 * VKSKIN_MAX_FRAMES_IN_FLIGHT]; /* by turn modulo twice framesInFlight */
    VkskinTiming results[MAX_SCOPES];                   /* of resultFrame */
    uint32_t resultCount;
    uint64_t resultFrame;
} Scopes;

/* On failure the scopes must still be destroyed. Errors: OUT_OF_HOST_MEMORY, OUT_OF_DEVICE_MEMORY, VULKAN. */
VkskinResult sknInitScopes(Gpu *gpu, Scopes *scopes, uint32_t family, uint32_t framesInFlight, uint32_t most);
void sknDestroyScopes(Gpu *gpu, Scopes *scopes);

/*
 * Starts a frame. Frames are told apart by their turn, which counts up by one, save after a cancelled frame: then it is
 * the same again. `frame` goes with the results.
 */
void sknScopesBeginFrame(Scopes *scopes, uint64_t turn, uint64_t frame);

/* Reads what the frame measured that this turn's slot was last used for, unless it was read already. */
VkskinResult sknReadScopes(Gpu *gpu, Scopes *scopes, uint64_t turn);

/* False where the frame has no room for another scope. */
bool sknBeginScope(Gpu *gpu, Scopes *scopes, uint64_t turn, VkCommandBuffer commandBuffer, const char *name);

/*
 * Ends the latest open scope of that name, one begun in this command buffer before any other: threads that record side
 * by side may measure under one name. False where there is none.
 */
bool sknEndScope(Gpu *gpu, Scopes *scopes, uint64_t turn, VkCommandBuffer commandBuffer, const char *name);

#endif
