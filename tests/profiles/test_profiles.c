/* The smoke suite on every profile, and what is particular to each. */
#include <string.h>

#include "smoke.h"

static const SmokeDef written = {VKSKIN_PALETTE_MEMORY_AUTO, 3, 3, false};
static const SmokeDef staged = {VKSKIN_PALETTE_MEMORY_STAGED, 2, 1, true};

/* Runs the suite with palettes as the library chooses and with staged ones. What was used stays in the shim. */
static VkskinStats runProfile(Gpu *gpu, ProfileName name) {
    VkskinStats stats;
    profileShimBegin(gpu, &profiles[name]);
    smokeRun(gpu, &written, &stats);
    smokeRun(gpu, &staged, &stats);
    const ProfileUse *use = &profileShim.use;
    print_message("%s: %u allocations at most, %u refused, %u flushes, binds %llu bytes, %u groups, %u copies\n",
                  profiles[name].name, use->mostAllocations, use->refusedAllocations, use->flushes,
                  (unsigned long long)use->bindingBytes, use->groups, use->copies);
    profileShimEnd();
    assert_int_equal(use->allocations, 0);
    return stats;
}

static void leastLimits(void **state) {
    (void)runProfile(*state, PROFILE_LEAST_LIMITS);
}

static void incoherent(void **state) {
    (void)runProfile(*state, PROFILE_INCOHERENT);
}

static void staging(void **state) {
    (void)runProfile(*state, PROFILE_STAGING);
}

static void smallHeaps(void **state) {
    (void)runProfile(*state, PROFILE_SMALL_HEAPS);
}

static void noTimestamps(void **state) {
    (void)runProfile(*state, PROFILE_NO_TIMESTAMPS);
}

static void smallPages(void **state) {
    (void)runProfile(*state, PROFILE_SMALL_PAGES);
}

static void localFull(void **state) {
    (void)runProfile(*state, PROFILE_LOCAL_FULL);
}

static void localFullFirst(void **state) {
    (void)runProfile(*state, PROFILE_LOCAL_FULL_FIRST);
}

static void fewAllocations(void **state) {
    (void)runProfile(*state, PROFILE_FEW_ALLOCATIONS);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        GPU_TEST(leastLimits), GPU_TEST(incoherent),     GPU_TEST(staging),
        GPU_TEST(smallHeaps),  GPU_TEST(noTimestamps),   GPU_TEST(smallPages),
        GPU_TEST(localFull),   GPU_TEST(localFullFirst), GPU_TEST(fewAllocations),
    };
    return gpuRunTests("profiles", tests, sizeof tests / sizeof tests[0], argc > 1 ? argv[1] : NULL);
}
