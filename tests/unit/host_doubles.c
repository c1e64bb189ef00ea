#include "host_doubles.h"

#include "test.h"

static void remember(void *user, VkskinResult result, const char *message) {
    LogMemory *memory = user;
    ++memory->count;
    memory->result = result;
    snprintf(memory->message, sizeof memory->message, "%s", message);
}

VkskinLogger rememberingLogger(LogMemory *memory) {
    *memory = (LogMemory){.count = 0};
    return (VkskinLogger){.log = remember, .user = memory};
}

void assertLogged(LogMemory *memory, VkskinResult result, const char *message) {
    assert_int_equal(memory->count, 1);
    assert_string_equal(vkskinResultName(memory->result), vkskinResultName(result));
    assert_string_equal(memory->message, message);
    memory->count = 0;
}

static void *countAllocate(void *user, size_t size, size_t alignment) {
    AllocatorState *state = user;
    ++state->made;
    if (state->made == state->failAt) {
        return NULL;
    }
    assert_true(size > 0 && alignment > 0 && alignment <= 64 && (alignment & (alignment - 1)) == 0);
    void *memory = aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    assert_non_null(memory);
    ++state->alive;
    return memory;
}

static void countFree(void *user, void *memory) {
    AllocatorState *state = user;
    assert_non_null(memory);
    assert_true(state->alive > 0);
    --state->alive;
    free(memory);
}

VkskinHostAllocator countingAllocator(AllocatorState *state) {
    return (VkskinHostAllocator){.allocate = countAllocate, .free = countFree, .user = state};
}
