#include "null_quaternion.h"

static void cross(const float a[3], const float b[3], float product[3]) {
    product[0] = a[1] * b[2] - a[2] * b[1];
    product[1] = a[2] * b[0] - a[0] * b[2];
    product[2] = a[0] * b[1] - a[1] * b[0];
}

float nullDot4(const float a[4], const float b[4]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

void nullRotate(const float q[4], const float v[3], float rotated[3]) {
    float once[3], twice[3];
    cross(q, v, once);
    for (int i = 0; i < 3; i++) {
        once[i] += q[3] * v[i];
    }
    cross(q, once, twice);
    for (int i = 0; i < 3; i++) {
        rotated[i] = v[i] + 2.0f * twice[i];
    }
}

void nullTranslation(const float pair[8], float translation[3]) {
    const float *real = pair;
    const float *dual = pair + 4;
    cross(real, dual, translation);
    for (int i = 0; i < 3; i++) {
        translation[i] = 2.0f * (translation[i] + real[3] * dual[i] - dual[3] * real[i]);
    }
}

void nullRowsOf(const float q[4], float s, const float t[3], float rows[12]) {
    for (int column = 0; column < 3; column++) {
        float axis[3] = {0.0f, 0.0f, 0.0f};
        float rotated[3];
        axis[column] = 1.0f;
        nullRotate(q, axis, rotated);
        for (int r = 0; r < 3; r++) {
            rows[4 * r + column] = s * rotated[r];
        }
    }
    for (int r = 0; r < 3; r++) {
        rows[4 * r + 3] = t[r];
    }
}
