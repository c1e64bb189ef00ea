/*
 * null_parts.h: objects made straight through the pretended driver's functions, for tests that misuse them.
 *
 * What is made here is checked: a failure fails the running test.
 */
#ifndef TESTS_NULL_PARTS_H
#define TESTS_NULL_PARTS_H

#include "null_driver.h"

/* The driver's functions. */
extern const VkskinVulkanFunctions *vk;

/* Type 1 of the default layout: host-visible. */
#define HOST_TYPE 1u

typedef struct Bound {
    VkBuffer buffer;
    VkDeviceMemory memory;
} Bound;

/* A pool, and a set in it that shows 1024 bytes of `buffer`. */
typedef struct Shown {
    VkDescriptorSetLayout layout;
    VkDescriptorPool pool;
    VkDescriptorSet set;
} Shown;

/* A whole dispatch of one set, to be spoiled. */
typedef struct Dispatch {
    Bound bound;
    Shown shown;
    VkPipelineLayout layout;
    VkPipeline pipeline;
} Dispatch;

VkDeviceMemory makeMemory(NullDriver *driver, VkDeviceSize size, uint32_t type);
VkBuffer makeBuffer(NullDriver *driver, VkDeviceSize size);
Bound makeBound(NullDriver *driver, VkDeviceSize size);
void destroyBound(NullDriver *driver, Bound bound);
VkDescriptorSetLayout makeSetLayout(NullDriver *driver);
VkPipelineLayout makePipelineLayout(NullDriver *driver, VkDescriptorSetLayout set, uint32_t setCount,
                                    uint32_t pushBytes);
VkDescriptorPool makePool(NullDriver *driver);
VkResult makeSet(NullDriver *driver, VkDescriptorPool pool, VkDescriptorSetLayout layout, VkDescriptorSet *set);
void writeSet(NullDriver *driver, VkDescriptorSet set, VkBuffer buffer, VkDeviceSize offset, VkDeviceSize size);
Shown makeShown(NullDriver *driver, VkBuffer buffer);
VkPipeline makePipeline(NullDriver *driver, VkPipelineLayout layout);
VkQueryPool makeQueries(NullDriver *driver, uint32_t count);
void copy(VkCommandBuffer commands, VkBuffer source, VkBuffer target, VkDeviceSize offset, VkDeviceSize size);
void destroyShown(NullDriver *driver, Shown shown);
Dispatch makeDispatch(NullDriver *driver);
void destroyDispatch(NullDriver *driver, Dispatch *made);

/* One misuse, and part of what is told of it first. */
typedef struct Misuse {
    void (*misuse)(NullDriver *driver);
    const char *fault;
} Misuse;

/* Each with a driver of its own, of which nothing is left over. */
void checkMisuses(const Misuse *misuses, size_t count);

#endif
