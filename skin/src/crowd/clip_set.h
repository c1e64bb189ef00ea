/*
 * clip_set.h: a clip set in the form that kernels and CPU read: a packed block of vkskin_pack.h with tables to find
 * things in it fast. One array of words without pointers; offsets count from its start, so that it may lie anywhere.
 */
#ifndef VKSKIN_CLIP_SET_H
#define VKSKIN_CLIP_SET_H

#include "host.h"

typedef struct ClipSetData {
    Arena arena;
    uint32_t *words; /* [wordCount]: what the device reads */
    uint32_t wordCount;
    const void *block; /* the block in `words` */
    uint32_t nodeCount;
    uint32_t clipCount;     /* 1 to 65,535 */
    const float *durations; /* [clipCount]: seconds, at least 0 */
    const uint32_t *places; /* [nodeCount]: of a node in the order of the tables */
} ClipSetData;

/*
 * Checks and copies a block. Errors: INVALID_VALUE (no clips, or too many), ANIMATION_VERSION, ANIMATION_DATA,
 * OUT_OF_HOST_MEMORY; *data is then empty.
 */
VkskinResult sknMakeClipSet(const Host *host, const void *block, size_t size, ClipSetData *data);
void sknFreeClipSet(ClipSetData *data);

#endif
