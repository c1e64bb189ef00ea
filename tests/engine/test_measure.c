/* Medians and spreads against numbers worked by hand. */

#include "measure.h"
#include "test.h"

/* No samples, one, quartiles that are interpolated (2 and 4; 1.75 and 3.25), and an outlier that moves neither. */
TEST(quartilesAreInterpolated) {
    static const struct {
        double values[7];
        size_t count;
        double median, spread;
    } cases[] = {
        {{0.0}, 0, 0.0, 0.0},
        {{4.0}, 1, 4.0, 0.0},
        {{5.0, 1.0, 3.0, 2.0, 4.0}, 5, 3.0, 200.0 / 3.0},
        {{4.0, 1.0, 2.0, 3.0}, 4, 2.5, 60.0},
        {{2.0, 2.0, 1000.0, 2.0, 2.0, 2.0, 2.0}, 7, 2.0, 0.0},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Samples samples = {0};
        EngineError error;
        for (size_t k = 0; k < cases[i].count; k++) {
            assert_true(samplesAdd(&samples, cases[i].values[k], &error));
        }
        Measured measured = samplesMeasure(&samples);
        assert_int_equal(measured.count, cases[i].count);
        assert_float_equal(measured.median, cases[i].median, 1e-6);
        assert_float_equal(measured.spread, cases[i].spread, 1e-4);
        samplesFree(&samples);
        assert_int_equal(samples.count, 0);
    }
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
