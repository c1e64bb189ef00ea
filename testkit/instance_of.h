/*
 * instance_of.h: an instance of a mesh with default values.
 */
#ifndef TESTKIT_INSTANCE_OF_H
#define TESTKIT_INSTANCE_OF_H

#include "vkskin/vkskin.h"

static inline VkskinResult instanceOf(VkskinContext context, VkskinMesh mesh, VkskinInstance *instance) {
    VkskinInstanceDef def = vkskinDefaultInstanceDef();
    def.mesh = mesh;
    return vkskinCreateInstance(context, &def, instance);
}

#endif
