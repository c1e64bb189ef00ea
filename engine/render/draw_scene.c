#include "draw_scene.h"

#include <math.h>
#include <string.h>

#define FIELD_OF_VIEW        0.6f
#define CROWD_CAMERA_MEMBERS 24    /* fewer are framed like one */
#define SHADOW_REACH         30.0f /* member heights: farther shadows are left out, so that near ones stay sharp */
#define HAZE_LENGTH          40.0f /* member heights behind the crowd that fade into the horizon */

static const float sun[3] = {-0.55f, 0.75f, 0.42f};

/* All of the box in the picture, ground at its lower side. */
static DrawScene framedScene(const Bounds *bounds, float aspect) {
    DrawScene scene = {.camera = cameraFrame(bounds, 0.55f, 0.22f, FIELD_OF_VIEW, aspect), .ground = true};
    bool empty = boundsIsEmpty(bounds);
    float height = empty ? 1.0f : bounds->max[1] - bounds->min[1];
    float diagonal = boundsDiagonal(bounds);
    memcpy(scene.sunDirection, sun, sizeof(sun));
    scene.groundHeight = empty ? 0.0f : bounds->min[1];
    scene.groundUnit = 0.5f * fmaxf(height, 0.2f * diagonal);
    return scene;
}

/*
 * Above and in front of the crowd's front row, whose feet stand at the picture's lower edge; so near that the last row
 * runs out of the picture on both sides, but no nearer than a few heights.
 */
static Camera crowdCamera(const Crowd *crowd, float aspect) {
    const Bounds *box = &crowd->bounds;
    float unit = crowd->memberHeight;
    float width = box->max[0] - box->min[0];
    float depth = box->max[2] - box->min[2];
    float spread = aspect * tanf(0.5f * FIELD_OF_VIEW);
    float distance = fminf(fmaxf(0.47f * width / spread - depth, 6.5f * unit), 12.0f * unit);
    float height = 0.56f * distance;
    float pitch = atanf(height / distance) + 0.04f - 0.5f * FIELD_OF_VIEW;
    Camera camera = {.fieldOfView = FIELD_OF_VIEW, .nearPlane = 0.5f * unit};
    float middle = 0.5f * (box->min[0] + box->max[0]);
    float reach = fminf(height / tanf(fmaxf(pitch, 0.1f)), distance + depth);
    camera.eye[0] = middle + 0.1f * reach;
    camera.eye[1] = box->min[1] + height;
    camera.eye[2] = box->max[2] + distance;
    camera.target[0] = middle;
    camera.target[1] = camera.eye[1] - reach * tanf(pitch);
    camera.target[2] = camera.eye[2] - reach;
    camera.farPlane = 100.0f * unit + 20.0f * boundsDiagonal(box);
    return camera;
}

DrawScene drawDefaultScene(const Crowd *crowd, float aspect) {
    DrawScene scene = framedScene(&crowd->bounds, aspect);
    if (crowd->memberCount >= CROWD_CAMERA_MEMBERS && crowd->memberHeight > 0.0f) {
        scene.camera = crowdCamera(crowd, aspect);
    }
    scene.groundUnit = crowd->memberHeight > 0.0f ? 0.55f * crowd->memberHeight : scene.groundUnit;
    return scene;
}

/* The ball that shadows are drawn for: the crowd, or the part of it that the camera looks at. */
static void shadowBall(const DrawScene *scene, const Crowd *crowd, float centre[3], float *radius) {
    boundsCentre(&crowd->bounds, centre);
    *radius = fmaxf(0.5f * boundsDiagonal(&crowd->bounds), 1e-3f);
    float reach = SHADOW_REACH * crowd->memberHeight;
    if (reach > 0.0f && *radius > reach) {
        *radius = reach;
        memcpy(centre, scene->camera.target, 3 * sizeof(float));
    }
}

static void setVector(float vector[4], float x, float y, float z, float w) {
    vector[0] = x;
    vector[1] = y;
    vector[2] = z;
    vector[3] = w;
}

static float distanceTo(const float a[3], const float b[3]) {
    return sqrtf((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

RasterFrame drawSceneUniforms(const DrawScene *scene, const Crowd *crowd, uint32_t shadowSize, float aspect) {
    RasterFrame frame;
    float centre[3];
    float radius;
    shadowBall(scene, crowd, centre, &radius);
    cameraViewProjection(&scene->camera, aspect, frame.viewProjection);
    cameraDirectional(scene->sunDirection, centre, radius, frame.lightViewProjection);
    const float *eye = scene->camera.eye;
    const float *s = scene->sunDirection;
    float length = sqrtf(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
    float texel = 2.0f * radius / (float)shadowSize;
    boundsCentre(&crowd->bounds, centre);
    float reach = 0.5f * boundsDiagonal(&crowd->bounds);
    float clear = distanceTo(eye, centre) + reach;
    float fade = fmaxf(HAZE_LENGTH * crowd->memberHeight, 2.0f * reach);
    setVector(frame.eye, eye[0], eye[1], eye[2], 1.0f);
    setVector(frame.sunDirection, s[0] / length, s[1] / length, s[2] / length, 0.0f);
    setVector(frame.groundCentre, centre[0], scene->groundHeight, centre[2], 2.0f * (clear + 4.0f * fade));
    setVector(frame.groundSquare, scene->groundUnit, 0.0f, 0.0f, 0.0f);
    setVector(frame.haze, 0.8f * clear, fade, 0.0f, 0.0f);
    setVector(frame.shadow, 1.0f / (float)shadowSize, 1.5f * texel, 0.0f, 0.0f);
    return frame;
}
