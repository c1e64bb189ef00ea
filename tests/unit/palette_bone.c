#include "palette_bone.h"

#include "test.h"

#include <math.h>

const double turnAxes[TURN_AXES][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {0, -1, 1}, {1, 1, 1}, {-1, 2, 3}};

VkskinResult writeBone(const VkskinAffine *world, VkskinPaletteEncoding encoding, void *palette) {
    const uint32_t node = 0;
    VkskinSkinDef def = vkskinDefaultSkinDef();
    def.nodeCount = 1;
    def.boneCount = 1;
    def.boneNodes = &node;
    VkskinSkin skin = NULL;
    assert_int_equal(vkskinCreateSkin(&def, &skin), VKSKIN_SUCCESS);
    const VkskinResult result = vkskinWritePalette(skin, world, 1, encoding, palette, 1);
    vkskinDestroySkin(skin);
    return result;
}

static double lengthSquared(const float q[4]) {
    double sum = 0.0;
    for (int i = 0; i < 4; ++i) {
        sum += (double)q[i] * q[i];
    }
    return sum;
}

void rotateVector(const float q[4], const double v[3], double out[3]) {
    const double k = 2.0 / lengthSquared(q);
    const double ux = q[1] * v[2] - q[2] * v[1] + q[3] * v[0];
    const double uy = q[2] * v[0] - q[0] * v[2] + q[3] * v[1];
    const double uz = q[0] * v[1] - q[1] * v[0] + q[3] * v[2];
    out[0] = v[0] + k * (q[1] * uz - q[2] * uy);
    out[1] = v[1] + k * (q[2] * ux - q[0] * uz);
    out[2] = v[2] + k * (q[0] * uy - q[1] * ux);
}

void dualTranslation(const float real[4], const float dual[4], double out[3]) {
    const double k = 2.0 / lengthSquared(real);
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3;
        const int l = (i + 2) % 3;
        out[i] = k * ((double)real[3] * dual[i] - (double)dual[3] * real[i] + (double)real[j] * dual[l] -
                      (double)real[l] * dual[j]);
    }
}

void turnAbout(const double axis[3], double degrees, float q[4]) {
    const double half = degrees * 3.14159265358979323846 / 360.0;
    const double k = sin(half) / sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    for (int i = 0; i < 3; ++i) {
        q[i] = (float)(k * axis[i]);
    }
    q[3] = (float)cos(half);
}

VkskinAffine turnedScale(const double axis[3], double degrees, float x, float y, float z) {
    VkskinTransform transform = {{3, -40, 0.5f}, {0, 0, 0, 1}, {x, y, z}};
    turnAbout(axis, degrees, transform.rotation);
    return vkskinAffineFromTransform(&transform);
}

void assertAffine(double actual[3][4], const VkskinAffine *expected, double tolerance) {
    double linear = 0.0;
    double moved = 0.0;
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) {
            linear = fmax(linear, fabs((double)expected->m[row][column]));
        }
        moved = fmax(moved, fabs((double)expected->m[row][3]));
    }
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 4; ++column) {
            const double size = column < 3 ? linear : moved;
            assert_true(fabs(actual[row][column] - (double)expected->m[row][column]) <= tolerance * size);
        }
    }
}

float randomFraction(void) {
    return (float)rand() / (float)RAND_MAX * 2.0f - 1.0f;
}
