/*
 * simd.h: vectors of SIMD_WIDTH floats, for sources that are compiled once per instruction level (cpu_levels.cmake).
 * The level that a source is compiled for selects the width and the instructions:
 *
 *     AVX-512   SIMD_WIDTH 16
 *     AVX2      SIMD_WIDTH 8, with FMA
 *     portable  SIMD_WIDTH 4, or 1 if the compiler has no vector types
 *
 * Types, with one element per lane:
 *     SimdFloat   floats; also takes + - * / with another SimdFloat or a float constant
 *     SimdInt     32-bit integers; AVX2 and AVX-512 only
 *     SimdMask    true or false
 *
 * Every level has the operations of "All levels". The rest needs AVX2.
 */
#ifndef VKSKIN_SIMD_H
#define VKSKIN_SIMD_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#if defined(__GNUC__)
#define SIMD_INLINE   static inline __attribute__((always_inline))
#define SIMD_NOINLINE __attribute__((noinline))
#else
#define SIMD_INLINE static inline
#define SIMD_NOINLINE
#endif

/* The name of a function at the level that the source is compiled for: SIMD_NAME(sknSkinRun) is sknSkinRunAvx2. */
#define SIMD_NAME(name)          SIMD_JOIN(name, VKSKIN_SIMD_LEVEL)
#define SIMD_JOIN(name, level)   SIMD_CONCAT(name, level)
#define SIMD_CONCAT(name, level) name##level

#if defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define SIMD_HAS_VECTORS 1
#endif
#endif

#if defined(__AVX512DQ__) && defined(__AVX512VL__)
#define SIMD_WIDTH 16
typedef __m512 SimdFloat;
typedef __m512i SimdInt;
typedef __mmask16 SimdMask;
#elif defined(__AVX2__) && defined(__FMA__)
#define SIMD_WIDTH 8
typedef __m256 SimdFloat;
typedef __m256i SimdInt;
typedef __m256 SimdMask; /* all bits of a lane or none */
#elif defined(SIMD_HAS_VECTORS)
#define SIMD_WIDTH 4
typedef float SimdFloat __attribute__((vector_size(16)));
typedef int32_t SimdMask __attribute__((vector_size(16))); /* -1 or 0 */
#else
#define SIMD_WIDTH 1
typedef float SimdFloat;
typedef int32_t SimdMask;
#endif

/* ---- All levels: memory ---- */

/* From any alignment. */
SIMD_INLINE SimdFloat simdLoad(const float *from) {
    SimdFloat value;
    memcpy(&value, from, sizeof value);
    return value;
}

/* To any alignment. */
SIMD_INLINE void simdStore(float *to, SimdFloat value) {
    memcpy(to, &value, sizeof value);
}

/* A cache line: streaming stores are fast if they fill whole lines, and several times slower than plain ones if not. */
#define SIMD_LINE 64u

static inline bool simdOnLine(const void *address) {
    return (uintptr_t)address % SIMD_LINE == 0;
}

/* Copies 4-byte aligned words. stream: writes whole lines past the caches if `to` is aligned to a line and the
 * processor can; call simdFence afterwards. */
static inline void simdCopyWords(void *to, const void *from, uint32_t words, bool stream) {
    uint32_t at = 0;
#if defined(__SSE2__)
    uint32_t whole = stream && simdOnLine(to) ? words / (SIMD_LINE / 4) * (SIMD_LINE / 4) : 0;
    for (; at < whole; at += 4) {
        __m128i four = _mm_loadu_si128((const __m128i *)(const void *)((const uint32_t *)from + at));
        _mm_stream_si128((__m128i *)(void *)((uint32_t *)to + at), four);
    }
#else
    (void)stream;
#endif
    memcpy((uint32_t *)to + at, (const uint32_t *)from + at, 4 * (size_t)(words - at));
}

/* Orders this thread's streaming stores before its later stores. */
static inline void simdFence(void) {
#if defined(__SSE2__)
    _mm_sfence();
#endif
}

/* ---- All levels: operations that differ ---- */

/* SIMD_OP(add_ps) is the intrinsic function for the width. */
#if SIMD_WIDTH == 16
#define SIMD_OP(operation)           _mm512_##operation
#define simdCompare(a, b, predicate) _mm512_cmp_ps_mask(a, b, predicate)
#elif SIMD_WIDTH == 8
#define SIMD_OP(operation)           _mm256_##operation
#define simdCompare(a, b, predicate) _mm256_cmp_ps(a, b, predicate)
#endif

#if SIMD_WIDTH >= 8

/* To memory aligned to the vector, past the caches where the level has such a store. */
SIMD_INLINE void simdStream(float *to, SimdFloat value) {
    SIMD_OP(stream_ps)(to, value);
}

SIMD_INLINE SimdFloat simdSplat(float value) {
    return SIMD_OP(set1_ps)(value);
}

SIMD_INLINE SimdMask simdLess(SimdFloat a, SimdFloat b) {
    return simdCompare(a, b, _CMP_LT_OQ);
}

SIMD_INLINE SimdMask simdLessOrEqual(SimdFloat a, SimdFloat b) {
    return simdCompare(a, b, _CMP_LE_OQ);
}

SIMD_INLINE SimdMask simdIsNan(SimdFloat v) {
    return simdCompare(v, v, _CMP_UNORD_Q);
}

#else

SIMD_INLINE void simdStream(float *to, SimdFloat value) {
    simdStore(to, value);
}

SIMD_INLINE SimdFloat simdSplat(float value) {
    return value + (SimdFloat){0};
}

SIMD_INLINE SimdMask simdLess(SimdFloat a, SimdFloat b) {
    return a < b;
}

SIMD_INLINE SimdMask simdLessOrEqual(SimdFloat a, SimdFloat b) {
    return a <= b;
}

SIMD_INLINE SimdMask simdIsNan(SimdFloat v) {
    return v != v; /* NOLINT(misc-redundant-expression): true for NaN only */
}
#endif

SIMD_INLINE SimdMask simdOr(SimdMask a, SimdMask b) {
#if SIMD_WIDTH == 8
    return _mm256_or_ps(a, b);
#else
    return (SimdMask)(a | b);
#endif
}

SIMD_INLINE SimdMask simdAnd(SimdMask a, SimdMask b) {
#if SIMD_WIDTH == 8
    return _mm256_and_ps(a, b);
#else
    return (SimdMask)(a & b);
#endif
}

/* One bit per lane, the first lane in the lowest. */
SIMD_INLINE uint32_t simdMaskBits(SimdMask mask) {
#if SIMD_WIDTH == 16
    return mask;
#elif SIMD_WIDTH == 8
    return (uint32_t)_mm256_movemask_ps(mask);
#elif SIMD_WIDTH == 4 && defined(__SSE2__)
    return (uint32_t)_mm_movemask_ps((SimdFloat)mask);
#elif SIMD_WIDTH == 4
    return (mask[0] != 0 ? 1u : 0) | (mask[1] != 0 ? 2u : 0) | (mask[2] != 0 ? 4u : 0) | (mask[3] != 0 ? 8u : 0);
#else
    return mask != 0 ? 1u : 0;
#endif
}

#if SIMD_WIDTH > 1
/* Four floats per group of four lanes: group g from base + stride * indices[4 g]. stride: in floats. */
SIMD_INLINE SimdFloat simdLoadFours(const float *base, size_t stride, const uint32_t *indices) {
#if SIMD_WIDTH == 16
    SimdFloat v = _mm512_castps128_ps512(_mm_loadu_ps(base + stride * indices[0]));
    v = _mm512_insertf32x4(v, _mm_loadu_ps(base + stride * indices[4]), 1);
    v = _mm512_insertf32x4(v, _mm_loadu_ps(base + stride * indices[8]), 2);
    return _mm512_insertf32x4(v, _mm_loadu_ps(base + stride * indices[12]), 3);
#elif SIMD_WIDTH == 8
    SimdFloat v = _mm256_castps128_ps256(_mm_loadu_ps(base + stride * indices[0]));
    return _mm256_insertf128_ps(v, _mm_loadu_ps(base + stride * indices[4]), 1);
#else
    return simdLoad(base + stride * indices[0]);
#endif
}
#endif

#if SIMD_WIDTH > 1
/* Four floats, the same in each group of four lanes. */
SIMD_INLINE SimdFloat simdSplatFours(const float four[4]) {
#if SIMD_WIDTH == 16
    return _mm512_broadcast_f32x4(_mm_loadu_ps(four));
#elif SIMD_WIDTH == 8
    return _mm256_broadcast_ps((const __m128 *)(const void *)four);
#else
    return simdLoad(four);
#endif
}
#endif

#if SIMD_WIDTH == 4
SIMD_INLINE SimdFloat simdAbs(SimdFloat v) {
    return (SimdFloat)((SimdMask)v & 0x7fffffff);
}
#elif SIMD_WIDTH == 1
SIMD_INLINE SimdFloat simdAbs(SimdFloat v) {
    return fabsf(v);
}
#endif

#if SIMD_WIDTH == 4
SIMD_INLINE SimdFloat simdSelect(SimdMask mask, SimdFloat ifTrue, SimdFloat ifFalse) {
    return (SimdFloat)(((SimdMask)ifTrue & mask) | ((SimdMask)ifFalse & ~mask));
}
#elif SIMD_WIDTH == 1
SIMD_INLINE SimdFloat simdSelect(SimdMask mask, SimdFloat ifTrue, SimdFloat ifFalse) {
    return mask != 0 ? ifTrue : ifFalse;
}
#endif

#if SIMD_WIDTH < 8
/* Each word shifted to the right and masked to 24 bits or fewer, as a float. */
SIMD_INLINE SimdFloat simdReadNumber(const uint32_t words[SIMD_WIDTH], uint32_t shift, uint32_t mask) {
#if SIMD_WIDTH == 4
    uint32_t bits __attribute__((vector_size(16)));
    memcpy(&bits, words, sizeof bits);
    return __builtin_convertvector((SimdMask)(bits >> shift & mask), SimdFloat);
#else
    return (float)(words[0] >> shift & mask);
#endif
}
#endif

/* The square root; 0 for a negative number. */
SIMD_INLINE SimdFloat simdRoot(SimdFloat v) {
#if SIMD_WIDTH >= 8
    return SIMD_OP(sqrt_ps)(SIMD_OP(max_ps)(v, SIMD_OP(setzero_ps)()));
#elif SIMD_WIDTH == 4 && defined(__SSE2__)
    return _mm_sqrt_ps(_mm_max_ps(v, _mm_setzero_ps()));
#elif SIMD_WIDTH == 4
    return (SimdFloat){v[0] > 0 ? sqrtf(v[0]) : 0, v[1] > 0 ? sqrtf(v[1]) : 0, v[2] > 0 ? sqrtf(v[2]) : 0,
                       v[3] > 0 ? sqrtf(v[3]) : 0};
#else
    return v > 0.0f ? sqrtf(v) : 0.0f;
#endif
}

/* ---- Shuffles ---- */

/* Within each group of four lanes: simdShuffle(a, b, i, j, k, l) is a[i] a[j] b[k] b[l], unpack interleaves halves. */
#if SIMD_WIDTH >= 8
#define simdShuffle(a, b, i, j, k, l) SIMD_OP(shuffle_ps)(a, b, (i) | (j) << 2 | (k) << 4 | (l) << 6)
#define simdUnpackLow(a, b)           SIMD_OP(unpacklo_ps)(a, b)
#define simdUnpackHigh(a, b)          SIMD_OP(unpackhi_ps)(a, b)
#elif SIMD_WIDTH == 4
#define simdShuffle(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, (k) + 4, (l) + 4)
#define simdUnpackLow(a, b)           __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define simdUnpackHigh(a, b)          __builtin_shufflevector(a, b, 2, 6, 3, 7)
#endif

#if SIMD_WIDTH > 1
/* Transposes the 4x4 matrix that each group of four lanes has in v. */
SIMD_INLINE void simdTranspose4(SimdFloat v[4]) {
    SimdFloat low01 = simdUnpackLow(v[0], v[1]), high01 = simdUnpackHigh(v[0], v[1]);
    SimdFloat low23 = simdUnpackLow(v[2], v[3]), high23 = simdUnpackHigh(v[2], v[3]);
    v[0] = simdShuffle(low01, low23, 0, 1, 0, 1);
    v[1] = simdShuffle(low01, low23, 2, 3, 2, 3);
    v[2] = simdShuffle(high01, high23, 0, 1, 0, 1);
    v[3] = simdShuffle(high01, high23, 2, 3, 2, 3);
}
#endif

/* Four floats of a row for each lane, from float `at` of the row on: columns[c] is float at + c of each of them. */
SIMD_INLINE void simdLoadRows(const float *const rows[SIMD_WIDTH], uint32_t at, SimdFloat columns[4]) {
#if SIMD_WIDTH == 1
    memcpy(columns, rows[0] + at, 4 * sizeof *columns);
#else
    for (int i = 0; i < 4; ++i) {
#if SIMD_WIDTH == 16
        SimdFloat v = _mm512_castps128_ps512(_mm_loadu_ps(rows[i] + at));
        v = _mm512_insertf32x4(v, _mm_loadu_ps(rows[4 + i] + at), 1);
        v = _mm512_insertf32x4(v, _mm_loadu_ps(rows[8 + i] + at), 2);
        columns[i] = _mm512_insertf32x4(v, _mm_loadu_ps(rows[12 + i] + at), 3);
#elif SIMD_WIDTH == 8
        const SimdFloat v = _mm256_castps128_ps256(_mm_loadu_ps(rows[i] + at));
        columns[i] = _mm256_insertf128_ps(v, _mm_loadu_ps(rows[4 + i] + at), 1);
#else
        columns[i] = simdLoad(rows[i] + at);
#endif
    }
    simdTranspose4(columns);
#endif
}

/* Transposes SIMD_WIDTH rows: columns[c] receives element c of each row. */
SIMD_INLINE void simdTranspose(const SimdFloat rows[SIMD_WIDTH], SimdFloat columns[SIMD_WIDTH]) {
    SimdFloat part[SIMD_WIDTH];
    for (int i = 0; i < SIMD_WIDTH; ++i) {
        part[i] = rows[i];
    }
#if SIMD_WIDTH > 1
    for (int i = 0; i < SIMD_WIDTH; i += 4) {
        simdTranspose4(part + i);
    }
#endif
#if SIMD_WIDTH == 16
    for (int c = 0; c < 4; ++c) {
        const SimdFloat even01 = _mm512_shuffle_f32x4(part[c], part[4 + c], 0x88);
        const SimdFloat odd01 = _mm512_shuffle_f32x4(part[c], part[4 + c], 0xdd);
        const SimdFloat even23 = _mm512_shuffle_f32x4(part[8 + c], part[12 + c], 0x88);
        const SimdFloat odd23 = _mm512_shuffle_f32x4(part[8 + c], part[12 + c], 0xdd);
        columns[c] = _mm512_shuffle_f32x4(even01, even23, 0x88);
        columns[4 + c] = _mm512_shuffle_f32x4(odd01, odd23, 0x88);
        columns[8 + c] = _mm512_shuffle_f32x4(even01, even23, 0xdd);
        columns[12 + c] = _mm512_shuffle_f32x4(odd01, odd23, 0xdd);
    }
#elif SIMD_WIDTH == 8
    for (int c = 0; c < 4; ++c) {
        columns[c] = _mm256_permute2f128_ps(part[c], part[4 + c], 0x20);
        columns[4 + c] = _mm256_permute2f128_ps(part[c], part[4 + c], 0x31);
    }
#else
    memcpy(columns, part, sizeof part);
#endif
}

/* ---- AVX2 and AVX-512 ---- */

#if SIMD_WIDTH >= 8

SIMD_INLINE SimdFloat simdMultiplyAdd(SimdFloat a, SimdFloat b, SimdFloat c) {
    return SIMD_OP(fmadd_ps)(a, b, c);
}

/* c - a b */
SIMD_INLINE SimdFloat simdNegativeMultiplyAdd(SimdFloat a, SimdFloat b, SimdFloat c) {
    return SIMD_OP(fnmadd_ps)(a, b, c);
}

/* b if an operand is NaN. */
SIMD_INLINE SimdFloat simdMax(SimdFloat a, SimdFloat b) {
    return SIMD_OP(max_ps)(a, b);
}

SIMD_INLINE SimdMask simdNotGreater(SimdFloat a, SimdFloat b) {
    return simdCompare(a, b, _CMP_NGT_UQ);
}

SIMD_INLINE SimdFloat simdAsFloat(SimdInt v) {
    return (SimdFloat)v;
}

/* Rounds to nearest. */
SIMD_INLINE SimdInt simdToInt(SimdFloat v) {
    return SIMD_OP(cvtps_epi32)(v);
}

/* low & 0xffff | high << 16 */
SIMD_INLINE SimdInt simdPackHalves(SimdInt low, SimdInt high) {
    return (low & SIMD_OP(set1_epi32)(0xffff)) | SIMD_OP(slli_epi32)(high, 16);
}

/* x & 0x3ff | (y & 0x3ff) << 10 | (z & 0x3ff) << 20 | w << 30 */
SIMD_INLINE SimdInt simdPackTens(SimdInt x, SimdInt y, SimdInt z, SimdInt w) {
    const SimdInt mask = SIMD_OP(set1_epi32)(0x3ff);
    return (x & mask) | SIMD_OP(slli_epi32)(y & mask, 10) | SIMD_OP(slli_epi32)(z & mask, 20) |
           SIMD_OP(slli_epi32)(w, 30);
}

/*
 * In each group of four lanes: integer i is made of bytes[4 i] to bytes[4 i + 3] of the group, of 0 for 128 and more; then
 * shifted to the right and masked. The result is floats.
 */
SIMD_INLINE SimdFloat simdReadNumbers(SimdFloat v, const uint8_t bytes[16], const uint32_t shifts[4],
                                      const uint32_t masks[4]) {
    const __m128i order = _mm_loadu_si128((const __m128i *)(const void *)bytes);
    const __m128i shift = _mm_loadu_si128((const __m128i *)(const void *)shifts);
    const __m128i mask = _mm_loadu_si128((const __m128i *)(const void *)masks);
#if SIMD_WIDTH == 16
    __m512i bits = _mm512_shuffle_epi8((SimdInt)v, _mm512_broadcast_i32x4(order));
    bits = _mm512_srlv_epi32(bits, _mm512_broadcast_i32x4(shift));
    return _mm512_cvtepi32_ps(_mm512_and_si512(bits, _mm512_broadcast_i32x4(mask)));
#else
    __m256i bits = _mm256_shuffle_epi8((SimdInt)v, _mm256_broadcastsi128_si256(order));
    bits = _mm256_srlv_epi32(bits, _mm256_broadcastsi128_si256(shift));
    return _mm256_cvtepi32_ps(_mm256_and_si256(bits, _mm256_broadcastsi128_si256(mask)));
#endif
}

/* In each group of four lanes: a[3] b[0] b[1] b[2]. */
SIMD_INLINE SimdFloat simdLastAndThree(SimdFloat a, SimdFloat b) {
    return (SimdFloat)SIMD_OP(alignr_epi8)((SimdInt)b, (SimdInt)a, 12);
}

#if SIMD_WIDTH == 16

SIMD_INLINE SimdFloat simdAbs(SimdFloat v) {
    return _mm512_abs_ps(v);
}

/* Approximate 1 / v, to 12 bits or more. */
SIMD_INLINE SimdFloat simdRoughInverse(SimdFloat v) {
    return _mm512_rcp14_ps(v);
}

/* Approximate 1 / sqrt(v), to 12 bits or more. */
SIMD_INLINE SimdFloat simdRoughInverseRoot(SimdFloat v) {
    return _mm512_rsqrt14_ps(v);
}

SIMD_INLINE SimdMask simdMaskFromBits(uint32_t bits) {
    return (SimdMask)bits;
}

/* v < low, v > high or NaN, for v >= 0 and 0 < low < high: as integers, floats of one sign keep their order. */
SIMD_INLINE SimdMask simdOutside(SimdFloat v, float low, float high) {
    __m512i bits = _mm512_sub_epi32(_mm512_castps_si512(v), _mm512_castps_si512(simdSplat(low)));
    __m512i range = _mm512_sub_epi32(_mm512_castps_si512(simdSplat(high)), _mm512_castps_si512(simdSplat(low)));
    return _mm512_cmpgt_epu32_mask(bits, range);
}

SIMD_INLINE SimdFloat simdSelect(SimdMask mask, SimdFloat ifTrue, SimdFloat ifFalse) {
    return _mm512_mask_mov_ps(ifFalse, mask, ifTrue);
}

SIMD_INLINE SimdFloat simdNegateWhere(SimdMask mask, SimdFloat v) {
    return _mm512_mask_sub_ps(v, mask, _mm512_setzero_ps(), v);
}

/* v with the sign bits of `signs`. */
SIMD_INLINE SimdInt simdCopySign(SimdInt v, SimdFloat signs) {
    const __m512i sign = _mm512_set1_epi32((int)0x80000000u);
    return _mm512_ternarylogic_epi32(sign, _mm512_castps_si512(signs), v, 0xca); /* sign ? signs : v */
}

/* a0 b0 a1 b1 ... */
SIMD_INLINE void simdInterleave2(SimdFloat a, SimdFloat b, SimdFloat out[2]) {
    const __m512i first = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    out[0] = _mm512_permutex2var_ps(a, first, b);
    out[1] = _mm512_permutex2var_ps(a, _mm512_add_epi32(first, _mm512_set1_epi32(8)), b);
}

/* x0 y0 z0 x1 y1 z1 ... : x and y first, then z at indices of 16 and more; `_` is where z goes. */
SIMD_INLINE void simdInterleave3(SimdFloat x, SimdFloat y, SimdFloat z, SimdFloat out[3]) {
    enum { _ = 0 };
    out[0] = _mm512_permutex2var_ps(x, _mm512_setr_epi32(0, 16, _, 1, 17, _, 2, 18, _, 3, 19, _, 4, 20, _, 5), y);
    out[0] =
        _mm512_permutex2var_ps(out[0], _mm512_setr_epi32(0, 1, 16, 3, 4, 17, 6, 7, 18, 9, 10, 19, 12, 13, 20, 15), z);
    out[1] = _mm512_permutex2var_ps(x, _mm512_setr_epi32(21, _, 6, 22, _, 7, 23, _, 8, 24, _, 9, 25, _, 10, 26), y);
    out[1] =
        _mm512_permutex2var_ps(out[1], _mm512_setr_epi32(0, 21, 2, 3, 22, 5, 6, 23, 8, 9, 24, 11, 12, 25, 14, 15), z);
    out[2] = _mm512_permutex2var_ps(x, _mm512_setr_epi32(_, 11, 27, _, 12, 28, _, 13, 29, _, 14, 30, _, 15, 31, _), y);
    out[2] =
        _mm512_permutex2var_ps(out[2], _mm512_setr_epi32(26, 1, 2, 27, 4, 5, 28, 7, 8, 29, 10, 11, 30, 13, 14, 31), z);
}

/* Concatenates group 0 of v[0] to v[6], then group 1 of them, and so on. A group is four lanes. */
SIMD_INLINE void simdInterleave7(const SimdFloat v[7], SimdFloat out[7]) {
#define quarters(a, b, i, j, k, l) _mm512_shuffle_f32x4(a, b, (i) | (j) << 2 | (k) << 4 | (l) << 6)
    SimdFloat v01 = quarters(v[0], v[1], 0, 2, 0, 2);
    SimdFloat v23 = quarters(v[2], v[3], 0, 2, 0, 2);
    SimdFloat v45 = quarters(v[4], v[5], 0, 2, 0, 2);
    SimdFloat v60 = quarters(v[6], v[0], 0, 2, 1, 3);
    SimdFloat v12 = quarters(v[1], v[2], 1, 3, 1, 3);
    SimdFloat v34 = quarters(v[3], v[4], 1, 3, 1, 3);
    SimdFloat v56 = quarters(v[5], v[6], 1, 3, 1, 3);
    out[0] = quarters(v01, v23, 0, 2, 0, 2);
    out[1] = quarters(v45, v60, 0, 2, 0, 2);
    out[2] = quarters(v12, v34, 0, 2, 0, 2);
    out[3] = quarters(v56, v01, 0, 2, 1, 3);
    out[4] = quarters(v23, v45, 1, 3, 1, 3);
    out[5] = quarters(v60, v12, 1, 3, 1, 3);
    out[6] = quarters(v34, v56, 1, 3, 1, 3);
#undef quarters
}

#else

SIMD_INLINE SimdFloat simdAbs(SimdFloat v) {
    return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), v);
}

SIMD_INLINE SimdFloat simdRoughInverse(SimdFloat v) {
    return _mm256_rcp_ps(v);
}

SIMD_INLINE SimdFloat simdRoughInverseRoot(SimdFloat v) {
    return _mm256_rsqrt_ps(v);
}

SIMD_INLINE SimdMask simdMaskFromBits(uint32_t bits) {
    const __m256i own = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    return _mm256_castsi256_ps(_mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int)bits), own), own));
}

SIMD_INLINE SimdMask simdOutside(SimdFloat v, float low, float high) {
    return _mm256_or_ps(_mm256_cmp_ps(v, simdSplat(low), _CMP_NGE_UQ), _mm256_cmp_ps(v, simdSplat(high), _CMP_NLE_UQ));
}

SIMD_INLINE SimdFloat simdSelect(SimdMask mask, SimdFloat ifTrue, SimdFloat ifFalse) {
    return _mm256_blendv_ps(ifFalse, ifTrue, mask);
}

SIMD_INLINE SimdFloat simdNegateWhere(SimdMask mask, SimdFloat v) {
    return _mm256_xor_ps(v, _mm256_and_ps(mask, _mm256_set1_ps(-0.0f)));
}

SIMD_INLINE SimdInt simdCopySign(SimdInt v, SimdFloat signs) {
    const SimdFloat sign = _mm256_set1_ps(-0.0f);
    SimdFloat rest = _mm256_andnot_ps(sign, _mm256_castsi256_ps(v));
    return _mm256_castps_si256(_mm256_or_ps(rest, _mm256_and_ps(sign, signs)));
}

/* Group i of a (0 or 1), then group j - 2 of b (2 or 3). */
#define simdHalves(a, b, i, j) _mm256_permute2f128_ps(a, b, (i) | (j) << 4)

SIMD_INLINE void simdInterleave2(SimdFloat a, SimdFloat b, SimdFloat out[2]) {
    SimdFloat low = simdUnpackLow(a, b);
    SimdFloat high = simdUnpackHigh(a, b);
    out[0] = simdHalves(low, high, 0, 2);
    out[1] = simdHalves(low, high, 1, 3);
}

SIMD_INLINE void simdInterleave3(SimdFloat x, SimdFloat y, SimdFloat z, SimdFloat out[3]) {
    SimdFloat xy = simdShuffle(x, y, 0, 2, 0, 2);      /* x0 x2 y0 y2 */
    SimdFloat yz = simdShuffle(y, z, 1, 3, 1, 3);      /* y1 y3 z1 z3 */
    SimdFloat zx = simdShuffle(z, x, 0, 2, 1, 3);      /* z0 z2 x1 x3 */
    SimdFloat first = simdShuffle(xy, zx, 0, 2, 0, 2); /* x0 y0 z0 x1 */
    SimdFloat second = simdShuffle(yz, xy, 0, 2, 1, 3);
    SimdFloat third = simdShuffle(zx, yz, 1, 3, 1, 3);
    out[0] = simdHalves(first, second, 0, 2);
    out[1] = simdHalves(third, first, 0, 3);
    out[2] = simdHalves(second, third, 1, 3);
}

SIMD_INLINE void simdInterleave7(const SimdFloat v[7], SimdFloat out[7]) {
    out[0] = simdHalves(v[0], v[1], 0, 2);
    out[1] = simdHalves(v[2], v[3], 0, 2);
    out[2] = simdHalves(v[4], v[5], 0, 2);
    out[3] = simdHalves(v[6], v[0], 0, 3);
    out[4] = simdHalves(v[1], v[2], 1, 3);
    out[5] = simdHalves(v[3], v[4], 1, 3);
    out[6] = simdHalves(v[5], v[6], 1, 3);
}
#endif
#endif

#endif
