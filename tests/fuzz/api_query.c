#include "api_run.h"
#include "fuzz_target.h"

#include <string.h>

#define ROOM_MAX 12u

void apiOutput(ApiRun *run) {
    ApiContext *context = apiContext(run);
    VkskinInstance instance;
    VkskinOutput output;
    VkskinStats stats;
    VkskinOutputPage page;
    apiHandle(run, run->instances, API_INSTANCES, &instance);
    uint32_t pages = vkskinGetOutputPageCount(context->context);
    if (apiCheck(vkskinGetOutput(context->context, instance, &output))) {
        FUZZ_CHECK(output.page < pages);
        FUZZ_CHECK(vkskinGetOutputPage(context->context, output.page, &page) == VKSKIN_SUCCESS);
        FUZZ_CHECK(page.buffer == output.buffer);
        FUZZ_CHECK(output.positionOffset % 16 == 0 && output.attributeOffset % 16 == 0);
        FUZZ_CHECK(output.positionOffset + 12ull * output.vertexCount <= page.size);
        FUZZ_CHECK(output.previousPositionOffset + 12ull * output.vertexCount <= page.size);
        FUZZ_CHECK(output.attributeOffset + (VkDeviceSize)output.attributeStride * output.vertexCount <= page.size);
        FUZZ_CHECK(nullDriverContents(run->driver, output.buffer) != NULL);
    }
    uint32_t any = fuzzNumber(&run->bytes);
    FUZZ_CHECK(apiCheck(vkskinGetOutputPage(context->context, any, &page)) == (any < pages));
    apiCheck(vkskinGetStats(context->context, &stats));
}

void apiAccesses(ApiRun *run) {
    ApiContext *context = apiContext(run);
    uint8_t kind = fuzzByte(&run->bytes);
    uint32_t room = kind % (ROOM_MAX + 1), count = room, all = 0;
    VkskinPass pass = kind >= 0xf0 ? (VkskinPass)fuzzNumber(&run->bytes) : (VkskinPass)(kind >> 7);
    bool counted = apiCheck(vkskinGetAccesses(context->context, pass, NULL, &all));
    VkskinAccess *accesses = malloc(room ? room * sizeof *accesses : 1);
    FUZZ_CHECK(accesses != NULL);
    VkskinResult result = vkskinGetAccesses(context->context, pass, accesses, &count);
    bool good = apiCheck(result);
    FUZZ_CHECK(good == counted && (!good || count == (all < room ? all : room)));
    FUZZ_CHECK(!good || (result == VKSKIN_WARNING_INCOMPLETE) == (all > room));
    for (uint32_t i = 0; good && i < count; i++) {
        FUZZ_CHECK(accesses[i].buffer != VK_NULL_HANDLE && accesses[i].size > 0 && accesses[i].stages != 0);
    }
    free(accesses);
}

void apiTimings(ApiRun *run) {
    ApiContext *context = apiContext(run);
    uint8_t kind = fuzzByte(&run->bytes);
    uint32_t room = kind % (ROOM_MAX + 1), count = room;
    uint64_t frame;
    VkskinTimestampSupport support;
    VkskinTiming *timings = malloc(room ? room * sizeof *timings : 1);
    FUZZ_CHECK(timings != NULL);
    bool good = apiCheck(vkskinGetTimings(context->context, kind & 0x40 ? NULL : timings, &count,
                                          kind & 0x20 ? NULL : &frame, kind & 0x10 ? NULL : &support));
    for (uint32_t i = 0; good && !(kind & 0x40) && i < count; i++) {
        FUZZ_CHECK(memchr(timings[i].name, 0, sizeof timings[i].name) != NULL && timings[i].milliseconds >= 0.0);
    }
    free(timings);
}

void apiVertexInput(ApiRun *run) {
    uint8_t kind = fuzzByte(&run->bytes);
    VkskinVertexFormat format =
        kind >= 0xf0 ? (VkskinVertexFormat)fuzzNumber(&run->bytes) : (VkskinVertexFormat)(kind & 1);
    VkskinVertexInput input;
    if (apiCheck(vkskinGetVertexInput(format, kind & 2, kind & 4, fuzzNumber(&run->bytes), fuzzNumber(&run->bytes),
                                      &input))) {
        FUZZ_CHECK(input.bindingCount <= 2 && input.attributeCount <= 3);
    }
    FUZZ_CHECK(vkskinPaletteStride((VkskinPaletteEncoding)fuzzNumber(&run->bytes)) <= 64);
}
