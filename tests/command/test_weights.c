/*
 * test_weights.c: weights that are not skinned as the file has them are told of, once a mesh.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "run_command.h"

#define HEAVY VKSKIN_MODELS "/FBX/animation_with_skeleton.fbx" /* up to 6 influences, sums of 0.94 to 1.38 */

#define WARNING(verb) "vkskin " verb ": warning: " HEAVY ": mesh 'Cube.001': "
#define TRIMMED                                                                                                        \
    "2879 of 4220 vertices keep 4 influences at most and lose up to 7.05 % of their weight, which may move them by "   \
    "4.14 (VKSKIN_WARNING_INFLUENCES_TRIMMED)\n"
#define NORMALISED                                                                                                     \
    "4220 of 4220 vertices have weights that do not sum to one, normalised (VKSKIN_WARNING_WEIGHTS_NORMALISED)\n"

static void expectWarnings(CommandRun run, const char *lines) {
    assert_string_equal(run.errors, lines);
    assert_int_equal(run.status, 0);
    commandRunFree(&run);
}

static void everyVerbTells(void **state) {
    char folder[64], baked[96], picture[96];
    (void)state;
    makeFolder(folder);
    snprintf(baked, sizeof baked, "%s/out.ply", folder);
    snprintf(picture, sizeof picture, "%s/out.png", folder);
    expectWarnings(RUN("bake", HEAVY, "--max-influences=4", "--validate", "-o", baked),
                   WARNING("bake") TRIMMED WARNING("bake") NORMALISED);
    expectWarnings(RUN("render", HEAVY, "--max-influences=4", "--size=16x16", "-o", picture),
                   WARNING("render") TRIMMED WARNING("render") NORMALISED);
    removeFolder(folder);
}

#define CROWD(...) RUN("crowd", __VA_ARGS__, "--count=4", "--frames=1", "--size=16x16", "--json=/dev/null")

static void aModelGivenTwiceIsToldOfOnce(void **state) {
    (void)state;
    expectWarnings(CROWD(HEAVY, HEAVY, "--max-influences=4"), WARNING("crowd") TRIMMED WARNING("crowd") NORMALISED);
}

static void allInfluencesAreKept(void **state) {
    (void)state;
    expectWarnings(CROWD(HEAVY), WARNING("crowd") NORMALISED);
}

static void goodWeightsAreSilent(void **state) {
    (void)state;
    expectWarnings(CROWD(VKSKIN_MODELS "/X/Testwuson.X"), "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everyVerbTells),
        cmocka_unit_test(aModelGivenTwiceIsToldOfOnce),
        cmocka_unit_test(allInfluencesAreKept),
        cmocka_unit_test(goodWeightsAreSilent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
