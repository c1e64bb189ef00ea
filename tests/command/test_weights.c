/*
 * test_weights.c: weights that differ from the file are reported once per mesh.
 */
#include <math.h>

#include "run_command.h"
#include "test.h"

#define HEAVY                                                                                                          \
    VKSKIN_MODELS                                                                                                      \
    "/FBX/animation_with_skeleton.fbx" /* up to 6 influences, sums of 0.94 to 1.38; its node is 100 times as large */

#define WARNING(verb) "vkskin " verb ": warning: " HEAVY ": mesh 'Cube.001': "
#define TRIMMED                                                                                                        \
    "2879 of 4220 vertices keep at most 4 influences and lose up to 7.05 % of their weight, which may move them by "   \
    "502 while the bones of a vertex place it within one mesh diagonal (VKSKIN_WARNING_INFLUENCES_TRIMMED)\n"
#define NORMALISED                                                                                                     \
    "4220 of 4220 vertices have weights that do not sum to one; they were normalised "                                 \
    "(VKSKIN_WARNING_WEIGHTS_NORMALISED)\n"

static void expectWarnings(CommandRun run, const char *lines) {
    assert_string_equal(run.errors, lines);
    assert_int_equal(run.status, 0);
    commandRunFree(&run);
}

TEST(everyVerbTells) {
    char folder[64], baked[96], picture[96];
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

TEST(aModelGivenTwiceIsToldOfOnce) {
    expectWarnings(CROWD(HEAVY, HEAVY, "--max-influences=4"), WARNING("crowd") TRIMMED WARNING("crowd") NORMALISED);
}

TEST(allInfluencesAreKept) {
    expectWarnings(CROWD(HEAVY), WARNING("crowd") NORMALISED);
}

TEST(goodWeightsAreSilent) {
    expectWarnings(CROWD(VKSKIN_MODELS "/X/Testwuson.X"), "");
}

/* ---- The reported error has the unit of the written file ---- */

/* Bakes to an OBJ file and reads it; to be freed. */
static char *bakeHeavy(const char *folder, const char *option) {
    char path[96];
    snprintf(path, sizeof path, "%s/out.obj", folder);
    CommandRun run = RUN("bake", HEAVY, "--time=0.4", option, "-o", path);
    assert_int_equal(run.status, 0);
    commandRunFree(&run);
    return readWhole(path, NULL);
}

/* The next vertex of an OBJ file, and where the text goes on; null after the last. */
static const char *nextVertex(const char *text, double vertex[3]) {
    char *end;
    text = strstr(text, "\nv ");
    if (text) {
        text += strlen("\nv ");
        for (int i = 0; i < 3; i++) {
            vertex[i] = strtod(text, &end);
            text = end;
        }
    }
    return text;
}

static double furthestApart(const char *a, const char *b, int *count) {
    double furthest = 0.0, at[3], is[3];
    for (*count = 0; (a = nextVertex(a, at)) && (b = nextVertex(b, is)); (*count)++) {
        furthest = fmax(furthest, hypot(hypot(at[0] - is[0], at[1] - is[1]), at[2] - is[2]));
    }
    return furthest;
}

TEST(theErrorIsWithinWhatIsTold) {
    static const char *const OPTIONS[] = {"--weights=8", "--max-influences=1"};
    static const char SAID[] = ", error up to ";
    char folder[64];
    int count;
    makeFolder(folder);
    char *exact = bakeHeavy(folder, "--weights=float");
    assert_null(strstr(exact, SAID));
    for (int i = 0; i < 2; i++) {
        char *text = bakeHeavy(folder, OPTIONS[i]);
        const char *said = strstr(text, SAID);
        assert_non_null(said);
        double reported = strtod(said + strlen(SAID), NULL), real = furthestApart(exact, text, &count);
        assert_int_equal(count, 4220);
        assert_true(real <= reported);
        assert_true(real > reported / 100.0);
        free(text);
    }
    free(exact);
    removeFolder(folder);
}

int main(void) {
    return runWithBackends();
}
