#include <math.h>
#include <stdio.h>

#include "frame.h"
#include "interleaved.h"
#include "mesh_pack.h"

static void describeMesh(const struct VkskinContext_T *context, const VkskinMeshDef *def, Mesh *mesh) {
    (void)snprintf(mesh->label, sizeof mesh->label, "%s%.31s", SKN_MESH_LABEL(def));
    mesh->attributes = def->tangents != NULL  ? KERNEL_TANGENTS
                       : def->normals != NULL ? KERNEL_NORMALS
                                              : KERNEL_POSITIONS;
    mesh->previousPositions = def->previousPositions;
    mesh->regions = context->def.outputRegions + (def->previousPositions ? 1 : 0);
    mesh->info = sknDescribeMesh(def, sknOnCpu(context) ? HOST_LINE : RANGE_ALIGNMENT);
    mesh->ownLayout = !sknHasPlainStreams(&mesh->info) || mesh->info.layout.position.stream != 0;
    mesh->image = sknPlanImage(&mesh->info);
}

static void placeClasses(const MeshPlan *plan, Mesh *mesh) {
    uint32_t base = (uint32_t)(mesh->source.offset / 4);
    mesh->classCount = plan->classCount;
    for (uint32_t c = 0; c < plan->classCount; c++) {
        mesh->classes[c] =
            (MeshClass){plan->influences[c], plan->classes[c].vertexCount, base + c * LAYOUT_CLASS_WORDS};
    }
    mesh->morphHeads = base + plan->morphHeads;
    mesh->imageOffset = mesh->source.offset + mesh->info.sourceBytes - mesh->image.bytes;
}

static void measureMorph(const VkskinMorphTarget *target, float maxDelta[3]) {
    for (size_t i = 0; target->positions != NULL && i < (size_t)target->vertexCount * 3; i++) {
        maxDelta[i % 3] = fmaxf(maxDelta[i % 3], fabsf(target->positions[i]));
    }
}

/* Remembers which targets are applied after skinning: commands list these last. And how far targets move vertices, for the
 * bounds of crowds, which have no flat meshes. */
static VkskinResult noteMorphs(const Gpu *gpu, const VkskinMeshDef *def, Mesh *mesh) {
    bool any = false;
    const bool measured = def->dimensions == 3;
    for (uint32_t i = 0; i < def->morphTargetCount; i++) {
        any = any || def->morphTargets[i].afterSkinning;
    }
    if (def->morphTargetCount == 0) {
        return VKSKIN_SUCCESS;
    }
    if (measured) {
        mesh->morphMaxDelta =
            sknHostAllocateArray(gpu->hostAllocator, def->morphTargetCount, sizeof *mesh->morphMaxDelta);
    }
    if (any) {
        mesh->morphsAfter = sknHostAllocateArray(gpu->hostAllocator, def->morphTargetCount, sizeof *mesh->morphsAfter);
    }
    if ((measured && mesh->morphMaxDelta == NULL) || (any && mesh->morphsAfter == NULL)) {
        return sknReport(&gpu->logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "%s%s: no memory for %u morph targets",
                         SKN_MESH_LABEL(def), def->morphTargetCount);
    }
    for (uint32_t i = 0; i < def->morphTargetCount; i++) {
        if (measured) {
            measureMorph(&def->morphTargets[i], mesh->morphMaxDelta[i]);
        }
        if (any) {
            mesh->morphsAfter[i] = def->morphTargets[i].afterSkinning;
        }
    }
    return VKSKIN_SUCCESS;
}

static bool outputFits(const struct VkskinContext_T *context, const Mesh *mesh) {
    return mesh->info.outputBytes <= context->gpu.limits.maxStorageBufferRange / mesh->regions;
}

static VkskinResult reportTooLarge(const struct VkskinContext_T *context, const VkskinMeshDef *def, const Mesh *mesh) {
    return sknReport(&context->gpu.logger, VKSKIN_ERROR_MESH_TOO_LARGE,
                     "%s%s: %u vertices take %llu bytes of source and %llu of output, the device binds %llu",
                     SKN_MESH_LABEL(def), def->vertexCount, (unsigned long long)mesh->info.sourceBytes,
                     (unsigned long long)mesh->info.outputBytes * mesh->regions,
                     (unsigned long long)context->gpu.limits.maxStorageBufferRange);
}

/* With the lock: reserves the mesh's range on the device, and staging memory. */
static VkskinResult reserveMesh(VkskinContext context, const VkskinMeshDef *def, Mesh *mesh, Staging *staging) {
    VkDeviceSize size = mesh->info.sourceBytes;
    VkskinResult result = VKSKIN_ERROR_MESH_TOO_LARGE;
    if (outputFits(context, mesh)) {
        result = sknPoolAlloc(&context->gpu, &context->descriptors, &context->meshPages, size, 1, &mesh->source);
    }
    if (result == VKSKIN_ERROR_MESH_TOO_LARGE) {
        return reportTooLarge(context, def, mesh);
    }
    if (result >= 0) {
        result = sknReserveStaging(&context->gpu, &context->uploads, size, staging);
        if (result < 0) {
            sknPoolFree(&context->meshPages, &mesh->source);
        }
    }
    return result;
}

/* With the lock: adds the mesh to the table of handles. */
static VkskinResult addMesh(VkskinContext context, const VkskinMeshDef *def, const Mesh *mesh, VkskinMesh *handle) {
    uint32_t index = sknHandleTake(&context->meshes, context->gpu.hostAllocator);
    if (index == NO_INDEX) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "%s%s: no memory for its handle",
                         SKN_MESH_LABEL(def));
    }
    Mesh *made = sknMesh(context, index);
    HandleHeader header = made->header;
    *made = *mesh;
    made->header = header;
    made->serial = ++context->meshSerial;
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): vkskinCreateMesh checked it in another file */
    *handle = (VkskinMesh){index + 1, header.generation};
    return VKSKIN_SUCCESS;
}

/* With the lock: adds a written mesh and its upload. On failure frees all that was reserved. */
static VkskinResult finishMesh(VkskinContext context, const VkskinMeshDef *def, Mesh *mesh, const Staging *staging,
                               VkskinResult written, VkskinMesh *handle) {
    mesh->uploadPending = true;
    VkskinResult result = written < 0 ? written : addMesh(context, def, mesh, handle);
    if (result < 0) {
        sknAbandonStaging(&context->uploads, staging);
        sknPoolFree(&context->meshPages, &mesh->source);
        return result;
    }
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): as above */
    sknStageCopy(&context->uploads, staging, &mesh->source, handle->index - 1);
    return VKSKIN_SUCCESS;
}

/* Writes the vertices, which takes long, without the lock. */
static VkskinResult placeMesh(VkskinContext context, const VkskinMeshDef *def, const MeshPlan *plan, Mesh *mesh,
                              VkskinMesh *handle) {
    Staging staging = {0};
    sknLockAlone(&context->lock);
    VkskinResult result = sknLeave(context, reserveMesh(context, def, mesh, &staging));
    if (result < 0) {
        return result;
    }
    placeClasses(plan, mesh);
    Host host = sknHostOf(&context->gpu);
    result = sknWriteMesh(&host, def, plan, (uint32_t)(mesh->source.offset / 4), &mesh->info, sknStagingData(&staging));
    if (result >= 0) {
        unsigned char *image = (unsigned char *)sknStagingData(&staging) + (mesh->imageOffset - mesh->source.offset);
        sknWriteImage(def, &mesh->image, image);
        result = sknFlushStaging(&context->gpu, &staging);
    }
    sknLockAlone(&context->lock);
    return sknLeave(context, finishMesh(context, def, mesh, &staging, result, handle));
}

/* A mesh of the CPU backend: it uses no device memory. */
static VkskinResult makeHostMesh(VkskinContext context, const VkskinMeshDef *def, Mesh *mesh, VkskinMesh *handle) {
    Host host = sknHostOf(&context->gpu);
    if (!outputFits(context, mesh)) {
        return reportTooLarge(context, def, mesh);
    }
    VkskinResult result = sknMakeCpuMesh(&host, def, HOST_LINE, &mesh->cpu);
    if (result < 0) {
        return result;
    }
    mesh->info = mesh->cpu->info;
    sknLockAlone(&context->lock);
    return sknLeave(context, addMesh(context, def, mesh, handle));
}

static VkskinResult makeDeviceMesh(VkskinContext context, const VkskinMeshDef *def, Mesh *mesh, VkskinMesh *handle) {
    MeshPlan plan;
    Host host = sknHostOf(&context->gpu);
    VkskinResult result = sknPlanMesh(&host, def, &plan, &mesh->info);
    if (result >= 0) {
        mesh->info.sourceBytes = sknAlignUp(mesh->info.sourceBytes, RANGE_ALIGNMENT) + mesh->image.bytes;
        result = placeMesh(context, def, &plan, mesh, handle);
        sknFreePlan(&plan);
    }
    return result;
}

static VkskinResult makeMesh(VkskinContext context, const VkskinMeshDef *def, Mesh *mesh, VkskinMesh *handle) {
    describeMesh(context, def, mesh);
    VkskinResult result = noteMorphs(&context->gpu, def, mesh);
    if (result >= 0) {
        result = (sknOnCpu(context) ? makeHostMesh : makeDeviceMesh)(context, def, mesh, handle);
    }
    if (result < 0) {
        sknForgetMesh(&context->gpu, mesh);
    }
    return result;
}

VkskinResult vkskinCreateMesh(VkskinContext context, const VkskinMeshDef *def, VkskinMesh *mesh) {
    if (mesh != NULL) {
        *mesh = VKSKIN_NULL_MESH;
    }
    if (context == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    VkskinResult result = sknNeedArgument(context, "vkskinCreateMesh", "def", def);
    if (result >= 0) {
        result = sknNeedArgument(context, "vkskinCreateMesh", "mesh", mesh);
    }
    Host host = sknHostOf(&context->gpu);
    InterleavedDef interleaved;
    if (result >= 0) {
        result = sknResolveVertices(&host.logger, &def, &interleaved);
    }
    if (result >= 0) {
        result = sknCheckMeshDef(&host, def, context->gpu.limits.maxStorageBufferRange);
    }
    Mesh made = {0};
    if (result >= 0) {
        result = makeMesh(context, def, &made, mesh);
    }
    return result < 0 ? result : sknReportMesh(&host, def, &made.info);
}

static VkskinResult destroyMesh(VkskinContext context, VkskinMesh mesh) {
    uint32_t index = NO_INDEX;
    VkskinResult result = sknFindMesh(context, "vkskinDestroyMesh", mesh, &index);
    if (result < 0) {
        return result;
    }
    result = sknNeedNoCrowd(context, "vkskinDestroyMesh", index);
    if (result < 0) {
        return result;
    }
    uint32_t instances = sknMesh(context, index)->instanceCount;
    if (instances > 0) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_MESH_IN_USE,
                         "vkskinDestroyMesh: %s (%u, %u) has %u instances", sknMesh(context, index)->label, mesh.index,
                         mesh.generation, instances);
    }
    sknRetireMesh(context, index);
    return VKSKIN_SUCCESS;
}

VkskinResult vkskinDestroyMesh(VkskinContext context, VkskinMesh mesh) {
    VkskinResult result = sknEnter(context);
    return result < 0 ? result : sknLeave(context, destroyMesh(context, mesh));
}

VkskinResult vkskinGetMeshInfo(VkskinContext context, VkskinMesh mesh, VkskinMeshInfo *info) {
    static const char call[] = "vkskinGetMeshInfo";
    uint32_t index = NO_INDEX;
    VkskinResult result = sknEnterWith(context, call, "info", info);
    if (result < 0) {
        return result;
    }
    result = sknFindMesh(context, call, mesh, &index);
    if (result >= 0) {
        *info = sknMesh(context, index)->info;
    }
    return sknLeave(context, result);
}

/* ---- Vertex input ---- */

static void addAttribute(VkskinVertexInput *input, uint32_t firstBinding, uint32_t firstLocation,
                         VkskinAttributePlace place, VkFormat format) {
    if (format == VK_FORMAT_UNDEFINED) {
        return;
    }
    input->attributes[input->attributeCount] = (VkVertexInputAttributeDescription){
        firstLocation + input->attributeCount, firstBinding + place.stream, format, place.offset};
    input->attributeCount++;
}

/* The format of tangents, or of normals. */
static VkFormat formatOf(VkskinVertexFormat format, bool tangent) {
    switch (format) {
    case VKSKIN_VERTEX_PACKED:
        return VK_FORMAT_R32_UINT;
    case VKSKIN_VERTEX_FLOAT:
        return tangent ? VK_FORMAT_R32G32B32A32_SFLOAT : VK_FORMAT_R32G32B32_SFLOAT;
    case VKSKIN_VERTEX_SNORM10:
        return VK_FORMAT_A2B10G10R10_SNORM_PACK32;
    }
    return VK_FORMAT_UNDEFINED;
}

VkskinResult vkskinGetVertexInput(VkskinVertexFormat format, bool normals, bool tangents,
                                  const VkskinOutputLayout *layout, uint32_t firstBinding, uint32_t firstLocation,
                                  VkskinVertexInput *input) {
    if (input == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    if ((uint32_t)format >= VKSKIN_VERTEX_FORMAT_COUNT || (tangents && !normals)) {
        return VKSKIN_ERROR_INVALID_VALUE;
    }
    const OutputShape shape = {.dimensions = 3, .format = format, .normals = normals, .tangents = tangents};
    const VkskinLogger none = {0};
    const Subject subject = {&none, "vkskinGetVertexInput", ""};
    if (layout != NULL && sknCheckLayout(&subject, &shape, layout) < 0) {
        return VKSKIN_ERROR_INVALID_VALUE;
    }
    const VkskinOutputLayout chosen = sknResolveLayout(&shape, layout);
    *input = (VkskinVertexInput){.bindingCount = chosen.streamCount};
    for (uint32_t s = 0; s < chosen.streamCount; s++) {
        input->bindings[s] =
            (VkVertexInputBindingDescription){firstBinding + s, chosen.strides[s], VK_VERTEX_INPUT_RATE_VERTEX};
    }
    addAttribute(input, firstBinding, firstLocation, chosen.position,
                 chosen.positionW ? VK_FORMAT_R32G32B32A32_SFLOAT : VK_FORMAT_R32G32B32_SFLOAT);
    if (normals) {
        addAttribute(input, firstBinding, firstLocation, chosen.normal, formatOf(format, false));
    }
    if (tangents) {
        addAttribute(input, firstBinding, firstLocation, chosen.tangent, formatOf(format, true));
    }
    for (uint32_t i = 0; i < chosen.passThroughCount; i++) {
        addAttribute(input, firstBinding, firstLocation, chosen.passThrough[i].place,
                     (VkFormat)chosen.passThrough[i].format);
    }
    return VKSKIN_SUCCESS;
}
