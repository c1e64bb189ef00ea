#include "null_scene.h"

#define MAX_VERTICES 2000u
#define MORPHS       2u

/* ---- Checks ---- */

static Counter failures;

bool checkThat(bool condition, const char *text, const char *file, int line) {
    if (!condition && counterAdd(&failures, 1) < 10) {
        fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, text);
    }
    return condition;
}

uint32_t failedChecks(void) {
    return (uint32_t)atomic_exchange_explicit(&failures, 0, memory_order_relaxed);
}

/* ---- Contexts ---- */

static void countMessage(void *user, VkskinResult result, const char *message) {
    (void)result;
    (void)message;
    counterAdd(user, 1);
}

void stageOpen(Stage *stage, NullDriverLayout layout, bool coherent) {
    NullDriverSettings settings = nullDriverDefaultSettings();
    settings.memory = nullDriverMemory(layout, coherent, 64u << 20);
    settings.translates = true;
    memset(stage, 0, sizeof *stage);
    stage->driver = nullDriverCreate(&settings);
    stage->functions = *nullDriverFunctions();
}

VkskinContextDef stageContextDef(Stage *stage) {
    VkskinContextDef def = nullDriverContextDef(stage->driver);
    def.functions = &stage->functions;
    def.logger = (VkskinLogger){countMessage, &stage->messages};
    def.memory.pageSize = 65536;
    def.memory.paletteBytesPerFrame = 2 * 65536;
    def.memory.maxInstances = 256;
    return def;
}

VkskinContext stageContext(Stage *stage, const VkskinContextDef *def) {
    VkAllocationCallbacks callbacks = hostMemoryCallbacks(&stage->hostMemory);
    VkskinContextDef counted = *def;
    counted.allocator = &callbacks;
    VkskinContext context = NULL;
    if (!CHECK_GOOD(vkskinCreateContext(&counted, &context))) {
        return NULL;
    }
    VkskinPipelineDef pipelines = vkskinDefaultPipelineDef();
    pipelines.features = VKSKIN_KERNEL_MORPHS_BIT;
    CHECK_GOOD(vkskinCreatePipelines(context, &pipelines));
    return context;
}

void stageCreate(Stage *stage, const VkskinContextDef *def) {
    stage->context = stageContext(stage, def);
    assert_non_null(stage->context);
}

void stageClose(Stage *stage, uint64_t messages) {
    vkskinDestroyContext(stage->context);
    assert_int_equal(counterRead(&stage->messages), messages);
    assert_string_equal(nullDriverFirstFault(stage->driver), "");
    assert_int_equal(nullDriverDestroy(stage->driver), 0);
    assert_int_equal(counterRead(&stage->hostMemory.blocks), 0);
    assert_int_equal(failedChecks(), 0);
}

/* ---- Meshes ---- */

uint32_t stageVertexCount(uint32_t size) {
    return size < STAGE_MAX_SIZE ? 30 + 10 * size : MAX_VERTICES;
}

VkskinResult stageMesh(VkskinContext context, uint32_t size, VkskinMesh *mesh) {
    return meshCreate(context, (MeshSpec){stageVertexCount(size), STAGE_BONES, .morphs = MORPHS}, mesh);
}

VkskinMesh stageInstances(VkskinContext context, uint32_t size, VkskinInstance *instances, uint32_t count) {
    VkskinMesh mesh = {0};
    CHECK_GOOD(stageMesh(context, size, &mesh));
    for (uint32_t i = 0; i < count; i++) {
        CHECK_GOOD(vkskinCreateInstances(context, mesh, 1, &instances[i]));
    }
    return mesh;
}

void stageLoadAndDestroy(VkskinContext context, uint32_t size) {
    VkskinInstance instance;
    VkskinMesh mesh = stageInstances(context, size, &instance, 1);
    CHECK_GOOD(vkskinDestroyInstance(context, instance));
    CHECK_GOOD(vkskinDestroyMesh(context, mesh));
}

VkskinResult stageSkin(VkskinContext context, VkskinInstance instance, float shift) {
    static const float morphWeights[MORPHS] = {1.0f, 2.0f};
    bool morphed = (uint32_t)shift % 2 == 1;
    VkskinSkinCommand command = {.instance = instance,
                                 .method = VKSKIN_METHOD_LINEAR_BLEND,
                                 .morphWeights = morphWeights,
                                 .morphWeightCount = morphed ? MORPHS : 0};
    void *data = NULL;
    VkskinResult result = vkskinAllocatePalette(context, VKSKIN_PALETTE_MAT3X4, STAGE_BONES, &command.palette, &data);
    for (uint32_t b = 0; result >= 0 && b < STAGE_BONES; b++) {
        float lift = morphed ? shift - morphWeights[0] - morphWeights[1] : shift;
        const float matrix[12] = {1, 0, 0, 1, 0, 1, 0, 10, 0, 0, 1, lift};
        memcpy((float *)data + (size_t)12 * b, matrix, sizeof matrix);
    }
    return result < 0 ? result : vkskinSkinInstances(context, &command, 1, NULL);
}

void stageRecordAndRun(Stage *stage) {
    VkCommandBuffer commandBuffer = nullDriverBegin(stage->driver);
    CHECK_GOOD(vkskinRecordSkinning(stage->context, commandBuffer));
    nullDriverRun(commandBuffer);
}

bool stageIsRight(NullDriver *driver, const VkskinOutput *output, float shift) {
    const unsigned char *bytes = nullDriverContents(driver, output->buffer);
    bool right = bytes != NULL;
    for (uint32_t i = 0; right && i < output->vertexCount; i++) {
        float position[3];
        memcpy(position, bytes + output->positionOffset + (size_t)12 * i, sizeof position);
        right = fabsf(position[0] - ((float)i + 1.0f)) < 1e-3f && fabsf(position[1] - 10.0f) < 1e-3f &&
                fabsf(position[2] - shift) < 1e-3f;
    }
    return right;
}

void stageCheckInstance(NullDriver *driver, VkskinContext context, VkskinInstance instance, float shift) {
    VkskinOutput output;
    CHECK(vkskinGetOutput(context, instance, &output) == VKSKIN_SUCCESS && stageIsRight(driver, &output, shift));
}
