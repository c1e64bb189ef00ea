/*
 * palette_ring.h: palette memory: one region per frame in flight. A region is pages; each page has a bump allocator.
 *
 * The host writes a region between vkskinBeginFrame of its slot and the submission. The device reads it after that.
 */
#ifndef VKSKIN_PALETTE_RING_H
#define VKSKIN_PALETTE_RING_H

#include "buffer.h"

typedef enum PaletteHome {
    PALETTES_MAPPED, /* the host writes the memory that the kernels read */
    PALETTES_STAGED, /* a copy is recorded */
    PALETTES_ON_HOST /* the CPU backend reads host memory */
} PaletteHome;

typedef struct PalettePage {
    Buffer host;         /* mapped; the kernels read it unless the ring is staged */
    Buffer device;       /* staged rings only: the kernels read it */
    VkBufferView texels; /* a view of the buffer that the kernels read, up to the device's limit */
    VkDescriptorSet set;
    VkDeviceSize used;
    VkDeviceSize copied; /* staged rings: copies up to here are recorded */
} PalettePage;

typedef struct PaletteRing {
    PalettePage *pages; /* [slots][pagesPerSlot] */
    uint32_t slots;
    uint32_t pagesPerSlot;
    bool staged;
    uint32_t slot;    /* of the current frame */
    uint32_t current; /* the page of the slot that is being filled */
} PaletteRing;

/*
 * Sizes are rounded down to multiples of 16 bytes. After a failure the ring must still be destroyed. Errors: OUT_OF_HOST_MEMORY,
 * OUT_OF_DEVICE_MEMORY, VULKAN.
 */
VkskinResult sknInitRing(Gpu *gpu, Descriptors *descriptors, PaletteRing *ring, uint32_t slots,
                         VkDeviceSize bytesPerSlot, VkDeviceSize pageSize, PaletteHome home);
void sknDestroyRing(Gpu *gpu, PaletteRing *ring);

/* Maximum bytes of a page that the kernels read as texels. */
VkDeviceSize sknMaxTexelBytes(const Gpu *gpu);

/* Empties the slot's region and makes it the current one. */
void sknRingBeginSlot(PaletteRing *ring, uint32_t slot);

/* Takes `size` bytes, aligned to 16. *page is an index within the slot. False if no page from `current` on has room. */
bool sknRingTake(PaletteRing *ring, VkDeviceSize size, uint32_t *page, VkDeviceSize *offset);

/* The largest number of bytes that can still be taken at once. */
VkDeviceSize sknRingRoom(const PaletteRing *ring);

/* A page of the current slot. */
PalettePage *sknRingPage(const PaletteRing *ring, uint32_t page);

#endif
