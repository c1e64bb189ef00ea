/*
 * info.h: what a model file holds, as text for people and as JSON for programs. Both say the same.
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

/* JSON text without a last line end, or null when memory is out; cJSON_free it. Names as in reportJson. */
char *infoJson(const Info *info);

/* What import repaired, as rows: a name for programs, a phrase for people. */
typedef struct InfoRepair {
    const char *name, *phrase;
    uint32_t count;
} InfoRepair;

#define INFO_REPAIRS 8

void infoListRepairs(const ModelRepairs *repairs, InfoRepair rows[INFO_REPAIRS]);

#endif
