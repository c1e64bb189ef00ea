#include "context.h"

static VkskinResult allocatePalette(VkskinContext context, VkskinPaletteEncoding encoding, uint32_t boneCount,
                                    VkskinPalette *palette, void **data) {
    static const char call[] = "vkskinAllocatePalette";
    VkskinResult result = sknNeedFrame(context, call, "palette", palette);
    if (result >= 0) {
        result = sknNeedArgument(context, call, "data", data);
    }
    if (result < 0) {
        return result;
    }
    uint32_t stride = vkskinPaletteStride(encoding);
    if (stride == 0) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_INVALID_VALUE, "%s: encoding is %u, not below %u", call,
                         (unsigned)encoding, (unsigned)VKSKIN_PALETTE_ENCODING_COUNT);
    }
    if (boneCount == 0) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_INVALID_VALUE, "%s: boneCount is 0", call);
    }
    VkDeviceSize size = (VkDeviceSize)stride * boneCount;
    uint32_t page = 0;
    VkDeviceSize offset = 0;
    if (!sknOnCpu(context) && context->kernels.settings.texels && size > sknMostTexelBytes(&context->gpu)) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_PALETTE_RING_FULL,
                         "%s: %u bones take %llu bytes; as texels none may be larger than %llu bytes on this device: "
                         "see VkskinContextDef.paletteBinding",
                         call, boneCount, (unsigned long long)size,
                         (unsigned long long)sknMostTexelBytes(&context->gpu));
    }
    if (!sknRingTake(&context->ring, size, &page, &offset)) {
        return sknReport(
            &context->gpu.logger, VKSKIN_ERROR_PALETTE_RING_FULL,
            "%s: %u bones take %llu bytes; of this frame's %llu, %llu are left in one piece, from the page that is "
            "being filled on",
            call, boneCount, (unsigned long long)size, (unsigned long long)context->def.paletteBytesPerFrame,
            (unsigned long long)sknRingRoom(&context->ring));
    }
    /* NOLINTBEGIN(clang-analyzer-core.NullDereference): both were needed above, in another file's functions */
    *palette = (VkskinPalette){
        .serial = sknFrameSerial(context),
        .page = page,
        .offset = (uint32_t)offset,
        .boneCount = boneCount,
        .encoding = encoding,
    };
    *data = (unsigned char *)sknRingPage(&context->ring, page)->host.memory.mapped + offset;
    /* NOLINTEND(clang-analyzer-core.NullDereference) */
    context->frameStats.paletteBytes += size;
    return VKSKIN_SUCCESS;
}

VkskinResult vkskinAllocatePalette(VkskinContext context, VkskinPaletteEncoding encoding, uint32_t boneCount,
                                   VkskinPalette *palette, void **data) {
    if (palette != NULL) {
        *palette = (VkskinPalette){0};
    }
    if (data != NULL) {
        *data = NULL;
    }
    VkskinResult result = sknEnter(context);
    return result < 0 ? result : sknLeave(context, allocatePalette(context, encoding, boneCount, palette, data));
}
