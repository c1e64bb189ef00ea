/*
 * bench_options.h: what a user asks of the bench.
 */
#ifndef BENCH_OPTIONS_H
#define BENCH_OPTIONS_H

#include "options.h"

/* Arguments.values go by it; the operands are names of cases. */
typedef enum BenchOption {
    BENCH_CASE, /* its values are operands */
    BENCH_LIST,
    BENCH_QUICK,
    BENCH_JSON,
    BENCH_REPORT,
    BENCH_OPTION_COUNT
} BenchOption;

/* The program as options.h describes verbs; `run` is null: main does it. */
extern const Verb BENCH_PROGRAM;

#endif
