#include "model_stretch.h"

#include <math.h>

static double largestElement(const VkskinAffine *matrix) {
    double largest = 0.0;
    for (int i = 0; i < 9; i++) {
        largest = fmax(largest, fabs((double)matrix->m[i / 3][i % 3]));
    }
    return largest;
}

/* The largest eigenvalue of a symmetric matrix, by the cosine of a third of an angle (Smith 1961). */
static double largestEigenvalue(double a[3][3]) {
    double mean = (a[0][0] + a[1][1] + a[2][2]) / 3.0, squares = 0.0;
    for (int i = 0; i < 3; i++) {
        a[i][i] -= mean;
    }
    for (int i = 0; i < 9; i++) {
        squares += a[i / 3][i % 3] * a[i / 3][i % 3];
    }
    double radius = sqrt(squares / 6.0);
    if (radius == 0.0) {
        return mean;
    }
    double half =
        (a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) - a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
         a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0])) /
        (2.0 * radius * radius * radius);
    return mean + 2.0 * radius * cos(acos(fmax(-1.0, fmin(1.0, half))) / 3.0);
}

double affineStretch(const VkskinAffine *matrix) {
    double size = largestElement(matrix), product[3][3] = {{0}}; /* size: so that no square leaves the range */
    for (int r = 0; r < 3 && size > 0.0; r++) {
        for (int c = 0; c < 3; c++) {
            for (int k = 0; k < 3; k++) {
                product[r][c] += (double)matrix->m[k][r] / size * ((double)matrix->m[k][c] / size);
            }
        }
    }
    return size * sqrt(fmax(largestEigenvalue(product), 0.0));
}

static VkskinAffine restWorld(const Model *model, uint32_t node) {
    VkskinAffine world = vkskinIdentityAffine();
    for (int32_t i = (int32_t)node; i >= 0; i = model->nodes[i].parent) {
        VkskinAffine rest = vkskinAffineFromTransform(&model->nodes[i].rest);
        world = vkskinMultiplyAffine(&rest, &world);
        world = vkskinMultiplyAffine(&model->nodes[i].preTransform, &world);
    }
    return world;
}

double modelStretch(const Model *model, uint32_t mesh) {
    double most = 0.0;
    for (uint32_t i = 0; i < model->partCount; i++) {
        if (model->parts[i].mesh == mesh) {
            VkskinAffine world = restWorld(model, model->parts[i].node), inverse;
            bool serves = vkskinInvertAffine(&world, &inverse) >= 0; /* else the identity does, as in character.c */
            most = fmax(most, serves ? affineStretch(&world) : 1.0);
        }
    }
    return most > 0.0 ? most : 1.0;
}
