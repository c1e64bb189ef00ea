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
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "place.h"
#include "run_command.h"

#define SIGNAL VKSKIN_FIXTURES "/signal.gltf"
#define STILL  VKSKIN_FIXTURES "/still.gltf"

#define VERTEX_COUNT 10
#define FACE_COUNT   4

typedef struct Baked {
    int vertexCount, faceCount;
    float positions[VERTEX_COUNT][3];
    float normals[VERTEX_COUNT][3];
    int faces[FACE_COUNT][3]; /* from 0 */
} Baked;

/* ---- Reading back ---- */

static void readObjLine(const char *line, Baked *baked, int *normalCount) {
    float v[3];
    int a, b, c;
    if (sscanf(line, "v %f %f %f", &v[0], &v[1], &v[2]) == 3) {
        assert_true(baked->vertexCount < VERTEX_COUNT);
        memcpy(baked->positions[baked->vertexCount++], v, sizeof v);
    } else if (sscanf(line, "vn %f %f %f", &v[0], &v[1], &v[2]) == 3) {
        assert_true(*normalCount < VERTEX_COUNT);
        memcpy(baked->normals[(*normalCount)++], v, sizeof v);
    } else if (sscanf(line, "f %d/%*[0-9/] %d/%*[0-9/] %d/", &a, &b, &c) == 3) {
        assert_true(baked->faceCount < FACE_COUNT);
        int *face = baked->faces[baked->faceCount++];
        face[0] = a - 1;
        face[1] = b - 1;
        face[2] = c - 1;
    }
}

static void readObj(const char *path, Baked *baked) {
    char *text = readWhole(path, NULL);
    int normalCount = 0;
    memset(baked, 0, sizeof *baked);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        readObjLine(line, baked, &normalCount);
    }
    assert_int_equal(normalCount, baked->vertexCount);
    free(text);
}

/* The binary form that vkskin writes, with texture coordinates. */
static void readPly(const char *path, Baked *baked) {
    char *text = readWhole(path, NULL);
    memset(baked, 0, sizeof *baked);
    const char *at = strstr(text, "end_header\n") + strlen("end_header\n");
    assert_int_equal(sscanf(strstr(text, "element vertex"), "element vertex %d", &baked->vertexCount), 1);
    assert_int_equal(sscanf(strstr(text, "element face"), "element face %d", &baked->faceCount), 1);
    assert_int_equal(baked->vertexCount, VERTEX_COUNT);
    assert_int_equal(baked->faceCount, FACE_COUNT);
    for (int i = 0; i < VERTEX_COUNT; i++, at += 8 * sizeof(float)) {
        memcpy(baked->positions[i], at, 3 * sizeof(float));
        memcpy(baked->normals[i], at + 3 * sizeof(float), 3 * sizeof(float));
    }
    for (int i = 0; i < FACE_COUNT; i++, at += 1 + 3 * sizeof(int)) {
        memcpy(baked->faces[i], at + 1, 3 * sizeof(int));
    }
    free(text);
}

/* Runs bake; what it prints on standard error is `warning` whole. */
static void bake(const Place *place, const char *clip, const char *time, const char *method, const char *influences,
                 const char *warning, Baked *baked) {
    CommandRun run = RUN("bake", SIGNAL, "--clip", clip, "--time", time, "--method", method, "--max-influences",
                         influences, "--validate", "-o", place->obj);
    assert_string_equal(run.errors, warning);
    assert_string_equal(run.output, "");
    assert_int_equal(run.status, 0);
    commandRunFree(&run);
    readObj(place->obj, baked);
    assert_int_equal(baked->vertexCount, VERTEX_COUNT);
    assert_int_equal(baked->faceCount, FACE_COUNT);
}

/* ---- Expectations ---- */

static bool isNear(const float *a, const double *b) {
    return fabs(a[0] - b[0]) < 1e-5 && fabs(a[1] - b[1]) < 1e-5 && fabs(a[2] - b[2]) < 1e-5;
}

/* Whether the face has these corners in this turning sense, beginning with any. */
static bool isFace(const Baked *baked, const int *face, const double corners[3][3]) {
    for (int start = 0; start < 3; start++) {
        bool same = true;
        for (int i = 0; i < 3; i++) {
            same &= isNear(baked->positions[face[(start + i) % 3]], corners[i]);
        }
        if (same) {
            return true;
        }
    }
    return false;
}

/* Exactly one face has these corners, and all its normals are this one. */
static void expectFace(const Baked *baked, const double corners[3][3], const double normal[3]) {
    int found = 0;
    for (int i = 0; i < baked->faceCount; i++) {
        if (isFace(baked, baked->faces[i], corners)) {
            found++;
            for (int c = 0; c < 3; c++) {
                assert_true(isNear(baked->normals[baked->faces[i][c]], normal));
            }
        }
    }
    assert_int_equal(found, 1);
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

static void beginningOfTheClip(void **state) {
    Place *place = *state;
    Baked baked;
    bake(place, "0", "0", "lbs", "4", "", &baked);
    expectArm(&baked, (const double[3]){10, 2, 0}, (const double[3]){11, 1, 0});
    expectSign(&baked, 2);
    expectMirror(&baked);
}

static void middleOfTheClip(void **state) {
    Place *place = *state;
    Baked baked;
    /* Upper turned by 45 degrees about (10, 1): its corner one above that; the other one beside, half of the way. */
    const double h = sqrt(0.5);
    bake(place, "wave", "0.5", "lbs", "4", "", &baked);
    expectArm(&baked, (const double[3]){10 - h, 1 + h, 0}, (const double[3]){10.5 + h / 2, 1 + h / 2, 0});
    expectSign(&baked, 3);
    expectMirror(&baked);
}

static void lastFrameHolds(void **state) {
    Place *place = *state;
    Baked baked;
    const char *const times[] = {"1", "1e9"};
    for (int i = 0; i < 2; i++) {
        bake(place, "0", times[i], "lbs", "4", "", &baked);
        expectArm(&baked, (const double[3]){9, 1, 0}, (const double[3]){10.5, 1.5, 0});
        expectSign(&baked, 4);
    }
}

static void dualQuaternionsKeepTheLength(void **state) {
    Place *place = *state;
    Baked baked;
    /* Half of a quarter turn about (10, 1): the corner between stays at distance one from there. */
    const double h = sqrt(0.5);
    bake(place, "0", "1", "dqs", "4", "", &baked);
    expectArm(&baked, (const double[3]){9, 1, 0}, (const double[3]){10 + h, 1 + h, 0});
    expectMirror(&baked);
}

static void fewerInfluencesAreKept(void **state) {
    Place *place = *state;
    Baked baked;
    /* Of two equal weights the first stays, which is lower's. */
    bake(place, "0", "1", "lbs", "1", "", &baked);
    expectArm(&baked, (const double[3]){9, 1, 0}, (const double[3]){11, 1, 0});
}

static void lostScaleIsTold(void **state) {
    Place *place = *state;
    Baked baked;
    bake(place, "grow", "1", "lbs", "4", "", &baked);
    expectArm(&baked, (const double[3]){10, 3, 0}, (const double[3]){11.5, 1, 0});
    bake(place, "grow", "1", "dqs", "4",
         "vkskin bake: warning: " SIGNAL ": VKSKIN_WARNING_SCALE_LOST: dual quaternions cannot hold the scale of its "
         "bones; '--method lbs' keeps it\n",
         &baked);
    /* What is left of scaling about (0 1 0): its translation by -1 in y. */
    expectArm(&baked, (const double[3]){10, 1, 0}, (const double[3]){11, 0.5, 0});
}

static void plyIsTheSame(void **state) {
    Place *place = *state;
    Baked baked;
    CommandRun run = RUN("bake", SIGNAL, "--clip", "0", "--time", "1", "-o", place->ply);
    assert_string_equal(run.errors, "");
    assert_int_equal(run.status, 0);
    commandRunFree(&run);
    readPly(place->ply, &baked);
    expectArm(&baked, (const double[3]){9, 1, 0}, (const double[3]){10.5, 1.5, 0});
    expectSign(&baked, 4);
    expectMirror(&baked);
}

static void modelWithoutClipsIsAtRest(void **state) {
    Place *place = *state;
    Baked baked;
    const double corners[3][3] = {{1, 2, 3}, {2, 2, 3}, {1, 3, 3}};
    const double normal[3] = {0, 0, 1};
    CommandRun run = RUN("bake", STILL, "-o", place->obj);
    assert_string_equal(run.errors, "");
    assert_int_equal(run.status, 0);
    commandRunFree(&run);
    readObj(place->obj, &baked);
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
    readObj(place->obj, baked);
    assert_int_equal(baked->vertexCount, 3);
    assert_int_equal(baked->faceCount, 1);
}

/* Scales whose squares and cubes no float holds. */
static void normalsKeepTheirLengthAtAnyScale(void **state) {
    static const char *const SCALES[][2] = {{"1e-22", "1e-22"}, {"1e22", "1e22"}, {"1e-30", "1e-30"}, {"1e-22", "1"}};
    const double normal[3] = {0, 0, 1};
    Place *place = *state;
    Baked baked;
    for (size_t i = 0; i < sizeof SCALES / sizeof SCALES[0]; i++) {
        bakeScaled(place, SCALES[i][0], SCALES[i][1], &baked);
        for (int v = 0; v < 3; v++) {
            assert_true(isNear(baked.normals[v], normal));
        }
    }
}

static void mirrorsTurnFacesAtAnyScale(void **state) {
    static const char *const SCALES[][2] = {{"1e-22", "-1e-22"}, {"1e22", "-1e22"}, {"1", "-1"}};
    Place *place = *state;
    Baked baked;
    for (size_t i = 0; i < sizeof SCALES / sizeof SCALES[0]; i++) {
        bakeScaled(place, SCALES[i][0], SCALES[i][1], &baked);
        assert_true(baked.positions[baked.faces[0][1]][1] > 0.0f); /* the corner on y comes before that on x */
        assert_true(baked.positions[baked.faces[0][2]][0] > 0.0f);
    }
}

/* A full disk, which /dev/full stands for. */
static void fullDiskIsOneLine(void **state) {
    Place *place = *state;
    struct stat info;
    char line[256];
    assert_int_equal(symlink("/dev/full", place->obj), 0);
    snprintf(line, sizeof line, "vkskin bake: %s: cannot be written: No space left on device", place->obj);
    expectRefusal(RUN("bake", SIGNAL, "-o", place->obj), 1, line);
    assert_int_equal(countEntries(place->folder), 1);
    assert_int_equal(stat("/dev/full", &info), 0);
    assert_true(S_ISCHR(info.st_mode));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        AT_PLACE(beginningOfTheClip),
        AT_PLACE(middleOfTheClip),
        AT_PLACE(lastFrameHolds),
        AT_PLACE(dualQuaternionsKeepTheLength),
        AT_PLACE(fewerInfluencesAreKept),
        AT_PLACE(lostScaleIsTold),
        AT_PLACE(plyIsTheSame),
        AT_PLACE(modelWithoutClipsIsAtRest),
        AT_PLACE(normalsKeepTheirLengthAtAnyScale),
        AT_PLACE(mirrorsTurnFacesAtAnyScale),
        AT_PLACE(fullDiskIsOneLine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
