/* Everything that the boundary forbids, to prove that its checks fail: a foreign name, one of ImGui's Vulkan
 * backend, and a Vulkan symbol. */
#include <vulkan/vulkan.h>

#include "engine_header.h"
#include <immintrin.h>

VkResult strayName(VkDevice device, const VkBufferCreateInfo *info, VkBuffer *buffer);

VkResult strayName(VkDevice device, const VkBufferCreateInfo *info, VkBuffer *buffer) {
    return vkCreateBuffer(device, info, NULL, buffer);
}

void ImGui_ImplVulkan_Shutdown(void);

void ImGui_ImplVulkan_Shutdown(void) {
}
