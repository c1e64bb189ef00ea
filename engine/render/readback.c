#include "readback.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void recordCopy(VkCommandBuffer commandBuffer, const VkskinOutput *output, const Buffer *buffer) {
    VkMemoryBarrier2 skinned = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                                .srcStageMask = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                                .srcAccessMask = VK_ACCESS_2_SHADER_WRITE_BIT,
                                .dstStageMask = VK_PIPELINE_STAGE_2_COPY_BIT,
                                .dstAccessMask = VK_ACCESS_2_TRANSFER_READ_BIT};
    VkDependencyInfo dependency = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .memoryBarrierCount = 1, .pMemoryBarriers = &skinned};
    VkDeviceSize positionSize = (VkDeviceSize)output->vertexCount * 3 * sizeof(float);
    VkDeviceSize attributeSize = (VkDeviceSize)output->vertexCount * output->attributeStride;
    VkBufferCopy regions[2] = {{output->positionOffset, 0, positionSize},
                               {output->attributeOffset, positionSize, attributeSize}};
    vkCmdPipelineBarrier2(commandBuffer, &dependency);
    vkCmdCopyBuffer(commandBuffer, output->buffer, buffer->handle, attributeSize ? 2 : 1, regions);
    copyToHostBarrier(commandBuffer);
}

static void normalise(float v[3]) {
    float length = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int axis = 0; axis < 3; axis++) {
        v[axis] /= length;
    }
}

/* The octahedral square back to a unit vector, as shaders/vkskin/vkskin.glsl does it. */
static void decodeOctahedral(float x, float y, float out[3]) {
    float z = 1.0f - fabsf(x) - fabsf(y);
    float fold = fmaxf(-z, 0.0f);
    out[0] = x + (x >= 0.0f ? -fold : fold);
    out[1] = y + (y >= 0.0f ? -fold : fold);
    out[2] = z;
    normalise(out);
}

/* The low `bits` of a word as a signed number in -1 to 1. */
static float signedNormalised(uint32_t word, uint32_t bits) {
    uint32_t sign = 1u << (bits - 1);
    uint32_t low = word & (2 * sign - 1);
    float value = (float)low - ((low & sign) ? 2.0f * (float)sign : 0.0f);
    return fmaxf(value / (float)(sign - 1), -1.0f);
}

static void decodePacked(const uint32_t *words, bool hasTangent, float normal[3], float tangent[4]) {
    decodeOctahedral(signedNormalised(words[0], 16), signedNormalised(words[0] >> 16, 16), normal);
    if (hasTangent) {
        decodeOctahedral(signedNormalised(words[1], 16), signedNormalised(words[1] >> 16, 15), tangent);
        tangent[3] = (words[1] & 0x80000000u) ? -1.0f : 1.0f;
    }
}

static void decodeAttributes(const uint8_t *bytes, uint32_t stride, SkinnedVertices *vertices) {
    bool packed = stride <= 8;
    bool hasTangent = stride == 8 || stride == 28;
    for (uint32_t i = 0; i < vertices->count; i++, bytes += stride) {
        float *normal = &vertices->normals[3 * (size_t)i];
        float *tangent = hasTangent ? &vertices->tangents[4 * (size_t)i] : NULL;
        if (packed) {
            uint32_t words[2] = {0, 0};
            memcpy(words, bytes, stride);
            decodePacked(words, hasTangent, normal, tangent);
        } else {
            memcpy(normal, bytes, 3 * sizeof(float));
            if (hasTangent) {
                memcpy(tangent, bytes + 3 * sizeof(float), 4 * sizeof(float));
            }
        }
    }
}

static bool decode(const VkskinOutput *output, const uint8_t *bytes, SkinnedVertices *vertices, EngineError *error) {
    size_t count = output->vertexCount;
    bool hasNormal = output->attributeStride != 0;
    bool hasTangent = output->attributeStride == 8 || output->attributeStride == 28;
    vertices->count = output->vertexCount;
    vertices->positions = malloc(count * 3 * sizeof(float));
    vertices->normals = hasNormal ? malloc(count * 3 * sizeof(float)) : NULL;
    vertices->tangents = hasTangent ? malloc(count * 4 * sizeof(float)) : NULL;
    if (!vertices->positions || (hasNormal && !vertices->normals) || (hasTangent && !vertices->tangents)) {
        skinnedVerticesFree(vertices);
        return engineFail(error, "out of memory");
    }
    memcpy(vertices->positions, bytes, count * 3 * sizeof(float));
    if (hasNormal) {
        decodeAttributes(bytes + count * 3 * sizeof(float), output->attributeStride, vertices);
    }
    return true;
}

bool readbackInstance(Skinning *skinning, VkskinInstance instance, SkinnedVertices *vertices, EngineError *error) {
    Device *device = skinning->device;
    VkskinOutput output;
    memset(vertices, 0, sizeof(*vertices));
    VkskinResult result = vkskinGetOutput(skinning->context, instance, &output);
    if (result < 0) {
        return skinningFail(skinning, error, "reading skinned vertices back", result);
    }
    VkDeviceSize size = (VkDeviceSize)output.vertexCount * (3 * sizeof(float) + output.attributeStride);
    Buffer buffer;
    if (!deviceWait(device, error) ||
        !bufferCreate(device, size, VK_BUFFER_USAGE_TRANSFER_DST_BIT, BUFFER_READBACK, "readback", &buffer, error)) {
        return false;
    }
    VkCommandBuffer commandBuffer = immediateBegin(device, error);
    if (commandBuffer) {
        recordCopy(commandBuffer, &output, &buffer);
    }
    bool read =
        commandBuffer && immediateEnd(device, commandBuffer, error) && decode(&output, buffer.mapped, vertices, error);
    bufferDestroy(device, &buffer);
    return read;
}

void skinnedVerticesFree(SkinnedVertices *vertices) {
    free(vertices->positions);
    free(vertices->normals);
    free(vertices->tangents);
    memset(vertices, 0, sizeof(*vertices));
}
