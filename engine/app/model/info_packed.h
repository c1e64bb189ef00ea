/* info_packed.h: the part of `vkskin info` about a packed file (docs/formats.md). */
#ifndef APP_INFO_PACKED_H
#define APP_INFO_PACKED_H

#include <stdio.h>

#include "model.h"
#include "outputs.h"

/* The version and a table of chunks. Nothing for a model of another file. */
void infoPrintPacked(FILE *file, const Model *model);

/* The object "file"; null for a model of another file. */
void infoAddPacked(cJSON *object, const Model *model, bool *good);

#endif
