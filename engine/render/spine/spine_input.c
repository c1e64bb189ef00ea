#include "spine_input.h"

/* ---- Sizes ---- */

/* A 2D model without deform keys has the same source vertices in all characters. */
static uint64_t sourcesOf(const SpineSkinnedModel *model) {
    return (uint64_t)(model->mesh.morphCount > 0 ? model->count : 1) * model->mesh.vertexCount;
}

SpineSizes spineSizes(const Device *device, SpineSkinnedModel *models, uint32_t modelCount, bool inPasses, bool edges,
                      bool joints) {
    const VkDeviceSize alignment = device->limits.minUniformBufferOffsetAlignment;
    SpineSizes sizes = {.inPasses = inPasses, .edges = edges, .joints = joints};
    for (uint32_t m = 0; m < modelCount; m++) {
        SpineSkinnedModel *model = &models[m];
        const uint64_t count = model->count;
        const VkDeviceSize bones = model->spine->boneCount * 6ull * sizeof(float);
        const VkDeviceSize stride = (bones + alignment - 1) / alignment * alignment;
        model->firstSource = (uint32_t)sizes.sources;
        sizes.characters += model->count;
        sizes.indices += count * model->listIndices;
        sizes.slots += count * model->spine->slotCount;
        sizes.bones += count * model->spine->boneCount;
        sizes.weights += count * model->mesh.morphCount;
        sizes.sources += sourcesOf(model);
        sizes.outputs += count * model->mesh.vertexCount;
        sizes.boneStride = stride > sizes.boneStride ? stride : sizes.boneStride;
        sizes.vertexMax = model->mesh.vertexCount > sizes.vertexMax ? model->mesh.vertexCount : sizes.vertexMax;
        while (sizes.vertexBits < 31 && model->mesh.vertexCount > 1u << sizes.vertexBits) {
            sizes.vertexBits++;
        }
    }
    return sizes;
}

static VkDeviceSize largestHeap(const Device *device) {
    VkDeviceSize most = 0;
    for (uint32_t i = 0; i < device->memory.memoryHeapCount; i++) {
        most = device->memory.memoryHeaps[i].size > most ? device->memory.memoryHeaps[i].size : most;
    }
    return most;
}

/* The block of the last character may be shorter than what the shader declares. */
#define BONE_BLOCK ((VkDeviceSize)RASTER_SPINE_BONES * 6 * sizeof(float))

static const struct {
    VkBufferUsageFlags usage;
    const char *name;
} BUFFERS[SPINE_INPUT_COUNT] = {
    [SPINE_INPUT_SLOTS] = {VK_BUFFER_USAGE_INDEX_BUFFER_BIT, "2D model indices"},
    [SPINE_INPUT_EDGES] = {VK_BUFFER_USAGE_INDEX_BUFFER_BIT, "2D model edges"},
    [SPINE_INPUT_COLOURS] = {VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, "2D model colours"},
    [SPINE_INPUT_PLACES] = {VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, "2D model characters"},
    [SPINE_INPUT_SOURCES] = {VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, "2D model sources"},
    [SPINE_INPUT_BONES] = {VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, "2D model bones"},
    [SPINE_INPUT_JOINTS] = {VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, "2D model joints"},
};

static void findBytes(const SpineSizes *sizes, uint64_t bytes[SPINE_INPUT_COUNT]) {
    const uint64_t corners = SPINE_JOINT_KINDS * sizes->bones * SPINE_JOINT_CORNERS;
    bytes[SPINE_INPUT_SLOTS] = sizes->indices * sizeof(uint32_t);
    bytes[SPINE_INPUT_EDGES] = sizes->edges ? 2 * sizes->indices * sizeof(uint32_t) : 0;
    bytes[SPINE_INPUT_COLOURS] = sizes->slots * SPINE_SLOT_FLOATS * sizeof(float);
    bytes[SPINE_INPUT_PLACES] = sizes->characters * sizeof(SpineCharacterPlace);
    bytes[SPINE_INPUT_SOURCES] = sizes->inPasses ? sizes->sources * sizeof(SpineSourceVertex) : 0;
    bytes[SPINE_INPUT_BONES] = sizes->inPasses ? sizes->characters * sizes->boneStride + BONE_BLOCK : 0;
    bytes[SPINE_INPUT_JOINTS] = sizes->joints ? corners * sizeof(SpineJointVertex) : 0;
}

bool spineSizesCheck(const Device *device, const SpineSizes *sizes, EngineError *error) {
    const VkPhysicalDeviceLimits *limits = &device->limits;
    uint64_t bytes[SPINE_INPUT_COUNT], memory = sizes->inPasses ? 0 : sizes->outputs * 2 * sizeof(float);
    findBytes(sizes, bytes);
    for (int i = 0; i < SPINE_INPUT_COUNT; i++) {
        memory += FRAMES_IN_FLIGHT * bytes[i];
    }
    const struct {
        const char *what;
        uint64_t need, most;
    } needs[] = {
        {"indices of vertices", (uint64_t)sizes->characters << sizes->vertexBits, limits->maxDrawIndexedIndexValue},
        {"indices", 2 * sizes->indices, UINT32_MAX},
        {"bytes of colours", bytes[SPINE_INPUT_COLOURS], limits->maxStorageBufferRange},
        {"bytes of texture coordinates", sizes->vertexMax * sizeof(SpineVertex), limits->maxStorageBufferRange},
        {"bytes of vertices", bytes[SPINE_INPUT_SOURCES], limits->maxStorageBufferRange},
        {"bytes of bones", bytes[SPINE_INPUT_BONES], UINT32_MAX},
        {"bytes of memory", memory, largestHeap(device)},
    };
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
        if (needs[i].need > needs[i].most) {
            return engineFail(error, "%u 2D characters are too many for this device: %s: %llu, at most %llu",
                              sizes->characters, needs[i].what, (unsigned long long)needs[i].need,
                              (unsigned long long)needs[i].most);
        }
    }
    return true;
}

/* ---- Frames ---- */

static void bindStorage(Device *device, VkDescriptorSet set, uint32_t binding, const Buffer *buffer) {
    descriptorWriteBuffer(device, set, binding, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, buffer->handle, VK_WHOLE_SIZE);
}

static bool createSources(Device *device, const SpinePipelines *pipelines, VkDescriptorPool pool,
                          const SpineSkinnedModel *models, uint32_t modelCount, SpineInput *input, EngineError *error) {
    SpineSourceVertex *sources = input->buffers[SPINE_INPUT_SOURCES].mapped;
    if (!descriptorSetAllocate(device, pool, pipelines->setLayouts[RASTER_SET_SPINE_VERTICES], &input->sourceSet,
                               error)) {
        return false;
    }
    bindStorage(device, input->sourceSet, 0, &input->buffers[SPINE_INPUT_SOURCES]);
    descriptorWriteBuffer(device, input->set, 2, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC,
                          input->buffers[SPINE_INPUT_BONES].handle, BONE_BLOCK);
    for (uint32_t m = 0; m < modelCount; m++) {
        if (models[m].mesh.morphCount == 0) {
            spineSourceWrite(&models[m].mesh, NULL, sources + models[m].firstSource);
        }
    }
    return true;
}

bool spineInputCreate(Device *device, const SpineSizes *sizes, const SpinePipelines *pipelines, VkDescriptorPool pool,
                      const SpineSkinnedModel *models, uint32_t modelCount, SpineInput *input, EngineError *error) {
    uint64_t bytes[SPINE_INPUT_COUNT];
    bool good = true;
    findBytes(sizes, bytes);
    for (int i = 0; i < SPINE_INPUT_COUNT && good; i++) {
        good = bufferCreate(device, bytes[i] > 0 ? bytes[i] : 4, BUFFERS[i].usage, BUFFER_UPLOAD, BUFFERS[i].name,
                            &input->buffers[i], error);
    }
    if (!good ||
        !descriptorSetAllocate(device, pool, pipelines->setLayouts[RASTER_SET_SPINE_FRAME], &input->set, error)) {
        return false;
    }
    bindStorage(device, input->set, 0, &input->buffers[SPINE_INPUT_PLACES]);
    bindStorage(device, input->set, 1, &input->buffers[SPINE_INPUT_COLOURS]);
    return !sizes->inPasses || createSources(device, pipelines, pool, models, modelCount, input, error);
}

void spineInputDestroy(Device *device, SpineInput *input) {
    for (int i = 0; i < SPINE_INPUT_COUNT; i++) {
        bufferDestroy(device, &input->buffers[i]);
    }
}
