#include "kernels.h"
#include "mesh.h"

VkskinResult vkskinGetVertexInput(VkskinVertexFormat format, bool normals, bool tangents, uint32_t firstBinding,
                                  uint32_t firstLocation, VkskinVertexInput *input) {
    if (input == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    if ((uint32_t)format >= VKSKIN_VERTEX_FORMAT_COUNT || (tangents && !normals)) {
        return VKSKIN_ERROR_INVALID_VALUE;
    }
    bool packed = format == VKSKIN_VERTEX_PACKED;
    KernelAttributes attributes = tangents ? KERNEL_TANGENTS : normals ? KERNEL_NORMALS : KERNEL_POSITIONS;
    *input = (VkskinVertexInput){.bindingCount = normals ? 2 : 1, .attributeCount = 1 + (uint32_t)attributes};
    input->bindings[0] = (VkVertexInputBindingDescription){firstBinding, 12, VK_VERTEX_INPUT_RATE_VERTEX};
    input->attributes[0] =
        (VkVertexInputAttributeDescription){firstLocation, firstBinding, VK_FORMAT_R32G32B32_SFLOAT, 0};
    if (normals) {
        input->bindings[1] = (VkVertexInputBindingDescription){firstBinding + 1, sknAttributeStride(format, attributes),
                                                               VK_VERTEX_INPUT_RATE_VERTEX};
        input->attributes[1] = (VkVertexInputAttributeDescription){
            firstLocation + 1, firstBinding + 1, packed ? VK_FORMAT_R32_UINT : VK_FORMAT_R32G32B32_SFLOAT, 0};
    }
    if (tangents) {
        input->attributes[2] = (VkVertexInputAttributeDescription){
            firstLocation + 2, firstBinding + 1, packed ? VK_FORMAT_R32_UINT : VK_FORMAT_R32G32B32A32_SFLOAT,
            packed ? 4 : 12};
    }
    return VKSKIN_SUCCESS;
}
