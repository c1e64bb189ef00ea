#include <math.h>
#include <string.h>

#include "crowd.h"

/* ---- Checks of camera matrices ---- */

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Also if one of them is zero. */
static bool areParallel(const double a[3], const double b[3]) {
    const double across = dot(a, a) * dot(b, b) - dot(a, b) * dot(a, b);
    return across <= 1e-6 * dot(a, a) * dot(b, b);
}

static bool isUnit(const double a[3]) {
    return fabs(dot(a, a) - 1.0) <= 1e-5;
}

static void readRow(const float matrix[16], int row, double made[3]) {
    for (int column = 0; column < 3; column++) {
        made[column] = (double)matrix[4 * column + row];
    }
}

/*
 * In a camera's matrix, the row of w has unit length, or is (0, 0, 0, 1). The row of z is parallel to it, except with an
 * oblique near plane. A matrix is transposed if that holds for its columns and not for its rows. A transposed camera
 * that scales is not recognised. A camera at the origin that scales along z and has its near plane at 1 looks transposed.
 */
static bool isTransposed(const float matrix[16]) {
    double rowZ[3], rowW[3];
    readRow(matrix, 2, rowZ);
    readRow(matrix, 3, rowW);
    const double columnZ[3] = {matrix[8], matrix[9], matrix[10]};
    const double columnW[3] = {matrix[12], matrix[13], matrix[14]};
    const bool affine = dot(columnW, columnW) == 0.0 && matrix[15] == 1.0f;
    const bool byColumns = areParallel(columnZ, columnW) && (affine || isUnit(columnW));
    const bool byRows = areParallel(rowZ, rowW) && (dot(rowW, rowW) == 0.0 || isUnit(rowW));
    return byColumns && !byRows && dot(rowW, rowW) > 0.0;
}

static uint32_t flawOf(const float matrix[16]) {
    double x[3], y[3];
    readRow(matrix, 0, x);
    readRow(matrix, 1, y);
    if (dot(x, x) == 0.0 || dot(y, y) == 0.0) {
        return CROWD_VIEW_ZERO;
    }
    return isTransposed(matrix) ? CROWD_VIEW_TRANSPOSED : 0;
}

VkskinResult sknCheckCrowdView(const VkskinLogger *logger, const char *call, uint32_t index,
                               const VkskinCrowdView *view) {
    if ((uint32_t)view->kind > VKSKIN_CROWD_SHADOW || view->planeCount > VKSKIN_MAX_CROWD_PLANES) {
        return sknReport(logger, VKSKIN_ERROR_INVALID_VALUE, "%s: view %u: kind is %u and planeCount is %u", call,
                         index, (unsigned)view->kind, view->planeCount);
    }
    if (view->flaw != 0) {
        const bool camera = view->flaw >= CROWD_VIEW_OF_CAMERA;
        const uint32_t flaw = camera ? view->flaw / CROWD_VIEW_OF_CAMERA : view->flaw;
        return sknReport(logger, VKSKIN_ERROR_INVALID_VALUE, "%s: view %u: %s %s", call, index,
                         camera ? "the matrix of the shadow's camera" : "its matrix",
                         flaw == CROWD_VIEW_ZERO ? "is zero, or flat in x or y"
                                                 : "is transposed: pass it column-major");
    }
    bool eye = view->pixelsPerUnit >= 0.0f && view->pixelsPerUnit <= CROWD_FAR;
    for (int axis = 0; axis < 3; axis++) {
        eye = eye && fabsf(view->eye[axis]) <= CROWD_FAR;
    }
    if (!eye) {
        return sknReport(logger, VKSKIN_ERROR_INVALID_VALUE,
                         "%s: view %u: eye or pixelsPerUnit (%g) is negative, not finite or above %g", call, index,
                         (double)view->pixelsPerUnit, (double)CROWD_FAR);
    }
    for (uint32_t i = 0; i < 4 * view->planeCount; i++) {
        if (!isfinite(view->planes[i / 4][i % 4])) {
            return sknReport(logger, VKSKIN_ERROR_INVALID_VALUE, "%s: view %u: plane %u is not finite", call, index,
                             i / 4);
        }
    }
    return VKSKIN_SUCCESS;
}

/* ---- Views ---- */

VkskinCrowdView vkskinCrowdViewFromMatrix(const float viewProjection[16], VkskinCrowdViewKind kind) {
    VkskinCrowdView view = {.kind = kind, .planeCount = 6, .flaw = flawOf(viewProjection)};
    for (int c = 0; c < 4; c++) {
        const float *column = viewProjection + (size_t)4 * c;
        view.planes[0][c] = column[3] + column[0];
        view.planes[1][c] = column[3] - column[0];
        view.planes[2][c] = column[3] + column[1];
        view.planes[3][c] = column[3] - column[1];
        view.planes[4][c] = column[2];
        view.planes[5][c] = column[3] - column[2];
    }
    return view;
}

VkskinCrowdView vkskinCrowdShadowView(const float light[16], const float camera[16], const float towardsLight[3],
                                      float margin) {
    VkskinCrowdView view = vkskinCrowdViewFromMatrix(light, VKSKIN_CROWD_SHADOW);
    const VkskinCrowdView seen = vkskinCrowdViewFromMatrix(camera, VKSKIN_CROWD_COLOUR);
    view.flaw = view.flaw != 0 ? view.flaw : seen.flaw * CROWD_VIEW_OF_CAMERA;
    for (uint32_t p = 0; p < seen.planeCount; p++) {
        const float *plane = seen.planes[p];
        /* Shadows fall away from the light: those of what is behind other planes may come in front of them. */
        if (plane[0] * towardsLight[0] + plane[1] * towardsLight[1] + plane[2] * towardsLight[2] >= 0.0f) {
            memcpy(view.planes[view.planeCount++], plane, sizeof view.planes[0]);
        }
    }
    for (uint32_t p = 0; p < view.planeCount; p++) {
        float *plane = view.planes[p];
        plane[3] += margin * sqrtf(plane[0] * plane[0] + plane[1] * plane[1] + plane[2] * plane[2]);
    }
    return view;
}
