/* The interposer itself: each limit is exceeded on purpose and must be recorded; unflushed writes must be lost. */
#include <string.h>

#include "profile.h"

typedef struct Plant {
    Gpu *gpu;
    VkskinVulkanFunctions vk;
} Plant;

static Plant begin(void **state, ProfileName name) {
    Plant plant = {.gpu = *state};
    profileBegin(plant.gpu, name);
    plant.vk = interposerFunctions();
    return plant;
}

/* One violation was noted, whose text holds `part`. */
static void expectViolation(const char *part) {
    assert_int_equal(interposer.violations.count, 1);
    if (strstr(interposer.violations.texts[0], part) == NULL) {
        fail_msg("'%s' does not hold '%s'", interposer.violations.texts[0], part);
    }
    interposer.violations.count = 0;
}

static VkBuffer makeBuffer(const Plant *plant, VkDeviceSize size) {
    VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = size,
        .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
    };
    VkBuffer buffer;
    GPU_CHECK(plant->vk.vkCreateBuffer(plant->gpu->device, &info, NULL, &buffer));
    return buffer;
}

static VkDeviceMemory allocate(const Plant *plant, VkDeviceSize size, uint32_t type) {
    VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = size,
        .memoryTypeIndex = type,
    };
    VkDeviceMemory memory;
    GPU_CHECK(plant->vk.vkAllocateMemory(plant->gpu->device, &info, NULL, &memory));
    return memory;
}

/* ---- Bindings ---- */

static void bind(const Plant *plant, VkBuffer buffer, VkDeviceSize offset, VkDeviceSize range) {
    VkDescriptorBufferInfo info = {buffer, offset, range};
    VkWriteDescriptorSet write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .descriptorCount = 1,
        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
        .pBufferInfo = &info,
    };
    plant->vk.vkUpdateDescriptorSets(plant->gpu->device, 1, &write, 0, NULL);
}

static void bindingsAreHeldToTheLimits(void **state) {
    Plant plant = begin(state, PROFILE_LEAST_LIMITS);
    VkBuffer buffer = makeBuffer(&plant, (1u << 27) + 1024);
    bind(&plant, buffer, 0, (1u << 27) + 256);
    expectViolation("binds too much");
    bind(&plant, buffer, 64, 256);
    expectViolation("is not aligned");
    bind(&plant, buffer, 1u << 27, 1280);
    expectViolation("binds past the end");
    plant.vk.vkDestroyBuffer(plant.gpu->device, buffer, NULL);
    interposerEnd();
}

static void view(const Plant *plant, VkBuffer buffer, VkDeviceSize offset, VkDeviceSize range) {
    VkBufferViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
        .buffer = buffer,
        .format = VK_FORMAT_R32G32B32A32_SFLOAT,
        .offset = offset,
        .range = range,
    };
    VkBufferView none;
    assert_int_equal(plant->vk.vkCreateBufferView(plant->gpu->device, &info, NULL, &none), VK_ERROR_UNKNOWN);
}

static void viewsAreHeldToTheLimits(void **state) {
    Plant plant = begin(state, PROFILE_LEAST_LIMITS);
    VkBuffer buffer = makeBuffer(&plant, 2u << 20);
    view(&plant, buffer, 0, (1u << 20) + 16);
    expectViolation("texels of a view: 65537, at most 65536");
    view(&plant, buffer, 16, 256);
    expectViolation("vkCreateBufferView: 256 bytes from 16");
    view(&plant, buffer, 0, 24);
    expectViolation("vkCreateBufferView: 24 bytes from 0");
    view(&plant, buffer, (2u << 20) - 256, 512);
    expectViolation("vkCreateBufferView: 512 bytes from 2096896");
    plant.vk.vkDestroyBuffer(plant.gpu->device, buffer, NULL);
    interposerEnd();
}

/* ---- Layouts and commands ---- */

static VkDescriptorSetLayout makeSetLayout(const Plant *plant) {
    VkDescriptorSetLayoutBinding binding = {
        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
        .descriptorCount = 1,
        .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
    };
    VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 1,
        .pBindings = &binding,
    };
    VkDescriptorSetLayout layout;
    GPU_CHECK(plant->vk.vkCreateDescriptorSetLayout(plant->gpu->device, &info, NULL, &layout));
    return layout;
}

static void makeLayout(const Plant *plant, VkDescriptorSetLayout set, uint32_t setCount, uint32_t pushBytes) {
    VkDescriptorSetLayout sets[] = {set, set, set, set, set};
    VkPushConstantRange push = {VK_SHADER_STAGE_COMPUTE_BIT, 0, pushBytes};
    VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = setCount,
        .pSetLayouts = sets,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &push,
    };
    VkPipelineLayout layout;
    assert_int_equal(plant->vk.vkCreatePipelineLayout(plant->gpu->device, &info, NULL, &layout), VK_ERROR_UNKNOWN);
}

static void layoutsAreHeldToTheLimits(void **state) {
    Plant plant = begin(state, PROFILE_LEAST_LIMITS);
    VkDescriptorSetLayout set = makeSetLayout(&plant);
    makeLayout(&plant, set, 5, 16);
    assert_int_equal(interposer.violations.count, 2); /* five sets, and so five storage buffers */
    assert_non_null(strstr(interposer.violations.texts[1], "storage buffers of a stage: 5"));
    interposer.violations.count = 1;
    expectViolation("descriptor sets of a layout: 5");
    makeLayout(&plant, set, 4, 132);
    expectViolation("push constants of a layout: 132");
    plant.vk.vkDestroyDescriptorSetLayout(plant.gpu->device, set, NULL);
    interposerEnd();
}

static void commandsAreHeldToTheLimits(void **state) {
    Plant plant = begin(state, PROFILE_LEAST_LIMITS);
    VkBuffer buffer = makeBuffer(&plant, 1024);
    VkBufferCopy copy = {768, 0, 512};
    plant.vk.vkCmdDispatch(NULL, 65536, 1, 1);
    expectViolation("groups of a dispatch: 65536");
    plant.vk.vkCmdBindDescriptorSets(NULL, VK_PIPELINE_BIND_POINT_COMPUTE, NULL, 1, 4, NULL, 0, NULL);
    expectViolation("bound descriptor sets: 5");
    plant.vk.vkCmdPushConstants(NULL, NULL, VK_SHADER_STAGE_COMPUTE_BIT, 100, 32, NULL);
    expectViolation("push constants: 132");
    plant.vk.vkCmdWriteTimestamp(NULL, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, NULL, 0);
    expectViolation("vkCmdWriteTimestamp");
    plant.vk.vkCmdCopyBuffer(NULL, buffer, buffer, 1, &copy);
    expectViolation("vkCmdCopyBuffer");
    plant.vk.vkDestroyBuffer(plant.gpu->device, buffer, NULL);
    interposerEnd();
}

/* ---- Kernels ---- */

/* A library that did not look at the limits: it takes the driver's, which are higher, for the device's. */
static void workgroupsAreHeldToTheLimits(void **state) {
    Plant plant = begin(state, PROFILE_LEAST_LIMITS);
    plant.vk.vkGetPhysicalDeviceProperties = vkGetPhysicalDeviceProperties;
    VkskinContextDef def = gpuContextDef(plant.gpu);
    VkskinPipelineDef pipelines = vkskinDefaultPipelineDef();
    VkskinContext context;
    def.functions = &plant.vk;
    def.maxTimingScopes = 0;
    def.paletteBytesPerFrame = 64u << 10; /* else a page would hold more texels than may be viewed */
    GPU_VKSKIN(plant.gpu, vkskinCreateContext(&def, &context));
    pipelines.workgroupSize = 160;
    GPU_VKSKIN_IS(plant.gpu, VKSKIN_ERROR_VULKAN, vkskinCreatePipelines(context, &pipelines));
    assert_int_equal(interposer.violations.count, 2); /* the side as well as all */
    interposer.violations.count = 1;
    expectViolation("a side of a workgroup: 160");
    vkskinDestroyContext(context);
    interposerEnd();
}

#define OP(words, opcode) ((uint32_t)(words) << 16 | (opcode))

/* A workgroup of (64, 2, 1) that shares uint[64], where 64 is constant 7 and still open, and a struct of a float and a vec3; one buffer. */
/* clang-format off */
static const uint32_t module[] = {
    0x07230203,  0x00010000, 0, 32, 0, /* the header: 32 ids */
    OP(6, 16),   1,  17, 8, 8, 8,      /* OpExecutionMode LocalSize, which the built-in overrules */
    OP(4, 71),   10, 1,  7,            /* OpDecorate %10 SpecId 7 */
    OP(4, 71),   13, 11, 25,           /* OpDecorate %13 BuiltIn WorkgroupSize */
    OP(3, 71),   18, 3,                /* OpDecorate %18 BufferBlock */
    OP(4, 71),   20, 34, 2,            /* OpDecorate %20 DescriptorSet 2 */
    OP(4, 21),   2,  32, 0,            /* %2 = OpTypeInt 32 */
    OP(3, 22),   3,  32,               /* %3 = OpTypeFloat 32 */
    OP(4, 23),   4,  3,  3,            /* %4 = OpTypeVector %3 3 */
    OP(4, 23),   5,  2,  3,            /* %5 = OpTypeVector %2 3 */
    OP(4, 50),   2,  10, 64,           /* %10 = OpSpecConstant %2 64 */
    OP(4, 43),   2,  11, 2,            /* %11 = OpConstant %2 2 */
    OP(4, 43),   2,  12, 1,            /* %12 = OpConstant %2 1 */
    OP(6, 51),   5,  13, 10, 11, 12,   /* %13 = OpSpecConstantComposite %5 */
    OP(4, 28),   14, 2,  10,           /* %14 = OpTypeArray %2 %10 */
    OP(4, 30),   15, 3,  4,            /* %15 = OpTypeStruct %3 %4 */
    OP(4, 32),   16, 4,  14,           /* %16 = OpTypePointer Workgroup %14 */
    OP(4, 32),   17, 4,  15,           /* %17 = OpTypePointer Workgroup %15 */
    OP(3, 30),   18, 2,                /* %18 = OpTypeStruct %2 */
    OP(4, 32),   19, 2,  18,           /* %19 = OpTypePointer Uniform %18 */
    OP(4, 59),   19, 20, 2,            /* %20 = OpVariable %19 Uniform */
    OP(4, 59),   16, 21, 4,            /* %21 = OpVariable %16 Workgroup */
    OP(4, 59),   17, 22, 4,            /* %22 = OpVariable %17 Workgroup */
};
/* clang-format on */

static void shadersAreRead(void **state) {
    (void)state;
    ShaderFacts facts = shaderFacts(module, sizeof module / sizeof module[0]);
    assert_int_equal(facts.workgroupSize[0], 64);
    assert_int_equal(facts.workgroupSize[1], 2);
    assert_int_equal(facts.workgroupSize[2], 1);
    assert_int_equal(facts.sharedBytes, 64 * 4 + 16);
    assert_int_equal(facts.storageBuffers, 1);
    assert_int_equal(facts.sets, 3);
    assert_int_equal(facts.openConstants, 1);
}

/* ---- Memory ---- */

static void flush(const Plant *plant, VkDeviceMemory memory, VkDeviceSize offset, VkDeviceSize size) {
    VkMappedMemoryRange range = {
        .sType = VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE,
        .memory = memory,
        .offset = offset,
        .size = size,
    };
    GPU_CHECK(plant->vk.vkFlushMappedMemoryRanges(plant->gpu->device, 1, &range));
}

static void flushesAreHeldToAtoms(void **state) {
    Plant plant = begin(state, PROFILE_INCOHERENT);
    VkDeviceMemory memory = allocate(&plant, 1024 + 64, 1);
    void *mapped;
    flush(&plant, memory, 0, 256);
    expectViolation("is not mapped");
    GPU_CHECK(plant.vk.vkMapMemory(plant.gpu->device, memory, 0, VK_WHOLE_SIZE, 0, &mapped));
    flush(&plant, memory, 64, 256);
    expectViolation("does not start with an atom");
    flush(&plant, memory, 0, 64);
    expectViolation("does not end with an atom");
    flush(&plant, memory, 768, 512);
    expectViolation("reaches past the memory's end");
    flush(&plant, memory, 768, 256 + 64); /* up to the very end */
    assert_int_equal(interposer.use.flushes, 1);
    plant.vk.vkUnmapMemory(plant.gpu->device, memory);
    plant.vk.vkFreeMemory(plant.gpu->device, memory, NULL);
    interposerEnd();
}

/* A flush that starts in one of the host's blocks and ends in the next one. */
static void flushesStayInTheirBlock(void **state) {
    Plant plant = begin(state, PROFILE_INCOHERENT);
    VkskinMemoryCallbacks host = interposerMemory();
    VkskinMemoryRequest request = {.requirements = {.size = 256, .alignment = 256, .memoryTypeBits = 7},
                                   .use = VKSKIN_MEMORY_STAGING};
    VkskinMemoryBlock blocks[2];
    for (int i = 0; i < 2; i++) {
        GPU_CHECK(host.allocate(host.user, &request, &blocks[i]));
    }
    assert_true(blocks[0].memory == blocks[1].memory);
    flush(&plant, blocks[0].memory, blocks[0].offset, 512);
    expectViolation("reaches into another block");
    host.free(host.user, &blocks[0]);
    host.free(host.user, &blocks[1]);
    interposerEnd();
}

static void unflushedWritesAreLost(void **state) {
    Plant plant = begin(state, PROFILE_INCOHERENT);
    VkBuffer buffer = makeBuffer(&plant, 512);
    VkMemoryRequirements requirements;
    plant.vk.vkGetBufferMemoryRequirements(plant.gpu->device, buffer, &requirements);
    VkDeviceMemory memory = allocate(&plant, requirements.size, 1);
    GPU_CHECK(plant.vk.vkBindBufferMemory(plant.gpu->device, buffer, memory, 0));
    void *mapped;
    GPU_CHECK(plant.vk.vkMapMemory(plant.gpu->device, memory, 0, VK_WHOLE_SIZE, 0, &mapped));
    memset(mapped, 0x11, 512);
    flush(&plant, memory, 0, 256);
    memset(mapped, 0x22, 512);
    GpuBuffer copy = gpuBuffer(plant.gpu, 512, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    VkCommandBuffer commandBuffer = gpuBegin(plant.gpu);
    gpuRecordReadback(commandBuffer, buffer, 0, 512, copy.buffer);
    gpuSubmitAndWait(plant.gpu, commandBuffer);
    const unsigned char *bytes = copy.mapped;
    for (int i = 0; i < 512; i++) {
        assert_int_equal(bytes[i], i < 256 ? 0x11 : 0xa5);
    }
    gpuFreeBuffer(plant.gpu, &copy);
    plant.vk.vkDestroyBuffer(plant.gpu->device, buffer, NULL);
    plant.vk.vkUnmapMemory(plant.gpu->device, memory);
    plant.vk.vkFreeMemory(plant.gpu->device, memory, NULL);
    interposerEnd();
}

static void memoryIsWhatItIsCalled(void **state) {
    Plant plant = begin(state, PROFILE_SMALL_HEAPS);
    VkDeviceMemory memory = allocate(&plant, (VkDeviceSize)32 << 20, 0);
    VkMemoryAllocateInfo more = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = 1};
    VkDeviceMemory refused;
    void *mapped;
    assert_int_equal(plant.vk.vkMapMemory(plant.gpu->device, memory, 0, VK_WHOLE_SIZE, 0, &mapped),
                     VK_ERROR_MEMORY_MAP_FAILED);
    expectViolation("is not visible to the host");
    assert_int_equal(plant.vk.vkAllocateMemory(plant.gpu->device, &more, NULL, &refused),
                     VK_ERROR_OUT_OF_DEVICE_MEMORY);
    plant.vk.vkFreeMemory(plant.gpu->device, memory, NULL);
    interposerEnd();
}

static void whatIsLeftIsCounted(void **state) {
    Plant plant = begin(state, PROFILE_STAGING);
    VkDeviceMemory memory = allocate(&plant, 1024, 0);
    VkBuffer buffer = makeBuffer(&plant, 1024);
    assert_int_equal(interposerForget(), 2);
    vkDestroyBuffer(plant.gpu->device, buffer, NULL);
    vkFreeMemory(plant.gpu->device, memory, NULL);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        INTERPOSER_TEST(bindingsAreHeldToTheLimits),   INTERPOSER_TEST(viewsAreHeldToTheLimits),
        INTERPOSER_TEST(layoutsAreHeldToTheLimits),    INTERPOSER_TEST(commandsAreHeldToTheLimits),
        INTERPOSER_TEST(workgroupsAreHeldToTheLimits), INTERPOSER_TEST(shadersAreRead),
        INTERPOSER_TEST(flushesAreHeldToAtoms),        INTERPOSER_TEST(flushesStayInTheirBlock),
        INTERPOSER_TEST(unflushedWritesAreLost),       INTERPOSER_TEST(memoryIsWhatItIsCalled),
        INTERPOSER_TEST(whatIsLeftIsCounted),
    };
    return gpuRunTests("interposer", tests, sizeof tests / sizeof tests[0], argc > 1 ? argv[1] : NULL);
}
