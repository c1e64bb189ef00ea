/*
 * reorder.h: runs recorded commands in another order than that of the record, one that their barriers allow.
 *
 * Software drivers run the commands of a command buffer one after the other, so a missing barrier changes nothing there.
 * The functions of reorderFunctions keep the commands back. reorderRun records them, each as late as the barriers allow:
 * the next command is always the last one, in the order of the record, that no barrier keeps behind a waiting one. It
 * records full barriers between them, so that the layer and the driver see one order.
 *
 * A barrier counts only between stages and accesses that it names. The state is global, because Vulkan's functions have
 * no user pointer. Pipelines, sets and push constants are those at the time of the command.
 */
#ifndef TESTS_CROWD_REORDER_H
#define TESTS_CROWD_REORDER_H

#include "gpu.h"

#define REORDER_NONE UINT32_MAX

/* Replaces the functions that record commands in `functions`. */
void reorderFunctions(VkskinVulkanFunctions *functions);

/* The next commands belong to a new frame, whose barriers count from 0. leftOut: a barrier that is ignored, or
 * REORDER_NONE. Returns the barriers of the frame before. */
uint32_t reorderFrame(uint32_t leftOut);

/* A vertex shader of the host: keeps the copy of a whole buffer back, to `target`. */
void reorderCopy(VkBuffer source, VkDeviceSize size, VkBuffer target);

/* Records what was kept back and forgets it. inOrder: in the order of the record. */
void reorderRun(VkCommandBuffer commandBuffer, bool inOrder);

#endif
