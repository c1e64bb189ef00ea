#include "mesh_def.h"

#include "cookie.h"
#include "surface.h"

#include <math.h>

VkskinMeshDef vkskinDefaultMeshDef(void) {
    return (VkskinMeshDef){
        .cookie = VKSKIN_COOKIE_MESH,
        .influencesPerVertex = 4,
        .jointFormat = VKSKIN_JOINTS_U16,
        .dimensions = 3,
        .unweightedBone = VKSKIN_NO_BONE,
        .format = VKSKIN_VERTEX_PACKED,
    };
}

Surface sknMeshSurface(const VkskinMeshDef *def, const VkskinLogger *logger) {
    return (Surface){.mesh = def, .run = {.logger = *logger}};
}

const float *sknMeshPosition(const VkskinMeshDef *def, uint32_t vertex) {
    return sknStreamAt(def->positions, def->positionStride, def->dimensions * sizeof(float), vertex);
}

const float *sknMeshNormal(const VkskinMeshDef *def, uint32_t vertex) {
    return sknStreamAt(def->normals, def->normalStride, 3 * sizeof(float), vertex);
}

const float *sknMeshTangent(const VkskinMeshDef *def, uint32_t vertex) {
    return sknStreamAt(def->tangents, def->tangentStride, 4 * sizeof(float), vertex);
}

float sknMeshBlendWeight(const VkskinMeshDef *def, uint32_t vertex) {
    return *(const float *)sknStreamAt(def->blendWeights, def->blendWeightStride, sizeof(float), vertex);
}

uint32_t sknMorphVertex(const VkskinMorphTarget *target, uint32_t delta) {
    return target->vertices != NULL ? target->vertices[delta] : delta;
}

/* Into the units of the format; the share that they hand from one influence to another. */
static double roundWeights(VertexInfluences *influences, uint32_t total) {
    uint32_t before = influences->count;
    double left = 1.0 - influences->trimmed.droppedWeight;
    influences->count = sknCountUnits(influences->kept, before, total, influences->units);
    double moved = 0.0;
    for (uint32_t i = 0; i < influences->count; i++) {
        double exact = (double)influences->kept[i].weight * left;
        moved += fmax((double)influences->units[i] / total - exact, 0.0);
    }
    return moved;
}

void sknMeshVertex(const VkskinMeshDef *def, const Surface *surface, uint32_t vertex, VertexInfluences *influences) {
    influences->count = 0;
    influences->trimmed = (KeptInfluences){0};
    influences->moved = 0.0;
    if (def->boneCount == 0) {
        return;
    }
    sknSurfaceInfluences(surface, vertex, influences->kept);
    influences->trimmed =
        sknKeepInfluences(influences->kept, def->influencesPerVertex, def->maxInfluences, def->minWeight);
    influences->count = influences->trimmed.count;
    influences->moved = influences->trimmed.droppedWeight;
    if (influences->count == 0) {
        influences->count = 1;
        influences->kept[0] = (Influence){def->unweightedBone, 1.0f};
    }
    if (def->weightFormat != VKSKIN_WEIGHTS_FLOAT) {
        influences->moved = roundWeights(influences, sknWeightUnits(def->weightFormat));
    }
}
