/*
 * report_text.h: the results as text: a table for the terminal, Markdown for a report, JSON for programs.
 */
#ifndef BENCH_REPORT_TEXT_H
#define BENCH_REPORT_TEXT_H

#include <stdio.h>

#include "bench_run.h"
#include "report_plots.h"

/* The names and summaries of all cases, one line each. --quick measures the marked ones. */
void printList(FILE *file);

/* The table for the terminal, with notes that explain it. */
void printTable(FILE *file, const BenchRun *run);

/* Markdown. drawn[plot]: the picture of the plot exists beside the text. */
void reportText(FILE *file, const BenchRun *run, const bool drawn[PLOT_COUNT]);

/*
 * One JSON object. A number that does not apply is null: all numbers of a case without a time ("error" then says why),
 * vertex counts of a limit, ratios of a case without a baseline. The caller checks the stream for errors.
 */
void writeJson(FILE *file, const BenchRun *run);

#endif
