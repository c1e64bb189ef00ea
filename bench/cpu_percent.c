#include "cpu_percent.h"

/* Bytes a millisecond of the processor's time; 0 where there is none. */
static double cpuRate(const CaseResult *result) {
    const bool timed = result->outcome == OUTCOME_TIMED && result->cpu.median > 0.0;
    return timed ? result->traffic.limitBytes / result->cpu.median : 0.0;
}

double cpuPercentOfLimit(const BenchRun *run, const CaseResult *result) {
    double fastest = 0.0;
    for (uint32_t i = 0; i < run->resultCount; i++) {
        const BenchCase *other = run->results[i].benchCase;
        if (other->kind == CASE_LIMIT && other->domain == LIMIT_CPU && cpuRate(&run->results[i]) > fastest) {
            fastest = cpuRate(&run->results[i]);
        }
    }
    return result->benchCase->domain == LIMIT_CPU && fastest > 0.0 ? cpuRate(result) / fastest * 100.0 : 0.0;
}
