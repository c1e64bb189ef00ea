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

typedef struct Bytes {
    uint64_t indices, edges, colours, places, sources, bones, joints, outputs;
} Bytes;

static Bytes bytesOf(const SpineSizes *sizes) {
    const uint64_t corners = SPINE_JOINT_KINDS * sizes->bones * SPINE_JOINT_CORNERS;
    return (Bytes){
        .indices = sizes->indices * sizeof(uint32_t),
        .edges = sizes->edges ? 2 * sizes->indices * sizeof(uint32_t) : 0,
        .colours = sizes->slots * SPINE_SLOT_FLOATS * sizeof(float),
        .places = sizes->characters * sizeof(SpineCharacterPlace),
        .sources = sizes->inPasses ? sizes->sources * sizeof(SpineSourceVertex) : 0,
        .bones = sizes->inPasses ? sizes->characters * sizes->boneStride : 0,
        .joints = sizes->joints ? corners * sizeof(SpineJointVertex) : 0,
        .outputs = sizes->inPasses ? 0 : sizes->outputs * 2 * sizeof(float),
    };
}

bool spineSizesCheck(const Device *device, const SpineSizes *sizes, EngineError *error) {
    const VkPhysicalDeviceLimits *limits = &device->limits;
    const Bytes bytes = bytesOf(sizes);
    const uint64_t frame =
        bytes.indices + bytes.edges + bytes.colours + bytes.places + bytes.sources + bytes.bones + bytes.joints;
    const struct {
        const char *what;
        uint64_t need, most;
    } needs[] = {
        {"indices of vertices", (uint64_t)sizes->characters << sizes->vertexBits, limits->maxDrawIndexedIndexValue},
        {"indices", 2 * sizes->indices, UINT32_MAX},
        {"bytes of colours", bytes.colours, limits->maxStorageBufferRange},
        {"bytes of texture coordinates", sizes->vertexMax * sizeof(SpineVertex), limits->maxStorageBufferRange},
        {"bytes of vertices", bytes.sources, limits->maxStorageBufferRange},
        {"bytes of bones", bytes.bones, UINT32_MAX},
        {"bytes of memory", FRAMES_IN_FLIGHT * frame + bytes.outputs, largestHeap(device)},
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

static bool createBuffer(Device *device, uint64_t size, VkBufferUsageFlags usage, const char *name, Buffer *buffer,
                         EngineError *error) {
    return bufferCreate(device, size > 0 ? size : 4, usage, BUFFER_UPLOAD, name, buffer, error);
}

static bool createBuffers(Device *device, const SpineSizes *sizes, SpineInput *input, EngineError *error) {
    const Bytes bytes = bytesOf(sizes);
    return createBuffer(device, bytes.indices, VK_BUFFER_USAGE_INDEX_BUFFER_BIT, "2D model indices",
                        &input->indices[SPINE_LIST_SLOTS], error) &&
           createBuffer(device, bytes.edges, VK_BUFFER_USAGE_INDEX_BUFFER_BIT, "2D model edges",
                        &input->indices[SPINE_LIST_EDGES], error) &&
           createBuffer(device, bytes.colours, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, "2D model colours", &input->colours,
                        error) &&
           createBuffer(device, bytes.places, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, "2D model characters", &input->places,
                        error) &&
           createBuffer(device, bytes.joints, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, "2D model joints", &input->joints,
                        error);
}

/* The block of the last character may be shorter than what the shader declares. */
static bool createSources(Device *device, const SpineSizes *sizes, const SpinePipelines *pipelines,
                          VkDescriptorPool pool, SpineInput *input, EngineError *error) {
    const VkDeviceSize block = (VkDeviceSize)RASTER_SPINE_BONES * 6 * sizeof(float);
    const Bytes bytes = bytesOf(sizes);
    if (!createBuffer(device, bytes.sources, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, "2D model sources", &input->sources,
                      error) ||
        !createBuffer(device, bytes.bones + block, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, "2D model bones", &input->bones,
                      error) ||
        !descriptorSetAllocate(device, pool, pipelines->setLayouts[RASTER_SET_SPINE_VERTICES], &input->sourceSet,
                               error)) {
        return false;
    }
    descriptorWriteBuffer(device, input->sourceSet, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, input->sources.handle,
                          VK_WHOLE_SIZE);
    descriptorWriteBuffer(device, input->set, 2, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, input->bones.handle, block);
    return true;
}

static void fillSources(const SpineSkinnedModel *models, uint32_t modelCount, SpineInput *input) {
    for (uint32_t m = 0; m < modelCount; m++) {
        if (models[m].mesh.morphCount == 0) {
            spineSourceWrite(&models[m].mesh, NULL, (SpineSourceVertex *)input->sources.mapped + models[m].firstSource);
        }
    }
}

bool spineInputCreate(Device *device, const SpineSizes *sizes, const SpinePipelines *pipelines, VkDescriptorPool pool,
                      const SpineSkinnedModel *models, uint32_t modelCount, SpineInput *input, EngineError *error) {
    if (!createBuffers(device, sizes, input, error) ||
        !descriptorSetAllocate(device, pool, pipelines->setLayouts[RASTER_SET_SPINE_FRAME], &input->set, error)) {
        return false;
    }
    descriptorWriteBuffer(device, input->set, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, input->places.handle,
                          VK_WHOLE_SIZE);
    descriptorWriteBuffer(device, input->set, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, input->colours.handle,
                          VK_WHOLE_SIZE);
    if (!sizes->inPasses) {
        return true;
    }
    if (!createSources(device, sizes, pipelines, pool, input, error)) {
        return false;
    }
    fillSources(models, modelCount, input);
    return true;
}

void spineInputDestroy(Device *device, SpineInput *input) {
    for (int i = 0; i < SPINE_LIST_COUNT; i++) {
        bufferDestroy(device, &input->indices[i]);
    }
    bufferDestroy(device, &input->colours);
    bufferDestroy(device, &input->places);
    bufferDestroy(device, &input->sources);
    bufferDestroy(device, &input->bones);
    bufferDestroy(device, &input->joints);
}
