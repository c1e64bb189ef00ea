#include "camera.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define DRAWN_FURTHEST 1e15f

void transformPoint(const VkskinAffine *matrix, const float point[3], float moved[3]) {
    for (int row = 0; row < 3; row++) {
        const float *m = matrix->m[row];
        moved[row] = m[0] * point[0] + m[1] * point[1] + m[2] * point[2] + m[3];
    }
}

Bounds boundsEmpty(void) {
    return (Bounds){{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};
}

bool boundsIsEmpty(const Bounds *bounds) {
    return bounds->min[0] > bounds->max[0] || bounds->min[1] > bounds->max[1] || bounds->min[2] > bounds->max[2];
}

void boundsAddPoint(Bounds *bounds, const float point[3]) {
    for (int axis = 0; axis < 3; axis++) {
        bounds->min[axis] = fminf(bounds->min[axis], point[axis]);
        bounds->max[axis] = fmaxf(bounds->max[axis], point[axis]);
    }
}

bool boundsCanBeDrawn(const Bounds *bounds) {
    bool good = true;
    for (int axis = 0; axis < 3 && !boundsIsEmpty(bounds); axis++) {
        good = good && fabsf(bounds->min[axis]) < DRAWN_FURTHEST && fabsf(bounds->max[axis]) < DRAWN_FURTHEST;
    }
    return good;
}

void boundsAdd(Bounds *bounds, const Bounds *other) {
    if (!boundsIsEmpty(other)) {
        boundsAddPoint(bounds, other->min);
        boundsAddPoint(bounds, other->max);
    }
}

Bounds boundsTransform(const Bounds *bounds, const VkskinAffine *transform) {
    Bounds result = boundsEmpty();
    if (boundsIsEmpty(bounds)) {
        return result;
    }
    for (int corner = 0; corner < 8; corner++) {
        const float point[3] = {(corner & 1) ? bounds->max[0] : bounds->min[0],
                                (corner & 2) ? bounds->max[1] : bounds->min[1],
                                (corner & 4) ? bounds->max[2] : bounds->min[2]};
        float moved[3];
        transformPoint(transform, point, moved);
        boundsAddPoint(&result, moved);
    }
    return result;
}

float boundsDiagonal(const Bounds *bounds) {
    if (boundsIsEmpty(bounds)) {
        return 0.0f;
    }
    float x = bounds->max[0] - bounds->min[0];
    float y = bounds->max[1] - bounds->min[1];
    float z = bounds->max[2] - bounds->min[2];
    return sqrtf(x * x + y * y + z * z);
}

void boundsCentre(const Bounds *bounds, float centre[3]) {
    for (int axis = 0; axis < 3; axis++) {
        centre[axis] = boundsIsEmpty(bounds) ? 0.0f : 0.5f * (bounds->min[axis] + bounds->max[axis]);
    }
}

typedef struct Basis {
    float right[3], up[3], back[3]; /* unit, orthogonal */
} Basis;

static float dot(const float a[3], const float b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const float a[3], const float b[3], float out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static void normalise(float v[3]) {
    float length = sqrtf(dot(v, v));
    for (int axis = 0; axis < 3 && length > 0.0f; axis++) {
        v[axis] /= length;
    }
}

static float distanceBetween(const float a[3], const float b[3]) {
    return hypotf(hypotf(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

/* back: unit length. Straight up or down, Z replaces Y as the second axis. */
static Basis basisFromBack(const float back[3]) {
    Basis basis;
    float up[3] = {0.0f, 1.0f, 0.0f};
    if (fabsf(back[1]) > 0.9999f) {
        up[1] = 0.0f;
        up[2] = -1.0f;
    }
    memcpy(basis.back, back, sizeof(basis.back));
    cross(up, back, basis.right);
    normalise(basis.right);
    cross(back, basis.right, basis.up);
    return basis;
}

static Basis basisFromAngles(float yaw, float pitch) {
    const float back[3] = {cosf(pitch) * sinf(yaw), sinf(pitch), cosf(pitch) * cosf(yaw)};
    return basisFromBack(back);
}

static Basis basisOf(const Camera *camera) {
    float back[3];
    for (int axis = 0; axis < 3; axis++) {
        back[axis] = camera->eye[axis] - camera->target[axis];
    }
    normalise(back);
    return basisFromBack(back);
}

/* Far in front of the points, so that the ground reaches the picture's lower edge. Reversed depth is exact enough. */
static void setPlanes(Camera *camera, float distance, const Bounds *bounds) {
    camera->nearPlane = 0.005f * distance;
    camera->farPlane = distance + 50.0f * boundsDiagonal(bounds);
}

Camera cameraFrame(const Bounds *bounds, float yaw, float pitch, float fieldOfView, float aspect) {
    Bounds box = *bounds;
    if (boundsDiagonal(&box) <= 0.0f) {
        float centre[3];
        boundsCentre(bounds, centre);
        for (int axis = 0; axis < 3; axis++) {
            box.min[axis] = centre[axis] - 0.5f;
            box.max[axis] = centre[axis] + 0.5f;
        }
    }
    const Basis basis = basisFromAngles(yaw, pitch);
    Camera camera = {.fieldOfView = fieldOfView};
    boundsCentre(&box, camera.target);
    float tangentY = tanf(0.5f * fieldOfView);
    float tangentX = tangentY * aspect;
    float distance = 0.0f;
    /* Use the largest distance that a corner needs. */
    for (int corner = 0; corner < 8; corner++) {
        float offset[3];
        for (int axis = 0; axis < 3; axis++) {
            offset[axis] = ((corner >> axis) & 1 ? box.max[axis] : box.min[axis]) - camera.target[axis];
        }
        float depth = dot(offset, basis.back);
        distance = fmaxf(distance, depth + fabsf(dot(offset, basis.right)) / tangentX);
        distance = fmaxf(distance, depth + fabsf(dot(offset, basis.up)) / tangentY);
    }
    distance *= 1.05f;
    for (int axis = 0; axis < 3; axis++) {
        camera.eye[axis] = camera.target[axis] + basis.back[axis] * distance;
    }
    setPlanes(&camera, distance, &box);
    return camera;
}

/* Half of the share of the picture, side by side, at a distance of 1. */
static void slopesOf(const CameraFit *fit, float slopes[2]) {
    slopes[1] = fit->share * tanf(0.5f * fit->fieldOfView);
    slopes[0] = slopes[1] * fit->aspect;
}

/*
 * With x to the right and z to the eye, a point is between two planes through the eye, of slopes +-s, if x + s z <= ex + s ez and
 * x - s z >= ex - s ez. So the largest x + s z and the smallest x - s z of all points give ex and the least ez. The same
 * holds for y.
 */
void cameraFitSpaces(const CameraFit *fit, VkskinAffine spaces[2]) {
    const Basis basis = basisFromAngles(fit->yaw, fit->pitch);
    float slopes[2];
    slopesOf(fit, slopes);
    for (int side = 0; side < 2; side++) {
        const float *across = side == 0 ? basis.right : basis.up;
        spaces[side] = (VkskinAffine){0};
        for (int axis = 0; axis < 3; axis++) {
            spaces[side].m[0][axis] = across[axis] + slopes[side] * basis.back[axis];
            spaces[side].m[1][axis] = across[axis] - slopes[side] * basis.back[axis];
            spaces[side].m[2][axis] = basis.back[axis];
        }
    }
}

Camera cameraFromFit(const CameraFit *fit, const Bounds *bounds, const Bounds boxes[2]) {
    const float diagonal = boundsDiagonal(bounds);
    if (diagonal <= 0.0f) {
        return cameraFrame(bounds, fit->yaw, fit->pitch, fit->fieldOfView, fit->aspect);
    }
    const Basis basis = basisFromAngles(fit->yaw, fit->pitch);
    const float middle = 0.5f * (boxes[0].min[2] + boxes[0].max[2]);
    float slopes[2], across[2], height = boxes[0].max[2] + 0.1f * diagonal; /* along `back` */
    slopesOf(fit, slopes);
    for (int side = 0; side < 2; side++) {
        const float high = boxes[side].max[0], low = boxes[side].min[1];
        height = fmaxf(height, 0.5f * (high - low) / slopes[side]);
        across[side] = 0.5f * (high + low);
    }
    Camera camera = {.fieldOfView = fit->fieldOfView};
    for (int axis = 0; axis < 3; axis++) {
        const float sideways = across[0] * basis.right[axis] + across[1] * basis.up[axis];
        camera.target[axis] = sideways + middle * basis.back[axis];
        camera.eye[axis] = sideways + height * basis.back[axis];
    }
    setPlanes(&camera, height - middle, bounds);
    return camera;
}

void cameraSetDistance(Camera *camera, float distance) {
    float before = distanceBetween(camera->eye, camera->target);
    for (int axis = 0; axis < 3; axis++) {
        float back = (camera->eye[axis] - camera->target[axis]) / before;
        camera->eye[axis] = camera->target[axis] + back * distance;
    }
    camera->nearPlane *= fminf(distance / before, 1.0f); /* what lies between the eye and the target stays visible */
    camera->farPlane += fmaxf(distance - before, 0.0f);
}

void cameraViewProjection(const Camera *camera, float aspect, float viewProjection[16]) {
    const Basis basis = basisOf(camera);
    float scaleY = 1.0f / tanf(0.5f * camera->fieldOfView);
    float scaleX = scaleY / aspect;
    float nearPlane = camera->nearPlane;
    float farPlane = camera->farPlane;
    float scaleZ = nearPlane / (farPlane - nearPlane);
    float offsetZ = farPlane * nearPlane / (farPlane - nearPlane);
    for (int column = 0; column < 4; column++) {
        bool isOffset = column == 3;
        float right = isOffset ? -dot(basis.right, camera->eye) : basis.right[column];
        float up = isOffset ? -dot(basis.up, camera->eye) : basis.up[column];
        float depth = isOffset ? -dot(basis.back, camera->eye) : basis.back[column];
        viewProjection[4 * column + 0] = scaleX * right;
        viewProjection[4 * column + 1] = -scaleY * up;
        viewProjection[4 * column + 2] = scaleZ * depth + (isOffset ? offsetZ : 0.0f);
        viewProjection[4 * column + 3] = -depth;
    }
}

float cameraPlaceOf(const float viewProjection[16], const VkskinAffine *node, float place[2]) {
    float clip[4];
    for (int row = 0; row < 4; row++) {
        const float *m = viewProjection + row;
        clip[row] = m[0] * node->m[0][3] + m[4] * node->m[1][3] + m[8] * node->m[2][3] + m[12];
    }
    for (int axis = 0; axis < 2 && clip[3] > 0.0f;
         axis++) { /* y of clip space is down, w the distance along the view */
        place[axis] = 0.5f * clip[axis] / clip[3] + 0.5f;
    }
    return clip[3];
}

void cameraRay(const Camera *camera, float aspect, const float place[2], float direction[3]) {
    const Basis basis = basisOf(camera);
    const float half = tanf(0.5f * camera->fieldOfView);
    const float x = (2.0f * place[0] - 1.0f) * half * aspect, y = (1.0f - 2.0f * place[1]) * half;
    for (int axis = 0; axis < 3; axis++) {
        direction[axis] = x * basis.right[axis] + y * basis.up[axis] - basis.back[axis];
    }
}

void cameraDirectional(const float towardsLight[3], const float centre[3], float radius, float viewProjection[16]) {
    float back[3] = {towardsLight[0], towardsLight[1], towardsLight[2]};
    normalise(back);
    Basis basis = basisFromBack(back);
    for (int column = 0; column < 4; column++) {
        bool isOffset = column == 3;
        float right = isOffset ? -dot(basis.right, centre) : basis.right[column];
        float up = isOffset ? -dot(basis.up, centre) : basis.up[column];
        float depth = isOffset ? -dot(basis.back, centre) : basis.back[column];
        viewProjection[4 * column + 0] = right / radius;
        viewProjection[4 * column + 1] = up / radius;
        viewProjection[4 * column + 2] = -0.5f * depth / radius + (isOffset ? 0.5f : 0.0f);
        viewProjection[4 * column + 3] = isOffset ? 1.0f : 0.0f;
    }
}

/* ---- Frustum ---- */

Frustum frustumFrom(const float viewProjection[16]) {
    Frustum frustum;
    for (int plane = 0; plane < 6; plane++) {
        for (int column = 0; column < 4; column++) {
            const float *m = &viewProjection[4 * (size_t)column];
            float edge = plane == 4 ? 0.0f : m[3]; /* depth starts at 0, x and y at -w */
            frustum.planes[plane][column] = plane % 2 == 0 ? edge + m[plane / 2] : edge - m[plane / 2];
        }
    }
    return frustum;
}

bool frustumTouches(const Frustum *frustum, const Bounds *box, float margin, const float *sweep) {
    if (!boundsCanBeDrawn(box)) {
        return true;
    }
    for (int plane = 0; plane < 6; plane++) {
        const float *p = frustum->planes[plane];
        float most = p[3];
        float rounding = fabsf(p[3]); /* sum of the terms' magnitudes: the rounding error is a fraction of it */
        for (int axis = 0; axis < 3; axis++) {
            float term = p[axis] * (p[axis] > 0.0f ? box->max[axis] + margin : box->min[axis] - margin);
            most += term;
            rounding += fabsf(term);
        }
        if (most < -1e-5f * rounding && (!sweep || dot(p, sweep) <= 0.0f)) {
            return false;
        }
    }
    return true;
}

/* ---- Orbit ---- */

#define PI        3.14159265f
#define ZOOM_STEP 0.9f
#define NEAREST   0.02f /* relative to the first distance */
#define FARTHEST  20.0f

static float clampFloat(float value, float low, float high) {
    return fminf(fmaxf(value, low), high);
}

Orbit orbitFrom(const Camera *camera) {
    float distance = distanceBetween(camera->eye, camera->target);
    float back[3];
    for (int i = 0; i < 3; i++) {
        back[i] = (camera->eye[i] - camera->target[i]) / distance;
    }
    return (Orbit){
        .target = {camera->target[0], camera->target[1], camera->target[2]},
        .yaw = atan2f(back[0], back[2]),
        .pitch = clampFloat(asinf(clampFloat(back[1], -1.0f, 1.0f)), -ORBIT_MAX_PITCH, ORBIT_MAX_PITCH),
        .distance = distance,
        .start = *camera,
    };
}

void orbitRotate(Orbit *orbit, float dx, float dy, float height) {
    float angle = PI / height;
    /* Stays within one turn, so that precision does not degrade with use. */
    orbit->yaw = remainderf(orbit->yaw - dx * angle, 2.0f * PI);
    orbit->pitch = clampFloat(orbit->pitch + dy * angle, -ORBIT_MAX_PITCH, ORBIT_MAX_PITCH);
}

void orbitZoom(Orbit *orbit, float steps) {
    float first = distanceBetween(orbit->start.eye, orbit->start.target);
    orbit->distance = clampFloat(orbit->distance * powf(ZOOM_STEP, steps), NEAREST * first, FARTHEST * first);
}

void orbitPan(Orbit *orbit, float dx, float dy, float height) {
    Basis axes = basisFromAngles(orbit->yaw, orbit->pitch);
    float perPixel = 2.0f * orbit->distance * tanf(0.5f * orbit->start.fieldOfView) / height;
    for (int i = 0; i < 3; i++) {
        orbit->target[i] += (dy * axes.up[i] - dx * axes.right[i]) * perPixel;
    }
}

Camera orbitCamera(const Orbit *orbit) {
    Basis axes = basisFromAngles(orbit->yaw, orbit->pitch);
    Camera camera = orbit->start;
    for (int i = 0; i < 3; i++) {
        camera.target[i] = orbit->target[i];
        camera.eye[i] = orbit->target[i] + axes.back[i] * orbit->distance;
    }
    float nearShare = orbit->start.nearPlane / distanceBetween(orbit->start.eye, orbit->start.target);
    camera.nearPlane = fminf(orbit->start.nearPlane, nearShare * orbit->distance);
    camera.farPlane = orbit->start.farPlane + distanceBetween(camera.eye, orbit->start.eye);
    return camera;
}
