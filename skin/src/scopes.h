/*
 * scopes.h: named spans of device time by timestamp queries, read when their frame's slot comes round again.
 */
#ifndef VKSKIN_SCOPES_H
#define VKSKIN_SCOPES_H

#include "gpu.h"

#define MAX_SCOPES 64

typedef struct Scope {
    const char *name;
    bool ended;
} Scope;

/* The queries of one frame slot: scope i uses queries 2i and 2i + 1. */
typedef struct ScopeFrame {
    VkQueryPool pool;
    Scope scopes[MAX_SCOPES];
    uint32_t count;
    uint64_t frame; /* the frame that these are of */
} ScopeFrame;

typedef struct Scopes {
    uint32_t most; /* scopes a frame; 0: no timestamps */
    uint64_t mask; /* the valid bits of a timestamp */
    double period; /* nanoseconds a tick */
    uint32_t slots;
    ScopeFrame frames[VKSKIN_MAX_FRAMES_IN_FLIGHT];
    VkskinTiming results[MAX_SCOPES]; /* of resultFrame */
    uint32_t resultCount;
    uint64_t resultFrame;
} Scopes;

/* On failure the scopes must still be destroyed. Errors: OUT_OF_HOST_MEMORY, OUT_OF_DEVICE_MEMORY, VULKAN. */
VkskinResult sknInitScopes(Gpu *gpu, Scopes *scopes, uint32_t family, uint32_t slots, uint32_t most);
void sknDestroyScopes(Gpu *gpu, Scopes *scopes);

/* Reads what the slot's last frame measured, without waiting, and starts `frame` there. */
VkskinResult sknScopesBeginFrame(Gpu *gpu, Scopes *scopes, uint32_t slot, uint64_t frame);

/* False where the frame has no room for another scope. */
bool sknBeginScope(Gpu *gpu, Scopes *scopes, uint32_t slot, VkCommandBuffer commandBuffer, const char *name);

/* Ends the innermost open scope of that name. False where there is none. */
bool sknEndScope(Gpu *gpu, Scopes *scopes, uint32_t slot, VkCommandBuffer commandBuffer, const char *name);

#endif
