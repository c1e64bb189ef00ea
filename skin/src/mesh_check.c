#include "mesh_check.h"

#include "cookie.h"

#include <math.h>
#include <string.h>

#define MAX_BONES  65536u
#define MAX_STRIDE 65536u /* beyond every vertex of a host's; a stride that wrapped is far above */
/* What a vertex takes on the device at least: its position and the word of its first joint. */
#define LEAST_SOURCE_BYTES 16u

const char *sknMeshName(const VkskinMeshDef *def) {
    return def->name != NULL ? def->name : "unnamed";
}

static const void *at(const void *data, size_t stride, size_t tight, uint32_t vertex) {
    return (const unsigned char *)data + (stride != 0 ? stride : tight) * vertex;
}

const float *sknMeshPosition(const VkskinMeshDef *def, uint32_t vertex) {
    return at(def->positions, def->positionStride, 3 * sizeof(float), vertex);
}

const float *sknMeshNormal(const VkskinMeshDef *def, uint32_t vertex) {
    return at(def->normals, def->normalStride, 3 * sizeof(float), vertex);
}

const float *sknMeshTangent(const VkskinMeshDef *def, uint32_t vertex) {
    return at(def->tangents, def->tangentStride, 4 * sizeof(float), vertex);
}

static size_t jointSize(VkskinJointFormat format) {
    return format == VKSKIN_JOINTS_U8 ? 1 : format == VKSKIN_JOINTS_U16 ? 2 : 4;
}

static uint32_t readJoint(const VkskinMeshDef *def, const unsigned char *joints, uint32_t index) {
    size_t size = jointSize(def->jointFormat);
    uint16_t narrow;
    uint32_t wide;
    switch (size) {
    case 1:
        return joints[index];
    case 2:
        memcpy(&narrow, joints + 2 * (size_t)index, sizeof narrow);
        return narrow;
    default:
        memcpy(&wide, joints + 4 * (size_t)index, sizeof wide);
        return wide;
    }
}

void sknMeshInfluences(const VkskinMeshDef *def, uint32_t vertex, Influence *influences) {
    uint32_t count = def->influencesPerVertex;
    const unsigned char *joints = at(def->joints, def->jointStride, count * jointSize(def->jointFormat), vertex);
    const float *weights = at(def->weights, def->weightStride, count * sizeof(float), vertex);
    for (uint32_t i = 0; i < count; i++) {
        influences[i] = (Influence){readJoint(def, joints, i), weights[i]};
    }
}

static VkskinResult checkFields(const Gpu *gpu, const VkskinMeshDef *def) {
    const char *name = sknMeshName(def);
    if (def->positions == NULL || def->joints == NULL || def->weights == NULL) {
        const char *what = def->positions == NULL ? "positions" : def->joints == NULL ? "joints" : "weights";
        return sknReport(&gpu->logger, VKSKIN_ERROR_NULL_ARGUMENT, "mesh %s: %s is null", name, what);
    }
    if (def->tangents != NULL && def->normals == NULL) {
        return sknReport(&gpu->logger, VKSKIN_ERROR_NULL_ARGUMENT, "mesh %s: tangents need normals", name);
    }
    struct {
        const char *field;
        uint64_t value, least, most;
    } ranges[] = {
        {"vertexCount", def->vertexCount, 1, UINT32_MAX},
        {"boneCount", def->boneCount, 1, MAX_BONES},
        {"influencesPerVertex", def->influencesPerVertex, 1, MAX_INFLUENCES_IN},
        {"maxInfluences", def->maxInfluences, 1, MAX_KERNEL_INFLUENCES},
        {"jointFormat", (uint32_t)def->jointFormat, 0, VKSKIN_JOINTS_U32},
        {"format", (uint32_t)def->format, 0, VKSKIN_VERTEX_FORMAT_COUNT - 1},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        if (ranges[i].value < ranges[i].least || ranges[i].value > ranges[i].most) {
            return sknReport(&gpu->logger, VKSKIN_ERROR_INVALID_VALUE, "mesh %s: %s is %llu, not in %llu to %llu", name,
                             ranges[i].field, (unsigned long long)ranges[i].value, (unsigned long long)ranges[i].least,
                             (unsigned long long)ranges[i].most);
        }
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult checkStrides(const Gpu *gpu, const VkskinMeshDef *def) {
    size_t count = def->influencesPerVertex;
    struct {
        const char *field;
        size_t stride, least, multiple;
    } strides[] = {
        {"positionStride", def->positionStride, 12, 4},
        {"normalStride", def->normalStride, 12, 4},
        {"tangentStride", def->tangentStride, 16, 4},
        {"jointStride", def->jointStride, count * jointSize(def->jointFormat), 1},
        {"weightStride", def->weightStride, count * 4, 4},
    };
    for (size_t i = 0; i < sizeof strides / sizeof strides[0]; i++) {
        bool tight = strides[i].stride == 0;
        bool inRange = strides[i].stride >= strides[i].least && strides[i].stride <= MAX_STRIDE;
        if (!tight && (!inRange || strides[i].stride % strides[i].multiple != 0)) {
            return sknReport(&gpu->logger, VKSKIN_ERROR_INVALID_VALUE,
                             "mesh %s: %s is %zu, not 0 or a multiple of %zu from %zu to %u", sknMeshName(def),
                             strides[i].field, strides[i].stride, strides[i].multiple, strides[i].least, MAX_STRIDE);
        }
    }
    return VKSKIN_SUCCESS;
}

/* Before any vertex is looked at: a count that wrapped would lead far past the host's arrays. */
static VkskinResult checkCount(const Gpu *gpu, const VkskinMeshDef *def) {
    uint64_t least = (uint64_t)LEAST_SOURCE_BYTES * def->vertexCount;
    if (least > gpu->limits.maxStorageBufferRange) {
        return sknReport(&gpu->logger, VKSKIN_ERROR_MESH_TOO_LARGE,
                         "mesh %s: %u vertices take %llu bytes of source at least, the device binds %llu",
                         sknMeshName(def), def->vertexCount, (unsigned long long)least,
                         (unsigned long long)gpu->limits.maxStorageBufferRange);
    }
    return VKSKIN_SUCCESS;
}

static bool allFinite(const float *v, int count) {
    for (int i = 0; i < count; i++) {
        if (!isfinite(v[i])) {
            return false;
        }
    }
    return true;
}

static VkskinResult checkAttributes(const Gpu *gpu, const VkskinMeshDef *def, uint32_t vertex) {
    const char *what = NULL;
    if (!allFinite(sknMeshPosition(def, vertex), 3)) {
        what = "position";
    } else if (def->normals != NULL && !allFinite(sknMeshNormal(def, vertex), 3)) {
        what = "normal";
    } else if (def->tangents != NULL && !allFinite(sknMeshTangent(def, vertex), 4)) {
        what = "tangent";
    }
    if (what == NULL) {
        return VKSKIN_SUCCESS;
    }
    return sknReport(&gpu->logger, VKSKIN_ERROR_ATTRIBUTE_NOT_FINITE, "mesh %s: the %s of vertex %u is not finite",
                     sknMeshName(def), what, vertex);
}

static VkskinResult checkInfluences(const Gpu *gpu, const VkskinMeshDef *def, uint32_t vertex) {
    Influence influences[MAX_INFLUENCES_IN];
    sknMeshInfluences(def, vertex, influences);
    double sum = 0.0;
    for (uint32_t i = 0; i < def->influencesPerVertex; i++) {
        float weight = influences[i].weight;
        if (!isfinite(weight) || weight < 0.0f) {
            VkskinResult wrong = isfinite(weight) ? VKSKIN_ERROR_WEIGHT_NEGATIVE : VKSKIN_ERROR_WEIGHT_NOT_FINITE;
            return sknReport(&gpu->logger, wrong, "mesh %s: weight %u of vertex %u is %g", sknMeshName(def), i, vertex,
                             (double)weight);
        }
        if (weight > 0.0f && influences[i].joint >= def->boneCount) {
            return sknReport(&gpu->logger, VKSKIN_ERROR_JOINT_OUT_OF_RANGE,
                             "mesh %s: joint %u of vertex %u is %u, the mesh has %u bones", sknMeshName(def), i, vertex,
                             influences[i].joint, def->boneCount);
        }
        sum += weight;
    }
    if (sum <= 0.0) {
        return sknReport(&gpu->logger, VKSKIN_ERROR_WEIGHT_ZERO, "mesh %s: all weights of vertex %u are zero",
                         sknMeshName(def), vertex);
    }
    return VKSKIN_SUCCESS;
}

VkskinResult sknCheckMeshDef(const Gpu *gpu, const VkskinMeshDef *def) {
    if (def->cookie != VKSKIN_COOKIE_MESH) {
        return sknReport(&gpu->logger, VKSKIN_ERROR_DEF_NOT_INITIALISED,
                         "vkskinCreateMesh: the def was not made by vkskinDefaultMeshDef");
    }
    VkskinResult result = checkFields(gpu, def);
    if (result >= 0) {
        result = checkStrides(gpu, def);
    }
    if (result >= 0) {
        result = checkCount(gpu, def);
    }
    for (uint32_t vertex = 0; result >= 0 && vertex < def->vertexCount; vertex++) {
        result = checkAttributes(gpu, def, vertex);
        if (result >= 0) {
            result = checkInfluences(gpu, def, vertex);
        }
    }
    return result;
}
