/* write_json.h: a run as JSON, for programs. */
#ifndef BENCH_WRITE_JSON_H
#define BENCH_WRITE_JSON_H

#include <stdio.h>

#include "bench_run.h"

/*
 * Writes the run as one JSON object; failures are the stream's. What a case does not have is null: of one without a time
 * all numbers, "error" then says why; of a limit what counts vertices; ratios of what has no baseline.
 */
void writeJson(FILE *file, const BenchRun *run);

#endif
