/*
 * watch.h: what every byte of the library's buffers must be after a frame.
 *
 * Guards see who leaves a buffer; within one lie the ranges of many. Before the device runs, output is filled with
 * poison, and what the other buffers hold is kept, the copies that are recorded added. Afterwards no byte may differ
 * but those that the frame's instances own. The device is idle in every call.
 */
#ifndef TESTS_WATCH_H
#define TESTS_WATCH_H

#include "guarded_memory.h"

/* guardFunctions, and copies are noted as they are recorded. */
VkskinVulkanFunctions watchFunctions(void);

/* After vkskinBeginFrame: palettes and tables of earlier frames become poison, so that whoever still reads them, or
 * reads more than was written, gets no number. */
void watchSpoilInputs(void);

/* After the last write of the host's, before the submission. */
void watchArm(void);

/* What an instance owns. Where `whole`, each word of it must have been written. Called before watchCheck, when what is
 * there has been looked at: it becomes poison again. */
void watchTake(VkBuffer handle, VkDeviceSize offset, VkDeviceSize size, bool whole);

/* Fails the test at the first byte that changed and had no right to. */
void watchCheck(void);

/* Bytes that were held against what they must be, in all calls of watchCheck. */
uint64_t watchBytes(void);

#endif
