#include "output_buffer.h"

#include "cookie.h"

/* ---- Buffers ---- */

VkskinOutputBufferDef vkskinDefaultOutputBufferDef(void) {
    return (VkskinOutputBufferDef){.cookie = VKSKIN_COOKIE_OUTPUT};
}

static bool overlap(VkDeviceSize a, VkDeviceSize aSize, VkDeviceSize b, VkDeviceSize bSize) {
    return a < b + bSize && b < a + aSize;
}

/* The end of the buffer that the host states may lie in the memory's padding: the driver does not return it. */
static VkskinResult checkSizes(VkskinContext context, const Subject *subject, const VkskinOutputBufferDef *def) {
    const Gpu *gpu = &context->gpu;
    VkMemoryRequirements memory;
    gpu->vk.vkGetBufferMemoryRequirements(gpu->device, def->buffer, &memory);
    const uint32_t regions = context->def.outputRegions;
    const Range ranges[] = {
        {"bufferSize", def->bufferSize, 4, memory.size},
        {"regionCount", def->regionCount, regions, regions + 1},
        {"regionSize", def->regionSize, 4, gpu->limits.maxStorageBufferRange},
    };
    VkskinResult result = sknCheckRanges(subject, ranges, SKN_COUNT(ranges));
    if (result >= 0 && def->regionSize % 4 != 0) {
        result = sknReport(&gpu->logger, VKSKIN_ERROR_INVALID_VALUE, "%s: regionSize is %llu, not a multiple of 4",
                           subject->kind, (unsigned long long)def->regionSize);
    }
    return result;
}

static VkskinResult checkRegion(VkskinContext context, const char *call, const VkskinOutputBufferDef *def, uint32_t i) {
    const Gpu *gpu = &context->gpu;
    const VkDeviceSize offset = def->offsets[i], alignment = gpu->limits.minStorageBufferOffsetAlignment;
    if (offset % alignment != 0 || offset % 4 != 0) {
        return sknReport(&gpu->logger, VKSKIN_ERROR_INVALID_VALUE,
                         "%s: offsets[%u] is %llu, not a multiple of minStorageBufferOffsetAlignment (%llu)", call, i,
                         (unsigned long long)offset, (unsigned long long)alignment);
    }
    if (offset > def->bufferSize || def->regionSize > def->bufferSize - offset) {
        return sknReport(&gpu->logger, VKSKIN_ERROR_INVALID_VALUE,
                         "%s: offsets[%u] is %llu: the region of %llu bytes ends past bufferSize (%llu)", call, i,
                         (unsigned long long)offset, (unsigned long long)def->regionSize,
                         (unsigned long long)def->bufferSize);
    }
    for (uint32_t k = 0; k < i; k++) {
        if (overlap(offset, def->regionSize, def->offsets[k], def->regionSize)) {
            return sknReport(&gpu->logger, VKSKIN_ERROR_OUTPUT_OVERLAP, "%s: regions %u and %u overlap", call, k, i);
        }
    }
    return VKSKIN_SUCCESS;
}

/* With the regions of other output buffers that are in the same VkBuffer. */
static VkskinResult checkOthers(VkskinContext context, const char *call, const VkskinOutputBufferDef *def) {
    for (uint32_t p = 0; p < context->outputPages.pageCount; p++) {
        const Page *page = &context->outputPages.pages[p];
        if (page->buffer.handle != def->buffer) {
            continue;
        }
        for (uint32_t i = 0; i < page->regions * def->regionCount; i++) {
            const uint32_t theirs = i / def->regionCount, ours = i % def->regionCount;
            if (overlap(def->offsets[ours], def->regionSize, page->planes[theirs], page->planeSize)) {
                return sknReport(&context->gpu.logger, VKSKIN_ERROR_OUTPUT_OVERLAP,
                                 "%s: region %u overlaps region %u of output page %u", call, ours, theirs, p);
            }
        }
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult checkDef(VkskinContext context, const char *call, const VkskinOutputBufferDef *def) {
    const bool written = sknOnCpu(context);
    const Subject subject = {&context->gpu.logger, call, ""};
    const Rule rules[] = {
        {def->cookie != VKSKIN_COOKIE_OUTPUT, VKSKIN_ERROR_DEF_NOT_INITIALISED,
         "the def was not made by vkskinDefaultOutputBufferDef"},
        {def->buffer == VK_NULL_HANDLE, VKSKIN_ERROR_NULL_ARGUMENT, "buffer is null"},
        {written && def->mapped == NULL, VKSKIN_ERROR_NULL_ARGUMENT,
         "mapped is null, and the CPU backend writes there"},
        {written && (uintptr_t)def->mapped % 4 != 0, VKSKIN_ERROR_INVALID_VALUE, "mapped is not 4-byte aligned"},
    };
    VkskinResult result = sknCheckRules(&subject, rules, SKN_COUNT(rules));
    if (result >= 0) {
        result = checkSizes(context, &subject, def);
    }
    for (uint32_t i = 0; result >= 0 && i < def->regionCount; i++) {
        result = checkRegion(context, call, def, i);
    }
    return result < 0 ? result : checkOthers(context, call, def);
}

static Page describePage(const VkskinOutputBufferDef *def) {
    Page page = {
        .buffer = {.handle = def->buffer, .size = def->bufferSize, .address = def->address, .borrowed = true},
        .regions = def->regionCount,
        .planeSize = def->regionSize,
    };
    page.buffer.memory.mapped = def->mapped;
    for (uint32_t i = 0; i < def->regionCount; i++) {
        page.planes[i] = def->offsets[i];
    }
    return page;
}

static VkskinResult addBuffer(VkskinContext context, const VkskinOutputBufferDef *def, VkskinOutputBuffer *handle) {
    static const char call[] = "vkskinAddOutputBuffer";
    VkskinResult result = sknNeedArgument(context, call, "def", def);
    if (result >= 0) {
        result = sknNeedArgument(context, call, "buffer", handle);
    }
    if (result >= 0) {
        result = checkDef(context, call, def);
    }
    if (result < 0) {
        return result;
    }
    const uint32_t index = sknHandleTake(&context->outputBuffers, context->gpu.hostAllocator);
    if (index == NO_INDEX) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "%s: no memory for its handle", call);
    }
    OutputBuffer *made = sknHandleItem(&context->outputBuffers, index);
    const Page page = describePage(def);
    result = sknPoolLend(&context->gpu, &context->descriptors, &context->outputPages, &page, &made->page);
    if (result < 0) {
        sknHandleRetire(&context->outputBuffers, index);
        sknHandleRecycle(&context->outputBuffers, index);
        return result;
    }
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): checked above, in another file */
    *handle = (VkskinOutputBuffer){index + 1, made->header.generation};
    return VKSKIN_SUCCESS;
}

VkskinResult vkskinAddOutputBuffer(VkskinContext context, const VkskinOutputBufferDef *def,
                                   VkskinOutputBuffer *buffer) {
    if (buffer != NULL) {
        *buffer = VKSKIN_NULL_OUTPUT_BUFFER;
    }
    VkskinResult result = sknEnter(context);
    return result < 0 ? result : sknLeave(context, addBuffer(context, def, buffer));
}

static VkskinResult findBuffer(VkskinContext context, const char *call, VkskinOutputBuffer handle, uint32_t *index) {
    return sknHandleFind(&context->outputBuffers, &context->gpu.logger, call, handle.index, handle.generation, index);
}

static uint32_t pageOf(VkskinContext context, uint32_t index) {
    return ((const OutputBuffer *)sknHandleItem(&context->outputBuffers, index))->page;
}

static uint32_t countInstances(VkskinContext context, uint32_t page) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < context->instances.capacity; i++) {
        const Instance *instance = sknInstance(context, i);
        count += instance->header.alive && instance->output.page == page;
    }
    return count;
}

/* Destroyed instances keep their ranges until no frame in flight can use them. */
static VkskinResult checkUnused(VkskinContext context, const char *call, VkskinOutputBuffer handle, uint32_t page) {
    if (context->outputPages.pages[page].ranges.allocations == 0) {
        return VKSKIN_SUCCESS;
    }
    const uint32_t instances = countInstances(context, page);
    if (instances > 0) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_OUTPUT_BUFFER_IN_USE,
                         "%s: output buffer (%u, %u) has %u instances", call, handle.index, handle.generation,
                         instances);
    }
    return sknReport(&context->gpu.logger, VKSKIN_ERROR_OUTPUT_BUFFER_IN_USE,
                     "%s: frames in flight may use output buffer (%u, %u): call it when the slots of the frames that "
                     "destroyed its instances are begun again",
                     call, handle.index, handle.generation);
}

static VkskinResult removeBuffer(VkskinContext context, VkskinOutputBuffer handle) {
    static const char call[] = "vkskinRemoveOutputBuffer";
    uint32_t index = NO_INDEX;
    VkskinResult result = findBuffer(context, call, handle, &index);
    if (result >= 0) {
        result = checkUnused(context, call, handle, pageOf(context, index));
    }
    if (result >= 0) {
        sknPoolReturn(&context->gpu, &context->outputPages, pageOf(context, index));
        sknHandleRetire(&context->outputBuffers, index);
        sknHandleRecycle(&context->outputBuffers, index);
    }
    return result;
}

VkskinResult vkskinRemoveOutputBuffer(VkskinContext context, VkskinOutputBuffer buffer) {
    VkskinResult result = sknEnter(context);
    return result < 0 ? result : sknLeave(context, removeBuffer(context, buffer));
}

/* ---- Places ---- */

VkskinResult sknFindPlace(VkskinContext context, const char *call, const VkskinInstanceDef *def, OutputPlace *place) {
    *place = (OutputPlace){.page = NO_INDEX, .offset = def->outputOffset};
    if (!VKSKIN_IS_NULL(def->outputBuffer)) {
        uint32_t index = NO_INDEX;
        VkskinResult result = findBuffer(context, call, def->outputBuffer, &index);
        place->page = result < 0 ? NO_INDEX : pageOf(context, index);
        return result;
    }
    if (def->outputOffset != VKSKIN_OFFSET_AUTOMATIC) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_INVALID_VALUE,
                         "%s: outputOffset is %llu, and outputBuffer is null", call,
                         (unsigned long long)def->outputOffset);
    }
    return VKSKIN_SUCCESS;
}

/* Streams begin where the CPU writes fastest. With one stream, the host can also count the place in vertices. */
static VkDeviceSize placeAlignment(const struct VkskinContext_T *context, const Mesh *mesh) {
    const VkDeviceSize start = sknOnCpu(context) ? HOST_LINE : RANGE_ALIGNMENT;
    VkDeviceSize alignment = mesh->info.layout.streamCount == 1 ? mesh->info.layout.strides[0] : start;
    while (alignment % start != 0) {
        alignment *= 2; /* `start` is a power of two */
    }
    return alignment;
}

static VkskinResult checkPlace(VkskinContext context, const char *call, VkDeviceSize room, const PageRange *output) {
    if (output->offset % 4 != 0) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_INVALID_VALUE,
                         "%s: outputOffset is %llu, not a multiple of 4", call, (unsigned long long)output->offset);
    }
    if (output->offset > room || output->size > room - output->offset) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_INVALID_VALUE,
                         "%s: outputOffset is %llu: the %llu bytes of output end past regionSize (%llu)", call,
                         (unsigned long long)output->offset, (unsigned long long)output->size,
                         (unsigned long long)room);
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult takeFixed(VkskinContext context, const char *call, Page *page, PageRange *output,
                              RangeResult *taken) {
    VkskinResult result = checkPlace(context, call, page->planeSize, output);
    if (result < 0) {
        return result;
    }
    *taken = sknTakeRangeAt(&page->ranges, context->gpu.hostAllocator, output->size, output->offset);
    if (*taken == RANGE_FULL) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_OUTPUT_OVERLAP,
                         "%s: outputOffset is %llu: the %llu bytes of output overlap those of another instance, or of "
                         "a destroyed one that a frame in flight may use",
                         call, (unsigned long long)output->offset, (unsigned long long)output->size);
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult takeFree(VkskinContext context, const char *call, Page *page, const Mesh *mesh, PageRange *output,
                             RangeResult *taken) {
    *taken = sknTakeRange(&page->ranges, context->gpu.hostAllocator, output->size, placeAlignment(context, mesh),
                          &output->offset);
    if (*taken == RANGE_FULL) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_OUTPUT_BUFFER_FULL,
                         "%s: no room for %llu bytes of output in the output buffer (regionSize is %llu)", call,
                         (unsigned long long)output->size, (unsigned long long)page->planeSize);
    }
    return VKSKIN_SUCCESS;
}

VkskinResult sknTakePlace(VkskinContext context, const char *call, const Mesh *mesh, const OutputPlace *place,
                          PageRange *output) {
    Page *page = &context->outputPages.pages[place->page];
    *output = (PageRange){.page = place->page, .offset = place->offset, .size = sknOutputEnd(&mesh->info)};
    if (page->regions < mesh->regions) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_INVALID_VALUE,
                         "%s: the output buffer has %u regions, a mesh with previousPositions needs %u", call,
                         page->regions, mesh->regions);
    }
    RangeResult taken = RANGE_TAKEN;
    VkskinResult result = place->offset == VKSKIN_OFFSET_AUTOMATIC ? takeFree(context, call, page, mesh, output, &taken)
                                                                   : takeFixed(context, call, page, output, &taken);
    if (taken == RANGE_NO_HOST_MEMORY) {
        result = sknReport(&context->gpu.logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "%s: no memory for its place", call);
    }
    return result;
}
