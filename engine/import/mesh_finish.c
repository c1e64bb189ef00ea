#include "mesh_finish.h"

#include "child.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DELTA_SIZE (3 * sizeof(float))

/* ---- Influences ---- */

static bool counts(const Influence *influence) {
    return isfinite(influence->weight) && influence->weight > 0.0f;
}

/* [vertexCount]: how many weights each vertex has. Counts bad weights in the repairs. */
static uint32_t *countWeights(const ModelMesh *mesh, const Influence *list, size_t count, ModelRepairs *repairs) {
    uint32_t *perVertex = childAllocate(mesh->vertexCount, sizeof *perVertex);
    for (size_t i = 0; i < count; i++) {
        if (counts(&list[i])) {
            perVertex[list[i].vertex]++;
        } else if (list[i].weight != 0.0f) {
            repairs->weightsNegative++;
        }
    }
    return perVertex;
}

static void allocateRows(ModelMesh *mesh, uint32_t influences) {
    size_t slots = (size_t)mesh->vertexCount * influences;
    mesh->influences = influences;
    mesh->joints = childAllocate(slots, sizeof *mesh->joints);
    mesh->weights = childAllocate(slots, sizeof *mesh->weights);
}

static void fillRows(ModelMesh *mesh, const Influence *list, size_t count, uint32_t shift) {
    uint32_t *used = childAllocate(mesh->vertexCount, sizeof *used);
    for (size_t i = 0; i < count; i++) {
        if (counts(&list[i])) {
            size_t slot = (size_t)list[i].vertex * mesh->influences + used[list[i].vertex]++;
            uint32_t joint = list[i].joint + shift;
            mesh->joints[slot] = joint;
            mesh->weights[slot] = list[i].weight;
            mesh->boneCount = joint >= mesh->boneCount ? joint + 1 : mesh->boneCount;
        }
    }
    free(used);
}

bool influencesPack(ModelMesh *mesh, const Influence *list, size_t count, ModelRepairs *repairs) {
    uint32_t *perVertex = countWeights(mesh, list, count, repairs);
    uint32_t largest = 1, without = 0;
    for (uint32_t v = 0; v < mesh->vertexCount; v++) {
        largest = perVertex[v] > largest ? perVertex[v] : largest;
        without += perVertex[v] == 0;
    }
    allocateRows(mesh, largest);
    mesh->boneCount = 1;
    fillRows(mesh, list, count, without > 0);
    for (uint32_t v = 0; v < mesh->vertexCount; v++) {
        if (perVertex[v] == 0) {
            mesh->weights[(size_t)v * largest] = 1.0f;
        }
    }
    repairs->verticesUnweighted += without;
    free(perVertex);
    return without > 0;
}

void influencesRigid(ModelMesh *mesh) {
    allocateRows(mesh, 1);
    mesh->boneCount = 1;
    for (uint32_t v = 0; v < mesh->vertexCount; v++) {
        mesh->weights[v] = 1.0f;
    }
}

/* ---- Morph targets ---- */

static bool moves(const float *deltas, uint32_t vertex) {
    const float *delta = deltas ? deltas + 3 * (size_t)vertex : NULL;
    return delta && (delta[0] != 0.0f || delta[1] != 0.0f || delta[2] != 0.0f);
}

static bool movesAny(const MorphDeltas *deltas, uint32_t vertex) {
    return moves(deltas->positions, vertex) || moves(deltas->normals, vertex) || moves(deltas->tangents, vertex);
}

static float *keepMoved(const ModelMorph *morph, const float *deltas) {
    if (!deltas) {
        return NULL;
    }
    float *kept = childAllocate(morph->vertexCount, DELTA_SIZE);
    for (size_t i = 0; i < morph->vertexCount; i++) {
        memcpy(kept + 3 * i, deltas + 3 * (size_t)morph->vertices[i], DELTA_SIZE);
    }
    return kept;
}

void morphSetSparse(ModelMorph *morph, uint32_t vertexCount, MorphDeltas deltas) {
    uint32_t count = 0;
    for (uint32_t v = 0; v < vertexCount; v++) {
        count += movesAny(&deltas, v);
    }
    morph->vertices = childAllocate(count, sizeof *morph->vertices);
    for (uint32_t v = 0; v < vertexCount; v++) {
        if (movesAny(&deltas, v)) {
            morph->vertices[morph->vertexCount++] = v;
        }
    }
    morph->positions = keepMoved(morph, deltas.positions);
    morph->normals = keepMoved(morph, deltas.normals);
    morph->tangents = keepMoved(morph, deltas.tangents);
}

/* An array of a morph with a delta for each vertex of the mesh. free() it. */
static float *spread(const ModelMorph *morph, const float *values, uint32_t vertexCount) {
    float *deltas = childAllocate(vertexCount, DELTA_SIZE);
    for (size_t i = 0; i < morph->vertexCount; i++) {
        memcpy(deltas + 3 * (size_t)morph->vertices[i], values + 3 * i, DELTA_SIZE);
    }
    return deltas;
}

/* ---- Normals ---- */

/* The cross product of two edges: its length is twice the triangle's area. */
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

/* Writes `otherwise` where the sum has no direction. */
static void writeUnit(const double sum[3], const float otherwise[3], float *normal) {
    double length = sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
    bool usable = length > 0.0 && isfinite(length);
    for (int i = 0; i < 3; i++) {
        normal[i] = usable ? (float)(sum[i] / length) : otherwise[i];
    }
}

/*
 * Vertex normals of the mesh with its vertices at `positions`. A vertex whose triangles have no area gets its normal
 * from `otherwise`, [vertexCount][3]; (0, 0, 1) where that is null.
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
    float *positions = spread(morph, morph->positions, mesh->vertexCount);
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

static bool hasDirection(const float vector[3]) {
    return finiteAll(vector, 3) && (vector[0] != 0.0f || vector[1] != 0.0f || vector[2] != 0.0f);
}

uint32_t meshRepairNormals(ModelMesh *mesh) {
    uint32_t repaired = 0;
    float *given = mesh->normals;
    mesh->normals = NULL;
    meshComputeNormals(mesh);
    for (size_t v = 0; given && v < mesh->vertexCount; v++) {
        if (hasDirection(given + 3 * v)) {
            memcpy(mesh->normals + 3 * v, given + 3 * v, 3 * sizeof *given);
        } else {
            repaired++;
        }
    }
    free(given);
    return repaired;
}

static void dropUnlessFinite(Model *model, const ModelMesh *mesh, const char *what, float **values, size_t count) {
    if (*values && !finiteAll(*values, count)) {
        childWarn(model, "the %s of mesh '%.100s' are left out: some are not finite", what, mesh->name);
        free(*values);
        *values = NULL;
    }
}

static void limitColours(ModelMesh *mesh) {
    bool white = true;
    for (size_t i = 0; mesh->colours && i < 4 * (size_t)mesh->vertexCount; i++) {
        mesh->colours[i] = fminf(fmaxf(mesh->colours[i], 0.0f), 1.0f);
        white = white && mesh->colours[i] == 1.0f;
    }
    if (white) {
        free(mesh->colours);
        mesh->colours = NULL;
    }
}

bool meshFinishAttributes(Model *model, ModelMesh *mesh, EngineError *error) {
    for (uint32_t v = 0; v < mesh->vertexCount; v++) {
        if (!finiteAll(mesh->positions + 3 * (size_t)v, 3)) {
            return engineFail(error, "vertex %u of mesh '%s' is not finite", v, mesh->name);
        }
    }
    dropUnlessFinite(model, mesh, "texture coordinates", &mesh->texcoords, (size_t)mesh->vertexCount * 2);
    dropUnlessFinite(model, mesh, "tangents", &mesh->tangents, (size_t)mesh->vertexCount * 4);
    dropUnlessFinite(model, mesh, "colours", &mesh->colours, (size_t)mesh->vertexCount * 4);
    limitColours(mesh);
    if (meshRepairNormals(mesh) > 0) {
        childWarn(model, "mesh '%.100s' has normals without a direction; they are computed from its faces", mesh->name);
    }
    return true;
}
