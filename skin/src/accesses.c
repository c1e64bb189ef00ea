/*
 * What a pass will do to which buffers, for hosts that record the barriers.
 */
#include "commands.h"

typedef struct List {
    VkskinAccess *accesses;
    uint32_t room;
    uint32_t count;
} List;

static void add(List *list, VkBuffer buffer, VkDeviceSize size, VkPipelineStageFlags stages, VkAccessFlags access) {
    if (list->accesses != NULL && list->count < list->room) {
        list->accesses[list->count] =
            (VkskinAccess){.buffer = buffer, .size = size, .stages = stages, .access = access};
    }
    list->count++;
}

static void addPage(VkskinContext context, List *list, Page *page, VkPipelineStageFlags stages, VkAccessFlags access) {
    if (page->mark != context->walk) {
        page->mark = context->walk;
        add(list, page->buffer.handle, page->buffer.size, stages, access);
    }
}

static void addUploads(VkskinContext context, List *list) {
    for (uint32_t i = 0; i < context->uploads.count; i++) {
        addPage(context, list, &context->meshPages.pages[context->uploads.copies[i].target.page],
                VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
    }
    for (uint32_t i = 0; context->ring.staged && i < context->ring.pagesPerSlot; i++) {
        const PalettePage *page = sknRingPage(&context->ring, i);
        if (page->copied < page->used) {
            add(list, page->device.handle, page->device.size, VK_PIPELINE_STAGE_TRANSFER_BIT,
                VK_ACCESS_TRANSFER_WRITE_BIT);
        }
    }
}

/* Palettes that the host writes in place are made visible by the submission itself and need no barrier. */
static void addSkinning(VkskinContext context, List *list) {
    const JobTable *jobs = &context->jobs;
    for (uint32_t i = 0; i < jobs->commandCount; i++) {
        const JobKey *key = &jobs->commands[i].key;
        addPage(context, list, &context->meshPages.pages[key->meshPage], VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                VK_ACCESS_SHADER_READ_BIT);
        addPage(context, list, &context->outputPages.pages[key->outputPage], VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                VK_ACCESS_SHADER_WRITE_BIT);
    }
    for (uint32_t i = 0; context->ring.staged && i < context->ring.pagesPerSlot; i++) {
        const PalettePage *page = sknRingPage(&context->ring, i);
        if (page->used > 0) {
            add(list, page->device.handle, page->device.size, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                VK_ACCESS_SHADER_READ_BIT);
        }
    }
}

VkskinResult vkskinGetAccesses(VkskinContext context, VkskinPass pass, VkskinAccess *accesses, uint32_t *count) {
    static const char call[] = "vkskinGetAccesses";
    VkskinResult result = sknNeedArgument(context, call, "count", count);
    if (result >= 0) {
        result = sknNeedFrame(context, call);
    }
    if (result < 0) {
        return result;
    }
    if (pass != VKSKIN_PASS_UPLOAD && pass != VKSKIN_PASS_SKINNING) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_INVALID_VALUE, "%s: pass %u", call, (unsigned)pass);
    }
    List list = {.accesses = accesses, .room = *count};
    context->walk++;
    if (pass == VKSKIN_PASS_UPLOAD) {
        addUploads(context, &list);
    } else {
        addSkinning(context, &list);
    }
    *count = list.count;
    if (accesses != NULL && list.count > list.room) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_INVALID_VALUE, "%s: room for %u of %u accesses", call,
                         list.room, list.count);
    }
    return VKSKIN_SUCCESS;
}
