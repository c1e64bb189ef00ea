/*
 * The measure of pictures, by hand.
 */
#include "likeness.h"
#include "test.h"

#define PIXELS 4

static Picture picture(uint8_t pixels[4 * PIXELS]) {
    return (Picture){.width = 2, .height = 2, .pixels = pixels};
}

static Likeness measure(const Picture *a, const Picture *b, const Picture *const covers[2]) {
    Likeness likeness;
    EngineError error;
    assert_true(pictureLikeness(a, b, covers, &likeness, &error));
    return likeness;
}

TEST(equalPicturesAreEqual) {
    uint8_t grey[4 * PIXELS];
    memset(grey, 128, sizeof grey);
    const Picture a = picture(grey);
    const Likeness likeness = measure(&a, &a, NULL);
    assert_float_equal(likeness.decibels, LIKENESS_EQUAL, 0);
    assert_int_equal(likeness.covered, 4);
    assert_int_equal(likeness.different, 0);
    assert_int_equal(likeness.largest, 0);
}

/* One channel of one covered pixel is 51 off: 10 log10(255^2 / (51^2 / 6)) with two covered pixels of three channels. */
TEST(onlyCoveredPixelsCount) {
    uint8_t one[4 * PIXELS] = {10, 20, 30, 255, 1, 2, 3, 0, 9, 9, 9, 0, 0, 0, 0, 0};
    uint8_t other[4 * PIXELS] = {10, 71, 30, 255, 200, 200, 200, 0, 9, 9, 9, 0, 0, 0, 0, 255};
    const Picture a = picture(one), b = picture(other);
    const Likeness likeness = measure(&a, &b, NULL);
    assert_int_equal(likeness.covered, 2);
    assert_int_equal(likeness.different, 1);
    assert_int_equal(likeness.largest, 51);
    assert_float_equal(likeness.decibels, 10 * log10(255.0 * 255.0 / (51.0 * 51.0 / 6)), 1e-9);
}

/* The covers say what counts, the pictures what is seen there. */
TEST(coversOfOthersCount) {
    uint8_t one[4 * PIXELS] = {0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255};
    uint8_t other[4 * PIXELS] = {255, 255, 255, 255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255};
    uint8_t first[4 * PIXELS] = {0, 0, 0, 0, 0, 0, 0, 1}, second[4 * PIXELS] = {0};
    const Picture a = picture(one), b = picture(other), covers[2] = {picture(first), picture(second)};
    const Picture *const shown[2] = {&covers[0], &covers[1]};
    assert_float_equal(measure(&a, &b, NULL).decibels, 10 * log10(4), 1e-9);
    assert_float_equal(measure(&a, &b, shown).decibels, LIKENESS_EQUAL, 0);
    assert_int_equal(measure(&a, &b, shown).covered, 1);
    second[3] = 255;
    assert_float_equal(measure(&a, &b, shown).decibels, 10 * log10(2), 1e-9);
}

/* Half covered white over black is half as different. */
TEST(alphaWeighsColours) {
    uint8_t one[4 * PIXELS] = {255, 255, 255, 51, 0}, other[4 * PIXELS] = {0, 0, 0, 51, 0};
    const Picture a = picture(one), b = picture(other);
    assert_int_equal(measure(&a, &b, NULL).largest, 51);
    assert_float_equal(measure(&a, &b, NULL).decibels, 20 * log10(5), 1e-9);
}

TEST(nothingCoveredIsNotAlike) {
    uint8_t empty[4 * PIXELS] = {0};
    const Picture a = picture(empty);
    const Likeness likeness = measure(&a, &a, NULL);
    assert_int_equal(likeness.covered, 0);
    assert_float_equal(likeness.decibels, 0, 0);
}

TEST(otherSizesAreRefused) {
    uint8_t pixels[4 * PIXELS] = {0};
    const Picture a = picture(pixels), b = {.width = 1, .height = 4, .pixels = pixels};
    Likeness likeness;
    EngineError error;
    assert_false(pictureLikeness(&a, &b, NULL, &likeness, &error));
    assert_string_equal(error.message, "pictures of different sizes cannot be compared");
}
