/*
 * command_check.h: refuses a VkskinSkinCommand that the kernels could not be given.
 */
#ifndef VKSKIN_COMMAND_CHECK_H
#define VKSKIN_COMMAND_CHECK_H

#include "context.h"

bool sknIsUnseen(const VkskinSkinCommand *command);

/*
 * Whether the command changes nothing: its instance is unseen, or has the pose already and was not skinned in this
 * frame.
 */
bool sknLeavesOut(VkskinContext context, const VkskinSkinCommand *command, const Instance *instance);

/*
 * Looks at the command `at` of a call; *index receives its instance's, *morphs grows by the places that its morph
 * weights take. Of one that is left out only instance and flags are looked at. Errors: those of vkskinSkinInstances
 * that speak of one command.
 */
VkskinResult sknCheckCommand(VkskinContext context, const VkskinSkinCommand *command, uint32_t at, uint32_t *index,
                             uint32_t *morphs);

/* The kernel of a checked command but for the influence count: see sknKernelOf. morphs: a weight is not zero. */
uint32_t sknCommandKernel(const VkskinSkinCommand *command, const Mesh *mesh, bool morphs);

#endif
