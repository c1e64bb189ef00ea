/* print_table.h: a run as people read it, and the list of cases. */
#ifndef BENCH_PRINT_TABLE_H
#define BENCH_PRINT_TABLE_H

#include <stdio.h>

#include "bench_run.h"

/* All cases of the table, a line each; those of --quick are marked. */
void printList(FILE *file);

void printTable(FILE *file, const BenchRun *run);

#endif
