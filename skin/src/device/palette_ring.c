#include "palette_ring.h"

#define PALETTE_ALIGNMENT ((VkDeviceSize)16)

#define TEXEL_BYTES ((VkDeviceSize)16)

VkDeviceSize sknMaxTexelBytes(const Gpu *gpu) {
    return gpu->limits.maxTexelBufferElements * TEXEL_BYTES;
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
        *view = VK_NULL_HANDLE; /* a failed call may have written anything */
        return result;
    }
    sknNameObject(gpu, VK_OBJECT_TYPE_BUFFER_VIEW, (uint64_t)*view, "vkskin palette texels");
    return VKSKIN_SUCCESS;
}

static VkskinResult initPage(Gpu *gpu, Descriptors *descriptors, PalettePage *page, VkDeviceSize size,
                             PaletteHome home) {
    if (home == PALETTES_ON_HOST) {
        return sknCreateHostBuffer(gpu, size, "palettes", &page->host);
    }
    bool staged = home == PALETTES_STAGED;
    const VkBufferUsageFlags read = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT;
    VkskinResult result = sknCreateBuffer(
        gpu, size, staged ? (VkBufferUsageFlags)VK_BUFFER_USAGE_TRANSFER_SRC_BIT : read,
        staged ? VKSKIN_MEMORY_STAGING : VKSKIN_MEMORY_DYNAMIC, staged ? "palette staging" : "palettes", &page->host);
    if (result >= 0 && staged) {
        result = sknCreateBuffer(gpu, size, read | VK_BUFFER_USAGE_TRANSFER_DST_BIT, VKSKIN_MEMORY_DEVICE, "palettes",
                                 &page->device);
    }
    const Buffer *bound = staged ? &page->device : &page->host;
    if (result >= 0) {
        result = viewPage(gpu, bound, &page->texels);
    }
    return result < 0 ? result : sknCreatePaletteSet(gpu, descriptors, bound, size, page->texels, &page->set);
}

VkskinResult sknInitRing(Gpu *gpu, Descriptors *descriptors, PaletteRing *ring, uint32_t slots,
                         VkDeviceSize bytesPerSlot, VkDeviceSize pageSize, PaletteHome home) {
    bytesPerSlot -= bytesPerSlot % TEXEL_BYTES;
    pageSize -= pageSize % TEXEL_BYTES;
    uint32_t pagesPerSlot = (uint32_t)((bytesPerSlot + pageSize - 1) / pageSize);
    *ring = (PaletteRing){.slots = slots, .pagesPerSlot = pagesPerSlot, .staged = home == PALETTES_STAGED};
    ring->pages = sknHostAllocateArray(gpu->hostAllocator, (size_t)slots * pagesPerSlot, sizeof *ring->pages);
    if (ring->pages == NULL) {
        ring->slots = 0;
        return sknReport(&gpu->logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "no memory for the palette ring");
    }
    VkskinResult result = VKSKIN_SUCCESS;
    for (uint32_t i = 0; result >= 0 && i < slots * pagesPerSlot; i++) {
        VkDeviceSize before = (i % pagesPerSlot) * pageSize;
        VkDeviceSize left = bytesPerSlot - before;
        result = initPage(gpu, descriptors, &ring->pages[i], left < pageSize ? left : pageSize, home);
    }
    return result;
}

void sknDestroyRing(Gpu *gpu, PaletteRing *ring) {
    for (uint32_t i = 0; i < ring->slots * ring->pagesPerSlot; i++) {
        if (ring->pages[i].texels != VK_NULL_HANDLE) {
            gpu->vk.vkDestroyBufferView(gpu->device, ring->pages[i].texels, gpu->allocator);
        }
        sknDestroyBuffer(gpu, &ring->pages[i].host);
        sknDestroyBuffer(gpu, &ring->pages[i].device);
    }
    sknHostFree(gpu->hostAllocator, ring->pages);
    *ring = (PaletteRing){0};
}

void sknRingBeginSlot(PaletteRing *ring, uint32_t slot) {
    ring->slot = slot;
    ring->current = 0;
    for (uint32_t i = 0; i < ring->pagesPerSlot; i++) {
        PalettePage *page = sknRingPage(ring, i);
        page->used = 0;
        page->copied = 0;
    }
}

static VkDeviceSize pageRoom(const PalettePage *page) {
    return page->host.size - page->used;
}

bool sknRingTake(PaletteRing *ring, VkDeviceSize size, uint32_t *page, VkDeviceSize *offset) {
    VkDeviceSize aligned = (size + PALETTE_ALIGNMENT - 1) / PALETTE_ALIGNMENT * PALETTE_ALIGNMENT;
    uint32_t i = ring->current;
    while (i < ring->pagesPerSlot && pageRoom(sknRingPage(ring, i)) < aligned) {
        i++;
    }
    if (i == ring->pagesPerSlot) {
        return false;
    }
    ring->current = i;
    PalettePage *taken = sknRingPage(ring, i);
    *page = i;
    *offset = taken->used;
    taken->used += aligned;
    return true;
}

VkDeviceSize sknRingRoom(const PaletteRing *ring) {
    VkDeviceSize most = 0;
    for (uint32_t i = ring->current; i < ring->pagesPerSlot; i++) {
        VkDeviceSize room = pageRoom(sknRingPage(ring, i));
        most = room > most ? room : most;
    }
    return most;
}

PalettePage *sknRingPage(const PaletteRing *ring, uint32_t page) {
    return &ring->pages[ring->slot * ring->pagesPerSlot + page];
}
