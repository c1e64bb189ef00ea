#define _DEFAULT_SOURCE
#include "guarded_output.h"

#include "test.h"

#include <sys/mman.h>
#include <unistd.h>

GuardedOutput guardedOutput(size_t size, unsigned char fill) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t pages = (size + page - 1) / page + 1;
    GuardedOutput output = {.size = size, .fill = fill, .roomSize = (pages + 1) * page};
    output.room = mmap(NULL, output.roomSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(output.room != MAP_FAILED);
    memset(output.room, fill, pages * page);
    assert_int_equal(mprotect(output.room + pages * page, page, PROT_NONE), 0);
    output.bytes = output.room + pages * page - size;
    return output;
}

void guardedOutputFree(GuardedOutput *output) {
    for (const unsigned char *at = output->room; at < output->bytes; at++) {
        if (*at != output->fill) {
            fail_msg("%zu bytes before the output were written", (size_t)(output->bytes - at));
        }
    }
    assert_int_equal(munmap(output->room, output->roomSize), 0);
    *output = (GuardedOutput){.bytes = NULL};
}
