/*
 * crowd_batch.h: LANES characters of a crowd, posed side by side, a character a lane.
 */
#ifndef VKSKIN_CROWD_BATCH_H
#define VKSKIN_CROWD_BATCH_H

#include "crowd.h"

/* The characters of a batch. Lanes from `active` on repeat an active one and write nothing. */
typedef struct CrowdBatch {
    uint32_t active;
    VkskinPaletteEncoding encoding;
    bool stream; /* past the caches: all palettes are aligned to 64 bytes, in MAT3X4 */
    const CrowdClip *clips[CROWD_LANES];
    uint32_t *cursors[CROWD_LANES]; /* [trackCount] each, within their track's keys */
    double seconds[CROWD_LANES];    /* the clip's time */
    float time[CROWD_LANES];        /* the greatest float that is not after it */
    float rest[CROWD_LANES];        /* and what is left */
    void *palettes[CROWD_LANES];
    VkskinResult results[CROWD_LANES]; /* received: success, a warning or TRANSFORM_NOT_FINITE */
} CrowdBatch;

/* Poses a batch. work: [placeCount][12][LANES], 64-byte aligned. */
typedef void (*CrowdBatchFn)(VkskinPoseBatch crowd, CrowdBatch *batch, float *work);

/* A level's. lanes: how many characters a batch has, at most CROWD_LANES. */
typedef struct CrowdLevel {
    uint32_t lanes;
    CrowdBatchFn pose;
} CrowdLevel;

extern const CrowdLevel sknCrowdPortable;
#if defined(VKSKIN_HAS_AVX2)
extern const CrowdLevel sknCrowdAvx2;
#endif
#if defined(VKSKIN_HAS_AVX512)
extern const CrowdLevel sknCrowdAvx512;
#endif

#endif
