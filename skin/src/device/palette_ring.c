#include "palette_ring.h"

/* Palette alignment; texel size in bytes. */
#define ALIGNMENT ((VkDeviceSize)16)

VkDeviceSize sknMaxTexelBytes(const Gpu *gpu) {
    return gpu->limits.maxTexelBufferElements * ALIGNMENT;
}

static VkskinResult viewPage(Gpu *gpu, const Buffer *buffer, VkBufferView *view) {
    VkDeviceSize most = sknMaxTexelBytes(gpu);
    VkBufferViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
        .buffer = buffer->handle,
        .format = VK_FORMAT_R32G32B32A32_SFLOAT,
        .range = buffer->size < most ? buffer->size : most,
    };
    VkskinResult result =
        sknCheck(gpu, gpu->vk.vkCreateBufferView(gpu->device, &info, gpu->allocator, view), "vkCreateBufferView");
    if (result < 0) {
        *view = VK_NULL_HANDLE; /* after a failure the value is undefined */
        return result;
    }
    sknNameObject(gpu, VK_OBJECT_TYPE_BUFFER_VIEW, (uint64_t)*view, "vkskin palette texels");
    return VKSKIN_SUCCESS;
}

static VkskinResult initPage(Gpu *gpu, Descriptors *descriptors, const PaletteRing *ring, PalettePage *page,
                             VkDeviceSize size) {
    if (ring->def.home == PALETTES_ON_HOST) {
        return sknCreateHostBuffer(gpu, size, "palettes", &page->host);
    }
    const bool staged = ring->staged;
    const VkBufferUsageFlags read = ring->def.usage;
    VkskinResult result = sknCreateBuffer(
        gpu, size, staged ? (VkBufferUsageFlags)VK_BUFFER_USAGE_TRANSFER_SRC_BIT : read,
        staged ? VKSKIN_MEMORY_STAGING : VKSKIN_MEMORY_DYNAMIC, staged ? "palette staging" : "palettes", &page->host);
    if (result >= 0 && staged) {
        result = sknCreateBuffer(gpu, size, read | VK_BUFFER_USAGE_TRANSFER_DST_BIT, VKSKIN_MEMORY_DEVICE, "palettes",
                                 &page->device);
    }
    const Buffer *bound = sknDeviceBuffer(ring, page);
    if (result >= 0) {
        result = viewPage(gpu, bound, &page->texels);
    }
    return result < 0 ? result : sknCreatePaletteSet(gpu, descriptors, bound, size, page->texels, &page->set);
}

static void destroyPage(Gpu *gpu, PalettePage *page) {
    if (page->texels != VK_NULL_HANDLE) {
        gpu->vk.vkDestroyBufferView(gpu->device, page->texels, gpu->allocator);
    }
    sknDestroyBuffer(gpu, &page->host);
    sknDestroyBuffer(gpu, &page->device);
}

static VkskinResult addPage(Gpu *gpu, Descriptors *descriptors, PaletteRing *ring, PaletteRegion *region,
                            VkDeviceSize size) {
    PalettePage *pages =
        sknHostReserve(gpu->hostAllocator, region->pages, region->count + 1, &region->capacity, sizeof *pages);
    if (pages == NULL) {
        return sknReport(&gpu->logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "no memory for a page of palettes");
    }
    region->pages = pages;
    PalettePage page = {.used = 0};
    VkskinResult result = initPage(gpu, descriptors, ring, &page, size);
    if (result < 0) {
        destroyPage(gpu, &page);
        return result;
    }
    region->pages[region->count++] = page;
    region->bytes += size;
    return VKSKIN_SUCCESS;
}

static VkDeviceSize alignDown(VkDeviceSize size) {
    return size - size % ALIGNMENT;
}

static VkDeviceSize smaller(VkDeviceSize a, VkDeviceSize b) {
    return a < b ? a : b;
}

VkskinResult sknInitRing(Gpu *gpu, Descriptors *descriptors, PaletteRing *ring, const PaletteRingDef *def) {
    *ring = (PaletteRing){.def = *def, .staged = def->home == PALETTES_STAGED};
    ring->def.pageSize = alignDown(def->pageSize);
    ring->def.maxPageSize = alignDown(def->maxPageSize);
    VkDeviceSize first =
        def->maxBytesPerSlot > 0 ? smaller(def->bytesPerSlot, def->maxBytesPerSlot) : def->bytesPerSlot;
    first = alignDown(first);
    VkskinResult result = VKSKIN_SUCCESS;
    for (uint32_t i = 0; i < def->slots; i++) {
        PaletteRegion *region = &ring->regions[i];
        while (result >= 0 && region->bytes < first) {
            result = addPage(gpu, descriptors, ring, region, smaller(first - region->bytes, ring->def.pageSize));
        }
    }
    return result;
}

void sknDestroyRing(Gpu *gpu, PaletteRing *ring) {
    for (uint32_t i = 0; i < ring->def.slots; i++) {
        for (uint32_t k = 0; k < ring->regions[i].count; k++) {
            destroyPage(gpu, &ring->regions[i].pages[k]);
        }
        sknHostFree(gpu->hostAllocator, ring->regions[i].pages);
    }
    *ring = (PaletteRing){0};
}

void sknRingBeginSlot(PaletteRing *ring, uint32_t slot) {
    PaletteRegion *region = &ring->regions[slot];
    region->current = 0;
    region->earlier = 0;
    for (uint32_t i = 0; i < region->count; i++) {
        region->pages[i].used = 0;
        region->pages[i].copied = 0;
    }
}

/* ---- Batches ---- */

VkDeviceSize sknBatchSize(const PaletteBatch *batch, uint32_t index) {
    VkDeviceSize size = (VkDeviceSize)batch->stride * sknBatchBones(batch, index);
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

VkDeviceSize sknBatchBytes(const PaletteBatch *batch, uint32_t first) {
    if (batch->boneCounts == NULL) {
        return (batch->count - first) * sknBatchSize(batch, 0);
    }
    VkDeviceSize bytes = 0;
    for (uint32_t i = first; i < batch->count; i++) {
        bytes += sknBatchSize(batch, i);
    }
    return bytes;
}

static VkDeviceSize pageRoom(const PalettePage *page) {
    return page->host.size - page->used;
}

/* The number of palettes from `first` on that fit into the page, and their bytes. */
static uint32_t countFitting(const PaletteBatch *batch, uint32_t first, const PalettePage *page, VkDeviceSize *bytes) {
    const VkDeviceSize room = pageRoom(page);
    if (batch->boneCounts == NULL) {
        VkDeviceSize size = sknBatchSize(batch, first);
        uint32_t count = (uint32_t)smaller(room / size, batch->count - first);
        *bytes = count * size;
        return count;
    }
    uint32_t end = first;
    for (*bytes = 0; end < batch->count && *bytes + sknBatchSize(batch, end) <= room; end++) {
        *bytes += sknBatchSize(batch, end);
    }
    return end - first;
}

/* Bytes of the next page for a batch whose palettes from `first` on have no room. Pages double a region, up to the page
 * size, and up to the limit if the batch fits below it. */
static VkDeviceSize nextPageSize(const PaletteRing *ring, const PaletteRegion *region, const PaletteBatch *batch,
                                 uint32_t first) {
    const PaletteRingDef *def = &ring->def;
    VkDeviceSize needed = smaller(sknBatchBytes(batch, first), def->pageSize);
    VkDeviceSize left = def->maxBytesPerSlot > region->bytes ? alignDown(def->maxBytesPerSlot - region->bytes) : 0;
    VkDeviceSize size = smaller(smaller(2 * region->bytes, def->pageSize), left);
    size = size > needed ? size : needed;
    return size > sknBatchSize(batch, first) ? size : sknBatchSize(batch, first);
}

VkskinResult sknRingReserve(Gpu *gpu, Descriptors *descriptors, PaletteRing *ring, uint32_t slot,
                            const PaletteBatch *batch) {
    PaletteRegion *region = &ring->regions[slot];
    const VkDeviceSize limit = ring->def.maxBytesPerSlot;
    if (limit > 0 && sknBatchBytes(batch, 0) > limit - sknRingTaken(ring, slot)) {
        return VKSKIN_ERROR_PALETTE_RING_FULL;
    }
    VkskinResult result = VKSKIN_SUCCESS;
    uint32_t first = 0;
    for (uint32_t i = region->current; first < batch->count; i++) {
        if (i == region->count) {
            result = limit == 0 ? VKSKIN_ERROR_PALETTE_RING_FULL
                                : addPage(gpu, descriptors, ring, region, nextPageSize(ring, region, batch, first));
        }
        if (result < 0) {
            return result;
        }
        VkDeviceSize bytes = 0;
        first += countFitting(batch, first, &region->pages[i], &bytes);
    }
    return VKSKIN_SUCCESS;
}

VkDeviceSize sknRingTaken(const PaletteRing *ring, uint32_t slot) {
    const PaletteRegion *region = &ring->regions[slot];
    return region->count > 0 ? region->earlier + region->pages[region->current].used : 0;
}

static PaletteRun runAt(const PaletteRegion *region, uint32_t page, VkDeviceSize offset) {
    unsigned char *mapped = region->pages[page].host.memory.mapped;
    return (PaletteRun){.page = page, .offset = offset, .mapped = mapped + offset};
}

bool sknRingTakeTogether(PaletteRing *ring, uint32_t slot, const PaletteBatch *batch, PaletteRun *run) {
    const PaletteRegion *region = &ring->regions[slot];
    if (region->count == 0) {
        return false;
    }
    PalettePage *page = &region->pages[region->current];
    const VkDeviceSize limit = ring->def.maxBytesPerSlot;
    const VkDeviceSize left = limit > 0 ? limit - region->earlier : page->host.size;
    const VkDeviceSize end = smaller(page->host.size, left);
    const VkDeviceSize bytes = sknBatchBytes(batch, 0);
    VkDeviceSize used = atomic_load_explicit(&page->used, memory_order_relaxed);
    do {
        if (bytes > end - used) {
            return false;
        }
    } while (!atomic_compare_exchange_weak_explicit(&page->used, &used, used + bytes, memory_order_relaxed,
                                                    memory_order_relaxed));
    *run = runAt(region, region->current, used);
    run->count = batch->count;
    return true;
}

PaletteRun sknRingTake(PaletteRing *ring, uint32_t slot, const PaletteBatch *batch, uint32_t first) {
    PaletteRegion *region = &ring->regions[slot];
    VkDeviceSize bytes = 0;
    uint32_t count = countFitting(batch, first, &region->pages[region->current], &bytes);
    while (count == 0 && region->current + 1 < region->count) {
        region->earlier += region->pages[region->current++].used;
        count = countFitting(batch, first, &region->pages[region->current], &bytes);
    }
    PalettePage *page = &region->pages[region->current];
    PaletteRun run = runAt(region, region->current, page->used);
    run.first = first;
    run.count = count;
    page->used += bytes;
    return run;
}

VkDeviceSize sknRingRoom(const PaletteRing *ring, uint32_t slot) {
    const PaletteRegion *region = &ring->regions[slot];
    if (ring->def.maxBytesPerSlot > 0) {
        return ring->def.maxBytesPerSlot - sknRingTaken(ring, slot);
    }
    VkDeviceSize most = 0;
    for (uint32_t i = region->current; i < region->count; i++) {
        VkDeviceSize room = pageRoom(&region->pages[i]);
        most = room > most ? room : most;
    }
    return most;
}

uint32_t sknRingPageCount(const PaletteRing *ring, uint32_t slot) {
    return ring->regions[slot].count;
}

PalettePage *sknRingPage(const PaletteRing *ring, uint32_t slot, uint32_t page) {
    return &ring->regions[slot].pages[page];
}

uint32_t sknRingPages(const PaletteRing *ring) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < ring->def.slots; i++) {
        count += ring->regions[i].count;
    }
    return count;
}

bool sknRingHolds(const PaletteRing *ring, uint32_t slot, uint32_t page, VkDeviceSize offset, VkDeviceSize size) {
    return page < sknRingPageCount(ring, slot) && offset % ALIGNMENT == 0 &&
           offset + size <= sknRingPage(ring, slot, page)->used;
}
