/* 2x3 matrices: what happens in the plane is kept to the bit, what leads out of it is told. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "palette_bone.h"

static void assertFlat(const VkskinAffine *world, VkskinResult expected) {
    float entry[2][3];
    memset(entry, 0xff, sizeof entry);
    assert_int_equal(writeBone(world, VKSKIN_PALETTE_MAT2X3, entry), expected);
    for (int row = 0; row < 2; ++row) {
        const float kept[3] = {world->m[row][0], world->m[row][1], world->m[row][3]};
        assert_memory_equal(entry[row], kept, sizeof kept);
    }
}

static VkskinAffine turned(double x, double y, double z, double degrees) {
    const double axis[3] = {x, y, z};
    VkskinTransform transform = {{30, -4, 0}, {0, 0, 0, 1}, {2, 2, 2}};
    turnAbout(axis, degrees, transform.rotation);
    return vkskinAffineFromTransform(&transform);
}

static void motionsInThePlaneAreKept(void **state) {
    (void)state;
    for (int degrees = 0; degrees <= 360; degrees += 15) {
        const VkskinAffine world = turned(0, 0, 1, degrees);
        assertFlat(&world, VKSKIN_SUCCESS);
    }
    const VkskinAffine sheared = {{{-2, 0.5f, 0, 1e6f}, {1e-3f, 100, 0, -7}, {0, 0, 1, 0}}};
    assertFlat(&sheared, VKSKIN_SUCCESS);
    const VkskinAffine zero = {{{0, 0, 0, 1}, {0, 0, 0, 2}, {0, 0, 0, 0}}};
    assertFlat(&zero, VKSKIN_SUCCESS);
}

/* A flat mesh has no depth that could be scaled: not even turned over, so that z is negative. */
static void scaleOfDepthDoesNotMatter(void **state) {
    (void)state;
    static const float scales[] = {0.0f, -1.0f, 1e6f};
    for (int i = 0; i < 3; ++i) {
        VkskinAffine world = vkskinIdentityAffine();
        world.m[2][2] = scales[i];
        assertFlat(&world, VKSKIN_SUCCESS);
    }
    const VkskinAffine over = turned(0, 1, 0, 180.0);
    assertFlat(&over, VKSKIN_SUCCESS);
}

static void turnsOutOfThePlaneAreTold(void **state) {
    (void)state;
    for (int axis = 0; axis < 2; ++axis) {
        const VkskinAffine slight = turned(axis == 0, axis == 1, 0, 0.05); /* a sine of 0.00087 */
        assertFlat(&slight, VKSKIN_SUCCESS);
        const VkskinAffine more = turned(axis == 0, axis == 1, 0, 0.065); /* 0.00113 */
        assertFlat(&more, VKSKIN_WARNING_DEPTH_LOST);
        const VkskinAffine edge = turned(axis == 0, axis == 1, 0, 90.0);
        assertFlat(&edge, VKSKIN_WARNING_DEPTH_LOST);
    }
    /* each of the four elements, however far the bone moves */
    for (int i = 0; i < 4; ++i) {
        VkskinAffine world = {{{1, 0, 0, 1e5f}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
        world.m[i < 2 ? i : 2][i < 2 ? 2 : i - 2] = -0.002f;
        assertFlat(&world, VKSKIN_WARNING_DEPTH_LOST);
    }
}

static void movementAlongDepthIsTold(void **state) {
    (void)state;
    VkskinAffine world = {{{2, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, -0.0019f}}};
    assertFlat(&world, VKSKIN_SUCCESS);
    world.m[2][3] = -0.0021f; /* beyond 0.1 % of 2 */
    assertFlat(&world, VKSKIN_WARNING_DEPTH_LOST);
    world.m[1][3] = -50.0f;
    assertFlat(&world, VKSKIN_SUCCESS);
    world.m[2][3] = 0.051f;
    assertFlat(&world, VKSKIN_WARNING_DEPTH_LOST);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(motionsInThePlaneAreKept),
        cmocka_unit_test(scaleOfDepthDoesNotMatter),
        cmocka_unit_test(turnsOutOfThePlaneAreTold),
        cmocka_unit_test(movementAlongDepthIsTold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
