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
    uint32_t joints[PLACES];
    float weights[PLACES];
    ReferenceMatrix bones[PLACES];
} Sample;

static bool movedByWildBone(const ModelMesh *model, const FuzzPalette *palette, uint32_t vertex) {
    for (size_t i = (size_t)vertex * model->influences; i < (vertex + (size_t)1) * model->influences; i++) {
        if (model->weights[i] > 0.0f && palette->wild[model->joints[i]]) {
            return true;
        }
    }
    return false;
}

static void addVertex(Sample *sample, const ModelMesh *model, const FuzzPalette *palette, uint32_t vertex) {
    uint32_t at = sample->count++;
    sample->vertices[at] = vertex;
    memcpy(sample->positions[at], &model->positions[3 * (size_t)vertex], sizeof sample->positions[at]);
    memcpy(sample->normals[at], &model->normals[3 * (size_t)vertex], sizeof sample->normals[at]);
    memcpy(sample->tangents[at], &model->tangents[4 * (size_t)vertex], sizeof sample->tangents[at]);
    for (uint32_t i = 0; i < model->influences; i++) {
        size_t from = (size_t)vertex * model->influences + i;
        uint32_t to = at * model->influences + i;
        bool weighted = model->weights[from] > 0.0f;
        VkskinAffine bone = weighted ? palette->bones[model->joints[from]] : vkskinIdentityAffine();
        sample->joints[to] = to;
        sample->weights[to] = model->weights[from];
        sample->bones[to] = referenceFromAffine(&bone);
    }
}

static void chooseVertices(Random *random, const ModelMesh *model, const FuzzPalette *palette, Sample *sample) {
    for (uint32_t i = 0; i < SAMPLES; i++) {
        uint32_t vertex = i == 0 ? 0 : i == 1 ? model->vertexCount - 1 : randomBelow(random, model->vertexCount);
        if (!movedByWildBone(model, palette, vertex)) {
            addVertex(sample, model, palette, vertex);
        }
    }
}

uint32_t fuzzCheckVertices(Random *random, const FuzzMesh *mesh, const FuzzPalette *palette, const VkskinOutput *output,
                           const void *bytes) {
    Sample sample = {0};
    chooseVertices(random, &mesh->model, palette, &sample);
    if (sample.count == 0) {
        return 0;
    }
    ModelMesh few = {
        .vertexCount = sample.count,
        .positions = sample.positions[0],
        .normals = sample.normals[0],
        .tangents = sample.tangents[0],
        .influences = mesh->model.influences,
        .joints = sample.joints,
        .weights = sample.weights,
        .boneCount = sample.count * mesh->model.influences,
    };
    ReferenceDef def = {.method = palette->method, .maxInfluences = mesh->maxInfluences};
    ReferenceVertex *expected = newReferenceVertices(&few, sample.bones, &def);
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
