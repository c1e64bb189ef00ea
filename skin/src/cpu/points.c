/*
 * Linear blending in two dimensions with a position per influence, VKSKIN_PALETTE_MAT2X3. Compiled for AVX2 and AVX-512.
 * One lane is one vertex. A vertex's result depends on its block alone, so instances may be skinned in any grouping.
 *
 * Each vertex loads its own bones. Broadcasting the bones that a block shares is slower from about two per influence on.
 */
#include "cpu_run.h"
#include "simd.h"

#if SIMD_WIDTH >= 8

#define ENTRY_FLOATS 6u /* floats of one palette entry */

/* Words `at` to `at` + 3 of each lane's entry, one row per word. */
SIMD_INLINE void loadEntries(const float *palette, const uint32_t *joints, uint32_t at, SimdFloat words[4]) {
    for (uint32_t i = 0; i < 4; i++) {
        words[i] = simdLoadFours(palette + at, ENTRY_FLOATS, joints + i);
    }
    simdTranspose4(words);
}

/* influences: rows of each one's weights, joints, and x and y of its positions. sum: x, y. */
SIMD_INLINE void blendLanes(const Row *influences, uint32_t count, const float *palette, uint32_t lane,
                            SimdFloat sum[2]) {
    sum[0] = sum[1] = simdSplat(0.0f);
    for (uint32_t i = 0; i < count; i++) {
        const Row *rows = influences + (size_t)4 * i;
        const SimdFloat weight = simdLoad(rows[0].f + lane);
        const SimdFloat x = simdLoad(rows[2].f + lane), y = simdLoad(rows[3].f + lane);
        SimdFloat first[4], last[4];
        loadEntries(palette, rows[1].u + lane, 0, first);
        loadEntries(palette, rows[1].u + lane, ENTRY_FLOATS - 4, last);
        const SimdFloat movedX = simdMultiplyAdd(first[0], x, simdMultiplyAdd(first[1], y, first[2]));
        const SimdFloat movedY = simdMultiplyAdd(first[3], x, simdMultiplyAdd(last[2], y, last[3]));
        sum[0] = simdMultiplyAdd(weight, movedX, sum[0]);
        sum[1] = simdMultiplyAdd(weight, movedY, sum[1]);
    }
}

/* to: LANES points. */
SIMD_INLINE void blendBlock(const Row *influences, uint32_t count, const float *palette, float *to) {
    for (uint32_t lane = 0; lane < LANES; lane += SIMD_WIDTH) {
        SimdFloat sum[2], joined[2];
        blendLanes(influences, count, palette, lane, sum);
        simdInterleave2(sum[0], sum[1], joined);
        simdStore(to + (size_t)2 * lane, joined[0]);
        simdStore(to + (size_t)2 * lane + SIMD_WIDTH, joined[1]);
    }
}

void SIMD_NAME(sknPointRun)(const CpuRunWork *work) {
    for (uint32_t first = 0; first < work->run->vertexCount; first += LANES) {
        const uint32_t left = work->run->vertexCount - first;
        uint32_t count;
        const Row *influences = sknRunBlock(work->mesh, work->run, first / LANES, &count) + work->mesh->map.influences;
        for (uint32_t i = 0; i < work->count; i++) {
            const float *palette = work->targets[i].command->palette;
            float *to = work->targets[i].positions + (size_t)2 * first;
            if (left >= LANES && !work->stream) {
                blendBlock(influences, count, palette, to);
                continue;
            }
            _Alignas(SIMD_LINE) float points[LANES * 2];
            blendBlock(influences, count, palette, points);
            simdCopyWords(to, points, 2 * (left < LANES ? left : LANES), work->stream);
        }
    }
}

#endif
