#include "rest_pose.h"

#include <math.h>

#define SHEAR_TOLERANCE 1e-5

typedef struct Vector {
    double x, y, z;
} Vector;

static Vector column(const VkskinAffine *matrix, int index) {
    return (Vector){matrix->m[0][index], matrix->m[1][index], matrix->m[2][index]};
}

static Vector cross(Vector a, Vector b) {
    return (Vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static double dot(Vector a, Vector b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static Vector scaled(Vector a, double factor) {
    return (Vector){a.x * factor, a.y * factor, a.z * factor};
}

static Vector unit(Vector a) {
    double length = sqrt(dot(a, a));
    return length > 0.0 ? scaled(a, 1.0 / length) : a;
}

/* A unit vector perpendicular to `a`, which has length 1. */
static Vector anyPerpendicular(Vector a) {
    Vector axis = fabs(a.x) < 0.6 ? (Vector){1.0, 0.0, 0.0} : (Vector){0.0, 1.0, 0.0};
    return unit(cross(a, axis));
}

/* Derives the axes with scale 0 from those with a direction. */
static void completeAxes(Vector axes[3], const double scale[3]) {
    int last = scale[2] > 0.0 ? 2 : scale[1] > 0.0 ? 1 : 0;
    if (!(scale[last] > 0.0)) {
        axes[last] = (Vector){1.0, 0.0, 0.0};
    }
    for (int step = 1; step <= 2; step++) {
        int i = (last + step) % 3;
        Vector next = axes[(i + 1) % 3], former = axes[(i + 2) % 3]; /* `former` has a direction */
        if (!(scale[i] > 0.0)) {
            axes[i] = dot(next, next) > 0.0 ? unit(cross(next, former)) : anyPerpendicular(former);
        }
    }
}

static void quaternionFrom(const double r[3][3], double q[4]) {
    /* The largest component comes first, which avoids a division by a small number. */
    double trace = r[0][0] + r[1][1] + r[2][2];
    if (trace > 0.0) {
        double s = 2.0 * sqrt(trace + 1.0);
        q[0] = (r[2][1] - r[1][2]) / s;
        q[1] = (r[0][2] - r[2][0]) / s;
        q[2] = (r[1][0] - r[0][1]) / s;
        q[3] = 0.25 * s;
    } else {
        int i = r[1][1] > r[0][0] ? 1 : 0;
        i = r[2][2] > r[i][i] ? 2 : i;
        int j = (i + 1) % 3;
        int k = (i + 2) % 3;
        double s = 2.0 * sqrt(fmax(1.0 + r[i][i] - r[j][j] - r[k][k], 1e-30));
        q[i] = 0.25 * s;
        q[j] = (r[j][i] + r[i][j]) / s;
        q[k] = (r[k][i] + r[i][k]) / s;
        q[3] = (r[k][j] - r[j][k]) / s;
    }
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; i++) {
        q[i] /= length;
    }
}

static bool givesBack(const VkskinTransform *transform, const VkskinAffine *matrix) {
    VkskinAffine back = vkskinAffineFromTransform(transform);
    double largest = 0.0, error = 0.0;
    for (int row = 0; row < 3; row++) {
        for (int i = 0; i < 3; i++) {
            largest = fmax(largest, fabs((double)matrix->m[row][i]));
            error = fmax(error, fabs((double)matrix->m[row][i] - (double)back.m[row][i]));
        }
    }
    return error <= SHEAR_TOLERANCE * largest;
}

bool restSplit(const VkskinAffine *matrix, VkskinTransform *transform) {
    Vector axes[3];
    double scale[3];
    for (int i = 0; i < 3; i++) {
        axes[i] = column(matrix, i);
        scale[i] = sqrt(dot(axes[i], axes[i]));
        axes[i] = unit(axes[i]);
    }
    completeAxes(axes, scale);
    if (dot(cross(axes[0], axes[1]), axes[2]) < 0.0) {
        scale[0] = -scale[0];
        axes[0] = scaled(axes[0], -1.0);
    }
    const double rotation[3][3] = {
        {axes[0].x, axes[1].x, axes[2].x},
        {axes[0].y, axes[1].y, axes[2].y},
        {axes[0].z, axes[1].z, axes[2].z},
    };
    double quaternion[4];
    quaternionFrom(rotation, quaternion);
    for (int i = 0; i < 3; i++) {
        transform->translation[i] = matrix->m[i][3];
        transform->scale[i] = (float)scale[i];
    }
    for (int i = 0; i < 4; i++) {
        transform->rotation[i] = (float)quaternion[i];
    }
    return givesBack(transform, matrix);
}

void restSet(ModelNode *node, const VkskinAffine *matrix, bool animated, ModelRepairs *repairs) {
    node->preTransform = vkskinIdentityAffine();
    if (restSplit(matrix, &node->rest) || animated) {
        return;
    }
    node->rest = vkskinIdentityTransform();
    node->preTransform = *matrix;
    repairs->nodesSheared++;
}
