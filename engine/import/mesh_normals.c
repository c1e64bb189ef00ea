#include "mesh_normals.h"

#include "child_memory.h"
#include "morph_sparse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Twice the triangle's area along its normal: the cross product of two edges. */
static void faceNormal(const float *a, const float *b, const float *c, double normal[3]) {
    double u[3], v[3];
    for (int i = 0; i < 3; i++) {
        u[i] = (double)b[i] - (double)a[i];
        v[i] = (double)c[i] - (double)a[i];
    }
    normal[0] = u[1] * v[2] - u[2] * v[1];
    normal[1] = u[2] * v[0] - u[0] * v[2];
    normal[2] = u[0] * v[1] - u[1] * v[0];
}

/* `otherwise` where the sum has no direction. */
static void writeUnit(const double sum[3], const float otherwise[3], float *normal) {
    double length = sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
    bool usable = length > 0.0 && isfinite(length);
    for (int i = 0; i < 3; i++) {
        normal[i] = usable ? (float)(sum[i] / length) : otherwise[i];
    }
}

/*
 * The normals of the mesh's triangles where its vertices stand at `positions`. A vertex whose triangles have no area
 * gets that of `otherwise`, [vertexCount][3], or (0, 0, 1) where there are none.
 */
static void computeNormals(const ModelMesh *mesh, const float *positions, const float *otherwise, float *normals) {
    static const float up[3] = {0.0f, 0.0f, 1.0f};
    double *sums = childAllocate(mesh->vertexCount, 3 * sizeof *sums);
    for (uint32_t i = 0; i + 2 < mesh->indexCount; i += 3) {
        const uint32_t *corner = &mesh->indices[i];
        double normal[3];
        faceNormal(positions + 3 * (size_t)corner[0], positions + 3 * (size_t)corner[1],
                   positions + 3 * (size_t)corner[2], normal);
        for (int c = 0; c < 3; c++) {
            for (int axis = 0; axis < 3; axis++) {
                sums[3 * (size_t)corner[c] + (size_t)axis] += normal[axis];
            }
        }
    }
    for (uint32_t v = 0; v < mesh->vertexCount; v++) {
        writeUnit(sums + 3 * (size_t)v, otherwise ? otherwise + 3 * (size_t)v : up, normals + 3 * (size_t)v);
    }
    free(sums);
}

void meshComputeNormals(ModelMesh *mesh) {
    if (!mesh->normals) {
        mesh->normals = childAllocate(mesh->vertexCount, 3 * sizeof *mesh->normals);
    }
    computeNormals(mesh, mesh->positions, NULL, mesh->normals);
}

static void computeMorphNormals(const ModelMesh *mesh, ModelMorph *morph) {
    size_t floats = 3 * (size_t)mesh->vertexCount;
    float *positions = morphSpread(morph, morph->positions, mesh->vertexCount);
    float *moved = childAllocate(floats, sizeof *moved);
    float *normals = childAllocate(floats, sizeof *normals);
    for (size_t i = 0; i < floats; i++) {
        moved[i] = mesh->positions[i] + positions[i];
    }
    computeNormals(mesh, moved, mesh->normals, normals);
    for (size_t i = 0; i < floats; i++) {
        normals[i] -= mesh->normals[i];
    }
    ModelMorph complete = {.name = morph->name};
    morphSetSparse(&complete, mesh->vertexCount, (MorphDeltas){.positions = positions, .normals = normals});
    free(morph->vertices);
    free(morph->positions);
    *morph = complete;
    free(positions);
    free(moved);
    free(normals);
}

void meshComputeMorphNormals(ModelMesh *mesh) {
    for (uint32_t m = 0; m < mesh->morphCount; m++) {
        if (mesh->morphs[m].positions) {
            computeMorphNormals(mesh, &mesh->morphs[m]);
        }
    }
}

static bool finiteVector(const float *vector) {
    return isfinite(vector[0]) && isfinite(vector[1]) && isfinite(vector[2]);
}

void meshRepairNormals(ModelMesh *mesh) {
    float *given = mesh->normals;
    mesh->normals = NULL;
    meshComputeNormals(mesh);
    for (size_t v = 0; given && v < mesh->vertexCount; v++) {
        if (finiteVector(given + 3 * v)) {
            memcpy(mesh->normals + 3 * v, given + 3 * v, 3 * sizeof *given);
        }
    }
    free(given);
}
