/*
 * first_use.h: what the first use of kernels costs: creating them, and the first frame that dispatches them. Some drivers
 * compile when a pipeline is created, some when it is first dispatched.
 */
#ifndef BENCH_FIRST_USE_H
#define BENCH_FIRST_USE_H

#include <stdio.h>

#include "bench_case.h"

/*
 * Measures sets of kernels in turn, round by round, and prints a Markdown table: the number of kernels, the milliseconds
 * of vkskinCreatePipelines, their ratio to those of the first set in the same round with the spread, and the milliseconds
 * of the first frame. A driver with a cache on disk must run without it: MESA_SHADER_CACHE_DISABLE=1.
 * environment->quick: one round without the large sets. The largest one takes a minute on SwiftShader.
 */
bool firstUsePrint(FILE *stream, const BenchEnvironment *environment, EngineError *error);

#endif
