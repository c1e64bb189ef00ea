/*
 * palette_ring.h: one region a frame in flight, in pages; a bump allocator in each.
 *
 * The host writes a region only between vkskinBeginFrame of its slot and the submission, the device reads it only
 * after that: they never meet.
 */
#ifndef VKSKIN_PALETTE_RING_H
#define VKSKIN_PALETTE_RING_H

#include "buffer.h"

typedef enum PaletteHome {
    PALETTES_MAPPED, /* written where the kernels read */
    PALETTES_STAGED, /* copied there */
    PALETTES_ON_HOST /* read by the CPU backend */
} PaletteHome;

typedef struct PalettePage {
    Buffer host;         /* mapped; bound to the kernels unless the ring is staged */
    Buffer device;       /* staged rings only: what the kernels read */
    VkBufferView texels; /* of what the kernels read, as far as the device can view */
    VkDescriptorSet set;
    VkDeviceSize used;
    VkDeviceSize copied; /* staged rings: the copies recorded so far reach here */
} PalettePage;

typedef struct PaletteRing {
    PalettePage *pages; /* [slots][pagesPerSlot] */
    uint32_t slots;
    uint32_t pagesPerSlot;
    bool staged;
    uint32_t slot;    /* being written */
    uint32_t current; /* page of the slot that is being filled */
} PaletteRing;

/*
 * Sizes are rounded down to whole 16 bytes. On failure the ring must still be destroyed. Errors: OUT_OF_HOST_MEMORY,
 * OUT_OF_DEVICE_MEMORY, VULKAN.
 */
VkskinResult sknInitRing(Gpu *gpu, Descriptors *descriptors, PaletteRing *ring, uint32_t slots,
                         VkDeviceSize bytesPerSlot, VkDeviceSize pageSize, PaletteHome home);
void sknDestroyRing(Gpu *gpu, PaletteRing *ring);

/* The most bytes that a page may have where the kernels read it as texels. */
VkDeviceSize sknMostTexelBytes(const Gpu *gpu);

/* Empties the slot's region and writes there from now on. */
void sknRingBeginSlot(PaletteRing *ring, uint32_t slot);

/* Takes `size` bytes, aligned to 16; *page counts within the slot. False where no page from `current` on has room. */
bool sknRingTake(PaletteRing *ring, VkDeviceSize size, uint32_t *page, VkDeviceSize *offset);

/* The largest piece that can still be taken, in bytes. */
VkDeviceSize sknRingRoom(const PaletteRing *ring);

/* A page of the slot being written. */
PalettePage *sknRingPage(const PaletteRing *ring, uint32_t page);

#endif
