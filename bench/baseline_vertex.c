#include "baseline_vertex.h"

#include <stdlib.h>
#include <string.h>

static void packVertex(const ModelMesh *mesh, uint32_t vertex, BaselineVertex *packed) {
    memcpy(packed->position, &mesh->positions[(size_t)vertex * 3], sizeof packed->position);
    memcpy(packed->normal, &mesh->normals[(size_t)vertex * 3], sizeof packed->normal);
    memcpy(packed->tangent, &mesh->tangents[(size_t)vertex * 4], sizeof packed->tangent);
    for (uint32_t i = 0; i < 4; i++) {
        size_t place = (size_t)vertex * mesh->influences + i;
        packed->joints[i] = (uint8_t)mesh->joints[place];
        packed->weights[i] = (uint8_t)(mesh->weights[place] * 255.0f + 0.5f);
    }
}

BaselineVertex *newBaselineVertices(const ModelMesh *mesh) {
    BaselineVertex *vertices = calloc(mesh->vertexCount, sizeof *vertices);
    for (uint32_t v = 0; vertices && v < mesh->vertexCount; v++) {
        packVertex(mesh, v, &vertices[v]);
    }
    return vertices;
}
