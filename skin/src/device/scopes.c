#include "scopes.h"

#include <stdio.h>
#include <string.h>

#define NO_SCOPE UINT32_MAX

static uint32_t validBits(const Gpu *gpu, uint32_t family) {
    VkQueueFamilyProperties properties;
    return sknFindQueueFamily(gpu, family, &properties) ? properties.timestampValidBits : 0;
}

VkskinResult sknInitScopes(Gpu *gpu, Scopes *scopes, uint32_t family, uint32_t framesInFlight, uint32_t maxScopes) {
    *scopes = (Scopes){.period = (double)gpu->limits.timestampPeriod, .framesInFlight = framesInFlight};
    uint32_t bits = maxScopes > 0 ? validBits(gpu, family) : 0;
    if (bits == 0) {
        return VKSKIN_SUCCESS;
    }
    scopes->maxScopes = maxScopes;
    scopes->mask = bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    VkQueryPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = VK_QUERY_TYPE_TIMESTAMP,
        .queryCount = 2 * maxScopes,
    };
    VkskinResult result = VKSKIN_SUCCESS;
    for (uint32_t i = 0; result >= 0 && i < 2 * framesInFlight; i++) {
        VkQueryPool *pool = &scopes->frames[i].pool;
        result =
            sknCheck(gpu, gpu->vk.vkCreateQueryPool(gpu->device, &info, gpu->allocator, pool), "vkCreateQueryPool");
        if (result < 0) {
            *pool = VK_NULL_HANDLE; /* after a failure the value is undefined */
        } else {
            sknNameObject(gpu, VK_OBJECT_TYPE_QUERY_POOL, (uint64_t)*pool, "vkskin timing %u", i);
        }
    }
    return result;
}

void sknDestroyScopes(Gpu *gpu, Scopes *scopes) {
    for (uint32_t i = 0; i < 2 * scopes->framesInFlight; i++) {
        if (scopes->frames[i].pool != VK_NULL_HANDLE) {
            gpu->vk.vkDestroyQueryPool(gpu->device, scopes->frames[i].pool, gpu->allocator);
        }
    }
    *scopes = (Scopes){0};
}

static void copyName(char to[VKSKIN_SCOPE_NAME_BYTES], const char *name) {
    (void)snprintf(to, VKSKIN_SCOPE_NAME_BYTES, "%.*s", VKSKIN_SCOPE_NAME_BYTES - 1, name);
}

static void addResult(Scopes *scopes, const char *name, double milliseconds) {
    uint32_t i = 0;
    while (i < scopes->resultCount && strcmp(scopes->results[i].name, name) != 0) {
        i++;
    }
    if (i == scopes->resultCount) {
        scopes->resultCount++;
        copyName(scopes->results[i].name, name);
        scopes->results[i].milliseconds = 0.0;
    }
    scopes->results[i].milliseconds += milliseconds;
}

typedef struct Query {
    uint64_t ticks;
    uint64_t available;
} Query;

/*
 * A scope whose begin or end was in a command buffer that never ran has no result and is left out. If no scope has a
 * result, the results of an earlier frame stay.
 */
static VkskinResult readFrame(Gpu *gpu, Scopes *scopes, const ScopeFrame *frame) {
    Query queries[2 * MAX_SCOPES];
    VkResult read = gpu->vk.vkGetQueryPoolResults(gpu->device, frame->pool, 0, 2 * frame->count, sizeof queries,
                                                  queries, sizeof queries[0],
                                                  VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
    VkskinResult result = sknCheck(gpu, read, "vkGetQueryPoolResults");
    if (result < 0) {
        return result;
    }
    for (uint32_t i = 0; i < frame->count; i++) {
        const Query *begin = &queries[(size_t)2 * i];
        const Query *end = &queries[(size_t)2 * i + 1];
        if (!frame->scopes[i].ended || begin->available == 0 || end->available == 0) {
            continue;
        }
        if (scopes->resultFrame != frame->frame) {
            scopes->resultCount = 0;
            scopes->resultFrame = frame->frame;
        }
        /* The counter may wrap between the two; the difference in the valid bits is still right. */
        uint64_t ticks = (end->ticks - begin->ticks) & scopes->mask;
        addResult(scopes, frame->scopes[i].name, (double)ticks * scopes->period * 1e-6);
    }
    return VKSKIN_SUCCESS;
}

static ScopeFrame *frameOf(Scopes *scopes, uint64_t slotSerial) {
    return &scopes->frames[slotSerial % (2u * (uint64_t)scopes->framesInFlight)];
}

void sknScopesBeginFrame(Scopes *scopes, uint64_t slotSerial, uint64_t frame) {
    ScopeFrame *own = frameOf(scopes, slotSerial);
    own->count = 0;
    own->frame = frame;
    own->read = false;
}

VkskinResult sknReadScopes(Gpu *gpu, Scopes *scopes, uint64_t slotSerial) {
    if (slotSerial <= scopes->framesInFlight) {
        return VKSKIN_SUCCESS;
    }
    ScopeFrame *over = frameOf(scopes, slotSerial - scopes->framesInFlight);
    if (over->read || over->count == 0) {
        return VKSKIN_SUCCESS;
    }
    VkskinResult result = readFrame(gpu, scopes, over);
    over->read = result >= 0;
    return result;
}

bool sknBeginScope(Gpu *gpu, Scopes *scopes, uint64_t slotSerial, VkCommandBuffer commandBuffer, const char *name) {
    ScopeFrame *own = frameOf(scopes, slotSerial);
    if (scopes->maxScopes == 0) {
        return true;
    }
    if (own->count == scopes->maxScopes) {
        return false;
    }
    if (own->count == 0) {
        gpu->vk.vkCmdResetQueryPool(commandBuffer, own->pool, 0, 2 * scopes->maxScopes);
    }
    gpu->vk.vkCmdWriteTimestamp(commandBuffer, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, own->pool, 2 * own->count);
    Scope *begun = &own->scopes[own->count++];
    *begun = (Scope){.begunIn = commandBuffer};
    copyName(begun->name, name);
    return true;
}

/* The scope to end, or NO_SCOPE. */
static uint32_t findOpenScope(const ScopeFrame *frame, VkCommandBuffer commandBuffer, const char *name) {
    uint32_t elsewhere = NO_SCOPE;
    for (uint32_t i = frame->count; i-- > 0;) {
        const Scope *scope = &frame->scopes[i];
        if (!scope->ended && strncmp(scope->name, name, VKSKIN_SCOPE_NAME_BYTES - 1) == 0) {
            if (scope->begunIn == commandBuffer) {
                return i;
            }
            elsewhere = elsewhere == NO_SCOPE ? i : elsewhere;
        }
    }
    return elsewhere;
}

bool sknEndScope(Gpu *gpu, Scopes *scopes, uint64_t slotSerial, VkCommandBuffer commandBuffer, const char *name) {
    ScopeFrame *own = frameOf(scopes, slotSerial);
    if (scopes->maxScopes == 0) {
        return true;
    }
    uint32_t found = findOpenScope(own, commandBuffer, name);
    if (found == NO_SCOPE) {
        return false;
    }
    own->scopes[found].ended = true;
    gpu->vk.vkCmdWriteTimestamp(commandBuffer, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, own->pool, 2 * found + 1);
    return true;
}
