#include "barriers.h"
#include "record.h"

/* Both dimensions that a dispatch uses hold this many groups on every device. */
#define MAX_GROUPS 65535u

static bool ownBarriers(VkskinContext context) {
    return context->def.barriers == VKSKIN_BARRIERS_RECORDED;
}

/* The library's own scopes: where the host has used up the room they are left out. */
static bool beginOwnScope(VkskinContext context, VkCommandBuffer commandBuffer, const char *name) {
    sknBeginLabel(&context->gpu, commandBuffer, name);
    return sknBeginScope(&context->gpu, &context->scopes, context->turn, commandBuffer, name);
}

static void endOwnScope(VkskinContext context, VkCommandBuffer commandBuffer, const char *name, bool begun) {
    if (begun) {
        (void)sknEndScope(&context->gpu, &context->scopes, context->turn, commandBuffer, name);
    }
    sknEndLabel(&context->gpu, commandBuffer);
}

static void recordMeshCopies(VkskinContext context, VkCommandBuffer commandBuffer) {
    Uploads *uploads = &context->uploads;
    uint32_t due = sknUploadsDue(uploads);
    for (uint32_t i = uploads->recorded; i < due; i++) {
        const Upload *upload = &uploads->copies[i];
        VkBufferCopy copy = {upload->sourceOffset, upload->target.offset, upload->target.size};
        VkBuffer target = context->meshPages.pages[upload->target.page].buffer.handle;
        context->gpu.vk.vkCmdCopyBuffer(commandBuffer, sknUploadSource(upload), target, 1, &copy);
        sknMesh(context, upload->owner)->uploadPending = false;
    }
    sknMarkUploadsRecorded(uploads);
}

static void recordPaletteCopies(VkskinContext context, VkCommandBuffer commandBuffer) {
    for (uint32_t i = 0; i < context->ring.pagesPerSlot; i++) {
        PalettePage *page = sknRingPage(&context->ring, i);
        if (page->copied < page->used) {
            VkBufferCopy copy = {page->copied, page->copied, page->used - page->copied};
            context->gpu.vk.vkCmdCopyBuffer(commandBuffer, page->host.handle, page->device.handle, 1, &copy);
            page->copied = page->used;
        }
    }
}

/* Palettes are the host's to write until it submits; only where memory is not coherent must that be now. */
static VkskinResult flushPalettes(VkskinContext context) {
    VkskinResult result = VKSKIN_SUCCESS;
    for (uint32_t i = 0; result >= 0 && i < context->ring.pagesPerSlot; i++) {
        const PalettePage *page = sknRingPage(&context->ring, i);
        result = sknFlushBuffer(&context->gpu, &page->host, 0, page->used);
    }
    return result;
}

static bool uploadsPending(VkskinContext context) {
    bool pending = context->uploads.recorded < sknUploadsDue(&context->uploads);
    for (uint32_t i = 0; context->ring.staged && i < context->ring.pagesPerSlot; i++) {
        const PalettePage *page = sknRingPage(&context->ring, i);
        pending = pending || page->copied < page->used;
    }
    return pending;
}

static VkskinResult recordUploads(VkskinContext context, VkCommandBuffer commandBuffer) {
    static const char call[] = "vkskinRecordUploads";
    VkskinResult result = sknNeedFrame(context, call, "commandBuffer", (const void *)commandBuffer);
    if (result >= 0) {
        result = flushPalettes(context);
    }
    if (result < 0) {
        return result;
    }
    if (!uploadsPending(context)) {
        sknMarkUploadsRecorded(&context->uploads); /* none, and so many were asked for */
        return VKSKIN_SUCCESS;
    }
    bool scope = beginOwnScope(context, commandBuffer, "upload");
    if (ownBarriers(context)) {
        /* Earlier skinning may still read the same pages. No byte of it changes, but a barrier sees whole buffers. */
        context->gpu.vk.vkCmdPipelineBarrier(commandBuffer, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                             VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, NULL, 0, NULL, 0, NULL);
    }
    recordMeshCopies(context, commandBuffer);
    if (context->ring.staged) {
        recordPaletteCopies(context, commandBuffer);
    }
    if (ownBarriers(context)) {
        VkMemoryBarrier barrier = {
            .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
            .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
            .dstAccessMask = VK_ACCESS_SHADER_READ_BIT,
        };
        context->gpu.vk.vkCmdPipelineBarrier(commandBuffer, VK_PIPELINE_STAGE_TRANSFER_BIT,
                                             VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
    }
    endOwnScope(context, commandBuffer, "upload", scope);
    return VKSKIN_SUCCESS;
}

/*
 * With fewer regions than frames, skinning writes where the frame before wrote and is still read: it waits for both.
 * With a region for every frame the host's promise covers it.
 */
static void waitForReaders(VkskinContext context, VkCommandBuffer commandBuffer) {
    if (context->def.outputRegions < context->def.framesInFlight) {
        VkMemoryBarrier barrier = {
            .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
            .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
            .dstAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
        };
        context->gpu.vk.vkCmdPipelineBarrier(commandBuffer,
                                             context->def.consumerStages | VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                             VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
    }
}

static void showToReaders(VkskinContext context, VkCommandBuffer commandBuffer) {
    BarrierBatch batch = {
        .gpu = &context->gpu,
        .commandBuffer = commandBuffer,
        .from = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
        .to = context->def.consumerStages,
        .like = {.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                 .dstAccessMask = context->def.consumerAccess,
                 .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                 .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED},
    };
    context->walk++;
    for (uint32_t i = 0; i < context->jobs.dispatchCount; i++) {
        const JobKey *key = sknDispatchKey(&context->jobs, &context->jobs.dispatches[i]);
        Page *page = &context->outputPages.pages[key->outputPage];
        if (page->marks[key->outputRegion] != context->walk) {
            page->marks[key->outputRegion] = context->walk;
            sknAddBarrier(&batch, page->buffer.handle, key->outputRegion * page->planeSize, page->planeSize);
        }
    }
    sknFlushBarriers(&batch);
}

static void recordDispatch(VkskinContext context, VkCommandBuffer commandBuffer, const Dispatch *dispatch) {
    const Gpu *gpu = &context->gpu;
    VkPipelineLayout layout = context->kernels.layout;
    const JobKey *key = sknDispatchKey(&context->jobs, dispatch);
    const VkDescriptorSet sets[LAYOUT_SET_COUNT] = {
        [LAYOUT_SET_TABLE] = context->jobs.sets[context->slot],
        [LAYOUT_SET_MESH] = context->meshPages.pages[key->meshPage].sets[0],
        [LAYOUT_SET_PALETTE] = sknRingPage(&context->ring, key->palettePage)->set,
        [LAYOUT_SET_OUTPUT] = context->outputPages.pages[key->outputPage].sets[key->outputRegion],
    };
    gpu->vk.vkCmdBindDescriptorSets(commandBuffer, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, LAYOUT_SET_COUNT, sets, 0,
                                    NULL);
    gpu->vk.vkCmdPushConstants(commandBuffer, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof dispatch->push,
                               &dispatch->push);
    uint32_t groups = dispatch->push.groupCount;
    uint32_t columns = groups < MAX_GROUPS ? groups : MAX_GROUPS;
    gpu->vk.vkCmdDispatch(commandBuffer, columns, (groups - 1) / columns + 1, 1);
}

static void recordDispatches(VkskinContext context, VkCommandBuffer commandBuffer) {
    const JobTable *jobs = &context->jobs;
    VkPipeline bound = VK_NULL_HANDLE;
    for (uint32_t i = 0; i < jobs->dispatchCount; i++) {
        const Dispatch *dispatch = &jobs->dispatches[i];
        uint32_t kernel = sknKernelOf(sknDispatchKey(jobs, dispatch)->kernel, dispatch->influences);
        VkPipeline pipeline = context->kernels.pipelines[kernel];
        if (pipeline != bound) {
            context->gpu.vk.vkCmdBindPipeline(commandBuffer, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
            bound = pipeline;
        }
        recordDispatch(context, commandBuffer, dispatch);
    }
}

void sknCountCommands(VkskinContext context) {
    VkskinStats *stats = &context->frameStats;
    const JobTable *jobs = &context->jobs;
    for (uint32_t i = 0; i < jobs->jobCount; i++) {
        const Mesh *mesh = sknMesh(context, jobs->jobs[i].key.mesh);
        uint64_t vertices = (uint64_t)jobs->jobs[i].count * mesh->info.vertexCount;
        stats->verticesSkinned += vertices;
        stats->outputBytes +=
            vertices * (sknPositionStride(mesh) + sknAttributeStride(mesh->info.format, mesh->attributes));
    }
    stats->instancesSkinned += jobs->commandCount;
    stats->dispatches += jobs->dispatchCount;
    for (uint32_t i = 0; context->written != NULL && i < jobs->commandCount; i++) {
        context->written[context->writtenCount++] = jobs->commands[i].owner;
        context->writtenSorted = false;
    }
}

/* With barriers of the host's, what the commands read must have been recorded by a call of its own. */
static bool commandsAwaitUploads(VkskinContext context) {
    for (uint32_t i = 0; i < context->jobs.commandCount; i++) {
        const Command *command = &context->jobs.commands[i];
        const PalettePage *page = sknRingPage(&context->ring, command->key.palettePage);
        VkDeviceSize palette = (VkDeviceSize)command->target.palette * 16;
        const Mesh *mesh = sknMesh(context, command->key.mesh);
        /* Palettes are copied whole. */
        bool paletteWaits = mesh->info.boneCount > 0 && context->ring.staged && palette >= page->copied;
        if (paletteWaits || mesh->uploadPending) {
            return true;
        }
    }
    return false;
}

static VkskinResult prepareSkinning(VkskinContext context, VkCommandBuffer commandBuffer) {
    if (ownBarriers(context)) {
        return recordUploads(context, commandBuffer);
    }
    if (commandsAwaitUploads(context)) {
        return sknReport(
            &context->gpu.logger, VKSKIN_ERROR_UPLOADS_PENDING,
            "vkskinRecordSkinning: call vkskinRecordUploads first, then record the barrier between the two");
    }
    return flushPalettes(context);
}

/* Writes the table; where it cannot be made visible to the device nothing has happened. */
static VkskinResult buildTable(VkskinContext context) {
    JobTable *jobs = &context->jobs;
    uint32_t usedBefore = jobs->usedWords;
    sknBuildJobs(jobs, &context->meshes, context->slot, context->kernels.settings.workgroupSize,
                 context->kernels.settings.instancesPerThread);
    VkskinResult result = sknFlushJobs(&context->gpu, jobs, context->slot);
    if (result < 0) {
        jobs->usedWords = usedBefore;
    }
    return result;
}

VkskinResult sknNeedOwnership(VkskinContext context, const char *call) {
    if (context->jobs.commandCount > 0 && (context->released || context->acquired)) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_INVALID_VALUE, "%s: %s was recorded in this frame already",
                         call, context->released ? "vkskinRecordRelease" : "vkskinRecordAcquire");
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult recordSkinning(VkskinContext context, VkCommandBuffer commandBuffer) {
    static const char call[] = "vkskinRecordSkinning";
    VkskinResult result = sknNeedFrame(context, call, "commandBuffer", (const void *)commandBuffer);
    if (result >= 0) {
        result = sknNeedOwnership(context, call);
    }
    if (result >= 0) {
        result = prepareSkinning(context, commandBuffer);
    }
    if (result < 0 || context->jobs.commandCount == 0) {
        return result;
    }
    result = buildTable(context);
    if (result < 0) {
        return result;
    }
    bool barriers = ownBarriers(context) && !sknTwoFamilies(context);
    bool scope = beginOwnScope(context, commandBuffer, "skinning");
    if (barriers) {
        waitForReaders(context, commandBuffer);
    }
    recordDispatches(context, commandBuffer);
    if (barriers) {
        showToReaders(context, commandBuffer);
    }
    endOwnScope(context, commandBuffer, "skinning", scope);
    sknCountCommands(context);
    sknForgetCommands(context);
    return VKSKIN_SUCCESS;
}

VkskinResult vkskinRecordUploads(VkskinContext context, VkCommandBuffer commandBuffer) {
    VkskinResult result = sknEnter(context);
    return result < 0 ? result : sknLeave(context, recordUploads(context, commandBuffer));
}

VkskinResult vkskinRecordSkinning(VkskinContext context, VkCommandBuffer commandBuffer) {
    if (context == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    if (sknOnCpu(context)) {
        return sknSkinOnCpu(context, commandBuffer);
    }
    sknLock(&context->lock);
    return sknLeave(context, recordSkinning(context, commandBuffer));
}
