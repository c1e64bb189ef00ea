/*
 * test_methods.c: the options of how characters are skinned, against positions and normals worked out by hand.
 *
 * test_bake.c describes fixtures/signal.gltf: its arm's corner (1 1 0) hangs half on a bone that stands and half on
 * one that turns by 90 degrees about z at (0 1 0), all of it moved by (10 0 0).
 *
 * fixtures/face.gltf: a triangle (0 0 0) (1 0 0) (0 1 0) with normals along z and the morph targets "up", which moves its
 * last corner by (0 0 1), and "wide", which moves all by (1 0 0); their weights are (0.25 0) at rest, and go from (0 0.5)
 * to (1 0.5) within the second of clip "talk". And a triangle (0 0 0) (1 0 -1) (0 1 0) with the normal (1 0 1)/sqrt 2, on
 * one bone, which clip "stretch" scales from 1 to (3 1 1).
 */
#include <math.h>

#include "baked.h"
#include "place.h"
#include "run_command.h"
#include "test.h"

#define SIGNAL VKSKIN_FIXTURES "/signal.gltf"
#define FACE   VKSKIN_FIXTURES "/face.gltf"

#define CLOSE 1e-5

/* Runs bake with further options, null-terminated. Standard error must equal `warning`. */
static void bake(const Place *place, const char *model, const char *const *options, const char *warning, Baked *baked) {
    const char *arguments[COMMAND_ARGUMENTS_MAX] = {"bake", model, "--validate", "-o", place->obj};
    int count = 5;
    for (; *options; options++) {
        arguments[count++] = *options;
    }
    CommandRun run = runCommand(arguments);
    assert_string_equal(run.errors, warning);
    assert_string_equal(run.output, "");
    assert_int_equal(run.status, 0);
    commandRunFree(&run);
    bakedReadObj(place->obj, baked);
}

#define BAKE(place, model, warning, baked, ...)                                                                        \
    bake(place, model, (const char *const[]){__VA_ARGS__, NULL}, warning, baked)

/* ---- Methods ---- */

/* The upper triangle of the arm at the clip's end, given its corner between the bones. */
static void expectArm(const Baked *baked, double x, double y, double off) {
    const double normal[3] = {0, 0, 1};
    const double corners[3][3] = {{11, 0, 0}, {x, y, 0}, {9, 1, 0}};
    bakedExpectFace(baked, corners, normal, off);
}

/*
 * The corner about its centre of rotation. By hand: the centres of the arm's two triangles, (1/3 2/3) and (2/3 1), of
 * areas 1 and 1/2 and of mean weights (2/3 1/3) and (1/2 1/2), weighted by area and likeness (sigma 0.1).
 */
static void expectCentreOfRotation(const Baked *baked) {
    const double first = 1.0 * (0.5 * 0.5 * 2.0 / 9.0) * exp(-(1.0 / 6.0) * (1.0 / 6.0) / 0.01);
    const double second = 0.5 * (0.5 * 0.5 * 0.25);
    const double x = (first / 3.0 + second * 2.0 / 3.0) / (first + second);
    const double y = (first * 2.0 / 3.0 + second) / (first + second);
    /* Linear blending moves the centre; half a quarter turn leads from there to the corner. */
    const double movedX = 0.5 * x + 0.5 * (1.0 - y), movedY = 0.5 * y + 0.5 * (1.0 + x);
    const double h = sqrt(0.5);
    expectArm(baked, 10 + movedX + h * ((1 - x) - (1 - y)), movedY + h * ((1 - x) + (1 - y)), CLOSE);
}

/* lbs and dqs: see test_bake.c; dqs-scaled: see below. */
AT_PLACE(theCornerIsWhereItShouldBe) {
    static const struct {
        const char *method;
        double off;
    } CASES[] = {{"qt", CLOSE}, {"qt-half", 2e-3}, {"qt-snorm16", 1e-4}};
    const double h = sqrt(0.5);
    Place *place = *state;
    Baked baked;
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        BAKE(place, SIGNAL, "", &baked, "--time=1", "--method", CASES[i].method);
        expectArm(&baked, 10.5, 1.5, CASES[i].off);
    }
    BAKE(place, SIGNAL, "", &baked, "--time=1", "--method=cor");
    expectCentreOfRotation(&baked);
    BAKE(place, SIGNAL, "", &baked, "--time=1", "--method=blend", "--blend=0.25");
    expectArm(&baked, 10 + 0.75 * 0.5 + 0.25 * h, 1 + 0.75 * 0.5 + 0.25 * h, CLOSE);
    BAKE(place, SIGNAL, "", &baked, "--time=1", "--method=blend");
    expectArm(&baked, 10 + 0.25 + h / 2, 1 + 0.25 + h / 2, CLOSE);
}

/* ---- Normals, and scale that a method cannot hold ---- */

/* The stretched triangle, with a normal along (x 0 z). */
static void expectFlag(const Baked *baked, double length, double x, double z) {
    const double size = sqrt(x * x + z * z);
    const double normal[3] = {x / size, 0, z / size};
    const double corners[3][3] = {{0, 0, 0}, {length, 0, -1}, {0, 1, 0}};
    bakedExpectFace(baked, corners, normal, CLOSE);
}

AT_PLACE(normalsAreCheapOrExact) {
    Place *place = *state;
    Baked baked;
    BAKE(place, FACE, "", &baked, "--clip=stretch", "--time=1");
    expectFlag(&baked, 3, 3, 1);
    BAKE(place, FACE, "", &baked, "--clip=stretch", "--time=1", "--normals=exact");
    expectFlag(&baked, 3, 1, 3);
    BAKE(place, FACE, "", &baked, "--clip=stretch", "--time=1", "--normals=exact", "--method=dqs-scaled");
    expectFlag(&baked, 3, 1, 3);
}

#define LOST "vkskin bake: warning: " FACE ": VKSKIN_WARNING_SCALE_LOST: "

AT_PLACE(lostScaleIsTold) {
    const double even = cbrt(3.0);
    const double normal[3] = {sqrt(0.5), 0, sqrt(0.5)};
    const double corners[3][3] = {{0, 0, 0}, {even, 0, -even}, {0, even, 0}};
    Place *place = *state;
    Baked baked;
    BAKE(place, FACE, LOST "dual quaternions cannot represent the scale of its bones; '--method dqs-scaled' keeps it\n",
         &baked, "--clip=stretch", "--time=1", "--method=dqs");
    expectFlag(&baked, 1, 1, 1);
    BAKE(place, FACE, LOST "quaternions cannot represent the non-uniform scale of its bones; '--method lbs' keeps it\n",
         &baked, "--clip=stretch", "--time=1", "--method=qt");
    bakedExpectFace(&baked, corners, normal, CLOSE);
}

/* Of two equal weights the first one stays: the corner stands. Half of its weight times the arm's diagonal. */
AT_PLACE(lostWeightIsTold) {
    Place *place = *state;
    Baked baked;
    BAKE(place, SIGNAL,
         "vkskin bake: warning: " SIGNAL
         ": mesh 'arm': 1 of 4 vertices keep at most 1 influence and lose up to 50 % of "
         "their weight, which may move them by 1.12 while the bones of a vertex place it within one mesh diagonal "
         "(VKSKIN_WARNING_INFLUENCES_TRIMMED)\n",
         &baked, "--time=1", "--max-influences=1");
    expectArm(&baked, 11, 1, CLOSE);
}

/* The corner's half is 127 or 128 of 255: what one bone gets too much the other lacks. */
AT_PLACE(weightsAreKeptInSoManyBits) {
    static const struct {
        const char *weights;
        double units;
    } CASES[] = {{"16", 65535.0}, {"8", 255.0}};
    Place *place = *state;
    Baked baked;
    for (int i = 0; i < 2; i++) {
        BAKE(place, SIGNAL, "", &baked, "--time=1", "--weights", CASES[i].weights);
        /* The bones put it at (11 1) and at (10 2): half a unit moves it by half a unit in x and in y. */
        const double x = (double)baked.positions[3][0] - 10.5, y = (double)baked.positions[3][1] - 1.5;
        assert_true(fabs(fabs(x) - 0.5 / CASES[i].units) < 2e-6);
        assert_true(fabs(x + y) < 2e-6);
    }
}

/* ---- Morph targets ---- */

/* The first line of what was written. */
static void expectHead(const Place *place, const char *head) {
    char *text = readWhole(place->obj, NULL);
    text[strcspn(text, "\n")] = '\0';
    assert_string_equal(text, head);
    free(text);
}

static void expectFace(const Baked *baked, double wide, double up) {
    const double normal[3] = {0, 0, 1};
    const double corners[3][3] = {{wide, 0, 0}, {1 + wide, 0, 0}, {wide, 1, up}};
    bakedExpectFace(baked, corners, normal, CLOSE);
}

AT_PLACE(morphsFollowTheFileTheClipAndTheUser) {
    Place *place = *state;
    Baked baked;
    BAKE(place, FACE, "", &baked, "--clip=stretch"); /* no track has them: at rest */
    expectFace(&baked, 0, 0.25);
    BAKE(place, FACE, "", &baked, "--clip=talk", "--time=0.75");
    expectFace(&baked, 0.5, 0.75);
    BAKE(place, FACE, "", &baked, "--clip=talk", "--time=0.75", "--morph", "up=9", "--morph=0=-2");
    expectFace(&baked, 0.5, -2);
    BAKE(place, FACE, "", &baked, "--clip=talk", "--method=dqs", "--morph=1=3", "--morph=up=1");
    expectFace(&baked, 3, 1);
}

/* A copy of the face whose targets are named anew. */
static void renameTargets(const Place *place, const char *up, const char *wide) {
    char *text = readWhole(FACE, NULL);
    char *from = strstr(text, "\"up\""), *to = strstr(text, "\"wide\"");
    assert_true(from && to && from < to);
    FILE *file = fopen(place->input, "w");
    assert_non_null(file);
    fprintf(file, "%.*s\"%s\",\"%s\"%s", (int)(from - text), text, up, wide, to + strlen("\"wide\""));
    assert_int_equal(fclose(file), 0);
    free(text);
}

/* A name goes before a number, names that targets share are of all of them, the last weight of a target counts. */
AT_PLACE(namesOfTargetsGoBeforeTheirNumbers) {
    Place *place = *state;
    Baked baked;
    snprintf(place->input, sizeof place->input, "%s/face.gltf", place->inputs);
    renameTargets(place, "1", "0");
    BAKE(place, place->input, "", &baked, "--clip=stretch", "--morph=0=3", "--morph=1=9");
    expectFace(&baked, 3, 9);
    renameTargets(place, "x", "x");
    BAKE(place, place->input, "", &baked, "--clip=stretch", "--morph=x=2");
    expectFace(&baked, 2, 2);
    BAKE(place, place->input, "", &baked, "--clip=stretch", "--morph=1=7", "--morph=x=2", "--morph=0=5");
    expectFace(&baked, 2, 5);
}

AT_PLACE(theHeadTellsWhatMadeTheFile) {
    Place *place = *state;
    Baked baked;
    BAKE(place, SIGNAL, "", &baked, "--time=1", "--method=blend", "--blend=0.25", "--max-influences=2", "--weights=8");
    expectHead(place, "# vkskin bake, blend 0.25, cheap normals, weights 8 bits, at most 2 influences, error up to "
                      "0.00438 while the bones of a vertex place it within one mesh diagonal, clip 0 'wave' at 1 s");
    BAKE(place, FACE, "", &baked, "--clip=talk", "--morph=up=9", "--morph=0=-2", "--normals=exact");
    expectHead(place,
               "# vkskin bake, lbs, exact normals, weights float, morph 'up' 9, morph '0' -2, clip 0 'talk' at 0 s");
}

int main(void) {
    return runWithBackends();
}
