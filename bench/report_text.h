/* report_text.h: a run as Markdown for people. */
#ifndef BENCH_REPORT_TEXT_H
#define BENCH_REPORT_TEXT_H

#include <stdio.h>

#include "bench_run.h"
#include "report_plots.h"

/* drawn[plot]: its picture is beside the text. */
void reportText(FILE *file, const BenchRun *run, const bool drawn[PLOT_COUNT]);

#endif
