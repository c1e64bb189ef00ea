/*
 * Output in buffers of the host: with kernels and with the CPU backend, in fixed and in automatic places, next to pages of
 * the library. Nothing outside of the outputs is written. Bad defs and places, removal, replaced meshes, pass-through
 * attributes, accesses and ownership.
 */
#include "marker_scene.h"

enum { VERTICES = 67, BYTES = 12 * VERTICES, STEP = 65536, REGION = STEP - 512, REGIONS = 4, SIZE = REGIONS * STEP };

/* A context with a marker mesh, and an output buffer for it. */
typedef struct Own {
    Gpu *gpu;
    VkskinContext context;
    VkskinMesh mesh;
    GpuBuffer memory;
    VkskinOutputBufferDef def;
    VkskinOutputBuffer buffer;
} Own;

static GpuBuffer makeMemory(Gpu *gpu) {
    return gpuBuffer(gpu, SIZE,
                     VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                         VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
}

/* Regions in descending order, with gaps. */
static VkskinOutputBufferDef defOf(const GpuBuffer *memory, uint32_t regions) {
    VkskinOutputBufferDef def = vkskinDefaultOutputBufferDef();
    def.buffer = memory->buffer;
    def.bufferSize = SIZE;
    def.regionCount = regions;
    def.regionSize = REGION;
    def.mapped = memory->mapped;
    for (uint32_t i = 0; i < regions; i++) {
        def.offsets[i] = (VkDeviceSize)(REGIONS - 1 - i) * STEP + 256;
    }
    return def;
}

static Own openWith(Gpu *gpu, const VkskinContextDef *def, MarkerDef mesh) {
    Own own = {.gpu = gpu, .context = gpuContext(gpu, def), .memory = makeMemory(gpu)};
    own.def = defOf(&own.memory, statsOf(gpu, own.context).outputRegions + (mesh.previousPositions ? 1 : 0));
    own.mesh = markerMeshOf(gpu, own.context, &mesh);
    GPU_VKSKIN(gpu, vkskinAddOutputBuffer(own.context, &own.def, &own.buffer));
    return own;
}

static const MarkerDef plain = {VERTICES, .boneCount = 1};
static const MarkerDef moving = {VERTICES, .boneCount = 1, .previousPositions = true};
static const MarkerDef passing = {VERTICES, .boneCount = 1, .passThrough = true};

static Own open(Gpu *gpu, VkskinBackend backend, uint32_t regions, MarkerDef mesh) {
    VkskinContextDef def = smallDef(gpu, backend, 2, regions);
    return openWith(gpu, &def, mesh);
}

static void close(Own *own) {
    gpuDestroyContext(own->gpu, own->context);
    gpuFreeBuffer(own->gpu, &own->memory);
}

static VkskinResult placeIn(const Own *own, VkskinOutputBuffer buffer, VkDeviceSize offset, VkskinInstance *instance) {
    VkskinInstanceDef def = vkskinDefaultInstanceDef();
    def.mesh = own->mesh;
    def.outputBuffer = buffer;
    def.outputOffset = offset;
    return vkskinCreateInstance(own->context, &def, instance);
}

static VkskinInstance place(const Own *own, VkDeviceSize offset) {
    VkskinInstance instance;
    GPU_VKSKIN(own->gpu, placeIn(own, own->buffer, offset, &instance));
    return instance;
}

/* ---- Skinning ---- */

/* The region of the instance's output in this frame, or REGIONS if it is at another offset. */
static uint32_t regionOf(const Own *own, const VkskinOutput *output, VkDeviceSize offset) {
    for (uint32_t i = 0; i < own->def.regionCount; i++) {
        if (output->offset == own->def.offsets[i] + offset) {
            return i;
        }
    }
    return REGIONS;
}

/* In all regions the outputs are written, and no other byte of the buffer is. */
static void checkBytes(const Own *own, uint32_t page, const VkDeviceSize *offsets, uint32_t count) {
    GpuBuffer copy = gpuReadPage(own->gpu, own->context, page);
    assert_int_equal(copy.size, SIZE);
    for (uint32_t r = 0; r < own->def.regionCount; r++) {
        for (uint32_t i = 0; i < count; i++) {
            gpuTakeWritten(&copy, own->def.offsets[r] + offsets[i], BYTES);
        }
    }
    gpuCheckPoison(&copy, page);
    gpuFreeBuffer(own->gpu, &copy);
}

/* Two outputs that touch each other, at odd vertices, one in an automatic place, one in a page of the library. */
static void skinInOwnBuffer(Gpu *gpu, VkskinBackend backend, uint32_t regions, MarkerDef mesh) {
    Own own = open(gpu, backend, regions, mesh);
    const VkDeviceSize offsets[3] = {BYTES + 36, 36, REGION - BYTES};
    VkskinInstance instances[4];
    for (uint32_t i = 0; i < 3; i++) {
        instances[i] = place(&own, offsets[i]);
    }
    instances[3] = markerInstance(gpu, own.context, own.mesh);
    gpuPoisonOutput(gpu, own.context);
    uint32_t seen = 0;
    const uint32_t frames = 2 * own.def.regionCount;
    for (uint32_t f = 0; f < frames; f++) {
        GPU_VKSKIN(gpu, vkskinBeginFrame(own.context, f % 2));
        for (uint32_t i = 0; i < 4; i++) {
            markerSkin(gpu, own.context, instances[i], (float)(f + 1), (float)(i + 1));
        }
        recordAndRun(gpu, own.context);
        for (uint32_t i = 0; i < 4; i++) {
            const bool history = mesh.previousPositions && f > 0;
            checkHistory(gpu, own.context, instances[i], (float)(f + 1), (float)(history ? f : f + 1), (float)(i + 1));
        }
        for (uint32_t i = 0; i < 3; i++) {
            VkskinOutput output = markerOutput(gpu, own.context, instances[i]);
            assert_true(output.buffer == own.memory.buffer && output.address == 0);
            const uint32_t region = regionOf(&own, &output, offsets[i]);
            assert_true(region < own.def.regionCount);
            seen |= 1u << region;
        }
        assert_true(markerOutput(gpu, own.context, instances[3]).buffer != own.memory.buffer);
    }
    assert_int_equal(seen, (1u << own.def.regionCount) - 1);
    checkBytes(&own, markerOutput(gpu, own.context, instances[0]).page, offsets, 3);
    close(&own);
}

BACKENDS_TEST(onlyTheOutputsAreWritten) {
    for (uint32_t regions = 1; regions <= 2; regions++) {
        skinInOwnBuffer(gpu, backend, regions, plain);
        skinInOwnBuffer(gpu, backend, regions, moving);
    }
}

GPU_TEST(addressesAreThoseOfTheDef) {
    Own own = open(gpu, VKSKIN_BACKEND_COMPUTE, 2, plain);
    VkskinOutputBuffer other;
    GpuBuffer memory = makeMemory(gpu);
    own.def = defOf(&memory, 2);
    own.def.address = 0x700000000;
    GPU_VKSKIN(gpu, vkskinAddOutputBuffer(own.context, &own.def, &other));
    VkskinInstance without = place(&own, 0), instance;
    GPU_VKSKIN(gpu, placeIn(&own, other, 480, &instance));
    GPU_VKSKIN(gpu, vkskinBeginFrame(own.context, 0));
    markerSkin(gpu, own.context, without, 1.0f, 2.0f);
    markerSkin(gpu, own.context, instance, 3.0f, 4.0f);
    recordAndRun(gpu, own.context);
    VkskinOutput outputs[2];
    GPU_VKSKIN(gpu, vkskinGetOutputs(own.context, (VkskinInstance[]){without, instance}, 2, outputs));
    assert_true(outputs[0].address == 0 && outputs[0].buffer == own.memory.buffer);
    assert_true(outputs[1].address == 0x700000000 + outputs[1].offset && outputs[1].buffer == memory.buffer);
    assert_true(outputs[0].page != outputs[1].page);
    checkPositions(gpu, own.context, instance, 3.0f, 4.0f);
    gpuFreeBuffer(gpu, &own.memory);
    own.memory = memory;
    close(&own);
}

/* ---- Places ---- */

/* Automatic places are whole vertices of a mesh with one stream, until the buffer is full. */
static void fillWholly(Gpu *gpu, VkskinBackend backend) {
    Own own = open(gpu, backend, 1, passing);
    const VkDeviceSize bytes = sizeof(MarkerVertex) * VERTICES;
    VkskinInstance instance = place(&own, VKSKIN_OFFSET_AUTOMATIC), first = instance;
    VkskinResult result = VKSKIN_SUCCESS;
    uint32_t count = 1;
    while (result == VKSKIN_SUCCESS) {
        result = placeIn(&own, own.buffer, VKSKIN_OFFSET_AUTOMATIC, &instance);
        count += result == VKSKIN_SUCCESS;
    }
    gpuCheckRefusal(gpu, "full", result, VKSKIN_ERROR_OUTPUT_BUFFER_FULL,
                    "no room for 1608 bytes of output in the output buffer (regionSize is 65024)");
    assert_true(VKSKIN_IS_NULL(instance));
    assert_true(count >= REGION / (bytes + 192) && count <= REGION / bytes);
    GPU_VKSKIN(gpu, vkskinDestroyInstance(own.context, first)); /* never skinned: its place is free at once */
    instance = place(&own, VKSKIN_OFFSET_AUTOMATIC);
    VkskinInstance second;
    gpuCheckRefusal(gpu, "full again", placeIn(&own, own.buffer, VKSKIN_OFFSET_AUTOMATIC, &second),
                    VKSKIN_ERROR_OUTPUT_BUFFER_FULL, "no room");
    skinOneFrame(gpu, own.context, 0, instance, 1.0f, 2.0f);
    VkskinOutput output = markerOutput(gpu, own.context, instance);
    assert_true(regionOf(&own, &output, 0) < own.def.regionCount); /* where the first one was */
    close(&own);
}

static void checkAutomaticOffsets(Gpu *gpu, VkskinBackend backend, MarkerDef mesh, uint32_t stride) {
    Own own = open(gpu, backend, 1, mesh);
    (void)place(&own, 4);
    VkskinInstance instances[3];
    for (uint32_t i = 0; i < 3; i++) {
        instances[i] = place(&own, VKSKIN_OFFSET_AUTOMATIC);
    }
    GPU_VKSKIN(gpu, vkskinBeginFrame(own.context, 0));
    for (uint32_t i = 0; i < 3; i++) {
        markerSkin(gpu, own.context, instances[i], 1.0f, (float)i);
    }
    recordAndRun(gpu, own.context);
    for (uint32_t i = 0; i < 3; i++) {
        const VkskinOutput output = markerOutput(gpu, own.context, instances[i]);
        VkDeviceSize offset = REGION;
        for (uint32_t r = 0; r < own.def.regionCount; r++) {
            const VkDeviceSize start = own.def.offsets[r];
            offset = output.offset >= start && output.offset < start + REGION ? output.offset - start : offset;
        }
        assert_true(offset > 0 && offset < REGION && offset % stride == 0 && offset % 16 == 0);
    }
    close(&own);
}

BACKENDS_TEST(automaticPlaces) {
    fillWholly(gpu, backend);
    checkAutomaticOffsets(gpu, backend, plain, 12);
    checkAutomaticOffsets(gpu, backend, passing, sizeof(MarkerVertex));
}

GPU_TEST(refusedPlaces) {
    Own own = open(gpu, VKSKIN_BACKEND_COMPUTE, 1, plain);
    const VkskinOutputBuffer stale = {own.buffer.index, own.buffer.generation + 1};
    VkskinInstance instance, kept = place(&own, 1200);
#define PLACE_REFUSED(expected, part, buffer, offset)                                                                  \
    gpuCheckRefusal(gpu, #offset, placeIn(&own, (buffer), (offset), &instance), (expected), (part));                   \
    assert_true(VKSKIN_IS_NULL(instance))
    PLACE_REFUSED(VKSKIN_ERROR_STALE_HANDLE, "the output buffer handle", stale, 0);
    PLACE_REFUSED(VKSKIN_ERROR_INVALID_VALUE, "outputOffset is 0, and outputBuffer is null", VKSKIN_NULL_OUTPUT_BUFFER,
                  0);
    PLACE_REFUSED(VKSKIN_ERROR_INVALID_VALUE, "outputOffset is 2, not a multiple of 4", own.buffer, 2);
    PLACE_REFUSED(VKSKIN_ERROR_INVALID_VALUE, "outputOffset is 64224: the 804 bytes of output end past regionSize",
                  own.buffer, REGION - BYTES + 4);
    PLACE_REFUSED(VKSKIN_ERROR_INVALID_VALUE, "end past regionSize (65024)", own.buffer, UINT64_MAX - 3);
    PLACE_REFUSED(VKSKIN_ERROR_OUTPUT_OVERLAP, "outputOffset is 400: the 804 bytes of output overlap", own.buffer, 400);
    PLACE_REFUSED(VKSKIN_ERROR_OUTPUT_OVERLAP, "outputOffset is 2000", own.buffer, 2000);
    PLACE_REFUSED(VKSKIN_ERROR_OUTPUT_OVERLAP, "outputOffset is 1200", own.buffer, 1200);
    (void)place(&own, 1200 - BYTES);
    (void)place(&own, 1200 + BYTES);
    skinOneFrame(gpu, own.context, 0, kept, 1.0f, 2.0f);
    GPU_VKSKIN(gpu, vkskinDestroyInstance(own.context, kept));
    PLACE_REFUSED(VKSKIN_ERROR_OUTPUT_OVERLAP, "a frame in flight may use", own.buffer, 1200);
    GPU_VKSKIN(gpu, vkskinBeginFrame(own.context, 1));
    PLACE_REFUSED(VKSKIN_ERROR_OUTPUT_OVERLAP, "a frame in flight may use", own.buffer, 1200);
    GPU_VKSKIN(gpu, vkskinBeginFrame(own.context, 0));
    (void)place(&own, 1200);
    own.mesh = markerMeshOf(gpu, own.context, &moving);
    PLACE_REFUSED(VKSKIN_ERROR_INVALID_VALUE, "the output buffer has 1 regions, a mesh with previousPositions needs 2",
                  own.buffer, 8000);
    close(&own);
}

/* ---- Defs ---- */

static VKAPI_ATTR void VKAPI_CALL narrowLimits(VkPhysicalDevice device, VkPhysicalDeviceProperties *properties) {
    vkGetPhysicalDeviceProperties(device, properties);
    properties->limits.minStorageBufferOffsetAlignment = 256;
    properties->limits.maxStorageBufferRange = REGION;
}

/* A right def after a change is refused. */
#define DEF_REFUSED(expected, part, ...)                                                                               \
    do {                                                                                                               \
        VkskinOutputBufferDef def = own.def;                                                                           \
        VkskinOutputBuffer made = own.buffer;                                                                          \
        __VA_ARGS__;                                                                                                   \
        gpuCheckRefusal(gpu, #__VA_ARGS__, vkskinAddOutputBuffer(own.context, &def, &made), (expected), (part));       \
        assert_true(VKSKIN_IS_NULL(made));                                                                             \
        assert_int_equal(statsOf(gpu, own.context).outputPages, 0);                                                    \
    } while (0)

BACKENDS_TEST(refusedDefs) {
    const VkskinVulkanFunctions functions = {.vkGetPhysicalDeviceProperties = narrowLimits};
    VkskinContextDef contextDef = smallDef(gpu, backend, 2, 2);
    contextDef.functions = &functions;
    contextDef.memory.maxInstances = 8;
    contextDef.memory.maxMorphWeights = 8;
    Own own = openWith(gpu, &contextDef, plain);
    const VkskinResult invalid = VKSKIN_ERROR_INVALID_VALUE;
    GPU_VKSKIN(gpu, vkskinRemoveOutputBuffer(own.context, own.buffer));
    DEF_REFUSED(VKSKIN_ERROR_DEF_NOT_INITIALISED, "vkskinDefaultOutputBufferDef", def.cookie = 0);
    DEF_REFUSED(VKSKIN_ERROR_NULL_ARGUMENT, "vkskinAddOutputBuffer: buffer is null", def.buffer = VK_NULL_HANDLE);
    DEF_REFUSED(invalid, "bufferSize is 0", def.bufferSize = 0);
    DEF_REFUSED(invalid, "bufferSize is 1099511627776", def.bufferSize = 1ull << 40);
    DEF_REFUSED(invalid, "regionCount is 0, not in 2 to 3", def.regionCount = 0);
    DEF_REFUSED(invalid, "regionCount is 1, not in 2 to 3", def.regionCount = 1);
    DEF_REFUSED(invalid, "regionCount is 4, not in 2 to 3", def.regionCount = 4);
    DEF_REFUSED(invalid, "regionSize is 0, not in 4 to 65024", def.regionSize = 0);
    DEF_REFUSED(invalid, "regionSize is 65028, not in 4 to 65024", def.regionSize = REGION + 4);
    DEF_REFUSED(invalid, "regionSize is 1022, not a multiple of 4", def.regionSize = 1022);
    DEF_REFUSED(invalid, "offsets[1] is 32, not a multiple of minStorageBufferOffsetAlignment (256)",
                def.offsets[1] = 32);
    DEF_REFUSED(invalid, "offsets[0] is 197376: the region of 65024 bytes ends past bufferSize (262144)",
                def.offsets[0] += 512);
    DEF_REFUSED(invalid, "offsets[1] is 18446744073709551360", def.offsets[1] = UINT64_MAX - 255);
    DEF_REFUSED(VKSKIN_ERROR_OUTPUT_OVERLAP, "regions 0 and 1 overlap", def.offsets[1] = def.offsets[0] - 64768);
    DEF_REFUSED(VKSKIN_ERROR_OUTPUT_OVERLAP, "regions 0 and 2 overlap", def.regionCount = 3,
                def.offsets[2] = def.offsets[0]);
    if (backend == VKSKIN_BACKEND_CPU) {
        DEF_REFUSED(VKSKIN_ERROR_NULL_ARGUMENT, "mapped is null, and the CPU backend writes there", def.mapped = NULL);
        DEF_REFUSED(invalid, "mapped is not 4-byte aligned", def.mapped = (char *)def.mapped + 2);
    } else {
        own.def.mapped = NULL; /* not read */
    }
    gpuCheckRefusal(gpu, "no def", vkskinAddOutputBuffer(own.context, NULL, &own.buffer), VKSKIN_ERROR_NULL_ARGUMENT,
                    "vkskinAddOutputBuffer: def is null");
    gpuCheckRefusal(gpu, "no place", vkskinAddOutputBuffer(own.context, &own.def, NULL), VKSKIN_ERROR_NULL_ARGUMENT,
                    "vkskinAddOutputBuffer: buffer is null");
    assert_int_equal(vkskinAddOutputBuffer(NULL, &own.def, &own.buffer), VKSKIN_ERROR_NULL_ARGUMENT);
    assert_int_equal(vkskinRemoveOutputBuffer(NULL, own.buffer), VKSKIN_ERROR_NULL_ARGUMENT);
    GPU_VKSKIN(gpu, vkskinAddOutputBuffer(own.context, &own.def, &own.buffer));
    VkskinOutputBuffer second;
    VkskinOutputBufferDef def = own.def;
    def.offsets[0] = 0;
    gpuCheckRefusal(gpu, "twice", vkskinAddOutputBuffer(own.context, &def, &second), VKSKIN_ERROR_OUTPUT_OVERLAP,
                    "region 1 overlaps region 1 of output page 0");
    def.offsets[1] = 65536;
    def.regionSize = 65536 - 1024;
    GPU_VKSKIN(gpu, vkskinAddOutputBuffer(own.context, &def, &second));
    close(&own);
}

/* ---- Removal ---- */

BACKENDS_TEST(removedBuffers) {
    Own own = open(gpu, backend, 1, plain);
    VkskinInstance instance = place(&own, 0);
    skinOneFrame(gpu, own.context, 0, instance, 1.0f, 2.0f);
    const uint32_t page = markerOutput(gpu, own.context, instance).page;
    gpuCheckRefusal(gpu, "instance", vkskinRemoveOutputBuffer(own.context, own.buffer),
                    VKSKIN_ERROR_OUTPUT_BUFFER_IN_USE, "has 1 instances");
    GPU_VKSKIN(gpu, vkskinDestroyInstance(own.context, instance));
    for (uint32_t f = 1; f < 3; f++) {
        gpuCheckRefusal(gpu, "frames", vkskinRemoveOutputBuffer(own.context, own.buffer),
                        VKSKIN_ERROR_OUTPUT_BUFFER_IN_USE, "frames in flight may use output buffer");
        GPU_VKSKIN(gpu, vkskinBeginFrame(own.context, f % 2));
    }
    GPU_VKSKIN(gpu, vkskinRemoveOutputBuffer(own.context, own.buffer));
    gpuCheckRefusal(gpu, "again", vkskinRemoveOutputBuffer(own.context, own.buffer), VKSKIN_ERROR_STALE_HANDLE,
                    "vkskinRemoveOutputBuffer: the output buffer handle");
    gpuCheckRefusal(gpu, "null", vkskinRemoveOutputBuffer(own.context, VKSKIN_NULL_OUTPUT_BUFFER),
                    VKSKIN_ERROR_NULL_HANDLE, "the output buffer handle is null");
    gpuFreeBuffer(gpu, &own.memory);
    VkskinOutputPage info;
    GPU_VKSKIN(gpu, vkskinGetOutputPage(own.context, page, &info));
    assert_true(info.buffer == VK_NULL_HANDLE && info.size == 0);
    assert_int_equal(statsOf(gpu, own.context).outputPages, 0);
    /* Pages of the library never use the entry; the next buffer does, with the same sets. */
    VkskinInstance inPages = markerInstance(gpu, own.context, own.mesh);
    own.memory = makeMemory(gpu);
    own.def = defOf(&own.memory, own.def.regionCount);
    GPU_VKSKIN(gpu, vkskinAddOutputBuffer(own.context, &own.def, &own.buffer));
    instance = place(&own, 240);
    gpuPoisonOutput(gpu, own.context);
    for (uint32_t f = 3; f < 7; f++) {
        GPU_VKSKIN(gpu, vkskinBeginFrame(own.context, f % 2));
        markerSkin(gpu, own.context, instance, 5.0f, (float)f);
        markerSkin(gpu, own.context, inPages, 6.0f, (float)f);
        recordAndRun(gpu, own.context);
        checkPositions(gpu, own.context, instance, 5.0f, (float)f);
        checkPositions(gpu, own.context, inPages, 6.0f, (float)f);
    }
    assert_int_equal(markerOutput(gpu, own.context, instance).page, page);
    assert_true(markerOutput(gpu, own.context, inPages).page != page);
    assert_int_equal(statsOf(gpu, own.context).outputPages, 2);
    checkBytes(&own, page, (VkDeviceSize[]){240}, 1);
    /* A buffer of more regions needs sets of its own. */
    VkskinOutputBufferDef more = defOf(&own.memory, own.def.regionCount + 1);
    GPU_VKSKIN(gpu, vkskinDestroyInstance(own.context, instance));
    GPU_VKSKIN(gpu, vkskinBeginFrame(own.context, 1));
    GPU_VKSKIN(gpu, vkskinBeginFrame(own.context, 0));
    GPU_VKSKIN(gpu, vkskinBeginFrame(own.context, 1));
    GPU_VKSKIN(gpu, vkskinRemoveOutputBuffer(own.context, own.buffer));
    own.def = more;
    GPU_VKSKIN(gpu, vkskinAddOutputBuffer(own.context, &own.def, &own.buffer));
    own.mesh = markerMeshOf(gpu, own.context, &moving);
    instance = place(&own, 0);
    for (uint32_t f = 0; f < 4; f++) {
        skinOneFrame(gpu, own.context, f % 2, instance, 1.0f + (float)f, 2.0f);
        checkHistory(gpu, own.context, instance, 1.0f + (float)f, f > 0 ? (float)f : 1.0f, 2.0f);
    }
    assert_int_equal(vkskinGetOutputPageCount(own.context), 3);
    close(&own);
}

/* ---- Replaced meshes, and pass-through attributes ---- */

BACKENDS_TEST(replacedMeshesStayInTheirBuffer) {
    Own own = open(gpu, backend, 2, moving);
    VkskinInstance inPages = markerInstance(gpu, own.context, own.mesh);
    VkskinInstance gone = place(&own, VKSKIN_OFFSET_AUTOMATIC);
    VkskinInstance inOwn = place(&own, VKSKIN_OFFSET_AUTOMATIC), later = markerInstance(gpu, own.context, own.mesh);
    GPU_VKSKIN(
        gpu, vkskinDestroyInstance(own.context, gone)); /* handle and place of `gone` are the first to be used again */
    const VkskinInstance all[] = {inPages, inOwn, later};
    MarkerDef other = moving;
    other.vertexCount = 2 * VERTICES;
    other.replaces = true;
    for (uint32_t f = 0; f < 6; f++) {
        GPU_VKSKIN(gpu, vkskinBeginFrame(own.context, f % 2));
        if (f % 2 == 1) {
            GPU_VKSKIN(gpu, markerCreate(own.context, &other, &own.mesh));
        }
        for (uint32_t i = 0; i < 3; i++) {
            markerSkin(gpu, own.context, all[i], 1.0f + (float)f, (float)i);
        }
        recordAndRun(gpu, own.context);
        for (uint32_t i = 0; i < 3; i++) {
            const VkskinOutput output = markerOutput(gpu, own.context, all[i]);
            assert_int_equal(output.buffer == own.memory.buffer, i == 1);
            assert_int_equal(output.vertexCount, f == 0 ? VERTICES : 2 * VERTICES);
            checkHistory(gpu, own.context, all[i], 1.0f + (float)f, f % 2 == 1 || f == 0 ? 1.0f + (float)f : (float)f,
                         (float)i);
        }
    }
    VkskinInstance fixed = place(&own, 32768);
    gpuCheckRefusal(gpu, "fixed", markerCreate(own.context, &other, &own.mesh), VKSKIN_ERROR_INVALID_VALUE,
                    "has an outputOffset of the host: destroy it");
    assert_int_equal(statsOf(gpu, own.context).instances, 4);
    GPU_VKSKIN(gpu, vkskinDestroyInstance(own.context, fixed));
    other.vertexCount = REGION / 12 + 1;
    gpuCheckRefusal(gpu, "large", markerCreate(own.context, &other, &own.mesh), VKSKIN_ERROR_OUTPUT_BUFFER_FULL,
                    "vkskinReplaceMesh: no room");
    assert_int_equal(statsOf(gpu, own.context).meshes, 1);
    checkPositions(gpu, own.context, inOwn, 6.0f, 1.0f);
    close(&own);
}

static void passThrough(Gpu *gpu, VkskinBackend backend, uint32_t regions) {
    Own own = open(gpu, backend, regions, passing);
    VkskinInstance instance = place(&own, 4 * sizeof(MarkerVertex));
    for (uint32_t f = 0; f < 3; f++) {
        skinOneFrame(gpu, own.context, f % 2, instance, (float)f, 7.0f);
        VkskinOutput output = markerOutput(gpu, own.context, instance);
        GpuBuffer page = gpuReadPage(gpu, own.context, output.page);
        for (uint32_t v = 0; v < VERTICES; v++) {
            MarkerVertex vertex;
            memcpy(&vertex, (const char *)page.mapped + output.offset + v * sizeof vertex, sizeof vertex);
            assert_true(vertex.tag == markerTag(v) && vertex.other == ~markerTag(v));
            assert_true(vertex.position[0] == (float)v && vertex.position[1] == (float)f && vertex.position[2] == 7.0f);
        }
        gpuFreeBuffer(gpu, &page);
    }
    close(&own);
}

BACKENDS_TEST(passThroughAttributes) {
    passThrough(gpu, backend, 1);
    passThrough(gpu, backend, 2);
}

/* ---- Accesses and ownership ---- */

GPU_TEST(accessesAreWholeRegions) {
    VkskinContextDef def = smallDef(gpu, VKSKIN_BACKEND_COMPUTE, 2, 2);
    def.barriers = VKSKIN_BARRIERS_HOST;
    Own own = openWith(gpu, &def, passing);
    VkskinInstance instance = place(&own, 240);
    VkskinAccess accesses[8];
    uint32_t count = 8, writes = 0;
    GPU_VKSKIN(gpu, vkskinBeginFrame(own.context, 0));
    GPU_VKSKIN(gpu, vkskinGetAccesses(own.context, VKSKIN_PASS_UPLOAD, accesses, &count));
    for (uint32_t i = 0; i < count; i++) {
        if (accesses[i].buffer == own.memory.buffer) {
            assert_true(accesses[i].access == VK_ACCESS_TRANSFER_WRITE_BIT && accesses[i].size == REGION);
            assert_int_equal(accesses[i].offset, own.def.offsets[writes++]);
        }
    }
    assert_int_equal(writes, 2);
    markerSkin(gpu, own.context, instance, 1.0f, 2.0f);
    count = 8;
    GPU_VKSKIN(gpu, vkskinGetAccesses(own.context, VKSKIN_PASS_SKINNING, accesses, &count));
    const VkskinOutput output = markerOutput(gpu, own.context, instance);
    bool found = false;
    for (uint32_t i = 0; i < count; i++) {
        found = found || (accesses[i].buffer == own.memory.buffer && accesses[i].offset == output.offset - 240 &&
                          accesses[i].size == REGION && accesses[i].access == VK_ACCESS_SHADER_WRITE_BIT);
    }
    assert_true(found);
    close(&own);
}

/* Only the outputs change owners: the host's other bytes stay with their queue. */
GPU_TEST(onlyOutputsChangeOwners) {
    const VkskinVulkanFunctions functions = {.vkGetPhysicalDeviceQueueFamilyProperties = gpuTwoFamilies,
                                             .vkCmdPipelineBarrier = gpuKeepTransfer};
    VkskinContextDef def = smallDef(gpu, VKSKIN_BACKEND_COMPUTE, 2, 2);
    def.functions = &functions;
    def.graphicsQueueFamily = def.computeQueueFamily + 1;
    Own own = openWith(gpu, &def, plain);
    VkskinInstance instance = place(&own, 1204);
    GPU_VKSKIN(gpu, vkskinBeginFrame(own.context, 0));
    markerSkin(gpu, own.context, instance, 1.0f, 2.0f);
    VkCommandBuffer commandBuffer = gpuBegin(gpu);
    GPU_VKSKIN(gpu, vkskinRecordSkinning(own.context, commandBuffer));
    const VkskinOutput output = markerOutput(gpu, own.context, instance);
    GPU_VKSKIN(gpu, vkskinRecordRelease(own.context, commandBuffer));
    assert_true(gpuLastTransfer.buffer == own.memory.buffer && gpuLastTransfer.offset == output.offset);
    assert_int_equal(gpuLastTransfer.size, BYTES);
    gpuSubmitAndWait(gpu, commandBuffer);
    close(&own);
}
