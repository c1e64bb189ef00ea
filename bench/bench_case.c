#include "bench_case.h"

#include <string.h>

static CaseTable (*const TABLES[])(void) = {deviceCases, cpuCases};

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
    return benchCase->domain == LIMIT_DEVICE;
}
