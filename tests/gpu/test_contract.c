/*
 * The contract of every call: a failing call leaves its outputs unchanged, but a create call sets its handle to zero;
 * messages are one line of limited length. And the layout of outputs.
 */

#include "marker_scene.h"
#include "test.h"
#include "vkskin/vkskin_pose.h"

#define PATTERN 0xa5

static void checkUntouched(const char *call, const void *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) {
        if (((const unsigned char *)bytes)[i] != PATTERN) {
            fail_msg("%s failed and wrote to byte %zu of its output", call, i);
        }
    }
}

/* The call gets a place filled with a pattern, must return `expected`, and leave the place as it was. */
#define LEAVES(type, expected, call)                                                                                   \
    do {                                                                                                               \
        type place;                                                                                                    \
        memset(&place, PATTERN, sizeof place);                                                                         \
        GPU_VKSKIN_IS(gpu, (expected), call);                                                                          \
        checkUntouched(#call, &place, sizeof place);                                                                   \
    } while (0)

GPU_TEST(failuresLeaveOutputs) {
    Scene s = makeScene(gpu, NULL, 21, false);
    VkskinContext context = s.context;
    VkskinMesh stale = {s.mesh.index, s.mesh.generation + 1};
    LEAVES(VkskinMeshInfo, VKSKIN_ERROR_STALE_HANDLE, vkskinGetMeshInfo(context, stale, &place));
    LEAVES(VkskinMeshInfo, VKSKIN_ERROR_NULL_ARGUMENT, vkskinGetMeshInfo(NULL, s.mesh, &place));
    LEAVES(VkskinOutput, VKSKIN_ERROR_NOT_SKINNED, vkskinGetOutput(context, s.instance, &place));
    LEAVES(VkskinOutput, VKSKIN_ERROR_NULL_HANDLE, vkskinGetOutput(context, (VkskinInstance){0}, &place));
    LEAVES(VkskinStats, VKSKIN_ERROR_NULL_ARGUMENT, vkskinGetStats(NULL, &place));
    LEAVES(uint32_t, VKSKIN_ERROR_FRAME_NOT_BEGUN, vkskinGetAccesses(context, VKSKIN_PASS_UPLOAD, NULL, &place));
    LEAVES(uint32_t, VKSKIN_ERROR_NULL_ARGUMENT, vkskinGetTimings(NULL, NULL, &place, NULL, NULL));
    LEAVES(VkskinVertexInput, VKSKIN_ERROR_INVALID_VALUE,
           vkskinGetVertexInput(VKSKIN_VERTEX_PACKED, false, true, 0, 0, &place));
    LEAVES(VkskinAffine, VKSKIN_ERROR_SINGULAR_MATRIX, vkskinInvertAffine(&(VkskinAffine){0}, &place));
    LEAVES(VkskinTransform, VKSKIN_ERROR_INVALID_VALUE,
           vkskinBlendPoses(1, &(VkskinTransform){0}, &(VkskinTransform){0}, 2.0f, &place));
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
    LEAVES(uint32_t, VKSKIN_ERROR_INVALID_VALUE, vkskinGetAccesses(context, (VkskinPass)9, NULL, &place));
}

static bool isNull(const void *bytes, size_t size) {
    static const unsigned char zeros[64];
    assert_true(size <= sizeof zeros);
    return memcmp(bytes, zeros, size) == 0;
}

/* The place for the handle is filled with a pattern, and zero after the failure. */
#define NULLS(type, expected, call)                                                                                    \
    do {                                                                                                               \
        type place;                                                                                                    \
        memset(&place, PATTERN, sizeof place);                                                                         \
        GPU_VKSKIN_IS(gpu, (expected), call);                                                                          \
        assert_true(isNull(&place, sizeof place));                                                                     \
    } while (0)

GPU_TEST(failuresNullHandles) {
    Scene s = makeScene(gpu, NULL, 21, false);
    VkskinContextDef noDevice = gpuContextDef(gpu);
    noDevice.device = VK_NULL_HANDLE;
    VkskinMeshDef empty = vkskinDefaultMeshDef();
    void *data = NULL;
    NULLS(VkskinContext, VKSKIN_ERROR_NULL_ARGUMENT, vkskinCreateContext(NULL, &place));
    NULLS(VkskinContext, VKSKIN_ERROR_NULL_ARGUMENT, vkskinCreateContext(&noDevice, &place));
    NULLS(VkskinContext, VKSKIN_ERROR_DEF_NOT_INITIALISED, vkskinCreateContext(&(VkskinContextDef){0}, &place));
    NULLS(VkskinMesh, VKSKIN_ERROR_NULL_ARGUMENT, vkskinCreateMesh(NULL, &empty, &place));
    NULLS(VkskinMesh, VKSKIN_ERROR_NULL_ARGUMENT, vkskinCreateMesh(s.context, NULL, &place));
    NULLS(VkskinMesh, VKSKIN_ERROR_NULL_ARGUMENT, vkskinCreateMesh(s.context, &empty, &place));
    NULLS(VkskinInstance, VKSKIN_ERROR_NULL_ARGUMENT, instanceOf(NULL, s.mesh, &place));
    NULLS(VkskinInstance, VKSKIN_ERROR_NULL_ARGUMENT, vkskinCreateInstance(s.context, NULL, &place));
    NULLS(VkskinInstance, VKSKIN_ERROR_DEF_NOT_INITIALISED,
          vkskinCreateInstance(s.context, &(VkskinInstanceDef){.mesh = s.mesh}, &place));
    NULLS(VkskinInstance, VKSKIN_ERROR_NULL_HANDLE, instanceOf(s.context, (VkskinMesh){0}, &place));
    NULLS(VkskinPalette, VKSKIN_ERROR_FRAME_NOT_BEGUN,
          vkskinAllocatePalette(s.context, VKSKIN_PALETTE_MAT3X4, 1, &place, &data));
    GPU_VKSKIN(gpu, vkskinBeginFrame(s.context, 0));
    NULLS(VkskinPalette, VKSKIN_ERROR_INVALID_VALUE,
          vkskinAllocatePalette(s.context, VKSKIN_PALETTE_MAT3X4, 0, &place, &data));
    VkskinPalette palette;
    NULLS(void *, VKSKIN_ERROR_PALETTE_RING_FULL,
          vkskinAllocatePalette(s.context, VKSKIN_PALETTE_MAT3X4, 1u << 24, &palette, &place));
    NULLS(VkskinSkeleton, VKSKIN_ERROR_NULL_ARGUMENT, vkskinCreateSkeleton(NULL, &place));
    NULLS(VkskinClip, VKSKIN_ERROR_NULL_ARGUMENT, vkskinCreateClip(NULL, &place));
    NULLS(VkskinSkin, VKSKIN_ERROR_NULL_ARGUMENT, vkskinCreateSkin(NULL, &place));
}

/* A refused vkskinBeginFrame begins nothing: the frame before continues. */
GPU_TEST(refusedFramesBeginNothing) {
    Scene s = makeScene(gpu, NULL, 21, false);
    VkskinStats stats;
    GPU_VKSKIN(gpu, vkskinBeginFrame(s.context, 1));
    VkskinPalette palette = markerPalette(gpu, s.context, 1.0f, 2.0f);
    GPU_VKSKIN_IS(gpu, VKSKIN_ERROR_FRAME_ORDER, vkskinBeginFrame(s.context, 1));
    GPU_VKSKIN_IS(gpu, VKSKIN_ERROR_INVALID_VALUE, vkskinBeginFrame(s.context, 2));
    GPU_VKSKIN(gpu, vkskinGetStats(s.context, &stats));
    assert_int_equal(stats.frame, 1);
    assert_int_equal(stats.paletteBytes, 48);
    VkskinSkinCommand command = {.instance = s.instance, .palette = palette};
    GPU_VKSKIN(gpu, vkskinSkinInstances(s.context, NULL, 0));
    GPU_VKSKIN(gpu, vkskinSkinInstances(s.context, &command, 1));
}

GPU_TEST(outputsLieAsDocumented) {
    for (int previous = 0; previous < 2; previous++) {
        Scene s = makeScene(gpu, NULL, 21, previous != 0);
        GPU_VKSKIN(gpu, vkskinBeginFrame(s.context, 0));
        markerSkin(gpu, s.context, s.instance, 1.0f, 1.0f);
        VkskinOutput output = markerOutput(gpu, s.context, s.instance);
        VkskinOutputPage page;
        assert_true(output.page < vkskinGetOutputPageCount(s.context));
        GPU_VKSKIN(gpu, vkskinGetOutputPage(s.context, output.page, &page));
        assert_true(output.buffer == page.buffer);
        assert_int_equal(output.vertexCount, 21);
        assert_int_equal(output.positionOffset % 16, 0);
        assert_int_equal(output.attributeOffset, output.positionOffset + 256); /* 21 x 12 = 252 */
        assert_int_equal(output.attributeStride, 0);
        assert_int_equal(output.previousPositionOffset, output.positionOffset); /* the first update */
        assert_true(output.attributeOffset <= page.size);
        gpuDestroyContext(gpu, s.context);
    }
}

GPU_TEST(pagesThatAreNot) {
    Scene s = makeScene(gpu, NULL, 21, false);
    uint32_t count = vkskinGetOutputPageCount(s.context);
    VkskinOutputPage page;
    assert_int_equal(count, 1);
    LEAVES(VkskinOutputPage, VKSKIN_ERROR_INVALID_VALUE, vkskinGetOutputPage(s.context, count, &place));
    LEAVES(VkskinOutputPage, VKSKIN_ERROR_NULL_ARGUMENT, vkskinGetOutputPage(NULL, 0, &place));
    GPU_VKSKIN_IS(gpu, VKSKIN_ERROR_NULL_ARGUMENT, vkskinGetOutputPage(s.context, 0, NULL));
    GPU_VKSKIN(gpu, vkskinGetOutputPage(s.context, 0, &page));
    assert_true(page.buffer != VK_NULL_HANDLE && page.size > 0);
}

/* However long the mesh's name, and whatever it contains: a logger's line stays a line. */
GPU_TEST(messagesHaveALengthAndNoControls) {
    VkskinContext context = gpuContext(gpu, NULL);
    char name[1000];
    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = '\0';
    VkskinMeshDef def = vkskinDefaultMeshDef();
    VkskinMesh mesh;
    def.name = name;
    gpuCheckRefusal(gpu, "long", vkskinCreateMesh(context, &def, &mesh), VKSKIN_ERROR_NULL_ARGUMENT, "mesh nnn");
    assert_int_equal(strlen(gpu->log.lastText), 255);
    def.name = "a\nb\x1b"
               "c\x7f"
               "d\xc3\xa9";
    gpuCheckRefusal(gpu, "controls", vkskinCreateMesh(context, &def, &mesh), VKSKIN_ERROR_NULL_ARGUMENT,
                    "mesh a b c d\xc3\xa9: positions is null");
}

/* The first call that succeeds settles the sizes; 0 asks for none. A value that is no method reads matrices. */
GPU_TEST(kernelsAreAddedTo) {
    VkskinContext context = gpuContext(gpu, NULL);
    VkskinPipelineDef more = vkskinDefaultPipelineDef();
    assert_int_equal(more.workgroupSize, 0);
    assert_int_equal(more.instancesPerThread, 0);
    VkskinMesh mesh;
    GPU_VKSKIN(gpu, markerTryMesh(context, 3, false, &mesh));
    more.cache = gpu->cache;
    more.meshes = &mesh;
    more.meshCount = 1;
    more.methods = VKSKIN_METHOD_BIT(VKSKIN_METHOD_COUNT);
    more.workgroupSize = 32;
    gpuCheckRefusal(gpu, "no such method", vkskinCreatePipelines(context, &more), VKSKIN_ERROR_INVALID_VALUE,
                    "methods");
    more.methods = VKSKIN_METHOD_LINEAR_BLEND_BIT;
    more.workgroupSize = 64;
    more.instancesPerThread = 2;
    GPU_VKSKIN(gpu, vkskinCreatePipelines(context, &more)); /* the failed call has settled nothing */
    GPU_VKSKIN(gpu, vkskinCreatePipelines(context, &more));
    more.workgroupSize = 32;
    gpuCheckRefusal(gpu, "another group", vkskinCreatePipelines(context, &more), VKSKIN_ERROR_INVALID_VALUE,
                    "workgroupSize is 32, the kernels that exist have 64");
    more.workgroupSize = 0;
    more.instancesPerThread = 3;
    gpuCheckRefusal(gpu, "another number", vkskinCreatePipelines(context, &more), VKSKIN_ERROR_INVALID_VALUE,
                    "instancesPerThread is 3, the kernels that exist have 2");
    more.instancesPerThread = 0;
    GPU_VKSKIN(gpu, vkskinCreatePipelines(context, &more));
    assert_int_equal(vkskinMethodEncoding(VKSKIN_METHOD_COUNT), VKSKIN_PALETTE_MAT3X4);
    VkskinInstance instance = markerInstance(gpu, context, mesh);
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
    markerSkin(gpu, context, instance, 1.0f, 1.0f);
}
