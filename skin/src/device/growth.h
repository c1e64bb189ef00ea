/*
 * growth.h: makes room in everything that holds the commands of a frame. Calls that add commands make the room, so that
 * record calls need no memory.
 */
#ifndef VKSKIN_GROWTH_H
#define VKSKIN_GROWTH_H

#include "context.h"

/*
 * Makes room for so many more commands of the frame that is prepared, and entries of their morph weights. After a failure
 * there may be more room, all else is as before. Errors: TOO_MANY_INSTANCES and TOO_MANY_MORPHS above the maxima,
 * OUT_OF_HOST_MEMORY, OUT_OF_DEVICE_MEMORY, VULKAN.
 */
VkskinResult sknReserveCommands(VkskinContext context, uint32_t commands, uint32_t morphs);

#endif
