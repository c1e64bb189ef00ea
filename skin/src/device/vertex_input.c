#include "output_layout.h"
#include "vkskin/vkskin.h"

static void addAttribute(VkskinVertexInput *input, uint32_t firstBinding, uint32_t firstLocation,
                         VkskinAttributePlace place, VkFormat format) {
    if (format == VK_FORMAT_UNDEFINED) {
        return;
    }
    input->attributes[input->attributeCount] = (VkVertexInputAttributeDescription){
        firstLocation + input->attributeCount, firstBinding + place.stream, format, place.offset};
    input->attributeCount++;
}

/* Of a normal; of a tangent. */
static VkFormat formatOf(VkskinVertexFormat format, bool tangent) {
    switch (format) {
    case VKSKIN_VERTEX_PACKED:
        return VK_FORMAT_R32_UINT;
    case VKSKIN_VERTEX_FLOAT:
        return tangent ? VK_FORMAT_R32G32B32A32_SFLOAT : VK_FORMAT_R32G32B32_SFLOAT;
    case VKSKIN_VERTEX_SNORM10:
        return VK_FORMAT_A2B10G10R10_SNORM_PACK32;
    }
    return VK_FORMAT_UNDEFINED;
}

VkskinResult vkskinGetVertexInput(VkskinVertexFormat format, bool normals, bool tangents,
                                  const VkskinOutputLayout *layout, uint32_t firstBinding, uint32_t firstLocation,
                                  VkskinVertexInput *input) {
    if (input == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    if ((uint32_t)format >= VKSKIN_VERTEX_FORMAT_COUNT || (tangents && !normals)) {
        return VKSKIN_ERROR_INVALID_VALUE;
    }
    const OutputShape shape = {.dimensions = 3, .format = format, .normals = normals, .tangents = tangents};
    const VkskinLogger none = {0};
    const Subject subject = {&none, "vkskinGetVertexInput", ""};
    if (layout != NULL && sknCheckLayout(&subject, &shape, layout) < 0) {
        return VKSKIN_ERROR_INVALID_VALUE;
    }
    const VkskinOutputLayout chosen = sknResolveLayout(&shape, layout);
    *input = (VkskinVertexInput){.bindingCount = chosen.streamCount};
    for (uint32_t s = 0; s < chosen.streamCount; s++) {
        input->bindings[s] =
            (VkVertexInputBindingDescription){firstBinding + s, chosen.strides[s], VK_VERTEX_INPUT_RATE_VERTEX};
    }
    addAttribute(input, firstBinding, firstLocation, chosen.position,
                 chosen.positionW ? VK_FORMAT_R32G32B32A32_SFLOAT : VK_FORMAT_R32G32B32_SFLOAT);
    if (normals) {
        addAttribute(input, firstBinding, firstLocation, chosen.normal, formatOf(format, false));
    }
    if (tangents) {
        addAttribute(input, firstBinding, firstLocation, chosen.tangent, formatOf(format, true));
    }
    for (uint32_t i = 0; i < chosen.passThroughCount; i++) {
        addAttribute(input, firstBinding, firstLocation, chosen.passThrough[i].place,
                     (VkFormat)chosen.passThrough[i].format);
    }
    return VKSKIN_SUCCESS;
}
