/*
 * report_plots.h: the plots of a report: their content, their data files and their gnuplot scripts.
 */
#ifndef BENCH_REPORT_PLOTS_H
#define BENCH_REPORT_PLOTS_H

#include <stdio.h>

#include "bench_run.h"

typedef enum Plot {
    PLOT_COST,  /* nanoseconds per vertex against the number of instances, one curve for each way of skinning */
    PLOT_STEPS, /* how many times faster than the baseline, step by step */
    PLOT_LIMIT, /* percent of the measured limit, case by case */
    PLOT_COUNT
} Plot;

/* "cost": its files are cost.dat, cost.gp and cost.png. */
const char *plotName(Plot plot);

/* "Cost of a vertex by number of instances". */
const char *plotTitle(Plot plot);

/* Whether the run has data for this plot. */
bool plotHasData(Plot plot, const BenchRun *run);

/* Columns for gnuplot, with a comment that names them. */
void plotData(FILE *file, Plot plot, const BenchRun *run);

/* A gnuplot script that draws plotData's file into the file named by the variable `picture`, by default NAME.png. */
void plotScript(FILE *file, Plot plot, const BenchRun *run);

#endif
