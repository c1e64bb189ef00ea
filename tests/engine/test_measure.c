/* Medians and spreads against numbers worked by hand. */

#include "measure.h"
#include "test.h"

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

TEST(nothingMeasuresAsZero) {
    checkMeasured(NULL, 0, 0.0, 0.0);
}

TEST(oneSampleHasNoSpread) {
    const double values[] = {4.0};
    checkMeasured(values, 1, 4.0, 0.0);
}

TEST(quartilesAreInterpolated) {
    const double odd[] = {5.0, 1.0, 3.0, 2.0, 4.0}; /* quartiles 2 and 4 */
    checkMeasured(odd, 5, 3.0, 200.0 / 3.0);
    const double even[] = {4.0, 1.0, 2.0, 3.0}; /* quartiles 1.75 and 3.25 */
    checkMeasured(even, 4, 2.5, 60.0);
}

TEST(oneOutlierMovesNeither) {
    const double values[] = {2.0, 2.0, 1000.0, 2.0, 2.0, 2.0, 2.0};
    checkMeasured(values, 7, 2.0, 0.0);
}

TEST(manySamplesAreKept) {
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

TEST(theClockDoesNotGoBack) {
    double last = measureNow();
    for (int i = 0; i < 1000; i++) {
        double now = measureNow();
        assert_true(now >= last);
        last = now;
    }
}
