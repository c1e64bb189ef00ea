/*
 * interposer_memory.h: the interposer's memory. Tests include interposer.h.
 */
#ifndef TESTKIT_INTERPOSER_MEMORY_H
#define TESTKIT_INTERPOSER_MEMORY_H

#include "interposer_state.h"

/* Device memory of the host: blocks side by side in a few mapped allocations, of the least coherent type. */
VkskinMemoryCallbacks interposerMemory(void);

/* For interposer.c: the entries of the table, what of them is alive, and emptying it. */
void interposerMemoryFunctions(VkskinVulkanFunctions *functions);
uint32_t interposerMemoryObjects(void);
void interposerMemoryNamed(uint64_t handle);
uint32_t interposerMemoryNameless(void);
void interposerMemoryForget(void);

#endif
