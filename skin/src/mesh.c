#include "mesh.h"

#include "context.h"
#include "cookie.h"
#include "mesh_check.h"
#include "retire.h"
#include "vertex_pack.h"

#include <math.h>
#include <string.h>

#define NORMALISED_TOLERANCE 1e-4

VkskinMeshDef vkskinDefaultMeshDef(void) {
    return (VkskinMeshDef){
        .cookie = VKSKIN_COOKIE_MESH,
        .influencesPerVertex = 4,
        .jointFormat = VKSKIN_JOINTS_U16,
        .maxInfluences = MAX_KERNEL_INFLUENCES,
        .format = VKSKIN_VERTEX_PACKED,
    };
}

uint32_t sknAttributeStride(VkskinVertexFormat format, KernelAttributes attributes) {
    static const uint32_t strides[VKSKIN_VERTEX_FORMAT_COUNT][KERNEL_ATTRIBUTES_COUNT] = {
        [VKSKIN_VERTEX_PACKED] = {0, 4, 8},
        [VKSKIN_VERTEX_FLOAT] = {0, 12, 28},
    };
    return strides[format][attributes];
}

static VkDeviceSize alignRange(VkDeviceSize size) {
    return (size + RANGE_ALIGNMENT - 1) / RANGE_ALIGNMENT * RANGE_ALIGNMENT;
}

static InfluenceSet selectInfluences(const VkskinMeshDef *def, uint32_t vertex) {
    Influence influences[MAX_INFLUENCES_IN];
    sknMeshInfluences(def, vertex, influences);
    return sknSelectInfluences(influences, def->influencesPerVertex, def->maxInfluences);
}

/* What the whole mesh comes to: the kernel's influence count is that of the vertex with the most. */
static void measureInfluences(const VkskinMeshDef *def, VkskinMeshInfo *info) {
    for (uint32_t i = 0; i < def->vertexCount; i++) {
        InfluenceSet set = selectInfluences(def, i);
        info->influences = set.count > info->influences ? set.count : info->influences;
        info->normalisedVertices += fabs(set.sum - 1.0) > NORMALISED_TOLERANCE;
        info->trimmedVertices += set.dropped > 0;
        info->trimmedWeight = fmaxf(info->trimmedWeight, (float)set.droppedWeight);
    }
}

static uint32_t jointWords(uint32_t influences) {
    return (influences + 1) / 2;
}

static void describeMesh(const struct VkskinContext_T *context, const VkskinMeshDef *def, Mesh *mesh) {
    mesh->attributes = def->tangents != NULL  ? KERNEL_TANGENTS
                       : def->normals != NULL ? KERNEL_NORMALS
                                              : KERNEL_POSITIONS;
    mesh->previousPositions = def->previousPositions;
    mesh->regions = context->def.outputRegions + (def->previousPositions ? 1 : 0);
    uint32_t stride = sknAttributeStride(def->format, mesh->attributes);
    VkskinMeshInfo *info = &mesh->info;
    *info = (VkskinMeshInfo){
        .vertexCount = def->vertexCount,
        .boneCount = def->boneCount,
        .hasNormals = def->normals != NULL,
        .hasTangents = def->tangents != NULL,
        .format = def->format,
    };
    measureInfluences(def, info);
    uint32_t sourceStride = 12 + stride + 4 * jointWords(info->influences) + 4 * (info->influences - 1);
    info->sourceBytes = alignRange((VkDeviceSize)sourceStride * def->vertexCount);
    info->outputBytes =
        alignRange((VkDeviceSize)12 * def->vertexCount) + alignRange((VkDeviceSize)stride * def->vertexCount);
}

/* The streams follow one another in the mesh's range. */
static void layOutMesh(Mesh *mesh) {
    uint32_t count = mesh->info.vertexCount;
    uint32_t strideWords = sknAttributeStride(mesh->info.format, mesh->attributes) / 4;
    MeshLayout *layout = &mesh->layout;
    layout->vertexCount = count;
    layout->positions = (uint32_t)(mesh->source.offset / 4);
    layout->attributes = layout->positions + 3 * count;
    layout->joints = layout->attributes + strideWords * count;
    layout->weights = layout->joints + jointWords(mesh->info.influences) * count;
    layout->outputAttributes = (uint32_t)(alignRange((VkDeviceSize)12 * count) / 4);
}

static void writeFloats(uint32_t *words, const float *values, uint32_t count) {
    memcpy(words, values, count * sizeof *values);
}

static void writeAttributes(const VkskinMeshDef *def, uint32_t vertex, uint32_t *words) {
    static const float up[3] = {0.0f, 0.0f, 1.0f};
    float normal[3];
    sknNormalise(sknMeshNormal(def, vertex), up, normal);
    float tangent[3];
    float handedness = 1.0f;
    if (def->tangents != NULL) {
        float across[3];
        sknPerpendicular(normal, across);
        const float *given = sknMeshTangent(def, vertex);
        sknNormalise(given, across, tangent);
        handedness = given[3] < 0.0f ? -1.0f : 1.0f;
    }
    if (def->format == VKSKIN_VERTEX_PACKED) {
        words[0] = sknPackNormal(normal);
        if (def->tangents != NULL) {
            words[1] = sknPackTangent(tangent, handedness);
        }
        return;
    }
    writeFloats(words, normal, 3);
    if (def->tangents != NULL) {
        writeFloats(words + 3, tangent, 3);
        writeFloats(words + 6, &handedness, 1);
    }
}

/* A vertex with fewer influences than the mesh's kernel reads repeats its first joint with no weight. */
static Influence influenceOrNone(const InfluenceSet *set, uint32_t i) {
    return i < set->count ? set->kept[i] : (Influence){set->kept[0].joint, 0.0f};
}

static void writeInfluences(const InfluenceSet *set, uint32_t influences, uint32_t *joints, uint32_t *weights) {
    for (uint32_t i = 0; i < influences; i += 2) {
        uint32_t second = i + 1 < influences ? influenceOrNone(set, i + 1).joint : 0;
        joints[i / 2] = influenceOrNone(set, i).joint | second << 16;
    }
    for (uint32_t i = 0; i + 1 < influences; i++) {
        float weight = influenceOrNone(set, i).weight;
        writeFloats(weights + i, &weight, 1);
    }
}

/* words: the mesh's range, where its positions come first. */
static void writeMesh(const VkskinMeshDef *def, const Mesh *mesh, uint32_t *words) {
    const MeshLayout *layout = &mesh->layout;
    uint32_t *attributes = words + (layout->attributes - layout->positions);
    uint32_t *joints = words + (layout->joints - layout->positions);
    uint32_t *weights = words + (layout->weights - layout->positions);
    uint32_t strideWords = sknAttributeStride(def->format, mesh->attributes) / 4;
    uint32_t influences = mesh->info.influences;
    for (uint32_t i = 0; i < def->vertexCount; i++) {
        writeFloats(words + 3 * (size_t)i, sknMeshPosition(def, i), 3);
        if (strideWords > 0) {
            writeAttributes(def, i, attributes + strideWords * (size_t)i);
        }
        InfluenceSet set = selectInfluences(def, i);
        writeInfluences(&set, influences, joints + jointWords(influences) * (size_t)i,
                        weights + (influences - 1) * (size_t)i);
    }
}

/* With the lock: takes the mesh's place on the device and the staging memory on its way there. */
static VkskinResult reserveMesh(VkskinContext context, const VkskinMeshDef *def, Mesh *mesh, Staging *staging) {
    VkDeviceSize size = mesh->info.sourceBytes;
    VkDeviceSize most = context->gpu.limits.maxStorageBufferRange;
    VkskinResult result = VKSKIN_ERROR_MESH_TOO_LARGE;
    if (mesh->info.outputBytes <= most / mesh->regions) {
        result = sknPoolTake(&context->gpu, &context->descriptors, &context->meshPages, size, 1, &mesh->source);
    }
    if (result == VKSKIN_ERROR_MESH_TOO_LARGE) {
        return sknReport(&context->gpu.logger, result,
                         "mesh %s: %u vertices take %llu bytes of source and %llu of output, the device binds %llu",
                         sknMeshName(def), def->vertexCount, (unsigned long long)size,
                         (unsigned long long)mesh->info.outputBytes * mesh->regions, (unsigned long long)most);
    }
    if (result >= 0) {
        result = sknReserveStaging(&context->gpu, &context->uploads, size, staging);
        if (result < 0) {
            sknPoolGive(&context->meshPages, &mesh->source);
        }
    }
    return result;
}

/* With the lock: the written mesh gets its handle and its upload; on failure all that was reserved goes back. */
static VkskinResult finishMesh(VkskinContext context, const VkskinMeshDef *def, const Mesh *mesh,
                               const Staging *staging, VkskinResult written, VkskinMesh *handle) {
    VkskinResult result = written;
    uint32_t index = NO_INDEX;
    if (result >= 0) {
        index = sknHandleTake(&context->meshes, context->gpu.hostAllocator);
        if (index == NO_INDEX) {
            result = sknReport(&context->gpu.logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY,
                               "mesh %s: no memory for its handle", sknMeshName(def));
        }
    }
    if (result < 0) {
        sknAbandonStaging(&context->uploads, staging);
        sknPoolGive(&context->meshPages, &mesh->source);
        return result;
    }
    Mesh *made = sknMesh(context, index);
    HandleHeader header = made->header;
    *made = *mesh;
    made->header = header;
    made->uploadPending = true;
    sknStageCopy(&context->uploads, staging, &mesh->source, index);
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): vkskinCreateMesh needed it, by another file's function */
    *handle = (VkskinMesh){index + 1, header.generation};
    return VKSKIN_SUCCESS;
}

/* The long work, looking at every vertex and writing it, is done between two short holds of the lock. */
static VkskinResult makeMesh(VkskinContext context, const VkskinMeshDef *def, Mesh *mesh, VkskinMesh *handle) {
    Staging staging = {0};
    describeMesh(context, def, mesh);
    sknLock(&context->lock);
    VkskinResult result = sknLeave(context, reserveMesh(context, def, mesh, &staging));
    if (result < 0) {
        return result;
    }
    layOutMesh(mesh);
    writeMesh(def, mesh, sknStagingData(&staging));
    result = sknFlushStaging(&context->gpu, &staging);
    sknLock(&context->lock);
    return sknLeave(context, finishMesh(context, def, mesh, &staging, result, handle));
}

static VkskinResult reportMesh(VkskinContext context, const VkskinMeshDef *def, const VkskinMeshInfo *info) {
    VkskinResult result = VKSKIN_SUCCESS;
    if (info->normalisedVertices > 0) {
        result = sknReport(&context->gpu.logger, VKSKIN_WARNING_WEIGHTS_NORMALISED,
                           "mesh %s: the weights of %u of %u vertices did not sum to one", sknMeshName(def),
                           info->normalisedVertices, info->vertexCount);
    }
    if (info->trimmedVertices > 0) {
        result = sknReport(&context->gpu.logger, VKSKIN_WARNING_INFLUENCES_TRIMMED,
                           "mesh %s: %u of %u vertices lost influences, at most %.3g of their weight", sknMeshName(def),
                           info->trimmedVertices, info->vertexCount, (double)info->trimmedWeight);
    }
    return result;
}

VkskinResult vkskinCreateMesh(VkskinContext context, const VkskinMeshDef *def, VkskinMesh *mesh) {
    if (mesh != NULL) {
        *mesh = (VkskinMesh){0};
    }
    if (context == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    VkskinResult result = sknNeedArgument(context, "vkskinCreateMesh", "def", def);
    if (result >= 0) {
        result = sknNeedArgument(context, "vkskinCreateMesh", "mesh", mesh);
    }
    if (result >= 0) {
        result = sknCheckMeshDef(&context->gpu, def);
    }
    Mesh made = {0};
    if (result >= 0) {
        result = makeMesh(context, def, &made, mesh);
    }
    return result < 0 ? result : reportMesh(context, def, &made.info);
}

static VkskinResult destroyMesh(VkskinContext context, VkskinMesh mesh) {
    uint32_t index = NO_INDEX;
    VkskinResult result =
        sknHandleFind(&context->meshes, &context->gpu.logger, "vkskinDestroyMesh", mesh.index, mesh.generation, &index);
    if (result < 0) {
        return result;
    }
    uint32_t instances = sknMesh(context, index)->instanceCount;
    if (instances > 0) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_MESH_IN_USE,
                         "vkskinDestroyMesh: mesh (%u, %u) has %u instances", mesh.index, mesh.generation, instances);
    }
    sknRetireMesh(context, index);
    return VKSKIN_SUCCESS;
}

VkskinResult vkskinDestroyMesh(VkskinContext context, VkskinMesh mesh) {
    VkskinResult result = sknEnter(context);
    return result < 0 ? result : sknLeave(context, destroyMesh(context, mesh));
}

static VkskinResult getMeshInfo(VkskinContext context, VkskinMesh mesh, VkskinMeshInfo *info) {
    uint32_t index = NO_INDEX;
    VkskinResult result = sknNeedArgument(context, "vkskinGetMeshInfo", "info", info);
    if (result >= 0) {
        result = sknHandleFind(&context->meshes, &context->gpu.logger, "vkskinGetMeshInfo", mesh.index, mesh.generation,
                               &index);
    }
    if (result >= 0) {
        *info = sknMesh(context, index)->info;
    }
    return result;
}

VkskinResult vkskinGetMeshInfo(VkskinContext context, VkskinMesh mesh, VkskinMeshInfo *info) {
    VkskinResult result = sknEnter(context);
    return result < 0 ? result : sknLeave(context, getMeshInfo(context, mesh, info));
}
