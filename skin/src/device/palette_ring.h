/*
 * palette_ring.h: palette memory: one region per frame in flight. A region is pages; each page has a bump allocator.
 *
 * The host writes a region between vkskinBeginFrame of its slot and the submission. The device reads it after that. A
 * region grows by pages, which it keeps. Descriptors of a page are written once.
 *
 * Several calls may take palettes from the current page at the same time. To go on to another page needs the ring alone.
 */
#ifndef VKSKIN_PALETTE_RING_H
#define VKSKIN_PALETTE_RING_H

#include <stdatomic.h>

#include "buffer.h"

typedef enum PaletteHome {
    PALETTES_MAPPED, /* the host writes the memory that the kernels read */
    PALETTES_STAGED, /* the host writes staging memory, and a copy is recorded */
    PALETTES_ON_HOST /* the CPU backend reads host memory */
} PaletteHome;

typedef struct PalettePage {
    Buffer host;         /* mapped; the kernels read it unless the ring is staged */
    Buffer device;       /* staged rings only: the kernels read it */
    VkBufferView texels; /* view of the buffer that the kernels read, up to the device's limit */
    VkDescriptorSet set;
    _Atomic VkDeviceSize used; /* several calls may take palettes at the same time */
    VkDeviceSize copied;       /* staged rings: copies up to here are recorded */
} PalettePage;

typedef struct PaletteRegion {
    PalettePage *pages; /* [count]; they move when a page is added */
    uint32_t count, capacity;
    uint32_t current;     /* the page that is being filled */
    VkDeviceSize bytes;   /* total bytes of all pages */
    VkDeviceSize earlier; /* bytes of this frame's palettes in the pages before the current one */
} PaletteRegion;

typedef struct PaletteRingDef {
    uint32_t slots;
    PaletteHome home;
    VkBufferUsageFlags usage;     /* usage of the buffers that the kernels read */
    VkDeviceSize bytesPerSlot;    /* initial bytes */
    VkDeviceSize maxBytesPerSlot; /* maximum bytes of palettes in one frame; 0: regions do not grow */
    VkDeviceSize pageSize;        /* bytes of a page; a larger palette gets its own larger page */
    VkDeviceSize maxPageSize;     /* maximum bytes of a page that the kernels can read */
} PaletteRingDef;

typedef struct PaletteRing {
    PaletteRingDef def;
    bool staged;
    PaletteRegion regions[VKSKIN_MAX_FRAMES_IN_FLIGHT];
} PaletteRing;

/* The palettes of one call. */
typedef struct PaletteBatch {
    uint32_t count;
    uint32_t stride;            /* bytes per bone */
    uint32_t boneCount;         /* bones of each palette, if boneCounts is null */
    const uint32_t *boneCounts; /* [count], or null */
} PaletteBatch;

static inline uint32_t sknBatchBones(const PaletteBatch *batch, uint32_t index) {
    return batch->boneCounts != NULL ? batch->boneCounts[index] : batch->boneCount;
}

/* Bytes of a palette, a multiple of 16. */
VkDeviceSize sknBatchSize(const PaletteBatch *batch, uint32_t index);

/* The same of all palettes from `first` on. None is larger than the ring's maxPageSize. */
VkDeviceSize sknBatchBytes(const PaletteBatch *batch, uint32_t first);

/*
 * Sizes are rounded down to multiples of 16 bytes. After a failure the ring must still be destroyed. Errors:
 * OUT_OF_HOST_MEMORY, OUT_OF_DEVICE_MEMORY, VULKAN.
 */
VkskinResult sknInitRing(Gpu *gpu, Descriptors *descriptors, PaletteRing *ring, const PaletteRingDef *def);
void sknDestroyRing(Gpu *gpu, PaletteRing *ring);

/* Maximum bytes of a page that the kernels read as texels. */
VkDeviceSize sknMaxTexelBytes(const Gpu *gpu);

/* Empties the slot's region. */
void sknRingBeginSlot(PaletteRing *ring, uint32_t slot);

/* Palettes of a batch that lie one after the other in a page. */
typedef struct PaletteRun {
    uint32_t first, count;
    uint32_t page;
    VkDeviceSize offset;
    unsigned char *mapped; /* the bytes at the offset; they stay mapped as long as the ring exists */
} PaletteRun;

/* Takes the whole batch from the current page. False, and nothing is taken, if it does not fit there. Any thread. */
bool sknRingTakeTogether(PaletteRing *ring, uint32_t slot, const PaletteBatch *batch, PaletteRun *run);

/*
 * Makes room for the batch in the slot's region, adds pages if necessary. Takes nothing. Needs the ring alone. Errors:
 * PALETTE_RING_FULL (not logged) at the limit, OUT_OF_HOST_MEMORY, OUT_OF_DEVICE_MEMORY, VULKAN.
 */
VkskinResult sknRingReserve(Gpu *gpu, Descriptors *descriptors, PaletteRing *ring, uint32_t slot,
                            const PaletteBatch *batch);

/* Takes as many palettes of a reserved batch from `first` on as fit the first page with room for one. Needs the ring
 * alone. */
PaletteRun sknRingTake(PaletteRing *ring, uint32_t slot, const PaletteBatch *batch, uint32_t first);

/* Bytes of this frame's palettes in the slot's region. */
VkDeviceSize sknRingTaken(const PaletteRing *ring, uint32_t slot);

/* Bytes that palettes can still take in the slot's frame: as one palette, or with a limit as any number. */
VkDeviceSize sknRingRoom(const PaletteRing *ring, uint32_t slot);

/* Whether `size` bytes from `offset` on were taken from this page, as far as the ring knows. */
bool sknRingHolds(const PaletteRing *ring, uint32_t slot, uint32_t page, VkDeviceSize offset, VkDeviceSize size);

/* The buffer that the kernels read. */
static inline const Buffer *sknDeviceBuffer(const PaletteRing *ring, const PalettePage *page) {
    return ring->staged ? &page->device : &page->host;
}

/* Pages of a region, and one of them. */
uint32_t sknRingPageCount(const PaletteRing *ring, uint32_t slot);
PalettePage *sknRingPage(const PaletteRing *ring, uint32_t slot, uint32_t page);

/* Pages of all regions. */
uint32_t sknRingPages(const PaletteRing *ring);

#endif
