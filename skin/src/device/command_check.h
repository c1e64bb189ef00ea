/*
 * command_check.h: refuses a VkskinSkinCommand that the kernels could not be given.
 */
#ifndef VKSKIN_COMMAND_CHECK_H
#define VKSKIN_COMMAND_CHECK_H

#include "context.h"

/*
 * Looks at the command `at` of a call; *index receives its instance's, *morphs grows by the places that its morph
 * weights take. Errors: those of vkskinSkinInstances that speak of one command.
 */
VkskinResult sknCheckCommand(VkskinContext context, const VkskinSkinCommand *command, uint32_t at, uint32_t *index,
                             uint32_t *morphs);

/* The kernel of a checked command but for the influence count: see sknKernelOf. morphs: a weight is not zero. */
uint32_t sknCommandKernel(const VkskinSkinCommand *command, const Mesh *mesh, bool morphs);

#endif
