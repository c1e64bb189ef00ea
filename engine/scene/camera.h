/*
 * camera.h: a perspective camera, and bounds to frame with it. World space: right-handed, Y up.
 *
 * Matrices are 4x4, column-major, for Vulkan's clip space (Y down, depth 0 to 1), reversed: near is 1, far 0.
 */
#ifndef ENGINE_CAMERA_H
#define ENGINE_CAMERA_H

#include <stdbool.h>

#include "vkskin/vkskin_pose.h"

/* An axis-aligned box; empty when min is above max. */
typedef struct Bounds {
    float min[3];
    float max[3];
} Bounds;

Bounds boundsEmpty(void);
bool boundsIsEmpty(const Bounds *bounds);
void boundsAddPoint(Bounds *bounds, const float point[3]);
/* Whether squares of its lengths stay far within floats: past that, cameras and pictures come to nothing. */
bool boundsCanBeDrawn(const Bounds *bounds);
void boundsAdd(Bounds *bounds, const Bounds *other);
/* The box of the transformed box. Empty stays empty. */
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
 * A camera that looks at the bounds' centre from `yaw` (radians about Y, 0: from +Z, towards +X growing) and `pitch`
 * (radians above the horizon, within +-1.5), all of the box inside the picture. aspect: width over height.
 * Bounds that are empty or a point are framed as a box of size 1.
 */
Camera cameraFrame(const Bounds *bounds, float yaw, float pitch, float fieldOfView, float aspect);

/* viewProjection: world to clip space. */
void cameraViewProjection(const Camera *camera, float aspect, float viewProjection[16]);

/*
 * A directional light's view of a ball: x and y in -1 to 1, depth 0 on the light's side and 1 behind, not reversed.
 * towardsLight: any length above 0.
 */
void cameraDirectional(const float towardsLight[3], const float centre[3], float radius, float viewProjection[16]);

#endif
