#include "fast_run.h"

#if defined(VKSKIN_HAS_AVX2)
#include "blend_block.h"

#include <immintrin.h>

/* ---- Eight lanes ---- */

#define VECTOR_LANES 8u

/* To leave lanes out of a sum takes an instruction more: each vertex by its own bones is faster. */
#define PARTLY_PAYS false

typedef __m256 Vector;
typedef __m256i Words;
typedef __m256 Lanes; /* all bits or none */

/* A point or direction in each lane. */
typedef struct Vectors {
    Vector x, y, z;
} Vectors;

BLEND_INLINE Vector load(const float *from) {
    return _mm256_loadu_ps(from);
}

BLEND_INLINE Vector splat(const float *from) {
    return _mm256_broadcast_ss(from);
}

BLEND_INLINE Vector spread(float value) {
    return _mm256_set1_ps(value);
}

BLEND_INLINE Vector add(Vector a, Vector b) {
    return _mm256_add_ps(a, b);
}

BLEND_INLINE Vector subtract(Vector a, Vector b) {
    return _mm256_sub_ps(a, b);
}

BLEND_INLINE Vector multiply(Vector a, Vector b) {
    return _mm256_mul_ps(a, b);
}

BLEND_INLINE Vector divide(Vector a, Vector b) {
    return _mm256_div_ps(a, b);
}

BLEND_INLINE Vector multiplyAdd(Vector a, Vector b, Vector c) { /* a b + c */
    return _mm256_fmadd_ps(a, b, c);
}

BLEND_INLINE Vector negativeMultiplyAdd(Vector a, Vector b, Vector c) { /* c - a b */
    return _mm256_fnmadd_ps(a, b, c);
}

BLEND_INLINE Vector larger(Vector a, Vector b) {
    return _mm256_max_ps(a, b);
}

BLEND_INLINE Vector magnitude(Vector v) {
    return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), v);
}

/* To 12 bits. */
BLEND_INLINE Vector roughInverse(Vector v) {
    return _mm256_rcp_ps(v);
}

BLEND_INLINE Vector roughInverseRoot(Vector v) {
    return _mm256_rsqrt_ps(v);
}

/* ---- Some of them ---- */

BLEND_INLINE Lanes lanesOf(uint32_t bits) {
    const __m256i own = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    return _mm256_castsi256_ps(_mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int)bits), own), own));
}

BLEND_INLINE bool any(Lanes lanes) {
    return _mm256_movemask_ps(lanes) != 0;
}

BLEND_INLINE Vector choose(Lanes lanes, Vector there, Vector elsewhere) {
    return _mm256_blendv_ps(elsewhere, there, lanes);
}

BLEND_INLINE Lanes negative(Vector v) {
    return _mm256_cmp_ps(v, _mm256_setzero_ps(), _CMP_LT_OQ);
}

BLEND_INLINE Lanes notPositive(Vector v) {
    return _mm256_cmp_ps(v, _mm256_setzero_ps(), _CMP_NGT_UQ);
}

/* Of a sum that is no less than zero, or NaN. */
BLEND_INLINE Lanes outside(Vector sum) {
    return _mm256_or_ps(_mm256_cmp_ps(sum, spread(SMALLEST_SUM), _CMP_NGE_UQ),
                        _mm256_cmp_ps(sum, spread(LARGEST_SUM), _CMP_NLE_UQ));
}

BLEND_INLINE Vector negateWhere(Lanes lanes, Vector v) {
    return _mm256_xor_ps(v, _mm256_and_ps(lanes, _mm256_set1_ps(-0.0f)));
}

/* ---- Among the four words of each 16 bytes ---- */

#define shuffle(a, b, i0, i1, i2, i3) _mm256_shuffle_ps(a, b, (i0) | (i1) << 2 | (i2) << 4 | (i3) << 6)

BLEND_INLINE Vector unpackLow(Vector a, Vector b) {
    return _mm256_unpacklo_ps(a, b);
}

BLEND_INLINE Vector unpackHigh(Vector a, Vector b) {
    return _mm256_unpackhi_ps(a, b);
}

/* The last of `a`, then the first three of `b`. */
BLEND_INLINE Vector lastAndThree(Vector a, Vector b) {
    return _mm256_castsi256_ps(_mm256_alignr_epi8(_mm256_castps_si256(b), _mm256_castps_si256(a), 12));
}

/* Four floats each from where the joints of every fourth lane say. */
BLEND_INLINE Vector loadFours(const float *row, const uint32_t *joints) {
    Vector v = _mm256_castps128_ps256(_mm_loadu_ps(row + (size_t)ENTRY_FLOATS * joints[0]));
    return _mm256_insertf128_ps(v, _mm_loadu_ps(row + (size_t)ENTRY_FLOATS * joints[4]), 1);
}

/* ---- Words of packed vertices ---- */

BLEND_INLINE Words nearest(Vector v, float scale) {
    return _mm256_cvtps_epi32(multiply(v, spread(scale)));
}

BLEND_INLINE Words joinHalves(Words low, Words high) {
    return _mm256_or_si256(_mm256_and_si256(low, _mm256_set1_epi32(0xffff)), _mm256_slli_epi32(high, 16));
}

BLEND_INLINE Words putSign(Words words, Vector signs) {
    const Vector sign = _mm256_set1_ps(-0.0f);
    Vector rest = _mm256_andnot_ps(sign, _mm256_castsi256_ps(words));
    return _mm256_castps_si256(_mm256_or_ps(rest, _mm256_and_ps(sign, signs)));
}

/* ---- Out, half a line at a time ---- */

BLEND_INLINE void writeHalf(float *to, Vector half, bool stream) {
    if (stream) {
        _mm256_stream_ps(to, half);
    } else {
        _mm256_storeu_ps(to, half);
    }
}

/* 16 bytes i of a (0 or 1), then j of b (2 or 3). */
#define halves(a, b, i, j) _mm256_permute2f128_ps(a, b, (i) | (j) << 4)

BLEND_INLINE void writeWords(uint32_t *to, Words words, bool stream) {
    writeHalf((float *)(void *)to, _mm256_castsi256_ps(words), stream);
}

BLEND_INLINE void writeWordPairs(uint32_t *to, Words a, Words b, bool stream) {
    Vector low = unpackLow(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b));
    Vector high = unpackHigh(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b));
    writeHalf((float *)(void *)to, halves(low, high, 0, 2), stream);
    writeHalf((float *)(void *)to + 8, halves(low, high, 1, 3), stream);
}

BLEND_INLINE void writeThrees(float *to, Vectors v, bool stream) {
    Vector xy = shuffle(v.x, v.y, 0, 2, 0, 2);  /* x0 x2 y0 y2 */
    Vector yz = shuffle(v.y, v.z, 1, 3, 1, 3);  /* y1 y3 z1 z3 */
    Vector zx = shuffle(v.z, v.x, 0, 2, 1, 3);  /* z0 z2 x1 x3 */
    Vector first = shuffle(xy, zx, 0, 2, 0, 2); /* x0 y0 z0 x1 */
    Vector second = shuffle(yz, xy, 0, 2, 1, 3);
    Vector third = shuffle(zx, yz, 1, 3, 1, 3);
    writeHalf(to, halves(first, second, 0, 2), stream);
    writeHalf(to + 8, halves(third, first, 0, 3), stream);
    writeHalf(to + 16, halves(second, third, 1, 3), stream);
}

/* The second 16 bytes of v[0] to v[6] follow all the first. */
BLEND_INLINE void writeSevens(float *to, const Vector v[7], bool stream) {
    writeHalf(to, halves(v[0], v[1], 0, 2), stream);
    writeHalf(to + 8, halves(v[2], v[3], 0, 2), stream);
    writeHalf(to + 16, halves(v[4], v[5], 0, 2), stream);
    writeHalf(to + 24, halves(v[6], v[0], 0, 3), stream);
    writeHalf(to + 32, halves(v[1], v[2], 1, 3), stream);
    writeHalf(to + 40, halves(v[3], v[4], 1, 3), stream);
    writeHalf(to + 48, halves(v[5], v[6], 1, 3), stream);
}

#include "blend_run.h"

void sknBlendRunAvx2(const CpuRunWork *work) {
    blendRun(work);
}
#endif
