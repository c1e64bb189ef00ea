/*
 * scopes.h: named spans of device time, measured with timestamp queries. Results are read when the host asks for them.
 *
 * There are twice as many query pools as frames in flight: the queries of the frame that has just finished stay readable
 * while the new frame in the same slot records its own.
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
    uint64_t frame; /* the number of the frame */
    bool read;      /* the results are in Scopes */
} ScopeFrame;

typedef struct Scopes {
    uint32_t maxScopes; /* per frame; 0: no timestamps */
    uint64_t mask;      /* the valid bits of a timestamp */
    double period;      /* nanoseconds per tick */
    uint32_t framesInFlight;
    ScopeFrame frames[2 * VKSKIN_MAX_FRAMES_IN_FLIGHT]; /* by slotSerial modulo twice framesInFlight */
    VkskinTiming results[MAX_SCOPES];                   /* timings of resultFrame */
    uint32_t resultCount;
    uint64_t resultFrame;
} Scopes;

/* After a failure the scopes must still be destroyed. Errors: OUT_OF_HOST_MEMORY, OUT_OF_DEVICE_MEMORY, VULKAN. */
VkskinResult sknInitScopes(Gpu *gpu, Scopes *scopes, uint32_t family, uint32_t framesInFlight, uint32_t maxScopes);
void sknDestroyScopes(Gpu *gpu, Scopes *scopes);

/*
 * Starts a frame. slotSerial counts frames; a frame after a cancelled one has the same number as that one. `frame` is
 * returned with the results.
 */
void sknScopesBeginFrame(Scopes *scopes, uint64_t slotSerial, uint64_t frame);

/* Reads the results of the last frame in this frame's slot, unless they were read before. */
VkskinResult sknReadScopes(Gpu *gpu, Scopes *scopes, uint64_t slotSerial);

/* False if the frame has no room for another scope. */
bool sknBeginScope(Gpu *gpu, Scopes *scopes, uint64_t slotSerial, VkCommandBuffer commandBuffer, const char *name);

/*
 * Ends the latest open scope of that name. A scope begun in this command buffer has priority, so that threads may use the
 * same name. False if there is none.
 */
bool sknEndScope(Gpu *gpu, Scopes *scopes, uint64_t slotSerial, VkCommandBuffer commandBuffer, const char *name);

#endif
