#include "similarity.h"

#include <math.h>

#include "half.h"
#include "polar.h"

static bool isZero(const AffineDouble *affine) {
    bool zero = true;
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) {
            zero &= affine->m[row][column] == 0.0;
        }
    }
    return zero;
}

/* The rotation of a matrix whose scale is known. False where the matrix is not the two of them. */
static bool rotationBesideScale(const AffineDouble *affine, double scale, double rotation[4]) {
    if (scale == 0.0) {
        sknPolarRotation(affine, rotation);
        return isZero(affine);
    }
    AffineDouble unit = *affine;
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) {
            unit.m[row][column] /= scale;
        }
    }
    return sknNearestRotation(&unit, rotation);
}

bool sknSimilarityFromAffine(const AffineDouble *affine, Similarity *result) {
    AffineDouble work = *affine;
    double cofactors[3][3];
    const double scale = cbrt(sknAffineCofactors(work.m, cofactors));
    double rotation[4];
    const bool held = rotationBesideScale(affine, scale, rotation);
    for (int i = 0; i < 4; ++i) {
        result->rotation[i] = (float)rotation[i];
    }
    for (int i = 0; i < 3; ++i) {
        result->translation[i] = (float)affine->m[i][3];
    }
    result->scale = (float)scale;
    return held;
}

bool sknSimilarityToHalf(const Similarity *source, SimilarityHalf *result) {
    bool finite = sknHalfFromFloat(source->scale, &result->scale);
    for (int i = 0; i < 4; ++i) {
        finite &= sknHalfFromFloat(source->rotation[i], &result->rotation[i]);
    }
    for (int i = 0; i < 3; ++i) {
        finite &= sknHalfFromFloat(source->translation[i], &result->translation[i]);
    }
    return finite;
}

SimilaritySnorm16 sknSimilarityToSnorm16(const Similarity *source) {
    SimilaritySnorm16 result = {.scale = source->scale};
    for (int i = 0; i < 4; ++i) {
        result.rotation[i] = (int16_t)lroundf(32767.0f * source->rotation[i]);
    }
    for (int i = 0; i < 3; ++i) {
        result.translation[i] = source->translation[i];
    }
    return result;
}
