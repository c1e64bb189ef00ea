/*
 * report_plots.h: the plots of a report: what they show, their data, and their gnuplot scripts.
 */
#ifndef BENCH_REPORT_PLOTS_H
#define BENCH_REPORT_PLOTS_H

#include <stdio.h>

#include "bench_run.h"

typedef enum Plot {
    PLOT_COST,  /* nanoseconds a vertex against the number of instances, a curve each way */
    PLOT_STEPS, /* how many times faster than the baseline, step by step */
    PLOT_LIMIT, /* percent of the measured limit, case by case */
    PLOT_COUNT
} Plot;

/* "cost": its files are cost.dat, cost.gp and cost.png. */
const char *plotName(Plot plot);

/* "Cost of a vertex by number of instances". */
const char *plotTitle(Plot plot);

/* Whether the run has anything to show in it. */
bool plotHasData(Plot plot, const BenchRun *run);

/* Columns for gnuplot, with a comment that names them. */
void plotData(FILE *file, Plot plot, const BenchRun *run);

/* Draws plotData's file into what the variable `picture` names; without that variable into NAME.png. */
void plotScript(FILE *file, Plot plot, const BenchRun *run);

#endif
