#include "mesh_check.h"

#include "centres.h"
#include "cookie.h"
#include "mesh_def.h"
#include "morph_check.h"
#include "surface.h"

#include <math.h>

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

/* Before any vertex is looked at: a count that wrapped would lead far past the host's arrays. */
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
    return result < 0 ? result : sknCheckMorphs(host, def);
}
