/* The interposer itself: each limit is exceeded on purpose and must be recorded; unflushed writes must be lost. */
#include "profile.h"

static VkskinVulkanFunctions vk; /* the table that the library would get */

static void begin(Gpu *gpu, ProfileName name) {
    profileBegin(gpu, name);
    vk = interposerFunctions();
}

/* One violation was recorded, and its text contains `part`. */
static void expectViolation(const char *part) {
    assert_int_equal(interposer.violations.count, 1);
    if (strstr(interposer.violations.texts[0], part) == NULL) {
        fail_msg("'%s' does not hold '%s'", interposer.violations.texts[0], part);
    }
    interposer.violations.count = 0;
}

static VkBuffer makeBuffer(VkDeviceSize size) {
    VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = size,
        .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
    };
    VkBuffer buffer;
    GPU_CHECK(vk.vkCreateBuffer(interposer.gpu->device, &info, NULL, &buffer));
    return buffer;
}

static VkDeviceMemory allocate(VkDeviceSize size, uint32_t type) {
    VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = size,
        .memoryTypeIndex = type,
    };
    VkDeviceMemory memory;
    GPU_CHECK(vk.vkAllocateMemory(interposer.gpu->device, &info, NULL, &memory));
    return memory;
}

/* ---- Bindings ---- */

static void bind(VkBuffer buffer, VkDeviceSize offset, VkDeviceSize range) {
    VkDescriptorBufferInfo info = {buffer, offset, range};
    VkWriteDescriptorSet write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .descriptorCount = 1,
        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
        .pBufferInfo = &info,
    };
    vk.vkUpdateDescriptorSets(interposer.gpu->device, 1, &write, 0, NULL);
}

INTERPOSER_TEST(bindingsAreLimited) {
    begin(gpu, PROFILE_LEAST_LIMITS);
    VkBuffer buffer = makeBuffer((1u << 27) + 1024);
    bind(buffer, 0, (1u << 27) + 256);
    expectViolation("binds too much");
    bind(buffer, 64, 256);
    expectViolation("is not aligned");
    bind(buffer, 1u << 27, 1280);
    expectViolation("binds past the end");
    vk.vkDestroyBuffer(interposer.gpu->device, buffer, NULL);
}

static void view(VkBuffer buffer, VkDeviceSize offset, VkDeviceSize range) {
    VkBufferViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
        .buffer = buffer,
        .format = VK_FORMAT_R32G32B32A32_SFLOAT,
        .offset = offset,
        .range = range,
    };
    VkBufferView none;
    assert_int_equal(vk.vkCreateBufferView(interposer.gpu->device, &info, NULL, &none), VK_ERROR_UNKNOWN);
}

INTERPOSER_TEST(viewsAreLimited) {
    begin(gpu, PROFILE_LEAST_LIMITS);
    VkBuffer buffer = makeBuffer(2u << 20);
    view(buffer, 0, (1u << 20) + 16);
    expectViolation("texels of a view: 65537, at most 65536");
    view(buffer, 16, 256);
    expectViolation("vkCreateBufferView: 256 bytes from 16");
    view(buffer, 0, 24);
    expectViolation("vkCreateBufferView: 24 bytes from 0");
    view(buffer, (2u << 20) - 256, 512);
    expectViolation("vkCreateBufferView: 512 bytes from 2096896");
    vk.vkDestroyBuffer(interposer.gpu->device, buffer, NULL);
}

/* ---- Layouts and commands ---- */

static VkDescriptorSetLayout makeSetLayout(void) {
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
    GPU_CHECK(vk.vkCreateDescriptorSetLayout(interposer.gpu->device, &info, NULL, &layout));
    return layout;
}

static void makeLayout(VkDescriptorSetLayout set, uint32_t setCount, uint32_t pushBytes) {
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
    assert_int_equal(vk.vkCreatePipelineLayout(interposer.gpu->device, &info, NULL, &layout), VK_ERROR_UNKNOWN);
}

INTERPOSER_TEST(layoutsAreLimited) {
    begin(gpu, PROFILE_LEAST_LIMITS);
    VkDescriptorSetLayout set = makeSetLayout();
    makeLayout(set, 5, 16);
    assert_int_equal(interposer.violations.count, 2); /* five sets, each with a storage buffer */
    assert_non_null(strstr(interposer.violations.texts[1], "storage buffers of a stage: 5"));
    interposer.violations.count = 1;
    expectViolation("descriptor sets of a layout: 5");
    makeLayout(set, 4, 132);
    expectViolation("push constants of a layout: 132");
    vk.vkDestroyDescriptorSetLayout(interposer.gpu->device, set, NULL);
}

INTERPOSER_TEST(commandsAreLimited) {
    begin(gpu, PROFILE_LEAST_LIMITS);
    VkBuffer buffer = makeBuffer(1024);
    VkBufferCopy copy = {768, 0, 512};
    vk.vkCmdDispatch(NULL, 65536, 1, 1);
    expectViolation("groups of a dispatch: 65536");
    vk.vkCmdBindDescriptorSets(NULL, VK_PIPELINE_BIND_POINT_COMPUTE, NULL, 1, 4, NULL, 0, NULL);
    expectViolation("bound descriptor sets: 5");
    vk.vkCmdPushConstants(NULL, NULL, VK_SHADER_STAGE_COMPUTE_BIT, 100, 32, NULL);
    expectViolation("push constants: 132");
    vk.vkCmdWriteTimestamp(NULL, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, NULL, 0);
    expectViolation("vkCmdWriteTimestamp");
    vk.vkCmdCopyBuffer(NULL, buffer, buffer, 1, &copy);
    expectViolation("vkCmdCopyBuffer");
    vk.vkDestroyBuffer(interposer.gpu->device, buffer, NULL);
}

/* ---- Kernels ---- */

/* A library that ignores the limits: it uses the driver's, which are higher. */
INTERPOSER_TEST(workgroupsAreLimited) {
    begin(gpu, PROFILE_LEAST_LIMITS);
    vk.vkGetPhysicalDeviceProperties = vkGetPhysicalDeviceProperties;
    VkskinContextDef def = gpuContextDef(interposer.gpu);
    VkskinPipelineDef pipelines = vkskinDefaultPipelineDef();
    def.functions = &vk;
    def.maxTimingScopes = 0;
    def.memory.paletteBytesPerFrame = 64u << 10; /* otherwise a page has more texels than a view may have */
    VkskinContext context = gpuContext(gpu, &def);
    pipelines.workgroupSize = 160;
    GPU_VKSKIN_IS(interposer.gpu, VKSKIN_ERROR_VULKAN, vkskinCreatePipelines(context, &pipelines));
    assert_int_equal(interposer.violations.count, 2); /* the side and the product */
    interposer.violations.count = 1;
    expectViolation("a side of a workgroup: 160");
}

#define OP(words, opcode) ((uint32_t)(words) << 16 | (opcode))

/* A workgroup of (64, 2, 1), where 64 is constant 7 and still open; one shared variable; one buffer of each kind. */
/* clang-format off */
static const uint32_t module[] = {
    0x07230203,  0x00010000, 0, 32, 0, /* the header: 32 ids */
    OP(2, 17),   1,                    /* OpCapability Shader */
    OP(2, 17),   11,                   /* OpCapability Int64 */
    OP(6, 16),   1,  17, 8, 8, 8,      /* OpExecutionMode LocalSize, which the built-in overrides */
    OP(4, 71),   10, 1,  7,            /* OpDecorate %10 SpecId 7 */
    OP(4, 71),   13, 11, 25,           /* OpDecorate %13 BuiltIn WorkgroupSize */
    OP(3, 71),   18, 3,                /* OpDecorate %18 BufferBlock */
    OP(4, 71),   20, 34, 2,            /* OpDecorate %20 DescriptorSet 2 */
    OP(4, 21),   2,  32, 0,            /* %2 = OpTypeInt 32 */
    OP(4, 23),   5,  2,  3,            /* %5 = OpTypeVector %2 3 */
    OP(4, 50),   2,  10, 64,           /* %10 = OpSpecConstant %2 64 */
    OP(4, 43),   2,  11, 2,            /* %11 = OpConstant %2 2 */
    OP(4, 43),   2,  12, 1,            /* %12 = OpConstant %2 1 */
    OP(6, 51),   5,  13, 10, 11, 12,   /* %13 = OpSpecConstantComposite %5 */
    OP(4, 32),   16, 4,  2,            /* %16 = OpTypePointer Workgroup %2 */
    OP(3, 30),   18, 2,                /* %18 = OpTypeStruct %2 */
    OP(4, 32),   19, 2,  18,           /* %19 = OpTypePointer Uniform %18 */
    OP(4, 32),   17, 12, 2,            /* %17 = OpTypePointer StorageBuffer %2 */
    OP(4, 59),   19, 20, 2,            /* %20 = OpVariable %19 Uniform */
    OP(4, 59),   16, 21, 4,            /* %21 = OpVariable %16 Workgroup */
    OP(4, 59),   17, 22, 12,           /* %22 = OpVariable %17 StorageBuffer */
};
/* clang-format on */

INTERPOSER_TEST(shadersAreRead) {
    ShaderFacts facts = shaderFacts(module, COUNT_OF(module));
    assert_int_equal(facts.workgroupSize[0], 64);
    assert_int_equal(facts.workgroupSize[1], 2);
    assert_int_equal(facts.workgroupSize[2], 1);
    assert_int_equal(facts.sharedVariables, 1);
    assert_int_equal(facts.sharedBytes, 4);
    assert_int_equal(facts.storageBuffers, 2);
    assert_int_equal(facts.sets, 3);
    assert_int_equal(facts.openConstants, 1);
    assert_int_equal(facts.capability, 11);
}

/* ---- Memory ---- */

static void flush(VkDeviceMemory memory, VkDeviceSize offset, VkDeviceSize size) {
    VkMappedMemoryRange range = {
        .sType = VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE,
        .memory = memory,
        .offset = offset,
        .size = size,
    };
    GPU_CHECK(vk.vkFlushMappedMemoryRanges(interposer.gpu->device, 1, &range));
}

INTERPOSER_TEST(flushesAreWholeAtoms) {
    begin(gpu, PROFILE_INCOHERENT);
    VkDeviceMemory memory = allocate(1024 + 64, 1);
    void *mapped;
    flush(memory, 0, 256);
    expectViolation("is not mapped");
    GPU_CHECK(vk.vkMapMemory(interposer.gpu->device, memory, 0, VK_WHOLE_SIZE, 0, &mapped));
    flush(memory, 64, 256);
    expectViolation("does not start with an atom");
    flush(memory, 0, 64);
    expectViolation("does not end with an atom");
    flush(memory, 768, 512);
    expectViolation("reaches past the memory's end");
    flush(memory, 768, 256 + 64); /* up to the very end */
    assert_int_equal(interposer.use.flushes, 1);
    vk.vkUnmapMemory(interposer.gpu->device, memory);
    vk.vkFreeMemory(interposer.gpu->device, memory, NULL);
}

/* A flush that starts in one of the host's blocks and ends in the next one. */
INTERPOSER_TEST(flushesStayInTheirBlock) {
    begin(gpu, PROFILE_INCOHERENT);
    VkskinMemoryCallbacks host = interposerMemory();
    VkskinMemoryRequest request = {.requirements = {.size = 256, .alignment = 256, .memoryTypeBits = 7},
                                   .use = VKSKIN_MEMORY_STAGING};
    VkskinMemoryBlock blocks[2];
    for (int i = 0; i < 2; i++) {
        GPU_CHECK(host.allocate(host.user, &request, &blocks[i]));
    }
    assert_true(blocks[0].memory == blocks[1].memory);
    flush(blocks[0].memory, blocks[0].offset, 512);
    expectViolation("reaches into another block");
    host.free(host.user, &blocks[0]);
    host.free(host.user, &blocks[1]);
}

INTERPOSER_TEST(unflushedWritesAreLost) {
    begin(gpu, PROFILE_INCOHERENT);
    VkBuffer buffer = makeBuffer(512);
    VkMemoryRequirements requirements;
    vk.vkGetBufferMemoryRequirements(interposer.gpu->device, buffer, &requirements);
    VkDeviceMemory memory = allocate(requirements.size, 1);
    GPU_CHECK(vk.vkBindBufferMemory(interposer.gpu->device, buffer, memory, 0));
    void *mapped;
    GPU_CHECK(vk.vkMapMemory(interposer.gpu->device, memory, 0, VK_WHOLE_SIZE, 0, &mapped));
    memset(mapped, 0x11, 512);
    flush(memory, 0, 256);
    memset(mapped, 0x22, 512);
    GpuBuffer copy = gpuBuffer(interposer.gpu, 512, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    VkCommandBuffer commandBuffer = gpuBegin(interposer.gpu);
    gpuRecordReadback(commandBuffer, buffer, 0, 512, copy.buffer);
    gpuSubmitAndWait(interposer.gpu, commandBuffer);
    const unsigned char *bytes = copy.mapped;
    for (int i = 0; i < 512; i++) {
        assert_int_equal(bytes[i], i < 256 ? 0x11 : 0xa5);
    }
    gpuFreeBuffer(interposer.gpu, &copy);
    vk.vkDestroyBuffer(interposer.gpu->device, buffer, NULL);
    vk.vkUnmapMemory(interposer.gpu->device, memory);
    vk.vkFreeMemory(interposer.gpu->device, memory, NULL);
}

INTERPOSER_TEST(memoryTypesAreKept) {
    begin(gpu, PROFILE_SMALL_HEAPS);
    VkDeviceMemory memory = allocate((VkDeviceSize)32 << 20, 0);
    VkMemoryAllocateInfo more = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = 1};
    VkDeviceMemory refused;
    void *mapped;
    assert_int_equal(vk.vkMapMemory(interposer.gpu->device, memory, 0, VK_WHOLE_SIZE, 0, &mapped),
                     VK_ERROR_MEMORY_MAP_FAILED);
    expectViolation("is not visible to the host");
    assert_int_equal(vk.vkAllocateMemory(interposer.gpu->device, &more, NULL, &refused), VK_ERROR_OUT_OF_DEVICE_MEMORY);
    vk.vkFreeMemory(interposer.gpu->device, memory, NULL);
}

INTERPOSER_TEST(leftObjectsAreCounted) {
    begin(gpu, PROFILE_STAGING);
    VkDeviceMemory memory = allocate(1024, 0);
    VkBuffer buffer = makeBuffer(1024);
    assert_int_equal(interposerForget(), 2);
    vkDestroyBuffer(interposer.gpu->device, buffer, NULL);
    vkFreeMemory(interposer.gpu->device, memory, NULL);
}
