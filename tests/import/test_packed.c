/*
 * EXT_meshopt_compression: the fixtures packed* (make_packed.c) are the same model as packed_not.gltf, within the
 * precision of their numbers.
 */
#include "import_support.h"

/* How far numbers may be off: positions are 15 bits or 16, normals 8 or 12, rotations 12. */
#define POSITION_ERROR 5e-5
#define NORMAL_ERROR   2e-2
#define ROTATION_ERROR 2e-3

static bool near(const float *a, const float *b, size_t count, double error) {
    double worst = 0.0;
    for (size_t i = 0; i < count; i++) {
        worst = fmax(worst, fabs((double)a[i] - (double)b[i]));
    }
    return worst <= error;
}

static bool sameVertex(const ModelMesh *a, uint32_t i, const ModelMesh *b, uint32_t j) {
    return near(a->positions + 3 * (size_t)i, b->positions + 3 * (size_t)j, 3, POSITION_ERROR) &&
           near(a->normals + 3 * (size_t)i, b->normals + 3 * (size_t)j, 3, NORMAL_ERROR) &&
           memcmp(a->joints + 2 * (size_t)i, b->joints + 2 * (size_t)j, 2 * sizeof(uint32_t)) == 0 &&
           memcmp(a->weights + 2 * (size_t)i, b->weights + 2 * (size_t)j, 2 * sizeof(float)) == 0;
}

/* The codec of triangles keeps their order, but may begin with another corner. */
static bool sameTriangle(const ModelMesh *a, const ModelMesh *b, uint32_t first) {
    for (uint32_t turn = 0; turn < 3; turn++) {
        bool same = true;
        for (uint32_t c = 0; c < 3; c++) {
            same = same && sameVertex(a, a->indices[first + c], b, b->indices[first + (c + turn) % 3]);
        }
        if (same) {
            return true;
        }
    }
    return false;
}

static void expectSame(const Model *model, const Model *expected) {
    assert_int_equal(model->meshCount, 2);
    for (uint32_t m = 0; m < 2; m++) {
        const ModelMesh *mesh = &model->meshes[m], *wanted = &expected->meshes[m];
        assert_int_equal(mesh->influences, 2);
        assert_int_equal(mesh->indexCount, wanted->indexCount);
        for (uint32_t i = 0; i < mesh->indexCount; i += 3) {
            if (!sameTriangle(wanted, mesh, i)) {
                fail_msg("triangle %u of mesh %u differs", i / 3, m);
            }
        }
    }
    expectFloats(model->skins[0].inverseBinds[1].m[0], expected->skins[0].inverseBinds[1].m[0], 12);
    const VkskinTrack *track = &model->clips[0].tracks[0], *wanted = &expected->clips[0].tracks[0];
    assert_int_equal(track->keyCount, wanted->keyCount);
    expectFloats(track->times, wanted->times, track->keyCount);
    assert_true(near(track->values, wanted->values, 4 * (size_t)track->keyCount, ROTATION_ERROR));
}

/* The reference has the numbers that make_packed.c states. */
static void expectTube(const Model *model) {
    static const float half[4] = {0.0f, 0.0f, 0.70710678f, 0.70710678f};
    assert_int_equal(model->meshes[0].indexCount, 336);
    assert_int_equal(model->meshes[1].indexCount, 48);
    assert_float_equal(model->skins[0].inverseBinds[1].m[1][3], -0.5f, 0.0f);
    expectFloats(model->clips[0].tracks[0].values + 16, half, 4);
}

TEST(testPacked) {
    static const char *const files[] = {"packed.gltf", "packed.glb", "packed_fallback.gltf", "packed_quantized.glb"};
    Model *expected = importOrFail("packed_not.gltf");
    expectTube(expected);
    for (size_t i = 0; i < COUNT_OF(files); i++) {
        Model *model = importOrFail(files[i]);
        expectSame(model, expected);
        modelFree(model);
    }
    modelFree(expected);
}
