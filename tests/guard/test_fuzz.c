/*
 * Instance tables, palettes and meshes of any kind through the public interface: nobody reads or writes outside of a
 * buffer, nobody writes what is not his, what one instance's palette holds never reaches another's output, and bad
 * input is refused.
 *
 *     test_guard_fuzz end|start|assisted [--seed N] [--rounds N | --seconds N]
 *
 * end, start: which end of every buffer touches an inaccessible page; assisted: GPU-assisted validation looks at every
 * access of the kernels (lavapipe alone: see test_gpu_assisted.c). A failure names its seed; to repeat it:
 * --seed N --rounds 1. VKSKIN_TEST_SEED is the seed where none is given.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fuzz_scene.h"
#include "watch.h"

typedef struct Options {
    GuardPlacement placement;
    uint64_t seed;
    uint64_t rounds;
    double seconds; /* 0: as many rounds as said */
} Options;

static Options options = {.seed = 1, .rounds = 12};
static bool finished;

static double now(void) {
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static bool goesOn(const FuzzTotals *totals, double begin) {
    return options.seconds > 0 ? now() - begin < options.seconds : totals->rounds < options.rounds;
}

static void nothingGoesOutside(void **state) {
    Gpu *gpu = *state;
    FuzzTotals totals = {0};
    double begin = now();
    gpu->finish = fuzzFinish;
    while (goesOn(&totals, begin)) {
        fuzzRound(gpu, options.placement, options.seed + totals.rounds, &totals);
    }
    /* Rounds in which nothing was skinned, compared or refused would prove nothing. */
    assert_true(totals.instances > 0 && totals.vertices > 0 && totals.refusals > 0 && watchBytes() > 0);
    finished = true;
    print_message("%llu seeds from %llu: %llu frames, %llu meshes, %llu instances, %llu vertices held against the "
                  "reference, %llu refusals, %.1f GB watched, %.0f s\n",
                  (unsigned long long)totals.rounds, (unsigned long long)options.seed,
                  (unsigned long long)totals.frames, (unsigned long long)totals.meshes,
                  (unsigned long long)totals.instances, (unsigned long long)totals.vertices,
                  (unsigned long long)totals.refusals, 1e-9 * (double)watchBytes(), now() - begin);
}

static int tellSeed(void **state) {
    if (!finished) {
        print_error("this was %s\n", guardNoted());
    }
    return gpuTestTeardown(state);
}

static bool readOption(const char *name, const char *value) {
    char *end = NULL;
    uint64_t number = value != NULL ? strtoull(value, &end, 10) : 0;
    if (value == NULL || end == value || *end != '\0') {
        return false;
    }
    if (strcmp(name, "--seed") == 0) {
        options.seed = number;
    } else if (strcmp(name, "--rounds") == 0) {
        options.rounds = number;
    } else if (strcmp(name, "--seconds") == 0) {
        options.seconds = (double)number;
    } else {
        return false;
    }
    return true;
}

static bool readPlacement(const char *name) {
    static const char *const names[] = {
        [GUARD_AT_END] = "end", [GUARD_AT_START] = "start", [GUARD_BY_LAYER] = "assisted"};
    for (uint32_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(name, names[i]) == 0) {
            options.placement = (GuardPlacement)i;
            return true;
        }
    }
    return false;
}

static bool readOptions(int argc, char **argv) {
    const char *seed = getenv("VKSKIN_TEST_SEED");
    bool good = argc > 1 && readPlacement(argv[1]) && (seed == NULL || readOption("--seed", seed));
    for (int i = 2; good && i < argc; i += 2) {
        good = readOption(argv[i], argv[i + 1]);
    }
    return good;
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(nothingGoesOutside, gpuTestSetup, tellSeed),
    };
    if (!readOptions(argc, argv)) {
        fprintf(stderr, "usage: %s end|start|assisted [--seed N] [--rounds N | --seconds N]\n", argv[0]);
        return 2;
    }
    GpuRequest request = guardRequest;
    request.gpuAssisted = options.placement == GUARD_BY_LAYER;
    gpuRequest(&request);
    return gpuRunTests("guard fuzz", tests, 1, NULL);
}
