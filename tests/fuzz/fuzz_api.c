/*
 * fuzz_api.c: an input is a program for the whole public API on the null driver: defs, arrays, handles, calls in any
 * order.
 */
#include "api_run.h"

#include <string.h>

#define INSTRUCTIONS_MAX 160

/* A byte chooses one. The order is that of the corpus. Those that lead further are listed twice. */
/* clang-format off */
static ApiInstruction *const instructions[] = {
    apiMakeContext,     apiMakePipelines,    apiMakeMesh,     apiMakeInstance,
    apiBeginFrame,      apiTakePalette,      apiSkin,         apiRecord,
    apiBeginFrame,      apiTakePalette,      apiSkin,         apiRecord,
    apiMakeMesh,        apiMakeInstance,     apiEndMesh,      apiEndInstance,
    apiEndContext,      apiFailSoon,         apiScope,        apiOutput,
    apiAccesses,        apiTimings,          apiVertexInput,  apiMakeSkeleton,
    apiMakeClip,        apiMakeSkin,         apiPose,         apiBlend,
    apiSurface,         apiReplaceMesh,      apiOpen,         apiPrepareFrame,
    apiRepeatFrame,     apiAddBuffer,        apiRemoveBuffer, apiSkinMatrices,
    apiMakeInterleaved, apiMakeClips,        apiMakeCrowd,    apiAddCharacters,
    apiRecordCrowd,     apiChangeCharacters, apiAskCrowd,     apiEndCrowd,
    apiLayers,          apiPlay,             apiRoot,         apiSolve,
    apiMachine,
};
/* clang-format on */
enum { INSTRUCTION_COUNT = COUNT_OF(instructions) };

/* ---- Shared by the instructions ---- */

ApiContext *apiContext(ApiRun *run) {
    static ApiContext none;
    uint8_t byte = fuzzByte(&run->bytes);
    none = (ApiContext){.driver = run->driver};
    return byte == UINT8_MAX ? &none : &run->contexts[byte >> 7];
}

void apiHandle(ApiRun *run, const void *handles, uint32_t count, void *handle) {
    uint8_t byte = fuzzByte(&run->bytes);
    memcpy(handle, (const char *)handles + (size_t)(byte % count) * 8, 8);
    if (byte >= 0xf8) {
        fuzzTake(&run->bytes, handle, 8);
    } else if (byte >= 0xf0) {
        uint32_t generation = fuzzNumber(&run->bytes);
        memcpy((char *)handle + 4, &generation, sizeof generation);
    }
}

bool apiCheck(VkskinResult result) {
    FUZZ_CHECK(strcmp(vkskinResultName(result), "VKSKIN_UNKNOWN") != 0);
    return result >= 0;
}

static void checkMessage(void *user, VkskinResult result, const char *message) {
    (void)user;
    FUZZ_CHECK(result != VKSKIN_SUCCESS);
    apiCheck(result);
    FUZZ_CHECK(message[0] != '\0' && !strchr(message, '\n'));
}

VkskinLogger apiLogger(void) {
    return (VkskinLogger){checkMessage, NULL};
}

void apiSpoilField(FuzzBytes *bytes, void *def, const ApiField *fields, size_t count, uint32_t kind) {
    for (size_t i = 0; i < count; i++) {
        if (fields[i].kind == kind) {
            uint32_t value = fuzzNumber(bytes);
            memcpy((char *)def + fields[i].offset, &value, sizeof value);
        }
    }
}

/* ---- The run ---- */

static void finish(ApiRun *run) {
    for (uint32_t i = 0; i < API_CONTEXTS; i++) {
        apiDestroyContext(run, &run->contexts[i]);
    }
    apiDestroyPoses(run);
    FUZZ_CHECK(nullDriverAlive(run->driver) == 0);
    FUZZ_CHECK(nullDriverDestroy(run->driver) == 0);
}

/* A device of one of several kinds, with so little memory that it runs out. */
static NullDriver *makeDriver(FuzzBytes *bytes) {
    uint8_t kind = fuzzByte(bytes);
    NullDriverSettings settings = nullDriverDefaultSettings();
    settings.memory = nullDriverMemory((NullDriverLayout)(kind % 3), !(kind & 0x40), (VkDeviceSize)4 << 20);
    settings.aborts = true; /* at a fault, with the stack of its cause */
    settings.timestampBits = kind & 0x20 ? 0 : 64;
    settings.limits.nonCoherentAtomSize = kind & 0x10 ? 256 : settings.limits.nonCoherentAtomSize;
    return nullDriverCreate(&settings);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    FuzzRooms rooms = {.count = 0};
    ApiRun run = {.bytes = {bytes, size, &rooms}};
    run.driver = makeDriver(&run.bytes);
    for (int i = 0; i < INSTRUCTIONS_MAX && run.bytes.left > 0; i++) {
        instructions[fuzzByte(&run.bytes) % INSTRUCTION_COUNT](&run);
        fuzzFreeRooms(&run.bytes);
    }
    finish(&run);
    return 0;
}
