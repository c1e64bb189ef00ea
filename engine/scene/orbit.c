#include "orbit.h"

#include <math.h>

#define PI        3.14159265f
#define ZOOM_STEP 0.9f
#define NEAREST   0.02f /* of the first distance */
#define FARTHEST  20.0f

typedef struct Axes {
    float right[3], up[3], back[3]; /* of the picture; back points from the target to the eye */
} Axes;

static float clampFloat(float value, float low, float high) {
    return fminf(fmaxf(value, low), high);
}

static float distanceBetween(const float a[3], const float b[3]) {
    return hypotf(hypotf(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

static Axes pictureAxes(const Orbit *orbit) {
    float cy = cosf(orbit->yaw), sy = sinf(orbit->yaw);
    float cp = cosf(orbit->pitch), sp = sinf(orbit->pitch);
    return (Axes){.right = {cy, 0.0f, -sy}, .up = {-sy * sp, cp, -cy * sp}, .back = {sy * cp, sp, cy * cp}};
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
    /* Kept within one turn, so that hours of turning lose no precision. */
    orbit->yaw = remainderf(orbit->yaw - dx * angle, 2.0f * PI);
    orbit->pitch = clampFloat(orbit->pitch + dy * angle, -ORBIT_MAX_PITCH, ORBIT_MAX_PITCH);
}

void orbitZoom(Orbit *orbit, float steps) {
    float first = distanceBetween(orbit->start.eye, orbit->start.target);
    orbit->distance = clampFloat(orbit->distance * powf(ZOOM_STEP, steps), NEAREST * first, FARTHEST * first);
}

void orbitPan(Orbit *orbit, float dx, float dy, float height) {
    Axes axes = pictureAxes(orbit);
    float perPixel = 2.0f * orbit->distance * tanf(0.5f * orbit->start.fieldOfView) / height;
    for (int i = 0; i < 3; i++) {
        orbit->target[i] += (dy * axes.up[i] - dx * axes.right[i]) * perPixel;
    }
}

Camera orbitCamera(const Orbit *orbit) {
    Axes axes = pictureAxes(orbit);
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
