/*
 * A user's program, compiled as C11 and as C++17: skins a triangle on the first device, reads it back, checks it, and
 * prints one line. It links the Vulkan loader itself, as hosts do.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vulkan/vulkan.h>

#include <vkskin/vkskin.h>
#include <vkskin/vkskin_pose.h>

#ifdef __cplusplus
#define ZERO                                                                                                           \
    {}
#else
#define ZERO                                                                                                           \
    { 0 }
#endif

#define CHECK(call) check((call) == VK_SUCCESS, #call)
#define SKIN(call)  check((call) == VKSKIN_SUCCESS, #call)

typedef struct Host {
    VkInstance instance;
    VkPhysicalDevice physicalDevice;
    VkDevice device;
    uint32_t family;
    VkQueue queue;
    VkCommandPool pool;
    VkCommandBuffer commands;
    VkBuffer target;
    VkDeviceMemory memory;
    float *mapped;
} Host;

static const float positions[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
static const uint8_t joints[3] = {0, 0, 0};
static const float weights[3] = {1, 1, 1};

static void check(int good, const char *call) {
    if (!good) {
        fprintf(stderr, "%s failed\n", call);
        exit(1);
    }
}

static void openDevice(Host *host) {
    VkApplicationInfo application = ZERO;
    application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
    application.apiVersion = VK_API_VERSION_1_1;
    VkInstanceCreateInfo instance = ZERO;
    instance.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
    instance.pApplicationInfo = &application;
    CHECK(vkCreateInstance(&instance, NULL, &host->instance));
    uint32_t count = 1;
    check(vkEnumeratePhysicalDevices(host->instance, &count, &host->physicalDevice) >= 0 && count == 1, "no device");

    VkQueueFamilyProperties families[16];
    count = 16;
    vkGetPhysicalDeviceQueueFamilyProperties(host->physicalDevice, &count, families);
    while (host->family < count && (families[host->family].queueFlags & VK_QUEUE_COMPUTE_BIT) == 0) {
        host->family++;
    }
    check(host->family < count, "no queue family for compute");
    const float priority = 1;
    VkDeviceQueueCreateInfo queue = ZERO;
    queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
    queue.queueFamilyIndex = host->family;
    queue.queueCount = 1;
    queue.pQueuePriorities = &priority;
    VkDeviceCreateInfo device = ZERO;
    device.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
    device.queueCreateInfoCount = 1;
    device.pQueueCreateInfos = &queue;
    CHECK(vkCreateDevice(host->physicalDevice, &device, NULL, &host->device));
    vkGetDeviceQueue(host->device, host->family, 0, &host->queue);
}

static void openCommands(Host *host) {
    VkCommandPoolCreateInfo pool = ZERO;
    pool.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
    pool.queueFamilyIndex = host->family;
    CHECK(vkCreateCommandPool(host->device, &pool, NULL, &host->pool));
    VkCommandBufferAllocateInfo commands = ZERO;
    commands.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
    commands.commandPool = host->pool;
    commands.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
    commands.commandBufferCount = 1;
    CHECK(vkAllocateCommandBuffers(host->device, &commands, &host->commands));
    VkCommandBufferBeginInfo begin = ZERO;
    begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
    begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
    CHECK(vkBeginCommandBuffer(host->commands, &begin));
}

/* A buffer that the host reads, of the first memory type that it may. */
static void openTarget(Host *host) {
    VkBufferCreateInfo buffer = ZERO;
    buffer.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
    buffer.size = sizeof positions;
    buffer.usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    CHECK(vkCreateBuffer(host->device, &buffer, NULL, &host->target));
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(host->device, host->target, &needs);
    VkPhysicalDeviceMemoryProperties types;
    vkGetPhysicalDeviceMemoryProperties(host->physicalDevice, &types);
    const VkMemoryPropertyFlags wish = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    uint32_t type = 0;
    while (type < types.memoryTypeCount &&
           ((needs.memoryTypeBits >> type & 1) == 0 || (types.memoryTypes[type].propertyFlags & wish) != wish)) {
        type++;
    }
    check(type < types.memoryTypeCount, "no memory that the host can read");
    VkMemoryAllocateInfo memory = ZERO;
    memory.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
    memory.allocationSize = needs.size;
    memory.memoryTypeIndex = type;
    CHECK(vkAllocateMemory(host->device, &memory, NULL, &host->memory));
    CHECK(vkBindBufferMemory(host->device, host->target, host->memory, 0));
    void *mapped = NULL;
    CHECK(vkMapMemory(host->device, host->memory, 0, VK_WHOLE_SIZE, 0, &mapped));
    host->mapped = (float *)mapped;
}

static VkskinContext createContext(const Host *host) {
    VkskinContextDef def = vkskinDefaultContextDef();
    def.instance = host->instance;
    def.physicalDevice = host->physicalDevice;
    def.device = host->device;
    def.getInstanceProcAddr = vkGetInstanceProcAddr;
    def.getDeviceProcAddr = vkGetDeviceProcAddr;
    def.computeQueueFamily = host->family;
    def.outputUsage |= VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
    def.consumerStages = VK_PIPELINE_STAGE_TRANSFER_BIT;
    def.consumerAccess = VK_ACCESS_TRANSFER_READ_BIT;
    VkskinContext context = NULL;
    SKIN(vkskinCreateContext(&def, &context));
    VkskinPipelineDef pipelines = vkskinDefaultPipelineDef();
    SKIN(vkskinCreatePipelines(context, &pipelines));
    return context;
}

static VkskinInstance createTriangle(VkskinContext context) {
    VkskinMeshDef def = vkskinDefaultMeshDef();
    def.vertexCount = 3;
    def.boneCount = 1;
    def.positions = positions[0];
    def.influencesPerVertex = 1;
    def.jointFormat = VKSKIN_JOINTS_U8;
    def.joints = joints;
    def.weights = weights;
    VkskinInstanceDef one = vkskinDefaultInstanceDef();
    VkskinInstance instance;
    SKIN(vkskinCreateMesh(context, &def, &one.mesh));
    SKIN(vkskinCreateInstance(context, &one, &instance));
    return instance;
}

/* The one bone moves by (1, 2, 3). */
static void recordSkinning(VkskinContext context, VkskinInstance instance, Host *host) {
    VkskinTransform transform = vkskinIdentityTransform();
    transform.translation[0] = 1;
    transform.translation[1] = 2;
    transform.translation[2] = 3;
    VkskinAffine bone = vkskinAffineFromTransform(&transform);
    VkskinSkinCommand command = ZERO;
    void *palette = NULL;
    SKIN(vkskinBeginFrame(context, 0));
    SKIN(vkskinAllocatePalette(context, VKSKIN_PALETTE_MAT3X4, 1, &command.palette, &palette));
    memcpy(palette, &bone, sizeof bone);
    command.instance = instance;
    SKIN(vkskinSkinInstances(context, &command, 1, NULL));
    SKIN(vkskinRecordSkinning(context, host->commands));

    VkskinOutput output;
    SKIN(vkskinGetOutput(context, instance, &output));
    VkBufferCopy copy = ZERO;
    copy.srcOffset = output.positionOffset;
    copy.size = sizeof positions;
    vkCmdCopyBuffer(host->commands, output.buffer, host->target, 1, &copy);
    VkMemoryBarrier toHost = ZERO;
    toHost.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
    toHost.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
    toHost.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
    vkCmdPipelineBarrier(host->commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &toHost, 0,
                         NULL, 0, NULL);
}

static void submit(const Host *host) {
    CHECK(vkEndCommandBuffer(host->commands));
    VkSubmitInfo info = ZERO;
    info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
    info.commandBufferCount = 1;
    info.pCommandBuffers = &host->commands;
    CHECK(vkQueueSubmit(host->queue, 1, &info, VK_NULL_HANDLE));
    CHECK(vkQueueWaitIdle(host->queue));
}

static void closeHost(const Host *host) {
    vkDestroyBuffer(host->device, host->target, NULL);
    vkFreeMemory(host->device, host->memory, NULL);
    vkDestroyCommandPool(host->device, host->pool, NULL);
    vkDestroyDevice(host->device, NULL);
    vkDestroyInstance(host->instance, NULL);
}

int main(void) {
    Host host = ZERO;
    openDevice(&host);
    openCommands(&host);
    openTarget(&host);
    VkskinContext context = createContext(&host);
    VkskinInstance triangle = createTriangle(context);
    recordSkinning(context, triangle, &host);
    submit(&host);
    for (int i = 0; i < 9; i++) {
        float expected = positions[i / 3][i % 3] + (float)(1 + i % 3);
        check(host.mapped[i] == expected, "comparing the vertices"); /* small whole numbers: exact */
    }
    vkskinDestroyContext(context);
    closeHost(&host);
    printf("skinned by vkskin %d.%d.%d\n", VKSKIN_VERSION_MAJOR, VKSKIN_VERSION_MINOR, VKSKIN_VERSION_PATCH);
    return 0;
}
