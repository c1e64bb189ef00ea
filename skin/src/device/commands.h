/*
 * commands.h: what vkskinSkinInstances has taken and no command buffer has yet.
 */
#ifndef VKSKIN_COMMANDS_H
#define VKSKIN_COMMANDS_H

#include "context.h"

/*
 * What is skinned after the frame's output was passed on would be released, or acquired, never. Error: INVALID_VALUE
 * where there are commands.
 */
VkskinResult sknNeedOwnership(VkskinContext context, const char *call);

/* The commands, whose jobs were found, were recorded: adds them to the frame's counters and empties the list. */
void sknFinishCommands(VkskinContext context);

/* Empties the list of a frame that went by without recording: its instances keep their output. Returns how many. */
uint32_t sknTakeBackCommands(VkskinContext context);

/* The same of a cancelled frame, whose recorded commands will not run either. */
void sknTakeBackFrame(VkskinContext context);

#endif
