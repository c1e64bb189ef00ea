/*
 * soak_report.h: what a soak came to, as a table for people and as JSON for programs. Both say the same.
 */
#ifndef COMMAND_SOAK_REPORT_H
#define COMMAND_SOAK_REPORT_H

#include <stdio.h>

#include "device.h"
#include "soak.h"

typedef struct SoakReport {
    const SoakResult *result;
    const DeviceInfo *device;
    uint64_t seed;
    uint64_t frames; /* asked for */
    bool passed;     /* nothing was found as far as it went */
} SoakReport;

void soakReportPrint(FILE *file, const SoakReport *report);

/* As JSON text without a last line end, or null when memory is out; cJSON_free it. Sizes in bytes. */
char *soakReportJson(const SoakReport *report);

#endif
