#include "surface.h"

#include "cookie.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

Surface sknSurface(const VkskinMeshDef *mesh, const VkskinPrepareRun *run) {
    return (Surface){.mesh = mesh, .run = run != NULL ? *run : (VkskinPrepareRun){0}};
}

const char *sknMeshKind(const VkskinMeshDef *mesh) {
    return mesh->name != NULL ? "mesh " : "unnamed mesh";
}

const char *sknMeshName(const VkskinMeshDef *mesh) {
    return mesh->name != NULL ? mesh->name : "";
}

static bool startsInside(const VkskinMeshDef *mesh, const void *stream) {
    const uintptr_t first = (uintptr_t)mesh->vertices;
    return (uintptr_t)stream >= first && (uintptr_t)stream - first < mesh->vertexStride;
}

const VkskinMeshDef *sknWithStrides(const VkskinMeshDef *mesh, VkskinMeshDef *own) {
    if (mesh == NULL || mesh->cookie != VKSKIN_COOKIE_MESH || mesh->vertices == NULL) {
        return mesh;
    }
    *own = *mesh;
    const struct {
        const void *stream;
        size_t *stride;
    } streams[] = {
        {mesh->positions, &own->positionStride}, {mesh->normals, &own->normalStride},
        {mesh->tangents, &own->tangentStride},   {mesh->joints, &own->jointStride},
        {mesh->weights, &own->weightStride},     {mesh->blendWeights, &own->blendWeightStride},
    };
    for (size_t i = 0; i < SKN_COUNT(streams); i++) {
        if (*streams[i].stride == 0 && startsInside(mesh, streams[i].stream)) {
            *streams[i].stride = mesh->vertexStride;
        }
    }
    return own;
}

const void *sknStreamAt(const void *stream, size_t stride, size_t tight, uint32_t vertex) {
    return (const unsigned char *)stream + (stride != 0 ? stride : tight) * vertex;
}

const float *sknSurfacePosition(const Surface *surface, uint32_t vertex) {
    return sknStreamAt(surface->mesh->positions, surface->mesh->positionStride, 3 * sizeof(float), vertex);
}

uint32_t sknSurfaceMaterial(const Surface *surface, uint32_t triangle) {
    return surface->mesh->materials != NULL ? surface->mesh->materials[triangle] : 0;
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

void sknSurfaceInfluences(const Surface *surface, uint32_t vertex, Influence *influences) {
    uint32_t count = surface->mesh->influencesPerVertex;
    VkskinJointFormat format = surface->mesh->jointFormat;
    const unsigned char *joints =
        sknStreamAt(surface->mesh->joints, surface->mesh->jointStride, count * jointSize(format), vertex);
    const float *weights =
        sknStreamAt(surface->mesh->weights, surface->mesh->weightStride, count * sizeof(float), vertex);
    for (uint32_t i = 0; i < count; i++) {
        influences[i] = (Influence){.joint = readJoint(format, joints, i), .weight = weights[i]};
    }
}

VkskinResult sknCheckMinWeight(const Subject *subject, const VkskinMeshDef *mesh) {
    if (mesh->minWeight >= 0.0f && mesh->minWeight <= 0.5f) { /* not NaN */
        return VKSKIN_SUCCESS;
    }
    return sknReport(subject->logger, VKSKIN_ERROR_INVALID_VALUE, "%s%s: minWeight is %g, not in 0 to 0.5",
                     subject->kind, subject->name, (double)mesh->minWeight);
}

static Subject subjectOf(const Surface *surface) {
    return (Subject){&surface->run.logger, SKN_MESH_LABEL(surface->mesh)};
}

static VkskinResult checkPointers(const Surface *surface, uint32_t parts) {
    const VkskinResult null = VKSKIN_ERROR_NULL_ARGUMENT;
    const VkskinMeshDef *mesh = surface->mesh;
    const Subject subject = subjectOf(surface);
    const Rule rules[] = {
        {(parts & SURFACE_POSITIONS) != 0 && mesh->positions == NULL, null, "positions is null"},
        {(parts & SURFACE_INFLUENCES) != 0 && mesh->joints == NULL, null, "joints is null"},
        {(parts & SURFACE_INFLUENCES) != 0 && mesh->weights == NULL, null, "weights is null"},
        {(parts & SURFACE_TRIANGLES) != 0 && mesh->indices == NULL, null, "indices is null"},
        {!sknHostAllocatorIsComplete(surface->run.allocator), null, "the host allocator lacks a function"},
    };
    return sknCheckRules(&subject, rules, SKN_COUNT(rules));
}

static VkskinResult checkNumbers(const Surface *surface, uint32_t parts) {
    const VkskinMeshDef *mesh = surface->mesh;
    const Subject subject = subjectOf(surface);
    const bool influences = (parts & SURFACE_INFLUENCES) != 0;
    const bool triangles = (parts & SURFACE_TRIANGLES) != 0;
    const Range ranges[] = {
        {"vertexCount", mesh->vertexCount, 1, UINT32_MAX},
        {"boneCount", influences ? mesh->boneCount : 1, 1, MAX_MESH_BONES},
        {"influencesPerVertex", influences ? mesh->influencesPerVertex : 1, 1, MAX_INFLUENCES},
        {"jointFormat", influences ? (uint32_t)mesh->jointFormat : 0, 0, VKSKIN_JOINTS_U32},
        {"indexCount", triangles ? mesh->indexCount : 3, 3, UINT32_MAX},
    };
    VkskinResult result = sknCheckRanges(&subject, ranges, SKN_COUNT(ranges));
    if (result < 0) {
        return result;
    }
    if ((parts & SURFACE_POSITIONS) != 0 && mesh->dimensions != 3) {
        return sknReport(&surface->run.logger, VKSKIN_ERROR_INVALID_VALUE, "%s%s: dimensions is %u, this call needs 3",
                         subject.kind, subject.name, mesh->dimensions);
    }
    if (triangles && mesh->indexCount % 3 != 0) {
        return sknReport(&surface->run.logger, VKSKIN_ERROR_INVALID_VALUE, "%s%s: indexCount is %u, no multiple of 3",
                         subject.kind, subject.name, mesh->indexCount);
    }
    return VKSKIN_SUCCESS;
}

/* ---- Streams ---- */

typedef struct Stream {
    char name[28], field[36]; /* names of the data and of its stride */
    const char *element;      /* what one vertex takes */
    const void *data;         /* null: not there, or not read */
    size_t stride, size, multiple;
} Stream;

#define OWN_STREAMS  7
#define STREAM_COUNT (OWN_STREAMS + VKSKIN_MAX_PASS_THROUGH)

/* Adds the pass-through attributes. */
static void listPassThrough(const VkskinMeshDef *mesh, Stream streams[VKSKIN_MAX_PASS_THROUGH]) {
    for (uint32_t i = 0; mesh->layout != NULL && i < mesh->layout->passThroughCount; i++) {
        const VkskinPassThroughData *from = &mesh->passThrough[i];
        Stream *stream = &streams[i];
        *stream = (Stream){.element = "its size", .data = from->data, .stride = from->stride, .multiple = 1};
        stream->size = mesh->layout->passThrough[i].size;
        (void)snprintf(stream->name, sizeof stream->name, "passThrough[%u]", i);
        (void)snprintf(stream->field, sizeof stream->field, "passThrough[%u].stride", i);
    }
}

static VkskinResult checkStride(const Subject *subject, const Stream *stream) {
    bool inRange = stream->stride >= stream->size && stream->stride <= MAX_STRIDE;
    if (stream->data == NULL || stream->stride == 0 || (inRange && stream->stride % stream->multiple == 0)) {
        return VKSKIN_SUCCESS;
    }
    return sknReport(subject->logger, VKSKIN_ERROR_INVALID_VALUE,
                     "%s%s: %s is %zu bytes, not 0 or a multiple of %zu from %zu (%s) to %u", subject->kind,
                     subject->name, stream->field, stream->stride, stream->multiple, stream->size, stream->element,
                     MAX_STRIDE);
}

static uint64_t distanceOf(const Stream *stream) {
    return stream->stride != 0 ? stream->stride : stream->size;
}

static uint64_t endOf(const Stream *stream, uint32_t vertexCount) {
    return (uint64_t)(uintptr_t)stream->data + distanceOf(stream) * (vertexCount - 1) + stream->size;
}

/* Whether two streams share bytes and not in the same way at each vertex, as the two halves of a float4 would. */
static bool streamsClash(const Stream *a, const Stream *b, uint32_t vertexCount) {
    const uint64_t startA = (uint64_t)(uintptr_t)a->data;
    const uint64_t startB = (uint64_t)(uintptr_t)b->data;
    const uint64_t apart = startA > startB ? startA - startB : startB - startA;
    const bool parallel = distanceOf(a) == distanceOf(b) && apart < distanceOf(a);
    return !parallel && startA < endOf(b, vertexCount) && startB < endOf(a, vertexCount);
}

/* Vertices that are interleaved in the host's memory, and a stride that is still 0. */
static VkskinResult checkForgotten(const Subject *subject, const Stream *streams, const Stream *stream,
                                   uint32_t vertexCount) {
    for (const Stream *other = streams; other < streams + STREAM_COUNT; other++) {
        bool both = other != stream && other->data != NULL && stream->data != NULL;
        if (both && stream->stride == 0 && streamsClash(stream, other, vertexCount)) {
            return sknReport(subject->logger, VKSKIN_ERROR_INVALID_VALUE,
                             "%s%s: %s is 0 (tightly packed: %zu bytes), but %s and %s overlap; for interleaved "
                             "vertices set it to the size of a vertex, else check formats and influencesPerVertex",
                             subject->kind, subject->name, stream->field, stream->size, stream->name, other->name);
        }
    }
    return VKSKIN_SUCCESS;
}

VkskinResult sknCheckStreams(const Surface *surface, uint32_t parts) {
    const VkskinMeshDef *mesh = surface->mesh;
    const Subject subject = subjectOf(surface);
    const bool attributes = (parts & SURFACE_ATTRIBUTES) != 0;
    const bool positions = attributes || (parts & SURFACE_POSITIONS) != 0;
    const bool influences = (parts & SURFACE_INFLUENCES) != 0;
    const bool each = attributes && mesh->influencePositions != NULL;
    const size_t count = mesh->influencesPerVertex;
    const size_t position = mesh->dimensions * sizeof(float);
    const size_t joints = count * jointSize(mesh->jointFormat);
    Stream streams[STREAM_COUNT] = {
        {"joints", "jointStride", "influencesPerVertex joints of jointFormat", influences ? mesh->joints : NULL,
         mesh->jointStride, joints, 1},
        {"weights", "weightStride", "influencesPerVertex floats", influences ? mesh->weights : NULL, mesh->weightStride,
         count * sizeof(float), 4},
        {"positions", "positionStride", mesh->dimensions == 2 ? "float2" : "float3",
         positions && !each ? mesh->positions : NULL, mesh->positionStride, position, 4},
        {"influencePositions", "influencePositionStride", "influencesPerVertex float2",
         attributes ? mesh->influencePositions : NULL, mesh->influencePositionStride, count * 8, 4},
        {"normals", "normalStride", "float3", attributes ? mesh->normals : NULL, mesh->normalStride, 12, 4},
        {"tangents", "tangentStride", "float4", attributes ? mesh->tangents : NULL, mesh->tangentStride, 16, 4},
        {"blendWeights", "blendWeightStride", "float", attributes ? mesh->blendWeights : NULL, mesh->blendWeightStride,
         4, 4},
    };
    if (attributes) {
        listPassThrough(mesh, streams + OWN_STREAMS);
    }
    VkskinResult result = VKSKIN_SUCCESS;
    for (int i = 0; result >= 0 && i < 2 * STREAM_COUNT; i++) {
        result = i < STREAM_COUNT ? checkStride(&subject, &streams[i])
                                  : checkForgotten(&subject, streams, &streams[i - STREAM_COUNT], mesh->vertexCount);
    }
    return result;
}

VkskinResult sknCheckSurfaceFields(const Surface *surface, uint32_t parts) {
    if (surface->mesh == NULL) {
        return sknReport(&surface->run.logger, VKSKIN_ERROR_NULL_ARGUMENT, "mesh: the def is null");
    }
    if (surface->mesh->cookie != VKSKIN_COOKIE_MESH) {
        return sknReport(&surface->run.logger, VKSKIN_ERROR_DEF_NOT_INITIALISED,
                         "mesh: the def was not made by vkskinDefaultMeshDef");
    }
    VkskinResult result = checkPointers(surface, parts);
    if (result == VKSKIN_SUCCESS) {
        result = checkNumbers(surface, parts);
    }
    return result == VKSKIN_SUCCESS ? sknCheckStreams(surface, parts) : result;
}

static VkskinResult checkPosition(const Surface *surface, uint32_t vertex) {
    const float *position = sknSurfacePosition(surface, vertex);
    if (isfinite(position[0]) && isfinite(position[1]) && isfinite(position[2])) {
        return VKSKIN_SUCCESS;
    }
    return sknReport(&surface->run.logger, VKSKIN_ERROR_ATTRIBUTE_NOT_FINITE,
                     "%s%s: the position of vertex %u is not finite", SKN_MESH_LABEL(surface->mesh), vertex);
}

static VkskinResult checkInfluences(const Surface *surface, uint32_t vertex) {
    const VkskinMeshDef *mesh = surface->mesh;
    Influence influences[MAX_INFLUENCES];
    sknSurfaceInfluences(surface, vertex, influences);
    for (uint32_t i = 0; i < mesh->influencesPerVertex; i++) {
        float weight = influences[i].weight;
        if (!isfinite(weight) || weight < 0.0f) {
            VkskinResult wrong = isfinite(weight) ? VKSKIN_ERROR_WEIGHT_NEGATIVE : VKSKIN_ERROR_WEIGHT_NOT_FINITE;
            return sknReport(&surface->run.logger, wrong,
                             "%s%s: weight %u of vertex %u is %g (weights are read as %u floats per vertex, "
                             "weightStride %zu)",
                             SKN_MESH_LABEL(mesh), i, vertex, (double)weight, mesh->influencesPerVertex,
                             mesh->weightStride);
        }
        if (weight > 0.0f && influences[i].joint >= mesh->boneCount) {
            return sknReport(&surface->run.logger, VKSKIN_ERROR_JOINT_OUT_OF_RANGE,
                             "%s%s: joint %u of vertex %u is %u, the mesh has %u bones (joints are read as %u of "
                             "%zu bytes per vertex, jointStride %zu)",
                             SKN_MESH_LABEL(mesh), i, vertex, influences[i].joint, mesh->boneCount,
                             mesh->influencesPerVertex, jointSize(mesh->jointFormat), mesh->jointStride);
        }
    }
    return VKSKIN_SUCCESS;
}

VkskinResult sknCheckSurfaceVertex(const Surface *surface, uint32_t parts, uint32_t vertex) {
    VkskinResult result = VKSKIN_SUCCESS;
    if ((parts & SURFACE_POSITIONS) != 0) {
        result = checkPosition(surface, vertex);
    }
    if (result == VKSKIN_SUCCESS && (parts & SURFACE_INFLUENCES) != 0) {
        result = checkInfluences(surface, vertex);
    }
    return result;
}

static VkskinResult checkTriangles(const Surface *surface) {
    for (uint32_t i = 0; i < surface->mesh->indexCount; i++) {
        if (surface->mesh->indices[i] >= surface->mesh->vertexCount) {
            return sknReport(&surface->run.logger, VKSKIN_ERROR_INDEX_OUT_OF_RANGE,
                             "%s%s: triangle %u has vertex %u of %u", SKN_MESH_LABEL(surface->mesh), i / 3,
                             surface->mesh->indices[i], surface->mesh->vertexCount);
        }
    }
    return VKSKIN_SUCCESS;
}

VkskinResult sknCheckSurface(const Surface *surface, uint32_t parts) {
    VkskinResult result = sknCheckSurfaceFields(surface, parts);
    for (uint32_t vertex = 0; result == VKSKIN_SUCCESS && vertex < surface->mesh->vertexCount; vertex++) {
        result = sknCheckSurfaceVertex(surface, parts, vertex);
    }
    if (result == VKSKIN_SUCCESS && (parts & SURFACE_TRIANGLES) != 0) {
        result = checkTriangles(surface);
    }
    return result;
}

#define STEP_WORK 500000u

VkskinResult sknReportProgress(const Surface *surface, double done) {
    if (surface->run.progress == NULL || surface->run.progress(surface->run.progressUser, (float)done)) {
        return VKSKIN_SUCCESS;
    }
    return sknReport(&surface->run.logger, VKSKIN_ERROR_CANCELLED, "%s%s: the progress callback asked to stop",
                     SKN_MESH_LABEL(surface->mesh));
}

VkskinResult sknProgressStep(ProgressStage *stage, uint64_t work, uint64_t done, uint64_t all) {
    stage->work += work;
    if (stage->work < STEP_WORK) {
        return VKSKIN_SUCCESS;
    }
    stage->work = 0;
    return sknReportProgress(stage->surface, stage->from + (stage->to - stage->from) * (double)done / (double)all);
}
