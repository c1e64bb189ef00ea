/*
 * null_frames.h: frames on the null driver: a context, meshes at the origin, commands of one bone each. The functions fail
 * the test unless all calls succeed.
 */
#ifndef TESTS_NULL_FRAMES_H
#define TESTS_NULL_FRAMES_H

#include "host_doubles.h"
#include "null_driver.h"

#define PAGE_SIZE 65536u
#define FULL_PAGE 4000u /* vertices whose source data fills most of a page */

static NullDriver *driver;
static VkskinContext context;

static inline void makeContext(VkskinContextDef def) {
    VkskinPipelineDef pipelines = vkskinDefaultPipelineDef();
    def.memory.firstPageSize = PAGE_SIZE;
    def.memory.pageSize = PAGE_SIZE;
    def.memory.paletteBytesPerFrame = 4096;
    def.memory.maxInstances = 16;
    OK(vkskinCreateContext(&def, &context));
    OK(vkskinCreatePipelines(context, &pipelines));
}

/* settings: null for the default ones. */
static inline VkskinContextDef makeDriver(const NullDriverSettings *settings) {
    driver = nullDriverCreate(settings);
    return nullDriverContextDef(driver);
}

static inline void endContext(void) {
    vkskinDestroyContext(context);
    assert_string_equal(nullDriverFirstFault(driver), "");
    assert_int_equal(nullDriverDestroy(driver), 0);
    driver = NULL;
}

static inline int makePlain(__attribute__((unused)) void **state) {
    makeContext(makeDriver(NULL));
    return 0;
}

static inline int tearDown(__attribute__((unused)) void **state) {
    if (driver != NULL) {
        endContext();
    }
    return 0;
}

/* With a context of default settings; without a context. */
#define PLAIN_TEST(name) TEST_WITH(name, makePlain, tearDown)
#define FRAME_TEST(name) TEST_WITH(name, NULL, tearDown)

static inline void beginFrame(uint32_t slot) {
    OK(vkskinBeginFrame(context, slot));
}

static inline void cancelFrame(VkCommandBuffer commands) {
    nullDriverDrop(commands);
    OK(vkskinCancelFrame(context));
}

/* A mesh with one bone and all positions at the origin. */
static inline VkskinResult tryMesh(uint32_t vertexCount, VkskinMesh *mesh) {
    static const float zeros[2 * FULL_PAGE][3];
    static const uint16_t joints[2 * FULL_PAGE];
    static float ones[2 * FULL_PAGE];
    for (uint32_t i = 0; i < vertexCount; i++) {
        ones[i] = 1.0f;
    }
    VkskinMeshDef def = meshDefOf(vertexCount, 1, 1, zeros[0], joints, ones);
    return vkskinCreateMesh(context, &def, mesh);
}

static inline VkskinMesh makeMesh(uint32_t vertexCount) {
    VkskinMesh mesh;
    OK(tryMesh(vertexCount, &mesh));
    return mesh;
}

static inline VkskinInstance makeInstance(VkskinMesh mesh) {
    VkskinInstance instance;
    OK(vkskinCreateInstances(context, mesh, 1, &instance));
    return instance;
}

static inline VkskinPalette makePalette(VkskinPaletteEncoding encoding) {
    VkskinPalette palette;
    void *data = NULL;
    OK(vkskinAllocatePalette(context, encoding, 1, &palette, &data));
    memset(data, 0, vkskinPaletteStride(encoding));
    return palette;
}

static inline void skin(VkskinInstance instance) {
    const VkskinSkinCommand command = {.instance = instance, .palette = makePalette(VKSKIN_PALETTE_MAT3X4)};
    OK(vkskinSkinInstances(context, &command, 1, NULL));
}

/* Records in a command buffer of its own. Runs the commands, or drops them where an error is expected. */
static inline void record(VkskinResult (*call)(VkskinContext context, VkCommandBuffer commands),
                          VkskinResult expected) {
    VkCommandBuffer commands = nullDriverBegin(driver);
    RETURNS(expected, call(context, commands));
    if (expected == VKSKIN_SUCCESS) {
        nullDriverRun(commands);
    } else {
        nullDriverDrop(commands);
    }
}

static inline void recordSkinning(void) {
    record(vkskinRecordSkinning, VKSKIN_SUCCESS);
}

static inline VkskinStats statsOf(void) {
    VkskinStats stats;
    OK(vkskinGetStats(context, &stats));
    return stats;
}

static inline VkskinOutput outputOf(VkskinInstance instance) {
    VkskinOutput output;
    OK(vkskinGetOutput(context, instance, &output));
    return output;
}

#endif
