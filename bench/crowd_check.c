#include "crowd_check.h"

#include <stdlib.h>
#include <string.h>

#include "vertex_error.h"

#define SAMPLES_MAX   16
#define INSTANCES_MAX 4096 /* checked in a crowd */

typedef struct Check {
    const CrowdScene *scene;
    const CrowdOutput *output;
    ReferenceDef def;
    ReferenceMatrix *bones; /* [bones] of the instance that is checked */
    const char *bytes;      /* the vertices of that instance */
    VkskinOutput layout;    /* likewise */
    double diagonal;        /* diagonal of an instance's bounds; position errors are relative to it */
    VkskinMeshInfo info;
    EngineError *error;
} Check;

/* The place of a vertex as the only one of an output. */
static VkskinOutput placeOf(const Check *check, uint32_t vertex) {
    VkskinOutput place = check->layout;
    place.positionOffset += (VkDeviceSize)vertex * place.positionStride;
    place.attributeOffset += (VkDeviceSize)vertex * place.attributeStride;
    return place;
}

static bool compareVertex(const Check *check, uint32_t instance, uint32_t vertex, const ReferenceVertex *expected) {
    VkskinOutput place = placeOf(check, vertex);
    ReadVertex read = readVertex(check->bytes, 0, &place, &check->info, 0);
    VertexError off = vertexError(expected, &read, check->diagonal, &check->info);
    return vertexErrorIsGood(&off, check->output->precision) ||
           engineFail(
               check->error,
               "instance %u, vertex %u: off by %.3g of the character's diagonal, its normal by %.3g degrees, its "
               "tangent by %.3g",
               instance, vertex, off.position, off.normal, off.tangent);
}

/* sample: [count] vertices; null: all. */
static bool compareVertices(Check *check, uint32_t instance, const uint32_t *sample, uint32_t count) {
    ReferenceVertex *expected = newReferenceSample(&check->scene->mesh, check->bones, &check->def, sample, count);
    if (!sample) {
        check->diagonal = referenceDiagonal(expected, count);
    }
    bool same = true;
    for (uint32_t i = 0; same && i < count; i++) {
        same = compareVertex(check, instance, sample ? sample[i] : i, &expected[i]);
    }
    free(expected);
    return same;
}

static bool compareSample(Check *check, uint32_t instance) {
    uint32_t sample[SAMPLES_MAX];
    uint32_t total = check->scene->mesh.vertexCount;
    uint32_t count = total < SAMPLES_MAX ? total : SAMPLES_MAX;
    for (uint32_t i = 0; i < count; i++) {
        sample[i] = (uint32_t)(((uint64_t)i * total / count + (uint64_t)instance * 7919u) % total);
    }
    return compareVertices(check, instance, sample, count);
}

/* Whether all of a stream's `size` bytes, a multiple of 4, are poison. */
static bool isPoison(const char *bytes, size_t size) {
    uint32_t word = 0;
    for (size_t offset = 0; offset < size; offset += sizeof word) {
        memcpy(&word, bytes + offset, sizeof word);
        if (word != CROWD_POISON) {
            return false;
        }
    }
    return size > 0;
}

static bool findPoison(const Check *check, uint32_t instance) {
    const size_t attributes = crowdAttributeBytes(check->output->format);
    for (uint32_t v = 0; v < check->scene->mesh.vertexCount; v++) {
        VkskinOutput place = placeOf(check, v);
        if (isPoison(check->bytes + place.positionOffset, 12) ||
            (!check->output->positionsAlone && isPoison(check->bytes + place.attributeOffset, attributes))) {
            return engineFail(check->error, "instance %u, vertex %u: was not written", instance, v);
        }
    }
    return true;
}

/* The loss of the encoding is not an error. */
static ReferenceMatrix boneAsEncoded(VkskinPaletteEncoding encoding, const VkskinAffine *bone) {
    float entry[16]; /* the largest encoding */
    ReferenceMatrix matrix = referenceFromAffine(bone);
    paletteEntry(encoding, &matrix, false, entry);
    return paletteEntryMatrix(encoding, entry);
}

static bool checkInstance(Check *check, uint32_t instance, bool whole) {
    const VkskinAffine *bones = crowdSceneBones(check->scene, instance);
    for (uint32_t b = 0; b < check->scene->shape.bones; b++) {
        check->bones[b] = boneAsEncoded(skinModeEncoding(check->scene->mode), &bones[b]);
    }
    check->bytes = check->output->fetch(check->output->user, instance, &check->layout, check->error);
    if (!check->bytes || !findPoison(check, instance)) {
        return false;
    }
    return whole ? compareVertices(check, instance, NULL, check->scene->mesh.vertexCount)
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
    check.def.method = skinModeMethod(scene->mode);
    if (scene->centres) { /* the data after the library's header */
        check.def.centres = (const float *)(const void *)((const char *)scene->centres + vkskinCentresSize(0));
    }
    check.info = (VkskinMeshInfo){.dimensions = 3,
                                  .hasNormals = !output->positionsAlone,
                                  .hasTangents = !output->positionsAlone,
                                  .format = output->format};
    check.bones = engineAllocate(scene->shape.bones, sizeof *check.bones, error);
    bool good = check.bones && checkInstances(&check);
    free(check.bones);
    return good;
}
