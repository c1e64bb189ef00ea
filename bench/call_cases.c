/* call_cases.c: the table of the cases that measure the calls of a frame. They need no device: the driver is null. */
#include "case_kinds.h"

/* A row of the group of `baseline_`. curve_: its legend in the plot. */
#define CALLS_CASE(name_, summary_, baseline_, curve_, work_, instances_, threads_)                                    \
    {                                                                                                                  \
        .name = (name_), .summary = (summary_), .kind = CASE_CALLS, .domain = LIMIT_NONE, .backend = "cpu",            \
        .baseline = (baseline_), .curve = (curve_), .instances = (instances_), .functions = &CALLS,                    \
        .parameters = &(const CallsDef) {                                                                              \
            .work = (work_), .instances = (instances_), .threads = (threads_)                                          \
        }                                                                                                              \
    }

/* The names of the rows with `count` instances follow from it. */
#define SKIN_CASE(name_, summary_, curve_, work_, count, threads_)                                                     \
    CALLS_CASE(name_, summary_, "calls-" #count, curve_, work_, count, threads_)
#define OUTPUT_CASE(name_, summary_, curve_, work_, count)                                                             \
    CALLS_CASE(name_, summary_, "outputs-" #count, curve_, work_, count, 1)

#define CALLS_OF(count, label)                                                                                         \
    SKIN_CASE("calls-" #count, label " instances: a call for each palette and each command, and one record",           \
              "single calls", CALLS_SKIN_EACH, count, 1),                                                              \
        SKIN_CASE("calls-" #count "-2-threads", "the same from 2 threads, and one record", "single calls, 2 threads",  \
                  CALLS_SKIN_EACH, count, 2),                                                                          \
        SKIN_CASE("calls-" #count "-4-threads", "the same from 4 threads, and one record", "single calls, 4 threads",  \
                  CALLS_SKIN_EACH, count, 4),                                                                          \
        SKIN_CASE("calls-together-" #count, "a call for each palette, one for all commands, and one record",           \
                  "single palettes", CALLS_SKIN_TOGETHER, count, 1),                                                   \
        SKIN_CASE("calls-bulk-" #count, "one call for all palettes, one for all commands, and one record",             \
                  "bulk calls", CALLS_SKIN_BULK, count, 1),                                                            \
        SKIN_CASE("calls-bulk-" #count "-2-threads", "bulk calls from 2 threads, half of the instances each",          \
                  "bulk calls, 2 threads", CALLS_SKIN_BULK, count, 2),                                                 \
        SKIN_CASE("calls-bulk-" #count "-4-threads", "bulk calls from 4 threads, a quarter of the instances each",     \
                  "bulk calls, 4 threads", CALLS_SKIN_BULK, count, 4),                                                 \
        OUTPUT_CASE("outputs-" #count, label " instances: a call for each output", "outputs, single calls",            \
                    CALLS_OUTPUT_EACH, count),                                                                         \
        OUTPUT_CASE("outputs-bulk-" #count, "one call for all outputs", "outputs, bulk", CALLS_OUTPUT_BULK, count)

static const BenchCase CASES[] = {CALLS_OF(1000, "1,000"), CALLS_OF(10000, "10,000"), CALLS_OF(100000, "100,000")};

CaseTable callCases(void) {
    return (CaseTable){CASES, sizeof CASES / sizeof CASES[0]};
}
