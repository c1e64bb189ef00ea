/*
 * commands.h: what vkskinSkin has taken and no command buffer has yet.
 */
#ifndef VKSKIN_COMMANDS_H
#define VKSKIN_COMMANDS_H

#include "context.h"

/* Empties the list: the commands were recorded, or their frame went by. */
void sknForgetCommands(VkskinContext context);

/* Copies wait for vkskinRecordUploads: of meshes, or of staged palettes. */
bool sknUploadsPending(VkskinContext context);

#endif
