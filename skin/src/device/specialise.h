/*
 * specialise.h: makes the specialisation constants of SPIR-V code plain constants.
 *
 * The result is the same as with VkSpecializationInfo. Some drivers (SwiftShader) insert the values and then keep every
 * branch that depends on them; a driver that reads plain constants removes those branches.
 */
#ifndef VKSKIN_SPECIALISE_H
#define VKSKIN_SPECIALISE_H

#include "host.h"

typedef struct SpecialisedCode {
    uint32_t *words; /* free with sknHostFree */
    size_t count;
} SpecialisedCode;

/*
 * Writes words[count] with the constant of constant_id i as values[i]. A constant_id from valueCount on keeps its
 * default. Constants and what is computed from them are 32-bit integers or bool. On failure *code is empty.
 * Errors: OUT_OF_HOST_MEMORY; KERNEL_CODE for an operation that is unknown, or a constant of another type.
 */
VkskinResult sknSpecialise(const Host *host, const uint32_t *words, size_t count, const uint32_t *values,
                           uint32_t valueCount, SpecialisedCode *code);

#endif
