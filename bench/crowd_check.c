#include "crowd_check.h"

#include <stdlib.h>
#include <string.h>

#include "reference.h"
#include "vertex_error.h"

#define SAMPLES_MAX   16
#define INSTANCES_MAX 4096 /* checked in a crowd */

bool crowdIsPoison(const void *bytes, size_t size) {
    uint32_t word = 0;
    for (size_t offset = 0; offset < size; offset += sizeof word) {
        memcpy(&word, (const char *)bytes + offset, sizeof word);
        if (word != CROWD_POISON) {
            return false;
        }
    }
    return true;
}

/* ---- Some vertices of the mesh, as a mesh ---- */

typedef struct Sample {
    uint32_t count;
    const uint32_t *vertices; /* [count] of the whole mesh; null: all */
    ModelMesh mesh;
    float positions[SAMPLES_MAX * 3], normals[SAMPLES_MAX * 3], tangents[SAMPLES_MAX * 4];
    uint32_t joints[SAMPLES_MAX * 8];
    float weights[SAMPLES_MAX * 8];
    float centres[SAMPLES_MAX * 3], blendWeights[SAMPLES_MAX];
} Sample;

static void pick(const void *from, void *to, uint32_t vertex, uint32_t place, size_t size) {
    memcpy((char *)to + place * size, (const char *)from + vertex * size, size);
}

static void takeSample(const ModelMesh *mesh, const ReferenceDef *def, const uint32_t *vertices, uint32_t count,
                       Sample *sample) {
    sample->count = count;
    sample->vertices = vertices;
    sample->mesh = (ModelMesh){.vertexCount = count,
                               .positions = sample->positions,
                               .normals = sample->normals,
                               .tangents = sample->tangents,
                               .influences = mesh->influences,
                               .joints = sample->joints,
                               .weights = sample->weights,
                               .boneCount = mesh->boneCount,
                               .blendWeights = mesh->blendWeights ? sample->blendWeights : NULL};
    for (uint32_t i = 0; i < count; i++) {
        pick(mesh->positions, sample->positions, vertices[i], i, 3 * sizeof(float));
        pick(mesh->normals, sample->normals, vertices[i], i, 3 * sizeof(float));
        pick(mesh->tangents, sample->tangents, vertices[i], i, 4 * sizeof(float));
        pick(mesh->joints, sample->joints, vertices[i], i, mesh->influences * sizeof(uint32_t));
        pick(mesh->weights, sample->weights, vertices[i], i, mesh->influences * sizeof(float));
        if (def->centres) {
            pick(def->centres, sample->centres, vertices[i], i, 3 * sizeof(float));
        }
        if (mesh->blendWeights) {
            pick(mesh->blendWeights, sample->blendWeights, vertices[i], i, sizeof(float));
        }
    }
}

/* ---- Comparing ---- */

typedef struct Check {
    const CrowdScene *scene;
    const CrowdOutput *output;
    ReferenceMatrix *bones; /* [bones] of the instance that is checked */
    double diagonal;        /* of the bounds of an instance; position errors are relative to it */
    VkskinMeshInfo info;
    EngineError *error;
} Check;

static bool compareVertex(const Check *check, uint32_t instance, uint32_t vertex, const ReferenceVertex *expected) {
    ReadVertex read = check->output->read(check->output->user, vertex);
    VertexError off = vertexError(expected, &read, check->diagonal, &check->info);
    return vertexErrorIsGood(&off, check->output->format) ||
           engineFail(
               check->error,
               "instance %u, vertex %u: off by %.3g of the character's diagonal, its normal by %.3g degrees, its "
               "tangent by %.3g",
               instance, vertex, off.position, off.normal, off.tangent);
}

/* vertices: [mesh->vertexCount] of the whole mesh; null: all of it. */
static bool compareMesh(Check *check, uint32_t instance, const ModelMesh *mesh, const ReferenceDef *def,
                        const uint32_t *vertices) {
    ReferenceVertex *expected = newReferenceVertices(mesh, check->bones, def);
    if (!vertices) {
        check->diagonal = referenceDiagonal(expected, mesh->vertexCount);
    }
    bool same = true;
    for (uint32_t v = 0; same && v < mesh->vertexCount; v++) {
        same = compareVertex(check, instance, vertices ? vertices[v] : v, &expected[v]);
    }
    free(expected);
    return same;
}

static bool compareSample(Check *check, uint32_t instance) {
    Sample sample;
    uint32_t vertices[SAMPLES_MAX];
    uint32_t total = check->scene->mesh.vertexCount;
    uint32_t count = total < SAMPLES_MAX ? total : SAMPLES_MAX;
    for (uint32_t i = 0; i < count; i++) {
        vertices[i] = (uint32_t)(((uint64_t)i * total / count + (uint64_t)instance * 7919u) % total);
    }
    ReferenceDef def = check->output->def;
    takeSample(&check->scene->mesh, &def, vertices, count, &sample);
    def.centres = def.centres ? sample.centres : NULL;
    return compareMesh(check, instance, &sample.mesh, &def, vertices);
}

static bool findPoison(const Check *check, uint32_t instance) {
    for (uint32_t v = 0; v < check->scene->mesh.vertexCount; v++) {
        if (check->output->isPoison(check->output->user, v)) {
            return engineFail(check->error, "instance %u, vertex %u: was not written", instance, v);
        }
    }
    return true;
}

static ReferenceMatrix boneAsEncoded(VkskinPaletteEncoding encoding, const VkskinAffine *bone) {
    float entry[16]; /* the largest encoding */
    ReferenceMatrix matrix = referenceFromAffine(bone);
    paletteEntry(encoding, &matrix, false, entry);
    return paletteEntryMatrix(encoding, entry);
}

static bool checkInstance(Check *check, uint32_t instance, bool whole) {
    const VkskinAffine *bones = crowdSceneBones(check->scene, instance);
    for (uint32_t b = 0; b < check->scene->shape.bones; b++) {
        check->bones[b] = boneAsEncoded(check->output->encoding, &bones[b]);
    }
    if (!check->output->fetch(check->output->user, instance, check->error) || !findPoison(check, instance)) {
        return false;
    }
    return whole ? compareMesh(check, instance, &check->scene->mesh, &check->output->def, NULL)
                 : compareSample(check, instance);
}

/* The first instance is checked whole, to get the diagonal. */
static bool checkInstances(Check *check) {
    uint32_t instances = check->scene->shape.instances;
    uint32_t looks = instances < INSTANCES_MAX ? instances : INSTANCES_MAX;
    bool good = true;
    for (uint32_t i = 0; good && i < looks; i++) {
        uint32_t instance = (uint32_t)((uint64_t)i * instances / looks);
        good = checkInstance(check, instance, i == 0 || i == looks / 2 || i == looks - 1);
    }
    return good;
}

bool crowdCheck(const CrowdScene *scene, const CrowdOutput *output, EngineError *error) {
    Check check = {.scene = scene, .output = output, .error = error};
    check.info = (VkskinMeshInfo){.dimensions = 3,
                                  .hasNormals = !output->positionsAlone,
                                  .hasTangents = !output->positionsAlone,
                                  .format = output->format};
    check.bones = calloc(scene->shape.bones, sizeof *check.bones);
    bool good = check.bones ? checkInstances(&check) : engineFail(error, "out of memory");
    free(check.bones);
    return good;
}
