#include "api_run.h"
#include "fuzz_target.h"

#include <stdlib.h>
#include <string.h>

#define COMMANDS_MAX      4u
#define MORPH_WEIGHTS_MAX 5u

/* The frame that records is over: its commands wait to be run, as those of a device that lags. */
static void closeFrame(ApiContext *context) {
    if (context->waitingCount == VKSKIN_MAX_FRAMES_IN_FLIGHT) {
        apiRunFrames(context, context->waiting[0].slot);
    }
    context->waiting[context->waitingCount++] = (ApiFrame){context->slot, context->commands};
    context->commands = nullDriverBegin(context->driver);
}

void apiNextFrame(ApiContext *context, uint32_t slot) {
    if (context->context) {
        closeFrame(context);
        apiRunFrames(context, slot);
    }
    if (apiCheck(vkskinBeginFrame(context->context, slot))) {
        FUZZ_CHECK(slot < context->framesInFlight);
        context->slot = slot;
    }
}

/* What was recorded will not run. */
static void cancelFrame(ApiContext *context) {
    if (apiCheck(vkskinCancelFrame(context->context))) {
        nullDriverDrop(context->commands);
        context->commands = nullDriverBegin(context->driver);
        context->slot = (context->slot + context->framesInFlight - 1) % context->framesInFlight;
    }
}

void apiBeginFrame(ApiRun *run) {
    ApiContext *context = apiContext(run);
    uint8_t kind = fuzzByte(&run->bytes);
    if (kind >= 0xe0 && kind < 0xf0) {
        cancelFrame(context);
        return;
    }
    uint32_t next = context->framesInFlight ? (context->slot + 1) % context->framesInFlight : 0;
    apiNextFrame(context, kind >= 0xf0 ? fuzzNumber(&run->bytes) : next);
}

void apiTakePalette(ApiRun *run) {
    ApiContext *context = apiContext(run);
    uint8_t kind = fuzzByte(&run->bytes);
    VkskinPaletteEncoding encoding = (VkskinPaletteEncoding)(kind & 1);
    uint32_t bones = 1 + (kind >> 1 & 31);
    VkskinPalette *palette = &run->palettes[kind % API_PALETTES];
    void *data;
    if (kind >= 0xf0) {
        encoding = (VkskinPaletteEncoding)fuzzNumber(&run->bytes);
        bones = fuzzNumber(&run->bytes);
    } else if (kind >= 0xe0) {
        encoding = (VkskinPaletteEncoding)(fuzzByte(&run->bytes) % VKSKIN_PALETTE_ENCODING_COUNT);
    }
    bool taken = apiCheck(vkskinAllocatePalette(context->context, encoding, bones, palette, &data));
    FUZZ_CHECK(taken == (data != NULL) && taken == (palette->serial != 0));
    if (taken) {
        FUZZ_CHECK((uintptr_t)data % 16 == 0);
        memset(data, kind, (size_t)bones * vkskinPaletteStride(encoding));
    }
}

/* *weights: what the command then points to, the caller's. */
static void takeMorphWeights(ApiRun *run, VkskinSkinCommand *command, float **weights) {
    uint8_t kind = fuzzByte(&run->bytes);
    command->morphWeightCount = kind % MORPH_WEIGHTS_MAX;
    if (kind < 0xf0) {
        *weights = fuzzFloats(&run->bytes, command->morphWeightCount);
        command->morphWeights = *weights;
    }
}

static void takeCommand(ApiRun *run, VkskinSkinCommand *command, float **weights) {
    uint8_t kind = fuzzByte(&run->bytes);
    *command = (VkskinSkinCommand){
        .palette = run->palettes[kind % API_PALETTES], .method = (VkskinMethod)(kind >> 6 & 1), .flags = kind >> 7};
    apiHandle(run, run->instances, API_INSTANCES, &command->instance);
    switch (kind & 0x3f) {
    case 0x36:
    case 0x37:
        command->method = (VkskinMethod)(fuzzByte(&run->bytes) % VKSKIN_METHOD_COUNT);
        takeMorphWeights(run, command, weights);
        break;
    case 0x38:
        command->palette.serial = fuzzNumber(&run->bytes);
        break;
    case 0x39:
        command->palette.page = fuzzNumber(&run->bytes);
        break;
    case 0x3a:
        command->palette.offset = fuzzNumber(&run->bytes);
        break;
    case 0x3b:
        command->palette.boneCount = fuzzNumber(&run->bytes);
        break;
    case 0x3c:
        command->palette.encoding = (VkskinPaletteEncoding)fuzzNumber(&run->bytes);
        break;
    case 0x3d:
        command->method = (VkskinMethod)fuzzNumber(&run->bytes);
        break;
    case 0x3e:
        command->flags = fuzzNumber(&run->bytes);
        break;
    case 0x3f:
        takeMorphWeights(run, command, weights);
        break;
    default:
        break;
    }
}

void apiSkin(ApiRun *run) {
    ApiContext *context = apiContext(run);
    uint32_t count = fuzzByte(&run->bytes) % (COMMANDS_MAX + 1);
    float *weights[COMMANDS_MAX] = {NULL};
    VkskinSkinCommand *commands = malloc(count ? count * sizeof *commands : 1);
    FUZZ_CHECK(commands != NULL);
    for (uint32_t i = 0; i < count; i++) {
        takeCommand(run, &commands[i], &weights[i]);
    }
    apiCheck(vkskinSkinInstances(context->context, commands, count));
    for (uint32_t i = 0; i < COMMANDS_MAX; i++) {
        free(weights[i]);
    }
    free(commands);
}

void apiRecord(ApiRun *run) {
    ApiContext *context = apiContext(run);
    uint8_t kind = fuzzByte(&run->bytes);
    VkCommandBuffer commands = kind == UINT8_MAX ? VK_NULL_HANDLE : context->commands;
    if (kind < 0x80) {
        apiCheck(vkskinRecordSkinning(context->context, commands));
    } else if (kind < 0xc0) {
        apiCheck(vkskinRecordUploads(context->context, commands));
    } else if (kind < 0xe0) {
        apiCheck(vkskinRecordRelease(context->context, commands));
    } else {
        apiCheck(vkskinRecordAcquire(context->context, commands));
    }
}

void apiScope(ApiRun *run) {
    static const char longName[] = "-a name of which the last letters are cut";
    static const char *const names[] = {"shadows", "colour", "skinning", "upload", "", NULL, longName, longName + 1};
    ApiContext *context = apiContext(run);
    uint8_t kind = fuzzByte(&run->bytes);
    const char *name = names[kind % 8];
    if (kind & 0x80) {
        apiCheck(vkskinEndScope(context->context, context->commands, name));
    } else {
        apiCheck(vkskinBeginScope(context->context, context->commands, name));
    }
}
