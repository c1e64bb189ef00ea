#include "surface.h"

#include "cookie.h"
#include "diagnostics.h"
#include "host_memory.h"

#include <math.h>
#include <string.h>

VkskinSurfaceDef vkskinDefaultSurfaceDef(void) {
    return (VkskinSurfaceDef){
        .cookie = VKSKIN_COOKIE_SURFACE, .influencesPerVertex = 4, .jointFormat = VKSKIN_JOINTS_U16};
}

const char *sknSurfaceName(const VkskinSurfaceDef *surface) {
    return surface->name != NULL ? surface->name : "unnamed";
}

const void *sknStreamAt(const void *stream, size_t stride, size_t tight, uint32_t vertex) {
    return (const unsigned char *)stream + (stride != 0 ? stride : tight) * vertex;
}

const float *sknSurfacePosition(const VkskinSurfaceDef *surface, uint32_t vertex) {
    return sknStreamAt(surface->positions, surface->positionStride, 3 * sizeof(float), vertex);
}

uint32_t sknSurfaceMaterial(const VkskinSurfaceDef *surface, uint32_t triangle) {
    return surface->materials != NULL ? surface->materials[triangle] : 0;
}

static size_t jointSize(VkskinJointFormat format) {
    return format == VKSKIN_JOINTS_U8 ? 1 : format == VKSKIN_JOINTS_U16 ? 2 : 4;
}

static uint32_t readJoint(VkskinJointFormat format, const unsigned char *joints, uint32_t index) {
    uint16_t narrow;
    uint32_t wide;
    switch (format) {
    case VKSKIN_JOINTS_U8:
        return joints[index];
    case VKSKIN_JOINTS_U16:
        memcpy(&narrow, joints + sizeof narrow * index, sizeof narrow);
        return narrow;
    default:
        memcpy(&wide, joints + sizeof wide * index, sizeof wide);
        return wide;
    }
}

void sknSurfaceInfluences(const VkskinSurfaceDef *surface, uint32_t vertex, Influence *influences) {
    uint32_t count = surface->influencesPerVertex;
    VkskinJointFormat format = surface->jointFormat;
    const unsigned char *joints = sknStreamAt(surface->joints, surface->jointStride, count * jointSize(format), vertex);
    const float *weights = sknStreamAt(surface->weights, surface->weightStride, count * sizeof(float), vertex);
    for (uint32_t i = 0; i < count; i++) {
        influences[i] = (Influence){.joint = readJoint(format, joints, i), .weight = weights[i]};
    }
}

static VkskinResult checkPointers(const VkskinSurfaceDef *surface, uint32_t parts) {
    struct {
        const char *field;
        const void *pointer;
        uint32_t part;
    } needed[] = {
        {"positions", surface->positions, SURFACE_POSITIONS},
        {"joints", surface->joints, SURFACE_INFLUENCES},
        {"weights", surface->weights, SURFACE_INFLUENCES},
        {"indices", surface->indices, SURFACE_TRIANGLES},
    };
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        if ((parts & needed[i].part) != 0 && needed[i].pointer == NULL) {
            return sknReport(&surface->logger, VKSKIN_ERROR_NULL_ARGUMENT, "mesh %s: %s is null",
                             sknSurfaceName(surface), needed[i].field);
        }
    }
    if (!sknHostAllocatorIsComplete(surface->allocator)) {
        return sknReport(&surface->logger, VKSKIN_ERROR_NULL_ARGUMENT, "mesh %s: the host allocator lacks a function",
                         sknSurfaceName(surface));
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult checkNumbers(const VkskinSurfaceDef *surface, uint32_t parts) {
    struct {
        const char *field;
        uint32_t value, least, most, part;
    } ranges[] = {
        {"vertexCount", surface->vertexCount, 1, UINT32_MAX, ~0u},
        {"boneCount", surface->boneCount, 1, MAX_BONES, SURFACE_INFLUENCES},
        {"influencesPerVertex", surface->influencesPerVertex, 1, MAX_INFLUENCES, SURFACE_INFLUENCES},
        {"jointFormat", (uint32_t)surface->jointFormat, 0, VKSKIN_JOINTS_U32, SURFACE_INFLUENCES},
        {"indexCount", surface->indexCount, 3, UINT32_MAX, SURFACE_TRIANGLES},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        bool inRange = ranges[i].value >= ranges[i].least && ranges[i].value <= ranges[i].most;
        if ((parts & ranges[i].part) != 0 && !inRange) {
            return sknReport(&surface->logger, VKSKIN_ERROR_INVALID_VALUE, "mesh %s: %s is %u, not in %u to %u",
                             sknSurfaceName(surface), ranges[i].field, ranges[i].value, ranges[i].least,
                             ranges[i].most);
        }
    }
    if ((parts & SURFACE_TRIANGLES) != 0 && surface->indexCount % 3 != 0) {
        return sknReport(&surface->logger, VKSKIN_ERROR_INVALID_VALUE, "mesh %s: indexCount is %u, no multiple of 3",
                         sknSurfaceName(surface), surface->indexCount);
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult checkStrides(const VkskinSurfaceDef *surface, uint32_t parts) {
    size_t count = surface->influencesPerVertex;
    struct {
        const char *field;
        size_t stride, least, multiple;
        uint32_t part;
    } strides[] = {
        {"positionStride", surface->positionStride, 12, 4, SURFACE_POSITIONS},
        {"jointStride", surface->jointStride, count * jointSize(surface->jointFormat), 1, SURFACE_INFLUENCES},
        {"weightStride", surface->weightStride, count * 4, 4, SURFACE_INFLUENCES},
    };
    for (size_t i = 0; i < sizeof strides / sizeof strides[0]; i++) {
        bool tight = strides[i].stride == 0;
        bool inRange = strides[i].stride >= strides[i].least && strides[i].stride <= MAX_STRIDE;
        bool fits = tight || (inRange && strides[i].stride % strides[i].multiple == 0);
        if ((parts & strides[i].part) != 0 && !fits) {
            return sknReport(&surface->logger, VKSKIN_ERROR_INVALID_VALUE,
                             "mesh %s: %s is %zu, not 0 or a multiple of %zu from %zu to %u", sknSurfaceName(surface),
                             strides[i].field, strides[i].stride, strides[i].multiple, strides[i].least, MAX_STRIDE);
        }
    }
    return VKSKIN_SUCCESS;
}

VkskinResult sknCheckSurfaceFields(const VkskinSurfaceDef *surface, uint32_t parts) {
    if (surface == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    if (surface->cookie != VKSKIN_COOKIE_SURFACE) {
        return VKSKIN_ERROR_DEF_NOT_INITIALISED;
    }
    VkskinResult result = checkPointers(surface, parts);
    if (result == VKSKIN_SUCCESS) {
        result = checkNumbers(surface, parts);
    }
    return result == VKSKIN_SUCCESS ? checkStrides(surface, parts) : result;
}

static VkskinResult checkPosition(const VkskinSurfaceDef *surface, uint32_t vertex) {
    const float *position = sknSurfacePosition(surface, vertex);
    if (isfinite(position[0]) && isfinite(position[1]) && isfinite(position[2])) {
        return VKSKIN_SUCCESS;
    }
    return sknReport(&surface->logger, VKSKIN_ERROR_ATTRIBUTE_NOT_FINITE,
                     "mesh %s: the position of vertex %u is not finite", sknSurfaceName(surface), vertex);
}

static VkskinResult checkInfluences(const VkskinSurfaceDef *surface, uint32_t vertex) {
    const char *name = sknSurfaceName(surface);
    Influence influences[MAX_INFLUENCES];
    sknSurfaceInfluences(surface, vertex, influences);
    for (uint32_t i = 0; i < surface->influencesPerVertex; i++) {
        float weight = influences[i].weight;
        if (!isfinite(weight) || weight < 0.0f) {
            VkskinResult wrong = isfinite(weight) ? VKSKIN_ERROR_WEIGHT_NEGATIVE : VKSKIN_ERROR_WEIGHT_NOT_FINITE;
            return sknReport(&surface->logger, wrong, "mesh %s: weight %u of vertex %u is %g", name, i, vertex,
                             (double)weight);
        }
        if (weight > 0.0f && influences[i].joint >= surface->boneCount) {
            return sknReport(&surface->logger, VKSKIN_ERROR_JOINT_OUT_OF_RANGE,
                             "mesh %s: joint %u of vertex %u is %u, the mesh has %u bones", name, i, vertex,
                             influences[i].joint, surface->boneCount);
        }
    }
    return VKSKIN_SUCCESS;
}

VkskinResult sknCheckSurfaceVertex(const VkskinSurfaceDef *surface, uint32_t parts, uint32_t vertex) {
    VkskinResult result = VKSKIN_SUCCESS;
    if ((parts & SURFACE_POSITIONS) != 0) {
        result = checkPosition(surface, vertex);
    }
    if (result == VKSKIN_SUCCESS && (parts & SURFACE_INFLUENCES) != 0) {
        result = checkInfluences(surface, vertex);
    }
    return result;
}

static VkskinResult checkTriangles(const VkskinSurfaceDef *surface) {
    for (uint32_t i = 0; i < surface->indexCount; i++) {
        if (surface->indices[i] >= surface->vertexCount) {
            return sknReport(&surface->logger, VKSKIN_ERROR_INDEX_OUT_OF_RANGE,
                             "mesh %s: triangle %u has vertex %u of %u", sknSurfaceName(surface), i / 3,
                             surface->indices[i], surface->vertexCount);
        }
    }
    return VKSKIN_SUCCESS;
}

VkskinResult sknCheckSurface(const VkskinSurfaceDef *surface, uint32_t parts) {
    VkskinResult result = sknCheckSurfaceFields(surface, parts);
    for (uint32_t vertex = 0; result == VKSKIN_SUCCESS && vertex < surface->vertexCount; vertex++) {
        result = sknCheckSurfaceVertex(surface, parts, vertex);
    }
    if (result == VKSKIN_SUCCESS && (parts & SURFACE_TRIANGLES) != 0) {
        result = checkTriangles(surface);
    }
    return result;
}
