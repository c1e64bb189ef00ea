/*
 * heap_block.h: aligned heap blocks of exactly the requested size, so that a sanitizer detects accesses outside of them.
 */
#ifndef TESTKIT_HEAP_BLOCK_H
#define TESTKIT_HEAP_BLOCK_H

#include <malloc.h>
#include <stddef.h>
#include <stdlib.h>

#if defined(_WIN32)

/* The C library of Windows needs the alignment to find a block's size: the size is stored in front of the block. */
#define HEAP_BLOCK_HEAD 16

static inline void *heapBlock(size_t size, size_t alignment) {
    char *head = _aligned_offset_malloc(HEAP_BLOCK_HEAD + size, alignment, HEAP_BLOCK_HEAD);
    if (head == NULL) {
        return NULL;
    }
    *(size_t *)(void *)head = size;
    return head + HEAP_BLOCK_HEAD;
}

static inline size_t heapBlockSize(void *block) {
    return *(size_t *)(void *)((char *)block - HEAP_BLOCK_HEAD);
}

static inline void heapBlockFree(void *block) {
    _aligned_free((char *)block - HEAP_BLOCK_HEAD);
}

#else

/* Null if there is no memory. alignment: a power of two. */
static inline void *heapBlock(size_t size, size_t alignment) {
    void *block = NULL;
    size_t step = alignment < sizeof(void *) ? sizeof(void *) : alignment;
    return posix_memalign(&block, step, size > 0 ? size : 1) == 0 ? block : NULL;
}

/* Outside of sanitizers a few bytes more than requested. */
static inline size_t heapBlockSize(void *block) {
    return malloc_usable_size(block);
}

/* The block must not be null. */
static inline void heapBlockFree(void *block) {
    free(block);
}

#endif
#endif
