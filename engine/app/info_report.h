/*
 * info_report.h: the content of a model file, as tables and as JSON with the same content.
 */
#ifndef APP_INFO_REPORT_H
#define APP_INFO_REPORT_H

#include <stdio.h>

#include "model_survey.h"

typedef struct Info {
    const char *path; /* as given */
    const Model *model;
    ModelSurvey survey;
    ModelSplit split;
} Info;

void infoPrint(FILE *file, const Info *info);

/* JSON text without a final line end, for cJSON_free; null: out of memory. Names as in reportJson. */
char *infoJson(const Info *info);

/* The repairs of the import: a name for JSON, a phrase for the table, a count. */
typedef struct InfoRepair {
    const char *name, *phrase;
    uint32_t count;
} InfoRepair;

#define INFO_REPAIRS 8

void infoListRepairs(const ModelRepairs *repairs, InfoRepair rows[INFO_REPAIRS]);

#endif
