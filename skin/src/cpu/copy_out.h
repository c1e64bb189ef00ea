/*
 * copy_out.h: bytes on their way out of the library: written once, never read, past the caches where that is asked.
 */
#ifndef VKSKIN_COPY_OUT_H
#define VKSKIN_COPY_OUT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

/* words: of 4 bytes; both are aligned to that. */
static inline void copyOut(void *to, const void *from, uint32_t words, bool stream) {
#if defined(__SSE2__)
    uint32_t head = stream ? (uint32_t)(-(uintptr_t)to % 16 / 4) : words;
    head = head < words ? head : words;
    memcpy(to, from, 4 * (size_t)head);
    uint32_t at = head;
    for (; at + 4 <= words; at += 4) {
        __m128i four = _mm_loadu_si128((const __m128i *)(const void *)((const uint32_t *)from + at));
        _mm_stream_si128((__m128i *)(void *)((uint32_t *)to + at), four);
    }
    memcpy((uint32_t *)to + at, (const uint32_t *)from + at, 4 * (size_t)(words - at));
#else
    (void)stream;
    memcpy(to, from, 4 * (size_t)words);
#endif
}

/* What was streamed is there for others as all else is, for those who are told of it. */
static inline void fenceOut(void) {
#if defined(__SSE2__)
    _mm_sfence();
#endif
}

#endif
