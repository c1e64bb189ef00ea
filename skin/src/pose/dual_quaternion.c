#include "dual_quaternion.h"

#include "polar.h"

/* The dual part is of the real part as rounded, so that dividing by that gives the translation back. */
static DualQuaternion fromRotation(const double rotation[4], const AffineDouble *affine) {
    DualQuaternion result;
    for (int i = 0; i < 4; ++i) {
        result.real[i] = (float)rotation[i];
    }
    const float *q = result.real;
    const double x = affine->m[0][3];
    const double y = affine->m[1][3];
    const double z = affine->m[2][3];
    result.dual[0] = (float)(0.5 * (x * q[3] + y * q[2] - z * q[1]));
    result.dual[1] = (float)(0.5 * (y * q[3] + z * q[0] - x * q[2]));
    result.dual[2] = (float)(0.5 * (z * q[3] + x * q[1] - y * q[0]));
    result.dual[3] = (float)(-0.5 * (x * q[0] + y * q[1] + z * q[2]));
    return result;
}

bool sknDualQuaternionFromAffine(const AffineDouble *affine, DualQuaternion *result) {
    double rotation[4];
    const bool rigid = sknNearestRotation(affine, rotation);
    *result = fromRotation(rotation, affine);
    return rigid;
}

void sknScaledDualQuaternionFromAffine(const AffineDouble *affine, ScaledDualQuaternion *result) {
    double rotation[4];
    sknPolarRotation(affine, rotation);
    *result = (ScaledDualQuaternion){.rigid = fromRotation(rotation, affine)};
    sknPolarStretch(affine, result->rigid.real, result->stretch);
}
