/*
 * A real model, from file to GPU.
 *
 *     test_models MODEL          every part, every clip, several times, by the methods that need no more than the model
 *                                has, compared with the reference
 *     test_models MODEL --crowd  a crowd skinned with one record: the hashes of two outputs are equal if and only if
 *                                clip and time are
 *     test_models MODEL --packed the model as a packed file that is read back: positions of the GPU and of the CPU
 *                                backend against the reference of the source, within the error that was asked for
 */
#include "conform.h"
#include "import.h"
#include "marker_scene.h"
#include "model_mesh.h"
#include "model_objects.h"
#include "model_pack.h"
#include "vkm_chunks.h"
#include "vkm_read.h"
#include "vkm_write.h"

#define TIMES 5

static Model *model;

#define NAME(name, text) text,
static const char *const methodNames[VKSKIN_METHOD_COUNT] = {VKSKIN_METHODS(NAME)};
static const char *const formatNames[VKSKIN_VERTEX_FORMAT_COUNT] = {VKSKIN_VERTEX_FORMATS(NAME)};

/* Both ends, two times between keys, and one past the end that wraps around. */
static double timeOfClip(int32_t clip, uint32_t index) {
    static const double shares[TIMES] = {0.0, 0.237, 0.618, 1.0, 1.43};
    return clip < 0 ? 0.0 : shares[index] * model->clips[clip].duration;
}

static VkskinWrap wrapOfTime(uint32_t index) {
    return index == TIMES - 1 ? VKSKIN_WRAP_LOOP : VKSKIN_WRAP_CLAMP;
}

static ReferenceVertex *newExpected(uint32_t part, int32_t clip, uint32_t index, VkskinMethod method) {
    ReferenceMatrix *world = newReferenceWorld(model, clip, timeOfClip(clip, index), wrapOfTime(index));
    ReferenceMatrix *bones = newReferenceBones(model, part, world);
    const ModelMesh *mesh = &model->meshes[model->parts[part].mesh];
    ReferenceDef def = {.method = method};
    ReferenceVertex *vertices = newReferenceVertices(mesh, bones, &def);
    free(bones);
    free(world);
    return vertices;
}

/* A clip with a duration must move the mesh; otherwise the comparison proves nothing. */
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
    VkskinMeshDef def = meshDefOfModel(mesh);
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
    char *palettes = newZeros(TIMES, (size_t)boneCount * stride);
    for (uint32_t i = 0; i < TIMES; i++) {
        char *palette = palettes + (size_t)i * boneCount * stride;
        assert_true(modelObjectsPose(objects, clip, timeOfClip(clip, i), wrapOfTime(i)) >= 0);
        assert_true(modelObjectsPalette(objects, part, encoding, palette, boneCount) >= 0);
        instances[i] = (ConformInstance){method, encoding, palette, NULL, 0};
        expected[i] = newExpected(part, clip, i, method);
    }
    char label[160];
    snprintf(label, sizeof label, "part %u '%s', clip %d, %s, %s", part, mesh->name, clip, methodNames[method],
             formatNames[format]);
    checkMotion(mesh, clip, expected);
    checkVertices(gpu, label, mesh, format, instances, expected);
    for (uint32_t i = 0; i < TIMES; i++) {
        free(expected[i]);
    }
    free(palettes);
}

static void checkModel(Gpu *gpu, VkskinMethod method, VkskinVertexFormat format) {
    ModelObjects objects;
    assert_int_equal(modelObjectsCreate(model, NULL, &objects), VKSKIN_SUCCESS);
    for (uint32_t part = 0; part < model->partCount; part++) {
        for (int32_t clip = -1; clip < (int32_t)model->clipCount; clip++) {
            checkPart(gpu, &objects, part, clip, method, format);
        }
    }
    modelObjectsFree(&objects);
}

GPU_TEST(everyMethod) {
    checkModel(gpu, VKSKIN_METHOD_LINEAR_BLEND, VKSKIN_VERTEX_PACKED);
    checkModel(gpu, VKSKIN_METHOD_LINEAR_BLEND, VKSKIN_VERTEX_FLOAT);
    checkModel(gpu, VKSKIN_METHOD_LINEAR_BLEND, VKSKIN_VERTEX_SNORM10);
    checkModel(gpu, VKSKIN_METHOD_DUAL_QUATERNION, VKSKIN_VERTEX_PACKED);
    checkModel(gpu, VKSKIN_METHOD_SCALED_DUAL_QUATERNION, VKSKIN_VERTEX_PACKED);
}

/* ---- A crowd ---- */

#define CROWD_TIMES 12 /* per clip, all within it */
#define COPIES      3  /* per pair of clip and time */

typedef struct Member {
    int32_t clip;
    uint32_t time;
    VkskinInstance instance;
    uint64_t hash;
} Member;

/* FNV-1a, 64 bits. */
static uint64_t hashBytes(const unsigned char *bytes, size_t size) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    }
    return hash;
}

/* Only clips with a duration: a pose is the same at all times. */
static uint32_t listMembers(Member *members) {
    uint32_t count = 0;
    for (uint32_t copy = 0; copy < COPIES; copy++) {
        for (uint32_t clip = 0; clip < model->clipCount; clip++) {
            for (uint32_t time = 0; time < CROWD_TIMES && model->clips[clip].duration > 0.0f; time++) {
                members[count++] = (Member){.clip = (int32_t)clip, .time = time};
            }
        }
    }
    return count;
}

static void skinMember(Gpu *gpu, VkskinContext context, ModelObjects *objects, Member *member) {
    VkskinSkinCommand command = {.instance = member->instance};
    uint32_t bones = vkskinGetSkinBoneCount(objects->skins[0]);
    void *data;
    double time = (member->time + 0.5) / (CROWD_TIMES + 1) * model->clips[member->clip].duration;
    GPU_VKSKIN(gpu, vkskinAllocatePalette(context, VKSKIN_PALETTE_MAT3X4, bones, &command.palette, &data));
    assert_true(modelObjectsPose(objects, member->clip, time, VKSKIN_WRAP_LOOP) >= 0);
    assert_true(modelObjectsPalette(objects, 0, VKSKIN_PALETTE_MAT3X4, data, bones) >= 0);
    GPU_VKSKIN(gpu, vkskinSkinInstances(context, &command, 1, NULL));
}

static void hashMembers(Gpu *gpu, VkskinContext context, Member *members, uint32_t count) {
    for (uint32_t page = 0; page < vkskinGetOutputPageCount(context); page++) {
        GpuBuffer copy = gpuReadPage(gpu, context, page);
        for (uint32_t i = 0; i < count; i++) {
            VkskinOutput output = markerOutput(gpu, context, members[i].instance);
            if (output.page == page) {
                const unsigned char *bytes = copy.mapped;
                members[i].hash =
                    hashBytes(bytes + output.positionOffset, (size_t)output.vertexCount * 12) ^
                    3 * hashBytes(bytes + output.attributeOffset, (size_t)output.vertexCount * output.attributeStride);
            }
        }
        gpuFreeBuffer(gpu, &copy);
    }
}

GPU_TEST(equalPairsEqualHashes) {
    ModelObjects objects;
    assert_int_equal(modelObjectsCreate(model, NULL, &objects), VKSKIN_SUCCESS);
    Member *members = newZeros((size_t)COPIES * model->clipCount * CROWD_TIMES, sizeof *members);
    uint32_t count = listMembers(members);
    assert_true(count >= COPIES * CROWD_TIMES);
    VkskinContextDef def = gpuContextDef(gpu);
    def.framesInFlight = 1;
    VkskinContext context = gpuContext(gpu, &def);
    VkskinMeshDef meshDef = meshDefOfModel(&model->meshes[model->parts[0].mesh]);
    VkskinMesh mesh;
    assert_true(vkskinCreateMesh(context, &meshDef, &mesh) >= 0);
    gpuMeshKernels(gpu, context, mesh, GPU_LINEAR_BLEND);
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
    for (uint32_t i = 0; i < count; i++) {
        GPU_VKSKIN(gpu, vkskinCreateInstances(context, mesh, 1, &members[i].instance));
        skinMember(gpu, context, &objects, &members[i]);
    }
    recordAndRun(gpu, context);
    hashMembers(gpu, context, members, count);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = 0; j < i; j++) {
            bool same = members[i].clip == members[j].clip && members[i].time == members[j].time;
            assert_true((members[i].hash == members[j].hash) == same);
        }
    }
    print_message("%u members, %u pairs of clip and time\n", count, count / COPIES);
    modelObjectsFree(&objects);
    free(members);
}

/* ---- A packed file ---- */

#define PACK_MILLIMETRES 1.0
#define BACKENDS         2

/* Sorts the vertices of the source too, so that both have one order. *unit: a millimetre in units of the model. */
static Model *newPacked(double *unit) {
    EngineError error = {.message = ""};
    PackedModel packed = {0};
    uint64_t sizes[VKM_CHUNK_COUNT], bytes;
    char *image = NULL;
    size_t size = 0;
    assert_true(modelSortVertices(model, &error));
    assert_true(modelPack(model, &(ModelPackDef){.millimetres = PACK_MILLIMETRES}, &packed, &error));
    FILE *stream = open_memstream(&image, &size);
    assert_true(vkmWrite(stream, &(VkmWriteDef){model, &packed, NULL}, sizes, &bytes, &error));
    assert_int_equal(fclose(stream), 0);
    *unit = packed.unitsPerMillimetre;
    modelPackFree(&packed);
    Model *read = vkmParse(image, size, NULL, &error);
    assert_string_equal(error.message, "");
    assert_non_null(read);
    return read;
}

/* The largest distance between positions. */
static double largestError(Gpu *gpu, const ModelMesh *mesh, VkskinBackend backend, const ConformInstance *instances,
                           ReferenceVertex *const *expected) {
    VkskinMeshDef def = meshDefOfModel(mesh);
    def.format = VKSKIN_VERTEX_FLOAT;
    VkskinMeshInfo info;
    const ConformSettings settings = {.backend = backend};
    ReadVertex *vertices = newConformOutput(gpu, &settings, &def, instances, TIMES, &info);
    double largest = 0.0;
    for (uint32_t i = 0; i < TIMES * info.vertexCount; i++) {
        const double *right = expected[i / info.vertexCount][i % info.vertexCount].position;
        double square = 0.0;
        for (int k = 0; k < 3; k++) {
            const double step = (double)vertices[i].position[k] - right[k];
            square += step * step;
        }
        largest = fmax(largest, sqrt(square));
    }
    free(vertices);
    return largest;
}

/* The largest errors of a part of the packed model, by backend. */
static void checkPackedPart(Gpu *gpu, ModelObjects *objects, uint32_t part, int32_t clip, double bound,
                            double largest[BACKENDS]) {
    const ModelMesh *mesh = &objects->model->meshes[objects->model->parts[part].mesh];
    const uint32_t boneCount = model->skins[model->parts[part].skin].boneCount;
    ConformInstance instances[TIMES];
    ReferenceVertex *expected[TIMES];
    VkskinAffine *palettes = newZeros(TIMES, boneCount * sizeof *palettes);
    for (uint32_t i = 0; i < TIMES; i++) {
        VkskinAffine *palette = palettes + (size_t)i * boneCount;
        assert_true(modelObjectsPose(objects, clip, timeOfClip(clip, i), wrapOfTime(i)) >= 0);
        assert_true(modelObjectsPalette(objects, part, VKSKIN_PALETTE_MAT3X4, palette, boneCount) >= 0);
        instances[i] = (ConformInstance){VKSKIN_METHOD_LINEAR_BLEND, VKSKIN_PALETTE_MAT3X4, palette, NULL, 0};
        expected[i] = newExpected(part, clip, i, VKSKIN_METHOD_LINEAR_BLEND);
    }
    const VkskinBackend backends[] = {VKSKIN_BACKEND_COMPUTE, VKSKIN_BACKEND_CPU};
    for (size_t b = 0; b < COUNT_OF(backends); b++) {
        const double error = largestError(gpu, mesh, backends[b], instances, expected);
        assert_true(error <= bound + POSITION_BOUND * referenceDiagonal(expected[0], mesh->vertexCount));
        largest[b] = fmax(largest[b], error);
    }
    for (uint32_t i = 0; i < TIMES; i++) {
        free(expected[i]);
    }
    free(palettes);
}

GPU_TEST(packedHoldsItsBound) {
    double unit = 0.0, largest[BACKENDS] = {0.0};
    Model *packed = newPacked(&unit);
    ModelObjects objects;
    assert_int_equal(modelObjectsCreate(packed, NULL, &objects), VKSKIN_SUCCESS);
    for (uint32_t part = 0; part < model->partCount; part++) {
        for (int32_t clip = -1; clip < (int32_t)model->clipCount; clip++) {
            checkPackedPart(gpu, &objects, part, clip, PACK_MILLIMETRES * unit, largest);
        }
    }
    print_message("largest error: GPU %.3f mm, CPU %.3f mm\n", largest[0] / unit, largest[1] / unit);
    assert_true(largest[0] > 1e-3 * unit); /* the keys were packed */
    modelObjectsFree(&objects);
    modelFree(packed);
}

/* ---- Running ---- */

int main(int argc, char **argv) {
    bool crowded = argc == 3 && strcmp(argv[2], "--crowd") == 0;
    bool packed = argc == 3 && strcmp(argv[2], "--packed") == 0;
    EngineError error = {.message = "usage: test_models MODEL [--crowd | --packed]"};
    model =
        argc == 2 || crowded || packed ? importModel(argv[1], NULL, &error) : NULL; /* it forks: before the device */
    if (model == NULL) {
        print_error("%s\n", error.message);
        return 1;
    }
    int failed = testRunGroup(argv[1],
                              packed    ? "packedHoldsItsBound"
                              : crowded ? "equalPairsEqualHashes"
                                        : "everyMethod",
                              NULL, NULL);
    modelFree(model);
    return failed;
}
