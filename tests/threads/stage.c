#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stage.h"

#define STAGE_MAX_VERTICES 2000u
#define STAGE_MORPHS       2u

NullDriver *stageDriver(NullDriverLayout layout, bool coherent) {
    NullDriverSettings settings = nullDriverDefaultSettings();
    settings.memory = nullDriverMemory(layout, coherent, 64u << 20);
    return nullDriverCreate(&settings);
}

static void countMessage(void *user, VkskinResult result, const char *message) {
    (void)result;
    (void)message;
    StageCounts *counts = user;
    crewAdd(&counts->messages, 1);
}

static void *VKAPI_CALL allocate(void *user, size_t size, size_t alignment, VkSystemAllocationScope scope) {
    (void)scope;
    StageCounts *counts = user;
    crewAdd(&counts->hostAllocations, 1);
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void VKAPI_CALL release(void *user, void *memory) {
    StageCounts *counts = user;
    if (memory != NULL) {
        crewAdd(&counts->hostAllocations, UINT64_MAX);
    }
    free(memory);
}

static void *VKAPI_CALL reallocate(void *user, void *memory, size_t size, size_t alignment,
                                   VkSystemAllocationScope scope) {
    (void)user;
    (void)memory;
    (void)size;
    (void)alignment;
    (void)scope;
    return NULL;
}

VkskinContextDef stageContextDef(NullDriver *driver, StageCounts *counts) {
    VkskinContextDef def = nullDriverContextDef(driver);
    def.logger = (VkskinLogger){countMessage, counts};
    def.pageSize = 65536;
    def.paletteBytesPerFrame = 2 * 65536;
    def.maxInstances = 256;
    return def;
}

VkskinContext stageContext(const VkskinContextDef *def, StageCounts *counts) {
    VkAllocationCallbacks callbacks = {
        .pUserData = counts, .pfnAllocation = allocate, .pfnReallocation = reallocate, .pfnFree = release};
    VkskinContextDef counted = *def;
    counted.allocator = &callbacks;
    VkskinContext context = NULL;
    if (!CREW_CHECK(vkskinCreateContext(&counted, &context) == VKSKIN_SUCCESS)) {
        return NULL;
    }
    VkskinPipelineDef pipelines = vkskinDefaultPipelineDef();
    pipelines.features = VKSKIN_KERNEL_MORPHS_BIT;
    CREW_CHECK(vkskinCreatePipelines(context, &pipelines) == VKSKIN_SUCCESS);
    return context;
}

/* Types 0 and 1 of a driver with both kinds of memory apart. */
static VkResult takeBlock(void *user, const VkskinMemoryRequest *request, VkskinMemoryBlock *block) {
    StageMemory *memory = user;
    const VkskinVulkanFunctions *vk = nullDriverFunctions();
    VkDevice device = nullDriverDevice(memory->driver);
    VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = request->requirements.size,
        .memoryTypeIndex = request->use == VKSKIN_MEMORY_DEVICE ? 0 : 1,
    };
    *block = (VkskinMemoryBlock){.size = info.allocationSize, .memoryTypeIndex = info.memoryTypeIndex};
    VkResult result = vk->vkAllocateMemory(device, &info, NULL, &block->memory);
    if (result == VK_SUCCESS && request->use != VKSKIN_MEMORY_DEVICE) {
        result = vk->vkMapMemory(device, block->memory, 0, VK_WHOLE_SIZE, 0, &block->mapped);
    }
    memory->blocks++;
    return result;
}

static void giveBlock(void *user, const VkskinMemoryBlock *block) {
    StageMemory *memory = user;
    const VkskinVulkanFunctions *vk = nullDriverFunctions();
    VkDevice device = nullDriverDevice(memory->driver);
    if (block->mapped != NULL) {
        vk->vkUnmapMemory(device, block->memory);
    }
    vk->vkFreeMemory(device, block->memory, NULL);
    memory->blocks--;
}

VkskinMemoryCallbacks stageMemoryCallbacks(StageMemory *memory) {
    return (VkskinMemoryCallbacks){takeBlock, giveBlock, memory};
}

void stageEnd(NullDriver *driver, const StageCounts *counts) {
    assert_string_equal(nullDriverFirstFault(driver), "");
    assert_int_equal(nullDriverFaults(driver), 0);
    assert_int_equal(nullDriverDestroy(driver), 0);
    assert_int_equal(crewRead(&counts->hostAllocations), 0);
    assert_int_equal(crewFailures(), 0);
}

uint32_t stageVertexCount(uint32_t size) {
    return size < STAGE_MAX_SIZE ? 30 + 10 * size : STAGE_MAX_VERTICES;
}

VkskinResult stageMesh(VkskinContext context, uint32_t size, VkskinMesh *mesh) {
    float positions[STAGE_MAX_VERTICES][3];
    uint16_t joints[STAGE_MAX_VERTICES];
    float weights[STAGE_MAX_VERTICES];
    float deltas[STAGE_MAX_VERTICES][3];
    uint32_t count = stageVertexCount(size);
    for (uint32_t i = 0; i < count; i++) {
        positions[i][0] = (float)i;
        positions[i][1] = 1.0f;
        positions[i][2] = -2.0f;
        joints[i] = (uint16_t)(i % STAGE_BONES);
        weights[i] = 1.0f;
        deltas[i][0] = deltas[i][1] = 0.0f;
        deltas[i][2] = 1.0f;
    }
    const VkskinMorphTarget targets[STAGE_MORPHS] = {
        {.vertexCount = count, .positions = deltas[0]},
        {.vertexCount = count, .positions = deltas[0], .afterSkinning = true},
    };
    VkskinMeshDef def = vkskinDefaultMeshDef();
    def.vertexCount = count;
    def.boneCount = STAGE_BONES;
    def.positions = positions[0];
    def.influencesPerVertex = 1;
    def.joints = joints;
    def.weights = weights;
    def.morphTargets = targets;
    def.morphTargetCount = STAGE_MORPHS;
    return vkskinCreateMesh(context, &def, mesh);
}

void stageWritePalette(float shift, float *data) {
    for (uint32_t b = 0; b < STAGE_BONES; b++) {
        const float matrix[12] = {1, 0, 0, (float)b, 0, 1, 0, 10.0f * (float)b, 0, 0, 1, shift};
        memcpy(data + (size_t)12 * b, matrix, sizeof matrix);
    }
}

VkskinResult stageSkin(VkskinContext context, VkskinInstance instance, float shift) {
    static const float morphWeights[STAGE_MORPHS] = {1.0f, 2.0f};
    bool morphed = (uint32_t)shift % 2 == 1;
    VkskinSkinCommand command = {.instance = instance,
                                 .method = VKSKIN_METHOD_LINEAR_BLEND,
                                 .morphWeights = morphWeights,
                                 .morphWeightCount = morphed ? STAGE_MORPHS : 0};
    void *data = NULL;
    VkskinResult result = vkskinAllocatePalette(context, VKSKIN_PALETTE_MAT3X4, STAGE_BONES, &command.palette, &data);
    if (result < 0) {
        return result;
    }
    stageWritePalette(morphed ? shift - morphWeights[0] - morphWeights[1] : shift, data);
    return vkskinSkinInstances(context, &command, 1);
}

bool stageCheck(NullDriver *driver, const VkskinOutput *output, float shift) {
    const unsigned char *bytes = nullDriverContents(driver, output->buffer);
    bool right = bytes != NULL;
    for (uint32_t i = 0; right && i < output->vertexCount; i++) {
        float position[3];
        memcpy(position, bytes + output->positionOffset + (size_t)12 * i, sizeof position);
        float bone = (float)(i % STAGE_BONES);
        right = fabsf(position[0] - ((float)i + bone)) < 1e-3f && fabsf(position[1] - (1.0f + 10.0f * bone)) < 1e-3f &&
                fabsf(position[2] - (shift - 2.0f)) < 1e-3f;
    }
    return right;
}
