#include "context.h"

static const char call[] = "vkskinSkinMatrices";

/* Instances of a call that takes no host memory, and palettes of one allocation. */
#define PART 64u

typedef struct MatrixCall {
    VkskinContext context;
    VkskinMethod method;
    const VkskinInstance *instances;
    const VkskinMatrices *matrices;
    uint32_t count;
    VkskinSkinCommand *commands; /* [count]; each has the encoding of its palette before the palette */
} MatrixCall;

/* With the lock shared. The commands, whose handles and methods are checked later, without their palettes. */
static VkskinResult makeCommands(const MatrixCall *work) {
    VkskinContext context = work->context;
    VkskinResult result = sknNeedFrame(context, call, "context", context);
    for (uint32_t i = 0; result >= 0 && i < work->count; i++) {
        const VkskinInstance handle = work->instances[i];
        const Instance *instance = sknHandleGet(&context->instances, handle.index, handle.generation);
        const bool flat = instance != NULL && sknMesh(context, instance->mesh)->info.dimensions == 2;
        work->commands[i] = (VkskinSkinCommand){
            .instance = handle,
            .palette = {.encoding = flat ? VKSKIN_PALETTE_MAT2X3 : vkskinMethodEncoding(work->method)},
            .method = work->method,
        };
    }
    return result;
}

static VkskinResult reportBone(const MatrixCall *work, uint32_t at, uint32_t bone, VkskinResult result) {
    const VkskinLogger *logger = &work->context->gpu.logger;
    const VkskinMatrices *matrices = &work->matrices[at];
    const char *what = "has a scale or shear that the palette cannot represent";
    switch (result) {
    case VKSKIN_ERROR_NULL_ARGUMENT:
        return sknReport(logger, result, "%s: matrices[%u].data is null", call, at);
    case VKSKIN_ERROR_INVALID_VALUE:
        return sknReport(logger, result, "%s: matrices[%u]: order (%u) or stride (%zu) is out of range", call, at,
                         (unsigned)matrices->order, matrices->stride);
    case VKSKIN_ERROR_TRANSFORM_NOT_FINITE:
        what = "is not finite, or too large for the palette";
        break;
    case VKSKIN_ERROR_TRANSFORM_NOT_AFFINE:
        what = "has a last row other than (0, 0, 0, 1): are the matrices row-major?";
        break;
    case VKSKIN_WARNING_DEPTH_LOST:
        what = "leaves the plane of the flat mesh";
        break;
    default:
        break;
    }
    return sknReport(logger, result, "%s: instance %u: the matrix of bone %u %s", call, at, bone, what);
}

static bool sameMatrices(const VkskinMatrices *a, const VkskinMatrices *b) {
    return a->data == b->data && a->count == b->count && a->order == b->order && a->stride == b->stride;
}

/* The instances from `first` to `end` - 1 have one encoding and up to PART different palettes. */
typedef struct MatrixPart {
    uint32_t first, end, count;
    uint32_t owners[PART]; /* [count]: the first instance of each palette */
    uint32_t bones[PART];
} MatrixPart;

static MatrixPart nextPart(const MatrixCall *work, uint32_t first) {
    MatrixPart part = {.first = first, .end = first};
    /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): makeCommands has set it */
    const VkskinPaletteEncoding encoding = work->commands[first].palette.encoding;
    for (; part.end < work->count && work->commands[part.end].palette.encoding == encoding; part.end++) {
        const VkskinMatrices *matrices = &work->matrices[part.end];
        if (part.end > first && sameMatrices(matrices, matrices - 1)) {
            continue;
        }
        if (part.count == PART) {
            break;
        }
        part.owners[part.count] = part.end;
        part.bones[part.count++] = matrices->count;
    }
    return part;
}

/* A warning is reported once per call. */
static VkskinResult writeMatrices(const MatrixCall *work, uint32_t at, VkskinPaletteEncoding encoding, void *data,
                                  VkskinResult before) {
    uint32_t bone = 0;
    const VkskinMatrices *matrices = &work->matrices[at];
    const VkskinResult result = vkskinWriteMatrices(matrices, encoding, data, matrices->count, &bone);
    if (result == VKSKIN_SUCCESS || (result > 0 && before > 0)) {
        return before;
    }
    return reportBone(work, at, bone, result);
}

static VkskinResult writePart(const MatrixCall *work, const MatrixPart *part, VkskinResult before) {
    const VkskinPaletteEncoding encoding = work->commands[part->first].palette.encoding;
    VkskinPalette palettes[PART];
    void *data[PART];
    VkskinResult result = vkskinAllocatePalettes(work->context, encoding, part->bones, 0, part->count, palettes, data);
    result = result >= 0 ? before : result;
    for (uint32_t i = 0; result >= 0 && i < part->count; i++) {
        const uint32_t end = i + 1 < part->count ? part->owners[i + 1] : part->end;
        result = writeMatrices(work, part->owners[i], encoding, data[i], result);
        for (uint32_t at = part->owners[i]; at < end; at++) {
            work->commands[at].palette = palettes[i];
        }
    }
    return result;
}

static VkskinResult skinMatrices(const MatrixCall *work) {
    VkskinResult result = sknEnterShared(work->context);
    if (result >= 0) {
        result = sknLeaveShared(work->context, makeCommands(work));
    }
    for (uint32_t first = 0; result >= 0 && first < work->count;) {
        const MatrixPart part = nextPart(work, first);
        result = writePart(work, &part, result);
        first = part.end;
    }
    if (result < 0) {
        return result;
    }
    const VkskinResult skinned = vkskinSkinInstances(work->context, work->commands, work->count, NULL);
    return skinned < 0 ? skinned : result;
}

VkskinResult vkskinSkinMatrices(VkskinContext context, VkskinMethod method, const VkskinInstance *instances,
                                const VkskinMatrices *matrices, uint32_t count) {
    if (context == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    VkskinResult result = count > 0 ? sknNeedArgument(context, call, "instances", instances) : VKSKIN_SUCCESS;
    if (result >= 0 && count > 0) {
        result = sknNeedArgument(context, call, "matrices", matrices);
    }
    if (result < 0) {
        return result;
    }
    const VkskinHostAllocator *allocator = context->gpu.hostAllocator;
    VkskinSkinCommand few[PART];
    MatrixCall work = {context, method, instances, matrices, count, few};
    if (count > PART) {
        work.commands = sknHostAllocateArray(allocator, count, sizeof *work.commands);
    }
    if (work.commands == NULL) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "%s: no memory for %u commands", call,
                         count);
    }
    result = skinMatrices(&work);
    if (work.commands != few) {
        sknHostFree(allocator, work.commands);
    }
    return result;
}
