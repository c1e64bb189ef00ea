/*
 * That the guards guard: a process that steps out of a buffer on purpose ends there, and one that stays inside does not.
 *
 * Each step is taken by a process of its own, this program again with the step's name: no driver is loaded here.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guarded_memory.h"
#include "probe.h"

#define SIZE   4096u
#define WORDS  (SIZE / 4)
#define TEXELS (SIZE / 16)

typedef enum Seen { SEEN_NEVER, SEEN_ALWAYS, SEEN_BY_SWIFTSHADER, SEEN_BY_LAVAPIPE } Seen;

typedef struct Step {
    const char *name;
    GuardPlacement placement;
    bool exact; /* bound as long as it is, and not as guarded_memory.h does it */
    ProbeStep step;
    Seen seen;
} Step;

static const Step steps[] = {
    {"inside", GUARD_AT_END, false, {WORDS - 1, 0, false}, SEEN_NEVER},
    {"read-after", GUARD_AT_END, false, {WORDS, 0, false}, SEEN_ALWAYS},
    {"write-after", GUARD_AT_END, false, {0, WORDS, false}, SEEN_ALWAYS},
    {"read-far-after", GUARD_AT_END, false, {10 * 1024 * 1024, 0, false}, SEEN_ALWAYS},
    {"read-after-exact", GUARD_AT_END, true, {WORDS, 0, false}, SEEN_BY_SWIFTSHADER},
    {"read-before", GUARD_AT_START, false, {UINT32_MAX, 0, false}, SEEN_BY_SWIFTSHADER},
    {"write-before", GUARD_AT_START, false, {0, UINT32_MAX, false}, SEEN_BY_SWIFTSHADER},
    {"texel-inside", GUARD_AT_END, false, {TEXELS - 1, 0, true}, SEEN_NEVER},
    {"texel-after", GUARD_AT_END, false, {TEXELS, 0, true}, SEEN_BY_LAVAPIPE},
    {"texel-after-exact", GUARD_AT_END, true, {TEXELS, 0, true}, SEEN_NEVER},
    {"texel-before", GUARD_AT_START, false, {UINT32_MAX, 0, true}, SEEN_NEVER},
};
#define STEP_COUNT (sizeof steps / sizeof steps[0])

static const Step *taken; /* in the process that takes one */

/* A buffer as the library makes its own. */
static VkBuffer createGuarded(Gpu *gpu, VkskinMemoryBlock *block) {
    VkskinVulkanFunctions functions = guardFunctions();
    VkskinMemoryCallbacks memory = guardMemory();
    VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = SIZE,
        .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT,
    };
    VkskinMemoryRequest request = {.use = VKSKIN_MEMORY_DEVICE, .usage = info.usage, .name = "guarded"};
    GPU_CHECK(functions.vkCreateBuffer(gpu->device, &info, NULL, &request.buffer));
    vkGetBufferMemoryRequirements(gpu->device, request.buffer, &request.requirements);
    GPU_CHECK(memory.allocate(memory.user, &request, block));
    GPU_CHECK(vkBindBufferMemory(gpu->device, request.buffer, block->memory, block->offset));
    return request.buffer;
}

static void takeStep(void **state) {
    Gpu *gpu = *state;
    VkskinVulkanFunctions functions = guardFunctions();
    VkskinMemoryCallbacks memory = guardMemory();
    VkskinMemoryBlock block;
    guardStart(gpu, taken->placement);
    guardNote("%s", taken->name);
    VkBuffer buffer = createGuarded(gpu, &block);
    uint32_t *words = block.mapped;
    words[taken->step.byTexels ? WORDS - 4 : WORDS - 1] = 7;
    probeCopyWord(gpu, taken->exact ? NULL : &functions, buffer, SIZE, taken->step);
    if (strstr(taken->name, "inside") != NULL) {
        assert_int_equal(words[0], 7);
    }
    vkDestroyBuffer(gpu->device, buffer, NULL);
    memory.free(memory.user, &block);
}

static bool expected(const Step *step) {
    const char *driver = getenv("VKSKIN_TEST_DRIVER");
    bool swiftShader = driver != NULL && strcmp(driver, "swiftshader") == 0;
    return step->seen == SEEN_ALWAYS || step->seen == (swiftShader ? SEEN_BY_SWIFTSHADER : SEEN_BY_LAVAPIPE);
}

static void takeInChild(const Step *step) {
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        execl("/proc/self/exe", "test_guard_pages", step->name, (char *)NULL);
        _exit(127);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    print_message("%s: %s\n", step->name, WEXITSTATUS(status) == GUARD_EXIT_STATUS ? "seen" : "not seen");
    assert_int_equal(WEXITSTATUS(status), expected(step) ? GUARD_EXIT_STATUS : 0);
}

static void stepsOutsideAreSeen(void **state) {
    (void)state;
    for (size_t i = 0; i < STEP_COUNT; i++) {
        takeInChild(&steps[i]);
    }
}

static int runStep(const char *name) {
    const struct CMUnitTest tests[] = {GPU_TEST(takeStep)};
    for (size_t i = 0; i < STEP_COUNT && taken == NULL; i++) {
        taken = strcmp(steps[i].name, name) == 0 ? &steps[i] : NULL;
    }
    if (taken == NULL) {
        fprintf(stderr, "no step is called %s\n", name);
        return 2;
    }
    gpuRequest(&guardRequest);
    return gpuRunTests("guard step", tests, 1, NULL);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(stepsOutsideAreSeen)};
    return argc > 1 ? runStep(argv[1]) : cmocka_run_group_tests_name("guard pages", tests, NULL, NULL);
}
