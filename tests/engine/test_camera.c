/* Framing and projection: corners of boxes must land where a picture shows them. */
#include "camera.h"
#include "test.h"

typedef struct Clip {
    float x, y, z, w;
} Clip;

static Clip project(const float m[16], const float p[3]) {
    float out[4];
    for (int row = 0; row < 4; row++) {
        out[row] = m[row] * p[0] + m[4 + row] * p[1] + m[8 + row] * p[2] + m[12 + row];
    }
    return (Clip){out[0] / out[3], out[1] / out[3], out[2] / out[3], out[3]};
}

static void corner(const Bounds *bounds, int index, float point[3]) {
    for (int axis = 0; axis < 3; axis++) {
        point[axis] = (index >> axis) & 1 ? bounds->max[axis] : bounds->min[axis];
    }
}

static void checkFramed(const Bounds *bounds, float yaw, float pitch, float aspect) {
    Camera camera = cameraFrame(bounds, yaw, pitch, 0.7f, aspect);
    float matrix[16];
    float widest = 0.0f;
    cameraViewProjection(&camera, aspect, matrix);
    for (int i = 0; i < 8; i++) {
        float point[3];
        corner(bounds, i, point);
        Clip clip = project(matrix, point);
        assert_true(clip.w > 0.0f);
        assert_true(fabsf(clip.x) <= 1.0f && fabsf(clip.y) <= 1.0f);
        assert_true(clip.z >= 0.0f && clip.z <= 1.0f);
        widest = fmaxf(widest, fmaxf(fabsf(clip.x), fabsf(clip.y)));
    }
    assert_true(widest > 0.6f); /* and not lost in the distance */
}

TEST(boxesAreFramedWhole) {
    const Bounds boxes[] = {{{-1, 0, -1}, {1, 2, 1}},
                            {{-100, -1, -3}, {-40, 1, 5}},
                            {{10, 10, 10}, {10.001f, 10.002f, 10.001f}},
                            {{0, 0, 0}, {1000, 3000, 200}}};
    for (size_t i = 0; i < COUNT_OF(boxes); i++) {
        for (float yaw = -3.0f; yaw < 3.1f; yaw += 0.75f) {
            for (float pitch = -1.5f; pitch < 1.6f; pitch += 0.5f) {
                checkFramed(&boxes[i], yaw, pitch, 16.0f / 9.0f);
                checkFramed(&boxes[i], yaw, pitch, 0.5f);
            }
        }
    }
}

/* The target stays in the middle, the direction stays, and neither plane cuts the box. */
TEST(theDistanceIsThatOfTheOption) {
    const Bounds bounds = {{-1, 0, -2}, {3, 2, 2}};
    const float distances[] = {0.01f, 1.0f, 5.0f, 300.0f};
    for (size_t i = 0; i < COUNT_OF(distances); i++) {
        Camera camera = cameraFrame(&bounds, 0.5f, 0.3f, 0.7f, 1.5f);
        float back[3], matrix[16];
        for (int axis = 0; axis < 3; axis++) {
            back[axis] = camera.eye[axis] - camera.target[axis];
        }
        float before = sqrtf(back[0] * back[0] + back[1] * back[1] + back[2] * back[2]);
        cameraSetDistance(&camera, distances[i]);
        for (int axis = 0; axis < 3; axis++) {
            assert_float_equal((camera.eye[axis] - camera.target[axis]) / distances[i], back[axis] / before, 1e-4f);
        }
        cameraViewProjection(&camera, 1.5f, matrix);
        Clip middle = project(matrix, camera.target);
        assert_true(fabsf(middle.x) < 1e-3f && fabsf(middle.y) < 1e-3f && middle.z > 0.0f && middle.z < 1.0f);
        float far[3] = {bounds.min[0], bounds.min[1], bounds.min[2]};
        Clip behind = project(matrix, far);
        assert_true(behind.z > 0.0f && behind.z < 1.0f);
    }
}

/* Where the ground under the box meets the lower edge of the picture, it is not cut. */
static void checkGround(const Bounds *bounds, float yaw, float pitch, float aspect) {
    const float field = 0.6f;
    Camera camera = cameraFrame(bounds, yaw, pitch, field, aspect);
    float angle = pitch + 0.5f * field; /* angle of the lower edge, below the horizon */
    float away = (camera.eye[1] - bounds->min[1]) / tanf(angle);
    float point[3] = {camera.eye[0] - away * sinf(yaw), bounds->min[1], camera.eye[2] - away * cosf(yaw)};
    float matrix[16];
    cameraViewProjection(&camera, aspect, matrix);
    Clip clip = project(matrix, point);
    assert_float_equal(clip.y, 1.0f, 1e-3f);
    assert_true(clip.z > 0.0f && clip.z <= 1.0f);
}

TEST(theGroundReachesTheLowerEdge) {
    const Bounds boxes[] = {{{-1, 0, -1}, {1, 2, 1}}, {{-100, 0, -1}, {100, 2, 1}}, {{5, -3, 5}, {6, 9, 6}}};
    const float aspects[] = {0.1f, 0.375f, 1.0f, 16.0f / 9.0f, 10.0f};
    for (size_t i = 0; i < COUNT_OF(boxes); i++) {
        for (size_t k = 0; k < COUNT_OF(aspects); k++) {
            for (float yaw = -3.0f; yaw < 3.1f; yaw += 0.75f) {
                checkGround(&boxes[i], yaw, 0.05f, aspects[k]);
                checkGround(&boxes[i], yaw, 0.2f, aspects[k]);
                checkGround(&boxes[i], yaw, 1.2f, aspects[k]);
            }
        }
    }
}

TEST(nothingIsFramedLikeAUnitBox) {
    const Bounds empty = boundsEmpty();
    const Bounds point = {{5, 5, 5}, {5, 5, 5}};
    Camera camera = cameraFrame(&empty, 0.0f, 0.0f, 0.7f, 1.0f);
    assert_true(isfinite(camera.eye[2]) && camera.eye[2] > 0.5f);
    camera = cameraFrame(&point, 0.0f, 0.0f, 0.7f, 1.0f);
    assert_float_equal(camera.target[0], 5.0f, 1e-6f);
    assert_true(camera.eye[2] > 5.5f);
}

TEST(upIsUpAndRightIsRight) {
    const Camera camera = {{0, 0, 10}, {0, 0, 0}, 0.7f, 0.1f, 100.0f};
    const float up[3] = {0, 1, 0};
    const float right[3] = {1, 0, 0};
    const float close[3] = {0, 0, 9.9f};
    const float far[3] = {0, 0, -90.0f};
    float matrix[16];
    cameraViewProjection(&camera, 1.0f, matrix);
    assert_true(project(matrix, up).y < 0.0f); /* Vulkan's clip space has y down */
    assert_true(project(matrix, right).x > 0.0f);
    assert_float_equal(project(matrix, close).z, 1.0f, 1e-4f); /* reversed depth */
    assert_float_equal(project(matrix, far).z, 0.0f, 1e-4f);
}

TEST(theLightSeesTheBall) {
    const float centre[3] = {3, 4, 5};
    const float directions[][3] = {{0, 1, 0}, {0, -2, 0}, {-0.5f, 0.7f, 0.4f}, {3, 0, 0}};
    for (size_t i = 0; i < 4; i++) {
        float matrix[16];
        const float *d = directions[i];
        float length = sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        cameraDirectional(d, centre, 2.0f, matrix);
        float towards[3];
        float away[3];
        for (int axis = 0; axis < 3; axis++) {
            towards[axis] = centre[axis] + 2.0f * d[axis] / length;
            away[axis] = centre[axis] - 2.0f * d[axis] / length;
        }
        assert_float_equal(project(matrix, centre).x, 0.0f, 1e-5f);
        assert_float_equal(project(matrix, centre).z, 0.5f, 1e-5f);
        assert_float_equal(project(matrix, towards).z, 0.0f, 1e-5f);
        assert_float_equal(project(matrix, away).z, 1.0f, 1e-5f);
    }
}

TEST(boundsGrowAndTurn) {
    Bounds bounds = boundsEmpty();
    const VkskinAffine quarter = {{{0, 0, 1, 10}, {0, 1, 0, 0}, {-1, 0, 0, 0}}};
    assert_true(boundsIsEmpty(&bounds));
    Bounds turned = boundsTransform(&bounds, &quarter);
    assert_true(boundsIsEmpty(&turned));
    boundsAdd(&bounds, &turned);
    assert_true(boundsIsEmpty(&bounds));
    const float a[3] = {1, 2, 3};
    const float b[3] = {-1, 0, 1};
    boundsAddPoint(&bounds, a);
    boundsAddPoint(&bounds, b);
    assert_float_equal(boundsDiagonal(&bounds), sqrtf(12.0f), 1e-5f);
    turned = boundsTransform(&bounds, &quarter);
    assert_float_equal(turned.min[0], 11.0f, 1e-6f);
    assert_float_equal(turned.max[0], 13.0f, 1e-6f);
    assert_float_equal(turned.min[2], -1.0f, 1e-6f);
    assert_float_equal(turned.max[2], 1.0f, 1e-6f);
}

/* ---- Frusta ---- */

static float randomIn(uint32_t *state, float low, float high) {
    *state = *state * 1664525u + 1013904223u;
    return low + (high - low) * (float)(*state >> 8) / 16777216.0f;
}

static bool isInside(const float matrix[16], const float point[3]) {
    Clip clip = project(matrix, point);
    return clip.w > 0.0f && fabsf(clip.x) <= 1.0f && fabsf(clip.y) <= 1.0f && clip.z >= 0.0f && clip.z <= 1.0f;
}

/* Each box holds a point that the volume shows; the shadow of each holds one that the light is on the other side of. */
TEST(boxesInViewAreNeverMissed) {
    uint32_t seed = 1, inside = 0;
    for (int camera = 0; camera < 40; camera++) {
        const Camera view = {.eye = {randomIn(&seed, -5, 5), randomIn(&seed, 0, 5), randomIn(&seed, 5, 9)},
                             .target = {randomIn(&seed, -3, 3), 0, 0},
                             .fieldOfView = randomIn(&seed, 0.3f, 1.5f),
                             .nearPlane = 0.1f,
                             .farPlane = randomIn(&seed, 5, 50)};
        const float sun[3] = {randomIn(&seed, -1, 1), 1, randomIn(&seed, -1, 1)}, fromSun[3] = {-sun[0], -1, -sun[2]};
        float matrices[2][16];
        cameraViewProjection(&view, 1.5f, matrices[0]);
        cameraDirectional(sun, view.target, 6.0f, matrices[1]);
        for (int i = 0; i < 2000; i++) {
            const float point[3] = {randomIn(&seed, -20, 20), randomIn(&seed, -5, 8), randomIn(&seed, -20, 10)};
            Bounds box = boundsEmpty(), caster;
            boundsAddPoint(&box, point);
            for (int axis = 0; axis < 3; axis++) {
                box.min[axis] -= randomIn(&seed, 0, 2);
                box.max[axis] += randomIn(&seed, 0, 2);
                caster.min[axis] = box.min[axis] + 4.0f * sun[axis];
                caster.max[axis] = box.max[axis] + 4.0f * sun[axis];
            }
            for (int m = 0; m < 2; m++) {
                Frustum frustum = frustumFrom(matrices[m]);
                if (isInside(matrices[m], point)) {
                    assert_true(frustumTouches(&frustum, &box, 0.0f, NULL));
                    assert_true(frustumTouches(&frustum, &caster, 0.0f, fromSun));
                    inside++;
                }
            }
        }
    }
    assert_true(inside > 1000);
}

TEST(boxesOutOfViewAreFound) {
    const Camera camera = {{0, 0, 10}, {0, 0, 0}, 0.7f, 0.1f, 100.0f};
    const Bounds behind = {{-1, -1, 11}, {1, 1, 12}}, left = {{-30, -1, 0}, {-20, 1, 1}};
    const Bounds above = {{-1, 20, -1}, {1, 21, 1}}, endless = {{-1, 20, -1}, {1, INFINITY, 1}};
    const float down[3] = {0, -1, 0}, up[3] = {0, 1, 0};
    float matrix[16];
    cameraViewProjection(&camera, 1.0f, matrix);
    Frustum frustum = frustumFrom(matrix);
    assert_false(frustumTouches(&frustum, &behind, 0.0f, NULL));
    assert_true(frustumTouches(&frustum, &behind, 1.5f, NULL));
    assert_false(frustumTouches(&frustum, &left, 0.0f, NULL));
    assert_false(frustumTouches(&frustum, &left, 0.0f, down));
    assert_false(frustumTouches(&frustum, &above, 0.0f, NULL));
    assert_false(frustumTouches(&frustum, &above, 0.0f, up));
    assert_true(frustumTouches(&frustum, &above, 0.0f, down)); /* the shadow falls into the picture */
    assert_true(frustumTouches(&frustum, &endless, 0.0f, NULL));
}
