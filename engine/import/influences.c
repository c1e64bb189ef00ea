#include "influences.h"

#include "child_memory.h"

#include <math.h>
#include <stdlib.h>

static bool counts(const Influence *influence) {
    return isfinite(influence->weight) && influence->weight > 0.0f;
}

/* The weights that each vertex has; bad ones go into the repairs. */
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
    uint32_t most = 1, without = 0;
    for (uint32_t v = 0; v < mesh->vertexCount; v++) {
        most = perVertex[v] > most ? perVertex[v] : most;
        without += perVertex[v] == 0;
    }
    allocateRows(mesh, most);
    mesh->boneCount = 1;
    fillRows(mesh, list, count, without > 0);
    for (uint32_t v = 0; v < mesh->vertexCount; v++) {
        if (perVertex[v] == 0) {
            mesh->weights[(size_t)v * most] = 1.0f;
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
