#include "geometry.h"

#include <stdlib.h>

bool geometryCreate(uint32_t vertexCount, uint32_t indexCount, uint32_t partCount, bool texcoords, Geometry *geometry) {
    *geometry = (Geometry){.vertexCount = vertexCount, .indexCount = indexCount, .partCount = partCount};
    geometry->positions = calloc((size_t)vertexCount * 3, sizeof(float));
    geometry->normals = calloc((size_t)vertexCount * 3, sizeof(float));
    geometry->texcoords = texcoords ? calloc((size_t)vertexCount * 2, sizeof(float)) : NULL;
    geometry->indices = calloc((size_t)indexCount, sizeof(uint32_t));
    geometry->parts = calloc(partCount, sizeof(GeometryPart));
    if (!geometry->positions || !geometry->normals || (texcoords && !geometry->texcoords) || !geometry->indices ||
        !geometry->parts) {
        geometryFree(geometry);
        return false;
    }
    return true;
}

void geometryFree(Geometry *geometry) {
    free(geometry->positions);
    free(geometry->normals);
    free(geometry->texcoords);
    free(geometry->indices);
    free(geometry->parts);
    *geometry = (Geometry){0};
}
