/*
 * Refused calls: null and stale handles, frames out of order, full rings and tables, wrong palettes; and commands whose
 * method, encoding, morph weights or kernels do not fit their mesh. Each has its exact diagnostic and changes nothing.
 */
#include "marker_scene.h"

/* ---- Calls ---- */

#define PATTERN 0xa5

#define REFUSED(expected, part, call) gpuCheckRefusal(gpu, #call, (call), (expected), (part))

/* Without a part of the message: nothing is logged. All bytes of `place` must have that value. */
static void checkFailure(Gpu *gpu, const char *call, VkskinResult result, VkskinResult expected, const char *part,
                         const void *place, size_t size, int byte) {
    if (part != NULL) {
        gpuCheckRefusal(gpu, call, result, expected, part);
    } else {
        gpuCheckVkskin(gpu, result, expected, call, __FILE__, __LINE__);
        assert_int_equal(gpu->log.count, 0);
    }
    for (size_t i = 0; i < size; i++) {
        if (((const unsigned char *)place)[i] != byte) {
            fail_msg("%s failed: byte %zu of its output is not %#x", call, i, (unsigned)byte);
        }
    }
}

/* The call gets a place filled with a pattern. LEAVES: it stays as it is. NULLS: a handle is zero after a failure. */
#define PLACE_IS(byte, type, expected, part, call)                                                                     \
    do {                                                                                                               \
        type place;                                                                                                    \
        memset(&place, PATTERN, sizeof place);                                                                         \
        VkskinResult result = (call);                                                                                  \
        checkFailure(gpu, #call, result, (expected), (part), &place, sizeof place, (byte));                            \
    } while (0)
#define LEAVES(type, expected, part, call) PLACE_IS(PATTERN, type, expected, part, call)
#define NULLS(type, expected, part, call)  PLACE_IS(0, type, expected, part, call)

GPU_TEST(nullArguments) {
    Scene s = makeScene(gpu, NULL, 20, false);
    VkskinContext context = s.context;
    const VkskinContextDef noContext = {0};
    const VkskinMeshDef noMesh = vkskinDefaultMeshDef();
    const VkskinPaletteEncoding encoding = VKSKIN_PALETTE_MAT3X4;
    VkskinPalette palette;
    void *data;
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
    REFUSED(VKSKIN_ERROR_NULL_ARGUMENT, "instance", vkskinCreateInstances(context, s.mesh, 1, NULL));
    REFUSED(VKSKIN_ERROR_NULL_ARGUMENT, "info", vkskinGetMeshInfo(context, s.mesh, NULL));
    REFUSED(VKSKIN_ERROR_NULL_ARGUMENT, "palette", vkskinAllocatePalette(context, encoding, 1, NULL, &data));
    REFUSED(VKSKIN_ERROR_NULL_ARGUMENT, "data", vkskinAllocatePalette(context, encoding, 1, &palette, NULL));
    REFUSED(VKSKIN_ERROR_NULL_ARGUMENT, "commands", vkskinSkinInstances(context, NULL, 1, NULL));
    REFUSED(VKSKIN_ERROR_NULL_ARGUMENT, "commandBuffer", vkskinRecordUploads(context, NULL));
    REFUSED(VKSKIN_ERROR_NULL_ARGUMENT, "commandBuffer", vkskinRecordSkinning(context, NULL));
    REFUSED(VKSKIN_ERROR_NULL_ARGUMENT, "commandBuffer", vkskinRecordRelease(context, NULL));
    REFUSED(VKSKIN_ERROR_NULL_ARGUMENT, "commandBuffer", vkskinRecordAcquire(context, NULL));
    REFUSED(VKSKIN_ERROR_NULL_ARGUMENT, "output", vkskinGetOutput(context, s.instance, NULL));
    REFUSED(VKSKIN_ERROR_NULL_ARGUMENT, "count", vkskinGetAccesses(context, VKSKIN_PASS_SKINNING, NULL, NULL));
    REFUSED(VKSKIN_ERROR_NULL_ARGUMENT, "count", vkskinGetTimings(context, NULL, NULL, NULL, NULL));
    REFUSED(VKSKIN_ERROR_NULL_ARGUMENT, "stats", vkskinGetStats(context, NULL));
    REFUSED(VKSKIN_ERROR_NULL_ARGUMENT, "info", vkskinGetOutputPage(context, 0, NULL));
    NULLS(VkskinInstance, VKSKIN_ERROR_NULL_ARGUMENT, "def", vkskinCreateInstance(context, NULL, &place));
    NULLS(VkskinInstance, VKSKIN_ERROR_DEF_NOT_INITIALISED, "vkskinDefaultInstanceDef",
          vkskinCreateInstance(context, &(VkskinInstanceDef){.mesh = s.mesh}, &place));
    NULLS(VkskinMesh, VKSKIN_ERROR_NULL_ARGUMENT, "def", vkskinCreateMesh(context, NULL, &place));

    /* Without a context, or with a def whose logger is not valid. */
    assert_int_equal(vkskinBeginFrame(NULL, 0), VKSKIN_ERROR_NULL_ARGUMENT);
    assert_int_equal(vkskinDestroyMesh(NULL, s.mesh), VKSKIN_ERROR_NULL_ARGUMENT);
    assert_int_equal(vkskinDestroyInstance(NULL, s.instance), VKSKIN_ERROR_NULL_ARGUMENT);
    assert_int_equal(vkskinSkinInstances(NULL, NULL, 0, NULL), VKSKIN_ERROR_NULL_ARGUMENT);
    assert_int_equal(vkskinGetOutputPageCount(NULL), 0);
    NULLS(VkskinContext, VKSKIN_ERROR_NULL_ARGUMENT, NULL, vkskinCreateContext(NULL, &place));
    NULLS(VkskinContext, VKSKIN_ERROR_DEF_NOT_INITIALISED, NULL, vkskinCreateContext(&noContext, &place));
    NULLS(VkskinMesh, VKSKIN_ERROR_NULL_ARGUMENT, NULL, vkskinCreateMesh(NULL, &noMesh, &place));
    NULLS(VkskinInstance, VKSKIN_ERROR_NULL_ARGUMENT, NULL, vkskinCreateInstances(NULL, s.mesh, 1, &place));
    NULLS(VkskinPalette, VKSKIN_ERROR_NULL_ARGUMENT, NULL, vkskinAllocatePalette(NULL, encoding, 1, &place, &data));
    LEAVES(VkskinMeshInfo, VKSKIN_ERROR_NULL_ARGUMENT, NULL, vkskinGetMeshInfo(NULL, s.mesh, &place));
    LEAVES(VkskinOutput, VKSKIN_ERROR_NULL_ARGUMENT, NULL, vkskinGetOutput(NULL, s.instance, &place));
    LEAVES(uint32_t, VKSKIN_ERROR_NULL_ARGUMENT, NULL, vkskinGetAccesses(NULL, VKSKIN_PASS_UPLOAD, NULL, &place));
    LEAVES(uint32_t, VKSKIN_ERROR_NULL_ARGUMENT, NULL, vkskinGetTimings(NULL, NULL, &place, NULL, NULL));
    LEAVES(VkskinStats, VKSKIN_ERROR_NULL_ARGUMENT, NULL, vkskinGetStats(NULL, &place));
    LEAVES(VkskinOutputPage, VKSKIN_ERROR_NULL_ARGUMENT, NULL, vkskinGetOutputPage(NULL, 0, &place));
}

GPU_TEST(openArguments) {
    const VkskinContextDef def = gpuContextDef(gpu);
    const uint32_t methods = GPU_LINEAR_BLEND;
    VkskinMeshDef noMesh = {0}, badMesh = vkskinDefaultMeshDef();
    VkskinMesh meshes[2];
#define OPEN_REFUSED(expected, part, defs, count, methods, meshes)                                                     \
    do {                                                                                                               \
        VkskinContext context = (VkskinContext)(uintptr_t)8;                                                           \
        REFUSED((expected), (part), vkskinOpen(&def, (defs), (count), (methods), &context, (meshes)));                 \
        assert_null(context);                                                                                          \
    } while (0)
    OPEN_REFUSED(VKSKIN_ERROR_NULL_ARGUMENT, "vkskinOpen: meshDefs", NULL, 1, methods, meshes);
    OPEN_REFUSED(VKSKIN_ERROR_NULL_ARGUMENT, "vkskinOpen: meshes", &badMesh, 1, methods, NULL);
    OPEN_REFUSED(VKSKIN_ERROR_DEF_NOT_INITIALISED, "vkskinDefaultMeshDef", &noMesh, 1, methods, meshes);
    OPEN_REFUSED(VKSKIN_ERROR_NULL_ARGUMENT, "positions is null", &badMesh, 1, methods, meshes);
    assert_true(VKSKIN_IS_NULL(meshes[0]));
    OPEN_REFUSED(VKSKIN_ERROR_INVALID_VALUE, "methods is 0", NULL, 0, 0, NULL);
    assert_int_equal(vkskinOpen(NULL, &badMesh, 1, methods, NULL, meshes), VKSKIN_ERROR_NULL_ARGUMENT);
}

GPU_TEST(pages) {
    VkskinContext context = makeScene(gpu, NULL, 20, false).context;
    VkskinOutputPage page;
    assert_int_equal(vkskinGetOutputPageCount(context), 1);
    LEAVES(VkskinOutputPage, VKSKIN_ERROR_INVALID_VALUE, "1", vkskinGetOutputPage(context, 1, &place));
    LEAVES(VkskinOutputPage, VKSKIN_ERROR_INVALID_VALUE, "1000", vkskinGetOutputPage(context, 1000, &place));
    GPU_VKSKIN(gpu, vkskinGetOutputPage(context, 0, &page));
    assert_true(page.buffer != VK_NULL_HANDLE && page.size > 0);
}

GPU_TEST(handles) {
    Scene s = makeScene(gpu, NULL, 20, false);
    VkskinContext context = s.context;
    VkskinMesh noMesh = {0, 0}, strangeMesh = {1000, 1}, otherMesh = {s.mesh.index, s.mesh.generation + 1};
    VkskinInstance noInstance = {0, 0}, strange = {5000, 1}, instance;
    LEAVES(VkskinMeshInfo, VKSKIN_ERROR_NULL_HANDLE, "mesh", vkskinGetMeshInfo(context, noMesh, &place));
    REFUSED(VKSKIN_ERROR_NULL_HANDLE, "mesh", vkskinDestroyMesh(context, noMesh));
    NULLS(VkskinInstance, VKSKIN_ERROR_NULL_HANDLE, "mesh", vkskinCreateInstances(context, noMesh, 1, &place));
    LEAVES(VkskinMeshInfo, VKSKIN_ERROR_STALE_HANDLE, "mesh", vkskinGetMeshInfo(context, strangeMesh, &place));
    NULLS(VkskinInstance, VKSKIN_ERROR_STALE_HANDLE, "mesh", vkskinCreateInstances(context, otherMesh, 1, &place));
    REFUSED(VKSKIN_ERROR_NULL_HANDLE, "instance", vkskinDestroyInstance(context, noInstance));
    LEAVES(VkskinOutput, VKSKIN_ERROR_NULL_HANDLE, "instance", vkskinGetOutput(context, noInstance, &place));
    REFUSED(VKSKIN_ERROR_STALE_HANDLE, "instance", vkskinDestroyInstance(context, strange));
    LEAVES(VkskinOutput, VKSKIN_ERROR_NOT_SKINNED, "instance", vkskinGetOutput(context, s.instance, &place));
    REFUSED(VKSKIN_ERROR_MESH_IN_USE, "mesh", vkskinDestroyMesh(context, s.mesh));
    for (uint32_t index = 2; index < 70; index++) { /* never given out, past the ends of the tables too */
        const VkskinInstance forged = {index, s.instance.generation};
        const VkskinMesh forgedMesh = {index, s.mesh.generation};
        REFUSED(VKSKIN_ERROR_STALE_HANDLE, "instance", vkskinDestroyInstance(context, forged));
        REFUSED(VKSKIN_ERROR_STALE_HANDLE, "mesh", vkskinDestroyMesh(context, forgedMesh));
    }

    GPU_VKSKIN(gpu, vkskinDestroyInstance(context, s.instance));
    REFUSED(VKSKIN_ERROR_STALE_HANDLE, "instance", vkskinDestroyInstance(context, s.instance));
    LEAVES(VkskinOutput, VKSKIN_ERROR_STALE_HANDLE, "instance", vkskinGetOutput(context, s.instance, &place));
    GPU_VKSKIN(gpu, vkskinCreateInstances(context, s.mesh, 1, &instance)); /* perhaps in the same slot */
    REFUSED(VKSKIN_ERROR_STALE_HANDLE, "instance", vkskinDestroyInstance(context, s.instance));
    GPU_VKSKIN(gpu, vkskinDestroyInstance(context, instance));
    GPU_VKSKIN(gpu, vkskinDestroyMesh(context, s.mesh));
    REFUSED(VKSKIN_ERROR_STALE_HANDLE, "mesh", vkskinDestroyMesh(context, s.mesh));
    LEAVES(VkskinMeshInfo, VKSKIN_ERROR_STALE_HANDLE, "mesh", vkskinGetMeshInfo(context, s.mesh, &place));
}

/* A refused vkskinBeginFrame begins nothing: the frame before continues. */
GPU_TEST(frames) {
    VkskinContextDef def = gpuContextDef(gpu);
    def.framesInFlight = 3;
    Scene s = makeScene(gpu, &def, 20, false);
    VkskinContext context = s.context;
    VkCommandBuffer commandBuffer = gpuBegin(gpu);
    VkskinSkinCommand command = {.instance = s.instance};
    void *data = &def;
    NULLS(VkskinPalette, VKSKIN_ERROR_FRAME_NOT_BEGUN, "vkskinBeginFrame",
          vkskinAllocatePalette(context, VKSKIN_PALETTE_MAT3X4, 1, &place, &data));
    assert_null(data);
    LEAVES(uint32_t, VKSKIN_ERROR_FRAME_NOT_BEGUN, "vkskinBeginFrame",
           vkskinGetAccesses(context, VKSKIN_PASS_UPLOAD, NULL, &place));
    REFUSED(VKSKIN_ERROR_FRAME_NOT_BEGUN, "vkskinBeginFrame", vkskinSkinInstances(context, &command, 1, NULL));
    REFUSED(VKSKIN_ERROR_FRAME_NOT_BEGUN, "vkskinBeginFrame", vkskinRecordUploads(context, commandBuffer));
    REFUSED(VKSKIN_ERROR_FRAME_NOT_BEGUN, "vkskinBeginFrame", vkskinRecordSkinning(context, commandBuffer));
    REFUSED(VKSKIN_ERROR_FRAME_NOT_BEGUN, "vkskinBeginFrame", vkskinRecordRelease(context, commandBuffer));
    REFUSED(VKSKIN_ERROR_FRAME_NOT_BEGUN, "vkskinBeginFrame", vkskinRecordAcquire(context, commandBuffer));
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "frameIndex is 3, not below framesInFlight (3)", vkskinBeginFrame(context, 3));
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 1)); /* the first may be any */
    command.palette = markerPalette(gpu, context, 1.0f, 2.0f);
    REFUSED(VKSKIN_ERROR_FRAME_ORDER, "2", vkskinBeginFrame(context, 0));
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "frameIndex is 3", vkskinBeginFrame(context, 3));
    assert_int_equal(statsOf(gpu, context).frame, 1);
    assert_int_equal(statsOf(gpu, context).paletteBytes, 48);
    GPU_VKSKIN(gpu, vkskinSkinInstances(context, NULL, 0, NULL));
    GPU_VKSKIN(gpu, vkskinSkinInstances(context, &command, 1, NULL));
    GPU_VKSKIN(gpu, vkskinRecordSkinning(context, commandBuffer));
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 2));
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
    gpuSubmitAndWait(gpu, commandBuffer);
}

GPU_TEST(ringFull) {
    VkskinContextDef def = gpuContextDef(gpu);
    def.memory.paletteBytesPerFrame = 4800;
    def.memory.maxPaletteBytesPerFrame = 0; /* the ring does not grow */
    def.memory.pageSize = 65536;
    Scene s = makeScene(gpu, &def, 20, false);
    VkskinPalette palette;
    void *data;
    for (uint32_t frame = 0; frame < 4; frame++) {
        uint32_t taken = 0;
        VkskinResult result = VKSKIN_SUCCESS;
        GPU_VKSKIN(gpu, vkskinBeginFrame(s.context, frame % 2));
        while (result == VKSKIN_SUCCESS && taken < 10000) {
            result = vkskinAllocatePalette(s.context, VKSKIN_PALETTE_MAT3X4, 10, &palette, &data);
            taken += result == VKSKIN_SUCCESS ? 10 : 0;
        }
        gpuCheckRefusal(gpu, "ring full", result, VKSKIN_ERROR_PALETTE_RING_FULL, "480");
        assert_true(palette.serial == 0 && data == NULL);
        assert_true(taken >= 100);
        assert_true(statsOf(gpu, s.context).paletteBytes == (uint64_t)taken * 48);
    }
    NULLS(void *, VKSKIN_ERROR_PALETTE_RING_FULL, "4800000",
          vkskinAllocatePalette(s.context, VKSKIN_PALETTE_MAT3X4, 100000, &palette, &place));
    NULLS(VkskinPalette, VKSKIN_ERROR_INVALID_VALUE, "boneCount is 0",
          vkskinAllocatePalette(s.context, VKSKIN_PALETTE_MAT3X4, 0, &place, &data));
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "encoding is 7, not below 7",
            vkskinAllocatePalette(s.context, VKSKIN_PALETTE_ENCODING_COUNT, 1, &palette, &data));
}

GPU_TEST(tooManyInstances) {
    VkskinContextDef def = gpuContextDef(gpu);
    def.memory.maxInstances = 3;
    Scene s = makeScene(gpu, &def, 20, false);
    VkskinInstance instance = markerInstance(gpu, s.context, s.mesh);
    (void)markerInstance(gpu, s.context, s.mesh);
    NULLS(VkskinInstance, VKSKIN_ERROR_TOO_MANY_INSTANCES, "3", vkskinCreateInstances(s.context, s.mesh, 1, &place));
    GPU_VKSKIN(gpu, vkskinDestroyInstance(s.context, instance));
    (void)markerInstance(gpu, s.context, s.mesh);
}

/* A right command after a change, which names it `wrong`, is refused. */
#define WRONG(expected, part, ...)                                                                                     \
    do {                                                                                                               \
        VkskinSkinCommand wrong = right;                                                                               \
        __VA_ARGS__;                                                                                                   \
        gpuCheckRefusal(gpu, #__VA_ARGS__, vkskinSkinInstances(context, &wrong, 1, NULL), (expected), (part));         \
    } while (0)

static VkskinSkinCommand rightCommand(const Scene *s) {
    return (VkskinSkinCommand){.instance = s->instance, .palette = markerPalette(s->gpu, s->context, 1.0f, 1.0f)};
}

static VkskinPalette paletteOf(Gpu *gpu, VkskinContext context, VkskinPaletteEncoding encoding) {
    VkskinPalette palette;
    void *data;
    GPU_VKSKIN(gpu, vkskinAllocatePalette(context, encoding, 1, &palette, &data));
    memset(data, 0, vkskinPaletteStride(encoding));
    return palette;
}

GPU_TEST(skinCommands) {
    Scene s = makeScene(gpu, NULL, 20, false);
    VkskinContext context = s.context;
    const MarkerDef two = {5, .boneCount = 2};
    VkskinInstance twoBones = markerInstance(gpu, context, markerMeshOf(gpu, context, &two));
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
    VkskinSkinCommand old = rightCommand(&s);
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 1));
    REFUSED(VKSKIN_ERROR_PALETTE_STALE, "frame", vkskinSkinInstances(context, &old, 1, NULL));
    /* As many frames have begun there as here, and the places are the same. */
    Scene other = makeScene(gpu, NULL, 20, false);
    GPU_VKSKIN(gpu, vkskinBeginFrame(other.context, 0));
    GPU_VKSKIN(gpu, vkskinBeginFrame(other.context, 1));
    old.palette = markerPalette(gpu, other.context, 1.0f, 1.0f);
    REFUSED(VKSKIN_ERROR_PALETTE_STALE, "context", vkskinSkinInstances(context, &old, 1, NULL));
    gpuDestroyContext(gpu, other.context);

    const VkskinSkinCommand right = rightCommand(&s);
    const VkskinInstance stale = {s.instance.index, s.instance.generation + 1};
    WRONG(VKSKIN_ERROR_PALETTE_STALE, "command 0: the palette is null", wrong.palette = (VkskinPalette){0});
    WRONG(VKSKIN_ERROR_PALETTE_TOO_SMALL, "2", wrong.instance = twoBones);
    WRONG(VKSKIN_ERROR_PALETTE_ENCODING, "linear blend of a mesh of 3 dimensions does not read DUAL_QUATERNION",
          wrong.palette = paletteOf(gpu, context, VKSKIN_PALETTE_DUAL_QUATERNION));
    WRONG(VKSKIN_ERROR_PIPELINE_MISSING,
          "command 0: no kernels: create with methods VKSKIN_METHOD_DUAL_QUATERNION_BIT, formats "
          "VKSKIN_VERTEX_PACKED_BIT",
          wrong.palette = paletteOf(gpu, context, VKSKIN_PALETTE_DUAL_QUATERNION),
          wrong.method = VKSKIN_METHOD_DUAL_QUATERNION);
    WRONG(VKSKIN_ERROR_INVALID_VALUE, "method 5 is unknown", wrong.method = VKSKIN_METHOD_COUNT);
    WRONG(VKSKIN_ERROR_INVALID_VALUE, "flags 0x80 are unknown", wrong.flags = 0x80);
    WRONG(VKSKIN_ERROR_NULL_HANDLE, "command 0: the instance handle is null", wrong.instance = VKSKIN_NULL_INSTANCE);
    WRONG(VKSKIN_ERROR_STALE_HANDLE, "instance", wrong.instance = stale);

    /* All are checked before any is taken: the right one of a bad pair is still to be skinned. */
    VkskinSkinCommand pair[2] = {right, right};
    pair[1].instance = stale;
    REFUSED(VKSKIN_ERROR_STALE_HANDLE, "command 1: the instance handle", vkskinSkinInstances(context, pair, 2, NULL));
    pair[1] = right;
    REFUSED(VKSKIN_ERROR_ALREADY_SKINNED, "instance", vkskinSkinInstances(context, pair, 2, NULL));
    GPU_VKSKIN(gpu, vkskinSkinInstances(context, &right, 1, NULL));
    REFUSED(VKSKIN_ERROR_ALREADY_SKINNED, "in this frame (frame 2)", vkskinSkinInstances(context, &right, 1, NULL));
}

GPU_TEST(paletteLocations) {
    VkskinContextDef def = gpuContextDef(gpu);
    def.paletteStages = VK_PIPELINE_STAGE_VERTEX_SHADER_BIT;
    VkskinContext context = gpuContext(gpu, &def), without = gpuContext(gpu, NULL);
    VkskinPaletteLocation location;
    const VkskinPalette none = {0};
    assert_int_equal(vkskinGetPaletteLocations(NULL, &none, 1, &location), VKSKIN_ERROR_NULL_ARGUMENT);
    NULLS(VkskinPaletteLocation, VKSKIN_ERROR_FRAME_NOT_BEGUN, "vkskinGetPaletteLocations",
          vkskinGetPaletteLocations(context, &none, 1, &place));
    GPU_VKSKIN(gpu, vkskinBeginFrame(without, 0));
    const VkskinPalette foreign = paletteOf(gpu, without, VKSKIN_PALETTE_MAT3X4);
    NULLS(VkskinPaletteLocation, VKSKIN_ERROR_INVALID_VALUE, "paletteStages is 0: name the stages",
          vkskinGetPaletteLocations(without, &foreign, 1, &place));
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
    const VkskinPalette old = paletteOf(gpu, context, VKSKIN_PALETTE_MAT3X4);
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 1));
    VkskinPalette pair[2] = {paletteOf(gpu, context, VKSKIN_PALETTE_MAT3X4), old};
    VkskinPaletteLocation places[2];
    GPU_VKSKIN(gpu, vkskinGetPaletteLocations(context, NULL, 0, NULL));
    GPU_VKSKIN(gpu, vkskinGetPaletteLocations(context, pair, 1, places));
    REFUSED(VKSKIN_ERROR_NULL_ARGUMENT, "palettes", vkskinGetPaletteLocations(context, NULL, 1, places));
    REFUSED(VKSKIN_ERROR_NULL_ARGUMENT, "locations", vkskinGetPaletteLocations(context, pair, 1, NULL));
    GPU_VKSKIN(gpu, vkskinGetPaletteLocations(context, pair, 1, places));
    REFUSED(VKSKIN_ERROR_PALETTE_STALE, "palette 1 is of another frame",
            vkskinGetPaletteLocations(context, pair, 2, places));
    assert_null(places[0].buffer); /* all or none */
    NULLS(VkskinPaletteLocation, VKSKIN_ERROR_PALETTE_STALE, "palette 0 is of another frame or context",
          vkskinGetPaletteLocations(context, &foreign, 1, &place));
    NULLS(VkskinPaletteLocation, VKSKIN_ERROR_PALETTE_STALE, "palette 0 is null",
          vkskinGetPaletteLocations(context, &none, 1, &place));
    pair[1] = pair[0];
    pair[1].boneCount = 1000;
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "palette 1 was not allocated here",
            vkskinGetPaletteLocations(context, pair, 2, places));
}

/* A palette is a plain struct: one that the host forged must not make the device read outside of the ring, in an
 * unused page or behind the last palette. */
GPU_TEST(forgedPalettes) {
    VkskinContextDef def = gpuContextDef(gpu);
    def.memory.pageSize = 65536;
    def.memory.paletteBytesPerFrame = 16 * def.memory.pageSize; /* the list of 16 pages has no room for another one */
    Scene s = makeScene(gpu, &def, 20, false);
    static const struct {
        uint32_t page, offset, boneCount;
    } forged[] = {{1000, 0, 1}, {0, 0xfffffff0u, 1}, {0, 7, 1},  {0, 0, 0xffffffffu}, {0, 1u << 30, 1},
                  {0, 4800, 1}, {1, 0, 1},           {0, 48, 1}, {0, 16, 1},          {16, 0, 1}};
    assert_int_equal(statsOf(gpu, s.context).palettePages, 16 * def.framesInFlight);
    GPU_VKSKIN(gpu, vkskinBeginFrame(s.context, 0));
    skinOneFrame(gpu, s.context, 1, s.instance, 1.0f, 1.0f);
    GPU_VKSKIN(gpu, vkskinBeginFrame(s.context, 0));
    const VkskinSkinCommand right = rightCommand(&s);
    assert_true(right.palette.page == 0 && right.palette.offset == 0);
    for (size_t i = 0; i < COUNT_OF(forged); i++) {
        VkskinSkinCommand command = right;
        command.palette.page = forged[i].page;
        command.palette.offset = forged[i].offset;
        command.palette.boneCount = forged[i].boneCount;
        GPU_VKSKIN_IS(gpu, VKSKIN_ERROR_INVALID_VALUE, vkskinSkinInstances(s.context, &command, 1, NULL));
    }
}

GPU_TEST(hostBarriersNeedUploadsFirst) {
    VkskinContextDef def = gpuContextDef(gpu);
    def.barriers = VKSKIN_BARRIERS_HOST;
    Scene s = makeScene(gpu, &def, 20, false);
    GPU_VKSKIN(gpu, vkskinBeginFrame(s.context, 0));
    markerSkin(gpu, s.context, s.instance, 1.0f, 1.0f);
    VkCommandBuffer commandBuffer = gpuBegin(gpu);
    REFUSED(VKSKIN_ERROR_UPLOADS_PENDING, "vkskinRecordUploads", vkskinRecordSkinning(s.context, commandBuffer));
    GPU_VKSKIN(gpu, vkskinRecordUploads(s.context, commandBuffer));
    gpuSubmitAndWait(gpu, commandBuffer);
    LEAVES(uint32_t, VKSKIN_ERROR_INVALID_VALUE, "pass is 5, not a VkskinPass",
           vkskinGetAccesses(s.context, (VkskinPass)5, NULL, &place));
}

GPU_TEST(vertexInputs) {
    VkskinVertexInput input;
    assert_int_equal(vkskinGetVertexInput(VKSKIN_VERTEX_PACKED, true, true, NULL, 0, 0, NULL),
                     VKSKIN_ERROR_NULL_ARGUMENT);
    LEAVES(VkskinVertexInput, VKSKIN_ERROR_INVALID_VALUE, NULL,
           vkskinGetVertexInput(VKSKIN_VERTEX_FORMAT_COUNT, true, true, NULL, 0, 0, &place));
    LEAVES(VkskinVertexInput, VKSKIN_ERROR_INVALID_VALUE, NULL,
           vkskinGetVertexInput(VKSKIN_VERTEX_PACKED, false, true, NULL, 0, 0, &place));
    assert_int_equal(vkskinGetVertexInput(VKSKIN_VERTEX_PACKED, true, true, NULL, 2, 5, &input), VKSKIN_SUCCESS);
    assert_int_equal(input.bindingCount, 2);
    assert_int_equal(input.attributeCount, 3);
    assert_int_equal(input.bindings[0].binding, 2);
    assert_int_equal(input.bindings[0].stride, 12);
    assert_int_equal(input.bindings[1].stride, 8);
    assert_int_equal(input.attributes[0].location, 5);
    assert_int_equal(input.attributes[0].format, VK_FORMAT_R32G32B32_SFLOAT);
    assert_int_equal(input.attributes[2].location, 7);
    assert_int_equal(input.attributes[2].binding, 3);
    assert_int_equal(input.attributes[2].offset, 4);
    assert_int_equal(input.attributes[2].format, VK_FORMAT_R32_UINT);
    assert_int_equal(vkskinGetVertexInput(VKSKIN_VERTEX_FLOAT, true, true, NULL, 0, 0, &input), VKSKIN_SUCCESS);
    assert_int_equal(input.bindings[1].stride, 28);
    assert_int_equal(input.attributes[2].offset, 12);
    assert_int_equal(input.attributes[1].format, VK_FORMAT_R32G32B32_SFLOAT);
    assert_int_equal(input.attributes[2].format, VK_FORMAT_R32G32B32A32_SFLOAT);
    assert_int_equal(vkskinGetVertexInput(VKSKIN_VERTEX_SNORM10, true, true, NULL, 0, 0, &input), VKSKIN_SUCCESS);
    assert_int_equal(input.bindings[1].stride, 8);
    assert_int_equal(input.attributes[2].offset, 4);
    assert_int_equal(input.attributes[1].format, VK_FORMAT_A2B10G10R10_SNORM_PACK32);
    assert_int_equal(input.attributes[2].format, VK_FORMAT_A2B10G10R10_SNORM_PACK32);
    assert_int_equal(vkskinGetVertexInput(VKSKIN_VERTEX_FLOAT, false, false, NULL, 0, 0, &input), VKSKIN_SUCCESS);
    assert_int_equal(input.bindingCount, 1);
    assert_int_equal(input.attributeCount, 1);
}

GPU_TEST(vertexInputOfALayout) {
    VkskinVertexInput input;
    VkskinOutputLayout layout = {.streamCount = 2, .strides = {20, 16}, .normal = {1, 8}, .tangent = {0, 16}};
    GPU_VKSKIN(gpu, vkskinGetVertexInput(VKSKIN_VERTEX_PACKED, true, true, &layout, 3, 4, &input));
    assert_int_equal(input.bindingCount, 2);
    assert_int_equal(input.bindings[0].binding, 3);
    assert_int_equal(input.bindings[0].stride, 20);
    assert_int_equal(input.bindings[1].stride, 16);
    assert_int_equal(input.attributeCount, 3);
    assert_int_equal(input.attributes[1].location, 5);
    assert_int_equal(input.attributes[1].binding, 4);
    assert_int_equal(input.attributes[1].offset, 8);
    assert_int_equal(input.attributes[2].binding, 3);
    assert_int_equal(input.attributes[2].offset, 16);
    layout.positionW = true;
    GPU_VKSKIN(gpu, vkskinGetVertexInput(VKSKIN_VERTEX_PACKED, true, true, &layout, 0, 0, &input));
    assert_int_equal(input.attributes[0].format, VK_FORMAT_R32G32B32A32_SFLOAT);
    layout.normal.offset = 13;
    LEAVES(VkskinVertexInput, VKSKIN_ERROR_INVALID_VALUE, NULL,
           vkskinGetVertexInput(VKSKIN_VERTEX_PACKED, true, true, &layout, 0, 0, &place));
}

/* ---- Methods, morph weights and kernels ---- */

static const MarkerDef morphed = {20, .boneCount = 1, .morphs = true};

static VkskinContext morphContext(Gpu *gpu, uint32_t maxMorphWeights) {
    VkskinContextDef def = gpuContextDef(gpu);
    def.framesInFlight = 1;
    def.memory.initialMorphWeights = maxMorphWeights;
    def.memory.maxMorphWeights = maxMorphWeights;
    return gpuContext(gpu, &def);
}

GPU_TEST(morphWeights) {
    static const float weights[3] = {2.0f, 3.0f, 4.0f};
    static const float notFinite[2][2] = {{1.0f, NAN}, {-INFINITY, 1.0f}};
    VkskinContext context = morphContext(gpu, MARKER_MORPHS + 1); /* room for one command */
    VkskinMesh mesh = markerMeshOf(gpu, context, &morphed);
    VkskinInstance instances[2] = {markerInstance(gpu, context, mesh), markerInstance(gpu, context, mesh)};
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
    VkskinSkinCommand right = {.instance = instances[0],
                               .palette = markerPalette(gpu, context, 10.0f, 20.0f),
                               .morphWeights = weights,
                               .morphWeightCount = MARKER_MORPHS};
    WRONG(VKSKIN_ERROR_MORPH_OUT_OF_RANGE, "command 0: 3 morph weights, the mesh has 2 targets",
          wrong.morphWeightCount = 3);
    WRONG(VKSKIN_ERROR_NULL_ARGUMENT, "command 0: morphWeights is null", wrong.morphWeights = NULL);
    WRONG(VKSKIN_ERROR_WEIGHT_NOT_FINITE, "command 0: morph weight 1 is nan", wrong.morphWeights = notFinite[0]);
    WRONG(VKSKIN_ERROR_WEIGHT_NOT_FINITE, "command 0: morph weight 0 is -inf", wrong.morphWeights = notFinite[1]);
    /* Two commands take two places more than there are: none is taken, and the first has its three places still. */
    VkskinSkinCommand pair[2] = {right, right};
    pair[1].instance = instances[1];
    REFUSED(VKSKIN_ERROR_TOO_MANY_MORPHS,
            "command 1: its morph weights take 3 places, 0 are left of maxMorphWeights (3)",
            vkskinSkinInstances(context, pair, 2, NULL));
    GPU_VKSKIN(gpu, vkskinSkinInstances(context, &right, 1, NULL));
    REFUSED(VKSKIN_ERROR_TOO_MANY_MORPHS, "command 0", vkskinSkinInstances(context, &pair[1], 1, NULL));
    pair[1].morphWeightCount = 0;
    GPU_VKSKIN(gpu, vkskinSkinInstances(context, &pair[1], 1, NULL)); /* no weight, no place */
    recordAndRun(gpu, context);
    checkPositions(gpu, context, instances[0], 12.0f, 23.0f);
}

/* Zeros take no place: also where there is none. */
GPU_TEST(zeroWeightsTakeNoPlace) {
    static const float weights[MARKER_MORPHS] = {0.0f, -0.0f};
    static const float one[MARKER_MORPHS] = {0.0f, 1.0f};
    VkskinContext context = morphContext(gpu, 0);
    VkskinInstance instance = markerInstance(gpu, context, markerMeshOf(gpu, context, &morphed));
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
    VkskinSkinCommand command = {.instance = instance,
                                 .palette = markerPalette(gpu, context, 10.0f, 20.0f),
                                 .morphWeights = one,
                                 .morphWeightCount = MARKER_MORPHS};
    REFUSED(VKSKIN_ERROR_TOO_MANY_MORPHS, "2 places, 0 are left", vkskinSkinInstances(context, &command, 1, NULL));
    command.morphWeights = weights;
    GPU_VKSKIN(gpu, vkskinSkinInstances(context, &command, 1, NULL));
    recordAndRun(gpu, context);
    checkPositions(gpu, context, instance, 10.0f, 20.0f);
}

/* Every method with every encoding, on a mesh of three dimensions and on a flat one. */
GPU_TEST(encodings) {
    VkskinContext context = morphContext(gpu, 16);
    const MarkerDef flatDef = {3, .boneCount = 1, .flat = true};
    VkskinInstance instances[2] = {markerInstance(gpu, context, markerMesh(gpu, context, 20, false)),
                                   markerInstance(gpu, context, markerMeshOf(gpu, context, &flatDef))};
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
    for (uint32_t e = 0; e < VKSKIN_PALETTE_ENCODING_COUNT; e++) {
        VkskinSkinCommand command = {.palette = paletteOf(gpu, context, (VkskinPaletteEncoding)e)};
        for (uint32_t i = 0; i < 2 * VKSKIN_METHOD_COUNT; i++) {
            bool flat = i % 2 == 1;
            command.method = (VkskinMethod)(i / 2);
            command.instance = instances[i % 2];
            bool reads =
                vkskinMethodReads(command.method, command.palette.encoding) && flat == (e == VKSKIN_PALETTE_MAT2X3);
            if (!reads) {
                REFUSED(VKSKIN_ERROR_PALETTE_ENCODING,
                        flat ? "of a mesh of 2 dimensions does not read" : "of a mesh of 3 dimensions does not read",
                        vkskinSkinInstances(context, &command, 1, NULL));
            }
        }
    }
    markerSkin(gpu, context, instances[0], 1.0f, 2.0f);
    recordAndRun(gpu, context);
    checkPositions(gpu, context, instances[0], 1.0f, 2.0f);
}

GPU_TEST(missingData) {
    VkskinContext context = morphContext(gpu, 16);
    VkskinInstance instance = markerInstance(gpu, context, markerMesh(gpu, context, 20, false));
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
    const VkskinSkinCommand right = {.instance = instance,
                                     .palette = paletteOf(gpu, context, VKSKIN_PALETTE_SCALED_DUAL_QUATERNION)};
    WRONG(VKSKIN_ERROR_METHOD_DATA_MISSING, "painted blend needs blend weights, the mesh was made without",
          wrong.method = VKSKIN_METHOD_PAINTED_BLEND);
    WRONG(VKSKIN_ERROR_METHOD_DATA_MISSING, "centres of rotation needs centres, the mesh was made without",
          wrong.method = VKSKIN_METHOD_CENTRES_OF_ROTATION);
    markerSkin(gpu, context, instance, 1.0f, 2.0f);
    recordAndRun(gpu, context);
    checkPositions(gpu, context, instance, 1.0f, 2.0f);
}

/* The names in a message of missing kernels, as bits. */
static VkskinPipelineDef namedKernels(const char *message) {
#define NAMED(bit)                       (strstr(message, #bit) != NULL ? (uint32_t)(bit) : 0u)
#define NAME_METHOD(name, text)          def.methods |= NAMED(VKSKIN_METHOD_##name##_BIT);
#define NAME_ENCODING(name, bytes, text) def.encodings |= NAMED(VKSKIN_PALETTE_##name##_BIT);
#define NAME_FORMAT(name, text)          def.formats |= NAMED(VKSKIN_VERTEX_##name##_BIT);
    VkskinPipelineDef def = vkskinDefaultPipelineDef();
    def.methods = def.encodings = def.formats = 0;
    VKSKIN_METHODS(NAME_METHOD)
    VKSKIN_PALETTE_ENCODINGS(NAME_ENCODING)
    VKSKIN_VERTEX_FORMATS(NAME_FORMAT)
    def.features = NAMED(VKSKIN_KERNEL_EXACT_NORMALS_BIT) | NAMED(VKSKIN_KERNEL_MORPHS_BIT);
    return def;
}

typedef struct MissingCase {
    MarkerDef mesh;
    VkskinMethod method;
    VkskinPaletteEncoding encoding;
    const char *part; /* common part of both messages */
} MissingCase;

#define NAMES(method, more) "no kernels: create with methods VKSKIN_METHOD_" method "_BIT" more
#define PACKED              ", formats VKSKIN_VERTEX_PACKED_BIT"
#define EXACT               ", features VKSKIN_KERNEL_EXACT_NORMALS_BIT"

static const MissingCase missingCases[] = {
    {{3, .boneCount = 6}, VKSKIN_METHOD_LINEAR_BLEND, VKSKIN_PALETTE_MAT3X4, NAMES("LINEAR_BLEND", PACKED)},
    {{3, .boneCount = 1, .exactNormals = true},
     VKSKIN_METHOD_LINEAR_BLEND,
     VKSKIN_PALETTE_MAT3X4,
     NAMES("LINEAR_BLEND", PACKED EXACT)},
    {{3, .boneCount = 1, .exactNormals = true, .morphs = true},
     VKSKIN_METHOD_SCALED_DUAL_QUATERNION,
     VKSKIN_PALETTE_SCALED_DUAL_QUATERNION,
     NAMES("SCALED_DUAL_QUATERNION", PACKED EXACT " | VKSKIN_KERNEL_MORPHS_BIT")},
    {{3, .morphs = true},
     VKSKIN_METHOD_LINEAR_BLEND,
     VKSKIN_PALETTE_MAT3X4,
     NAMES("LINEAR_BLEND", PACKED ", features VKSKIN_KERNEL_MORPHS_BIT")},
    {{3, .boneCount = 1, .flat = true},
     VKSKIN_METHOD_LINEAR_BLEND,
     VKSKIN_PALETTE_MAT2X3,
     NAMES("LINEAR_BLEND", ", encodings VKSKIN_PALETTE_MAT2X3_BIT" PACKED)},
};

/*
 * The warning of a declared method and the error of the command name the same def. Its kernels, and no more, serve the
 * command; the declaration is then accepted silently.
 */
static void checkMissing(Gpu *gpu, VkskinContext context, const MissingCase *row) {
    static const float weights[MARKER_MORPHS] = {1.0f, 1.0f};
    VkskinInstanceDef def = vkskinDefaultInstanceDef();
    VkskinInstance declared, again;
    GPU_VKSKIN(gpu, markerCreate(context, &row->mesh, &def.mesh));
    def.methods = VKSKIN_METHOD_BIT(row->method);
    REFUSED(VKSKIN_WARNING_PIPELINE_MISSING, row->part, vkskinCreateInstance(context, &def, &declared));
    assert_false(VKSKIN_IS_NULL(declared));
    VkskinSkinCommand command = {.instance = declared, .method = row->method};
    if (row->mesh.boneCount > 0) {
        void *data;
        GPU_VKSKIN(gpu, vkskinAllocatePalette(context, row->encoding, 6, &command.palette, &data));
        memset(data, 0, (size_t)6 * vkskinPaletteStride(row->encoding));
    }
    command.morphWeights = weights;
    command.morphWeightCount = row->mesh.morphs ? MARKER_MORPHS : 0;
    REFUSED(VKSKIN_ERROR_PIPELINE_MISSING, row->part, vkskinSkinInstances(context, &command, 1, NULL));
    VkskinPipelineDef kernels = namedKernels(row->part);
    kernels.cache = gpu->cache;
    GPU_VKSKIN(gpu, vkskinCreatePipelines(context, &kernels));
    GPU_VKSKIN(gpu, vkskinSkinInstances(context, &command, 1, NULL));
    GPU_VKSKIN(gpu, vkskinCreateInstance(context, &def, &again));
}

/* Each in a context without kernels. */
GPU_TEST(missingKernels) {
    for (size_t i = 0; i < COUNT_OF(missingCases); i++) {
        VkskinContext context = morphContext(gpu, 16);
        GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
        checkMissing(gpu, context, &missingCases[i]);
        recordAndRun(gpu, context);
        gpuDestroyContext(gpu, context);
    }
}

GPU_TEST(declaredMethods) {
    VkskinContext context = morphContext(gpu, 16);
    const MarkerDef flat = {3, .boneCount = 1, .flat = true};
    VkskinInstanceDef def = vkskinDefaultInstanceDef();
    VkskinInstance instance;
    def.mesh = markerMesh(gpu, context, 3, false);
    def.methods = VKSKIN_METHOD_BIT(VKSKIN_METHOD_COUNT);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "methods is 0x2000; combine VKSKIN_METHOD_..._BIT values: 0x2000 is unknown",
            vkskinCreateInstance(context, &def, &instance));
    def.methods = VKSKIN_METHOD_PAINTED_BLEND_BIT;
    REFUSED(VKSKIN_ERROR_METHOD_DATA_MISSING, "methods has painted blend, which needs blend weights",
            vkskinCreateInstance(context, &def, &instance));
    def.methods = VKSKIN_METHOD_LINEAR_BLEND_BIT;
    GPU_VKSKIN(gpu, vkskinCreateInstance(context, &def, &instance)); /* these kernels exist */
    GPU_VKSKIN(gpu, markerCreate(context, &flat, &def.mesh));
    def.methods = VKSKIN_METHOD_DUAL_QUATERNION_BIT;
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "a flat mesh is skinned with linear blend",
            vkskinCreateInstance(context, &def, &instance));
    assert_int_equal(statsOf(gpu, context).instances, 1);
}
