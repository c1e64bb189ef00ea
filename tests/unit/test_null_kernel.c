/*
 * The library on the pretended driver: it finds no fault, its kernels skin, and wrong work of theirs is told.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "instance_of.h"
#include "null_driver.h"

#define VERTICES  100u
#define BONES     3u
#define INSTANCES 10u
#define FRAMES    7u

static VkskinResult makeMesh(VkskinContext context, VkskinVertexFormat format, VkskinMesh *mesh) {
    float positions[VERTICES][3];
    float normals[VERTICES][3];
    float tangents[VERTICES][4];
    uint16_t joints[VERTICES][2];
    float weights[VERTICES][2];
    for (uint32_t i = 0; i < VERTICES; i++) {
        positions[i][0] = (float)i;
        positions[i][1] = 1.0f;
        positions[i][2] = -2.0f;
        normals[i][0] = 0.0f;
        normals[i][1] = 0.0f;
        normals[i][2] = 1.0f;
        tangents[i][0] = 1.0f;
        tangents[i][1] = tangents[i][2] = 0.0f;
        tangents[i][3] = 1.0f;
        joints[i][0] = (uint16_t)(i % BONES);
        joints[i][1] = (uint16_t)((i + 1) % BONES);
        weights[i][0] = 0.75f;
        weights[i][1] = 0.25f;
    }
    VkskinMeshDef def = vkskinDefaultMeshDef();
    def.vertexCount = VERTICES;
    def.boneCount = BONES;
    def.positions = positions[0];
    def.normals = normals[0];
    def.tangents = tangents[0];
    def.influencesPerVertex = 2;
    def.joints = joints;
    def.weights = weights[0];
    def.format = format;
    def.previousPositions = true;
    return vkskinCreateMesh(context, &def, mesh);
}

/* Bone b moves by (b, 10 b, shift): both encodings say so. */
static void writePalette(VkskinMethod method, float shift, float *data) {
    for (uint32_t b = 0; b < BONES; b++) {
        float x = (float)b;
        const float matrix[12] = {1, 0, 0, x, 0, 1, 0, 10 * x, 0, 0, 1, shift};
        const float pair[8] = {0, 0, 0, 1, x / 2, 5 * x, shift / 2, 0};
        if (method == VKSKIN_METHOD_LINEAR_BLEND) {
            memcpy(data + (size_t)12 * b, matrix, sizeof matrix);
        } else {
            memcpy(data + (size_t)8 * b, pair, sizeof pair);
        }
    }
}

static void checkPositions(NullDriver *driver, const VkskinOutput *output, float shift) {
    const unsigned char *bytes = nullDriverContents(driver, output->buffer);
    assert_non_null(bytes);
    for (uint32_t i = 0; i < VERTICES; i++) {
        float position[3];
        memcpy(position, bytes + output->positionOffset + (size_t)12 * i, sizeof position);
        float bone = 0.75f * (float)(i % BONES) + 0.25f * (float)((i + 1) % BONES);
        assert_float_equal(position[0], (float)i + bone, 1e-4f);
        assert_float_equal(position[1], 1.0f + 10.0f * bone, 1e-4f);
        assert_float_equal(position[2], -2.0f + shift, 1e-4f);
    }
}

typedef struct Scene {
    NullDriver *driver;
    VkskinContext context;
    VkskinMesh mesh;
    VkskinInstance instances[INSTANCES];
    VkCommandBuffer pending[2]; /* of the frame in each slot, or null */
} Scene;

static Scene makeScene(const NullDriverSettings *settings, const VkskinVulkanFunctions *functions,
                       VkskinVertexFormat format) {
    Scene scene = {.driver = nullDriverCreate(settings)};
    VkskinContextDef def = nullDriverContextDef(scene.driver);
    def.functions = functions != NULL ? functions : def.functions;
    def.debugUtils = true;
    def.pageSize = 131072;
    def.paletteBytesPerFrame = 4096;
    def.maxInstances = 64;
    assert_int_equal(vkskinCreateContext(&def, &scene.context), VKSKIN_SUCCESS);
    VkskinPipelineDef pipelines = vkskinDefaultPipelineDef();
    pipelines.methods = 3;
    pipelines.formats = 3;
    assert_int_equal(vkskinCreatePipelines(scene.context, &pipelines), VKSKIN_SUCCESS);
    assert_int_equal(makeMesh(scene.context, format, &scene.mesh), VKSKIN_SUCCESS);
    for (uint32_t i = 0; i < INSTANCES; i++) {
        assert_int_equal(instanceOf(scene.context, scene.mesh, &scene.instances[i]), VKSKIN_SUCCESS);
    }
    return scene;
}

/* One frame of all instances, each by a palette of its own; run when its slot comes again, or at the end. */
static void recordFrame(Scene *scene, VkskinMethod method, uint32_t frame) {
    uint32_t slot = frame % 2;
    if (scene->pending[slot] != NULL) {
        nullDriverRun(scene->pending[slot]);
    }
    assert_int_equal(vkskinBeginFrame(scene->context, slot), VKSKIN_SUCCESS);
    for (uint32_t i = 0; i < INSTANCES; i++) {
        VkskinSkinCommand command = {.instance = scene->instances[i], .method = method};
        void *data = NULL;
        assert_int_equal(
            vkskinAllocatePalette(scene->context, vkskinMethodEncoding(method), BONES, &command.palette, &data),
            VKSKIN_SUCCESS);
        writePalette(method, (float)(frame * INSTANCES + i), data);
        assert_int_equal(vkskinSkinInstances(scene->context, &command, 1), VKSKIN_SUCCESS);
    }
    scene->pending[slot] = nullDriverBegin(scene->driver);
    assert_int_equal(vkskinRecordSkinning(scene->context, scene->pending[slot]), VKSKIN_SUCCESS);
}

static void finishFrames(Scene *scene, uint32_t frames) {
    for (uint32_t i = frames; i < frames + 2; i++) {
        nullDriverRun(scene->pending[i % 2]);
        scene->pending[i % 2] = NULL;
    }
}

static void destroyScene(Scene *scene) {
    vkskinDestroyContext(scene->context);
    assert_int_equal(nullDriverAlive(scene->driver), 0);
    assert_int_equal(nullDriverBytesAlive(scene->driver), 0);
    assert_int_equal(nullDriverDestroy(scene->driver), 0);
}

static void skin(NullDriverLayout layout, VkskinMethod method, VkskinVertexFormat format) {
    NullDriverSettings settings = nullDriverDefaultSettings();
    settings.memory = nullDriverMemory(layout, true, 16u << 20);
    Scene scene = makeScene(&settings, NULL, format);
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        recordFrame(&scene, method, frame);
    }
    finishFrames(&scene, FRAMES);
    for (uint32_t i = 0; i < INSTANCES; i++) {
        VkskinOutput output;
        assert_int_equal(vkskinGetOutput(scene.context, scene.instances[i], &output), VKSKIN_SUCCESS);
        checkPositions(scene.driver, &output, (float)((FRAMES - 1) * INSTANCES + i));
    }
    assert_string_equal(nullDriverFirstFault(scene.driver), "");
    assert_int_equal(nullDriverFaults(scene.driver), 0);
    assert_int_equal(nullDriverDispatches(scene.driver), FRAMES);
    assert_int_equal(nullDriverCopies(scene.driver), 1 + (layout == NULL_DRIVER_STAGED ? FRAMES : 0));
    destroyScene(&scene);
}

static void theLibraryFindsNoFault(void **state) {
    (void)state;
    for (uint32_t layout = NULL_DRIVER_ALL_TYPES; layout <= NULL_DRIVER_UNIFIED; layout++) {
        for (uint32_t method = 0; method < VKSKIN_METHOD_COUNT; method++) {
            for (uint32_t format = 0; format < VKSKIN_VERTEX_FORMAT_COUNT; format++) {
                skin((NullDriverLayout)layout, (VkskinMethod)method, (VkskinVertexFormat)format);
            }
        }
    }
}

/* ---- Wrong work ---- */

/* Words to add to the push constants of every dispatch: jobs, jobCount, instances, groupCount. */
static uint32_t spoiled[4];

static void VKAPI_CALL spoilPushConstants(VkCommandBuffer commandBuffer, VkPipelineLayout layout,
                                          VkShaderStageFlags stages, uint32_t offset, uint32_t size,
                                          const void *values) {
    uint32_t words[4];
    assert_int_equal(size, sizeof words);
    memcpy(words, values, sizeof words);
    for (uint32_t i = 0; i < 4; i++) {
        words[i] += spoiled[i];
    }
    nullDriverFunctions()->vkCmdPushConstants(commandBuffer, layout, stages, offset, size, words);
}

/* Shows a piece of what the library shows: `set`-th write is cut to 64 bytes. */
static uint32_t cutWrite, writes;

static void VKAPI_CALL cutDescriptor(VkDevice device, uint32_t count, const VkWriteDescriptorSet *given,
                                     uint32_t copyCount, const VkCopyDescriptorSet *copies) {
    assert_int_equal(count, 1);
    VkDescriptorBufferInfo range = given->pBufferInfo[0];
    VkWriteDescriptorSet write = *given;
    write.pBufferInfo = &range;
    if (writes++ == cutWrite) {
        range.range = 64;
    }
    nullDriverFunctions()->vkUpdateDescriptorSets(device, 1, &write, copyCount, copies);
}

static void checkSpoiled(const char *fault) {
    VkskinVulkanFunctions functions = *nullDriverFunctions();
    functions.vkCmdPushConstants = spoilPushConstants;
    functions.vkUpdateDescriptorSets = cutDescriptor;
    writes = 0;
    Scene scene = makeScene(NULL, &functions, VKSKIN_VERTEX_PACKED);
    recordFrame(&scene, VKSKIN_METHOD_LINEAR_BLEND, 0);
    recordFrame(&scene, VKSKIN_METHOD_LINEAR_BLEND, 1);
    assert_int_equal(nullDriverFaults(scene.driver), 0);
    finishFrames(&scene, 2);
    if (nullDriverFaults(scene.driver) == 0 || strstr(nullDriverFirstFault(scene.driver), fault) == NULL) {
        fail_msg("expected '%s', got '%s'", fault, nullDriverFirstFault(scene.driver));
    }
    destroyScene(&scene);
}

static void spoiledTablesAreTold(void **state) {
    (void)state;
    cutWrite = UINT32_MAX;
    const struct {
        uint32_t words[4];
        const char *fault;
    } cases[] = {
        {{1000000, 0, 0, 0}, "word 1000000 of the table page, where 704 are bound"},
        {{0, 0, 1000000, 0}, "of the table page, where 704 are bound"},
        {{0, 0, 0, 1}, "5 groups of 6 that have work"},
        {{100, 0, 0, 0}, "a job of no vertices"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        memcpy(spoiled, cases[i].words, sizeof spoiled);
        checkSpoiled(cases[i].fault);
    }
    memset(spoiled, 0, sizeof spoiled);
}

/* Sets are written in the order of their making: two palette pages, two tables, the mesh page, three output planes. */
static void narrowDescriptorsAreTold(void **state) {
    (void)state;
    static const char *const faults[] = {
        "of the palette page, where 16 are bound", "of the palette page, where 16 are bound",
        "of the table page, where 16 are bound",   "of the table page, where 16 are bound",
        "of the mesh page, where 16 are bound",    "of the output page, where 16 are bound",
    };
    for (uint32_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        cutWrite = i;
        checkSpoiled(faults[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(theLibraryFindsNoFault),
        cmocka_unit_test(spoiledTablesAreTold),
        cmocka_unit_test(narrowDescriptorsAreTold),
    };
    return cmocka_run_group_tests_name("null kernel", tests, NULL, NULL);
}
