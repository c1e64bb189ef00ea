/* Floats rounded to halves, against halves read by their definition. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "palette.h"

#define HALF_INFINITY 0x7c00u

/* Of a half from zero to infinity without its sign. */
static double valueOf(uint32_t half) {
    const int exponent = (int)(half >> 10);
    const double fraction = half & 0x3ffu;
    return exponent == 0 ? ldexp(fraction, -24) : ldexp(1024.0 + fraction, exponent - 25);
}

static void assertHalf(float value, uint32_t expected) {
    for (uint32_t sign = 0; sign < 2; ++sign) {
        uint16_t half = 0xffff;
        assert_true(sknHalfFromFloat(sign == 0 ? value : -value, &half) == (expected < HALF_INFINITY));
        assert_int_equal(half, sign << 15 | expected);
    }
}

static void everyHalfIsItself(void **state) {
    (void)state;
    for (uint32_t half = 0; half < HALF_INFINITY; ++half) {
        assertHalf((float)valueOf(half), half);
    }
}

/* The middle of two neighbours goes to the even one, what is next to it to the nearer one; subnormals and the step to
 * infinity are among them. */
static void betweenTwoTheNearerIsTaken(void **state) {
    (void)state;
    for (uint32_t half = 0; half < HALF_INFINITY; ++half) {
        const float middle = (float)(0.5 * (valueOf(half) + valueOf(half + 1)));
        assertHalf(middle, half + (half & 1u));
        assertHalf(nextafterf(middle, 0.0f), half);
        assertHalf(nextafterf(middle, INFINITY), half + 1);
        assertHalf((float)(0.75 * valueOf(half) + 0.25 * valueOf(half + 1)), half);
        assertHalf((float)(0.25 * valueOf(half) + 0.75 * valueOf(half + 1)), half + 1);
    }
}

static void namedValues(void **state) {
    (void)state;
    assertHalf(0.0f, 0x0000);
    assertHalf(1.0f, 0x3c00);
    assertHalf(2.0f, 0x4000);
    assertHalf(65504.0f, 0x7bff);
    assertHalf(6.1035156e-5f, 0x0400); /* the smallest that is normal */
    assertHalf(5.9604645e-8f, 0x0001); /* the smallest of all */
}

static void whatIsBeyondIsRefused(void **state) {
    (void)state;
    assertHalf(65519.996f, 0x7bff);
    assertHalf(65520.0f, HALF_INFINITY);
    assertHalf(1e10f, HALF_INFINITY);
    assertHalf(3.4028235e38f, HALF_INFINITY);
    assertHalf(INFINITY, HALF_INFINITY);
    uint16_t half;
    assert_false(sknHalfFromFloat(NAN, &half));
}

static void whatIsTooSmallIsZero(void **state) {
    (void)state;
    assertHalf(2.9802322e-8f, 0x0000); /* half of the smallest, to the even one */
    assertHalf(2.9802326e-8f, 0x0001);
    assertHalf(1e-20f, 0x0000);
    assertHalf(1e-45f, 0x0000); /* no normal float either */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everyHalfIsItself),    cmocka_unit_test(betweenTwoTheNearerIsTaken),
        cmocka_unit_test(namedValues),          cmocka_unit_test(whatIsBeyondIsRefused),
        cmocka_unit_test(whatIsTooSmallIsZero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
