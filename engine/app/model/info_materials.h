/* info_materials.h: the part of `vkskin info` about materials. */
#ifndef APP_INFO_MATERIALS_H
#define APP_INFO_MATERIALS_H

#include "document.h"
#include "model.h"

void infoWriteMaterials(Document *document, const Model *model);

#endif
