/*
 * similarity.h: rotation, translation and a uniform scale, p' = scale x rotate(p) + translation, in three sizes.
 */
#ifndef VKSKIN_SIMILARITY_H
#define VKSKIN_SIMILARITY_H

#include "affine.h"

/* As palettes hold them. The rotation is (x, y, z, w), of unit length; the scale may be negative or zero. */
typedef struct Similarity {
    float rotation[4];
    float translation[3];
    float scale;
} Similarity;

/* The same eight numbers as halves. */
typedef struct SimilarityHalf {
    uint16_t rotation[4];
    uint16_t translation[3];
    uint16_t scale;
} SimilarityHalf;

typedef struct SimilaritySnorm16 {
    int16_t rotation[4]; /* 32767 is 1 */
    float translation[3];
    float scale;
} SimilaritySnorm16;

/*
 * The matrix's translation, the scale of the same volume and the rotation that goes with its sign (polar.h). False
 * where the matrix is not that to within 0.1 %: another scale or shear were then lost. The matrix is finite; the scale
 * is infinite where it is beyond float.
 */
bool sknSimilarityFromAffine(const AffineDouble *affine, Similarity *result);

/* Rounds to halves. False where one of the numbers is beyond them. */
bool sknSimilarityToHalf(const Similarity *source, SimilarityHalf *result);

SimilaritySnorm16 sknSimilarityToSnorm16(const Similarity *source);

#endif
