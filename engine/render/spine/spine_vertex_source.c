#include "spine_vertex_source.h"

#include <string.h>

#include "raster/raster_layout.h"

bool spineSourceCheck(const SpineMesh *mesh, EngineError *error) {
    return mesh->spine->boneCount <= RASTER_SPINE_BONES ||
           engineFail(error, "system 'uniform-2d': the character has %u bones; its block holds %d",
                      mesh->spine->boneCount, RASTER_SPINE_BONES);
}

/* The places of the largest weights of a vertex, by descending weight; of equal ones the first. Returns how many. */
static uint32_t choosePlaces(const SpineMesh *mesh, uint32_t vertex, uint32_t places[SPINE_SOURCE_INFLUENCES]) {
    const float *weights = mesh->weights + (size_t)vertex * mesh->influences;
    uint32_t count = 0;
    for (uint32_t i = 0; i < mesh->influences; i++) {
        uint32_t at = count;
        while (at > 0 && weights[places[at - 1]] < weights[i]) {
            at--;
        }
        if (at == SPINE_SOURCE_INFLUENCES || (weights[i] <= 0.0f && i > 0)) {
            continue;
        }
        count += count < SPINE_SOURCE_INFLUENCES;
        memmove(places + at + 1, places + at, (count - at - 1) * sizeof *places);
        places[at] = i;
    }
    return count;
}

/* Adds the deltas of the targets with a weight: vertices of a target ascend. */
static void addDeltas(const SpineMesh *mesh, const float *weights, uint32_t vertex, uint32_t place, float point[2]) {
    for (uint32_t m = 0; m < mesh->morphCount; m++) {
        const VkskinMorphTarget *morph = &mesh->morphs[m];
        uint32_t low = 0, high = weights[m] != 0.0f ? morph->vertexCount : 0;
        while (low < high) {
            const uint32_t middle = low + (high - low) / 2;
            if (morph->vertices[middle] < vertex) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if (weights[m] != 0.0f && low < morph->vertexCount && morph->vertices[low] == vertex) {
            const float *delta = morph->positions + 2 * ((size_t)low * mesh->influences + place);
            point[0] += weights[m] * delta[0];
            point[1] += weights[m] * delta[1];
        }
    }
}

void spineSourceWrite(const SpineMesh *mesh, const float *weights, SpineSourceVertex *vertices) {
    for (uint32_t v = 0; v < mesh->vertexCount; v++) {
        uint32_t places[SPINE_SOURCE_INFLUENCES];
        SpineSourceVertex vertex = {.joints = {0}};
        const size_t first = (size_t)v * mesh->influences;
        const uint32_t count = choosePlaces(mesh, v, places);
        float sum = 0.0f;
        for (uint32_t i = 0; i < count; i++) {
            sum += mesh->weights[first + places[i]];
        }
        for (uint32_t i = 0; i < count; i++) {
            const size_t at = first + places[i];
            memcpy(vertex.points[i], mesh->positions + 2 * at, sizeof vertex.points[i]);
            addDeltas(mesh, weights, v, places[i], vertex.points[i]);
            vertex.weights[i] = sum > 0.0f ? mesh->weights[at] / sum : i == 0 ? 1.0f : 0.0f;
            vertex.joints[i] = (uint16_t)(sum > 0.0f ? mesh->joints[at] : 0);
        }
        vertices[v] = vertex;
    }
}

uint32_t spineSourceTrimmed(const SpineMesh *mesh) {
    uint32_t trimmed = 0;
    for (uint32_t v = 0; v < mesh->vertexCount; v++) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < mesh->influences; i++) {
            count += mesh->weights[(size_t)v * mesh->influences + i] > 0.0f;
        }
        trimmed += count > SPINE_SOURCE_INFLUENCES;
    }
    return trimmed;
}
