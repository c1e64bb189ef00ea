/*
 * specialise.h: SPIR-V with its specialisation constants made plain ones.
 *
 * What VkSpecializationInfo is for, done before the driver sees the code: some drivers (SwiftShader) put the constants'
 * values in and then leave every branch that depends on them where it is.
 */
#ifndef VKSKIN_SPECIALISE_H
#define VKSKIN_SPECIALISE_H

#include "host.h"

/*
 * Writes the code of `count` words with constant id i, where there is such a constant, as values[i]. The ids are below
 * valueCount; all are 32-bit integers, and so is what is computed from them, or bool.
 * specialised: receives the words, [count], to be freed with sknHostFree; returns how many of them are the code.
 * 0 where there is no memory, and then nothing is to be freed.
 */
size_t sknSpecialise(const VkskinHostAllocator *allocator, const uint32_t *words, size_t count, const uint32_t *values,
                     uint32_t valueCount, uint32_t **specialised);

#endif
