/*
 * record.h: what recording on the device and skinning on the CPU share.
 */
#ifndef VKSKIN_RECORD_H
#define VKSKIN_RECORD_H

#include "commands.h"

/*
 * What is skinned after the frame's output was passed on would be released, or acquired, never. Error: INVALID_VALUE
 * where there are commands.
 */
VkskinResult sknNeedOwnership(VkskinContext context, const char *call);

/* Adds the commands, whose jobs were found, to the frame's counters. */
void sknCountCommands(VkskinContext context);

#endif
