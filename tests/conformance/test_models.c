/*
 * A real model, from file to GPU, against the reference: every part, every clip, several times, by the methods that
 * need no more than the model has.
 * Takes the model's path as its argument.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "conform.h"
#include "import.h"
#include "model_objects.h"

#define TIMES 5

static Model *model;

#define NAME(name, text) text,
static const char *const methodNames[VKSKIN_METHOD_COUNT] = {VKSKIN_METHODS(NAME)};

/* Both ends, two in between that hit no key, and one past the end that wraps around. */
static double timeOfClip(int32_t clip, uint32_t index) {
    static const double shares[TIMES] = {0.0, 0.237, 0.618, 1.0, 1.43};
    return clip < 0 ? 0.0 : shares[index] * model->clips[clip].duration;
}

static VkskinWrap wrapOfTime(uint32_t index) {
    return index == TIMES - 1 ? VKSKIN_WRAP_LOOP : VKSKIN_WRAP_CLAMP;
}

static ReferenceVertex *newExpected(uint32_t part, int32_t clip, uint32_t index, VkskinMethod method) {
    ReferenceMatrix *world = newReferenceWorld(model, clip, timeOfClip(clip, index), wrapOfTime(index));
    ReferenceMatrix *bones = newReferenceBones(model, part, world, REFERENCE_MESH_SPACE);
    const ModelMesh *mesh = &model->meshes[model->parts[part].mesh];
    ReferenceDef def = {.method = method};
    ReferenceVertex *vertices = newReferenceVertices(mesh, bones, &def);
    free(bones);
    free(world);
    return vertices;
}

/* A clip that takes time must move the mesh, or the comparison would say nothing about it. */
static void checkMotion(const ModelMesh *mesh, int32_t clip, ReferenceVertex *const *expected) {
    double furthest = 0.0;
    for (uint32_t v = 0; v < mesh->vertexCount; v++) {
        for (int i = 0; i < 3; i++) {
            double step = expected[1][v].position[i] - expected[0][v].position[i];
            furthest = fmax(furthest, fabs(step));
        }
    }
    bool moves = clip >= 0 && model->clips[clip].duration > 0.0f;
    assert_true(!moves || furthest > 1e-4 * referenceDiagonal(expected[0], mesh->vertexCount));
}

static void checkVertices(Gpu *gpu, const char *label, const ModelMesh *mesh, VkskinVertexFormat format,
                          const ConformInstance *instances, ReferenceVertex *const *expected) {
    VkskinMeshDef def = modelMeshDef(mesh);
    def.format = format;
    VkskinMeshInfo info;
    ConformWorst worst = {.compared = 0};
    ReadVertex *vertices = newConformOutput(gpu, NULL, &def, instances, TIMES, &info);
    for (uint32_t i = 0; i < TIMES; i++) {
        conformCompare(expected[i], vertices + (size_t)i * info.vertexCount, &info, &worst);
    }
    free(vertices);
    conformCheckWorst(label, &worst, format);
}

static void checkPart(Gpu *gpu, ModelObjects *objects, uint32_t part, int32_t clip, VkskinMethod method,
                      VkskinVertexFormat format) {
    const ModelMesh *mesh = &model->meshes[model->parts[part].mesh];
    VkskinPaletteEncoding encoding = vkskinMethodEncoding(method);
    uint32_t stride = vkskinPaletteStride(encoding);
    uint32_t boneCount = model->skins[model->parts[part].skin].boneCount;
    ConformInstance instances[TIMES];
    ReferenceVertex *expected[TIMES];
    char *palettes = calloc(TIMES, (size_t)boneCount * stride);
    assert_non_null(palettes);
    for (uint32_t i = 0; i < TIMES; i++) {
        char *palette = palettes + (size_t)i * boneCount * stride;
        modelObjectsPose(objects, clip, timeOfClip(clip, i), wrapOfTime(i));
        assert_true(modelObjectsPalette(objects, part, encoding, palette, boneCount) >= 0);
        instances[i] = (ConformInstance){method, encoding, palette, NULL, 0};
        expected[i] = newExpected(part, clip, i, method);
    }
    char label[160];
    snprintf(label, sizeof label, "part %u '%s', clip %d, %s, %s", part, mesh->name, clip, methodNames[method],
             format == VKSKIN_VERTEX_PACKED ? "packed" : "float");
    checkMotion(mesh, clip, expected);
    checkVertices(gpu, label, mesh, format, instances, expected);
    for (uint32_t i = 0; i < TIMES; i++) {
        free(expected[i]);
    }
    free(palettes);
}

static void checkModel(void **state, VkskinMethod method, VkskinVertexFormat format) {
    Gpu *gpu = *state;
    ModelObjects objects = modelObjects(model);
    for (uint32_t part = 0; part < model->partCount; part++) {
        for (int32_t clip = -1; clip < (int32_t)model->clipCount; clip++) {
            checkPart(gpu, &objects, part, clip, method, format);
        }
    }
    modelObjectsFree(&objects);
}

static void linearPacked(void **state) {
    checkModel(state, VKSKIN_METHOD_LINEAR_BLEND, VKSKIN_VERTEX_PACKED);
}

static void linearFloat(void **state) {
    checkModel(state, VKSKIN_METHOD_LINEAR_BLEND, VKSKIN_VERTEX_FLOAT);
}

static void dualQuaternionsPacked(void **state) {
    checkModel(state, VKSKIN_METHOD_DUAL_QUATERNION, VKSKIN_VERTEX_PACKED);
}

static void scaledDualQuaternionsPacked(void **state) {
    checkModel(state, VKSKIN_METHOD_SCALED_DUAL_QUATERNION, VKSKIN_VERTEX_PACKED);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {GPU_TEST(linearPacked), GPU_TEST(linearFloat), GPU_TEST(dualQuaternionsPacked),
                                       GPU_TEST(scaledDualQuaternionsPacked)};
    char message[IMPORT_MESSAGE_SIZE] = "no model named";
    model = argc > 1 ? importModel(argv[1], NULL, message) : NULL; /* it forks: before the device */
    if (model == NULL) {
        print_error("%s\n", message);
        return 1;
    }
    int failed = gpuRunTests(argv[1], tests, sizeof tests / sizeof tests[0], argc > 2 ? argv[2] : NULL);
    modelFree(model);
    return failed;
}
