/*
 * Whether each instruction level is there to be tested: other tests run the levels that the library detects. A level that
 * it does not detect is a failure, unless VKSKIN_TEST_WITHOUT names it: then the code of that level was not run.
 */
#include "test.h"
#include "vkskin/vkskin_base.h"

static void checkLevel(VkskinCpuLevel level, const char *name) {
    const char *without = getenv("VKSKIN_TEST_WITHOUT");
    bool named = without != NULL && strstr(without, name) != NULL;
    if (vkskinGetCpuLevel() >= level) {
        assert_false(named); /* it would be taken for untested */
        return;
    }
    if (!named) {
        fail_msg("the library does not detect %s, so its code is not tested; if this processor does not have it, set "
                 "VKSKIN_TEST_WITHOUT=%s",
                 name, name);
    }
    print_message("NOT RUN: the code for %s, which this processor does not have\n", name);
}

TEST(avx2) {
    checkLevel(VKSKIN_CPU_AVX2, "avx2");
}

TEST(avx512) {
    checkLevel(VKSKIN_CPU_AVX512, "avx512");
}
