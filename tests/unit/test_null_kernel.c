/*
 * The library on the pretended driver: it finds no fault, its kernels skin by every method and encoding, and wrong work
 * of theirs is told.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "instance_of.h"
#include "null_driver.h"
#include "vkskin/vkskin_pose.h"

#define VERTICES  100u
#define BONES     7u
#define MOST      6u /* influences of a vertex */
#define INSTANCES 10u
#define FRAMES    5u

/* A method, an encoding that it reads, and how. */
typedef struct Way {
    VkskinMethod method;
    VkskinPaletteEncoding encoding;
    VkskinPaletteBinding binding;
} Way;

static const Way matrices = {VKSKIN_METHOD_LINEAR_BLEND, VKSKIN_PALETTE_MAT3X4, VKSKIN_PALETTE_BINDING_STORAGE};
static const Way texels = {VKSKIN_METHOD_LINEAR_BLEND, VKSKIN_PALETTE_MAT3X4, VKSKIN_PALETTE_BINDING_TEXELS};

static uint32_t dimensionsOf(Way way) {
    return way.encoding == VKSKIN_PALETTE_MAT2X3 ? 2 : 3;
}

/* Vertex i hangs on as many bones, in shares of 1 : 2 : 4 and so on, from bone i up. */
static uint32_t influencesOf(uint32_t vertex) {
    return 1 + vertex % MOST;
}

static float weightOf(uint32_t vertex, uint32_t influence) {
    return (float)(1u << influence) / (float)((1u << influencesOf(vertex)) - 1u);
}

static uint32_t jointOf(uint32_t vertex, uint32_t influence) {
    return (vertex + influence) % BONES;
}

/* Two targets: the first moves every third vertex by (1, 0) before the bones, the second all by (0, 1) after them. */
static const float morphWeights[2] = {3.0f, 5.0f};
#define MORPHS 2u

typedef struct MeshData {
    float positions[VERTICES][3];
    float normals[VERTICES][3];
    float tangents[VERTICES][4];
    uint16_t joints[VERTICES][MOST];
    float weights[VERTICES][MOST];
    float blend[VERTICES];
    uint32_t thirds[VERTICES];
    float before[VERTICES][3];
    float after[VERTICES][3];
} MeshData;

static void fillVertex(MeshData *data, uint32_t i) {
    const float position[3] = {(float)i, 1.0f, -2.0f};
    const float tangent[4] = {1.0f, 0.0f, 0.0f, 1.0f};
    memcpy(data->positions[i], position, sizeof position);
    memcpy(data->tangents[i], tangent, sizeof tangent);
    data->normals[i][2] = 1.0f;
    data->blend[i] = 0.25f;
    for (uint32_t k = 0; k < influencesOf(i); k++) {
        data->joints[i][k] = (uint16_t)jointOf(i, k);
        data->weights[i][k] = weightOf(i, k);
    }
}

/* Tightly packed in the mesh's dimensions. */
static void fillMorphs(MeshData *data, uint32_t dimensions, VkskinMorphTarget targets[2]) {
    float *before = data->before[0];
    float *after = data->after[0];
    for (uint32_t i = 0; i < VERTICES; i++) {
        data->thirds[i] = 3 * i;
        before[(size_t)i * dimensions] = 1.0f;
        after[(size_t)i * dimensions + 1] = 1.0f;
    }
    targets[0] = (VkskinMorphTarget){.vertexCount = (VERTICES + 2) / 3, .vertices = data->thirds, .positions = before};
    targets[1] = (VkskinMorphTarget){.vertexCount = VERTICES, .positions = after, .afterSkinning = true};
    if (dimensions == 3) {
        targets[0].normals = before;
        targets[0].tangents = before;
        targets[1].normals = after;
    }
}

static void computeCentres(const MeshData *data, void *centres, size_t size) {
    static const uint32_t triangle[3] = {4, 5, 10};
    VkskinSurfaceDef surface = vkskinDefaultSurfaceDef();
    surface.vertexCount = VERTICES;
    surface.boneCount = BONES;
    surface.positions = data->positions[0];
    surface.influencesPerVertex = MOST;
    surface.joints = data->joints;
    surface.weights = data->weights[0];
    surface.indexCount = 3;
    surface.indices = triangle;
    assert_int_equal(vkskinComputeCentres(&surface, centres, size), VKSKIN_SUCCESS);
}

static VkskinResult makeMesh(VkskinContext context, Way way, VkskinVertexFormat format, VkskinMesh *mesh) {
    MeshData data = {0};
    for (uint32_t i = 0; i < VERTICES; i++) {
        fillVertex(&data, i);
    }
    VkskinMorphTarget targets[2];
    fillMorphs(&data, dimensionsOf(way), targets);
    VkskinMeshDef def = vkskinDefaultMeshDef();
    def.vertexCount = VERTICES;
    def.boneCount = BONES;
    def.dimensions = dimensionsOf(way);
    def.positions = data.positions[0];
    def.positionStride = sizeof data.positions[0];
    def.influencesPerVertex = MOST;
    def.joints = data.joints;
    def.weights = data.weights[0];
    def.format = format;
    def.morphTargets = targets;
    def.morphTargetCount = 2;
    def.previousPositions = true;
    unsigned char centres[32 + 12 * VERTICES];
    if (def.dimensions == 3) {
        computeCentres(&data, centres, sizeof centres);
        def.normals = data.normals[0];
        def.tangents = data.tangents[0];
        def.blendWeights = data.blend;
        def.centres = centres;
        def.centresSize = sizeof centres;
    }
    return vkskinCreateMesh(context, &def, mesh);
}

/* Bone b turns (x, y) to (-y, x), doubles it, and moves it by (b, 10 b, shift). */
static VkskinAffine boneOf(uint32_t bone, float shift) {
    float x = (float)bone;
    return (VkskinAffine){{{0, -2, 0, x}, {2, 0, 0, 10 * x}, {0, 0, 2, shift}}};
}

static void writePalette(VkskinPaletteEncoding encoding, float shift, void *data) {
    VkskinSkinDef def = vkskinDefaultSkinDef();
    const uint32_t nodes[BONES] = {0, 1, 2, 3, 4, 5, 6};
    VkskinAffine world[BONES];
    for (uint32_t b = 0; b < BONES; b++) {
        world[b] = boneOf(b, shift);
    }
    def.nodeCount = BONES;
    def.boneCount = BONES;
    def.boneNodes = nodes;
    VkskinSkin skin = NULL;
    assert_int_equal(vkskinCreateSkin(&def, &skin), VKSKIN_SUCCESS);
    assert_true(vkskinWritePalette(skin, world, BONES, encoding, data, BONES) >= 0);
    vkskinDestroySkin(skin);
    bool dual = encoding == VKSKIN_PALETTE_DUAL_QUATERNION || encoding == VKSKIN_PALETTE_SCALED_DUAL_QUATERNION;
    for (uint32_t b = 1; dual && b < BONES; b += 2) {
        float *entry = (float *)data + (size_t)b * vkskinPaletteStride(encoding) / sizeof(float);
        for (uint32_t i = 0; i < 8; i++) {
            entry[i] = -entry[i]; /* the same motion */
        }
    }
}

static void expect(Way way, uint32_t vertex, float shift, uint32_t morphs, float position[3]) {
    float scale = way.encoding == VKSKIN_PALETTE_DUAL_QUATERNION ? 1.0f : 2.0f;
    float x = (float)vertex + (vertex % 3 == 0 && morphs > 0 ? morphWeights[0] : 0.0f);
    float bone = 0.0f;
    for (uint32_t i = 0; i < influencesOf(vertex); i++) {
        bone += weightOf(vertex, i) * (float)jointOf(vertex, i);
    }
    position[0] = bone - scale;
    position[1] = 10.0f * bone + scale * x + (morphs > 1 ? morphWeights[1] : 0.0f);
    position[2] = shift - 2.0f * scale;
}

static void checkPositions(NullDriver *driver, const VkskinOutput *output, Way way, float shift, uint32_t morphs) {
    const unsigned char *bytes = nullDriverContents(driver, output->buffer);
    uint32_t dimensions = dimensionsOf(way);
    assert_non_null(bytes);
    for (uint32_t i = 0; i < VERTICES; i++) {
        float expected[3];
        float position[3];
        expect(way, i, shift, morphs, expected);
        memcpy(position, bytes + output->positionOffset + (size_t)4 * dimensions * i, 4 * (size_t)dimensions);
        for (uint32_t k = 0; k < dimensions; k++) {
            /* Halves and rounded rotations: the mesh is a hundred long. */
            assert_float_equal(position[k], expected[k], 0.05f);
        }
    }
}

typedef struct Scene {
    NullDriver *driver;
    VkskinContext context;
    Way way;
    VkskinMesh mesh;
    VkskinInstance instances[INSTANCES];
    VkCommandBuffer pending[2]; /* of the frame in each slot, or null */
} Scene;

static Scene makeScene(const NullDriverSettings *settings, const VkskinVulkanFunctions *functions, Way way,
                       VkskinVertexFormat format) {
    Scene scene = {.driver = nullDriverCreate(settings), .way = way};
    VkskinContextDef def = nullDriverContextDef(scene.driver);
    def.functions = functions != NULL ? functions : def.functions;
    def.debugUtils = true;
    def.pageSize = 131072;
    def.paletteBytesPerFrame = 8192;
    def.maxInstances = 64;
    def.maxMorphWeights = 64;
    def.paletteBinding = way.binding;
    assert_int_equal(vkskinCreateContext(&def, &scene.context), VKSKIN_SUCCESS);
    assert_int_equal(makeMesh(scene.context, way, format, &scene.mesh), VKSKIN_SUCCESS);
    VkskinPipelineDef pipelines = vkskinDefaultPipelineDef();
    pipelines.methods = VKSKIN_METHOD_BIT(way.method);
    pipelines.encodings = VKSKIN_PALETTE_BIT(way.encoding);
    pipelines.meshes = &scene.mesh;
    pipelines.meshCount = 1;
    assert_int_equal(vkskinCreatePipelines(scene.context, &pipelines), VKSKIN_SUCCESS);
    for (uint32_t i = 0; i < INSTANCES; i++) {
        assert_int_equal(instanceOf(scene.context, scene.mesh, &scene.instances[i]), VKSKIN_SUCCESS);
    }
    return scene;
}

/* How many of the targets have a weight in a frame of an instance: none, the first, or both. */
static uint32_t morphsOf(uint32_t instance) {
    return instance % (MORPHS + 1);
}

/* One frame of all instances, each by a palette of its own; run when its slot comes again, or at the end. */
static void recordFrame(Scene *scene, uint32_t frame) {
    uint32_t slot = frame % 2;
    if (scene->pending[slot] != NULL) {
        nullDriverRun(scene->pending[slot]);
    }
    assert_int_equal(vkskinBeginFrame(scene->context, slot), VKSKIN_SUCCESS);
    for (uint32_t i = 0; i < INSTANCES; i++) {
        VkskinSkinCommand command = {.instance = scene->instances[i],
                                     .method = scene->way.method,
                                     .morphWeights = morphWeights,
                                     .morphWeightCount = morphsOf(i)};
        void *data = NULL;
        assert_int_equal(vkskinAllocatePalette(scene->context, scene->way.encoding, BONES, &command.palette, &data),
                         VKSKIN_SUCCESS);
        writePalette(scene->way.encoding, (float)(frame * INSTANCES + i), data);
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

/* Five classes of vertices, for instances with morph weights and without. */
#define DISPATCHES 10u

static void skin(NullDriverLayout layout, Way way, VkskinVertexFormat format) {
    NullDriverSettings settings = nullDriverDefaultSettings();
    settings.memory = nullDriverMemory(layout, true, 16u << 20);
    Scene scene = makeScene(&settings, NULL, way, format);
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        recordFrame(&scene, frame);
    }
    finishFrames(&scene, FRAMES);
    assert_string_equal(nullDriverFirstFault(scene.driver), "");
    assert_int_equal(nullDriverFaults(scene.driver), 0);
    for (uint32_t i = 0; i < INSTANCES; i++) {
        VkskinOutput output;
        assert_int_equal(vkskinGetOutput(scene.context, scene.instances[i], &output), VKSKIN_SUCCESS);
        checkPositions(scene.driver, &output, way, (float)((FRAMES - 1) * INSTANCES + i), morphsOf(i));
    }
    assert_int_equal(nullDriverDispatches(scene.driver), FRAMES * DISPATCHES);
    assert_int_equal(nullDriverCopies(scene.driver), 1 + (layout == NULL_DRIVER_STAGED ? FRAMES : 0));
    destroyScene(&scene);
}

static void everyWaySkins(void **state) {
    (void)state;
    uint32_t ways = 0;
    for (uint32_t i = 0; i < 2 * VKSKIN_METHOD_COUNT * VKSKIN_PALETTE_ENCODING_COUNT; i++) {
        Way way = {(VkskinMethod)(i / 2 / VKSKIN_PALETTE_ENCODING_COUNT),
                   (VkskinPaletteEncoding)(i / 2 % VKSKIN_PALETTE_ENCODING_COUNT),
                   i % 2 == 0 ? VKSKIN_PALETTE_BINDING_STORAGE : VKSKIN_PALETTE_BINDING_TEXELS};
        if (vkskinMethodReads(way.method, way.encoding)) {
            skin(NULL_DRIVER_ALL_TYPES, way, VKSKIN_VERTEX_PACKED);
            skin(NULL_DRIVER_STAGED, way, VKSKIN_VERTEX_FLOAT);
            ways++;
        }
    }
    assert_int_equal(ways, 2 * 9);
    skin(NULL_DRIVER_UNIFIED, matrices, VKSKIN_VERTEX_PACKED);
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

/* Shows a piece of what the library shows: that write of a storage buffer, or that view, is cut to 64 bytes. */
static uint32_t cutWrite, writes, cutView, views;

static void VKAPI_CALL cutDescriptor(VkDevice device, uint32_t count, const VkWriteDescriptorSet *given,
                                     uint32_t copyCount, const VkCopyDescriptorSet *copies) {
    assert_int_equal(count, 1);
    if (given->descriptorType == VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER) {
        nullDriverFunctions()->vkUpdateDescriptorSets(device, 1, given, copyCount, copies);
        return;
    }
    VkDescriptorBufferInfo range = given->pBufferInfo[0];
    VkWriteDescriptorSet write = *given;
    write.pBufferInfo = &range;
    if (writes++ == cutWrite) {
        range.range = 64;
    }
    nullDriverFunctions()->vkUpdateDescriptorSets(device, 1, &write, copyCount, copies);
}

static VkResult VKAPI_CALL cutTexels(VkDevice device, const VkBufferViewCreateInfo *given,
                                     const VkAllocationCallbacks *allocator, VkBufferView *view) {
    VkBufferViewCreateInfo info = *given;
    info.range = views++ == cutView ? 64 : given->range;
    return nullDriverFunctions()->vkCreateBufferView(device, &info, allocator, view);
}

static void checkSpoiled(Way way, const char *fault) {
    VkskinVulkanFunctions functions = *nullDriverFunctions();
    functions.vkCmdPushConstants = spoilPushConstants;
    functions.vkUpdateDescriptorSets = cutDescriptor;
    functions.vkCreateBufferView = cutTexels;
    writes = 0;
    views = 0;
    Scene scene = makeScene(NULL, &functions, way, VKSKIN_VERTEX_PACKED);
    recordFrame(&scene, 0);
    recordFrame(&scene, 1);
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
    cutView = UINT32_MAX;
    const struct {
        uint32_t words[4];
        const char *fault;
    } cases[] = {
        {{1000000, 0, 0, 0}, "word 1000000 of the table page, where 1600 are bound"},
        {{0, 0, 1000000, 0}, "of the table page, where 1600 are bound"},
        {{0, 0, 0, 1}, "1 groups of 2 that have work"},
        {{100, 0, 0, 0}, "a job of no instances or no vertices"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        memcpy(spoiled, cases[i].words, sizeof spoiled);
        checkSpoiled(matrices, cases[i].fault);
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
    cutView = UINT32_MAX;
    for (uint32_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        cutWrite = i;
        checkSpoiled(matrices, faults[i]);
    }
    cutWrite = UINT32_MAX;
    for (cutView = 0; cutView < 2; cutView++) {
        checkSpoiled(texels, "of the palette texel page, where 16 are bound");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everyWaySkins),
        cmocka_unit_test(spoiledTablesAreTold),
        cmocka_unit_test(narrowDescriptorsAreTold),
    };
    return cmocka_run_group_tests_name("null kernel", tests, NULL, NULL);
}
