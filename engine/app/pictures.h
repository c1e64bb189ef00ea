/*
 * pictures.h: the options that `render` and `crowd` share: what a picture shows, and from where.
 */
#ifndef APP_PICTURES_H
#define APP_PICTURES_H

#include "crowd_run.h"
#include "session.h"

/* A group: size, camera, fit, background, sequence. */
extern const Option PICTURE_OPTIONS[];

/* Width over height of the picture. */
float pictureAspect(const Arguments *arguments);

/*
 * The camera of --camera. It looks at the centre of the bounds, in world space, and shows all of them, unless --camera
 * states a distance. yaw, pitch: without --camera, as for cameraFrame.
 */
Camera pictureCamera(const Arguments *arguments, const Bounds *bounds, float yaw, float pitch);

/*
 * The box of a member's vertices in world space: at its time, at all times of --sequence, or with --fit over its whole
 * clip, sampled 30 times per second, at most 256 times. Fails if the vertices are too far away to be drawn. path: for the message.
 */
bool pictureBounds(const Arguments *arguments, const Crowd *crowd, const CrowdMember *member, const char *path,
                   Bounds *bounds, EngineError *error);

/*
 * Runs the session's scene with progress, and writes the picture or the pictures that the options ask for. view: the
 * background of the option is added. *result: of the measured frames.
 */
bool picturesRun(Session *session, uint32_t warmupFrames, uint32_t frames, DrawScene view, CrowdResult *result,
                 EngineError *error);

#endif
