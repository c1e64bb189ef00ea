/*
 * The guards themselves: a process that leaves a buffer on purpose ends there, and one that stays inside does not.
 *
 *     test_guard_pages             each step of the table in a process of its own: this program again with its name
 *     test_guard_pages NAME        one step
 *     test_guard_pages --assisted  what GPU-assisted validation (layer 1.3.239) reports of such steps
 *
 * On both drivers GPU-assisted validation sees a kernel leave a buffer, by the buffer's size and not by the descriptor's
 * range, and prevents the access. It needs a descriptor set of its own. On lavapipe (8 sets) it checks the library's
 * kernels, and test_guard_world runs under it; on SwiftShader (4 sets, which the library uses) it logs that it cannot.
 */
#include <sys/wait.h>
#include <unistd.h>

#include "guard_pages.h"
#include "marker_scene.h"

#define SIZE   4096u
#define WORDS  (SIZE / 4)
#define TEXELS (SIZE / 16)

/* ---- A kernel that copies any word or texel of a buffer to any other word ---- */

typedef struct ProbeStep {
    uint32_t from, to; /* words from the start of the buffer */
    bool byTexels;     /* `from` counts texels of four floats, and the first one's bits are copied */
} ProbeStep;

static const uint32_t probeWords[] =
#include "probe.comp.inc"
    ;

typedef struct Probe {
    VkDescriptorSetLayout setLayout;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    VkBufferView texels;
    VkDescriptorPool pool;
    VkDescriptorSet set;
} Probe;

static void createLayouts(Gpu *gpu, Probe *probe) {
    const VkDescriptorSetLayoutBinding bindings[] = {
        {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {1, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
    };
    VkDescriptorSetLayoutCreateInfo setInfo = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 2,
        .pBindings = bindings,
    };
    VkPushConstantRange push = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 4 * sizeof(uint32_t)};
    VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = &probe->setLayout,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &push,
    };
    GPU_CHECK(vkCreateDescriptorSetLayout(gpu->device, &setInfo, NULL, &probe->setLayout));
    GPU_CHECK(vkCreatePipelineLayout(gpu->device, &info, NULL, &probe->layout));
}

static void createPipeline(Gpu *gpu, Probe *probe) {
    VkShaderModuleCreateInfo moduleInfo = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = sizeof probeWords,
        .pCode = probeWords,
    };
    VkShaderModule module;
    GPU_CHECK(vkCreateShaderModule(gpu->device, &moduleInfo, NULL, &module));
    VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main"},
        .layout = probe->layout,
    };
    GPU_CHECK(vkCreateComputePipelines(gpu->device, gpu->cache, 1, &info, NULL, &probe->pipeline));
    vkDestroyShaderModule(gpu->device, module, NULL);
}

static void createSet(Gpu *gpu, Probe *probe) {
    const VkDescriptorPoolSize sizes[] = {
        {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1},
        {VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 1},
    };
    VkDescriptorPoolCreateInfo poolInfo = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = 1,
        .poolSizeCount = 2,
        .pPoolSizes = sizes,
    };
    GPU_CHECK(vkCreateDescriptorPool(gpu->device, &poolInfo, NULL, &probe->pool));
    VkDescriptorSetAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = probe->pool,
        .descriptorSetCount = 1,
        .pSetLayouts = &probe->setLayout,
    };
    GPU_CHECK(vkAllocateDescriptorSets(gpu->device, &info, &probe->set));
}

static void createView(Gpu *gpu, const VkskinVulkanFunctions *functions, Probe *probe, VkBuffer buffer,
                       VkDeviceSize range) {
    VkBufferViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
        .buffer = buffer,
        .format = VK_FORMAT_R32G32B32A32_SFLOAT,
        .range = range,
    };
    PFN_vkCreateBufferView create = functions != NULL ? functions->vkCreateBufferView : vkCreateBufferView;
    GPU_CHECK(create(gpu->device, &info, NULL, &probe->texels));
}

static void bindRange(Gpu *gpu, const VkskinVulkanFunctions *functions, const Probe *probe, VkBuffer buffer,
                      VkDeviceSize range) {
    VkDescriptorBufferInfo info = {buffer, 0, range};
    VkWriteDescriptorSet writes[2] = {
        {.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .pBufferInfo = &info},
        {.descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, .pTexelBufferView = &probe->texels},
    };
    for (uint32_t i = 0; i < 2; i++) {
        writes[i].sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
        writes[i].dstSet = probe->set;
        writes[i].dstBinding = i;
        writes[i].descriptorCount = 1;
    }
    PFN_vkUpdateDescriptorSets update = functions != NULL ? functions->vkUpdateDescriptorSets : vkUpdateDescriptorSets;
    update(gpu->device, 2, writes, 0, NULL);
}

/*
 * Copies as `step` says. The buffer is bound and viewed as `range` bytes from its start by `functions`, or the driver's
 * own if that is null. Submits and waits.
 */
static void copyWord(Gpu *gpu, const VkskinVulkanFunctions *functions, VkBuffer buffer, VkDeviceSize range,
                     ProbeStep step) {
    const uint32_t push[4] = {step.from, step.to, step.byTexels, step.byTexels ? step.from : 0};
    Probe probe;
    createLayouts(gpu, &probe);
    createPipeline(gpu, &probe);
    createSet(gpu, &probe);
    createView(gpu, functions, &probe, buffer, range);
    bindRange(gpu, functions, &probe, buffer, range);
    VkCommandBuffer commandBuffer = gpuBegin(gpu);
    vkCmdBindPipeline(commandBuffer, VK_PIPELINE_BIND_POINT_COMPUTE, probe.pipeline);
    vkCmdBindDescriptorSets(commandBuffer, VK_PIPELINE_BIND_POINT_COMPUTE, probe.layout, 0, 1, &probe.set, 0, NULL);
    vkCmdPushConstants(commandBuffer, probe.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof push, push);
    vkCmdDispatch(commandBuffer, 1, 1, 1);
    gpuSubmitAndWait(gpu, commandBuffer);
    vkDestroyDescriptorPool(gpu->device, probe.pool, NULL);
    vkDestroyBufferView(gpu->device, probe.texels, NULL);
    vkDestroyPipeline(gpu->device, probe.pipeline, NULL);
    vkDestroyPipelineLayout(gpu->device, probe.layout, NULL);
    vkDestroyDescriptorSetLayout(gpu->device, probe.setLayout, NULL);
}

/* ---- Guard pages ---- */

typedef enum Seen { SEEN_NEVER, SEEN_ALWAYS, SEEN_BY_SWIFTSHADER, SEEN_BY_LAVAPIPE } Seen;

typedef struct Step {
    const char *name;
    GuardPlacement placement;
    bool exact; /* bound with its own size, not as guard_pages.h does it */
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
#define STEP_COUNT (COUNT_OF(steps))

static const Step *taken; /* in the process that runs a step */

/* A buffer, created as the library creates its own. */
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

GPU_TEST(takeStep) {
    VkskinVulkanFunctions functions = guardFunctions();
    VkskinMemoryCallbacks memory = guardMemory();
    VkskinMemoryBlock block;
    guardStart(gpu, taken->placement);
    guardNote("%s", taken->name);
    VkBuffer buffer = createGuarded(gpu, &block);
    uint32_t *words = block.mapped;
    words[taken->step.byTexels ? WORDS - 4 : WORDS - 1] = 7;
    copyWord(gpu, taken->exact ? NULL : &functions, buffer, SIZE, taken->step);
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

TEST(stepsOutsideAreSeen) {
    for (size_t i = 0; i < STEP_COUNT; i++) {
        takeInChild(&steps[i]);
    }
}

/* ---- GPU-assisted validation ---- */

GPU_TEST(stepsOutsideAreReported) {
    GpuBuffer buffer =
        gpuBuffer(gpu, SIZE, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT);
    gpuExpectMessage(gpu, "access out of bounds");
    copyWord(gpu, NULL, buffer.buffer, SIZE, (ProbeStep){WORDS - 1, 0, false});
    assert_int_equal(gpu->expectedCount, 0);
    copyWord(gpu, NULL, buffer.buffer, SIZE, (ProbeStep){WORDS, 0, false});
    assert_int_equal(gpu->expectedCount, 1);
    copyWord(gpu, NULL, buffer.buffer, SIZE, (ProbeStep){0, WORDS, false});
    assert_int_equal(gpu->expectedCount, 2);
    copyWord(gpu, NULL, buffer.buffer, SIZE, (ProbeStep){TEXELS - 1, 0, true});
    assert_int_equal(gpu->expectedCount, 2);
    copyWord(gpu, NULL, buffer.buffer, SIZE, (ProbeStep){TEXELS, 0, true});
    assert_int_equal(gpu->expectedCount, 3);
    gpuFreeBuffer(gpu, &buffer);
}

/* The dispatch reads its instances far outside of the table. */
static VKAPI_ATTR void VKAPI_CALL pushFarInstances(VkCommandBuffer commandBuffer, VkPipelineLayout layout,
                                                   VkShaderStageFlags stages, uint32_t offset, uint32_t size,
                                                   const void *values) {
    uint32_t words[4]; /* jobs, job count, instances, group count */
    assert_int_equal(size, sizeof words);
    memcpy(words, values, sizeof words);
    words[2] += 1u << 24;
    vkCmdPushConstants(commandBuffer, layout, stages, offset, size, words);
}

GPU_TEST(libraryIsCheckedIfASetIsFree) {
    VkskinVulkanFunctions functions = {0};
    VkskinContextDef def = gpuContextDef(gpu);
    bool setFree = gpu->properties.limits.maxBoundDescriptorSets > 4;
    def.functions = &functions;
    functions.vkCmdPushConstants = setFree ? pushFarInstances : NULL; /* otherwise the access would happen */
    gpuExpectMessage(gpu, setFree ? "access out of bounds" : "too many descriptor sets");
    Scene s = makeScene(gpu, &def, 3, false);
    skinOneFrame(gpu, s.context, 0, s.instance, 1.0f, 2.0f);
}

/* ---- Running ---- */

static int runStep(const char *name) {
    for (size_t i = 0; i < STEP_COUNT && taken == NULL; i++) {
        taken = strcmp(steps[i].name, name) == 0 ? &steps[i] : NULL;
    }
    if (taken == NULL) {
        fprintf(stderr, "no step is called %s\n", name);
        return 2;
    }
    gpuRequest(&guardRequest);
    return testRunGroup("guard step", "takeStep", NULL, NULL);
}

static int runAssisted(void) {
    gpuRequest(&(GpuRequest){.gpuAssisted = true});
    return testRunGroup("gpu assisted", "stepsOutsideAreReported", NULL, NULL) +
           testRunGroup("gpu assisted", "libraryIsCheckedIfASetIsFree", NULL, NULL);
}

int main(int argc, char **argv) {
    if (argc > 1) {
        return strcmp(argv[1], "--assisted") == 0 ? runAssisted() : runStep(argv[1]);
    }
    return testRunGroup("guard pages", "stepsOutsideAreSeen", NULL, NULL);
}
