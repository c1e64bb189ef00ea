/* Functions of cpu_stream.c's names whose stores are plain: check_streaming.sh must tell. */
#include <stddef.h>
#include <stdint.h>

void fill16(uint32_t *words, size_t count, uint32_t word);

void fill16(uint32_t *words, size_t count, uint32_t word) {
    for (size_t i = 0; i < count; i++) {
        words[i] = word;
    }
}
