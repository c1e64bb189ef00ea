/*
 * stream_counters.h: included before sources of the library: counts their streaming stores and fences.
 */
#ifndef TESTS_STREAM_COUNTERS_H
#define TESTS_STREAM_COUNTERS_H

#include <immintrin.h>
#include <stdint.h>

/* Bytes stored past the caches; of these, since the last fence. */
extern uint32_t streamedBytes, unfencedBytes;

#define COUNT_STORE(bytes, store) (streamedBytes += (bytes), unfencedBytes += (bytes), store)

#define _mm_stream_si128(to, value) COUNT_STORE(16, _mm_store_si128(to, value))
#define _mm256_stream_ps(to, value) COUNT_STORE(32, _mm256_store_ps(to, value))
#define _mm_sfence()                (unfencedBytes = 0)

#endif
