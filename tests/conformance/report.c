#include "report.h"

#include <math.h>
#include <stdio.h>

void reportAdd(Report *report, const Row *row, const ConformWorst *worst) {
    uint32_t reading = row->choices[ROW_READING], weights = row->choices[ROW_WEIGHTS];
    ConformWorst *sum = &report->worst[reading][weights];
    report->rows[reading][weights]++;
    sum->compared += worst->compared;
    sum->leftOut += worst->leftOut;
    vertexErrorKeepWorst(&sum->error, &worst->error);
}

void reportAddFar(Report *report, const Row *row, double units) {
    double *worst = &report->farUnits[row->choices[ROW_READING]];
    *worst = fmax(*worst, units);
}

static void writeLine(FILE *file, const Report *report, uint32_t reading, uint32_t weights) {
    const ConformWorst *worst = &report->worst[reading][weights];
    if (report->rows[reading][weights] > 0) {
        fprintf(file, "%s\t%s\t%s\t%u\t%u\t%.3g\t%.3g\t%.3g\t%.3g\n", rowReading(reading)->method,
                rowReading(reading)->palette, rowWeightsName((VkskinWeightFormat)weights),
                report->rows[reading][weights], worst->compared - worst->leftOut, worst->error.position,
                worst->error.normal, worst->error.tangent, report->farUnits[reading]);
    }
}

bool reportWrite(const Report *report, const char *path) {
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        return false;
    }
    for (uint32_t r = 0; r < ROW_READINGS; r++) {
        for (uint32_t w = 0; w < REPORT_WEIGHTS; w++) {
            writeLine(file, report, r, w);
        }
    }
    bool written = ferror(file) == 0;
    return fclose(file) == 0 && written;
}
