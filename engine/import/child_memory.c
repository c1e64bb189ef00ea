#include "child_memory.h"

#include "isolate.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void childOutOfMemory(void) {
    _exit(ISOLATE_EXIT_MEMORY);
}

void *childAllocate(size_t count, size_t size) {
    void *memory = calloc(count ? count : 1, size ? size : 1);
    if (!memory) {
        childOutOfMemory();
    }
    return memory;
}

char *childCopyText(const char *text) {
    char *copy = strdup(text ? text : "");
    if (!copy) {
        childOutOfMemory();
    }
    return copy;
}
