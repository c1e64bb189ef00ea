/*
 * camera.h: a perspective camera, and bounds to frame with it. World space: right-handed, Y up.
 *
 * Matrices are 4x4, column-major, for Vulkan's clip space (Y down, depth 0 to 1), reversed: near is 1, far 0.
 */
#ifndef ENGINE_CAMERA_H
#define ENGINE_CAMERA_H

#include <stdbool.h>

#include "vkskin/vkskin_pose.h"

void transformPoint(const VkskinAffine *matrix, const float point[3], float moved[3]);

/* An axis-aligned box; empty if min is above max. */
typedef struct Bounds {
    float min[3];
    float max[3];
} Bounds;

Bounds boundsEmpty(void);
bool boundsIsEmpty(const Bounds *bounds);
void boundsAddPoint(Bounds *bounds, const float point[3]);
/* False if a coordinate is NaN or above 1e15: squares then overflow in cameras and shaders. */
bool boundsCanBeDrawn(const Bounds *bounds);
void boundsAdd(Bounds *bounds, const Bounds *other);
/* The box around the transformed box. An empty box stays empty. */
Bounds boundsTransform(const Bounds *bounds, const VkskinAffine *transform);
float boundsDiagonal(const Bounds *bounds);
void boundsCentre(const Bounds *bounds, float centre[3]);

typedef struct Camera {
    float eye[3];
    float target[3];
    float fieldOfView; /* vertical, radians, 0 to pi, both excluded */
    float nearPlane;   /* distances above 0; far above near */
    float farPlane;
} Camera;

/*
 * A camera that looks at the centre of the bounds and shows the whole box. yaw: radians about Y; 0 looks from +Z, and
 * growing angles go towards +X. pitch: radians above the horizon, within +-1.5. aspect: width over height. Empty bounds
 * and single points are framed like a box of size 1.
 */
Camera cameraFrame(const Bounds *bounds, float yaw, float pitch, float fieldOfView, float aspect);

/*
 * A camera for points, which need not fill their box: the larger of the picture's shares that they take is `share`, and they
 * are in the middle. yaw and the following ones: as for cameraFrame.
 */
typedef struct CameraFit {
    float yaw, pitch, fieldOfView, aspect;
    float share; /* 0 to 1, both excluded */
} CameraFit;

/* Maps of world space. The boxes of the mapped points say where the camera must stand. */
void cameraFitSpaces(const CameraFit *fit, VkskinAffine spaces[2]);

/* bounds: of the points in world space. boxes: in the spaces of cameraFitSpaces. The box of one point: as cameraFrame. */
Camera cameraFromFit(const CameraFit *fit, const Bounds *bounds, const Bounds boxes[2]);

/* Moves the eye to a distance above 0 from the target, in the same direction; the planes follow. */
void cameraSetDistance(Camera *camera, float distance);

/* viewProjection: world to clip space. */
void cameraViewProjection(const Camera *camera, float aspect, float viewProjection[16]);

/* Where the picture shows the origin of `node`: shares of its width and height from the upper left. Returns the distance along
 * the view; `place` is only written if that is above 0. */
float cameraPlaceOf(const float viewProjection[16], const VkskinAffine *node, float place[2]);

/* The ray from the eye through a place of the picture: shares of its width and height from the upper left. direction: any
 * length. */
void cameraRay(const Camera *camera, float aspect, const float place[2], float direction[3]);

/*
 * A directional light's view of a ball: x and y are -1 to 1, depth is 0 on the light's side, 1 behind (not reversed).
 * towardsLight: any length above 0.
 */
void cameraDirectional(const float towardsLight[3], const float centre[3], float radius, float viewProjection[16]);

/* The volume that a camera or a light sees: six planes, inside where x*p[0] + y*p[1] + z*p[2] + p[3] >= 0. */
typedef struct Frustum {
    float planes[6][4];
} Frustum;

/* viewProjection: of cameraViewProjection or cameraDirectional. */
Frustum frustumFrom(const float viewProjection[16]);

/*
 * Whether the box, grown by `margin` on all sides, may touch the volume. Never false for a box that touches it. True
 * for boxes with numbers that are not finite or too large for exact floats.
 * sweep: null, or a direction: the box is then extended along it to infinity, as a shadow is.
 */
bool frustumTouches(const Frustum *frustum, const Bounds *box, float margin, const float *sweep);

/* A camera that turns about a point, and how mouse movements change it. Movements are pixels of the window: x to the
 * right, y down. Angles are radians, with the same sense as in cameraFrame. */
typedef struct Orbit {
    float target[3];
    float yaw;      /* about Y; at 0 the eye lies on the +Z side of the target */
    float pitch;    /* above the horizon, within +-ORBIT_MAX_PITCH */
    float distance; /* from the target to the eye */
    Camera start;   /* the first camera; it sets the limits of the distance and the planes */
} Orbit;

/* Below pi / 2: straight up or down the camera has no up direction. */
#define ORBIT_MAX_PITCH 1.5f

/* Starts at `camera`, whose eye and target must differ. */
Orbit orbitFrom(const Camera *camera);

/* Left drag: a movement over the whole window height is half a turn. height: of the window in pixels, above 0. */
void orbitRotate(Orbit *orbit, float dx, float dy, float height);

/* Wheel: each positive step reduces the distance by a tenth. Limits: 1/50 to 20 times the first distance. */
void orbitZoom(Orbit *orbit, float steps);

/* Right or middle drag: points at the target's distance stay under the mouse. height: as in orbitRotate. */
void orbitPan(Orbit *orbit, float dx, float dy, float height);

/* The current camera. Points in front of the first camera's far plane stay in front of its far plane. */
Camera orbitCamera(const Orbit *orbit);

#endif
