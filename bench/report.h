/*
 * report.h: a report of a run in a folder: report.md, report.json, and plots, each with its data and its gnuplot script.
 */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include "bench_run.h"

/* Call it before the run: creates the folder (not its parents) and checks that it can be written. */
bool reportCheck(const char *folder, EngineError *error);

/*
 * Writes the report. Each file is complete or absent; files of an earlier report are replaced. If gnuplot is missing or
 * fails, one line on standard error says so. The report then has the data and scripts of the plots, but no pictures.
 */
bool reportWrite(const BenchRun *run, const char *folder, EngineError *error);

#endif
