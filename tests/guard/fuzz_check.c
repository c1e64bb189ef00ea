#include "fuzz_check.h"

#include <stdlib.h>
#include <string.h>

#include "vertex_error.h"

#define SAMPLES  8
#define PLACES   (SAMPLES * FUZZ_MAX_INFLUENCES)
#define DIAGONAL 3.4641 /* of the cube that random meshes fill */

/* A few vertices of a mesh as a mesh of their own, with a bone for each place of theirs. */
typedef struct Sample {
    uint32_t count;
    uint32_t vertices[SAMPLES]; /* in the whole mesh */
    float positions[SAMPLES][3], normals[SAMPLES][3], tangents[SAMPLES][4];
    float blendWeights[SAMPLES], centres[SAMPLES][3];
    float deltas[FUZZ_MORPHS][SAMPLES][3], directions[FUZZ_MORPHS][SAMPLES][3];
    uint32_t joints[PLACES];
    float weights[PLACES];
    ReferenceMatrix bones[PLACES + 1]; /* and the bone of vertices without weights */
} Sample;

static bool movedByWildBone(const FuzzMesh *mesh, const FuzzPalette *palette, uint32_t vertex) {
    const ModelMesh *model = &mesh->model;
    if (model->boneCount == 0) {
        return false;
    }
    if (mesh->unweightedBone != VKSKIN_NO_BONE && palette->wild[mesh->unweightedBone]) {
        return true;
    }
    for (size_t i = (size_t)vertex * model->influences; i < (vertex + (size_t)1) * model->influences; i++) {
        if (model->weights[i] > 0.0f && palette->wild[model->joints[i]]) {
            return true;
        }
    }
    return false;
}

static void addMorphs(Sample *sample, uint32_t at, const FuzzMesh *mesh, uint32_t vertex) {
    for (uint32_t i = 0; i < mesh->morphCount; i++) {
        memcpy(sample->deltas[i][at], mesh->morphs[i].deltas + 3 * (size_t)vertex, sizeof sample->deltas[i][at]);
        memcpy(sample->directions[i][at], mesh->morphs[i].directions + 3 * (size_t)vertex,
               sizeof sample->directions[i][at]);
    }
}

static void addVertex(Sample *sample, const FuzzMesh *mesh, const FuzzPalette *palette, uint32_t vertex) {
    const ModelMesh *model = &mesh->model;
    uint32_t at = sample->count++;
    sample->vertices[at] = vertex;
    memcpy(sample->positions[at], &model->positions[3 * (size_t)vertex], sizeof sample->positions[at]);
    memcpy(sample->normals[at], &model->normals[3 * (size_t)vertex], sizeof sample->normals[at]);
    memcpy(sample->tangents[at], &model->tangents[4 * (size_t)vertex], sizeof sample->tangents[at]);
    sample->blendWeights[at] = model->blendWeights != NULL ? model->blendWeights[vertex] : 0.0f;
    if (mesh->centres != NULL) {
        memcpy(sample->centres[at], mesh->centres + 3 * (size_t)vertex, sizeof sample->centres[at]);
    }
    addMorphs(sample, at, mesh, vertex);
    for (uint32_t i = 0; model->boneCount > 0 && i < model->influences; i++) {
        size_t from = (size_t)vertex * model->influences + i;
        uint32_t to = at * model->influences + i;
        VkskinAffine still = vkskinIdentityAffine();
        bool weighted = model->weights[from] > 0.0f;
        sample->joints[to] = to;
        sample->weights[to] = model->weights[from];
        sample->bones[to] = weighted ? palette->bones[model->joints[from]] : referenceFromAffine(&still);
    }
}

static void chooseVertices(Random *random, const FuzzMesh *mesh, const FuzzPalette *palette, Sample *sample) {
    uint32_t count = mesh->model.vertexCount;
    for (uint32_t i = 0; i < SAMPLES; i++) {
        uint32_t vertex = i == 0 ? 0 : i == 1 ? count - 1 : randomBelow(random, count);
        if (!movedByWildBone(mesh, palette, vertex)) {
            addVertex(sample, mesh, palette, vertex);
        }
    }
}

static ReferenceVertex *newExpected(Sample *sample, const FuzzMesh *mesh, const FuzzPalette *palette,
                                    const float morphWeights[FUZZ_MORPHS]) {
    static const bool morphsAfter[FUZZ_MORPHS] = {false, true};
    static uint32_t all[SAMPLES] = {0, 1, 2, 3, 4, 5, 6, 7};
    uint32_t places = sample->count * mesh->model.influences;
    ModelMorph morphs[FUZZ_MORPHS];
    for (uint32_t i = 0; i < FUZZ_MORPHS; i++) {
        morphs[i] = (ModelMorph){.vertexCount = sample->count,
                                 .vertices = all,
                                 .positions = sample->deltas[i][0],
                                 .normals = sample->directions[i][0],
                                 .tangents = sample->directions[i][0]};
    }
    ModelMesh few = {
        .vertexCount = sample->count,
        .positions = sample->positions[0],
        .normals = sample->normals[0],
        .tangents = sample->tangents[0],
        .influences = mesh->model.influences,
        .joints = sample->joints,
        .weights = sample->weights,
        .boneCount = mesh->model.boneCount > 0 ? places + 1 : 0,
        .blendWeights = sample->blendWeights,
        .morphs = morphs,
        .morphCount = mesh->morphCount,
    };
    if (mesh->model.boneCount > 0 && mesh->unweightedBone != VKSKIN_NO_BONE) {
        sample->bones[places] = palette->bones[mesh->unweightedBone];
    }
    ReferenceDef def = {
        .method = palette->method,
        .exactNormals = mesh->info.normalRule == VKSKIN_NORMALS_EXACT,
        .maxInfluences = mesh->maxInfluences,
        .minWeight = mesh->minWeight,
        .unweightedBone = places,
        .centres = sample->centres[0],
        .morphWeights = morphWeights,
        .morphsAfter = morphsAfter,
    };
    return newReferenceVertices(&few, sample->bones, &def);
}

uint32_t fuzzCheckVertices(Random *random, const FuzzMesh *mesh, const FuzzPalette *palette,
                           const float morphWeights[FUZZ_MORPHS], const VkskinOutput *output, const void *bytes) {
    Sample sample = {0};
    if (mesh->info.weightFormat != VKSKIN_WEIGHTS_FLOAT) {
        return 0;
    }
    chooseVertices(random, mesh, palette, &sample);
    if (sample.count == 0) {
        return 0;
    }
    ReferenceVertex *expected = newExpected(&sample, mesh, palette, morphWeights);
    for (uint32_t i = 0; i < sample.count; i++) {
        ReadVertex vertex = readVertex(bytes, 0, output, &mesh->info, sample.vertices[i]);
        VertexError error = vertexError(&expected[i], &vertex, DIAGONAL, &mesh->info);
        if (!error.leftOut && !vertexErrorIsGood(&error, mesh->info.format)) {
            free(expected);
            fail_msg("vertex %u of %u: position %.2g of the diagonal off, normal %.2g, tangent %.2g degrees",
                     sample.vertices[i], mesh->info.vertexCount, error.position, error.normal, error.tangent);
        }
    }
    free(expected);
    return sample.count;
}
