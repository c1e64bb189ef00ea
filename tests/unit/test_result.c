/* Names of results, strides of encodings. */

#include "test.h"
#include "vkskin/vkskin.h"

#define FIRST_RESULT  (-100)
#define LAST_RESULT   100
#define NAMED_RESULTS 64 /* as many as vkskin_base.h has */

TEST(namesAreTheIdentifiers) {
    assert_string_equal(vkskinResultName(VKSKIN_SUCCESS), "VKSKIN_SUCCESS");
    assert_string_equal(vkskinResultName(VKSKIN_WARNING_SCALE_LOST), "VKSKIN_WARNING_SCALE_LOST");
    assert_string_equal(vkskinResultName(VKSKIN_ERROR_DEF_NOT_INITIALISED), "VKSKIN_ERROR_DEF_NOT_INITIALISED");
    assert_string_equal(vkskinResultName(VKSKIN_ERROR_PALETTE_RING_FULL), "VKSKIN_ERROR_PALETTE_RING_FULL");
    assert_string_equal(vkskinResultName(VKSKIN_ERROR_SINGULAR_MATRIX), "VKSKIN_ERROR_SINGULAR_MATRIX");
}

TEST(otherValuesAreUnknown) {
    assert_string_equal(vkskinResultName((VkskinResult)99), "VKSKIN_UNKNOWN");
    assert_string_equal(vkskinResultName((VkskinResult)-6), "VKSKIN_UNKNOWN");
    assert_string_equal(vkskinResultName(VKSKIN_RESULT_FORCE_INT32), "VKSKIN_UNKNOWN");
}

TEST(everyResultHasANameOfItsOwn) {
    const char *names[LAST_RESULT - FIRST_RESULT + 1];
    uint32_t count = 0;
    for (int value = FIRST_RESULT; value <= LAST_RESULT; ++value) {
        const char *name = vkskinResultName((VkskinResult)value);
        if (strcmp(name, "VKSKIN_UNKNOWN") == 0) {
            continue;
        }
        const char *prefix = value == 0 ? "VKSKIN_SUCCESS" : value > 0 ? "VKSKIN_WARNING_" : "VKSKIN_ERROR_";
        assert_memory_equal(name, prefix, strlen(prefix));
        for (uint32_t i = 0; i < count; ++i) {
            assert_string_not_equal(name, names[i]);
        }
        names[count++] = name;
    }
    assert_int_equal(count, NAMED_RESULTS);
}

TEST(theLibraryIsOfTheHeadersVersion) {
    assert_int_equal(vkskinVersion(), VKSKIN_VERSION);
    assert_int_equal(vkskinVersion() / 10000, VKSKIN_VERSION_MAJOR);
    assert_int_equal(vkskinVersion() / 100 % 100, VKSKIN_VERSION_MINOR);
    assert_int_equal(vkskinVersion() % 100, VKSKIN_VERSION_PATCH);
}

TEST(stridesAreTheDocumentedBytes) {
    assert_int_equal(vkskinPaletteStride(VKSKIN_PALETTE_MAT3X4), 48);
    assert_int_equal(vkskinPaletteStride(VKSKIN_PALETTE_DUAL_QUATERNION), 32);
    assert_int_equal(vkskinPaletteStride(VKSKIN_PALETTE_SCALED_DUAL_QUATERNION), 64);
    assert_int_equal(vkskinPaletteStride(VKSKIN_PALETTE_QUATERNION), 32);
    assert_int_equal(vkskinPaletteStride(VKSKIN_PALETTE_QUATERNION_HALF), 16);
    assert_int_equal(vkskinPaletteStride(VKSKIN_PALETTE_QUATERNION_SNORM16), 24);
    assert_int_equal(vkskinPaletteStride(VKSKIN_PALETTE_MAT2X3), 24);
    assert_int_equal(vkskinPaletteStride(VKSKIN_PALETTE_ENCODING_COUNT), 0);
    assert_int_equal(vkskinPaletteStride((VkskinPaletteEncoding)77), 0);
}

/* ---- The ready logger ---- */

#if !defined(_WIN32) /* whose stderr is in text mode */
#include <unistd.h>

/* What a call writes to stderr: the logger, or for DEF_NOT_INITIALISED vkskinCreateContext with a def that is all zero. */
static void assertLine(void *user, VkskinResult result, const char *message, const char *expected) {
    char line[160] = "";
    FILE *caught = tmpfile();
    assert_non_null(caught);
    fflush(stderr);
    const int kept = dup(STDERR_FILENO);
    assert_true(kept >= 0 && dup2(fileno(caught), STDERR_FILENO) >= 0);
    if (result != VKSKIN_ERROR_DEF_NOT_INITIALISED) {
        vkskinLogToStderr(user, result, message);
    } else {
        VkskinContextDef def = vkskinDefaultContextDef();
        VkskinContext context;
        def.cookie = 0;
        assert_int_equal(vkskinCreateContext(&def, &context), result);
    }
    fflush(stderr);
    assert_true(dup2(kept, STDERR_FILENO) >= 0);
    close(kept);
    rewind(caught);
    const size_t size = fread(line, 1, sizeof line - 1, caught);
    fclose(caught);
    assert_int_equal(size, strlen(expected));
    assert_string_equal(line, expected);
}

TEST(theReadyLoggerPrintsALine) {
    const VkskinLogger logger = {vkskinLogToStderr, "game"};
    assertLine(NULL, VKSKIN_ERROR_NULL_ARGUMENT, "cube: 100 %s", "vkskin: VKSKIN_ERROR_NULL_ARGUMENT: cube: 100 %s\n");
    assertLine(logger.user, VKSKIN_WARNING_SCALE_LOST, "bone 3", "game: VKSKIN_WARNING_SCALE_LOST: bone 3\n");
    assertLine(NULL, (VkskinResult)99, NULL, "vkskin: VKSKIN_UNKNOWN: \n");
}

/* The logger of such a def may be anything, and is not called. */
TEST(aContextDefWithoutCookieIsLoggedInDebugBuilds) {
    assertLine(NULL, VKSKIN_ERROR_DEF_NOT_INITIALISED, NULL,
               "vkskin: VKSKIN_ERROR_DEF_NOT_INITIALISED: vkskinCreateContext: the def was not made by "
               "vkskinDefaultContextDef\n");
}
#endif
