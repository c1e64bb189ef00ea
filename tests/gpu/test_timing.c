/*
 * Timing scopes: names, sums, delay in frames; devices with timestamps, with a counter that wraps, and without
 * timestamps. A wrapper sets the counter's values where the arithmetic is tested.
 */
#include "marker_scene.h"

/* What the wrappers below pretend; they have no user pointer. */
static struct {
    uint32_t validBits;
    bool madeUp;
    uint32_t missing; /* the query, counted from 1, that has no result; 0: none */
    uint64_t ticks;   /* the first query's value; each later one is `step` more */
    uint64_t step;
    uint32_t queryPools;
    uint32_t stamps; /* written so far, and the query of the latest */
    uint32_t stamp;
} pretend;

static VKAPI_ATTR void VKAPI_CALL pretendFamilies(VkPhysicalDevice device, uint32_t *count,
                                                  VkQueueFamilyProperties *families) {
    vkGetPhysicalDeviceQueueFamilyProperties(device, count, families);
    for (uint32_t i = 0; families != NULL && i < *count; i++) {
        families[i].timestampValidBits = pretend.validBits;
    }
}

static VKAPI_ATTR VkResult VKAPI_CALL pretendResults(VkDevice device, VkQueryPool pool, uint32_t first, uint32_t count,
                                                     size_t size, void *data, VkDeviceSize stride,
                                                     VkQueryResultFlags flags) {
    VkResult result = vkGetQueryPoolResults(device, pool, first, count, size, data, stride, flags);
    uint64_t mask = pretend.validBits == 64 ? UINT64_MAX : ((uint64_t)1 << pretend.validBits) - 1;
    for (uint32_t i = 0; pretend.madeUp && i < count; i++) {
        uint64_t value = (pretend.ticks + (first % 2 + i) * pretend.step) & mask;
        memcpy((char *)data + i * stride, &value, sizeof value);
    }
    if (pretend.missing > first && pretend.missing <= first + count) {
        memset((char *)data + (pretend.missing - first) * stride - sizeof(uint64_t), 0, sizeof(uint64_t));
    }
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL countQueryPools(VkDevice device, const VkQueryPoolCreateInfo *info,
                                                      const VkAllocationCallbacks *allocator, VkQueryPool *pool) {
    pretend.queryPools++;
    return vkCreateQueryPool(device, info, allocator, pool);
}

static VKAPI_ATTR void VKAPI_CALL watchTimestamp(VkCommandBuffer commandBuffer, VkPipelineStageFlagBits stage,
                                                 VkQueryPool pool, uint32_t query) {
    pretend.stamps++;
    pretend.stamp = query;
    vkCmdWriteTimestamp(commandBuffer, stage, pool, query);
}

static VkskinContext timedContext(Gpu *gpu, uint32_t validBits, uint32_t maxScopes) {
    VkskinVulkanFunctions functions = {
        .vkGetPhysicalDeviceQueueFamilyProperties = pretendFamilies,
        .vkGetQueryPoolResults = pretendResults,
        .vkCreateQueryPool = countQueryPools,
        .vkCmdWriteTimestamp = watchTimestamp,
    };
    VkskinContextDef def = gpuContextDef(gpu);
    def.functions = &functions;
    def.maxTimingScopes = maxScopes;
    memset(&pretend, 0, sizeof pretend);
    pretend.validBits = validBits;
    return gpuContext(gpu, &def);
}

/* A frame with skinning (and in the first the upload), and two scopes of the host's by one name. */
static void timedFrame(Gpu *gpu, VkskinContext context, uint32_t slot, VkskinInstance instance) {
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, slot));
    markerSkin(gpu, context, instance, 1.0f, 1.0f);
    VkCommandBuffer commandBuffer = gpuBegin(gpu);
    GPU_VKSKIN(gpu, vkskinRecordSkinning(context, commandBuffer));
    for (int i = 0; i < 2; i++) {
        GPU_VKSKIN(gpu, vkskinBeginScope(context, commandBuffer, "host"));
        GPU_VKSKIN(gpu, vkskinEndScope(context, commandBuffer, "host"));
    }
    gpuSubmitAndWait(gpu, commandBuffer);
}

/* What vkskinGetTimings returns. */
typedef struct Known {
    VkskinTiming timings[8];
    uint32_t count;
    uint64_t frame;
    VkskinTimestampSupport support;
} Known;

static Known timingsOf(Gpu *gpu, VkskinContext context) {
    Known known = {.count = 8, .frame = 99, .support = (VkskinTimestampSupport)-1};
    GPU_VKSKIN(gpu, vkskinGetTimings(context, known.timings, &known.count, &known.frame, &known.support));
    return known;
}

static VkskinInstance timedInstance(Gpu *gpu, VkskinContext context) {
    return markerInstance(gpu, context, markerMesh(gpu, context, 100, false));
}

/* After three frames: the timings of the first one. */
static Known firstTimings(Gpu *gpu, VkskinContext context) {
    VkskinInstance instance = timedInstance(gpu, context);
    for (uint32_t f = 0; f < 3; f++) {
        timedFrame(gpu, context, f % 2, instance);
    }
    return timingsOf(gpu, context);
}

static bool hasTiming(const Known *known, const char *name) {
    bool found = false;
    for (uint32_t i = 0; i < known->count; i++) {
        found = found || strcmp(known->timings[i].name, name) == 0;
    }
    return found;
}

GPU_TEST(scopesComeFramesLater) {
    VkskinContext context = timedContext(gpu, 64, 8);
    VkskinInstance instance = timedInstance(gpu, context);
    for (uint64_t f = 1; f <= 5; f++) {
        timedFrame(gpu, context, (uint32_t)(f - 1) % 2, instance);
        const Known known = timingsOf(gpu, context);
        assert_int_equal(known.support, VKSKIN_TIMESTAMPS_SUPPORTED);
        assert_int_equal(known.frame, f > 2 ? f - 2 : 0);
        assert_int_equal(known.count, f <= 2 ? 0 : f == 3 ? 3 : 2); /* the first frame uploaded the mesh */
        assert_int_equal(hasTiming(&known, "skinning"), f > 2);
        assert_int_equal(hasTiming(&known, "upload"), f == 3);
        for (uint32_t i = 0; i < known.count; i++) {
            assert_true(known.timings[i].milliseconds >= 0.0 && known.timings[i].milliseconds < 60000.0);
        }
    }
}

/* Made-up ticks, 1000 apart, in a counter that wraps between the two of a scope. */
GPU_TEST(countersWrapAround) {
    static const uint32_t bits[] = {36, 40, 64};
    for (int b = 0; b < 3; b++) {
        VkskinContext context = timedContext(gpu, bits[b], 8);
        pretend.madeUp = true;
        pretend.step = 1000;
        pretend.ticks = (bits[b] == 64 ? UINT64_MAX : ((uint64_t)1 << bits[b]) - 1) - 300;
        const Known known = firstTimings(gpu, context);
        double scope = 1000.0 * gpu->properties.limits.timestampPeriod * 1e-6;
        assert_int_equal(known.count, 3);
        for (uint32_t i = 0; i < known.count; i++) { /* the counter wraps in "upload" */
            double scopes = strcmp(known.timings[i].name, "host") == 0 ? 2.0 : 1.0;
            assert_true(fabs(known.timings[i].milliseconds - scopes * scope) < scope * 1e-3);
        }
        gpuDestroyContext(gpu, context);
    }
}

/* The first frame's queries: two of "upload", two of "skinning", four of "host". A scope needs both of its own. */
GPU_TEST(scopesWithoutResultAreLeftOut) {
    for (uint32_t missing = 1; missing <= 4; missing++) {
        VkskinContext context = timedContext(gpu, 64, 8);
        pretend.missing = missing;
        const Known known = firstTimings(gpu, context);
        assert_int_equal(known.count, 2);
        assert_false(hasTiming(&known, missing <= 2 ? "upload" : "skinning"));
        gpuDestroyContext(gpu, context);
    }
}

/* A queue family without timestamps, or a def without scopes: no query pools, and all calls still work. */
GPU_TEST(withoutTimestamps) {
    for (int way = 0; way < 2; way++) {
        VkskinContext context = timedContext(gpu, way == 0 ? 0 : 64, way == 0 ? 8 : 0);
        const Known known = firstTimings(gpu, context);
        assert_int_equal(known.support, VKSKIN_TIMESTAMPS_NONE);
        assert_int_equal(known.count, 0);
        assert_int_equal(pretend.queryPools, 0);
        VkCommandBuffer commandBuffer = gpuBegin(gpu);
        GPU_VKSKIN(gpu,
                   vkskinEndScope(context, commandBuffer, "never begun")); /* nothing is measured: none is missed */
        gpuSubmitAndWait(gpu, commandBuffer);
        gpuDestroyContext(gpu, context);
    }
}

GPU_TEST(scopesAreChecked) {
    VkskinContext context = timedContext(gpu, 64, 2);
    VkCommandBuffer commandBuffer = gpuBegin(gpu);
    GPU_VKSKIN_IS(gpu, VKSKIN_ERROR_FRAME_NOT_BEGUN, vkskinBeginScope(context, commandBuffer, "early"));
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
    GPU_VKSKIN_IS(gpu, VKSKIN_ERROR_INVALID_VALUE, vkskinEndScope(context, commandBuffer, "never begun"));
    GPU_VKSKIN_IS(gpu, VKSKIN_ERROR_NULL_ARGUMENT, vkskinBeginScope(context, commandBuffer, NULL));
    GPU_VKSKIN_IS(gpu, VKSKIN_ERROR_NULL_ARGUMENT, vkskinBeginScope(context, NULL, "x"));
    GPU_VKSKIN(gpu, vkskinBeginScope(context, commandBuffer, "x"));
    GPU_VKSKIN(gpu, vkskinBeginScope(context, commandBuffer, "x")); /* each end ends one of that name */
    GPU_VKSKIN(gpu, vkskinEndScope(context, commandBuffer, "x"));
    GPU_VKSKIN(gpu, vkskinEndScope(context, commandBuffer, "x"));
    GPU_VKSKIN_IS(gpu, VKSKIN_ERROR_INVALID_VALUE, vkskinEndScope(context, commandBuffer, "x")); /* all have ended */
    GPU_VKSKIN_IS(gpu, VKSKIN_ERROR_TOO_MANY_SCOPES, vkskinBeginScope(context, commandBuffer, "third"));
    gpuSubmitAndWait(gpu, commandBuffer);
}

/* Names are the library's own copy; of long ones the first 31 bytes count. */
GPU_TEST(namesAreCopiedAndCut) {
    static const char *const cut = "0123456789abcdef0123456789ABCDE";
    VkskinContext context = timedContext(gpu, 64, 8);
    assert_int_equal(strlen(cut) + 1, VKSKIN_SCOPE_NAME_BYTES);
    for (uint32_t f = 0; f < 3; f++) {
        char name[64];
        VkCommandBuffer commandBuffer = gpuBegin(gpu);
        GPU_VKSKIN(gpu, vkskinBeginFrame(context, f % 2));
        for (int i = 0; i < 2; i++) {
            snprintf(name, sizeof name, "%s and %d", cut, i);
            GPU_VKSKIN(gpu, vkskinBeginScope(context, commandBuffer, name));
            memset(name, 'x', sizeof name - 1);
            GPU_VKSKIN(gpu, vkskinEndScope(context, commandBuffer, i == 0 ? cut : strcat(strcpy(name, cut), "!")));
        }
        gpuSubmitAndWait(gpu, commandBuffer);
    }
    const Known known = timingsOf(gpu, context);
    assert_int_equal(known.count, 1);
    assert_string_equal(known.timings[0].name, cut);
}

/* Scope i writes query 2i where it begins, and 2i + 1 where it ends. */
GPU_TEST(scopesOfOneNameKeepToTheirCommandBuffers) {
    VkskinContext context = timedContext(gpu, 64, 8);
    VkCommandBuffer first = gpuBegin(gpu);
    VkCommandBuffer second = gpuBegin(gpu);
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
    GPU_VKSKIN(gpu, vkskinBeginScope(context, first, "worker"));
    GPU_VKSKIN(gpu, vkskinBeginScope(context, second, "worker"));
    GPU_VKSKIN(gpu, vkskinEndScope(context, first, "worker"));
    assert_int_equal(pretend.stamp, 1);
    GPU_VKSKIN(gpu, vkskinEndScope(context, second, "worker"));
    assert_int_equal(pretend.stamp, 3);
    /* One that spans two command buffers is found all the same. */
    GPU_VKSKIN(gpu, vkskinBeginScope(context, first, "spanning"));
    GPU_VKSKIN(gpu, vkskinEndScope(context, second, "spanning"));
    assert_int_equal(pretend.stamp, 5);
    assert_int_equal(pretend.stamps, 6);
    GPU_VKSKIN_IS(gpu, VKSKIN_ERROR_INVALID_VALUE, vkskinEndScope(context, second, "worker"));
    gpuSubmitAndWait(gpu, first);
    gpuSubmitAndWait(gpu, second);
}

/* As many as there is room for are written, with the number there is. */
GPU_TEST(timingsWithoutRoom) {
    VkskinContext context = timedContext(gpu, 64, 8);
    for (uint32_t frame = 0; frame < 4; frame++) {
        VkCommandBuffer commandBuffer = gpuBegin(gpu);
        GPU_VKSKIN(gpu, vkskinBeginFrame(context, frame % 2));
        GPU_VKSKIN(gpu, vkskinBeginScope(context, commandBuffer, "outer"));
        GPU_VKSKIN(gpu, vkskinBeginScope(context, commandBuffer, "inner"));
        GPU_VKSKIN(gpu, vkskinEndScope(context, commandBuffer, "inner"));
        GPU_VKSKIN(gpu, vkskinEndScope(context, commandBuffer, "outer"));
        gpuSubmitAndWait(gpu, commandBuffer);
    }
    VkskinTiming timings[2] = {{"", -1.0}, {"", -1.0}};
    VkskinTimestampSupport support = VKSKIN_TIMESTAMPS_NONE;
    uint32_t count = 1;
    uint64_t frame = 0;
    GPU_VKSKIN_IS(gpu, VKSKIN_WARNING_INCOMPLETE, vkskinGetTimings(context, timings, &count, &frame, &support));
    assert_int_equal(count, 1);
    assert_int_equal(frame, 2);
    assert_int_equal(support, VKSKIN_TIMESTAMPS_SUPPORTED);
    assert_string_equal(timings[0].name, "outer");
    assert_string_equal(timings[1].name, "");
    count = 99;
    GPU_VKSKIN(gpu, vkskinGetTimings(context, NULL, &count, NULL, NULL));
    assert_int_equal(count, 2);
}
