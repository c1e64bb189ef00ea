/* info_parts.h: parts of what `vkskin info` shows of a model. */
#ifndef APP_INFO_PARTS_H
#define APP_INFO_PARTS_H

#include "document.h"
#include "model_faults.h"

void infoWriteMaterials(Document *document, const Model *model);

/* A packed file (docs/formats.md): the version and a table of chunks; null in the JSON for a model of another file. */
void infoWritePacked(Document *document, const Model *model);

/* What --check finds. faults: null: not looked for. */
void infoWriteFaults(Document *document, const Model *model, const ModelFaults *faults);

#endif
