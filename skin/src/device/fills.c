#include "fills.h"

#include <string.h>

#include "barriers.h"

/* The CPU backend copies at once. */
static bool waitsForUpload(const struct VkskinContext_T *context, const Mesh *mesh) {
    return mesh->image.bytes > 0 && !sknOnCpu(context) && !sknRefills(context, mesh);
}

VkskinResult sknReserveFill(VkskinContext context, const Mesh *mesh) {
    Fills *fills = &context->fills;
    if (!waitsForUpload(context, mesh)) {
        return VKSKIN_SUCCESS;
    }
    uint32_t *instances = sknHostReserve(context->gpu.hostAllocator, fills->instances, fills->count + 1,
                                         &fills->capacity, sizeof *instances);
    if (instances == NULL) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY,
                         "vkskinCreateInstance: no memory to copy its pass-through attributes");
    }
    fills->instances = instances;
    return VKSKIN_SUCCESS;
}

static void fillOnHost(VkskinContext context, const Mesh *mesh, const Instance *instance) {
    Page *page = &context->outputPages.pages[instance->output.page];
    for (uint32_t region = 0; region < mesh->regions; region++) {
        unsigned char *output = (unsigned char *)page->buffer.memory.mapped +
                                sknRangeOffset(&context->outputPages, &instance->output, region);
        for (uint32_t s = 0; s < mesh->image.count; s++) {
            const ImageStream *stream = &mesh->image.streams[s];
            memcpy(output + stream->target, mesh->cpu->imageData + stream->source, (size_t)stream->size);
        }
        page->unflushed |= 1u << region;
    }
}

void sknAddFill(VkskinContext context, uint32_t index) {
    Instance *instance = sknInstance(context, index);
    const Mesh *mesh = sknMesh(context, instance->mesh);
    instance->fill = NO_INDEX;
    instance->filled = false;
    if (mesh->cpu != NULL && mesh->image.bytes > 0) {
        fillOnHost(context, mesh, instance);
    } else if (waitsForUpload(context, mesh)) {
        instance->fill = context->fills.count;
        context->fills.instances[context->fills.count++] = index;
    }
}

void sknMoveFill(VkskinContext context, uint32_t index) {
    const Instance *instance = sknInstance(context, index);
    if (instance->fill != NO_INDEX) {
        context->fills.instances[instance->fill] = index;
    }
}

void sknDropFill(VkskinContext context, Instance *instance) {
    if (instance->fill != NO_INDEX) {
        context->fills.instances[instance->fill] = NO_INDEX;
        instance->fill = NO_INDEX;
    }
}

uint32_t sknFillsDue(const struct VkskinContext_T *context) {
    return context->uploads.sealed ? context->fills.due : context->fills.count;
}

void sknSealFills(VkskinContext context) {
    if (!context->uploads.sealed) {
        context->fills.due = context->fills.count;
    }
}

static void copyImage(VkskinContext context, VkCommandBuffer commandBuffer, const Instance *instance, uint32_t region) {
    const Mesh *mesh = sknMesh(context, instance->mesh);
    VkDeviceSize output = sknRangeOffset(&context->outputPages, &instance->output, region);
    VkBufferCopy copies[VKSKIN_MAX_OUTPUT_STREAMS];
    for (uint32_t s = 0; s < mesh->image.count; s++) {
        const ImageStream *stream = &mesh->image.streams[s];
        copies[s] = (VkBufferCopy){mesh->imageOffset + stream->source, output + stream->target, stream->size};
    }
    context->gpu.vk.vkCmdCopyBuffer(commandBuffer, context->meshPages.pages[mesh->source.page].buffer.handle,
                                    context->outputPages.pages[instance->output.page].buffer.handle, mesh->image.count,
                                    copies);
}

/* Earlier copies to the mesh pages and to the output. */
static const BarrierSide copied = {VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT};
static const BarrierSide copies = {VK_PIPELINE_STAGE_TRANSFER_BIT,
                                   VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT};

/* The bytes of a new instance have no other users, but validation sees whole regions. */
void sknRecordFills(VkskinContext context, VkCommandBuffer commandBuffer, uint32_t due) {
    Fills *fills = &context->fills;
    if (fills->recorded >= due) {
        return;
    }
    bool own = context->def.barriers == VKSKIN_BARRIERS_RECORDED;
    const VkPipelineStageFlags users = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | context->def.consumerStages;
    BarrierSide before = copied;
    before.stages |= own ? users : 0;
    before.access |= own ? VK_ACCESS_SHADER_WRITE_BIT : 0;
    sknRecordBarrier(&context->gpu, commandBuffer, before, copies);
    for (uint32_t i = fills->recorded; i < due; i++) {
        if (fills->instances[i] != NO_INDEX) {
            Instance *instance = sknInstance(context, fills->instances[i]);
            const Mesh *mesh = sknMesh(context, instance->mesh);
            for (uint32_t region = 0; region < mesh->regions; region++) {
                copyImage(context, commandBuffer, instance, region);
            }
            instance->filled = true;
        }
    }
    if (own) {
        const BarrierSide after = {users, VK_ACCESS_SHADER_WRITE_BIT | context->def.consumerAccess};
        sknRecordBarrier(&context->gpu, commandBuffer, copied, after);
    }
    fills->recorded = due;
}

void sknRecordRefills(VkskinContext context, VkCommandBuffer commandBuffer) {
    static const BarrierSide skinning = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT};
    static const BarrierSide skinned = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
                                        VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT};
    bool any = false;
    if (!sknTwoFamilies(context)) {
        return; /* looking at each instance costs as much as its row of the table */
    }
    const Commands commands = sknUnrecorded(&context->recording->commands);
    for (uint32_t i = 0; i < commands.count; i++) {
        const Command *command = &commands.commands[i];
        const Instance *instance = sknInstance(context, command->owner);
        if (sknRefills(context, sknMesh(context, instance->mesh))) {
            if (!any) {
                sknRecordBarrier(&context->gpu, commandBuffer, skinned, copies);
            }
            any = true;
            copyImage(context, commandBuffer, instance, command->key.outputRegion);
        }
    }
    if (any) {
        sknRecordBarrier(&context->gpu, commandBuffer, copied, skinning);
    }
}

void sknTakeBackFills(VkskinContext context) {
    context->fills.recorded = 0;
    context->fills.due = 0;
}

void sknRetireFills(VkskinContext context) {
    Fills *fills = &context->fills;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < fills->count; i++) {
        if (fills->instances[i] == NO_INDEX) {
            continue;
        }
        Instance *instance = sknInstance(context, fills->instances[i]);
        if (i < fills->recorded) {
            instance->fill = NO_INDEX;
        } else {
            instance->fill = kept;
            fills->instances[kept++] = fills->instances[i];
        }
    }
    fills->count = kept;
    fills->recorded = 0;
    fills->due = 0;
}
