/*
 * spine_camera.h: what a picture of 2D characters shows: it is framed by boxes of vertices; a user pans and zooms it.
 * Pixels are those of a picture of size[2] pixels, from its upper left, y down.
 */
#ifndef ENGINE_SPINE_CAMERA_H
#define ENGINE_SPINE_CAMERA_H

#include "spine_pose.h"

/* The centre of the picture, and its height, in the 2D models' space or the world. */
typedef struct SpineCamera {
    double centre[2], height;
} SpineCamera;

/* Shows the box with a margin in a picture of this width over height. False: the box is empty or not finite. */
bool spineCameraFrame(const SpineBox *box, double aspect, SpineCamera *camera);

/* The place that a pixel shows. */
void spineCameraPlace(const SpineCamera *camera, const float size[2], const float pixel[2], double place[2]);

/* Moves what is shown by so many pixels. */
void spineCameraPan(SpineCamera *camera, const float size[2], const float pixels[2]);

/* steps: of the wheel; positive: nearer. What `pixel` shows stays there. */
void spineCameraZoom(SpineCamera *camera, const float size[2], const float pixel[2], float steps);

#endif
