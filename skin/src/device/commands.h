/*
 * commands.h: the commands that vkskinSkinInstances took and that are not recorded yet.
 */
#ifndef VKSKIN_COMMANDS_H
#define VKSKIN_COMMANDS_H

#include "context.h"

/*
 * INVALID_VALUE if there are commands and the frame's output was released or acquired: output skinned after that would
 * never be transferred.
 */
VkskinResult sknNeedOwnership(VkskinContext context, const char *call);

/* Adds the recorded commands, whose jobs are collected, to the frame's counters and empties the list. */
void sknFinishCommands(VkskinContext context);

/* Drops the commands of a frame that ended without recording them; instances keep their output. Returns their number. */
uint32_t sknTakeBackCommands(VkskinContext context);

/* The same for a cancelled frame, and for its recorded commands, which will not run. */
void sknTakeBackFrame(VkskinContext context);

#endif
