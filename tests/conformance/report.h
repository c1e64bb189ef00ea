/* report.h: the worst errors of the rows that were run, by method, palette and weights. */
#ifndef TESTS_REPORT_H
#define TESTS_REPORT_H

#include "row_run.h"

#define REPORT_WEIGHTS 3u

typedef struct Report {
    uint32_t rows[ROW_READINGS][REPORT_WEIGHTS];
    ConformWorst worst[ROW_READINGS][REPORT_WEIGHTS];
    double farUnits[ROW_READINGS]; /* far from the origin, by float weights */
} Report;

void reportAdd(Report *report, const Row *row, const ConformWorst *worst);

void reportAddFar(Report *report, const Row *row, double units);

/*
 * Writes a line for each method, palette and weights that was run, its fields parted by tabs: the three names, rows,
 * vertices, the worst position as a share of the bounds' diagonal, the worst normal and tangent in degrees, the worst
 * position far from the origin in the mesh's unit. False where the file could not be written.
 */
bool reportWrite(const Report *report, const char *path);

#endif
