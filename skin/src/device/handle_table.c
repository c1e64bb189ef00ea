#include "handle_table.h"

#include <string.h>

void sknInitHandles(HandleTable *table, const char *kind, uint32_t itemSize, uint32_t firstGeneration) {
    *table =
        (HandleTable){.kind = kind, .itemSize = itemSize, .firstGeneration = firstGeneration, .freeHead = NO_INDEX};
}

void sknDestroyHandles(HandleTable *table, const VkskinHostAllocator *allocator) {
    sknHostFree(allocator, table->items);
    *table = (HandleTable){0};
}

static bool growHandles(HandleTable *table, const VkskinHostAllocator *allocator) {
    uint32_t before = table->capacity;
    void *grown = sknHostReserve(allocator, table->items, before + 1, &table->capacity, table->itemSize);
    if (grown == NULL) {
        return false;
    }
    table->items = grown;
    for (uint32_t i = table->capacity; i-- > before;) {
        HandleHeader *header = sknHandleItem(table, i);
        *header = (HandleHeader){.generation = table->firstGeneration, .next = table->freeHead};
        table->freeHead = i;
    }
    return true;
}

uint32_t sknHandleTake(HandleTable *table, const VkskinHostAllocator *allocator) {
    if (table->freeHead == NO_INDEX && !growHandles(table, allocator)) {
        return NO_INDEX;
    }
    uint32_t index = table->freeHead;
    HandleHeader *header = sknHandleItem(table, index);
    table->freeHead = header->next;
    uint32_t generation = header->generation;
    memset(header, 0, table->itemSize);
    *header = (HandleHeader){.generation = generation, .next = NO_INDEX, .alive = true};
    table->aliveCount++;
    return index;
}

void sknHandleRetire(HandleTable *table, uint32_t index) {
    HandleHeader *header = sknHandleItem(table, index);
    header->alive = false;
    header->generation++;
    table->aliveCount--;
}

void sknHandleRecycle(HandleTable *table, uint32_t index) {
    HandleHeader *header = sknHandleItem(table, index);
    header->next = table->freeHead;
    table->freeHead = index;
}

VkskinResult sknHandleFind(const HandleTable *table, const VkskinLogger *logger, const char *call, uint32_t handleIndex,
                           uint32_t generation, uint32_t *index) {
    if (handleIndex == 0) {
        return sknReport(logger, VKSKIN_ERROR_NULL_HANDLE, "%s: the %s handle is null", call, table->kind);
    }
    if (sknHandleGet(table, handleIndex, generation) == NULL) {
        return sknReport(logger, VKSKIN_ERROR_STALE_HANDLE, "%s: the %s handle (%u, %u) is stale or of another context",
                         call, table->kind, handleIndex, generation);
    }
    *index = handleIndex - 1;
    return VKSKIN_SUCCESS;
}
