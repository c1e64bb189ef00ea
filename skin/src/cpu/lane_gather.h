/*
 * lane_gather.h: palette entries brought into lanes: each lane's own entry is read, and four numbers of it become four
 * rows. Turned in registers, so that a row is stored at once: one put together of small stores would wait for them.
 */
#ifndef VKSKIN_LANE_GATHER_H
#define VKSKIN_LANE_GATHER_H

#include "lane_block.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

typedef struct Palette {
    const unsigned char *bytes;
    uint32_t stride; /* bytes of an entry */
} Palette;

/* The four words from word `at` of a lane's entry. */
LANE_INLINE const void *entryOf(const Palette *palette, const Row *joints, uint32_t lane, uint32_t at) {
    return palette->bytes + (size_t)joints->u[lane] * palette->stride + 4 * (size_t)at;
}

#if defined(__AVX512F__)
LANE_INLINE __m512 fourEntries(const Palette *palette, const Row *joints, uint32_t lane, uint32_t at) {
    __m512 v = _mm512_castps128_ps512(_mm_loadu_ps(entryOf(palette, joints, lane, at)));
    v = _mm512_insertf32x4(v, _mm_loadu_ps(entryOf(palette, joints, lane + 4, at)), 1);
    v = _mm512_insertf32x4(v, _mm_loadu_ps(entryOf(palette, joints, lane + 8, at)), 2);
    return _mm512_insertf32x4(v, _mm_loadu_ps(entryOf(palette, joints, lane + 12, at)), 3);
}

LANE_INLINE void gatherQuad(const Palette *palette, const Row *joints, uint32_t at, Row rows[4]) {
    __m512 a = fourEntries(palette, joints, 0, at);
    __m512 b = fourEntries(palette, joints, 1, at);
    __m512 c = fourEntries(palette, joints, 2, at);
    __m512 d = fourEntries(palette, joints, 3, at);
    __m512 ab = _mm512_unpacklo_ps(a, b);
    __m512 cd = _mm512_unpacklo_ps(c, d);
    _mm512_storeu_ps(rows[0].f, _mm512_shuffle_ps(ab, cd, 0x44));
    _mm512_storeu_ps(rows[1].f, _mm512_shuffle_ps(ab, cd, 0xee));
    ab = _mm512_unpackhi_ps(a, b);
    cd = _mm512_unpackhi_ps(c, d);
    _mm512_storeu_ps(rows[2].f, _mm512_shuffle_ps(ab, cd, 0x44));
    _mm512_storeu_ps(rows[3].f, _mm512_shuffle_ps(ab, cd, 0xee));
}
#elif defined(__AVX2__)
LANE_INLINE __m256 twoEntries(const Palette *palette, const Row *joints, uint32_t lane, uint32_t at) {
    __m256 v = _mm256_castps128_ps256(_mm_loadu_ps(entryOf(palette, joints, lane, at)));
    return _mm256_insertf128_ps(v, _mm_loadu_ps(entryOf(palette, joints, lane + 4, at)), 1);
}

LANE_INLINE void gatherQuad(const Palette *palette, const Row *joints, uint32_t at, Row rows[4]) {
    for (uint32_t lane = 0; lane < LANES; lane += 8) {
        __m256 a = twoEntries(palette, joints, lane, at);
        __m256 b = twoEntries(palette, joints, lane + 1, at);
        __m256 c = twoEntries(palette, joints, lane + 2, at);
        __m256 d = twoEntries(palette, joints, lane + 3, at);
        __m256 ab = _mm256_unpacklo_ps(a, b);
        __m256 cd = _mm256_unpacklo_ps(c, d);
        _mm256_storeu_ps(rows[0].f + lane, _mm256_shuffle_ps(ab, cd, 0x44));
        _mm256_storeu_ps(rows[1].f + lane, _mm256_shuffle_ps(ab, cd, 0xee));
        ab = _mm256_unpackhi_ps(a, b);
        cd = _mm256_unpackhi_ps(c, d);
        _mm256_storeu_ps(rows[2].f + lane, _mm256_shuffle_ps(ab, cd, 0x44));
        _mm256_storeu_ps(rows[3].f + lane, _mm256_shuffle_ps(ab, cd, 0xee));
    }
}
#elif defined(__SSE2__)
LANE_INLINE void gatherQuad(const Palette *palette, const Row *joints, uint32_t at, Row rows[4]) {
    for (uint32_t lane = 0; lane < LANES; lane += 4) {
        __m128 a = _mm_loadu_ps(entryOf(palette, joints, lane, at));
        __m128 b = _mm_loadu_ps(entryOf(palette, joints, lane + 1, at));
        __m128 c = _mm_loadu_ps(entryOf(palette, joints, lane + 2, at));
        __m128 d = _mm_loadu_ps(entryOf(palette, joints, lane + 3, at));
        _MM_TRANSPOSE4_PS(a, b, c, d);
        _mm_storeu_ps(rows[0].f + lane, a);
        _mm_storeu_ps(rows[1].f + lane, b);
        _mm_storeu_ps(rows[2].f + lane, c);
        _mm_storeu_ps(rows[3].f + lane, d);
    }
}
#else
LANE_INLINE void gatherQuad(const Palette *palette, const Row *joints, uint32_t at, Row rows[4]) {
    for (uint32_t lane = 0; lane < LANES; lane++) {
        float entry[4];
        memcpy(entry, entryOf(palette, joints, lane, at), sizeof entry);
        for (uint32_t w = 0; w < 4; w++) {
            rows[w].f[lane] = entry[w];
        }
    }
}
#endif

#endif
