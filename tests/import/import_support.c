#include "import_support.h"

#include <unistd.h>

#include "model_objects.h"
#include "model_pose.h"
#include "reference.h"

#define TOLERANCE       1e-5
#define DESCRIPTION_MAX ((size_t)1 << 20)

void modelPath(const char *name, char *path) {
    snprintf(path, PATH_MAX, "%s%s", IMPORT_FIXTURES, name);
    if (strchr(name, '/') && access(path, F_OK) != 0) {
        snprintf(path, PATH_MAX, "%s%s", IMPORT_MODELS, name);
    }
}

Model *importOrFail(const char *name) {
    char path[PATH_MAX];
    EngineError error;
    modelPath(name, path);
    Model *model = importModel(path, NULL, &error);
    TEST_GOOD(model, error);
    return model;
}

/* The text of a description; to be freed. */
static char *describe(const char *description, size_t *size) {
    char path[PATH_MAX];
    const char *dot = strrchr(description, '.');
    if (!dot || strcmp(dot, ".fbx") != 0) {
        *size = strlen(description);
        return strdup(description);
    }
    modelPath(description, path);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, DESCRIPTION_MAX);
    *size = fread(text, 1, DESCRIPTION_MAX, file);
    assert_true(*size < DESCRIPTION_MAX);
    fclose(file);
    return text;
}

Model *importForm(const char *description, FbxForm form) {
    char folder[PATH_MAX], path[PATH_MAX + 16];
    const char *temporary = getenv("TMPDIR");
    EngineError error;
    size_t size, written = 0;
    snprintf(folder, sizeof folder, "%s/vkskin_fbx_XXXXXX", temporary ? temporary : "/tmp");
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/form.fbx", folder);
    char *text = describe(description, &size), *bytes = fbxWrite(text, size, form, &written);
    assert_non_null(bytes);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, written, file), written);
    assert_int_equal(fclose(file), 0);
    Model *model = importModel(path, NULL, &error);
    unlink(path);
    rmdir(folder);
    free(text);
    free(bytes);
    TEST_GOOD(model, error);
    return model;
}

void expectFloats(const float *values, const float *expected, size_t count) {
    assert_non_null(values);
    for (size_t i = 0; i < count; i++) {
        assert_float_equal(values[i], expected[i], 1e-6f);
    }
}

/* ---- Poses ---- */

static void transform(const VkskinAffine *affine, const double point[3], double out[3]) {
    for (int row = 0; row < 3; row++) {
        const float *m = affine->m[row];
        out[row] = (double)m[0] * point[0] + (double)m[1] * point[1] + (double)m[2] * point[2] + (double)m[3];
    }
}

static uint32_t findVertex(const ModelMesh *mesh, const float bind[3]) {
    for (uint32_t v = 0; v < mesh->vertexCount; v++) {
        const float *p = mesh->positions + 3 * (size_t)v;
        if (p[0] == bind[0] && p[1] == bind[1] && p[2] == bind[2]) {
            return v;
        }
    }
    fail_msg("no vertex at (%g %g %g)", (double)bind[0], (double)bind[1], (double)bind[2]);
    return 0;
}

static void expectMoment(const Model *model, const Moment *moment) {
    assert_true(moment->part < model->partCount);
    const ModelPart *part = &model->parts[moment->part];
    const ModelMesh *mesh = &model->meshes[part->mesh];
    const float *bind = moment->bind, *expected = moment->expected;
    const uint32_t bones = model->skins[part->skin].boneCount;
    const uint32_t vertex = findVertex(mesh, bind);
    double inModel[3];
    ModelObjects objects;
    assert_int_equal(modelObjectsCreate(model, NULL, &objects), VKSKIN_SUCCESS);
    const VkskinAffine meshToModel = modelMeshToModel(&objects.world[part->node]); /* `world` is at rest */
    VkskinAffine *palette = calloc(bones, sizeof *palette);
    assert_true(moment->clip == REST_POSE || moment->clip < model->clipCount);
    assert_int_equal(modelObjectsPose(&objects, (int32_t)moment->clip, moment->time, VKSKIN_WRAP_CLAMP),
                     VKSKIN_SUCCESS);
    assert_int_equal(modelObjectsPalette(&objects, moment->part, VKSKIN_PALETTE_MAT3X4, palette, bones),
                     VKSKIN_SUCCESS);
    ReferenceMatrix *matrices = calloc(bones, sizeof *matrices);
    for (uint32_t i = 0; i < bones; i++) {
        matrices[i] = referenceFromAffine(&palette[i]);
    }
    ReferenceVertex *skinned = newReferenceSample(mesh, matrices, &(ReferenceDef){0}, &vertex, 1);
    transform(&meshToModel, skinned->position, inModel);
    modelObjectsFree(&objects);
    free(skinned);
    free(matrices);
    free(palette);
    for (int axis = 0; axis < 3; axis++) {
        if (!(fabs(inModel[axis] - (double)expected[axis]) <= TOLERANCE)) {
            fail_msg("vertex (%g %g %g) is at (%.7g %.7g %.7g), not at (%.7g %.7g %.7g)", (double)bind[0],
                     (double)bind[1], (double)bind[2], inModel[0], inModel[1], inModel[2], (double)expected[0],
                     (double)expected[1], (double)expected[2]);
        }
    }
}

void expectMoments(const Model *model, const Moment *moments, size_t count) {
    for (size_t i = 0; i < count; i++) {
        expectMoment(model, &moments[i]);
    }
}
