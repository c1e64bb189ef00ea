/*
 * report.h: a run as a folder: report.md, report.json, and plots of it, each with its data and the script that draws it.
 */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include "bench_run.h"

/* Before the run: makes the folder where it is not there (not those above it) and sees whether it can be written. */
bool reportCheck(const char *folder, EngineError *error);

/*
 * Each file is there whole or not at all; files of a former report are replaced. Where gnuplot is not there or fails, one
 * line on standard error says so, and the report is written without those plots; their data and scripts are there.
 */
bool reportWrite(const BenchRun *run, const char *folder, EngineError *error);

#endif
