/* Medians and spreads against numbers worked by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "measure.h"

static Samples samplesOf(const double *values, size_t count) {
    Samples samples = {0};
    EngineError error;
    for (size_t i = 0; i < count; i++) {
        assert_true(samplesAdd(&samples, values[i], &error));
    }
    return samples;
}

static void checkMeasured(const double *values, size_t count, double median, double spread) {
    Samples samples = samplesOf(values, count);
    Measured measured = samplesMeasure(&samples);
    assert_int_equal(measured.count, count);
    assert_float_equal(measured.median, median, 1e-6);
    assert_float_equal(measured.spread, spread, 1e-4);
    samplesFree(&samples);
    assert_int_equal(samples.count, 0);
}

static void nothingMeasuresAsZero(void **state) {
    (void)state;
    checkMeasured(NULL, 0, 0.0, 0.0);
}

static void oneSampleHasNoSpread(void **state) {
    (void)state;
    const double values[] = {4.0};
    checkMeasured(values, 1, 4.0, 0.0);
}

static void quartilesAreInterpolated(void **state) {
    (void)state;
    const double odd[] = {5.0, 1.0, 3.0, 2.0, 4.0}; /* quartiles 2 and 4 */
    checkMeasured(odd, 5, 3.0, 200.0 / 3.0);
    const double even[] = {4.0, 1.0, 2.0, 3.0}; /* quartiles 1.75 and 3.25 */
    checkMeasured(even, 4, 2.5, 60.0);
}

static void oneOutlierMovesNeither(void **state) {
    (void)state;
    const double values[] = {2.0, 2.0, 1000.0, 2.0, 2.0, 2.0, 2.0};
    checkMeasured(values, 7, 2.0, 0.0);
}

static void manySamplesAreKept(void **state) {
    (void)state;
    Samples samples = {0};
    EngineError error;
    for (int i = 1000; i >= 0; i--) {
        assert_true(samplesAdd(&samples, i, &error));
    }
    Measured measured = samplesMeasure(&samples);
    assert_float_equal(measured.median, 500.0, 1e-6);
    assert_float_equal(measured.spread, 100.0, 1e-4);
    samplesFree(&samples);
}

static void theClockDoesNotGoBack(void **state) {
    (void)state;
    double last = measureNow();
    for (int i = 0; i < 1000; i++) {
        double now = measureNow();
        assert_true(now >= last);
        last = now;
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothingMeasuresAsZero),    cmocka_unit_test(oneSampleHasNoSpread),
        cmocka_unit_test(quartilesAreInterpolated), cmocka_unit_test(oneOutlierMovesNeither),
        cmocka_unit_test(manySamplesAreKept),       cmocka_unit_test(theClockDoesNotGoBack),
    };
    return cmocka_run_group_tests_name("engine.measure", tests, NULL, NULL);
}
