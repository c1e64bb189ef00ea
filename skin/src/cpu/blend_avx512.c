#include "fast_run.h"

#if defined(VKSKIN_HAS_AVX512)
#include "blend_block.h"

#include <immintrin.h>

/* ---- Sixteen lanes ---- */

#define VECTOR_LANES 16u

/* Lanes are left out of a sum for nothing. */
#define PARTLY_PAYS true

typedef __m512 Vector;
typedef __m512i Words;
typedef __mmask16 Lanes;

/* A point or direction in each lane. */
typedef struct Vectors {
    Vector x, y, z;
} Vectors;

BLEND_INLINE Vector load(const float *from) {
    return _mm512_loadu_ps(from);
}

BLEND_INLINE Vector splat(const float *from) {
    return _mm512_set1_ps(*from);
}

BLEND_INLINE Vector spread(float value) {
    return _mm512_set1_ps(value);
}

BLEND_INLINE Vector add(Vector a, Vector b) {
    return _mm512_add_ps(a, b);
}

BLEND_INLINE Vector subtract(Vector a, Vector b) {
    return _mm512_sub_ps(a, b);
}

BLEND_INLINE Vector multiply(Vector a, Vector b) {
    return _mm512_mul_ps(a, b);
}

BLEND_INLINE Vector divide(Vector a, Vector b) {
    return _mm512_div_ps(a, b);
}

BLEND_INLINE Vector multiplyAdd(Vector a, Vector b, Vector c) { /* a b + c */
    return _mm512_fmadd_ps(a, b, c);
}

BLEND_INLINE Vector negativeMultiplyAdd(Vector a, Vector b, Vector c) { /* c - a b */
    return _mm512_fnmadd_ps(a, b, c);
}

BLEND_INLINE Vector larger(Vector a, Vector b) {
    return _mm512_max_ps(a, b);
}

BLEND_INLINE Vector magnitude(Vector v) {
    return _mm512_abs_ps(v);
}

/* To 14 bits. */
BLEND_INLINE Vector roughInverse(Vector v) {
    return _mm512_rcp14_ps(v);
}

BLEND_INLINE Vector roughInverseRoot(Vector v) {
    return _mm512_rsqrt14_ps(v);
}

/* ---- Some of them ---- */

BLEND_INLINE Lanes lanesOf(uint32_t bits) {
    return (Lanes)bits;
}

BLEND_INLINE bool any(Lanes lanes) {
    return lanes != 0;
}

BLEND_INLINE Vector choose(Lanes lanes, Vector there, Vector elsewhere) {
    return _mm512_mask_mov_ps(elsewhere, lanes, there);
}

BLEND_INLINE Lanes negative(Vector v) {
    return _mm512_cmp_ps_mask(v, _mm512_setzero_ps(), _CMP_LT_OQ);
}

BLEND_INLINE Lanes notPositive(Vector v) {
    return _mm512_cmp_ps_mask(v, _mm512_setzero_ps(), _CMP_NGT_UQ);
}

/* Of a sum that is no less than zero, or NaN: as whole numbers, floats of one sign have their order. */
BLEND_INLINE Lanes outside(Vector sum) {
    __m512i bits = _mm512_sub_epi32(_mm512_castps_si512(sum), _mm512_castps_si512(spread(SMALLEST_SUM)));
    __m512i range =
        _mm512_sub_epi32(_mm512_castps_si512(spread(LARGEST_SUM)), _mm512_castps_si512(spread(SMALLEST_SUM)));
    return _mm512_cmpgt_epu32_mask(bits, range);
}

BLEND_INLINE Vector negateWhere(Lanes lanes, Vector v) {
    return _mm512_mask_sub_ps(v, lanes, _mm512_setzero_ps(), v);
}

/* ---- Among the four words of each 16 bytes ---- */

#define shuffle(a, b, i0, i1, i2, i3) _mm512_shuffle_ps(a, b, (i0) | (i1) << 2 | (i2) << 4 | (i3) << 6)

BLEND_INLINE Vector unpackLow(Vector a, Vector b) {
    return _mm512_unpacklo_ps(a, b);
}

BLEND_INLINE Vector unpackHigh(Vector a, Vector b) {
    return _mm512_unpackhi_ps(a, b);
}

/* The last of `a`, then the first three of `b`. */
BLEND_INLINE Vector lastAndThree(Vector a, Vector b) {
    return _mm512_castsi512_ps(_mm512_alignr_epi8(_mm512_castps_si512(b), _mm512_castps_si512(a), 12));
}

/* Four floats each from where the joints of every fourth lane say. */
BLEND_INLINE Vector loadFours(const float *row, const uint32_t *joints) {
    Vector v = _mm512_castps128_ps512(_mm_loadu_ps(row + (size_t)ENTRY_FLOATS * joints[0]));
    v = _mm512_insertf32x4(v, _mm_loadu_ps(row + (size_t)ENTRY_FLOATS * joints[4]), 1);
    v = _mm512_insertf32x4(v, _mm_loadu_ps(row + (size_t)ENTRY_FLOATS * joints[8]), 2);
    return _mm512_insertf32x4(v, _mm_loadu_ps(row + (size_t)ENTRY_FLOATS * joints[12]), 3);
}

/* ---- Words of packed vertices ---- */

BLEND_INLINE Words nearest(Vector v, float scale) {
    return _mm512_cvtps_epi32(multiply(v, spread(scale)));
}

BLEND_INLINE Words joinHalves(Words low, Words high) {
    return _mm512_or_si512(_mm512_and_si512(low, _mm512_set1_epi32(0xffff)), _mm512_slli_epi32(high, 16));
}

BLEND_INLINE Words putSign(Words words, Vector signs) {
    const __m512i sign = _mm512_set1_epi32((int)0x80000000u);
    return _mm512_ternarylogic_epi32(sign, _mm512_castps_si512(signs), words, 0xca); /* sign ? signs : words */
}

/* ---- Out, whole lines ---- */

BLEND_INLINE void writeLine(float *to, Vector line, bool stream) {
    if (stream) {
        _mm512_stream_ps(to, line);
    } else {
        _mm512_storeu_ps(to, line);
    }
}

BLEND_INLINE void writeWords(uint32_t *to, Words words, bool stream) {
    writeLine((float *)(void *)to, _mm512_castsi512_ps(words), stream);
}

BLEND_INLINE void writeWordPairs(uint32_t *to, Words a, Words b, bool stream) {
    const __m512i first = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    writeWords(to, _mm512_permutex2var_epi32(a, first, b), stream);
    const __m512i second = _mm512_add_epi32(first, _mm512_set1_epi32(8));
    writeWords(to + 16, _mm512_permutex2var_epi32(a, second, b), stream);
}

BLEND_INLINE void writeThrees(float *to, Vectors v, bool stream) {
    /* x and y first, then z where 16 and more stand; `_` is where z will be. */
    enum { _ = 0 };
    Vector line =
        _mm512_permutex2var_ps(v.x, _mm512_setr_epi32(0, 16, _, 1, 17, _, 2, 18, _, 3, 19, _, 4, 20, _, 5), v.y);
    line =
        _mm512_permutex2var_ps(line, _mm512_setr_epi32(0, 1, 16, 3, 4, 17, 6, 7, 18, 9, 10, 19, 12, 13, 20, 15), v.z);
    writeLine(to, line, stream);
    line = _mm512_permutex2var_ps(v.x, _mm512_setr_epi32(21, _, 6, 22, _, 7, 23, _, 8, 24, _, 9, 25, _, 10, 26), v.y);
    line =
        _mm512_permutex2var_ps(line, _mm512_setr_epi32(0, 21, 2, 3, 22, 5, 6, 23, 8, 9, 24, 11, 12, 25, 14, 15), v.z);
    writeLine(to + 16, line, stream);
    line =
        _mm512_permutex2var_ps(v.x, _mm512_setr_epi32(_, 11, 27, _, 12, 28, _, 13, 29, _, 14, 30, _, 15, 31, _), v.y);
    line =
        _mm512_permutex2var_ps(line, _mm512_setr_epi32(26, 1, 2, 27, 4, 5, 28, 7, 8, 29, 10, 11, 30, 13, 14, 31), v.z);
    writeLine(to + 32, line, stream);
}

/* 16 bytes i and j of a, then k and l of b. */
#define quarters(a, b, i, j, k, l) _mm512_shuffle_f32x4(a, b, (i) | (j) << 2 | (k) << 4 | (l) << 6)

/* Quarter q of v[0] to v[6] follows quarter q - 1 of v[6]: as pairs, each of which has two, and then as lines. */
BLEND_INLINE void writeSevens(float *to, const Vector v[7], bool stream) {
    Vector v01 = quarters(v[0], v[1], 0, 2, 0, 2);
    Vector v23 = quarters(v[2], v[3], 0, 2, 0, 2);
    Vector v45 = quarters(v[4], v[5], 0, 2, 0, 2);
    Vector v60 = quarters(v[6], v[0], 0, 2, 1, 3);
    Vector v12 = quarters(v[1], v[2], 1, 3, 1, 3);
    Vector v34 = quarters(v[3], v[4], 1, 3, 1, 3);
    Vector v56 = quarters(v[5], v[6], 1, 3, 1, 3);
    writeLine(to, quarters(v01, v23, 0, 2, 0, 2), stream);
    writeLine(to + 16, quarters(v45, v60, 0, 2, 0, 2), stream);
    writeLine(to + 32, quarters(v12, v34, 0, 2, 0, 2), stream);
    writeLine(to + 48, quarters(v56, v01, 0, 2, 1, 3), stream);
    writeLine(to + 64, quarters(v23, v45, 1, 3, 1, 3), stream);
    writeLine(to + 80, quarters(v60, v12, 1, 3, 1, 3), stream);
    writeLine(to + 96, quarters(v34, v56, 1, 3, 1, 3), stream);
}

#include "blend_run.h"

void sknBlendRunAvx512(const CpuRunWork *work) {
    blendRun(work);
}
#endif
