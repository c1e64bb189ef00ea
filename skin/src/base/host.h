/*
 * host.h: what every part of the library needs of the host, with a device or without one.
 */
#ifndef VKSKIN_HOST_H
#define VKSKIN_HOST_H

#include "diagnostics.h"
#include "host_memory.h"

typedef struct Host {
    VkskinLogger logger;
    const VkskinHostAllocator *allocator; /* null: malloc */
} Host;

#endif
