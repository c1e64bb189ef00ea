#include "draw_scene.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "draw_bindings.h"

#define FIELD_OF_VIEW        0.6f
#define CROWD_CAMERA_MEMBERS 24     /* fewer are framed like one */
#define SHADOW_RADIUS        30.0f  /* character heights: farther shadows are left out, so that near ones stay sharp */
#define NORMALS_LENGTH       0.05f  /* in sides of a square of the ground */
#define SHADOW_TEXELS        200.0f /* per character height: edges are about two hundredths of it wide */
#define SHADOW_SIZE_MIN      240.0f
#define SHADOW_LIFT          2.0f  /* texels along the normal, so that a surface does not shade itself */
#define FILL_RISE            0.35f /* height of the second light, over the horizontal part of the sun's unit vector */
#define HAZE_LENGTH          40.0f /* character heights behind the population that fade into the horizon */

static const float sun[3] = {-0.55f, 0.75f, 0.42f};

/* All of the box in the picture, ground at its lower side. */
static DrawScene framedScene(const Bounds *bounds, float aspect) {
    DrawScene scene = {.camera = cameraFrame(bounds, 0.55f, 0.22f, FIELD_OF_VIEW, aspect)};
    bool empty = boundsIsEmpty(bounds);
    float height = empty ? 1.0f : bounds->max[1] - bounds->min[1];
    float diagonal = boundsDiagonal(bounds);
    memcpy(scene.sunDirection, sun, sizeof(sun));
    scene.groundHeight = empty ? 0.0f : bounds->min[1];
    scene.groundUnit = 0.5f * fmaxf(height, 0.2f * diagonal);
    return scene;
}

/*
 * Above and in front of the population's front row, whose feet stand at the picture's lower edge; so near that the last row
 * runs out of the picture on both sides, but no nearer than a few heights.
 */
static Camera crowdCamera(const Population *population, float aspect) {
    const Bounds *box = &population->bounds;
    float unit = population->characterHeight;
    float width = box->max[0] - box->min[0];
    float depth = box->max[2] - box->min[2];
    float spread = aspect * tanf(0.5f * FIELD_OF_VIEW);
    float distance = fminf(fmaxf(0.47f * width / spread - depth, 6.5f * unit), 12.0f * unit);
    float height = 0.56f * distance;
    float pitch = atanf(height / distance) + 0.04f - 0.5f * FIELD_OF_VIEW;
    Camera camera = {.fieldOfView = FIELD_OF_VIEW, .nearPlane = 0.5f * unit};
    float middle = 0.5f * (box->min[0] + box->max[0]);
    float targetDistance = fminf(height / tanf(fmaxf(pitch, 0.1f)), distance + depth);
    camera.eye[0] = middle + 0.1f * targetDistance;
    camera.eye[1] = box->min[1] + height;
    camera.eye[2] = box->max[2] + distance;
    camera.target[0] = middle;
    camera.target[1] = camera.eye[1] - targetDistance * tanf(pitch);
    camera.target[2] = camera.eye[2] - targetDistance;
    camera.farPlane = 100.0f * unit + 20.0f * boundsDiagonal(box);
    return camera;
}

DrawScene drawDefaultScene(const Population *population, float aspect) {
    DrawScene scene = framedScene(&population->bounds, aspect);
    if (population->characterCount >= CROWD_CAMERA_MEMBERS && population->characterHeight > 0.0f) {
        scene.camera = crowdCamera(population, aspect);
    }
    scene.groundUnit = population->characterHeight > 0.0f ? 0.55f * population->characterHeight : scene.groundUnit;
    return scene;
}

/* The ball that shadows are drawn for: the population, or the part of it that the camera looks at. */
static void shadowBall(const DrawScene *scene, const Population *population, float centre[3], float *radius) {
    boundsCentre(&population->bounds, centre);
    *radius = fmaxf(0.5f * boundsDiagonal(&population->bounds), 1e-3f);
    float maxRadius = SHADOW_RADIUS * population->characterHeight;
    if (maxRadius > 0.0f && *radius > maxRadius) {
        *radius = maxRadius;
        memcpy(centre, scene->camera.target, 3 * sizeof(float));
    }
}

/* The side of the part of the map that is drawn: a single character has soft edges, which cost less too. */
static float shadowTexels(const Population *population, float radius) {
    const float wanted = SHADOW_TEXELS * 2.0f * radius / fmaxf(population->characterHeight, 1e-3f * radius);
    return floorf(fminf(fmaxf(wanted, SHADOW_SIZE_MIN), (float)DRAW_SHADOW_SIZE));
}

static float distanceTo(const float a[3], const float b[3]) {
    return sqrtf((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

/* The second light comes from the side that the sun leaves dark: 150 degrees about Y from it. */
static void fillDirection(const float sunDirection[3], float direction[4]) {
    const float cosine = -0.8660254f, sine = 0.5f;
    const float length = hypotf(hypotf(sunDirection[0], FILL_RISE), sunDirection[2]);
    direction[0] = (cosine * sunDirection[0] + sine * sunDirection[2]) / length;
    direction[1] = FILL_RISE / length;
    direction[2] = (cosine * sunDirection[2] - sine * sunDirection[0]) / length;
}

RasterFrame drawDescribeFrame(const DrawScene *scene, const Population *population, float aspect) {
    const float *eye = scene->camera.eye;
    const float *s = scene->sunDirection;
    float length = sqrtf(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
    float centre[3], radius;
    boundsCentre(&population->bounds, centre);
    float halfDiagonal = 0.5f * boundsDiagonal(&population->bounds);
    float clear = distanceTo(eye, centre) + halfDiagonal;
    float fade = fmaxf(HAZE_LENGTH * population->characterHeight, 2.0f * halfDiagonal);
    RasterFrame frame = {.eye = {eye[0], eye[1], eye[2], 1.0f},
                         .sunDirection = {s[0] / length, s[1] / length, s[2] / length},
                         .groundCentre = {centre[0], scene->groundHeight, centre[2], 2.0f * (clear + 4.0f * fade)},
                         .groundSquare = {scene->groundUnit, NORMALS_LENGTH * scene->groundUnit},
                         .haze = {0.8f * clear, fade}};
    fillDirection(frame.sunDirection, frame.fillDirection);
    frame.haze[2] = scene->exposure > 0.0f ? scene->exposure : 1.0f;
    if (scene->plain) {
        frame.haze[0] = FLT_MAX;
    }
    shadowBall(scene, population, centre, &radius);
    const float texels = shadowTexels(population, radius);
    frame.shadow[0] = 1.0f / (float)DRAW_SHADOW_SIZE;
    frame.shadow[1] = SHADOW_LIFT * (2.0f * radius / texels);
    frame.shadow[2] = texels;
    cameraViewProjection(&scene->camera, aspect, frame.viewProjection);
    cameraDirectional(scene->sunDirection, centre, radius, frame.lightViewProjection);
    return frame;
}
