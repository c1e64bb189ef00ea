/* Functions with the names of cpu_limits.c but plain stores: check_streaming.sh must report them. */
#include <stddef.h>
#include <stdint.h>

void fill16(uint32_t *words, size_t count, uint32_t word);

void fill16(uint32_t *words, size_t count, uint32_t word) {
    for (size_t i = 0; i < count; i++) {
        words[i] = word;
    }
}
