/* vkm_checksum.h: XXH64, the checksum of packed files. Its description and its test values are public. */
#ifndef ENGINE_VKM_CHECKSUM_H
#define ENGINE_VKM_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/* XXH64 of size bytes with a seed. bytes: may be null if size is 0. */
uint64_t vkmChecksum(const void *bytes, size_t size, uint64_t seed);

#endif
