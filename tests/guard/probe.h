/* probe.h: a kernel that copies any word of a buffer to any other, to see what happens outside. */
#ifndef TESTS_PROBE_H
#define TESTS_PROBE_H

#include "gpu.h"

/*
 * Copies word `from` to word `to`, counted from the start of the buffer, which is bound as `range` bytes from there by
 * an update of `functions`, or the driver's own where that is null. Submits and waits.
 */
void probeCopyWord(Gpu *gpu, const VkskinVulkanFunctions *functions, VkBuffer buffer, VkDeviceSize range, uint32_t from,
                   uint32_t to);

#endif
