#include "fuzz_mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model_objects.h"
#include "random_mesh.h"

#define MOST_VERTICES 4000u

/* Around the sizes of workgroups, and anything. */
static uint32_t vertexCount(Random *random) {
    static const uint32_t edges[] = {1, 2, 3, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257};
    switch (randomBelow(random, 4)) {
    case 0:
        return edges[randomBelow(random, sizeof edges / sizeof edges[0])];
    case 1:
        return 1 + randomBelow(random, MOST_VERTICES);
    default:
        return 1 + randomBelow(random, 400);
    }
}

static uint32_t boneCount(Random *random, uint32_t most) {
    switch (randomBelow(random, 4)) {
    case 0:
        return 1;
    case 1:
        return most;
    case 2:
        return 1 + randomBelow(random, most);
    default:
        return 1 + randomBelow(random, most < 60 ? most : 60);
    }
}

/* The last bone moves the last vertex, and some others. */
static void nameLastBone(Random *random, ModelMesh *mesh) {
    for (uint32_t v = 0; v < mesh->vertexCount; v++) {
        for (uint32_t i = 0; i < mesh->influences; i++) {
            size_t place = (size_t)v * mesh->influences + i;
            bool wanted = v == mesh->vertexCount - 1 || randomBelow(random, 8) == 0;
            if (wanted && mesh->weights[place] > 0.0f) {
                mesh->joints[place] = mesh->boneCount - 1;
            }
        }
    }
}

static ModelMesh anyMesh(Random *random, uint32_t maxBones) {
    uint32_t influences = 1 + randomBelow(random, FUZZ_MAX_INFLUENCES);
    RandomMeshDef def = {
        .vertexCount = vertexCount(random),
        .boneCount = boneCount(random, maxBones),
        .influences = influences,
        .minInfluences = randomBelow(random, 2) == 0 ? 1 : influences, /* fewer than the kernel reads, or none fewer */
        .normalised = randomBelow(random, 2) == 0,
    };
    ModelMesh mesh = randomMesh(random, &def);
    nameLastBone(random, &mesh);
    return mesh;
}

/* The joints in the smallest format that holds them, cut off where they have no weight. Null: as they are. */
static void *narrowJoints(const ModelMesh *mesh, VkskinJointFormat *format) {
    size_t count = (size_t)mesh->vertexCount * mesh->influences;
    size_t size = mesh->boneCount <= 256 ? 1 : 2;
    unsigned char *narrow = malloc(count * size);
    assert_non_null(narrow);
    for (size_t i = 0; i < count; i++) {
        memcpy(narrow + i * size, &mesh->joints[i], size); /* the low bytes come first */
    }
    *format = size == 1 ? VKSKIN_JOINTS_U8 : VKSKIN_JOINTS_U16;
    return narrow;
}

static VkskinVertexFormat anyFormat(Random *random, uint32_t formats) {
    uint32_t format = randomBelow(random, VKSKIN_VERTEX_FORMAT_COUNT);
    while ((formats >> format & 1u) == 0) {
        format = (format + 1) % VKSKIN_VERTEX_FORMAT_COUNT;
    }
    return (VkskinVertexFormat)format;
}

void fuzzMeshCreate(Gpu *gpu, VkskinContext context, Random *random, uint32_t formats, uint32_t maxBones,
                    FuzzMesh *mesh) {
    *mesh = (FuzzMesh){.model = anyMesh(random, maxBones),
                       .maxInfluences = randomBelow(random, 2) == 0 ? 4 : 1 + randomBelow(random, 4)};
    uint32_t attributes = randomBelow(random, 3);
    VkskinMeshDef def = modelMeshDef(&mesh->model);
    def.normals = attributes >= 1 ? def.normals : NULL;
    def.tangents = attributes == 2 ? def.tangents : NULL;
    def.maxInfluences = mesh->maxInfluences;
    def.format = anyFormat(random, formats);
    def.previousPositions = randomBelow(random, 3) == 0;
    void *narrow = randomBelow(random, 2) == 0 ? narrowJoints(&mesh->model, &def.jointFormat) : NULL;
    def.joints = narrow != NULL ? narrow : def.joints;
    VkskinResult result = vkskinCreateMesh(context, &def, &mesh->handle);
    free(narrow);
    if (result < 0) {
        GPU_VKSKIN(gpu, result);
    }
    GPU_VKSKIN(gpu, vkskinGetMeshInfo(context, mesh->handle, &mesh->info));
}

void fuzzMeshDestroy(Gpu *gpu, VkskinContext context, FuzzMesh *mesh) {
    GPU_VKSKIN(gpu, vkskinDestroyMesh(context, mesh->handle));
    fuzzMeshFree(mesh);
}

void fuzzMeshFree(FuzzMesh *mesh) {
    randomMeshFree(&mesh->model);
}

/* ---- Refusals ---- */

static VkskinResult spoilMesh(Random *random, ModelMesh *mesh) {
    size_t vertex = randomBelow(random, mesh->vertexCount);
    float *weights = &mesh->weights[vertex * mesh->influences];
    size_t weighted = 0; /* the first places are those with weight */
    switch (randomBelow(random, 5)) {
    case 0:
        mesh->joints[vertex * mesh->influences + weighted] =
            mesh->boneCount + randomBelow(random, UINT32_MAX - mesh->boneCount);
        return VKSKIN_ERROR_JOINT_OUT_OF_RANGE;
    case 1:
        weights[weighted] = NAN;
        return VKSKIN_ERROR_WEIGHT_NOT_FINITE;
    case 2:
        weights[weighted] = -weights[weighted];
        return VKSKIN_ERROR_WEIGHT_NEGATIVE;
    case 3:
        memset(weights, 0, mesh->influences * sizeof *weights);
        return VKSKIN_ERROR_WEIGHT_ZERO;
    default:
        mesh->positions[3 * vertex + 1] = INFINITY;
        return VKSKIN_ERROR_ATTRIBUTE_NOT_FINITE;
    }
}

void fuzzMeshRefusal(Gpu *gpu, VkskinContext context, Random *random) {
    ModelMesh model = anyMesh(random, 100);
    VkskinMeshDef def = modelMeshDef(&model);
    VkskinResult expected = spoilMesh(random, &model);
    VkskinMesh mesh = {7, 7};
    gpu->log.count = 0;
    gpuCheckRefusal(gpu, "a bad mesh", vkskinCreateMesh(context, &def, &mesh), expected, "vertex");
    assert_int_equal(mesh.index, 0);
    randomMeshFree(&model);
}
