#include "scalar_loop.h"

#include <math.h>
#include <stddef.h>

#define BONE 12 /* floats: three rows of four */

static void blend(const ScalarMesh *mesh, uint32_t vertex, const float *palette, float bone[BONE]) {
    const uint32_t *joints = mesh->joints + (size_t)vertex * mesh->places;
    const float *weights = mesh->weights + (size_t)vertex * mesh->places;
    for (int i = 0; i < BONE; i++) {
        bone[i] = weights[0] * palette[joints[0] * BONE + (uint32_t)i];
    }
    for (uint32_t j = 1; j < mesh->influences && weights[j] > 0.0f; j++) {
        for (int i = 0; i < BONE; i++) {
            bone[i] += weights[j] * palette[joints[j] * BONE + (uint32_t)i];
        }
    }
}

static void movePoint(const float bone[BONE], const float point[3], float moved[3]) {
    for (size_t i = 0; i < 3; i++) {
        const float *row = bone + 4 * i;
        moved[i] = row[0] * point[0] + row[1] * point[1] + row[2] * point[2] + row[3];
    }
}

static void turnDirection(const float bone[BONE], const float direction[3], float turned[3]) {
    float square = 0.0f;
    for (size_t i = 0; i < 3; i++) {
        const float *row = bone + 4 * i;
        turned[i] = row[0] * direction[0] + row[1] * direction[1] + row[2] * direction[2];
        square += turned[i] * turned[i];
    }
    const float scale = 1.0f / sqrtf(square);
    for (int i = 0; i < 3; i++) {
        turned[i] *= scale;
    }
}

void scalarSkin(const ScalarMesh *mesh, const float *palette, float *positions, float *attributes) {
    for (uint32_t v = 0; v < mesh->vertexCount; v++) {
        float bone[BONE];
        blend(mesh, v, palette, bone);
        movePoint(bone, mesh->positions + 3 * (size_t)v, positions + 3 * (size_t)v);
        if (attributes) {
            float *attribute = attributes + 7 * (size_t)v;
            turnDirection(bone, mesh->normals + 3 * (size_t)v, attribute);
            turnDirection(bone, mesh->tangents + 4 * (size_t)v, attribute + 3);
            attribute[6] = mesh->tangents[4 * (size_t)v + 3];
        }
    }
}
