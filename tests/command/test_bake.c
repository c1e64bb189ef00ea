/*
 * test_bake.c: vkskin bake against positions and normals worked out by hand for fixtures/signal.gltf.
 *
 * The fixture: a root at (10, 0, 0). Below it a mesh on two bones, "lower" at the root and "upper" one above it, whose
 * corners are (0 0 0) and (1 0 0) on lower, (0 2 0) on upper, (1 1 0) half and half, with normals along z; then a
 * slanted triangle (0 0 0) (1 0 -1) (0 1 0) with the normal (1 0 1)/sqrt 2, placed twice: at "sign", stretched by 2
 * in x, turned by 90 degrees about z and moved by (0 2 0), and at "mirror", (0 0 5) and mirrored in x. Clip "wave"
 * turns upper from 0 to 90 degrees about z and lifts sign from y 2 to 4, within a second; clip "grow" scales upper
 * from 1 to 2.
 */
#include <math.h>

#include "baked.h"
#include "place.h"
#include "run_command.h"
#include "test.h"

#define SIGNAL VKSKIN_FIXTURES "/signal.gltf"
#define STILL  VKSKIN_FIXTURES "/still.gltf"

#define VERTEX_COUNT 10
#define FACE_COUNT   4

/* Runs bake; what it prints on standard error is `warning` whole. */
static void bake(const Place *place, const char *clip, const char *time, const char *method, const char *warning,
                 Baked *baked) {
    CommandRun run =
        RUN("bake", SIGNAL, "--clip", clip, "--time", time, "--method", method, "--validate", "-o", place->obj);
    assert_string_equal(run.errors, warning);
    assert_string_equal(run.output, "");
    assert_int_equal(run.status, 0);
    commandRunFree(&run);
    bakedReadObj(place->obj, baked);
    assert_int_equal(baked->vertexCount, VERTEX_COUNT);
    assert_int_equal(baked->faceCount, FACE_COUNT);
}

/* ---- Expectations ---- */

static void expectFace(const Baked *baked, const double corners[3][3], const double normal[3]) {
    bakedExpectFace(baked, corners, normal, 1e-5);
}

/* The arm, given where its upper corner and the one between the bones are. */
static void expectArm(const Baked *baked, const double upper[3], const double between[3]) {
    const double normal[3] = {0, 0, 1};
    const double first[3][3] = {{10, 0, 0}, {11, 0, 0}, {upper[0], upper[1], upper[2]}};
    const double second[3][3] = {{11, 0, 0}, {between[0], between[1], between[2]}, {upper[0], upper[1], upper[2]}};
    expectFace(baked, first, normal);
    expectFace(baked, second, normal);
}

/* Stretched, a normal goes by the inverse transpose: (1 0 1) to (1/2 0 1), then turned. */
static void expectSign(const Baked *baked, double height) {
    const double corners[3][3] = {{10, height, 0}, {10, height + 2, -1}, {9, height, 0}};
    const double normal[3] = {0, 1 / sqrt(5), 2 / sqrt(5)};
    expectFace(baked, corners, normal);
}

/* Mirrored, the corners turn the other way round, so that they still do so counter-clockwise about the normal. */
static void expectMirror(const Baked *baked) {
    const double corners[3][3] = {{10, 0, 5}, {10, 1, 5}, {9, 0, 4}};
    const double normal[3] = {-sqrt(0.5), 0, sqrt(0.5)};
    expectFace(baked, corners, normal);
}

AT_PLACE(beginningOfTheClip) {
    Place *place = *state;
    Baked baked;
    bake(place, "0", "0", "lbs", "", &baked);
    expectArm(&baked, (const double[3]){10, 2, 0}, (const double[3]){11, 1, 0});
    expectSign(&baked, 2);
    expectMirror(&baked);
}

AT_PLACE(middleOfTheClip) {
    Place *place = *state;
    Baked baked;
    /* Upper turned by 45 degrees about (10, 1): its corner one above that; the other one beside, half of the way. */
    const double h = sqrt(0.5);
    bake(place, "wave", "0.5", "lbs", "", &baked);
    expectArm(&baked, (const double[3]){10 - h, 1 + h, 0}, (const double[3]){10.5 + h / 2, 1 + h / 2, 0});
    expectSign(&baked, 3);
    expectMirror(&baked);
}

AT_PLACE(lastFrameHolds) {
    Place *place = *state;
    Baked baked;
    const char *const times[] = {"1", "1e9"};
    for (int i = 0; i < 2; i++) {
        bake(place, "0", times[i], "lbs", "", &baked);
        expectArm(&baked, (const double[3]){9, 1, 0}, (const double[3]){10.5, 1.5, 0});
        expectSign(&baked, 4);
    }
}

AT_PLACE(dualQuaternionsKeepTheLength) {
    Place *place = *state;
    Baked baked;
    /* Half of a quarter turn about (10, 1): the corner between stays at distance one from there. */
    const double h = sqrt(0.5);
    bake(place, "0", "1", "dqs", "", &baked);
    expectArm(&baked, (const double[3]){9, 1, 0}, (const double[3]){10 + h, 1 + h, 0});
    expectMirror(&baked);
}

AT_PLACE(lostScaleIsTold) {
    Place *place = *state;
    Baked baked;
    bake(place, "grow", "1", "lbs", "", &baked);
    expectArm(&baked, (const double[3]){10, 3, 0}, (const double[3]){11.5, 1, 0});
    bake(place, "grow", "1", "dqs",
         "vkskin bake: warning: " SIGNAL
         ": VKSKIN_WARNING_SCALE_LOST: dual quaternions cannot represent the scale of its "
         "bones; '--method dqs-scaled' keeps it\n",
         &baked);
    /* What is left of scaling about (0 1 0): its translation by -1 in y. */
    expectArm(&baked, (const double[3]){10, 1, 0}, (const double[3]){11, 0.5, 0});
}

AT_PLACE(plyIsTheSame) {
    Place *place = *state;
    Baked baked;
    CommandRun run = RUN("bake", SIGNAL, "--clip", "0", "--time", "1", "-o", place->ply);
    assert_string_equal(run.errors, "");
    assert_int_equal(run.status, 0);
    commandRunFree(&run);
    bakedReadPly(place->ply, true, &baked);
    expectArm(&baked, (const double[3]){9, 1, 0}, (const double[3]){10.5, 1.5, 0});
    expectSign(&baked, 4);
    expectMirror(&baked);
}

AT_PLACE(modelWithoutClipsIsAtRest) {
    Place *place = *state;
    Baked baked;
    const double corners[3][3] = {{1, 2, 3}, {2, 2, 3}, {1, 3, 3}};
    const double normal[3] = {0, 0, 1};
    CommandRun run = RUN("bake", STILL, "-o", place->obj);
    assert_string_equal(run.errors, "");
    assert_int_equal(run.status, 0);
    commandRunFree(&run);
    bakedReadObj(place->obj, &baked);
    assert_int_equal(baked.vertexCount, 3);
    expectFace(&baked, corners, normal);
}

/* A triangle in the plane z = 0 with normals along z, its node scaled by (scale, scale, depth). */
static void bakeScaled(Place *place, const char *scale, const char *depth, Baked *baked) {
    static const char MODEL[] =
        "{\"asset\": {\"version\": \"2.0\"}, \"scene\": 0, \"scenes\": [{\"nodes\": [0]}],"
        " \"nodes\": [{\"mesh\": 0, \"scale\": [%s, %s, %s]}],"
        " \"meshes\": [{\"primitives\": [{\"attributes\": {\"POSITION\": 0}}]}],"
        " \"accessors\": [{\"bufferView\": 0, \"componentType\": 5126, \"count\": 3, \"type\": \"VEC3\","
        " \"min\": [0, 0, 0], \"max\": [1, 1, 0]}],"
        " \"bufferViews\": [{\"buffer\": 0, \"byteOffset\": 0, \"byteLength\": 36}],"
        " \"buffers\": [{\"byteLength\": 36, \"uri\": \"data:application/octet-stream;base64,"
        "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA\"}]}";
    char text[1024];
    snprintf(place->input, sizeof place->input, "%s/scaled.gltf", place->inputs);
    snprintf(text, sizeof text, MODEL, scale, scale, depth);
    writeWhole(place->input, text);
    CommandRun run = RUN("bake", place->input, "-o", place->obj);
    assert_string_equal(run.errors, "");
    assert_int_equal(run.status, 0);
    commandRunFree(&run);
    bakedReadObj(place->obj, baked);
    assert_int_equal(baked->vertexCount, 3);
    assert_int_equal(baked->faceCount, 1);
}

/* Scales whose squares and cubes no float holds. */
AT_PLACE(normalsKeepTheirLengthAtAnyScale) {
    static const char *const SCALES[][2] = {{"1e-22", "1e-22"}, {"1e22", "1e22"}, {"1e-30", "1e-30"}, {"1e-22", "1"}};
    const double normal[3] = {0, 0, 1};
    Place *place = *state;
    Baked baked;
    for (size_t i = 0; i < COUNT_OF(SCALES); i++) {
        bakeScaled(place, SCALES[i][0], SCALES[i][1], &baked);
        for (int v = 0; v < 3; v++) {
            assert_true(bakedIsNear(baked.normals[v], normal, 1e-5));
        }
    }
}

AT_PLACE(mirrorsTurnFacesAtAnyScale) {
    static const char *const SCALES[][2] = {{"1e-22", "-1e-22"}, {"1e22", "-1e22"}, {"1", "-1"}};
    Place *place = *state;
    Baked baked;
    for (size_t i = 0; i < COUNT_OF(SCALES); i++) {
        bakeScaled(place, SCALES[i][0], SCALES[i][1], &baked);
        assert_true(baked.positions[baked.faces[0][1]][1] > 0.0f); /* the corner on y comes before that on x */
        assert_true(baked.positions[baked.faces[0][2]][0] > 0.0f);
    }
}

int main(void) {
    return runWithBackends();
}
