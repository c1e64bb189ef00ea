/* info_packed.h: the part of `vkskin info` about a packed file (docs/formats.md). */
#ifndef APP_INFO_PACKED_H
#define APP_INFO_PACKED_H

#include "document.h"
#include "model.h"

/* The version and a table of chunks; null in the JSON for a model of another file. */
void infoWritePacked(Document *document, const Model *model);

#endif
