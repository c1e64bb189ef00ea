/*
 * handle_table.h: objects behind handles of index and generation.
 *
 * An object is alive, then retired (its handle is stale; the device may still read its memory), then recycled. Each item
 * starts with a HandleHeader. Items move when the table grows: keep indices, not pointers.
 */
#ifndef VKSKIN_HANDLE_TABLE_H
#define VKSKIN_HANDLE_TABLE_H

#include "host.h"

#define NO_INDEX UINT32_MAX

typedef struct HandleHeader {
    uint32_t generation;
    uint32_t next; /* in the free list, or in a list of retired items; of an item that is alive, free for its owner */
    bool alive;
} HandleHeader;

typedef struct HandleTable {
    const char *kind; /* "mesh": for messages */
    uint32_t itemSize;
    uint32_t firstGeneration; /* differs between contexts, so that handles of other contexts are refused */
    unsigned char *items;
    uint32_t capacity;
    uint32_t freeHead;
    uint32_t aliveCount;
} HandleTable;

void sknInitHandles(HandleTable *table, const char *kind, uint32_t itemSize, uint32_t firstGeneration);
void sknDestroyHandles(HandleTable *table, const VkskinHostAllocator *allocator);

/* Takes an item, clears all but its header, and returns its index; NO_INDEX if there is no host memory. */
uint32_t sknHandleTake(HandleTable *table, const VkskinHostAllocator *allocator);

/* Makes every handle to the item stale. */
void sknHandleRetire(HandleTable *table, uint32_t index);

/* Makes a retired item available again. */
void sknHandleRecycle(HandleTable *table, uint32_t index);

static inline void *sknHandleItem(const HandleTable *table, uint32_t index) {
    return table->items + (size_t)index * table->itemSize;
}

/* The item of a handle, whose index is one more; null for a null or stale handle. */
static inline void *sknHandleGet(const HandleTable *table, uint32_t handleIndex, uint32_t generation) {
    HandleHeader *header = handleIndex - 1u < table->capacity ? sknHandleItem(table, handleIndex - 1u) : NULL;
    return header != NULL && header->alive && header->generation == generation ? header : NULL;
}

/* handleIndex is index + 1. Errors, logged with the name of `call`: NULL_HANDLE, STALE_HANDLE. */
VkskinResult sknHandleFind(const HandleTable *table, const VkskinLogger *logger, const char *call, uint32_t handleIndex,
                           uint32_t generation, uint32_t *index);

#endif
