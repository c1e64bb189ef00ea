/* probe.h: a kernel that copies any word or texel of a buffer to any other word, to see what happens outside. */
#ifndef TESTS_PROBE_H
#define TESTS_PROBE_H

#include "gpu.h"

typedef struct ProbeStep {
    uint32_t from, to; /* words from the start of the buffer */
    bool byTexels;     /* `from` counts texels of four floats, and the first one's bits are copied */
} ProbeStep;

/*
 * Copies as `step` says. The buffer is bound and viewed as `range` bytes from its start by `functions`, or the driver's
 * own where that is null. Submits and waits.
 */
void probeCopyWord(Gpu *gpu, const VkskinVulkanFunctions *functions, VkBuffer buffer, VkDeviceSize range,
                   ProbeStep step);

#endif
