/* Random meshes and bones on the GPU against the reference: every kernel, format and set of attributes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conform.h"
#include "random_mesh.h"

#define INSTANCES 5
#define BONES     23
#define MAX_ANGLE 1.5f /* radians: two bones may differ by twice as much */

typedef enum BoneKind { BONES_RIGID, BONES_SCALED } BoneKind;

static ReferenceMatrix matrixOfRigid(const float rotation[4], const float translation[3]) {
    static const double one[3] = {1, 1, 1};
    double r[4], t[3];
    for (int i = 0; i < 4; i++) {
        r[i] = rotation[i];
    }
    for (int i = 0; i < 3; i++) {
        t[i] = translation[i];
    }
    return referenceCompose(t, r, one);
}

/* Fills a palette and the same bones for the reference. Dual quaternions get random signs. */
static void randomPalette(Random *random, VkskinMethod method, BoneKind kind, float *palette, ReferenceMatrix *bones) {
    for (uint32_t b = 0; b < BONES; b++) {
        if (method == VKSKIN_METHOD_DUAL_QUATERNION) {
            float rotation[4], translation[3], *entry = palette + 8 * b;
            randomRigidBone(random, MAX_ANGLE, rotation, translation);
            dualQuaternionEntry(rotation, translation, entry);
            float sign = randomWord(random) & 1u ? 1.0f : -1.0f;
            for (int i = 0; i < 8; i++) {
                entry[i] *= sign;
            }
            bones[b] = matrixOfRigid(rotation, translation);
        } else {
            VkskinAffine affine = randomBone(random, MAX_ANGLE, kind == BONES_SCALED);
            memcpy(palette + 12 * b, &affine, sizeof affine);
            bones[b] = referenceFromAffine(&affine);
        }
    }
}

static void checkMesh(Gpu *gpu, Random *random, const char *label, const ConformMesh *mesh, VkskinMethod method,
                      BoneKind kind) {
    static float palettes[INSTANCES][BONES * 12];
    ReferenceMatrix bones[BONES];
    ConformInstance instances[INSTANCES];
    for (uint32_t i = 0; i < INSTANCES; i++) {
        randomPalette(random, method, kind, palettes[i], bones);
        instances[i].method = method;
        instances[i].palette = palettes[i];
        ReferenceDef def = {.method = method, .maxInfluences = mesh->maxInfluences};
        instances[i].expected = newReferenceVertices(mesh->mesh, bones, &def);
    }
    conformCheck(gpu, label, mesh, instances, INSTANCES);
    for (uint32_t i = 0; i < INSTANCES; i++) {
        free(instances[i].expected);
    }
}

/* All formats and sets of attributes of one mesh by one method. */
static void checkFormats(Gpu *gpu, Random *random, const char *label, const ModelMesh *mesh, uint32_t maxInfluences,
                         VkskinMethod method, BoneKind kind) {
    for (uint32_t f = 0; f < VKSKIN_VERTEX_FORMAT_COUNT; f++) {
        for (int attributes = 0; attributes < 3; attributes++) {
            static const char *const names[] = {"positions", "normals", "tangents"};
            ConformMesh conform = {mesh, attributes > 0, attributes > 1, (VkskinVertexFormat)f, maxInfluences};
            char text[128];
            snprintf(text, sizeof text, "%s, %s, %s", label, f == VKSKIN_VERTEX_PACKED ? "packed" : "float",
                     names[attributes]);
            checkMesh(gpu, random, text, &conform, method, kind);
        }
    }
}

/* influences: places a vertex; of which min to all carry weight; maxInfluences kept. */
static void checkRandom(void **state, uint32_t influences, uint32_t least, uint32_t maxInfluences, VkskinMethod method,
                        BoneKind kind, const char *label) {
    Gpu *gpu = *state;
    Random random = {influences * 100u + least * 10u + (uint32_t)method};
    RandomMeshDef def = {.vertexCount = 1003, .boneCount = BONES, .influences = influences, .minInfluences = least};
    ModelMesh mesh = randomMesh(&random, &def);
    checkFormats(gpu, &random, label, &mesh, maxInfluences, method, kind);
    randomMeshFree(&mesh);
}

static void rigidBonesLinear(void **state) {
    checkRandom(state, 4, 1, 4, VKSKIN_METHOD_LINEAR_BLEND, BONES_RIGID, "rigid, 1 to 4");
}

static void scaledBonesLinear(void **state) {
    checkRandom(state, 4, 1, 4, VKSKIN_METHOD_LINEAR_BLEND, BONES_SCALED, "scaled, 1 to 4");
}

static void rigidBonesDual(void **state) {
    checkRandom(state, 4, 1, 4, VKSKIN_METHOD_DUAL_QUATERNION, BONES_RIGID, "dual quaternions, 1 to 4");
}

/* A kernel for each influence count. */
static void everyInfluenceCount(void **state) {
    for (uint32_t count = 1; count <= 4; count++) {
        char label[32];
        snprintf(label, sizeof label, "linear, %u", count);
        checkRandom(state, count, count, 4, VKSKIN_METHOD_LINEAR_BLEND, BONES_SCALED, label);
        snprintf(label, sizeof label, "dual quaternions, %u", count);
        checkRandom(state, count, count, 4, VKSKIN_METHOD_DUAL_QUATERNION, BONES_RIGID, label);
    }
}

/* Seven places, of which the largest 1 to 4 stay. */
static void trimmedInfluences(void **state) {
    for (uint32_t kept = 1; kept <= 4; kept++) {
        char label[32];
        snprintf(label, sizeof label, "linear, 7 trimmed to %u", kept);
        checkRandom(state, 7, 2, kept, VKSKIN_METHOD_LINEAR_BLEND, BONES_RIGID, label);
    }
    checkRandom(state, 7, 2, 3, VKSKIN_METHOD_DUAL_QUATERNION, BONES_RIGID, "dual quaternions, 7 trimmed to 3");
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        GPU_TEST(rigidBonesLinear),    GPU_TEST(scaledBonesLinear), GPU_TEST(rigidBonesDual),
        GPU_TEST(everyInfluenceCount), GPU_TEST(trimmedInfluences),
    };
    return gpuRunTests("conformance of random meshes", tests, sizeof tests / sizeof tests[0],
                       argc > 1 ? argv[1] : NULL);
}
