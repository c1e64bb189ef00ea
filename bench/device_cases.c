/* device_cases.c: the cases that a Vulkan device runs, and its limits. */
#include "baseline_crowd.h"
#include "bench_case.h"
#include "device_limit.h"
#include "library_crowd.h"

/* Shapes: vertices, instances, bones, influences. */
#define ONE_SHAPE                                                                                                      \
    { 5000, 1, 64, INFLUENCE_MIX }
#define CROWD_SHAPE                                                                                                    \
    { 5000, 340, 64, INFLUENCE_MIX }
#define SMALL_SHAPE                                                                                                    \
    { 300, 5600, 64, INFLUENCE_MIX }

#define LIMIT(caseName, text, isCopy, isTransfer)                                                                      \
    {                                                                                                                  \
        .name = caseName, .summary = text, .kind = CASE_LIMIT, .domain = LIMIT_DEVICE, .quick = true,                  \
        .backend = isTransfer ? "transfer" : "compute",                                                                \
        .parameters = &(const DeviceLimitDef){.copies = isCopy, .transfers = isTransfer}, .functions = &DEVICE_LIMIT   \
    }

#define BASELINE(caseName, text, isQuick, ...)                                                                         \
    {                                                                                                                  \
        .name = caseName, .summary = text, .kind = CASE_DEVICE, .domain = LIMIT_DEVICE, .quick = isQuick,              \
        .backend = "compute", .baseline = caseName, .parameters = &(const CrowdShape)__VA_ARGS__,                      \
        .functions = &BASELINE_CROWD                                                                                   \
    }

#define LIBRARY(caseName, text, isQuick, baselineName, ...)                                                            \
    {                                                                                                                  \
        .name = caseName, .summary = text, .kind = CASE_DEVICE, .domain = LIMIT_DEVICE, .quick = isQuick,              \
        .backend = "compute", .baseline = baselineName, .parameters = &(const LibraryCrowdDef){__VA_ARGS__},           \
        .functions = &LIBRARY_CROWD                                                                                    \
    }

static const BenchCase CASES[] = {
    LIMIT("fill-kernel", "the device's memory filled by a kernel", false, false),
    LIMIT("copy-kernel", "the device's memory copied by a kernel", true, false),
    LIMIT("fill-transfer", "the device's memory filled by vkCmdFillBuffer", false, true),
    LIMIT("copy-transfer", "the device's memory copied by vkCmdCopyBuffer", true, true),

    BASELINE("baseline", "340 characters of 5,000 vertices, each by a dispatch of its own", true, CROWD_SHAPE),
    LIBRARY("crowd-mix-packed", "the same by the library: 1 to 4 influences, packed output", true, "baseline",
            .shape = CROWD_SHAPE),
    LIBRARY("crowd-mix-same-bytes", "as crowd-mix-packed, with the bytes in and out of the baseline", true, "baseline",
            .shape = CROWD_SHAPE, .format = VKSKIN_VERTEX_FLOAT, .weights = VKSKIN_WEIGHTS_UNORM8),

    BASELINE("baseline-300", "5,600 characters of 300 vertices, each by a dispatch of its own", true, SMALL_SHAPE),
    LIBRARY("crowd-300-packed", "the same by the library: 1 to 4 influences, packed output", true, "baseline-300",
            .shape = SMALL_SHAPE),

    BASELINE("baseline-one", "one character of 5,000 vertices", false, ONE_SHAPE),
    LIBRARY("one-character", "the same by the library, packed output", false, "baseline-one", .shape = ONE_SHAPE),
};

CaseTable deviceCases(void) {
    return (CaseTable){CASES, sizeof CASES / sizeof CASES[0]};
}
