#include "soak_ranges.h"

static VkDeviceSize endOf(const VkskinOutput *output) {
    return output->attributeOffset + (VkDeviceSize)output->vertexCount * output->attributeStride;
}

void soakRangesAdd(SoakRanges *ranges, const VkskinOutput *output, uint64_t freeFrame) {
    ranges->ranges[ranges->next] = (SoakRange){output->buffer, output->positionOffset, endOf(output), freeFrame};
    ranges->next = (ranges->next + 1) % SOAK_RANGES_MAX;
}

bool soakRangesMeet(const SoakRanges *ranges, const VkskinOutput *output, uint64_t frame) {
    VkDeviceSize end = endOf(output);
    for (uint32_t i = 0; i < SOAK_RANGES_MAX; i++) {
        const SoakRange *range = &ranges->ranges[i];
        if (range->freeFrame > frame && range->buffer == output->buffer && output->positionOffset < range->end &&
            range->begin < end) {
            return true;
        }
    }
    return false;
}
