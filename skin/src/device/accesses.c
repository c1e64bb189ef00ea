/*
 * What a pass will do to which buffers, for hosts that record the barriers.
 */
#include "commands.h"

typedef struct List {
    VkskinAccess *accesses;
    uint32_t room;
    uint32_t count;
} List;

static void add(List *list, const VkskinAccess *access) {
    if (list->accesses != NULL && list->count < list->room) {
        list->accesses[list->count] = *access;
    }
    list->count++;
}

/* One plane of a page, once a walk. */
static void addPlane(VkskinContext context, List *list, Page *page, uint32_t region, VkPipelineStageFlags stages,
                     VkAccessFlags access) {
    if (page->marks[region] != context->walk) {
        page->marks[region] = context->walk;
        add(list, &(VkskinAccess){page->buffer.handle, region * page->planeSize, page->planeSize, stages, access});
    }
}

static void addPalettes(List *list, const PalettePage *page, VkPipelineStageFlags stages, VkAccessFlags access) {
    add(list, &(VkskinAccess){page->device.handle, 0, page->device.size, stages, access});
}

static void addUploads(VkskinContext context, List *list) {
    const Uploads *uploads = &context->uploads;
    for (uint32_t i = uploads->recorded; i < sknUploadsDue(uploads); i++) {
        addPlane(context, list, &context->meshPages.pages[uploads->copies[i].target.page], 0,
                 VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
    }
    for (uint32_t i = 0; context->ring.staged && i < context->ring.pagesPerSlot; i++) {
        const PalettePage *page = sknRingPage(&context->ring, i);
        if (page->copied < page->used) {
            addPalettes(list, page, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
        }
    }
}

/* What the host writes in place, palettes and all of the CPU backend, the submission itself makes visible. */
static void addSkinning(VkskinContext context, List *list) {
    if (sknOnCpu(context)) {
        return;
    }
    const JobTable *jobs = &context->jobs;
    for (uint32_t i = 0; i < jobs->commandCount; i++) {
        const JobKey *key = &jobs->commands[i].key;
        addPlane(context, list, &context->meshPages.pages[key->meshPage], 0, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                 VK_ACCESS_SHADER_READ_BIT);
        addPlane(context, list, &context->outputPages.pages[key->outputPage], key->outputRegion,
                 VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT);
    }
    for (uint32_t i = 0; context->ring.staged && i < context->ring.pagesPerSlot; i++) {
        const PalettePage *page = sknRingPage(&context->ring, i);
        if (page->used > 0) {
            addPalettes(list, page, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT);
        }
    }
}

static VkskinResult getAccesses(VkskinContext context, VkskinPass pass, VkskinAccess *accesses, uint32_t *count) {
    static const char call[] = "vkskinGetAccesses";
    VkskinResult result = sknNeedFrame(context, call, "count", count);
    if (result < 0) {
        return result;
    }
    if (pass != VKSKIN_PASS_UPLOAD && pass != VKSKIN_PASS_SKINNING) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_INVALID_VALUE, "%s: pass is %u, not a VkskinPass", call,
                         (unsigned)pass);
    }
    List list = {.accesses = accesses, .room = *count};
    context->walk++;
    if (pass == VKSKIN_PASS_UPLOAD) {
        /* Barriers are made of this answer: what other threads add from now on must not be recorded with it. */
        if (context->def.barriers == VKSKIN_BARRIERS_HOST) {
            sknSealUploads(&context->uploads);
        }
        addUploads(context, &list);
    } else {
        addSkinning(context, &list);
    }
    bool incomplete = accesses != NULL && list.count > list.room;
    *count = incomplete ? list.room : list.count;
    if (incomplete) {
        return sknReport(&context->gpu.logger, VKSKIN_WARNING_INCOMPLETE, "%s: room for %u of %u accesses", call,
                         list.room, list.count);
    }
    return VKSKIN_SUCCESS;
}

VkskinResult vkskinGetAccesses(VkskinContext context, VkskinPass pass, VkskinAccess *accesses, uint32_t *count) {
    VkskinResult result = sknEnter(context);
    return result < 0 ? result : sknLeave(context, getAccesses(context, pass, accesses, count));
}
