/*
 * record.h: what calls that record share.
 */
#ifndef VKSKIN_RECORD_H
#define VKSKIN_RECORD_H

#include "context.h"

/* vkskinRecordUploads, with the lock. */
VkskinResult sknRecordUploads(VkskinContext context, VkCommandBuffer commandBuffer);

/* A label and a scope of the library's own. The scope is left out if the host's scopes have used all room. */
bool sknBeginOwnScope(VkskinContext context, VkCommandBuffer commandBuffer, const char *name);
void sknEndOwnScope(VkskinContext context, VkCommandBuffer commandBuffer, const char *name, bool begun);

#endif
