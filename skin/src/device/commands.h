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

/* Adds the commands, whose jobs are collected, to the frame's counters and marks them as recorded. */
void sknFinishCommands(VkskinContext context);

/*
 * Takes back the updates of the recorded frame's commands that are not recorded, when the frame ends; instances keep their
 * output. Returns their number.
 */
uint32_t sknTakeBackCommands(VkskinContext context);

/* Takes back all updates of the recorded frame, which is cancelled, and of the one that is prepared. */
void sknTakeBackFrames(VkskinContext context);

/* Drops the commands of an instance that are not recorded; its updates stay. */
void sknDropCommandsOf(VkskinContext context, Instance *instance);

#endif
