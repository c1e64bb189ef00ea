/*
 * blend_write.h: normals and tangents of a block made unit vectors or packed, and written. Needs the vectors that
 * blend_run.h tells of.
 */
#ifndef VKSKIN_BLEND_WRITE_H
#define VKSKIN_BLEND_WRITE_H

#include "blend_block.h"

/* What a mesh's output is made of: known to the compiler in each kernel. */
typedef struct BlendShape {
    bool normals, tangents, packed, stream;
} BlendShape;

/* ---- Unit vectors ---- */

/* The largest element of the lanes `where` becomes 1, or they become the fallback where all are zero. */
BLEND_INLINE Vectors rescue(Vectors v, Lanes where, Vectors fallback) {
    Vector size = larger(larger(magnitude(v.x), magnitude(v.y)), magnitude(v.z));
    Lanes none = notPositive(size);
    Vectors scaled = {divide(v.x, size), divide(v.y, size), divide(v.z, size)};
    return (Vectors){choose(where, choose(none, fallback.x, scaled.x), v.x),
                     choose(where, choose(none, fallback.y, scaled.y), v.y),
                     choose(where, choose(none, fallback.z, scaled.z), v.z)};
}

BLEND_INLINE Vector squared(Vectors v) {
    return multiplyAdd(v.z, v.z, multiplyAdd(v.y, v.y, multiply(v.x, v.x)));
}

BLEND_INLINE Vectors unitOr(Vectors v, Vectors fallback) {
    Vector square = squared(v);
    Lanes odd = outside(square);
    if (any(odd)) {
        v = rescue(v, odd, fallback);
        square = squared(v);
    }
    /* One step of Newton's: s (1.5 - square/2 s^2). */
    Vector s = roughInverseRoot(square);
    Vector half = multiply(square, spread(0.5f));
    s = multiply(s, negativeMultiplyAdd(multiply(half, s), s, spread(1.5f)));
    return (Vectors){multiply(v.x, s), multiply(v.y, s), multiply(v.z, s)};
}

/* ---- Packing ---- */

typedef struct Square {
    Vector x, y;
} Square;

BLEND_INLINE Vector oneLess(Vector v) {
    return subtract(spread(1.0f), magnitude(v));
}

/* A direction of any length as its place in the octahedral square: shaders/vkskin/vkskin.glsl. */
BLEND_INLINE Square octahedral(Vectors v, Vectors fallback) {
    Vector sum = add(add(magnitude(v.x), magnitude(v.y)), magnitude(v.z));
    Lanes odd = outside(sum);
    if (any(odd)) {
        v = rescue(v, odd, fallback);
        sum = add(add(magnitude(v.x), magnitude(v.y)), magnitude(v.z));
    }
    Vector inverse = roughInverse(sum);
    inverse = multiply(inverse, negativeMultiplyAdd(sum, inverse, spread(2.0f)));
    Vector x = multiply(v.x, inverse);
    Vector y = multiply(v.y, inverse);
    Lanes lower = negative(v.z);
    Vector foldedX = negateWhere(negative(x), oneLess(y));
    Vector foldedY = negateWhere(negative(y), oneLess(x));
    return (Square){choose(lower, foldedX, x), choose(lower, foldedY, y)};
}

BLEND_INLINE Words packNormals(Vectors normal) {
    Square e = octahedral(normal, (Vectors){spread(0.0f), spread(0.0f), spread(1.0f)});
    return joinHalves(nearest(e.x, 32767.0f), nearest(e.y, 32767.0f));
}

BLEND_INLINE Words packTangents(Vectors tangent, const Row *handedness, uint32_t lane) {
    Square e = octahedral(tangent, (Vectors){spread(1.0f), spread(0.0f), spread(0.0f)});
    Words words = joinHalves(nearest(e.x, 32767.0f), nearest(e.y, 16383.0f));
    return putSign(words, load(handedness->f + lane));
}

/* ---- Out ---- */

/*
 * Normal and tangent of each four lanes as seven vectors of four words:
 *     nx0 ny0 nz0 tx0 | ty0 tz0 w0 nx1 | ny1 nz1 tx1 ty1 | tz1 w1 nx2 ny2 | nz2 tx2 ty2 tz2 | w2 nx3 ny3 nz3 | tx3 ...
 */
BLEND_INLINE void joinFloats(Vectors n, Vectors t, Vector w, Vector out[7]) {
    Vector nxy01 = unpackLow(n.x, n.y), nxy23 = unpackHigh(n.x, n.y);
    Vector nzx01 = unpackLow(n.z, t.x), nzx23 = unpackHigh(n.z, t.x);
    Vector tyz01 = unpackLow(t.y, t.z), tyz23 = unpackHigh(t.y, t.z);
    Vector wx = shuffle(w, n.x, 0, 2, 1, 3);        /* w0 w2 nx1 nx3 */
    Vector zw = shuffle(t.z, w, 1, 3, 1, 3);        /* tz1 tz3 w1 w3 */
    Vector nz1 = shuffle(nzx01, tyz01, 2, 3, 2, 2); /* nz1 tx1 ty1 */
    Vector ny3 = shuffle(nxy23, nzx23, 2, 3, 2, 2); /* nx3 ny3 nz3 */
    Vector ty3 = shuffle(tyz23, zw, 2, 3, 3, 3);    /* ty3 tz3 w3 */
    Vector w2 = shuffle(wx, wx, 1, 1, 1, 1);        /* w2 */
    out[0] = shuffle(nxy01, nzx01, 0, 1, 0, 1);
    out[1] = shuffle(tyz01, wx, 0, 1, 0, 2);
    out[2] = lastAndThree(nxy01, nz1);
    out[3] = shuffle(zw, nxy23, 0, 2, 0, 1);
    out[4] = shuffle(nzx23, tyz23, 0, 1, 0, 1);
    out[5] = lastAndThree(w2, ny3);
    out[6] = lastAndThree(nzx23, ty3);
}

BLEND_INLINE void writeAttributes(const BlendBlock *block, BlendShape shape, uint32_t lane, Vectors normal,
                                  Vectors tangent, uint32_t *to) {
    if (shape.packed && shape.tangents) {
        writeWordPairs(to, packNormals(normal), packTangents(tangent, block->tangents + 3, lane), shape.stream);
        return;
    }
    if (shape.packed) {
        writeWords(to, packNormals(normal), shape.stream);
        return;
    }
    normal = unitOr(normal, (Vectors){spread(0.0f), spread(0.0f), spread(1.0f)});
    if (!shape.tangents) {
        writeThrees((float *)(void *)to, normal, shape.stream);
        return;
    }
    tangent = unitOr(tangent, (Vectors){spread(1.0f), spread(0.0f), spread(0.0f)});
    Vector joined[7];
    joinFloats(normal, tangent, load(block->tangents[3].f + lane), joined);
    writeSevens((float *)(void *)to, joined, shape.stream);
}

#endif
