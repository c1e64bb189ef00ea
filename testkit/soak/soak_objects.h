/*
 * soak_objects.h: counts the Vulkan objects that the library makes and destroys.
 *
 * There is one count a process, as Vulkan's functions carry nothing of the host's.
 */
#ifndef ENGINE_SOAK_OBJECTS_H
#define ENGINE_SOAK_OBJECTS_H

#include <stdint.h>

#include <volk.h>

#include "vkskin/vkskin.h"

/* For VkskinContextDef.functions: every function that makes or destroys an object counts it and goes on to volk's; all
 * others are null. */
VkskinVulkanFunctions soakObjectsFunctions(void);

/* Objects made through the table and not destroyed yet, device memory among them. */
uint64_t soakObjectsAlive(void);

#endif
