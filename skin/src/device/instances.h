/*
 * instances.h: creates an instance of a mesh.
 */
#ifndef VKSKIN_INSTANCES_H
#define VKSKIN_INSTANCES_H

#include "output_buffer.h"

/* Takes output memory and a handle, without a check of maxInstances. With the lock. Errors: as vkskinCreateInstance. */
VkskinResult sknAddInstance(VkskinContext context, const char *call, uint32_t mesh, const OutputPlace *place,
                            uint32_t *index);

#endif
