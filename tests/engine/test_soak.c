/* The soak's instruments: each reports what it must, and nothing else. */

#include "soak_parts.h"
#include "test.h"

/* 10 vertices of 12 + 8 bytes in two streams. */
static const VkskinMeshInfo TWO_STREAMS = {
    .vertexCount = 10, .layout = {.streamCount = 2, .strides = {12, 8}}, .streamOffsets = {0, 128}};
static const VkskinMeshInfo ONE_STREAM = {.vertexCount = 10, .layout = {.streamCount = 1, .strides = {12}}};

static VkskinOutput outputAt(uintptr_t buffer, VkDeviceSize offset) {
    return (VkskinOutput){.buffer = (VkBuffer)buffer, .offset = offset};
}

static bool meets(const WorldRanges *ranges, uintptr_t buffer, VkDeviceSize offset, uint64_t frame) {
    const VkskinOutput output = outputAt(buffer, offset);
    return worldRangesMeet(ranges, &TWO_STREAMS, &output, frame);
}

TEST(rangesOverlapUntilTheyAreFree) {
    WorldRanges ranges = {0};
    const VkskinOutput gone = outputAt(1, 1024), plain = outputAt(1, 4096);
    assert_false(meets(&ranges, 1, 1024, 1));
    worldRangesAdd(&ranges, &TWO_STREAMS, &gone, 8);
    assert_true(meets(&ranges, 1, 1024, 7));
    assert_true(meets(&ranges, 1, 1024 + 207, 7));
    assert_false(meets(&ranges, 1, 1024, 8));
    assert_false(meets(&ranges, 1, 1024 - 208, 7));
    assert_false(meets(&ranges, 1, 1024 + 208, 7));
    assert_false(meets(&ranges, 2, 1024, 7));
    worldRangesAdd(&ranges, &ONE_STREAM, &plain, 8);
    assert_true(meets(&ranges, 1, 4096, 7));
}

TEST(growthBeyondTheBoundFails) {
    static const SoakBound bound = {"the heap is", 0.1, 5};
    SoakSeries series = {0};
    EngineError error = {.message = ""};
    soakSeriesAdd(&series, 0, 90);
    soakSeriesAdd(&series, 0, 110);
    assert_true(soakSeriesIsFlat(&series, &bound, &error)); /* no second half yet */
    soakSeriesAdd(&series, 1, 115);
    assert_true(soakSeriesIsFlat(&series, &bound, &error));
    soakSeriesAdd(&series, 1, 117);
    assert_false(soakSeriesIsFlat(&series, &bound, &error));
    assert_string_equal(error.message, "the heap is not flat: on average 100 in the first half, 116 in the second");
    assert_true(series.halves[1].peak == 117);
}

TEST(missingOperationsFail) {
    WorldCounts counts;
    EngineError error;
    memset(&counts, 1, sizeof counts);
    assert_true(soakCovers(&counts, &error));
    counts.framesHeldBack = 0;
    assert_false(soakCovers(&counts, &error));
    assert_string_equal(error.message, "no frame was submitted behind a waiting one");
    counts = (WorldCounts){0};
    assert_false(soakCovers(&counts, &error));
}

TEST(everyByteIsCounted) {
    HostMemory memory = {0};
    VkAllocationCallbacks vulkan = hostMemoryCallbacks(&memory);
    VkskinHostAllocator pose = hostMemoryAllocator(&memory);
    char *a = vulkan.pfnAllocation(vulkan.pUserData, 100, 256, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    void *b = pose.allocate(pose.user, 7, 16);
    assert_int_equal((uintptr_t)a % 256, 0);
    memset(a, 'x', 100);
    assert_true(atomic_load(&memory.bytes) >= 107);
    a = vulkan.pfnReallocation(vulkan.pUserData, a, 300, 256, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    assert_true(a[0] == 'x' && a[99] == 'x');
    assert_true(atomic_load(&memory.bytes) >= 307);
    assert_int_equal(atomic_load(&memory.blocks), 2);
    assert_int_equal(atomic_load(&memory.made), 3);
    assert_null(vulkan.pfnReallocation(vulkan.pUserData, a, 0, 256, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT));
    vulkan.pfnFree(vulkan.pUserData, NULL);
    pose.free(pose.user, b);
    assert_int_equal(atomic_load(&memory.bytes), 0);
    assert_int_equal(atomic_load(&memory.blocks), 0);
    assert_null(vulkan.pfnAllocation(vulkan.pUserData, SIZE_MAX, 16, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT));
    assert_true(soakMemoryResident() > 0);
}

TEST(wrongVerticesFail) {
    static const VkskinMeshInfo info = {.hasNormals = true, .hasTangents = true};
    const ReferenceVertex expected = {.position = {1, 2, 3},
                                      .normal = {0, 0, 1},
                                      .normalLength = 1,
                                      .tangent = {1, 0, 0, 1},
                                      .tangentLength = 1,
                                      .realLength = 1,
                                      .leastDot = 1,
                                      .volume = 1};
    const ReadVertex right = {.position = {1, 2, 3}, .normal = {0, 0, 1}, .tangent = {1, 0, 0, 1}};
    ReadVertex moved = right, turned = right, mirrored = right, lost = right;
    moved.position[1] += 0.001f;
    turned.normal[0] = 0.01;
    mirrored.tangent[3] = -1;
    memset(lost.position, 0xff, sizeof lost.position);
    const ReadVertex *wrong[] = {&moved, &turned, &mirrored, &lost};
    VertexError error = vertexError(&expected, &right, 3, &info);
    assert_true(vertexErrorIsGood(&error, VKSKIN_VERTEX_FLOAT) && !error.leftOut);
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        error = vertexError(&expected, wrong[i], 3, &info);
        assert_false(vertexErrorIsGood(&error, VKSKIN_VERTEX_PACKED));
    }
}
