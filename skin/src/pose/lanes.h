/*
 * lanes.h: LANES floats side by side, for a file that is compiled once for each width: 16 for AVX-512, 8 for AVX2, 4 or
 * 1 otherwise. The compiler's own vectors do the arithmetic; here is what they lack.
 */
#ifndef VKSKIN_LANES_H
#define VKSKIN_LANES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

/* Compilers that know vectors and their shuffles; for others a lane is a float. */
#if defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define LANES_ARE_VECTORS 1
#endif
#endif

#if defined(__AVX512DQ__) && defined(__AVX512VL__)
#define LANES 16
#elif defined(__AVX2__)
#define LANES 8
#elif defined(LANES_ARE_VECTORS)
#define LANES 4
#else
#define LANES 1
#endif

#if defined(__GNUC__)
#define LANES_APART __attribute__((noinline))
#else
#define LANES_APART
#endif

#if LANES > 1
typedef float Lanes __attribute__((vector_size(LANES * 4)));
typedef int32_t LanesMask __attribute__((vector_size(LANES * 4)));
#define SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
typedef float Lanes;
typedef int32_t LanesMask;
#endif

/* From and to memory of any alignment. */
static inline Lanes lanesLoad(const void *from) {
    Lanes value;
    memcpy(&value, from, sizeof value);
    return value;
}

static inline void lanesStore(float *to, Lanes value) {
    memcpy(to, &value, sizeof value);
}

/* Past the caches where the instructions are there; `to` is aligned to all lanes. */
static inline void lanesStream(float *to, Lanes value) {
#if LANES == 16
    _mm512_stream_ps(to, value);
#elif LANES == 8
    _mm256_stream_ps(to, value);
#else
    lanesStore(to, value);
#endif
}

/* Streams of this thread are seen by whoever sees what it writes after. */
static inline void lanesFence(void) {
#if LANES >= 8
    _mm_sfence();
#endif
}

static inline Lanes lanesAll(float value) {
    return value + (Lanes){0};
}

/* A bit for each lane whose mask is set. */
static inline uint32_t lanesBits(LanesMask mask) {
#if LANES == 16
    return _mm512_movepi32_mask((__m512i)mask);
#elif LANES == 8
    return (uint32_t)_mm256_movemask_ps((__m256)mask);
#elif LANES == 4
    return (mask[0] != 0 ? 1u : 0) | (mask[1] != 0 ? 2u : 0) | (mask[2] != 0 ? 4u : 0) | (mask[3] != 0 ? 8u : 0);
#else
    return mask != 0 ? 1u : 0;
#endif
}

/* rows: LANES vectors; columns[c] receives element c of each row. */

#if LANES == 16
/* Four rows, of each of their quarters: quarter q of to[c] is column 4 q + c. */
static inline void transposeQuarters(const Lanes *rows, Lanes *to) {
    const Lanes a = (Lanes)_mm512_unpacklo_ps(rows[0], rows[1]);
    const Lanes b = (Lanes)_mm512_unpackhi_ps(rows[0], rows[1]);
    const Lanes c = (Lanes)_mm512_unpacklo_ps(rows[2], rows[3]);
    const Lanes d = (Lanes)_mm512_unpackhi_ps(rows[2], rows[3]);
    to[0] = (Lanes)_mm512_unpacklo_pd((__m512d)a, (__m512d)c);
    to[1] = (Lanes)_mm512_unpackhi_pd((__m512d)a, (__m512d)c);
    to[2] = (Lanes)_mm512_unpacklo_pd((__m512d)b, (__m512d)d);
    to[3] = (Lanes)_mm512_unpackhi_pd((__m512d)b, (__m512d)d);
}

static inline void lanesTranspose(const Lanes rows[LANES], Lanes columns[LANES]) {
    Lanes part[16];
    transposeQuarters(rows, part);
    transposeQuarters(rows + 4, part + 4);
    transposeQuarters(rows + 8, part + 8);
    transposeQuarters(rows + 12, part + 12);
    for (int c = 0; c < 4; ++c) {
        const Lanes even01 = (Lanes)_mm512_shuffle_f32x4(part[c], part[4 + c], 0x88);
        const Lanes odd01 = (Lanes)_mm512_shuffle_f32x4(part[c], part[4 + c], 0xdd);
        const Lanes even23 = (Lanes)_mm512_shuffle_f32x4(part[8 + c], part[12 + c], 0x88);
        const Lanes odd23 = (Lanes)_mm512_shuffle_f32x4(part[8 + c], part[12 + c], 0xdd);
        columns[c] = (Lanes)_mm512_shuffle_f32x4(even01, even23, 0x88);
        columns[4 + c] = (Lanes)_mm512_shuffle_f32x4(odd01, odd23, 0x88);
        columns[8 + c] = (Lanes)_mm512_shuffle_f32x4(even01, even23, 0xdd);
        columns[12 + c] = (Lanes)_mm512_shuffle_f32x4(odd01, odd23, 0xdd);
    }
}
#elif LANES == 8
/* Four rows, of each of their halves: half h of to[c] is column 4 h + c. */
static inline void transposeHalves(const Lanes *rows, Lanes *to) {
    const Lanes a = SHUFFLE(rows[0], rows[1], 0, 8, 1, 9, 4, 12, 5, 13);
    const Lanes b = SHUFFLE(rows[0], rows[1], 2, 10, 3, 11, 6, 14, 7, 15);
    const Lanes c = SHUFFLE(rows[2], rows[3], 0, 8, 1, 9, 4, 12, 5, 13);
    const Lanes d = SHUFFLE(rows[2], rows[3], 2, 10, 3, 11, 6, 14, 7, 15);
    to[0] = SHUFFLE(a, c, 0, 1, 8, 9, 4, 5, 12, 13);
    to[1] = SHUFFLE(a, c, 2, 3, 10, 11, 6, 7, 14, 15);
    to[2] = SHUFFLE(b, d, 0, 1, 8, 9, 4, 5, 12, 13);
    to[3] = SHUFFLE(b, d, 2, 3, 10, 11, 6, 7, 14, 15);
}

static inline void lanesTranspose(const Lanes rows[LANES], Lanes columns[LANES]) {
    Lanes part[8];
    transposeHalves(rows, part);
    transposeHalves(rows + 4, part + 4);
    for (int c = 0; c < 4; ++c) {
        columns[c] = SHUFFLE(part[c], part[4 + c], 0, 1, 2, 3, 8, 9, 10, 11);
        columns[4 + c] = SHUFFLE(part[c], part[4 + c], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}
#elif LANES == 4
static inline void lanesTranspose(const Lanes rows[LANES], Lanes columns[LANES]) {
    const Lanes a = SHUFFLE(rows[0], rows[1], 0, 4, 1, 5);
    const Lanes b = SHUFFLE(rows[0], rows[1], 2, 6, 3, 7);
    const Lanes c = SHUFFLE(rows[2], rows[3], 0, 4, 1, 5);
    const Lanes d = SHUFFLE(rows[2], rows[3], 2, 6, 3, 7);
    columns[0] = SHUFFLE(a, c, 0, 1, 4, 5);
    columns[1] = SHUFFLE(a, c, 2, 3, 6, 7);
    columns[2] = SHUFFLE(b, d, 0, 1, 4, 5);
    columns[3] = SHUFFLE(b, d, 2, 3, 6, 7);
}
#else
static inline void lanesTranspose(const Lanes rows[LANES], Lanes columns[LANES]) {
    columns[0] = rows[0];
}
#endif

#endif
