#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe.h"

static void outsideIsTold(void **state) {
    Gpu *gpu = *state;
    GpuBuffer buffer = gpuBuffer(gpu, 4096, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    probeCopyWord(gpu, NULL, buffer.buffer, 4096, 3, 5);
    print_message("inside: %u messages\n", gpu->messages.count);
    probeCopyWord(gpu, NULL, buffer.buffer, 4096, 1024, 5);
    print_message("read: %u messages\n", gpu->messages.count);
    probeCopyWord(gpu, NULL, buffer.buffer, 4096, 3, 1024);
    print_message("write: %u messages\n", gpu->messages.count);
    gpuFreeBuffer(gpu, &buffer);
}

int main(void) {
    const struct CMUnitTest tests[] = {GPU_TEST(outsideIsTold)};
    GpuRequest request = {.gpuAssisted = true};
    gpuRequest(&request);
    return gpuRunTests("gpu assisted", tests, 1, NULL);
}
