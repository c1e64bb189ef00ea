/*
 * report.h: the results as a table for the terminal, as JSON for programs, and as a report in a folder: report.md,
 * report.json and plots.
 */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include <stdio.h>

#include "bench_run.h"

/* ---- report.c: the folder ---- */

/* Call it before the run: creates the folder (not its parents) and checks that it can be written. force: even if it has a
 * report.md or report.json that the bench did not write. */
bool reportCheck(const char *folder, bool force, EngineError *error);

/*
 * Writes the report. Each file is complete or absent; files of an earlier report are replaced. If gnuplot is missing or
 * fails, one line on standard error says so. The report then has the scripts of the plots, but no pictures.
 */
bool reportWrite(const BenchRun *run, const char *folder, EngineError *error);

/* ---- report_plots.c ---- */

typedef enum Plot {
    PLOT_COST,      /* nanoseconds per vertex against the number of instances, one curve for each way of skinning */
    PLOT_CALLS,     /* nanoseconds per instance against the number of instances, one curve for each kind of calls */
    PLOT_SYSTEMS_1, /* milliseconds of skinning and one pass against the number of characters, one curve per system */
    PLOT_SYSTEMS_3, /* the same with three passes */
    PLOT_FRAMES,    /* milliseconds of a whole frame of a crowd against the number of characters */
    PLOT_VISIBLE,   /* the same against the visible percent */
    PLOT_STEPS,     /* how many times faster than the baseline, step by step */
    PLOT_LIMIT,     /* percent of the measured limit, case by case */
    PLOT_COUNT
} Plot;

/* "cost": its files are cost.png, or cost.gp if gnuplot did not draw it. */
const char *plotName(Plot plot);

/* "Cost of a vertex by number of instances". */
const char *plotTitle(Plot plot);

/* Whether the run has data for this plot. */
bool plotHasData(Plot plot, const BenchRun *run);

/* A gnuplot script with its data. It draws into the file named by the variable `picture`, by default NAME.png. */
void plotScript(FILE *file, Plot plot, const BenchRun *run);

/* ---- report_text.c ---- */

/* The names and summaries of all cases, one line each. --quick measures the marked ones. */
void printList(FILE *file);

/* The table for the terminal, with notes that explain it. */
void printTable(FILE *file, const BenchRun *run);

/* Markdown. drawn[plot]: the picture of the plot exists beside the text. */
void reportText(FILE *file, const BenchRun *run, const bool drawn[PLOT_COUNT]);

/*
 * One JSON object, for outputJsonWrite; null: out of memory. A number that does not apply is null: all numbers of a case
 * without a time ("error" then says why), vertex counts of a limit, ratios of a case without a baseline.
 */
char *benchJson(const BenchRun *run);

#endif
