/*
 * orbit.h: a camera that turns about a point, and how mouse movements change it. Pure arithmetic: no window, no state
 * of its own, any thread.
 *
 * Angles are radians, with the sense of camera.h; movements are pixels of the window, x to the right, y down, as a
 * mouse reports them.
 */
#ifndef ENGINE_ORBIT_H
#define ENGINE_ORBIT_H

#include "camera.h"

typedef struct Orbit {
    float target[3];
    float yaw;      /* about Y; at 0 the eye lies on the +Z side of the target */
    float pitch;    /* above the horizon, within +-ORBIT_MAX_PITCH */
    float distance; /* of the eye from the target */
    Camera start;   /* where it began: the bounds of the distance and the planes follow from it */
} Orbit;

/* Short of straight up and down, where "up" would have no direction in the picture. */
#define ORBIT_MAX_PITCH 1.5f

/* Begins at `camera`, whose eye and target differ. */
Orbit orbitFrom(const Camera *camera);

/* Left drag: half a turn for a movement across the whole height of the window. height: pixels, above 0. */
void orbitRotate(Orbit *orbit, float dx, float dy, float height);

/* The wheel: positive steps come nearer, a tenth of the distance each, from 1/50 of the first distance to 20 times. */
void orbitZoom(Orbit *orbit, float steps);

/* Right or middle drag: what lies at the target's distance stays under the mouse. height as in orbitRotate. */
void orbitPan(Orbit *orbit, float dx, float dy, float height);

/* The camera now. Whatever the first camera's far plane let in stays within, however far the eye went. */
Camera orbitCamera(const Orbit *orbit);

#endif
