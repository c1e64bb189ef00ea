/*
 * A tube bent and twisted with every method: known properties of each, and the numbers of docs/methods.md.
 *
 *     test_methods --report FOLDER     writes that page's tables and picture instead
 */
#include "study.h"
#include "test.h"

enum {
    REST,
    BENT_30,
    BENT_60,
    BENT_90,
    BENT_120,
    BENT_150,
    TWISTED_45,
    TWISTED_90,
    TWISTED_135,
    TWISTED_180,
    BENT_TWISTED,
    BROAD,
    BROAD_BENT,
    BROAD_TWISTED,
    POSES
};

/* Broad: bone 1 is 1.5 times as wide and 0.75 times as deep. */
#define PLAIN                                                                                                          \
    { 1.0f, 1.0f, 1.0f }
#define WIDE                                                                                                           \
    { 1.5f, 1.0f, 0.75f }

static const TubePose poses[POSES] = {
    [REST] = {"at rest", 0, 0, PLAIN},
    [BENT_30] = {"bent by 30 degrees", 30, 0, PLAIN},
    [BENT_60] = {"bent by 60 degrees", 60, 0, PLAIN},
    [BENT_90] = {"bent by 90 degrees", 90, 0, PLAIN},
    [BENT_120] = {"bent by 120 degrees", 120, 0, PLAIN},
    [BENT_150] = {"bent by 150 degrees", 150, 0, PLAIN},
    [TWISTED_45] = {"twisted by 45 degrees", 0, 45, PLAIN},
    [TWISTED_90] = {"twisted by 90 degrees", 0, 90, PLAIN},
    [TWISTED_135] = {"twisted by 135 degrees", 0, 135, PLAIN},
    [TWISTED_180] = {"twisted by 180 degrees", 0, 180, PLAIN},
    [BENT_TWISTED] = {"bent and twisted by 90 degrees", 90, 90, PLAIN},
    [BROAD] = {"broad", 0, 0, WIDE},
    [BROAD_BENT] = {"broad, bent by 90 degrees", 90, 0, WIDE},
    [BROAD_TWISTED] = {"broad, twisted by 180 degrees", 0, 180, WIDE},
};

/* The poses for normals: without folds. */
enum { NORMALS_BENT, NORMALS_TWISTED, NORMALS_BROAD, NORMALS_POSES };

static const uint32_t normalPoses[NORMALS_POSES] = {
    [NORMALS_BENT] = BENT_60, [NORMALS_TWISTED] = TWISTED_90, [NORMALS_BROAD] = BROAD};

static const TubePose chartPoses[] = {
    {"bent by 120 degrees", 120, 0, PLAIN},
    {"twisted by 180 degrees", 0, 180, PLAIN},
    {"broad, bent by 90 degrees", 90, 0, WIDE},
};
#define CHART_POSES (COUNT_OF(chartPoses))

typedef struct Measures {
    Shape shapes[POSES][STUDY_METHODS]; /* with cheap normals */
    Shape ideals[POSES];
    TubePose normalPoses[NORMALS_POSES];
    Shape cheap[NORMALS_POSES][STUDY_METHODS];
    Shape exact[NORMALS_POSES][STUDY_METHODS];
} Measures;

static Measures measures;

static bool measureShapes(Device *device, EngineError *error) {
    Study study;
    if (!studyOpen(device, poses, POSES, VKSKIN_NORMALS_CHEAP, &study, error)) {
        return false;
    }
    bool measured = studyMeasure(&study, measures.shapes, error);
    for (uint32_t i = 0; i < POSES; i++) {
        measures.ideals[i] = shapeIdeal(study.plain->meshes, &poses[i]);
    }
    studyClose(&study);
    return measured;
}

static bool measureNormals(Device *device, EngineError *error) {
    Study study;
    for (uint32_t i = 0; i < NORMALS_POSES; i++) {
        measures.normalPoses[i] = poses[normalPoses[i]];
        memcpy(measures.cheap[i], measures.shapes[normalPoses[i]], sizeof measures.cheap[i]);
    }
    if (!studyOpen(device, measures.normalPoses, NORMALS_POSES, VKSKIN_NORMALS_EXACT, &study, error)) {
        return false;
    }
    bool measured = studyMeasure(&study, measures.exact, error);
    studyClose(&study);
    return measured;
}

static void writeTables(FILE *file) {
    tablesWriteShapes(file, poses, POSES, measures.shapes, measures.ideals);
    tablesWriteNormals(file, measures.normalPoses, NORMALS_POSES, measures.cheap, measures.exact);
}

/* ---- Known properties ---- */

static const Shape *shapeOf(uint32_t pose, uint32_t method) {
    return &measures.shapes[pose][method];
}

static double volumeOf(uint32_t pose, uint32_t method) {
    return shapeOf(pose, method)->volume / measures.ideals[pose].volume;
}

/* The tube is a prism of TUBE_SIDES sides. */
TEST(theRestIsMeasuredRight) {
    const double angle = 2.0 * 3.14159265358979323846 / TUBE_SIDES, length = 2.0 * TUBE_HALF_JOINT;
    for (uint32_t method = 0; method < STUDY_METHODS; method++) {
        const Shape *shape = shapeOf(REST, method);
        assert_float_equal(shape->volume, length * 0.5 * TUBE_SIDES * sin(angle), 1e-5);
        assert_float_equal(shape->surface, length * TUBE_SIDES * 2.0 * sin(0.5 * angle), 1e-5);
        assert_float_equal(shape->thinnest, 1.0, 1e-6);
        assert_float_equal(shape->thickest, 1.0, 1e-6);
        assert_float_equal(shape->normalsWorst, 0.0, 1e-3);
    }
}

/*
 * Linear blending shrinks a section of weight w to 1 - 4 w (1 - w) sin^2(twist / 2) of its area. Over the
 * joint, w (1 - w) is 9 / 70 on average.
 */
TEST(linearBlendingShrinksTwistsAsTheFormulaSays) {
    for (uint32_t pose = TWISTED_45; pose <= TWISTED_180; pose++) {
        double half = sin(poses[pose].twist * 3.14159265358979323846 / 360.0);
        assert_float_equal(volumeOf(pose, STUDY_LINEAR), 1.0 - 18.0 / 35.0 * half * half, 4e-3);
    }
    assert_true(shapeOf(TWISTED_180, STUDY_LINEAR)->thinnest < 1e-5);
}

TEST(quaternionsAndCentresKeepTwists) {
    const uint32_t methods[] = {STUDY_DUAL, STUDY_SCALED_DUAL, STUDY_CENTRES};
    for (uint32_t pose = TWISTED_45; pose <= TWISTED_180; pose++) {
        for (size_t i = 0; i < COUNT_OF(methods); i++) {
            assert_float_equal(volumeOf(pose, methods[i]), 1.0, 5e-3);
            assert_float_equal(shapeOf(pose, methods[i])->thinnest, 1.0, 1e-4);
            assert_float_equal(shapeOf(pose, methods[i])->thickest, 1.0, 1e-4);
        }
    }
}

TEST(dualQuaternionsBulgeWhereTheyBend) {
    for (uint32_t pose = BENT_60; pose <= BENT_150; pose++) {
        assert_true(shapeOf(pose, STUDY_DUAL)->thickest > 1.1);
        assert_true(shapeOf(pose, STUDY_LINEAR)->thickest < 1.04);
        assert_true(shapeOf(pose, STUDY_PAINTED_BLEND)->thickest < 1.05);
        assert_float_equal(volumeOf(pose, STUDY_DUAL), 1.0, 5e-3);
        assert_true(volumeOf(pose, STUDY_LINEAR) < 0.96);
    }
}

TEST(centresLieBetween) {
    for (uint32_t pose = BENT_60; pose <= BENT_150; pose++) {
        assert_true(volumeOf(pose, STUDY_LINEAR) + 0.02 < volumeOf(pose, STUDY_CENTRES));
        assert_true(volumeOf(pose, STUDY_CENTRES) < volumeOf(pose, STUDY_DUAL));
        assert_true(shapeOf(pose, STUDY_LINEAR)->thickest + 0.02 < shapeOf(pose, STUDY_CENTRES)->thickest);
        assert_true(shapeOf(pose, STUDY_CENTRES)->thickest + 0.01 < shapeOf(pose, STUDY_DUAL)->thickest);
    }
}

/* Rigid bones have no stretch. Bones without rotation have only the stretch, which is blended linearly. */
TEST(scaledDualQuaternionsAreBothOfTheirParts) {
    for (uint32_t pose = REST; pose <= BENT_TWISTED; pose++) {
        const Shape *plain = shapeOf(pose, STUDY_DUAL), *scaled = shapeOf(pose, STUDY_SCALED_DUAL);
        assert_float_equal(scaled->volume, plain->volume, 1e-4);
        assert_float_equal(scaled->surface, plain->surface, 1e-4);
        assert_float_equal(scaled->thickest, plain->thickest, 1e-4);
    }
    assert_float_equal(volumeOf(BROAD, STUDY_SCALED_DUAL), 1.0, 1e-5);
    assert_float_equal(volumeOf(BROAD, STUDY_LINEAR), 1.0, 1e-5);
    assert_float_equal(volumeOf(BROAD_TWISTED, STUDY_SCALED_DUAL), 1.0, 5e-3);
    assert_float_equal(shapeOf(BROAD, STUDY_DUAL)->volume, shapeOf(REST, STUDY_DUAL)->volume, 1e-5);
}

/* In a flattened section the maximum error of cheap normals is atan 2 - atan 1/2; both rules ignore that the tube
 * widens. */
TEST(cheapNormalsAreOffWhereBonesFlatten) {
    assert_float_equal(measures.cheap[NORMALS_BROAD][STUDY_LINEAR].normalsWorst, 36.87, 0.1);
    assert_true(measures.exact[NORMALS_BROAD][STUDY_LINEAR].normalsWorst < 15.0);
    assert_true(measures.exact[NORMALS_BROAD][STUDY_LINEAR].normalsOff <
                0.2 * measures.cheap[NORMALS_BROAD][STUDY_LINEAR].normalsOff);
    assert_true(measures.exact[NORMALS_BENT][STUDY_LINEAR].normalsOff <
                measures.cheap[NORMALS_BENT][STUDY_LINEAR].normalsOff);
    assert_float_equal(measures.exact[NORMALS_BENT][STUDY_DUAL].normalsOff,
                       measures.cheap[NORMALS_BENT][STUDY_DUAL].normalsOff, 1e-6);
}

/* ---- docs/methods.md ---- */

static char *newText(FILE *file) {
    char *text = NULL;
    size_t size = 0;
    ssize_t length = getdelim(&text, &size, '\0', file);
    assert_true(length > 0);
    return text;
}

TEST(thePageHoldsTheseNumbers) {
    FILE *file = fopen(METHODS_PAGE, "r");
    FILE *written = tmpfile();
    assert_true(file && written);
    writeTables(written);
    rewind(written);
    char *page = newText(file), *tables = newText(written);
    assert_true(tablesAgree(page, tables));
    free(page);
    free(tables);
    fclose(file);
    fclose(written);
}

/* ---- Running ---- */

static bool writeReport(Device *device, const char *folder, EngineError *error) {
    char path[4096];
    Study study;
    snprintf(path, sizeof path, "%s/tubes.md", folder);
    FILE *file = fopen(path, "w");
    if (!file) {
        return engineFail(error, "%.300s: cannot be written", path);
    }
    writeTables(file);
    if (fclose(file) != 0) {
        return engineFail(error, "%.300s: cannot be written", path);
    }
    snprintf(path, sizeof path, "%s/tubes.png", folder);
    if (!studyOpen(device, chartPoses, CHART_POSES, VKSKIN_NORMALS_EXACT, &study, error)) {
        return false;
    }
    bool written = chartWrite(&study, path, error);
    studyClose(&study);
    return written;
}

int main(int argc, char **argv) {
    bool report = argc == 3 && strcmp(argv[1], "--report") == 0;
    EngineError error;
    if (argc != 1 && !report) {
        fprintf(stderr, "usage: %s [--report FOLDER]\n", argv[0]);
        return 1;
    }
    Device *device = deviceCreate(&(DeviceOptions){.validation = true}, &error);
    bool good = device && measureShapes(device, &error) && measureNormals(device, &error) &&
                (!report || writeReport(device, argv[2], &error));
    if (!good) {
        fprintf(stderr, "%s\n", error.message);
    }
    int status = !good ? 1 : report ? 0 : testRunGroup("methods", NULL, NULL, NULL);
    if (device && device->validationMessages > 0) {
        fprintf(stderr, "%u messages of the validation layer\n", device->validationMessages);
        status = 1;
    }
    deviceDestroy(device);
    return status;
}
