/*
 * test_info.c: what `vkskin info` tells of a model, whole, without a device.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "run_command.h"

static void expectOutput(CommandRun run, const char *expected) {
    assert_string_equal(run.errors, "");
    assert_string_equal(run.output, expected);
    assert_int_equal(run.status, 0);
    commandRunFree(&run);
}

static void expectPart(const CommandRun *run, const char *part) {
    if (!strstr(run->output, part)) {
        fail_msg("expected the lines\n%s\nin\n%s", part, run->output);
    }
}

static void skinnedModel(void **state) {
    (void)state;
    expectOutput(RUN("info", VKSKIN_FIXTURES "/signal.gltf"),
                 "meshes                 2\n"
                 "vertices               7\n"
                 "triangles              3\n"
                 "nodes                  6\n"
                 "bones                  2\n"
                 "clips                  2\n"
                 "materials              1\n"
                 "\n"
                 "mesh    vertices   triangles   bones  placed  tangents  texcoords  material  name\n"
                 "   0           4           2       2       1        no        yes         0  arm\n"
                 "   1           3           1       0       2        no         no         0  sign\n"
                 "\n"
                 "influences    vertices   share\n"
                 "         1           3  75.0 %\n"
                 "         2           1  25.0 %\n"
                 "weight sums  1 to 1\n"
                 "\n"
                 "clip     seconds  tracks  name\n"
                 "   0       1.000       2  wave\n"
                 "   1       1.000       1  grow\n"
                 "\n"
                 "material  base colour (linear)      texture  name\n"
                 "       0  0.800 0.100 0.100 1.000         none  red\n"
                 "\n"
                 "repaired on import\n"
                 "    nothing\n");
}

static void rigidModel(void **state) {
    CommandRun run = RUN("info", VKSKIN_FIXTURES "/still.gltf", "--device", "any", "--validate");
    (void)state;
    assert_int_equal(run.status, 0);
    expectPart(&run, "bones                  0\nclips                  0\n");
    expectPart(&run, "\nno mesh is skinned: all follow their node\n");
    expectPart(&run, "\nrepaired on import\n       1  meshes without normals, computed from the faces\n");
    assert_null(strstr(run.output, "seconds"));
    commandRunFree(&run);
}

static void realModel(void **state) {
    CommandRun run = RUN("info", VKSKIN_MODELS "/X/Testwuson.X");
    (void)state;
    assert_int_equal(run.status, 0);
    expectPart(&run, "bones                 37\nclips                  3\n");
    expectPart(&run, "weight sums  ");
    commandRunFree(&run);
}

static void weightsThatAreChangedAreCounted(void **state) {
    CommandRun run = RUN("info", VKSKIN_MODELS "/FBX/animation_with_skeleton.fbx");
    (void)state;
    assert_int_equal(run.status, 0);
    expectPart(&run, "\n2,879 vertices with more than 4 influences: the largest 4 are kept when skinned\n"
                     "4,220 vertices with weights that do not sum to one: normalised when skinned\n");
    commandRunFree(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(skinnedModel),
        cmocka_unit_test(rigidModel),
        cmocka_unit_test(realModel),
        cmocka_unit_test(weightsThatAreChangedAreCounted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
