#include "bench_case.h"

#include <stdlib.h>
#include <string.h>

#include "parallel.h"

static CaseTable (*const TABLES[])(void) = {deviceCases, systemCases, frameCases, cpuCases, spineCases, callCases};

#define TABLE_COUNT (sizeof TABLES / sizeof TABLES[0])

uint32_t benchCaseCount(void) {
    uint32_t count = 0;
    for (size_t t = 0; t < TABLE_COUNT; t++) {
        count += TABLES[t]().count;
    }
    return count;
}

const BenchCase *benchCaseAt(uint32_t index) {
    for (size_t t = 0; t < TABLE_COUNT; t++) {
        CaseTable table = TABLES[t]();
        if (index < table.count) {
            return table.cases + index;
        }
        index -= table.count;
    }
    return NULL;
}

const BenchCase *benchCaseFind(const char *name) {
    for (uint32_t i = 0; i < benchCaseCount(); i++) {
        if (strcmp(benchCaseAt(i)->name, name) == 0) {
            return benchCaseAt(i);
        }
    }
    return NULL;
}

bool benchCaseNeedsDevice(const BenchCase *benchCase) {
    return benchCase->kind == CASE_DEVICE || benchCase->domain == LIMIT_DEVICE;
}

double benchCaseLimitBytes(const BenchCase *benchCase, const CaseTraffic *traffic) {
    return traffic->bytesWritten + (benchCase->domain == LIMIT_DEVICE ? traffic->bytesRead : 0.0);
}

void benchCaseDestroy(const BenchCase *benchCase, void *state) {
    benchCase->functions->destroy(state);
    free(state);
}

void *benchCasePrepare(const BenchCase *benchCase, const BenchEnvironment *environment, EngineError *error) {
    void *state = engineAllocate(1, benchCase->functions->stateSize, error);
    if (state && !benchCase->functions->prepare(state, benchCase, environment, error)) {
        benchCaseDestroy(benchCase, state);
        state = NULL;
    }
    return state;
}

const char *benchCaseUnsupported(const BenchCase *benchCase) {
    return benchCase->level > vkskinGetCpuLevel() ? "the processor does not have these instructions" : NULL;
}

VkskinCpuRun benchCaseCpuRun(const BenchCase *benchCase) {
    return (VkskinCpuRun){.level = benchCase->level,
                          .parallel = benchCase->domain == LIMIT_CPU_THREADS ? parallelFor : NULL};
}
