/*
 * Matrices and errors of several grid times at once, a lane for each. Products and sums are not fused, so that the same
 * clip gives the same bytes on every processor.
 */
#include "pack.h"
#include "simd.h"

static void splat(const float *from, uint32_t count, SimdFloat *to) {
    for (uint32_t i = 0; i < count; ++i) {
        to[i] = simdSplat(from[i]);
    }
}

/* ---- Numbers ---- */

static void mixNumbers(const PackTimes *times, uint32_t channel, SimdFloat mixed[4]) {
    SimdFloat b[4];
    const SimdFloat fraction = simdLoad(times->fractions);
    simdLoadRows(times->a, 4 * channel, mixed);
    simdLoadRows(times->b, 4 * channel, b);
    for (int k = 0; k < 4; ++k) {
        mixed[k] = mixed[k] + fraction * (b[k] - mixed[k]);
    }
}

/* Quaternions that were stored as four numbers. In double precision, so one after another. */
static void normaliseFours(SimdFloat q[4]) {
    float parts[4][SIMD_WIDTH];
    for (int k = 0; k < 4; ++k) {
        simdStore(parts[k], q[k]);
    }
    for (int lane = 0; lane < SIMD_WIDTH; ++lane) {
        float one[4] = {parts[0][lane], parts[1][lane], parts[2][lane], parts[3][lane]};
        sknQuaternionNormalise(one);
        for (int k = 0; k < 4; ++k) {
            parts[k][lane] = one[k];
        }
    }
    for (int k = 0; k < 4; ++k) {
        q[k] = simdLoad(parts[k]);
    }
}

/* As sknFinishRotation. */
static void finishRotation(const PackChannel *channel, SimdFloat q[4], SimdFloat turn[4]) {
    SimdFloat base[4];
    splat(channel->base, 4, base);
    if (channel->four) {
        normaliseFours(q);
    } else {
        q[3] = simdRoot(1.0f - (q[0] * q[0] + q[1] * q[1] + q[2] * q[2]));
    }
    turn[0] = base[3] * q[0] + base[0] * q[3] + base[1] * q[2] - base[2] * q[1];
    turn[1] = base[3] * q[1] + base[1] * q[3] + base[2] * q[0] - base[0] * q[2];
    turn[2] = base[3] * q[2] + base[2] * q[3] + base[0] * q[1] - base[1] * q[0];
    turn[3] = base[3] * q[3] - base[0] * q[0] - base[1] * q[1] - base[2] * q[2];
}

/* ---- Matrices ---- */

static void setRotation(const SimdFloat q[4], SimdFloat m[12]) {
    const SimdFloat x = 2.0f * q[0], y = 2.0f * q[1], z = 2.0f * q[2];
    const SimdFloat xx = x * q[0], yy = y * q[1], zz = z * q[2];
    m[0] = 1.0f - (yy + zz);
    m[1] = x * q[1] - z * q[3];
    m[2] = x * q[2] + y * q[3];
    m[4] = x * q[1] + z * q[3];
    m[5] = 1.0f - (xx + zz);
    m[6] = y * q[2] - x * q[3];
    m[8] = x * q[2] - y * q[3];
    m[9] = y * q[2] + x * q[3];
    m[10] = 1.0f - (xx + yy);
}

static void multiplyMatrices(const SimdFloat *a, const SimdFloat *b, SimdFloat *product) {
    for (int row = 0; row < 12; row += 4) {
        for (int column = 0; column < 4; ++column) {
            product[row + column] = a[row] * b[column] + a[row + 1] * b[4 + column] + a[row + 2] * b[8 + column];
        }
        product[row + 3] = product[row + 3] + a[row + 3];
    }
}

/* The numbers of a translation or a scale. */
static void vectorOf(const PackTimes *times, uint32_t channel, const float rest[3], SimdFloat value[4]) {
    if (channel != PACK_NONE) {
        mixNumbers(times, channel, value);
    } else {
        splat(rest, 3, value);
    }
}

/* T R S of a node. */
static void composeLocal(const PackClip *clip, const PackTimes *times, uint32_t place, SimdFloat local[12]) {
    const uint32_t *channels = &clip->nodeChannels[(size_t)place * 3];
    const VkskinTransform *rest = &clip->skeleton->skeleton->restPose[clip->skeleton->nodes[place].node];
    SimdFloat move[4], scale[4], turn[4], numbers[4];
    vectorOf(times, channels[0], rest->translation, move);
    vectorOf(times, channels[2], rest->scale, scale);
    if (channels[1] != PACK_NONE) {
        mixNumbers(times, channels[1], numbers);
        finishRotation(&clip->channels[channels[1]], numbers, turn);
    } else {
        float unit[4] = {rest->rotation[0], rest->rotation[1], rest->rotation[2], rest->rotation[3]};
        sknQuaternionNormalise(unit);
        splat(unit, 4, turn);
    }
    setRotation(turn, local);
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) {
            local[4 * row + column] = local[4 * row + column] * scale[column];
        }
        local[4 * row + 3] = move[row];
    }
}

static void loadMatrix(const float *world, size_t stride, uint32_t place, SimdFloat m[12]) {
    for (size_t i = 0; i < 12; ++i) {
        m[i] = simdLoad(world + ((size_t)place * 12 + i) * stride);
    }
}

static void compose(const PackClip *clip, const PackTimes *times, float *world, size_t stride) {
    for (uint32_t place = 0; place < clip->skeleton->nodeCount; ++place) {
        const PackNode *node = &clip->skeleton->nodes[place];
        SimdFloat own[12], other[12], whole[12];
        composeLocal(clip, times, place, own);
        if (node->hasPre) {
            splat(node->pre, 12, other);
            multiplyMatrices(other, own, whole);
            memcpy(own, whole, sizeof own);
        }
        if (node->parent != PACK_NONE) {
            loadMatrix(world, stride, node->parent, other);
            multiplyMatrices(other, own, whole);
            memcpy(own, whole, sizeof own);
        }
        for (size_t i = 0; i < 12; ++i) {
            simdStore(world + ((size_t)place * 12 + i) * stride, own[i]);
        }
    }
}

/* ---- Errors ---- */

/* The larger one; the first if the second is NaN. */
static SimdFloat larger(SimdFloat most, SimdFloat v) {
    return simdSelect(simdLess(most, v), v, most);
}

/* The square of the largest distance by which matrices of a node move a corner of its box apart. */
static SimdFloat boxSquare(const PackNode *node, const SimdFloat p[12], const SimdFloat q[12]) {
    SimdFloat squares[8];
    splat((const float[8]){0}, 8, squares);
    for (int row = 0; row < 12; row += 4) {
        SimdFloat sum = q[row + 3] - p[row + 3];
        SimdFloat side[3];
        for (int column = 0; column < 3; ++column) {
            const SimdFloat apart = q[row + column] - p[row + column];
            sum = sum + apart * node->centre[column];
            side[column] = apart * node->half[column];
        }
        const SimdFloat left = sum - side[0], right = sum + side[0], y = side[1], z = side[2];
        const SimdFloat corners[8] = {left - y - z, right - y - z, left + y - z, right + y - z,
                                      left - y + z, right - y + z, left + y + z, right + y + z};
        for (int corner = 0; corner < 8; ++corner) {
            squares[corner] = squares[corner] + corners[corner] * corners[corner];
        }
    }
    SimdFloat most = simdSplat(0.0f);
    for (int corner = 0; corner < 8; ++corner) {
        most = larger(most, squares[corner]);
    }
    return most;
}

static void findErrors(const PackClip *clip, uint32_t grid, const float *work, float *errors) {
    SimdFloat most = simdSplat(0.0f);
    for (uint32_t place = 0; place < clip->skeleton->nodeCount; ++place) {
        SimdFloat p[12], q[12];
        loadMatrix(clip->world + grid, clip->worldStride, place, p);
        loadMatrix(work, SIMD_WIDTH, place, q);
        most = larger(most, boxSquare(&clip->skeleton->nodes[place], p, q));
    }
    simdStore(errors, simdRoot(most));
}

const PackLevel SIMD_NAME(sknPackLevel) = {SIMD_WIDTH, compose, findErrors};
