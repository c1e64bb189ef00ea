#include "random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void *newZeroed(size_t count, size_t size) {
    void *memory = calloc(count > 0 ? count : 1, size);
    if (memory == NULL) {
        abort();
    }
    return memory;
}

/* The generator is splitmix64. */
uint32_t randomWord(Random *random) {
    uint64_t z = random->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ z >> 31) >> 32);
}

uint32_t randomBelow(Random *random, uint32_t count) {
    return (uint32_t)((uint64_t)randomWord(random) * count >> 32);
}

float randomFloat(Random *random, float low, float high) {
    float unit = (float)(randomWord(random) >> 8) / 16777216.0f;
    return low + (high - low) * unit;
}

void randomDirection(Random *random, float direction[3]) {
    float z = randomFloat(random, -1.0f, 1.0f);
    float angle = randomFloat(random, 0.0f, 6.2831853f);
    float radius = sqrtf(1.0f - z * z);
    direction[0] = radius * cosf(angle);
    direction[1] = radius * sinf(angle);
    direction[2] = z;
}

void randomRotation(Random *random, float maxAngle, float rotation[4]) {
    float half = 0.5f * randomFloat(random, 0.0f, maxAngle);
    randomDirection(random, rotation);
    for (int i = 0; i < 3; i++) {
        rotation[i] *= sinf(half);
    }
    rotation[3] = cosf(half);
}

/* ---- Bones ---- */

void randomRigidBone(Random *random, float maxAngle, float rotation[4], float translation[3]) {
    randomRotation(random, maxAngle, rotation);
    for (int i = 0; i < 3; i++) {
        translation[i] = randomFloat(random, -0.5f, 0.5f);
    }
}

VkskinAffine randomBone(Random *random, float maxAngle, bool scaled) {
    VkskinTransform transform = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    randomRigidBone(random, maxAngle, transform.rotation, transform.translation);
    for (int i = 0; i < 3 && scaled; i++) {
        transform.scale[i] = randomFloat(random, 0.5f, 2.0f);
    }
    return vkskinAffineFromTransform(&transform);
}

/* ---- Meshes ---- */

static void randomTangent(Random *random, const float normal[3], float tangent[4]) {
    float other[3];
    float length;
    do {
        randomDirection(random, other);
        for (int i = 0; i < 3; i++) {
            int j = (i + 1) % 3, k = (i + 2) % 3;
            tangent[i] = normal[j] * other[k] - normal[k] * other[j];
        }
        length = sqrtf(tangent[0] * tangent[0] + tangent[1] * tangent[1] + tangent[2] * tangent[2]);
    } while (length < 0.1f);
    for (int i = 0; i < 3; i++) {
        tangent[i] /= length;
    }
    tangent[3] = randomWord(random) & 1u ? 1.0f : -1.0f;
}

static void randomInfluences(Random *random, const RandomMeshDef *def, uint32_t *joints, float *weights) {
    uint32_t used = def->minInfluences + randomBelow(random, def->influences - def->minInfluences + 1u);
    float sum = 0.0f;
    for (uint32_t i = 0; i < def->influences; i++) {
        joints[i] = i < used ? randomBelow(random, def->boneCount) : UINT32_MAX;
        weights[i] = i < used ? randomFloat(random, 0.05f, 1.0f) : 0.0f;
        sum += weights[i];
    }
    float target = def->normalised ? 1.0f : randomFloat(random, 0.2f, 3.0f);
    for (uint32_t i = 0; i < used; i++) {
        weights[i] *= target / sum;
    }
}

ModelMesh randomMesh(Random *random, const RandomMeshDef *def) {
    size_t places = (size_t)def->vertexCount * def->influences;
    ModelMesh mesh = {
        .vertexCount = def->vertexCount,
        .positions = newZeroed(def->vertexCount, 3 * sizeof(float)),
        .normals = newZeroed(def->vertexCount, 3 * sizeof(float)),
        .tangents = newZeroed(def->vertexCount, 4 * sizeof(float)),
        .influences = def->influences,
        .joints = newZeroed(places, sizeof(uint32_t)),
        .weights = newZeroed(places, sizeof(float)),
        .boneCount = def->boneCount,
    };
    for (size_t v = 0; v < def->vertexCount; v++) {
        for (int i = 0; i < 3; i++) {
            mesh.positions[3 * v + (size_t)i] = randomFloat(random, -1.0f, 1.0f);
        }
        randomDirection(random, &mesh.normals[3 * v]);
        randomTangent(random, &mesh.normals[3 * v], &mesh.tangents[4 * v]);
        randomInfluences(random, def, &mesh.joints[v * def->influences], &mesh.weights[v * def->influences]);
    }
    return mesh;
}

void randomMeshFree(ModelMesh *mesh) {
    free(mesh->positions);
    free(mesh->normals);
    free(mesh->tangents);
    free(mesh->joints);
    free(mesh->weights);
    free(mesh->blendWeights);
    for (uint32_t i = 0; i < mesh->morphCount; i++) {
        free(mesh->morphs[i].vertices);
        free(mesh->morphs[i].positions);
        free(mesh->morphs[i].normals);
        free(mesh->morphs[i].tangents);
    }
    free(mesh->morphs);
    memset(mesh, 0, sizeof *mesh);
}

float *randomDeltas(Random *random, uint32_t count, float maxDelta, bool flat) {
    float *deltas = newZeroed(count, 3 * sizeof *deltas);
    for (uint32_t i = 0; i < 3 * count; i++) {
        deltas[i] = flat && i % 3 == 2 ? 0.0f : randomFloat(random, -maxDelta, maxDelta);
    }
    return deltas;
}
