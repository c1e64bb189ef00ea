#include "null_state.h"

void nullTouchWrite(uint32_t *mark) {
    *mark += 1;
}

void nullTouchRead(const uint32_t *mark) {
    (void)*(const volatile uint32_t *)mark;
}

void nullTouchWords(const uint32_t *words, uint64_t count) {
    for (uint64_t i = 0; i < count; i++) {
        nullTouchRead(&words[i]);
    }
}
