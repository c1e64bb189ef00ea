#include "barriers.h"
#include "commands.h"
#include "cpu_backend.h"
#include "fills.h"
#include "record.h"
#include "stable_sort.h"

/* ---- Uploads and skinning ---- */

/* Every device supports this many groups in both dimensions of a dispatch. */
#define MAX_GROUPS 65535u

static bool ownBarriers(VkskinContext context) {
    return context->def.barriers == VKSKIN_BARRIERS_RECORDED;
}

bool sknBeginOwnScope(VkskinContext context, VkCommandBuffer commandBuffer, const char *name) {
    sknBeginLabel(&context->gpu, commandBuffer, name);
    return sknBeginScope(&context->gpu, &context->scopes, context->recording->slotSerial, commandBuffer, name);
}

void sknEndOwnScope(VkskinContext context, VkCommandBuffer commandBuffer, const char *name, bool begun) {
    if (begun) {
        (void)sknEndScope(&context->gpu, &context->scopes, context->recording->slotSerial, commandBuffer, name);
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
    for (uint32_t i = 0; i < sknRingPageCount(&context->ring, context->recording->slot); i++) {
        PalettePage *page = sknRecordedPage(context, i);
        if (page->copied < page->used) {
            VkBufferCopy copy = {page->copied, page->copied, page->used - page->copied};
            context->gpu.vk.vkCmdCopyBuffer(commandBuffer, page->host.handle, page->device.handle, 1, &copy);
            page->copied = page->used;
        }
    }
}

/* The host may write palettes until it submits; only with memory that is not coherent it must have written them now. */
static VkskinResult flushPalettes(VkskinContext context) {
    VkskinResult result = VKSKIN_SUCCESS;
    for (uint32_t i = 0; result >= 0 && i < sknRingPageCount(&context->ring, context->recording->slot); i++) {
        const PalettePage *page = sknRecordedPage(context, i);
        result = sknFlushBuffer(&context->gpu, &page->host, 0, page->used);
    }
    return result;
}

static bool uploadsPending(VkskinContext context) {
    bool pending =
        context->uploads.recorded < sknUploadsDue(&context->uploads) || context->fills.recorded < sknFillsDue(context);
    for (uint32_t i = 0; context->ring.staged && i < sknRingPageCount(&context->ring, context->recording->slot); i++) {
        const PalettePage *page = sknRecordedPage(context, i);
        pending = pending || page->copied < page->used;
    }
    return pending;
}

/* Copies to pages of meshes and palettes. */
static const BarrierSide sourceCopies = {VK_PIPELINE_STAGE_TRANSFER_BIT, 0};
static const BarrierSide copiedSource = {VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT};

VkskinResult sknRecordUploads(VkskinContext context, VkCommandBuffer commandBuffer) {
    static const char call[] = "vkskinRecordUploads";
    VkskinResult result = sknNeedFrame(context, call, "commandBuffer", (const void *)commandBuffer);
    if (result >= 0) {
        result = flushPalettes(context);
    }
    if (result < 0) {
        return result;
    }
    if (!uploadsPending(context)) {
        sknMarkUploadsRecorded(&context->uploads); /* none, which ends the seal */
        return VKSKIN_SUCCESS;
    }
    const VkPipelineStageFlags hostReads = context->ring.staged ? context->def.paletteStages : 0;
    bool scope = sknBeginOwnScope(context, commandBuffer, "upload");
    if (ownBarriers(context)) {
        /* Earlier skinning may still read the same pages. Its bytes do not change, but validation sees whole buffers. */
        const BarrierSide earlier = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | hostReads, 0};
        sknRecordBarrier(&context->gpu, commandBuffer, earlier, sourceCopies);
    }
    uint32_t fillsDue = sknFillsDue(context); /* recording the uploads ends the seal */
    recordMeshCopies(context, commandBuffer);
    if (context->ring.staged) {
        recordPaletteCopies(context, commandBuffer);
    }
    sknRecordFills(context, commandBuffer, fillsDue);
    if (ownBarriers(context)) {
        const BarrierSide readers = {
            .stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | hostReads,
            .access = VK_ACCESS_SHADER_READ_BIT | (hostReads != 0 ? context->def.paletteAccess : 0),
        };
        sknRecordBarrier(&context->gpu, commandBuffer, copiedSource, readers);
    }
    sknEndOwnScope(context, commandBuffer, "upload", scope);
    return VKSKIN_SUCCESS;
}

/*
 * With fewer regions than frames in flight, skinning writes a region that the frame before wrote and that is still read:
 * it waits for both. With one region per frame, vkskinBeginFrame guarantees that the region is free.
 */
static void waitForReaders(VkskinContext context, VkCommandBuffer commandBuffer) {
    if (context->def.outputRegions < context->def.framesInFlight) {
        const BarrierSide users = {context->def.consumerStages | VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                   VK_ACCESS_SHADER_WRITE_BIT};
        const BarrierSide writers = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT};
        sknRecordBarrier(&context->gpu, commandBuffer, users, writers);
    }
}

static void recordOutputBarrier(VkskinContext context, VkCommandBuffer commandBuffer) {
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
    context->visitSerial++;
    for (uint32_t i = 0; i < context->jobs.dispatchCount; i++) {
        const JobKey *key = sknDispatchKey(&context->jobs, &context->jobs.dispatches[i]);
        Page *page = &context->outputPages.pages[key->outputPage];
        if (page->marks[key->outputRegion] != context->visitSerial) {
            page->marks[key->outputRegion] = context->visitSerial;
            sknAddBarrier(&batch, page->buffer.handle, page->planes[key->outputRegion], page->planeSize);
        }
    }
    sknFlushBarriers(&batch);
}

static void recordDispatch(VkskinContext context, VkCommandBuffer commandBuffer, const Dispatch *dispatch) {
    const Gpu *gpu = &context->gpu;
    VkPipelineLayout layout = context->kernels.layout;
    const JobKey *key = sknDispatchKey(&context->jobs, dispatch);
    const VkDescriptorSet sets[LAYOUT_SET_COUNT] = {
        [LAYOUT_SET_TABLE] = sknTablePage(&context->jobs, context->recording->slot)->set,
        [LAYOUT_SET_MESH] = context->meshPages.pages[key->meshPage].sets[0],
        [LAYOUT_SET_PALETTE] = sknRecordedPage(context, key->palettePage)->set,
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

/* With host-owned barriers: whether the commands read uploads that vkskinRecordUploads has not recorded. */
static bool commandsAwaitUploads(VkskinContext context) {
    const Commands commands = sknUnrecorded(&context->recording->commands);
    for (uint32_t i = 0; i < commands.count; i++) {
        const Command *command = &commands.commands[i];
        const PalettePage *page = sknRecordedPage(context, command->key.palettePage);
        VkDeviceSize palette = (VkDeviceSize)command->target.palette * 16;
        const Mesh *mesh = sknMesh(context, command->key.mesh);
        /* A copy never ends within a palette. */
        bool paletteWaits = mesh->info.boneCount > 0 && context->ring.staged && palette >= page->copied;
        const Instance *instance = sknInstance(context, command->owner);
        bool fillWaits = instance->fill != NO_INDEX && instance->fill >= context->fills.recorded;
        if (paletteWaits || fillWaits || mesh->uploadPending) {
            return true;
        }
    }
    return false;
}

static VkskinResult prepareSkinning(VkskinContext context, VkCommandBuffer commandBuffer) {
    if (ownBarriers(context)) {
        return sknRecordUploads(context, commandBuffer);
    }
    if (commandsAwaitUploads(context)) {
        return sknReport(
            &context->gpu.logger, VKSKIN_ERROR_UPLOADS_PENDING,
            "vkskinRecordSkinning: call vkskinRecordUploads first, then record the barrier between the two");
    }
    return flushPalettes(context);
}

/* Writes and flushes the table. If the flush fails, the table is as before. */
static VkskinResult buildTable(VkskinContext context) {
    JobTable *jobs = &context->jobs;
    const uint32_t slot = context->recording->slot;
    const Commands commands = sknUnrecorded(&context->recording->commands);
    uint32_t *usedWords = &sknTablePage(jobs, slot)->usedWords;
    uint32_t usedBefore = *usedWords;
    sknBuildJobs(jobs, &commands, &context->meshes, slot, context->kernels.settings.workgroupSize,
                 context->kernels.settings.instancesPerThread);
    VkskinResult result = sknFlushJobs(&context->gpu, jobs, slot);
    if (result < 0) {
        *usedWords = usedBefore;
    }
    return result;
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
    if (result < 0 || sknUnrecorded(&context->recording->commands).count == 0) {
        return result;
    }
    result = buildTable(context);
    if (result < 0) {
        return result;
    }
    bool barriers = ownBarriers(context) && !sknTwoFamilies(context);
    bool scope = sknBeginOwnScope(context, commandBuffer, "skinning");
    if (barriers) {
        waitForReaders(context, commandBuffer);
    }
    sknRecordRefills(context, commandBuffer);
    recordDispatches(context, commandBuffer);
    if (barriers) {
        recordOutputBarrier(context, commandBuffer);
    }
    sknEndOwnScope(context, commandBuffer, "skinning", scope);
    sknFinishCommands(context);
    return VKSKIN_SUCCESS;
}

VkskinResult vkskinRecordUploads(VkskinContext context, VkCommandBuffer commandBuffer) {
    bool shared = false;
    VkskinResult result = sknEnterRecording(context, &shared);
    return result < 0 ? result : sknLeaveRecording(context, shared, sknRecordUploads(context, commandBuffer));
}

/* ---- Skinning on the CPU ---- */

static VkskinResult beginOnCpu(VkskinContext context, VkCommandBuffer commandBuffer, uint32_t *jobCount) {
    static const char call[] = "vkskinRecordSkinning";
    VkskinResult result = sknNeedFrame(context, call, "commandBuffer", (const void *)commandBuffer);
    if (result >= 0) {
        result = sknNeedOwnership(context, call);
    }
    if (result >= 0) {
        *jobCount = sknBeginCpuWork(context);
        sknFinishCommands(context);
    }
    return result;
}

/* Skins without the context's lock, so that other calls may add commands, create and destroy meanwhile. The next frame,
 * which frees destroyed objects, does not begin until the work is done. */
static VkskinResult skinOnCpu(VkskinContext context, VkCommandBuffer commandBuffer) {
    uint32_t jobCount = 0;
    bool shared = false;
    (void)sknEnterRecording(context, &shared);
    VkskinResult result = sknLeaveRecording(context, shared, beginOnCpu(context, commandBuffer, &jobCount));
    if (result < 0) {
        return result;
    }
    if (jobCount > 0) {
        sknSkinJobs(context->cpu.busy.jobs, jobCount, &context->cpu.run);
    }
    sknLockAlone(&context->lock);
    return sknLeave(context, sknEndCpuWork(context));
}

VkskinResult vkskinRecordSkinning(VkskinContext context, VkCommandBuffer commandBuffer) {
    if (context == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    if (sknOnCpu(context)) {
        sknLock(&context->cpu.lock);
        VkskinResult result = skinOnCpu(context, commandBuffer);
        sknUnlock(&context->cpu.lock);
        return result;
    }
    bool shared = false;
    (void)sknEnterRecording(context, &shared);
    return sknLeaveRecording(context, shared, recordSkinning(context, commandBuffer));
}

/* ---- Accesses, for hosts that record the barriers ---- */

typedef struct List {
    VkskinAccess *accesses;
    uint32_t capacity;
    uint32_t count;
} List;

static void add(List *list, const VkskinAccess *access) {
    if (list->accesses != NULL && list->count < list->capacity) {
        list->accesses[list->count] = *access;
    }
    list->count++;
}

/* Adds one plane of a page, once per visit. */
static void addPlane(VkskinContext context, List *list, Page *page, uint32_t region, VkPipelineStageFlags stages,
                     VkAccessFlags access) {
    if (page->marks[region] != context->visitSerial) {
        page->marks[region] = context->visitSerial;
        add(list, &(VkskinAccess){page->buffer.handle, page->planes[region], page->planeSize, stages, access});
    }
}

static void addPalettes(List *list, const PalettePage *page, VkPipelineStageFlags stages, VkAccessFlags access) {
    add(list, &(VkskinAccess){page->device.handle, 0, page->device.size, stages, access});
}

/* Pass-through attributes: read from the mesh pages, written to all regions of new instances. */
static void addFills(VkskinContext context, List *list) {
    for (uint32_t i = context->fills.recorded; i < sknFillsDue(context); i++) {
        if (context->fills.instances[i] == NO_INDEX) {
            continue;
        }
        const Instance *instance = sknInstance(context, context->fills.instances[i]);
        const Mesh *mesh = sknMesh(context, instance->mesh);
        addPlane(context, list, &context->meshPages.pages[mesh->source.page], 0, VK_PIPELINE_STAGE_TRANSFER_BIT,
                 VK_ACCESS_TRANSFER_READ_BIT);
        for (uint32_t region = 0; region < mesh->regions; region++) {
            addPlane(context, list, &context->outputPages.pages[instance->output.page], region,
                     VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
        }
    }
}

static void addUploads(VkskinContext context, List *list) {
    const Uploads *uploads = &context->uploads;
    bool fills = context->fills.recorded < sknFillsDue(context);
    for (uint32_t i = uploads->recorded; i < sknUploadsDue(uploads); i++) {
        addPlane(context, list, &context->meshPages.pages[uploads->copies[i].target.page], 0,
                 VK_PIPELINE_STAGE_TRANSFER_BIT,
                 VK_ACCESS_TRANSFER_WRITE_BIT | (fills ? VK_ACCESS_TRANSFER_READ_BIT : 0));
    }
    addFills(context, list);
    for (uint32_t i = 0; context->ring.staged && i < sknRingPageCount(&context->ring, context->recording->slot); i++) {
        const PalettePage *page = sknRecordedPage(context, i);
        if (page->copied < page->used) {
            addPalettes(list, page, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
        }
    }
}

/* Host writes (mapped palettes, the CPU backend) need no access: the submission makes them visible. */
static void addSkinning(VkskinContext context, List *list) {
    if (sknOnCpu(context)) {
        return;
    }
    const Commands commands = sknUnrecorded(&context->recording->commands);
    bool refills = false;
    for (uint32_t i = 0; i < commands.count; i++) {
        refills = refills || sknRefills(context, sknMesh(context, commands.commands[i].key.mesh));
    }
    for (uint32_t i = 0; i < commands.count; i++) {
        const JobKey *key = &commands.commands[i].key;
        VkPipelineStageFlags stages =
            VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | (refills ? VK_PIPELINE_STAGE_TRANSFER_BIT : 0);
        addPlane(context, list, &context->meshPages.pages[key->meshPage], 0, stages,
                 VK_ACCESS_SHADER_READ_BIT | (refills ? VK_ACCESS_TRANSFER_READ_BIT : 0));
        addPlane(context, list, &context->outputPages.pages[key->outputPage], key->outputRegion, stages,
                 VK_ACCESS_SHADER_WRITE_BIT | (refills ? VK_ACCESS_TRANSFER_WRITE_BIT : 0));
    }
    for (uint32_t i = 0; context->ring.staged && i < sknRingPageCount(&context->ring, context->recording->slot); i++) {
        const PalettePage *page = sknRecordedPage(context, i);
        if (page->used > 0) {
            addPalettes(list, page, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT);
        }
    }
}

static void addOf(void *list, const VkskinAccess *access) {
    add(list, access);
}

static VkskinResult getAccesses(VkskinContext context, const char *call, VkskinPass pass, VkskinAccess *accesses,
                                uint32_t *count) {
    if ((uint32_t)pass > VKSKIN_PASS_CROWDS) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_INVALID_VALUE, "%s: pass is %u, not a VkskinPass", call,
                         (unsigned)pass);
    }
    List list = {.accesses = accesses, .capacity = *count};
    context->visitSerial++;
    if (pass == VKSKIN_PASS_UPLOAD) {
        /* The host builds barriers from this list. Uploads that other threads add later must not be recorded with it. */
        if (context->def.barriers == VKSKIN_BARRIERS_HOST) {
            sknSealFills(context);
            sknSealUploads(&context->uploads);
        }
        addUploads(context, &list);
    } else if (pass == VKSKIN_PASS_CROWDS) {
        context->crowdCalls->listAccesses(context, addOf, &list);
    } else {
        addSkinning(context, &list);
    }
    bool incomplete = accesses != NULL && list.count > list.capacity;
    *count = incomplete ? list.capacity : list.count;
    if (incomplete) {
        return sknReport(&context->gpu.logger, VKSKIN_WARNING_INCOMPLETE, "%s: room for %u of %u accesses", call,
                         list.capacity, list.count);
    }
    return VKSKIN_SUCCESS;
}

VkskinResult vkskinGetAccesses(VkskinContext context, VkskinPass pass, VkskinAccess *accesses, uint32_t *count) {
    static const char call[] = "vkskinGetAccesses";
    bool shared = false;
    VkskinResult result = sknEnterRecordingFrame(context, call, "count", count, &shared);
    return result < 0 ? result : sknLeaveRecording(context, shared, getAccesses(context, call, pass, accesses, count));
}

/* ---- Queue family ownership ---- */

typedef struct Written {
    uint32_t page;
    VkDeviceSize begin, end;
} Written;

static Written writtenRange(const struct VkskinContext_T *context, uint32_t index) {
    const Instance *instance = sknInstance(context, index);
    const Update *update = sknUpdateOf(&instance->updates, context->recording->number);
    VkDeviceSize begin = sknRangeOffset(&context->outputPages, &instance->output, update->region);
    return (Written){instance->output.page, begin, begin + instance->output.size};
}

static bool comesAfter(const void *data, uint32_t a, uint32_t b) {
    Written first = writtenRange(data, a);
    Written second = writtenRange(data, b);
    return first.page != second.page ? first.page > second.page : first.begin > second.begin;
}

static void sortWritten(VkskinContext context) {
    if (!context->writtenSorted && context->writtenCount > 0) {
        context->writtenSorted = true;
        sknSortStable(context->written, context->writtenCount, context->written + context->writtenCapacity, comesAfter,
                      context);
    }
}

/* Release and acquire list the same ranges: adjacent ranges are joined the same way, in the same order. */
static void recordTransfer(VkskinContext context, BarrierBatch *batch) {
    sortWritten(context);
    batch->gpu = &context->gpu;
    batch->like.srcQueueFamilyIndex = context->def.computeQueueFamily;
    batch->like.dstQueueFamilyIndex = context->def.graphicsQueueFamily;
    for (uint32_t i = 0; i < context->writtenCount;) {
        Written joined = writtenRange(context, context->written[i++]);
        for (; i < context->writtenCount; i++) {
            Written next = writtenRange(context, context->written[i]);
            if (next.page != joined.page || next.begin != joined.end) {
                break;
            }
            joined.end = next.end;
        }
        sknAddBarrier(batch, context->outputPages.pages[joined.page].buffer.handle, joined.begin,
                      joined.end - joined.begin);
    }
    sknFlushBarriers(batch);
}

/* Release and acquire come once per frame: a second one would list ranges that the other family owns. */
static VkskinResult recordHalf(VkskinContext context, const char *call, bool *recorded, BarrierBatch *half) {
    if (*recorded) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_INVALID_VALUE, "%s: it was recorded in this frame already",
                         call);
    }
    *recorded = true;
    if (sknTwoFamilies(context)) {
        recordTransfer(context, half);
    }
    return VKSKIN_SUCCESS;
}

VkskinResult vkskinRecordRelease(VkskinContext context, VkCommandBuffer commandBuffer) {
    static const char call[] = "vkskinRecordRelease";
    bool shared = false;
    VkskinResult result = sknEnterRecordingFrame(context, call, "commandBuffer", (const void *)commandBuffer, &shared);
    if (result < 0) {
        return result;
    }
    BarrierBatch release = {
        .commandBuffer = commandBuffer,
        .from = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
        .to = VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT,
        .like = {.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT},
    };
    return sknLeaveRecording(context, shared, recordHalf(context, call, &context->released, &release));
}

VkskinResult vkskinRecordAcquire(VkskinContext context, VkCommandBuffer commandBuffer) {
    static const char call[] = "vkskinRecordAcquire";
    bool shared = false;
    VkskinResult result = sknEnterRecordingFrame(context, call, "commandBuffer", (const void *)commandBuffer, &shared);
    if (result < 0) {
        return result;
    }
    /* From the consumers' stages: the semaphore wait ends there, and the acquire must come after it. */
    BarrierBatch acquire = {
        .commandBuffer = commandBuffer,
        .from = context->def.consumerStages,
        .to = context->def.consumerStages,
        .like = {.dstAccessMask = context->def.consumerAccess},
    };
    return sknLeaveRecording(context, shared, recordHalf(context, call, &context->acquired, &acquire));
}
