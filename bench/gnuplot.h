/*
 * gnuplot.h: a plot drawn by the program gnuplot, which need not be there.
 */
#ifndef BENCH_GNUPLOT_H
#define BENCH_GNUPLOT_H

#include "engine_error.h"

/*
 * Runs `gnuplot NAME.gp` in the folder; the script draws into the file that its variable `picture` names, and NAME.png
 * takes its place when it is whole. False after a line: gnuplot is not there, or why it failed; an older NAME.png is
 * then gone, so that no picture is beside data that it does not show.
 */
bool gnuplotRun(const char *folder, const char *name, EngineError *error);

#endif
