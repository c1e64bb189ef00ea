/*
 * morph_check.h: refuses morph targets that a mesh could not be given.
 */
#ifndef VKSKIN_MORPH_CHECK_H
#define VKSKIN_MORPH_CHECK_H

#include "host.h"
#include "vkskin/vkskin_mesh.h"

/* Of a def whose other fields were checked. Errors: MORPH_OUT_OF_RANGE, ATTRIBUTE_NOT_FINITE,
 * OUT_OF_HOST_MEMORY. */
VkskinResult sknCheckMorphs(const Host *host, const VkskinMeshDef *def);

#endif
