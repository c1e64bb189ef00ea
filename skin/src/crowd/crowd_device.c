#include <string.h>

#include "barriers.h"
#include "crowd.h"
#include "record.h"

/* What is being recorded. */
typedef struct Recording {
    VkskinContext context;
    VkCommandBuffer commandBuffer;
    Crowd *crowd;
    const CrowdFrame *frame;
    uint32_t slot;
} Recording;

static const BarrierSide computeWrites = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT};
static const BarrierSide copies = {VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT};
static const BarrierSide computeUses = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                        VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT};

static void barrier(const Recording *r, BarrierSide from, BarrierSide to) {
    sknRecordBarrier(&r->context->gpu, r->commandBuffer, from, to);
}

static void betweenPasses(const Recording *r) {
    barrier(r, computeWrites, computeUses);
}

/* ---- Uploads ---- */

static void copyAll(const Recording *r, const Buffer *from, const Buffer *to) {
    const VkBufferCopy copy = {0, 0, to->size};
    r->context->gpu.vk.vkCmdCopyBuffer(r->commandBuffer, from->handle, to->handle, 1, &copy);
}

/* Zero is the first state of all buffers. Whole buffers, whose sizes are multiples of 4. */
static void clearBuffers(const Recording *r) {
    const Crowd *crowd = r->crowd;
    const Buffer *const buffers[] = {&crowd->states, &crowd->colds, &crowd->work, &crowd->frame};
    for (size_t i = 0; i < SKN_COUNT(buffers); i++) {
        r->context->gpu.vk.vkCmdFillBuffer(r->commandBuffer, buffers[i]->handle, 0, VK_WHOLE_SIZE, 0);
    }
}

/* Kernels trust the structure: each frame brings its own, because an earlier one may never have run. */
static void copyStructure(const Recording *r) {
    const VkBufferCopy copy = {0, 0, (VkDeviceSize)r->crowd->plan.structureWords * 4};
    r->context->gpu.vk.vkCmdCopyBuffer(r->commandBuffer, r->crowd->staging.handle, r->crowd->tables.handle, 1, &copy);
}

static void recordUploads(const Recording *r) {
    ClipSet *clips = sknClipSet(r->context, r->crowd->clipSet);
    const uint64_t frame = r->context->recording->number;
    const bool crowd = r->crowd->upload.frame == 0;
    const bool set = clips->upload.frame == 0;
    if (crowd) {
        clearBuffers(r);
        copyAll(r, &r->crowd->staging, &r->crowd->tables);
        r->crowd->upload.frame = frame;
    } else {
        copyStructure(r);
    }
    if (set) {
        copyAll(r, &clips->staging, &clips->device);
        clips->upload.frame = frame;
    }
    if (crowd || set) {
        barrier(r, copies, computeUses);
    }
}

static VkskinResult writeInput(const Recording *r, uint32_t changes) {
    const CrowdInput *input = &r->crowd->inputs[r->slot];
    uint32_t *words = input->buffer.memory.mapped;
    memcpy(words + CROWD_INPUT_PLANES, &r->frame->views, sizeof r->frame->views);
    sknWriteChanges(&r->crowd->changes, words + CROWD_INPUT_CHANGES);
    return sknFlushBuffer(&r->context->gpu, &input->buffer, 0,
                          (CROWD_INPUT_CHANGES + (VkDeviceSize)changes * CROWD_CHANGE_WORDS) * sizeof *words);
}

/* ---- Passes ---- */

static void bind(const Recording *r, VkPipeline pipeline, const VkDescriptorSet sets[CROWD_SETS]) {
    const Gpu *gpu = &r->context->gpu;
    gpu->vk.vkCmdBindPipeline(r->commandBuffer, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    gpu->vk.vkCmdBindDescriptorSets(r->commandBuffer, VK_PIPELINE_BIND_POINT_COMPUTE, r->context->crowdKernels->layout,
                                    0, CROWD_SETS, sets, 0, NULL);
}

static void dispatch(const Recording *r, uint32_t groups) {
    const uint32_t columns = groups < CROWD_MOST_GROUPS ? groups : CROWD_MOST_GROUPS;
    r->context->gpu.vk.vkCmdDispatch(r->commandBuffer, columns, (groups - 1) / columns + 1, 1);
    r->context->recording->recorded.dispatches++;
}

static void runPass(const Recording *r, CrowdPass pass, const LayoutCrowdPush *push, uint32_t groups,
                    const VkDescriptorSet sets[CROWD_SETS]) {
    bind(r, r->context->crowdKernels->pipelines[pass], sets);
    r->context->gpu.vk.vkCmdPushConstants(r->commandBuffer, r->context->crowdKernels->layout,
                                          VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof *push, push);
    dispatch(r, groups);
}

static uint32_t groupsOf(uint32_t threads) {
    return threads == 0 ? 1 : (threads - 1) / CROWD_GROUP + 1;
}

/* From the changes of the host to the lists and the skinned slots. The sets of each pass are those of its source. */
static void recordLists(const Recording *r) {
    const Crowd *crowd = r->crowd;
    const LayoutCrowdHead *head = sknCrowdHead(crowd->plan.tables);
    VkDescriptorSet input = crowd->inputs[r->slot].set;
    const VkDescriptorSet apply[] = {input, crowd->stateSet, crowd->coldSet, crowd->workSet};
    const VkDescriptorSet cull[] = {crowd->tableSet, crowd->stateSet, crowd->coldSet, crowd->workSet};
    const VkDescriptorSet walk[] = {crowd->tableSet, crowd->frameSet, input, crowd->workSet};
    const VkDescriptorSet describe[] = {crowd->tableSet, crowd->stateSet, crowd->coldSet, crowd->frameSet};
    LayoutCrowdPush push = r->frame->push;
    runPass(r, CROWD_PASS_APPLY, &push, groupsOf(push.changes), apply); /* without the tables */
    barrier(r, (BarrierSide){copies.stages | computeWrites.stages, copies.access | computeWrites.access}, computeUses);
    runPass(r, CROWD_PASS_CULL, &push, groupsOf(head->capacity), cull);
    betweenPasses(r);
    runPass(r, CROWD_PASS_COUNT, &push, groupsOf(head->capacity), walk);
    betweenPasses(r);
    runPass(r, CROWD_PASS_GRANT, &push, head->modelCount, walk);
    betweenPasses(r);
    runPass(r, CROWD_PASS_RANK, &push, groupsOf(head->blocks), walk);
    betweenPasses(r);
    push.columns = CROWD_SCAN_RANKS;
    runPass(r, CROWD_PASS_SCAN, &push, head->rankColumns, walk);
    betweenPasses(r);
    runPass(r, CROWD_PASS_DECIDE, &push, groupsOf(head->blocks), walk);
    betweenPasses(r);
    push.columns = CROWD_SCAN_GRANTS;
    runPass(r, CROWD_PASS_SCAN, &push, head->groupCount * CROWD_GRANT_COLUMNS, walk);
    betweenPasses(r);
    runPass(r, CROWD_PASS_ASSIGN, &push, groupsOf(head->blocks), walk);
    betweenPasses(r);
    push.columns = CROWD_SCAN_POOLS;
    runPass(r, CROWD_PASS_SCAN, &push, head->poolCount * head->poolColumns, walk);
    betweenPasses(r);
    runPass(r, CROWD_PASS_SCATTER, &push, groupsOf(head->blocks), walk);
    runPass(r, CROWD_PASS_FINISH, &push, 1, walk); /* reads nothing of scatter: they may run at the same time */
    betweenPasses(r);
    runPass(r, CROWD_PASS_DESCRIBE, &push, groupsOf(head->slotCount), describe);
    betweenPasses(r);
    runPass(r, CROWD_PASS_PARTS, &push, head->viewDraws * (head->poolColumns - CROWD_REFRESHED), describe);
}

static void dispatchIndirect(const Recording *r, uint32_t word) {
    r->context->gpu.vk.vkCmdDispatchIndirect(r->commandBuffer, r->crowd->frame.handle, (VkDeviceSize)word * 4);
    r->context->recording->recorded.dispatches++;
}

static void recordPoses(const Recording *r) {
    const Crowd *crowd = r->crowd;
    const ClipSetData *clips = &sknClipSet(r->context, crowd->clipSet)->data;
    for (uint32_t p = 0; p < crowd->plan.poolCount; p++) {
        const LayoutCrowdPool *pool = sknCrowdPool(crowd->plan.tables, p);
        const CrowdPoolPlan *plan = &crowd->plan.pools[p];
        const VkDescriptorSet sets[] = {
            [CROWD_POSE_SET_CLIPS] = sknClipSet(r->context, crowd->clipSet)->set,
            [CROWD_POSE_SET_TABLES] = crowd->tableSet,
            [CROWD_POSE_SET_PALETTES] = crowd->pools[p].poseSet,
            [CROWD_POSE_SET_FRAME] = crowd->frameSet,
        };
        const LayoutCrowdPosePush push = {
            .skin = sknCrowdGroup(crowd->plan.tables, pool->group)->skinAt,
            .count = pool->counts + CROWD_REFRESHED,
            .list = pool->refreshed,
            .poses = pool->poses,
            .paletteStride = pool->paletteUnits * 4,
            .scratch = (uint32_t)(plan->paletteBytes / 4),
            .scratchStride = (uint32_t)(plan->scratchBytes / plan->slots / 4),
            .nodeCount = clips->nodeCount,
            .lastClipWord = clips->wordCount - 1,
        };
        bind(r, r->context->crowdKernels->poses[crowd->skins[pool->group].encoding], sets);
        r->context->gpu.vk.vkCmdPushConstants(r->commandBuffer, r->context->crowdKernels->layout,
                                              VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof push, &push);
        dispatchIndirect(r, pool->poseGroups);
    }
}

/* One class of a part in a pool. */
static void skinClass(const Recording *r, uint32_t p, uint32_t partIndex, const LayoutCrowdJob *job,
                      uint32_t influences) {
    const Gpu *gpu = &r->context->gpu;
    const Crowd *crowd = r->crowd;
    const LayoutCrowdPool *pool = sknCrowdPool(crowd->plan.tables, p);
    const LayoutCrowdPart *part = sknCrowdPart(crowd->plan.tables, pool, partIndex);
    const CrowdMeshPart *held = &crowd->groups[pool->group].meshes[partIndex];
    const VkDescriptorSet sets[LAYOUT_SET_COUNT] = {
        [LAYOUT_SET_TABLE] = crowd->frameSet,
        [LAYOUT_SET_MESH] = r->context->meshPages.pages[sknMesh(r->context, held->mesh)->source.page].sets[0],
        [LAYOUT_SET_PALETTE] = crowd->pools[p].paletteSet,
        [LAYOUT_SET_OUTPUT] = crowd->pools[p].outputSet,
    };
    const LayoutDispatch push = {
        .jobs = job->job,
        .jobCount = 1,
        .instances = part->instances,
        .groupCount = UINT32_MAX,
    };
    VkPipelineLayout layout = r->context->kernels.layout;
    gpu->vk.vkCmdBindPipeline(r->commandBuffer, VK_PIPELINE_BIND_POINT_COMPUTE,
                              r->context->kernels.pipelines[sknKernelOf(held->kernel, influences)]);
    gpu->vk.vkCmdBindDescriptorSets(r->commandBuffer, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, LAYOUT_SET_COUNT, sets,
                                    0, NULL);
    gpu->vk.vkCmdPushConstants(r->commandBuffer, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof push, &push);
    dispatchIndirect(r, job->groups);
}

/* In the order of the jobs in the tables. */
static void recordSkinning(const Recording *r) {
    const Crowd *crowd = r->crowd;
    uint32_t job = 0;
    for (uint32_t p = 0; p < crowd->plan.poolCount; p++) {
        const CrowdGroupData *group = &crowd->groups[crowd->plan.pools[p].group];
        for (uint32_t part = 0; part < group->partCount; part++) {
            const Mesh *mesh = sknMesh(r->context, group->meshes[part].mesh);
            for (uint32_t c = 0; c < mesh->classCount; c++) {
                skinClass(r, p, part, sknCrowdJob(crowd->plan.tables, job++), mesh->classes[c].influences);
            }
        }
    }
}

/* ---- The frame ---- */

/* Slots, lists and vertices are used in each frame: passes wait for the readers of the frame before. own: for the host's
 * readers too. */
static void waitForReaders(const Recording *r, bool own) {
    const BarrierSide readers = {(own ? r->context->def.consumerStages : 0u) | VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT |
                                     VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
                                 VK_ACCESS_SHADER_WRITE_BIT};
    const BarrierSide writers = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
                                 VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT};
    barrier(r, readers, writers);
}

/* The host reads the counters when the frame has finished. */
static void releaseToReaders(const Recording *r, bool draws, bool answers) {
    const BarrierSide readers = {
        VK_PIPELINE_STAGE_HOST_BIT |
            (draws ? r->context->def.consumerStages | VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT : 0u),
        VK_ACCESS_HOST_READ_BIT | (draws ? r->context->def.consumerAccess | VK_ACCESS_INDIRECT_COMMAND_READ_BIT : 0u),
    };
    const BarrierSide writers = {computeWrites.stages | (answers ? copies.stages : 0u),
                                 computeWrites.access | (answers ? copies.access : 0u)};
    barrier(r, writers, readers);
}

static void recordPasses(const Recording *r) {
    static const BarrierSide arguments = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT,
                                          VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT |
                                              VK_ACCESS_INDIRECT_COMMAND_READ_BIT};
    bool scope = sknBeginOwnScope(r->context, r->commandBuffer, "crowd lists");
    recordUploads(r);
    recordLists(r);
    barrier(r, computeWrites, arguments);
    sknEndOwnScope(r->context, r->commandBuffer, "crowd lists", scope);
    scope = sknBeginOwnScope(r->context, r->commandBuffer, "crowd poses");
    recordPoses(r);
    betweenPasses(r);
    sknEndOwnScope(r->context, r->commandBuffer, "crowd poses", scope);
    scope = sknBeginOwnScope(r->context, r->commandBuffer, "crowd skinning");
    recordSkinning(r);
    sknEndOwnScope(r->context, r->commandBuffer, "crowd skinning", scope);
}

VkskinResult sknRecordCrowdOnDevice(VkskinContext context, VkCommandBuffer commandBuffer, Crowd *crowd,
                                    CrowdFrame *frame) {
    const Recording r = {
        .context = context,
        .commandBuffer = commandBuffer,
        .crowd = crowd,
        .frame = frame,
        .slot = context->recording->slot,
    };
    const bool own = context->def.barriers == VKSKIN_BARRIERS_RECORDED;
    VkskinResult result = own ? sknRecordUploads(context, commandBuffer) : VKSKIN_SUCCESS;
    if (result < 0) {
        return result;
    }
    frame->push.capacity = sknCrowdHead(crowd->plan.tables)->capacity;
    frame->push.groups = crowd->groupCount;
    frame->push.changes = sknRecordChanges(&crowd->changes, crowd->maxChanges);
    result = writeInput(&r, frame->push.changes);
    if (result < 0) {
        sknTakeBackChanges(&crowd->changes);
        return result;
    }
    waitForReaders(&r, own);
    recordPasses(&r);
    releaseToReaders(&r, own, sknRecordAnswers(context, commandBuffer, crowd, r.slot, frame->push.tick));
    return VKSKIN_SUCCESS;
}

/* ---- Accesses, for hosts that record the barriers ---- */

static void listCrowd(VkskinContext context, const Crowd *crowd, void (*add)(void *list, const VkskinAccess *access),
                      void *list) {
    const VkPipelineStageFlags compute = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
    const VkAccessFlags uses = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT;
    const bool upload = crowd->upload.frame == 0;
    const VkPipelineStageFlags cleared = upload ? VK_PIPELINE_STAGE_TRANSFER_BIT : 0u;
    const VkAccessFlags clears = upload ? VK_ACCESS_TRANSFER_WRITE_BIT : 0u;
    add(list, &(VkskinAccess){crowd->frame.handle, 0, crowd->frame.size,
                              compute | VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT | cleared,
                              uses | VK_ACCESS_INDIRECT_COMMAND_READ_BIT | clears});
    const bool asks = crowd->queries.next.count > 0;
    add(list, &(VkskinAccess){crowd->states.handle, 0, crowd->states.size,
                              compute | cleared | (asks ? VK_PIPELINE_STAGE_TRANSFER_BIT : 0u),
                              uses | clears | (asks ? VK_ACCESS_TRANSFER_READ_BIT : 0u)});
    for (uint32_t p = 0; p < crowd->plan.poolCount; p++) {
        const Buffer *output = &crowd->pools[p].output;
        const Buffer *palettes = &crowd->pools[p].palettes;
        add(list, &(VkskinAccess){output->handle, 0, output->size, compute, VK_ACCESS_SHADER_WRITE_BIT});
        add(list, &(VkskinAccess){palettes->handle, 0, palettes->size, compute, uses});
    }
    for (uint32_t g = 0; g < crowd->groupCount; g++) {
        for (uint32_t p = 0; p < crowd->groups[g].partCount; p++) {
            const PageRange *source = &sknMesh(context, crowd->groups[g].meshes[p].mesh)->source;
            const Page *page = &context->meshPages.pages[source->page];
            add(list, &(VkskinAccess){page->buffer.handle, page->planes[0], page->planeSize, compute,
                                      VK_ACCESS_SHADER_READ_BIT});
        }
    }
}

void sknListCrowdAccesses(VkskinContext context, void (*add)(void *list, const VkskinAccess *access), void *list) {
    for (uint32_t i = 0; !sknOnCpu(context) && i < context->crowds.capacity; i++) {
        const CrowdItem *item = sknHandleItem(&context->crowds, i);
        if (item->header.alive && item->crowd->recordedFrame != context->recording->number) {
            listCrowd(context, item->crowd, add, list);
        }
    }
}
