/* Tangents from texture coordinates: see mesh_finish.h. */
#include "child.h"
#include "mesh_finish.h"
#include "model_mesh.h"

#include <math.h>
#include <stdlib.h>

/*
 * A vertex that triangles share whose texture is mirrored needs a tangent for each side. Sides of vertex v have the
 * indices 2 v and 2 v + 1.
 */
typedef struct Sides {
    float (*sums)[3]; /* the tangent, unless the vertex has none: zero */
    uint32_t *kept;   /* 0: no triangle has this side; else the index of its new vertex plus 1 */
} Sides;

/* Returns the direction in which u grows over the triangle, longer for larger triangles. *side: whether the texture is
 * mirrored, seen from outside. */
static void growth(const ModelMesh *mesh, const uint32_t corners[3], float direction[3], uint32_t *side) {
    const float *p[3], *t[3];
    for (int i = 0; i < 3; i++) {
        p[i] = mesh->positions + 3 * (size_t)corners[i];
        t[i] = mesh->texcoords + 2 * (size_t)corners[i];
    }
    const float u1 = t[1][0] - t[0][0], v1 = t[1][1] - t[0][1], u2 = t[2][0] - t[0][0], v2 = t[2][1] - t[0][1];
    const float area = u1 * v2 - u2 * v1; /* negative where the picture is not mirrored: v points down */
    *side = area > 0.0f;
    for (int axis = 0; axis < 3; axis++) {
        float along = (p[1][axis] - p[0][axis]) * v2 - (p[2][axis] - p[0][axis]) * v1;
        direction[axis] = area > 0.0f ? along : area < 0.0f ? -along : 0.0f;
    }
}

static Sides addTriangles(const ModelMesh *mesh) {
    Sides sides = {childAllocate(2 * (size_t)mesh->vertexCount, sizeof *sides.sums),
                   childAllocate(2 * (size_t)mesh->vertexCount, sizeof *sides.kept)};
    for (uint32_t i = 0; i < mesh->indexCount; i += 3) {
        float direction[3];
        uint32_t side;
        growth(mesh, mesh->indices + i, direction, &side);
        for (uint32_t corner = i; corner < i + 3; corner++) {
            size_t at = 2 * (size_t)mesh->indices[corner] + side;
            sides.kept[at] = 1;
            for (int axis = 0; axis < 3; axis++) {
                sides.sums[at][axis] += direction[axis];
            }
        }
    }
    return sides;
}

static float normalise(float v[3]) {
    float length = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int axis = 0; axis < 3 && length > 0.0f; axis++) {
        v[axis] /= length;
    }
    return length;
}

/* The part of `sum` across the normal; any direction across it where there is none. */
static void setTangent(const float normal[3], const float sum[3], float tangent[3]) {
    const float other[3] = {fabsf(normal[0]) < 0.5f, fabsf(normal[0]) >= 0.5f, 0.0f}, *from = sum;
    for (int attempt = 0; attempt < 2; attempt++, from = other) {
        float direction[3] = {from[0], from[1], from[2]};
        float length = normalise(direction);
        float along = direction[0] * normal[0] + direction[1] * normal[1] + direction[2] * normal[2];
        for (int axis = 0; axis < 3; axis++) {
            tangent[axis] = direction[axis] - along * normal[axis];
        }
        if (isfinite(length) && normalise(tangent) > 1e-3f) {
            return;
        }
    }
}

/* Gives each side that a triangle has a vertex of its own. origins: receives the old side of each new vertex. */
static uint32_t splitSides(ModelMesh *mesh, const Sides *sides, uint32_t *origins) {
    uint32_t count = 0;
    for (uint32_t side = 0; side < 2 * mesh->vertexCount; side++) {
        if (sides->kept[side]) {
            origins[count++] = side;
            sides->kept[side] = count;
        }
    }
    for (uint32_t i = 0; i < mesh->indexCount; i += 3) {
        float direction[3];
        uint32_t side;
        growth(mesh, mesh->indices + i, direction, &side);
        for (uint32_t corner = i; corner < i + 3; corner++) {
            mesh->indices[corner] = sides->kept[2 * mesh->indices[corner] + side] - 1;
        }
    }
    return count;
}

void meshComputeTangents(ModelMesh *mesh) {
    if (!mesh->texcoords || mesh->tangents || mesh->vertexCount > UINT32_MAX / 4) {
        return;
    }
    const Sides sides = addTriangles(mesh);
    uint32_t *origins = childAllocate(2 * (size_t)mesh->vertexCount, sizeof *origins);
    const uint32_t count = splitSides(mesh, &sides, origins);
    float *tangents = childAllocate(count, 4 * sizeof *tangents);
    for (uint32_t v = 0; v < count; v++) {
        const float *sum = sides.sums[origins[v]];
        setTangent(mesh->normals + 3 * (size_t)(origins[v] / 2), sum, tangents + 4 * (size_t)v);
        tangents[4 * (size_t)v + 3] = origins[v] % 2 == 0 ? 1.0f : -1.0f;
        origins[v] /= 2;
    }
    if (!modelGatherVertices(mesh, origins, count)) {
        childOutOfMemory();
    }
    mesh->tangents = tangents;
    free(sides.sums);
    free(sides.kept);
    free(origins);
}
