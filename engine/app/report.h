/*
 * report.h: what a run of a crowd came to, as a table for people and as JSON for programs. Both say the same.
 */
#ifndef COMMAND_REPORT_H
#define COMMAND_REPORT_H

#include <stdio.h>

#include "crowd_run.h"

/* A run, and what was asked of it. */
typedef struct Report {
    const CrowdResult *result;
    const SkinChoice *skin; /* of all characters */
    char *const *models;    /* [modelCount] paths as given */
    uint32_t modelCount;
    uint64_t seed;
    uint32_t width, height;
    const char *picture; /* the file that was written, or null */
} Report;

void reportPrint(FILE *file, const Report *report);

/*
 * The report as JSON text without a last line end, or null when memory is out; cJSON_free it. Times in milliseconds,
 * sizes in bytes, spreads in percent of the median (interquartile range). skinningClock is "host" where the CPU skins.
 * Bytes of a name that are no UTF-8 become '?'.
 */
char *reportJson(const Report *report);

#endif
