/*
 * The orbit camera: where the eye goes when the mouse moves.
 */
#include "camera.h"
#include "test.h"

#define HEIGHT 400.0f
#define PI     3.14159265f

/* On the +Z side of (1, 2, 3), 10 away, at its height. */
static Orbit level(void) {
    Camera camera = {.eye = {1.0f, 2.0f, 13.0f},
                     .target = {1.0f, 2.0f, 3.0f},
                     .fieldOfView = PI / 2.0f,
                     .nearPlane = 0.5f,
                     .farPlane = 100.0f};
    return orbitFrom(&camera);
}

static void assertPoint(const float point[3], float x, float y, float z) {
    assert_float_equal(point[0], x, 1e-4f);
    assert_float_equal(point[1], y, 1e-4f);
    assert_float_equal(point[2], z, 1e-4f);
}

TEST(beginsWhereTheCameraIs) {
    Camera camera = {.eye = {4.0f, 9.0f, -3.0f},
                     .target = {1.0f, 2.0f, 3.0f},
                     .fieldOfView = 1.0f,
                     .nearPlane = 0.25f,
                     .farPlane = 50.0f};
    Orbit orbit = orbitFrom(&camera);
    Camera same = orbitCamera(&orbit);
    assertPoint(same.eye, 4.0f, 9.0f, -3.0f);
    assertPoint(same.target, 1.0f, 2.0f, 3.0f);
    assert_float_equal(same.nearPlane, 0.25f, 1e-6f);
    assert_float_equal(same.farPlane, 50.0f, 1e-4f);
    assert_float_equal(same.fieldOfView, 1.0f, 0.0f);
}

/* Across the window's whole height is half a turn; the scene follows the mouse, so the eye goes the other way. */
TEST(turns) {
    Orbit orbit = level();
    orbitRotate(&orbit, -HEIGHT / 2.0f, 0.0f, HEIGHT);
    assertPoint(orbitCamera(&orbit).eye, 11.0f, 2.0f, 3.0f);
    orbitRotate(&orbit, -HEIGHT / 2.0f, 0.0f, HEIGHT);
    assertPoint(orbitCamera(&orbit).eye, 1.0f, 2.0f, -7.0f);
    orbit = level();
    orbitRotate(&orbit, 0.0f, HEIGHT / 6.0f, HEIGHT);
    assertPoint(orbitCamera(&orbit).eye, 1.0f, 7.0f, 3.0f + 10.0f * cosf(PI / 6.0f));
}

TEST(staysShortOfThePoles) {
    Orbit orbit = level();
    orbitRotate(&orbit, 0.0f, 100.0f * HEIGHT, HEIGHT);
    assert_float_equal(orbit.pitch, ORBIT_MAX_PITCH, 0.0f);
    orbitRotate(&orbit, 0.0f, -100.0f * HEIGHT, HEIGHT);
    assert_float_equal(orbit.pitch, -ORBIT_MAX_PITCH, 0.0f);
}

/* A thousand turns later the angle is as exact as in the first one. */
TEST(manyTurnsLoseNothing) {
    Orbit orbit = level();
    for (int i = 0; i < 2000; i++) {
        orbitRotate(&orbit, HEIGHT, 0.0f, HEIGHT);
        assert_true(fabsf(orbit.yaw) <= PI + 1e-3f);
    }
    assert_float_equal(orbitCamera(&orbit).eye[2], 13.0f, 1e-3f);
}

TEST(zooms) {
    Orbit orbit = level();
    orbitZoom(&orbit, 1.0f);
    assert_float_equal(orbit.distance, 9.0f, 1e-4f);
    orbitZoom(&orbit, -1.0f);
    assert_float_equal(orbit.distance, 10.0f, 1e-4f);
    orbitZoom(&orbit, 1000.0f);
    assert_float_equal(orbit.distance, 0.2f, 1e-5f);
    orbitZoom(&orbit, -10000.0f);
    assert_float_equal(orbit.distance, 200.0f, 1e-3f);
}

/* With a field of 90 degrees the window's height shows 20 units at a distance of 10. */
TEST(pansWithTheMouse) {
    Orbit orbit = level();
    orbitPan(&orbit, HEIGHT / 20.0f, 0.0f, HEIGHT);
    assertPoint(orbitCamera(&orbit).target, 0.0f, 2.0f, 3.0f);
    orbitPan(&orbit, 0.0f, HEIGHT / 10.0f, HEIGHT);
    assertPoint(orbitCamera(&orbit).target, 0.0f, 4.0f, 3.0f);
    assertPoint(orbitCamera(&orbit).eye, 0.0f, 4.0f, 13.0f);
}

/* Nothing that was seen from the start is cut off by the planes, near or far. */
TEST(planesFollow) {
    Orbit orbit = level();
    orbitZoom(&orbit, -1000.0f);
    Camera away = orbitCamera(&orbit);
    assert_true(away.nearPlane <= 0.5f);
    assert_float_equal(away.farPlane, 290.0f, 1e-2f);
    orbitZoom(&orbit, 1000.0f);
    Camera close = orbitCamera(&orbit);
    assert_true(close.nearPlane > 0.0f && close.nearPlane < 0.2f);
    assert_true(close.farPlane > close.nearPlane);
}
