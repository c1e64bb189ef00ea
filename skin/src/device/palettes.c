#include "context.h"

/* The arguments of a call. */
typedef struct PaletteCall {
    const char *name, *target; /* names of the call and of its argument `palettes` */
    VkskinPaletteEncoding encoding;
    PaletteBatch batch;
    VkskinPalette *palettes;
    void **data;
} PaletteCall;

static VkskinResult checkBones(VkskinContext context, const PaletteCall *call, uint32_t index) {
    const VkskinLogger *logger = &context->gpu.logger;
    const VkDeviceSize most = context->ring.def.maxPageSize;
    const uint32_t boneCount = sknBatchBones(&call->batch, index);
    if (boneCount == 0) {
        return sknReport(logger, VKSKIN_ERROR_INVALID_VALUE, "%s: palette %u: boneCount is 0", call->name, index);
    }
    const VkDeviceSize size = sknBatchSize(&call->batch, index);
    if (size > most) {
        const bool texels = context->kernels.settings.texels && !sknOnCpu(context);
        return sknReport(logger, VKSKIN_ERROR_PALETTE_RING_FULL,
                         "%s: %u bones take %llu bytes; %snone may be larger than %llu bytes on this device%s",
                         call->name, boneCount, (unsigned long long)size, texels ? "as texels " : "",
                         (unsigned long long)most, texels ? ": see VkskinContextDef.paletteBinding" : "");
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult checkCall(VkskinContext context, const PaletteCall *call) {
    const PaletteBatch *batch = &call->batch;
    VkskinResult result = sknNeedFrame(context, call->name, "context", context);
    if (result >= 0 && batch->count > 0) {
        result = sknNeedArgument(context, call->name, call->target, call->palettes);
    }
    if (result >= 0 && batch->count > 0) {
        result = sknNeedArgument(context, call->name, "data", (const void *)call->data);
    }
    if (result >= 0 && batch->stride == 0) {
        result = sknReport(&context->gpu.logger, VKSKIN_ERROR_INVALID_VALUE, "%s: encoding is %u, not below %u",
                           call->name, (unsigned)call->encoding, (unsigned)VKSKIN_PALETTE_ENCODING_COUNT);
    }
    const uint32_t kinds = batch->boneCounts != NULL || batch->count == 0 ? batch->count : 1;
    for (uint32_t i = 0; result >= 0 && i < kinds; i++) {
        result = checkBones(context, call, i);
    }
    return result;
}

static VkskinResult reserveRoom(VkskinContext context, const PaletteCall *call) {
    VkskinResult result =
        sknRingReserve(&context->gpu, &context->descriptors, &context->ring, context->preparing->slot, &call->batch);
    if (result == VKSKIN_ERROR_PALETTE_RING_FULL) {
        const VkskinContextDef *def = &context->def;
        const bool grows = def->memory.maxPaletteBytesPerFrame > 0;
        return sknReport(
            &context->gpu.logger, result, "%s: %u bones take %llu bytes; of this frame's %s (%llu), %llu are left%s",
            call->name, sknBatchBones(&call->batch, 0), (unsigned long long)sknBatchBytes(&call->batch, 0),
            grows ? "maxPaletteBytesPerFrame" : "paletteBytesPerFrame",
            (unsigned long long)(grows ? def->memory.maxPaletteBytesPerFrame : def->memory.paletteBytesPerFrame),
            (unsigned long long)sknRingRoom(&context->ring, context->preparing->slot),
            grows ? "" : " in one piece, from the page that is being filled on");
    }
    return result;
}

static void writeRun(const PaletteCall *call, uint64_t serial, const PaletteRun *run) {
    VkskinPalette made = {
        .serial = serial,
        .page = run->page,
        .offset = (uint32_t)run->offset,
        .encoding = call->encoding,
    };
    unsigned char *bytes = run->mapped;
    for (uint32_t i = run->first; i < run->first + run->count; i++) {
        made.boneCount = sknBatchBones(&call->batch, i);
        call->palettes[i] = made;
        call->data[i] = bytes;
        const uint32_t size = (uint32_t)sknBatchSize(&call->batch, i);
        made.offset += size;
        bytes += size;
    }
}

#define MAX_RUNS 16

/* What a call took. The handles are written after the lock is given up: the memory stays mapped. */
typedef struct Taken {
    uint64_t serial;
    uint32_t count;
    PaletteRun runs[MAX_RUNS];
} Taken;

static void writeTaken(const PaletteCall *call, const Taken *taken) {
    for (uint32_t i = 0; i < taken->count; i++) {
        writeRun(call, taken->serial, &taken->runs[i]);
    }
}

/* With the lock alone: the current page may change, and the region may grow. The frame may have changed since the first
 * check. */
static VkskinResult growAndTake(VkskinContext context, const PaletteCall *call, Taken *taken) {
    VkskinResult result = checkCall(context, call);
    if (result >= 0) {
        result = reserveRoom(context, call);
    }
    taken->serial = sknFrameSerial(context);
    for (uint32_t first = 0; result >= 0 && first < call->batch.count;) {
        const PaletteRun run = sknRingTake(&context->ring, context->preparing->slot, &call->batch, first);
        if (taken->count < MAX_RUNS) {
            taken->runs[taken->count++] = run;
        } else {
            writeRun(call, taken->serial, &run);
        }
        first += run.count;
    }
    return result;
}

static VkskinResult allocatePalettes(VkskinContext context, const PaletteCall *call) {
    VkskinResult result = sknEnterShared(context);
    if (result < 0) {
        return result;
    }
    Taken taken; /* not set to zero: the runs are large */
    taken.serial = sknFrameSerial(context);
    taken.count = 0;
    result = checkCall(context, call);
    if (result >= 0) {
        taken.count = sknRingTakeTogether(&context->ring, context->preparing->slot, &call->batch, &taken.runs[0]);
    }
    (void)sknLeaveShared(context, result);
    if (result >= 0 && taken.count == 0) {
        (void)sknEnter(context);
        result = sknLeave(context, growAndTake(context, call, &taken));
    }
    writeTaken(call, &taken);
    return result;
}

static VkskinResult runCall(VkskinContext context, const PaletteCall *call) {
    VkskinResult result = allocatePalettes(context, call);
    for (uint32_t i = 0; result < 0 && i < call->batch.count; i++) {
        if (call->palettes != NULL) {
            call->palettes[i] = (VkskinPalette){0};
        }
        if (call->data != NULL) {
            call->data[i] = NULL;
        }
    }
    return result;
}

VkskinResult vkskinAllocatePalette(VkskinContext context, VkskinPaletteEncoding encoding, uint32_t boneCount,
                                   VkskinPalette *palette, void **data) {
    const PaletteCall call = {
        .name = "vkskinAllocatePalette",
        .target = "palette",
        .encoding = encoding,
        .batch = {.count = 1, .stride = vkskinPaletteStride(encoding), .boneCount = boneCount},
        .palettes = palette,
        .data = data,
    };
    return runCall(context, &call);
}

VkskinResult vkskinAllocatePalettes(VkskinContext context, VkskinPaletteEncoding encoding, const uint32_t *boneCounts,
                                    uint32_t boneCount, uint32_t count, VkskinPalette *palettes, void **data) {
    const PaletteCall call = {
        .name = "vkskinAllocatePalettes",
        .target = "palettes",
        .encoding = encoding,
        .batch = {count, vkskinPaletteStride(encoding), boneCount, boneCounts},
        .palettes = palettes,
        .data = data,
    };
    return runCall(context, &call);
}

/* ---- For shaders of the host ---- */

static const Frame *paletteFrame(const struct VkskinContext_T *context, const VkskinPalette *palette) {
    const Frame *const frames[] = {context->preparing, context->recording};
    for (size_t i = 0; i < SKN_COUNT(frames); i++) {
        if (palette->serial == sknSerialOf(context, frames[i])) {
            return frames[i];
        }
    }
    return NULL;
}

static VkskinResult locate(VkskinContext context, const char *call, const VkskinPalette *palette, uint32_t index,
                           VkskinPaletteLocation *location) {
    const VkskinLogger *logger = &context->gpu.logger;
    const PaletteRing *ring = &context->ring;
    const Frame *frame = paletteFrame(context, palette);
    if (frame == NULL) {
        return sknReport(logger, VKSKIN_ERROR_PALETTE_STALE, "%s: palette %u is %s", call, index,
                         palette->serial == 0 ? "null" : "of another frame or context");
    }
    const VkDeviceSize size = (VkDeviceSize)vkskinPaletteStride(palette->encoding) * palette->boneCount;
    if (size == 0 || !sknRingHolds(ring, frame->slot, palette->page, palette->offset, size)) {
        return sknReport(logger, VKSKIN_ERROR_INVALID_VALUE, "%s: palette %u was not allocated here", call, index);
    }
    const Buffer *buffer = sknDeviceBuffer(ring, sknRingPage(ring, frame->slot, palette->page));
    *location = (VkskinPaletteLocation){
        .buffer = buffer->handle,
        .bufferSize = buffer->size,
        .offset = palette->offset,
        .size = size,
        .address = buffer->address != 0 ? buffer->address + palette->offset : 0,
    };
    return VKSKIN_SUCCESS;
}

static VkskinResult locateAll(VkskinContext context, const VkskinPalette *palettes, uint32_t count,
                              VkskinPaletteLocation *locations) {
    static const char call[] = "vkskinGetPaletteLocations";
    VkskinResult result = sknNeedFrame(context, call, "context", context);
    if (result >= 0 && count > 0) {
        result = sknNeedArgument(context, call, "palettes", palettes);
    }
    if (result >= 0 && count > 0) {
        result = sknNeedArgument(context, call, "locations", locations);
    }
    if (result >= 0 && context->def.paletteStages == 0) {
        result = sknReport(&context->gpu.logger, VKSKIN_ERROR_INVALID_VALUE,
                           "%s: VkskinContextDef.paletteStages is 0: name the stages that read palettes", call);
    }
    for (uint32_t i = 0; result >= 0 && i < count; i++) {
        result = locate(context, call, &palettes[i], i, &locations[i]);
    }
    return result;
}

VkskinResult vkskinGetPaletteLocations(VkskinContext context, const VkskinPalette *palettes, uint32_t count,
                                       VkskinPaletteLocation *locations) {
    VkskinResult result = sknEnterShared(context);
    if (result >= 0) {
        result = sknLeaveShared(context, locateAll(context, palettes, count, locations));
    }
    for (uint32_t i = 0; result < 0 && locations != NULL && i < count; i++) {
        locations[i] = (VkskinPaletteLocation){0};
    }
    return result;
}
