/* info_materials.h: the materials of a model, for `info`: as a table and as JSON with the same content. */
#ifndef APP_INFO_MATERIALS_H
#define APP_INFO_MATERIALS_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdio.h>

#include "model.h"

void infoPrintMaterials(FILE *file, const Model *model);

/* Adds the array "materials". *good: as for jsonAdd. */
void infoAddMaterials(cJSON *object, const Model *model, bool *good);

#endif
