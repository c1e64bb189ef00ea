#define _DEFAULT_SOURCE
#include "guarded_output.h"

#include "test.h"

#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

static size_t pageSize(void) {
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return info.dwPageSize;
}

/* Zeroed pages; null if there are none. */
static void *takePages(size_t size) {
    return VirtualAlloc(NULL, size, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
}

static bool closePages(void *pages, size_t size) {
    DWORD before;
    return VirtualProtect(pages, size, PAGE_NOACCESS, &before) != 0;
}

static bool givePages(void *pages, size_t size) {
    (void)size;
    return VirtualFree(pages, 0, MEM_RELEASE) != 0;
}

#else
#include <sys/mman.h>
#include <unistd.h>

static size_t pageSize(void) {
    return (size_t)sysconf(_SC_PAGESIZE);
}

/* Zeroed pages; null if there are none. */
static void *takePages(size_t size) {
    void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return pages != MAP_FAILED ? pages : NULL;
}

static bool closePages(void *pages, size_t size) {
    return mprotect(pages, size, PROT_NONE) == 0;
}

static bool givePages(void *pages, size_t size) {
    return munmap(pages, size) == 0;
}

#endif

GuardedOutput guardedOutput(size_t size, unsigned char fill) {
    size_t page = pageSize();
    size_t pages = (size + page - 1) / page + 1;
    GuardedOutput output = {.size = size, .fill = fill, .roomSize = (pages + 1) * page};
    output.room = takePages(output.roomSize);
    assert_non_null(output.room);
    memset(output.room, fill, pages * page);
    assert_true(closePages(output.room + pages * page, page));
    output.bytes = output.room + pages * page - size;
    return output;
}

void guardedOutputFree(GuardedOutput *output) {
    for (const unsigned char *at = output->room; at < output->bytes; at++) {
        if (*at != output->fill) {
            fail_msg("%zu bytes before the output were written", (size_t)(output->bytes - at));
        }
    }
    assert_true(givePages(output->room, output->roomSize));
    *output = (GuardedOutput){.bytes = NULL};
}
