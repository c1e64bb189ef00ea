#include "mesh_def.h"

#include "centres.h"
#include "cookie.h"
#include "surface.h"

#include <math.h>
#include <string.h>

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

/* Quantises the weights to units of the format. Returns the total increase of the weights that grew. */
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

static VkskinResult refuseMorphVertex(const Host *host, const VkskinMeshDef *def, uint32_t target, uint32_t vertex,
                                      const char *what) {
    return sknReport(&host->logger, VKSKIN_ERROR_MORPH_OUT_OF_RANGE,
                     "mesh %s: morph target %u names vertex %u, %s; the mesh has %u", sknMeshName(def), target, vertex,
                     what, def->vertexCount);
}

/* seen: one bit per vertex, initially 0. */
static VkskinResult checkMorphVertices(const Host *host, const VkskinMeshDef *def, uint32_t index, uint32_t *seen) {
    const VkskinMorphTarget *target = &def->morphTargets[index];
    for (uint32_t i = 0; i < target->vertexCount; i++) {
        uint32_t vertex = sknMorphVertex(target, i);
        if (vertex >= def->vertexCount) {
            return refuseMorphVertex(host, def, index, vertex, "which is past the mesh");
        }
        uint32_t bit = 1u << vertex % 32;
        if ((seen[vertex / 32] & bit) != 0) {
            return refuseMorphVertex(host, def, index, vertex, "which it named before");
        }
        seen[vertex / 32] |= bit;
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult checkMorphDeltas(const Host *host, const VkskinMeshDef *def, uint32_t index) {
    const VkskinMorphTarget *target = &def->morphTargets[index];
    const struct {
        const char *name;
        const float *values;
        uint32_t width;
    } streams[] = {
        {"position", target->positions, def->dimensions},
        {"normal", def->normals != NULL ? target->normals : NULL, 3},
        {"tangent", def->tangents != NULL ? target->tangents : NULL, 3},
    };
    for (size_t s = 0; s < sizeof streams / sizeof streams[0]; s++) {
        size_t count = streams[s].values != NULL ? (size_t)target->vertexCount * streams[s].width : 0;
        for (size_t i = 0; i < count; i++) {
            if (!isfinite(streams[s].values[i])) {
                return sknReport(&host->logger, VKSKIN_ERROR_ATTRIBUTE_NOT_FINITE,
                                 "mesh %s: in morph target %u the %s delta of vertex %u is not finite",
                                 sknMeshName(def), index, streams[s].name,
                                 sknMorphVertex(target, (uint32_t)(i / streams[s].width)));
            }
        }
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult checkMorphTarget(const Host *host, const VkskinMeshDef *def, uint32_t index, uint32_t *seen) {
    const VkskinMorphTarget *target = &def->morphTargets[index];
    if (target->vertexCount > def->vertexCount ||
        (target->vertices == NULL && target->vertexCount != 0 && target->vertexCount != def->vertexCount)) {
        return sknReport(&host->logger, VKSKIN_ERROR_MORPH_OUT_OF_RANGE,
                         "mesh %s: morph target %u moves %u vertices%s, the mesh has %u", sknMeshName(def), index,
                         target->vertexCount, target->vertices == NULL ? " in order" : "", def->vertexCount);
    }
    memset(seen, 0, ((size_t)def->vertexCount + 31) / 32 * sizeof *seen);
    VkskinResult result = checkMorphVertices(host, def, index, seen);
    return result < 0 ? result : checkMorphDeltas(host, def, index);
}

/* Call it after the other fields of the def have been checked. */
static VkskinResult checkMorphs(const Host *host, const VkskinMeshDef *def) {
    if (def->morphTargetCount == 0) {
        return VKSKIN_SUCCESS;
    }
    uint32_t *seen = sknHostAllocate(host->allocator, ((size_t)def->vertexCount + 31) / 32 * sizeof *seen);
    if (seen == NULL) {
        return sknReport(&host->logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "mesh %s: no memory to check morph targets",
                         sknMeshName(def));
    }
    VkskinResult result = VKSKIN_SUCCESS;
    for (uint32_t i = 0; result >= 0 && i < def->morphTargetCount; i++) {
        result = checkMorphTarget(host, def, i, seen);
    }
    sknHostFree(host->allocator, seen);
    return result;
}

static VkskinResult checkPointers(const Host *host, const VkskinMeshDef *def) {
    bool bones = def->boneCount > 0;
    const struct {
        const char *field;
        bool missing;
    } pointers[] = {
        {"positions is null", def->positions == NULL},
        {"joints is null", bones && def->joints == NULL},
        {"weights is null", bones && def->weights == NULL},
        {"tangents need normals", def->tangents != NULL && def->normals == NULL},
        {"morphTargets is null", def->morphTargetCount > 0 && def->morphTargets == NULL},
    };
    for (size_t i = 0; i < sizeof pointers / sizeof pointers[0]; i++) {
        if (pointers[i].missing) {
            return sknReport(&host->logger, VKSKIN_ERROR_NULL_ARGUMENT, "mesh %s: %s", sknMeshName(def),
                             pointers[i].field);
        }
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult checkNumbers(const Host *host, const VkskinMeshDef *def) {
    const struct {
        const char *field;
        uint64_t value, least, most;
    } ranges[] = {
        {"vertexCount", def->vertexCount, 1, UINT32_MAX},
        {"boneCount", def->boneCount, 0, MAX_BONES},
        {"dimensions", def->dimensions, 2, 3},
        {"influencesPerVertex", def->influencesPerVertex, 1, MAX_INFLUENCES},
        {"maxInfluences", def->maxInfluences, 0, MAX_INFLUENCES},
        {"jointFormat", (uint32_t)def->jointFormat, 0, VKSKIN_JOINTS_U32},
        {"weightFormat", (uint32_t)def->weightFormat, 0, VKSKIN_WEIGHTS_UNORM8},
        {"format", (uint32_t)def->format, 0, VKSKIN_VERTEX_FORMAT_COUNT - 1},
        {"normalRule", (uint32_t)def->normalRule, 0, VKSKIN_NORMALS_EXACT},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        if (ranges[i].value < ranges[i].least || ranges[i].value > ranges[i].most) {
            return sknReport(&host->logger, VKSKIN_ERROR_INVALID_VALUE, "mesh %s: %s is %llu, not in %llu to %llu",
                             sknMeshName(def), ranges[i].field, (unsigned long long)ranges[i].value,
                             (unsigned long long)ranges[i].least, (unsigned long long)ranges[i].most);
        }
    }
    if (!(def->minWeight >= 0.0f && def->minWeight <= 0.5f)) {
        return sknReport(&host->logger, VKSKIN_ERROR_INVALID_VALUE, "mesh %s: minWeight is %g, not in 0 to 0.5",
                         sknMeshName(def), (double)def->minWeight);
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult checkTogether(const Host *host, const VkskinMeshDef *def) {
    bool flat = def->dimensions == 2;
    const struct {
        const char *what;
        bool wrong;
    } rules[] = {
        {"it has neither bones nor morph targets", def->boneCount == 0 && def->morphTargetCount == 0},
        {"a flat mesh has no normals", flat && def->normals != NULL},
        {"a flat mesh has no blend weights", flat && def->blendWeights != NULL},
        {"a flat mesh has no centres of rotation", flat && def->centres != NULL},
        {"a mesh without bones has no centres of rotation", def->boneCount == 0 && def->centres != NULL},
        {"unweightedBone is not below boneCount",
         def->boneCount > 0 && def->unweightedBone != VKSKIN_NO_BONE && def->unweightedBone >= def->boneCount},
    };
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        if (rules[i].wrong) {
            return sknReport(&host->logger, VKSKIN_ERROR_INVALID_VALUE, "mesh %s: %s", sknMeshName(def), rules[i].what);
        }
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult checkStrides(const Host *host, const VkskinMeshDef *def) {
    const struct {
        const char *field;
        size_t stride, least;
    } strides[] = {
        {"positionStride", def->positionStride, 4 * (size_t)def->dimensions},
        {"normalStride", def->normalStride, 12},
        {"tangentStride", def->tangentStride, 16},
        {"blendWeightStride", def->blendWeightStride, 4},
    };
    for (size_t i = 0; i < sizeof strides / sizeof strides[0]; i++) {
        size_t stride = strides[i].stride;
        if (stride != 0 && (stride < strides[i].least || stride > MAX_STRIDE || stride % 4 != 0)) {
            return sknReport(&host->logger, VKSKIN_ERROR_INVALID_VALUE,
                             "mesh %s: %s is %zu, not 0 or a multiple of 4 from %zu to %u", sknMeshName(def),
                             strides[i].field, stride, strides[i].least, MAX_STRIDE);
        }
    }
    return VKSKIN_SUCCESS;
}

/* Runs before any vertex is read: a count that wrapped around would exceed the host's arrays. */
static VkskinResult checkCount(const Host *host, const VkskinMeshDef *def, uint64_t mostBytes) {
    uint64_t least = 4 * (uint64_t)def->dimensions * def->vertexCount;
    if (least > mostBytes) {
        return sknReport(&host->logger, VKSKIN_ERROR_MESH_TOO_LARGE,
                         "mesh %s: %u vertices take %llu bytes of source at least, the most is %llu", sknMeshName(def),
                         def->vertexCount, (unsigned long long)least, (unsigned long long)mostBytes);
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult checkFields(const Host *host, const VkskinMeshDef *def, const Surface *surface,
                                uint64_t mostBytes) {
    VkskinResult result = checkPointers(host, def);
    if (result >= 0) {
        result = checkNumbers(host, def);
    }
    if (result >= 0) {
        result = checkTogether(host, def);
    }
    if (result >= 0) {
        result = checkStrides(host, def);
    }
    if (result >= 0 && def->boneCount > 0) {
        result = sknCheckSurfaceFields(surface, SURFACE_INFLUENCES);
    }
    return result < 0 ? result : checkCount(host, def, mostBytes);
}

static bool allFinite(const float *v, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (!isfinite(v[i])) {
            return false;
        }
    }
    return true;
}

static VkskinResult checkAttributes(const Host *host, const VkskinMeshDef *def, uint32_t vertex) {
    const char *what = NULL;
    if (!allFinite(sknMeshPosition(def, vertex), def->dimensions)) {
        what = "position";
    } else if (def->normals != NULL && !allFinite(sknMeshNormal(def, vertex), 3)) {
        what = "normal";
    } else if (def->tangents != NULL && !allFinite(sknMeshTangent(def, vertex), 4)) {
        what = "tangent";
    } else if (def->blendWeights != NULL && !isfinite(sknMeshBlendWeight(def, vertex))) {
        what = "blend weight";
    }
    if (what != NULL) {
        return sknReport(&host->logger, VKSKIN_ERROR_ATTRIBUTE_NOT_FINITE, "mesh %s: the %s of vertex %u is not finite",
                         sknMeshName(def), what, vertex);
    }
    float blend = def->blendWeights != NULL ? sknMeshBlendWeight(def, vertex) : 0.0f;
    if (blend < 0.0f || blend > 1.0f) {
        return sknReport(&host->logger, VKSKIN_ERROR_INVALID_VALUE,
                         "mesh %s: the blend weight of vertex %u is %g, not in 0 to 1", sknMeshName(def), vertex,
                         (double)blend);
    }
    return VKSKIN_SUCCESS;
}

static bool isUnweighted(const Surface *surface, uint32_t vertex) {
    Influence influences[MAX_INFLUENCES];
    sknSurfaceInfluences(surface, vertex, influences);
    for (uint32_t i = 0; i < surface->mesh->influencesPerVertex; i++) {
        if (influences[i].weight > 0.0f) {
            return false;
        }
    }
    return true;
}

static VkskinResult checkVertex(const Host *host, const VkskinMeshDef *def, const Surface *surface, uint32_t vertex) {
    VkskinResult result = checkAttributes(host, def, vertex);
    if (result >= 0 && def->boneCount > 0) {
        result = sknCheckSurfaceVertex(surface, SURFACE_INFLUENCES, vertex);
    }
    if (result >= 0 && def->boneCount > 0 && def->unweightedBone == VKSKIN_NO_BONE && isUnweighted(surface, vertex)) {
        return sknReport(&host->logger, VKSKIN_ERROR_WEIGHT_ZERO, "mesh %s: all weights of vertex %u are zero",
                         sknMeshName(def), vertex);
    }
    return result;
}

VkskinResult sknCheckMeshDef(const Host *host, const VkskinMeshDef *def, uint64_t mostBytes) {
    if (def->cookie != VKSKIN_COOKIE_MESH) {
        return sknReport(&host->logger, VKSKIN_ERROR_DEF_NOT_INITIALISED,
                         "mesh: the def was not made by vkskinDefaultMeshDef");
    }
    Surface surface = sknMeshSurface(def, &host->logger);
    VkskinResult result = checkFields(host, def, &surface, mostBytes);
    for (uint32_t vertex = 0; result >= 0 && vertex < def->vertexCount; vertex++) {
        result = checkVertex(host, def, &surface, vertex);
    }
    if (result >= 0 && def->centres != NULL) {
        result = sknMatchCentres(&surface, def->centres, def->centresSize);
    }
    return result < 0 ? result : checkMorphs(host, def);
}
