/*
 * null_calls.h: the null driver's Vulkan functions, nullCreateBuffer for vkCreateBuffer and so on. Their contracts
 * are Vulkan's.
 */
#ifndef TESTS_NULL_CALLS_H
#define TESTS_NULL_CALLS_H

#include "null_object.h"

/* null_device.c */
void nullGetPhysicalDeviceProperties(VkPhysicalDevice physicalDevice, VkPhysicalDeviceProperties *properties);
void nullGetPhysicalDeviceMemoryProperties(VkPhysicalDevice physicalDevice, VkPhysicalDeviceMemoryProperties *memory);
void nullGetPhysicalDeviceQueueFamilyProperties(VkPhysicalDevice physicalDevice, uint32_t *count,
                                                VkQueueFamilyProperties *families);
VkResult nullSetDebugUtilsObjectNameEXT(VkDevice device, const VkDebugUtilsObjectNameInfoEXT *info);

/* null_memory.c */
VkResult nullAllocateMemory(VkDevice device, const VkMemoryAllocateInfo *info, const VkAllocationCallbacks *allocator,
                            VkDeviceMemory *memory);
void nullFreeMemory(VkDevice device, VkDeviceMemory memory, const VkAllocationCallbacks *allocator);
VkResult nullMapMemory(VkDevice device, VkDeviceMemory memory, VkDeviceSize offset, VkDeviceSize size,
                       VkMemoryMapFlags flags, void **data);
void nullUnmapMemory(VkDevice device, VkDeviceMemory memory);
VkResult nullFlushMappedMemoryRanges(VkDevice device, uint32_t count, const VkMappedMemoryRange *ranges);
VkResult nullCreateBuffer(VkDevice device, const VkBufferCreateInfo *info, const VkAllocationCallbacks *allocator,
                          VkBuffer *buffer);
void nullDestroyBuffer(VkDevice device, VkBuffer buffer, const VkAllocationCallbacks *allocator);
void nullGetBufferMemoryRequirements(VkDevice device, VkBuffer buffer, VkMemoryRequirements *requirements);
VkResult nullBindBufferMemory(VkDevice device, VkBuffer buffer, VkDeviceMemory memory, VkDeviceSize offset);

/* null_views.c */
VkResult nullCreateBufferView(VkDevice device, const VkBufferViewCreateInfo *info,
                              const VkAllocationCallbacks *allocator, VkBufferView *view);
void nullDestroyBufferView(VkDevice device, VkBufferView view, const VkAllocationCallbacks *allocator);

/* null_pipeline.c */
VkResult nullCreateShaderModule(VkDevice device, const VkShaderModuleCreateInfo *info,
                                const VkAllocationCallbacks *allocator, VkShaderModule *module);
void nullDestroyShaderModule(VkDevice device, VkShaderModule module, const VkAllocationCallbacks *allocator);
VkResult nullCreatePipelineLayout(VkDevice device, const VkPipelineLayoutCreateInfo *info,
                                  const VkAllocationCallbacks *allocator, VkPipelineLayout *layout);
void nullDestroyPipelineLayout(VkDevice device, VkPipelineLayout layout, const VkAllocationCallbacks *allocator);
VkResult nullCreateComputePipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
                                    const VkComputePipelineCreateInfo *infos, const VkAllocationCallbacks *allocator,
                                    VkPipeline *pipelines);
void nullDestroyPipeline(VkDevice device, VkPipeline pipeline, const VkAllocationCallbacks *allocator);

/* null_descriptors.c */
VkResult nullCreateDescriptorSetLayout(VkDevice device, const VkDescriptorSetLayoutCreateInfo *info,
                                       const VkAllocationCallbacks *allocator, VkDescriptorSetLayout *layout);
void nullDestroyDescriptorSetLayout(VkDevice device, VkDescriptorSetLayout layout,
                                    const VkAllocationCallbacks *allocator);
VkResult nullCreateDescriptorPool(VkDevice device, const VkDescriptorPoolCreateInfo *info,
                                  const VkAllocationCallbacks *allocator, VkDescriptorPool *pool);
void nullDestroyDescriptorPool(VkDevice device, VkDescriptorPool pool, const VkAllocationCallbacks *allocator);
VkResult nullAllocateDescriptorSets(VkDevice device, const VkDescriptorSetAllocateInfo *info, VkDescriptorSet *sets);
void nullUpdateDescriptorSets(VkDevice device, uint32_t writeCount, const VkWriteDescriptorSet *writes,
                              uint32_t copyCount, const VkCopyDescriptorSet *copies);

/* null_queries.c */
VkResult nullCreateQueryPool(VkDevice device, const VkQueryPoolCreateInfo *info, const VkAllocationCallbacks *allocator,
                             VkQueryPool *pool);
void nullDestroyQueryPool(VkDevice device, VkQueryPool pool, const VkAllocationCallbacks *allocator);
VkResult nullGetQueryPoolResults(VkDevice device, VkQueryPool pool, uint32_t first, uint32_t count, size_t size,
                                 void *data, VkDeviceSize stride, VkQueryResultFlags flags);

/* null_commands.c */
void nullCmdResetQueryPool(VkCommandBuffer commandBuffer, VkQueryPool pool, uint32_t first, uint32_t count);
void nullCmdWriteTimestamp(VkCommandBuffer commandBuffer, VkPipelineStageFlagBits stage, VkQueryPool pool,
                           uint32_t query);
void nullCmdBindPipeline(VkCommandBuffer commandBuffer, VkPipelineBindPoint point, VkPipeline pipeline);
void nullCmdBindDescriptorSets(VkCommandBuffer commandBuffer, VkPipelineBindPoint point, VkPipelineLayout layout,
                               uint32_t first, uint32_t count, const VkDescriptorSet *sets, uint32_t dynamicCount,
                               const uint32_t *dynamicOffsets);
void nullCmdPushConstants(VkCommandBuffer commandBuffer, VkPipelineLayout layout, VkShaderStageFlags stages,
                          uint32_t offset, uint32_t size, const void *values);
void nullCmdDispatch(VkCommandBuffer commandBuffer, uint32_t x, uint32_t y, uint32_t z);
void nullCmdCopyBuffer(VkCommandBuffer commandBuffer, VkBuffer source, VkBuffer target, uint32_t count,
                       const VkBufferCopy *regions);
void nullCmdPipelineBarrier(VkCommandBuffer commandBuffer, VkPipelineStageFlags before, VkPipelineStageFlags after,
                            VkDependencyFlags flags, uint32_t memoryCount, const VkMemoryBarrier *memory,
                            uint32_t bufferCount, const VkBufferMemoryBarrier *buffers, uint32_t imageCount,
                            const VkImageMemoryBarrier *images);
void nullCmdBeginDebugUtilsLabelEXT(VkCommandBuffer commandBuffer, const VkDebugUtilsLabelEXT *label);
void nullCmdEndDebugUtilsLabelEXT(VkCommandBuffer commandBuffer);

#endif
