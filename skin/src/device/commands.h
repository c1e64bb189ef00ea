/*
 * commands.h: what vkskinSkinInstances has taken and no command buffer has yet.
 */
#ifndef VKSKIN_COMMANDS_H
#define VKSKIN_COMMANDS_H

#include "context.h"

/* Empties the list: the commands were recorded. */
void sknForgetCommands(VkskinContext context);

/* Empties the list of a frame that went by without recording: its instances keep their output. Returns how many. */
uint32_t sknTakeBackCommands(VkskinContext context);

/* The same of a cancelled frame, whose recorded commands will not run either. */
void sknTakeBackFrame(VkskinContext context);

#endif
