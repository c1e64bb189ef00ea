#include "mesh_def.h"

#include "centres.h"
#include "cookie.h"
#include "output_layout.h"

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

const float *sknInfluencePosition(const VkskinMeshDef *def, uint32_t vertex, uint32_t place) {
    const size_t tight = 2 * sizeof(float) * def->influencesPerVertex;
    return (const float *)sknStreamAt(def->influencePositions, def->influencePositionStride, tight, vertex) +
           2 * (size_t)place;
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

bool sknMovesInfluences(const VkskinMeshDef *def, const VkskinMorphTarget *target) {
    return def->influencePositions != NULL && !target->afterSkinning;
}

/* Floats of a position delta of the target: one vector, or one per influence of the def. */
static uint32_t morphWidth(const VkskinMeshDef *def, const VkskinMorphTarget *target) {
    return sknMovesInfluences(def, target) ? 2 * def->influencesPerVertex : def->dimensions;
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

/* With influencePositions: replaces joints by their places, so that these are known after sorting. */
static void nameByPlace(const VkskinMeshDef *def, Influence *influences, uint32_t *joints) {
    for (uint32_t i = 0; def->influencePositions != NULL && i < def->influencesPerVertex; i++) {
        joints[i] = influences[i].joint;
        influences[i].joint = i;
    }
}

void sknMeshVertex(const VkskinMeshDef *def, const Surface *surface, uint32_t vertex, VertexInfluences *influences) {
    influences->count = 0;
    influences->trimmed = (KeptInfluences){0};
    influences->moved = 0.0;
    if (def->boneCount == 0) {
        return;
    }
    sknSurfaceInfluences(surface, vertex, influences->kept);
    uint32_t joints[MAX_INFLUENCES];
    nameByPlace(def, influences->kept, joints);
    influences->trimmed =
        sknKeepInfluences(influences->kept, def->influencesPerVertex, def->maxInfluences, def->minWeight);
    influences->count = influences->trimmed.count;
    influences->moved = influences->trimmed.droppedWeight;
    if (influences->count == 0) {
        influences->count = 1;
        influences->kept[0] = (Influence){def->unweightedBone, 1.0f};
        influences->places[0] = 0;
    } else if (def->influencePositions != NULL) {
        for (uint32_t i = 0; i < influences->count; i++) {
            influences->places[i] = influences->kept[i].joint;
            influences->kept[i].joint = joints[influences->places[i]];
        }
    }
    if (def->weightFormat != VKSKIN_WEIGHTS_FLOAT) {
        influences->moved = roundWeights(influences, sknWeightUnits(def->weightFormat));
    }
}

static VkskinResult refuseMorphVertex(const Host *host, const VkskinMeshDef *def, uint32_t target, uint32_t vertex,
                                      const char *what) {
    return sknReport(&host->logger, VKSKIN_ERROR_MORPH_OUT_OF_RANGE,
                     "%s%s: morph target %u names vertex %u, %s; the mesh has %u", SKN_MESH_LABEL(def), target, vertex,
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
        {"position", target->positions, morphWidth(def, target)},
        {"normal", def->normals != NULL ? target->normals : NULL, 3},
        {"tangent", def->tangents != NULL ? target->tangents : NULL, 3},
    };
    for (size_t s = 0; s < SKN_COUNT(streams); s++) {
        size_t count = streams[s].values != NULL ? (size_t)target->vertexCount * streams[s].width : 0;
        for (size_t i = 0; i < count; i++) {
            if (!isfinite(streams[s].values[i])) {
                return sknReport(&host->logger, VKSKIN_ERROR_ATTRIBUTE_NOT_FINITE,
                                 "%s%s: in morph target %u the %s delta of vertex %u is not finite",
                                 SKN_MESH_LABEL(def), index, streams[s].name,
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
                         "%s%s: morph target %u moves %u vertices%s, the mesh has %u", SKN_MESH_LABEL(def), index,
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
        return sknReport(&host->logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "%s%s: no memory to check morph targets",
                         SKN_MESH_LABEL(def));
    }
    VkskinResult result = VKSKIN_SUCCESS;
    for (uint32_t i = 0; result >= 0 && i < def->morphTargetCount; i++) {
        result = checkMorphTarget(host, def, i, seen);
    }
    sknHostFree(host->allocator, seen);
    return result;
}

static VkskinResult checkPointers(const Subject *subject, const VkskinMeshDef *def) {
    const VkskinResult null = VKSKIN_ERROR_NULL_ARGUMENT;
    bool bones = def->boneCount > 0;
    const Rule rules[] = {
        {def->positions == NULL && def->influencePositions == NULL, null, "positions is null"},
        {bones && def->joints == NULL, null, "joints is null"},
        {bones && def->weights == NULL, null, "weights is null"},
        {def->tangents != NULL && def->normals == NULL, null, "tangents need normals"},
        {def->morphTargetCount > 0 && def->morphTargets == NULL, null, "morphTargets is null"},
    };
    return sknCheckRules(subject, rules, SKN_COUNT(rules));
}

static VkskinResult checkNumbers(const Subject *subject, const VkskinMeshDef *def) {
    const Range ranges[] = {
        {"vertexCount", def->vertexCount, 1, UINT32_MAX},
        {"boneCount", def->boneCount, 0, MAX_MESH_BONES},
        {"dimensions", def->dimensions, 2, 3},
        {"influencesPerVertex", def->influencesPerVertex, 1, MAX_INFLUENCES},
        {"maxInfluences", def->maxInfluences, 0, MAX_INFLUENCES},
        {"jointFormat", (uint32_t)def->jointFormat, 0, VKSKIN_JOINTS_U32},
        {"weightFormat", (uint32_t)def->weightFormat, 0, VKSKIN_WEIGHTS_UNORM8},
        {"format", (uint32_t)def->format, 0, VKSKIN_VERTEX_FORMAT_COUNT - 1},
        {"normalRule", (uint32_t)def->normalRule, 0, VKSKIN_NORMALS_EXACT},
    };
    VkskinResult result = sknCheckRanges(subject, ranges, SKN_COUNT(ranges));
    return result < 0 ? result : sknCheckMinWeight(subject, def);
}

static VkskinResult checkTogether(const Subject *subject, const VkskinMeshDef *def) {
    const VkskinResult invalid = VKSKIN_ERROR_INVALID_VALUE;
    bool flat = def->dimensions == 2;
    bool bones = def->boneCount > 0;
    bool each = def->influencePositions != NULL;
    bool spare = bones && def->unweightedBone != VKSKIN_NO_BONE;
    const Rule rules[] = {
        {!bones && def->morphTargetCount == 0, invalid, "it has neither bones nor morph targets"},
        {flat && def->normals != NULL, invalid, "a flat mesh has no normals"},
        {flat && def->blendWeights != NULL, invalid, "a flat mesh has no blend weights"},
        {flat && def->centres != NULL, invalid, "a flat mesh has no centres of rotation"},
        {each && (!flat || !bones), invalid, "influencePositions need a flat mesh with bones"},
        {each && def->vertices != NULL, invalid, "influencePositions and vertices are both set"},
        {!bones && def->centres != NULL, invalid, "a mesh without bones has no centres of rotation"},
        {def->layout == NULL && def->passThrough != NULL, invalid, "passThrough is set, layout is null"},
        {spare && def->unweightedBone >= def->boneCount, invalid, "unweightedBone is not below boneCount"},
    };
    return sknCheckRules(subject, rules, SKN_COUNT(rules));
}

static VkskinResult checkPassThrough(const Subject *subject, const VkskinMeshDef *def) {
    uint32_t count = def->layout->passThroughCount;
    if (count > 0 && def->passThrough == NULL) {
        return sknReport(subject->logger, VKSKIN_ERROR_NULL_ARGUMENT, "%s%s: passThrough is null", subject->kind,
                         subject->name);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (def->passThrough[i].data == NULL) {
            return sknReport(subject->logger, VKSKIN_ERROR_NULL_ARGUMENT, "%s%s: passThrough[%u].data is null",
                             subject->kind, subject->name, i);
        }
    }
    return VKSKIN_SUCCESS;
}

/* Runs before any vertex is read: a count that wrapped around would exceed the host's arrays. */
static VkskinResult checkCount(const Host *host, const VkskinMeshDef *def, uint64_t mostBytes) {
    uint64_t least = 4 * (uint64_t)def->dimensions * def->vertexCount;
    if (least > mostBytes) {
        return sknReport(&host->logger, VKSKIN_ERROR_MESH_TOO_LARGE,
                         "%s%s: %u vertices take %llu bytes of source at least, the most is %llu", SKN_MESH_LABEL(def),
                         def->vertexCount, (unsigned long long)least, (unsigned long long)mostBytes);
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult checkFields(const Host *host, const VkskinMeshDef *def, const Surface *surface,
                                uint64_t mostBytes) {
    const Subject subject = {&host->logger, SKN_MESH_LABEL(def)};
    VkskinResult result = checkPointers(&subject, def);
    if (result >= 0) {
        result = checkNumbers(&subject, def);
    }
    if (result >= 0) {
        result = checkTogether(&subject, def);
    }
    if (result >= 0) {
        result = checkCount(host, def, mostBytes);
    }
    const OutputShape shape = sknOutputShape(def);
    if (result >= 0 && def->layout != NULL) {
        result = sknCheckLayout(&subject, &shape, def->layout);
        result = result < 0 ? result : checkPassThrough(&subject, def);
    }
    if (result >= 0 && def->boneCount > 0) {
        result = sknCheckSurfaceFields(surface, SURFACE_INFLUENCES);
    }
    return result < 0 ? result
                      : sknCheckStreams(surface, SURFACE_ATTRIBUTES | (def->boneCount > 0 ? SURFACE_INFLUENCES : 0));
}

static bool allFinite(const float *v, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (!isfinite(v[i])) {
            return false;
        }
    }
    return true;
}

static bool positionIsFinite(const VkskinMeshDef *def, uint32_t vertex) {
    return def->influencePositions != NULL
               ? allFinite(sknInfluencePosition(def, vertex, 0), 2 * def->influencesPerVertex)
               : allFinite(sknMeshPosition(def, vertex), def->dimensions);
}

static VkskinResult checkAttributes(const Host *host, const VkskinMeshDef *def, uint32_t vertex) {
    const char *what = NULL;
    if (!positionIsFinite(def, vertex)) {
        what = "position";
    } else if (def->normals != NULL && !allFinite(sknMeshNormal(def, vertex), 3)) {
        what = "normal";
    } else if (def->tangents != NULL && !allFinite(sknMeshTangent(def, vertex), 4)) {
        what = "tangent";
    } else if (def->blendWeights != NULL && !isfinite(sknMeshBlendWeight(def, vertex))) {
        what = "blend weight";
    }
    if (what != NULL) {
        return sknReport(&host->logger, VKSKIN_ERROR_ATTRIBUTE_NOT_FINITE, "%s%s: the %s of vertex %u is not finite",
                         SKN_MESH_LABEL(def), what, vertex);
    }
    float blend = def->blendWeights != NULL ? sknMeshBlendWeight(def, vertex) : 0.0f;
    if (blend < 0.0f || blend > 1.0f) {
        return sknReport(&host->logger, VKSKIN_ERROR_INVALID_VALUE,
                         "%s%s: the blend weight of vertex %u is %g, not in 0 to 1", SKN_MESH_LABEL(def), vertex,
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
        return sknReport(&host->logger, VKSKIN_ERROR_WEIGHT_ZERO,
                         "%s%s: all weights of vertex %u are zero (read as %u floats per vertex, weightStride is %zu)",
                         SKN_MESH_LABEL(def), vertex, def->influencesPerVertex, def->weightStride);
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
