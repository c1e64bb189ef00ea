#include "host.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void hostFail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(1);
}

static VKAPI_ATTR VkBool32 VKAPI_CALL onMessage(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                                VkDebugUtilsMessageTypeFlagsEXT types,
                                                const VkDebugUtilsMessengerCallbackDataEXT *data, void *user) {
    (void)severity, (void)types;
    ((Host *)user)->messages++;
    fprintf(stderr, "validation: %s\n", data->pMessage);
    return VK_FALSE;
}

static void createInstance(Host *host) {
    static const char *const layer = "VK_LAYER_KHRONOS_validation";
    static const char *const extensions[] = {"VK_EXT_debug_utils", "VK_EXT_validation_features"};
    static const VkValidationFeatureEnableEXT enables[] = {VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT};
    const char *wish = getenv("VKSKIN_EXAMPLE_VALIDATION");
    uint32_t validation = wish != NULL && strcmp(wish, "1") == 0;
    VkDebugUtilsMessengerCreateInfoEXT messenger = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
                                                    .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                                                                       VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
                                                    .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
                                                    .pfnUserCallback = onMessage,
                                                    .pUserData = host};
    VkValidationFeaturesEXT features = {.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
                                        .pNext = &messenger,
                                        .enabledValidationFeatureCount = 1,
                                        .pEnabledValidationFeatures = enables};
    VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_3};
    VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                 .pNext = validation ? &features : NULL,
                                 .pApplicationInfo = &application,
                                 .enabledLayerCount = validation,
                                 .ppEnabledLayerNames = &layer,
                                 .enabledExtensionCount = validation ? 2 : 0,
                                 .ppEnabledExtensionNames = extensions};
    HOST_VK(volkInitialize());
    HOST_VK(vkCreateInstance(&info, NULL, &host->instance));
    volkLoadInstance(host->instance);
    if (validation) {
        HOST_VK(vkCreateDebugUtilsMessengerEXT(host->instance, &messenger, NULL, &host->messenger));
    }
}

/* The first family whose flags, masked with `mask`, equal `flags`. Returns `otherwise` if there is none. */
static uint32_t findFamily(const Host *host, VkQueueFlags mask, VkQueueFlags flags, uint32_t otherwise) {
    VkQueueFamilyProperties families[16];
    uint32_t count = 16;
    vkGetPhysicalDeviceQueueFamilyProperties(host->physicalDevice, &count, families);
    for (uint32_t i = 0; i < count; i++) {
        if ((families[i].queueFlags & mask) == flags) {
            return i;
        }
    }
    return otherwise;
}

static void createDevice(Host *host, const void *features) {
    const VkQueueFlags both = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
    host->family = findFamily(host, both, both, UINT32_MAX);
    if (host->family == UINT32_MAX) {
        hostFail("%s: the device has no queue family for graphics and compute", host->name);
    }
    host->computeFamily = findFamily(host, both, VK_QUEUE_COMPUTE_BIT, host->family);
    static const float priority = 1.0f;
    VkDeviceQueueCreateInfo queues[2];
    for (int i = 0; i < 2; i++) {
        queues[i] = (VkDeviceQueueCreateInfo){.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                              .queueFamilyIndex = i == 0 ? host->family : host->computeFamily,
                                              .queueCount = 1,
                                              .pQueuePriorities = &priority};
    }
    VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                               .pNext = features,
                               .queueCreateInfoCount = host->computeFamily == host->family ? 1 : 2,
                               .pQueueCreateInfos = queues};
    HOST_VK(vkCreateDevice(host->physicalDevice, &info, NULL, &host->device));
    volkLoadDevice(host->device);
    vkGetDeviceQueue(host->device, host->family, 0, &host->queue);
    vkGetDeviceQueue(host->device, host->computeFamily, 0, &host->computeQueue);
}

/* An instance and its first device. */
static void findDevice(Host *host, const char *name) {
    *host = (Host){.name = name};
    createInstance(host);
    uint32_t count = 1;
    VkResult result = vkEnumeratePhysicalDevices(host->instance, &count, &host->physicalDevice);
    if ((result != VK_SUCCESS && result != VK_INCOMPLETE) || count == 0) {
        hostFail("%s: no Vulkan device", name);
    }
}

void hostOpen(Host *host, const char *name, const void *features) {
    findDevice(host, name);
    createDevice(host, features);
}

bool hostOpenMultiDraw(Host *host, const char *name) {
    VkPhysicalDeviceVulkan11Features params = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES};
    VkPhysicalDeviceVulkan12Features address = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                                .pNext = &params};
    VkPhysicalDeviceVulkan13Features features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                                                 .synchronization2 = VK_TRUE,
                                                 .dynamicRendering = VK_TRUE};
    VkPhysicalDeviceFeatures2 more = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &address};
    findDevice(host, name);
    vkGetPhysicalDeviceFeatures2(host->physicalDevice, &more);
    const bool has = more.features.multiDrawIndirect && params.shaderDrawParameters && address.bufferDeviceAddress;
    more.features = (VkPhysicalDeviceFeatures){.multiDrawIndirect = VK_TRUE};
    params = (VkPhysicalDeviceVulkan11Features){.sType = params.sType, .shaderDrawParameters = VK_TRUE};
    address =
        (VkPhysicalDeviceVulkan12Features){.sType = address.sType, .pNext = &params, .bufferDeviceAddress = VK_TRUE};
    features.pNext = has ? &more : NULL;
    createDevice(host, &features);
    printf("%s",
           has ? "" : "no multiDrawIndirect, shaderDrawParameters or bufferDeviceAddress: one call for each draw\n");
    return has;
}

int hostClose(Host *host) {
    HOST_VK(vkDeviceWaitIdle(host->device));
    vkDestroyDevice(host->device, NULL);
    if (host->messenger != VK_NULL_HANDLE) {
        vkDestroyDebugUtilsMessengerEXT(host->instance, host->messenger, NULL);
    }
    vkDestroyInstance(host->instance, NULL);
    if (host->messages > 0) {
        fprintf(stderr, "%s: the validation layer spoke %u times\n", host->name, (unsigned)host->messages);
    }
    return host->messages > 0;
}

VkskinContextDef hostContextDef(const Host *host) {
    VkskinContextDef def = vkskinDefaultContextDef();
    def.instance = host->instance;
    def.physicalDevice = host->physicalDevice;
    def.device = host->device;
    def.getInstanceProcAddr = vkGetInstanceProcAddr;
    def.logger = (VkskinLogger){vkskinLogToStderr, (void *)host->name};
    def.computeQueueFamily = host->family;
    def.checkPalettes = host->messenger != VK_NULL_HANDLE; /* as the validation layer: in debug builds */
    return def;
}

/* ---- Frames ---- */

static VkDeviceMemory allocate(const Host *host, const VkMemoryRequirements *needs, VkMemoryPropertyFlags flags) {
    VkPhysicalDeviceMemoryProperties memory;
    vkGetPhysicalDeviceMemoryProperties(host->physicalDevice, &memory);
    for (uint32_t i = 0; i < memory.memoryTypeCount; i++) {
        if ((needs->memoryTypeBits >> i & 1) != 0 && (memory.memoryTypes[i].propertyFlags & flags) == flags) {
            VkMemoryAllocateInfo info = {
                .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = needs->size, .memoryTypeIndex = i};
            VkDeviceMemory made;
            HOST_VK(vkAllocateMemory(host->device, &info, NULL, &made));
            return made;
        }
    }
    hostFail("%s: no memory with the properties 0x%x", host->name, (unsigned)flags);
}

HostBuffer hostBufferCreate(const Host *host, VkBufferUsageFlags usage, VkDeviceSize size) {
    HostBuffer made;
    VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size, .usage = usage};
    HOST_VK(vkCreateBuffer(host->device, &info, NULL, &made.buffer));
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(host->device, made.buffer, &needs);
    made.memory = allocate(host, &needs, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
    HOST_VK(vkBindBufferMemory(host->device, made.buffer, made.memory, 0));
    HOST_VK(vkMapMemory(host->device, made.memory, 0, VK_WHOLE_SIZE, 0, &made.mapped));
    return made;
}

void hostBufferDestroy(const Host *host, HostBuffer *buffer) {
    vkDestroyBuffer(host->device, buffer->buffer, NULL);
    vkFreeMemory(host->device, buffer->memory, NULL);
}

HostSlot hostSlotCreate(const Host *host, uint32_t family) {
    HostSlot slot;
    VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, .queueFamilyIndex = family};
    HOST_VK(vkCreateCommandPool(host->device, &pool, NULL, &slot.pool));
    VkCommandBufferAllocateInfo buffer = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                          .commandPool = slot.pool,
                                          .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                          .commandBufferCount = 1};
    HOST_VK(vkAllocateCommandBuffers(host->device, &buffer, &slot.commands));
    VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, .flags = VK_FENCE_CREATE_SIGNALED_BIT};
    HOST_VK(vkCreateFence(host->device, &fence, NULL, &slot.fence));
    return slot;
}

void hostSlotDestroy(const Host *host, HostSlot *slot) {
    vkDestroyFence(host->device, slot->fence, NULL);
    vkDestroyCommandPool(host->device, slot->pool, NULL);
}

void hostSlotBegin(const Host *host, const HostSlot *slot) {
    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                      .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    HOST_VK(vkWaitForFences(host->device, 1, &slot->fence, VK_TRUE, UINT64_MAX));
    HOST_VK(vkResetCommandPool(host->device, slot->pool, 0));
    HOST_VK(vkBeginCommandBuffer(slot->commands, &begin));
}

void hostSlotSubmit(const Host *host, const HostSlot *slot, VkQueue queue, HostTimeline timeline) {
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT; /* these examples copy instead of drawing */
    VkTimelineSemaphoreSubmitInfo values = {.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                            .waitSemaphoreValueCount = timeline.wait != VK_NULL_HANDLE,
                                            .pWaitSemaphoreValues = &timeline.value,
                                            .signalSemaphoreValueCount = timeline.signal != VK_NULL_HANDLE,
                                            .pSignalSemaphoreValues = &timeline.value};
    VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                         .pNext = &values,
                         .waitSemaphoreCount = values.waitSemaphoreValueCount,
                         .pWaitSemaphores = &timeline.wait,
                         .pWaitDstStageMask = &stage,
                         .commandBufferCount = 1,
                         .pCommandBuffers = &slot->commands,
                         .signalSemaphoreCount = values.signalSemaphoreValueCount,
                         .pSignalSemaphores = &timeline.signal};
    HOST_VK(vkEndCommandBuffer(slot->commands));
    HOST_VK(vkResetFences(host->device, 1, &slot->fence));
    HOST_VK(vkQueueSubmit(queue, 1, &info, slot->fence));
}

HostFrames hostFramesCreate(const Host *host, unsigned count, VkDeviceSize targetSize,
                            void (*check)(unsigned frame, const void *bytes)) {
    HostFrames frames = {.host = host, .count = count, .check = check, .frame = UINT_MAX, .slot = HOST_IN_FLIGHT - 1};
    for (int i = 0; i < HOST_IN_FLIGHT; i++) {
        frames.slots[i] = hostSlotCreate(host, host->family);
        frames.targets[i] = hostBufferCreate(host, VK_BUFFER_USAGE_TRANSFER_DST_BIT, targetSize);
        frames.running[i] = -1;
    }
    return frames;
}

/* Checks the frames of `count` slots, from `first`, that were not checked yet. */
static void finishSlots(HostFrames *frames, uint32_t first, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t slot = (first + i) % HOST_IN_FLIGHT;
        HOST_VK(vkWaitForFences(frames->host->device, 1, &frames->slots[slot].fence, VK_TRUE, UINT64_MAX));
        if (frames->running[slot] >= 0) {
            frames->check((unsigned)frames->running[slot], frames->targets[slot].mapped);
            frames->running[slot] = -1;
        }
    }
}

uint32_t hostFramesAwaitSlot(const HostFrames *frames) {
    const uint32_t next = (frames->slot + 1) % HOST_IN_FLIGHT;
    HOST_VK(vkWaitForFences(frames->host->device, 1, &frames->slots[next].fence, VK_TRUE, UINT64_MAX));
    return next;
}

bool hostFramesNext(HostFrames *frames) {
    frames->slot = frames->outOfDate ? frames->slot : (frames->slot + 1) % HOST_IN_FLIGHT;
    const bool more = ++frames->frame < frames->count;
    finishSlots(frames, frames->slot, more ? 1 : HOST_IN_FLIGHT);
    if (more) {
        frames->commands = frames->slots[frames->slot].commands;
        frames->target = frames->targets[frames->slot].buffer;
        hostSlotBegin(frames->host, &frames->slots[frames->slot]);
    }
    return more;
}

/* Without a window, presenting fails only where the environment says so. */
static VkResult present(const HostFrames *frames) {
    const char *failing = getenv("VKSKIN_EXAMPLE_OUT_OF_DATE");
    return failing != NULL && frames->frame == strtoul(failing, NULL, 10) ? VK_ERROR_OUT_OF_DATE_KHR : VK_SUCCESS;
}

void hostFramesSubmit(HostFrames *frames, HostTimeline timeline) {
    hostSlotSubmit(frames->host, &frames->slots[frames->slot], frames->host->queue, timeline);
    frames->running[frames->slot] = (int)frames->frame;
    frames->outOfDate = present(frames) == VK_ERROR_OUT_OF_DATE_KHR;
    if (frames->outOfDate) {
        printf("frame %u: out of date\n", frames->frame);
        HOST_VK(vkDeviceWaitIdle(frames->host->device)); /* then a renderer recreates the swapchain */
        finishSlots(frames, frames->slot + 1, HOST_IN_FLIGHT);
    }
}

void hostFramesDestroy(HostFrames *frames) {
    for (int i = 0; i < HOST_IN_FLIGHT; i++) {
        hostSlotDestroy(frames->host, &frames->slots[i]);
        hostBufferDestroy(frames->host, &frames->targets[i]);
    }
}

void hostRecordReadback(const HostFrames *frames, const VkskinOutput *output) {
    VkBufferCopy copy = {.srcOffset = output->positionOffset,
                         .size = (VkDeviceSize)output->vertexCount * 3 * sizeof(float)};
    vkCmdCopyBuffer(frames->commands, output->buffer, frames->target, 1, &copy);
    VkMemoryBarrier toHost = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                              .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                              .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    vkCmdPipelineBarrier(frames->commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &toHost, 0,
                         NULL, 0, NULL);
}

/* ---- Drawing ---- */

HostImage hostImageCreate(const Host *host, VkFormat format, uint32_t side) {
    HostImage made;
    VkMemoryRequirements needs;
    VkImageCreateInfo image = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                               .imageType = VK_IMAGE_TYPE_2D,
                               .format = format,
                               .extent = {side, side, 1},
                               .mipLevels = 1,
                               .arrayLayers = 1,
                               .samples = VK_SAMPLE_COUNT_1_BIT,
                               .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT};
    HOST_VK(vkCreateImage(host->device, &image, NULL, &made.image));
    vkGetImageMemoryRequirements(host->device, made.image, &needs);
    made.memory = allocate(host, &needs, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    HOST_VK(vkBindImageMemory(host->device, made.image, made.memory, 0));
    VkImageViewCreateInfo view = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                  .image = made.image,
                                  .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                  .format = format,
                                  .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    HOST_VK(vkCreateImageView(host->device, &view, NULL, &made.view));
    return made;
}

void hostImageDestroy(const Host *host, HostImage *image) {
    vkDestroyImageView(host->device, image->view, NULL);
    vkDestroyImage(host->device, image->image, NULL);
    vkFreeMemory(host->device, image->memory, NULL);
}

void hostStep(HostSteps *steps, VkCommandBuffer commands, VkPipelineStageFlags2 stages, VkAccessFlags2 access,
              VkImage discarded) {
    VkMemoryBarrier2 memory = {VK_STRUCTURE_TYPE_MEMORY_BARRIER_2, NULL, steps->stages, steps->access, stages, access};
    VkImageMemoryBarrier2 image = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
                                   .srcStageMask = steps->stages,
                                   .dstStageMask = stages,
                                   .dstAccessMask = access,
                                   .newLayout = VK_IMAGE_LAYOUT_GENERAL,
                                   .image = discarded,
                                   .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                             .memoryBarrierCount = 1,
                             .pMemoryBarriers = &memory,
                             .imageMemoryBarrierCount = discarded != VK_NULL_HANDLE,
                             .pImageMemoryBarriers = &image};
    vkCmdPipelineBarrier2(commands, &info);
    steps->stages = stages;
    steps->access = access;
}

void hostRenderingBegin(const HostFrames *frames, HostSteps *steps, const HostImage *image, uint32_t side) {
    VkRenderingAttachmentInfo colour = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                        .imageView = image->view,
                                        .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                        .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
    VkRenderingInfo rendering = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                 .renderArea = {{0, 0}, {side, side}},
                                 .layerCount = 1,
                                 .colorAttachmentCount = 1,
                                 .pColorAttachments = &colour};
    hostStep(steps, frames->commands,
             VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT | VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
             VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT, image->image);
    vkCmdBeginRendering(frames->commands, &rendering);
}

void hostRenderingEnd(const HostFrames *frames, HostSteps *steps, const HostImage *image, uint32_t side) {
    const VkBufferImageCopy whole = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                     .imageExtent = {side, side, 1}};
    vkCmdEndRendering(frames->commands);
    hostStep(steps, frames->commands, VK_PIPELINE_STAGE_2_COPY_BIT,
             VK_ACCESS_2_TRANSFER_READ_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT, VK_NULL_HANDLE);
    vkCmdCopyImageToBuffer(frames->commands, image->image, VK_IMAGE_LAYOUT_GENERAL, frames->target, 1, &whole);
    hostStep(steps, frames->commands, VK_PIPELINE_STAGE_2_COPY_BIT | VK_PIPELINE_STAGE_2_HOST_BIT,
             VK_ACCESS_2_HOST_READ_BIT, VK_NULL_HANDLE);
}

void hostCheckPixels(unsigned frame, const uint32_t *picture, uint32_t side, const int (*pixels)[2], unsigned count,
                     uint32_t lit, uint32_t colour) {
    for (unsigned i = 0; i < count; i++) {
        const uint32_t pixel = picture[(uint32_t)pixels[i][1] * side + (uint32_t)pixels[i][0]];
        if (pixel != ((lit >> i & 1) != 0 ? colour : 0)) {
            hostFail("frame %u: pixel (%d, %d) is %08x", frame, pixels[i][0], pixels[i][1], (unsigned)pixel);
        }
    }
}

static VkPipelineShaderStageCreateInfo shaderStage(const Host *host, VkShaderStageFlagBits stage, const uint32_t *words,
                                                   size_t size) {
    VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = size, .pCode = words};
    VkPipelineShaderStageCreateInfo made = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = stage, .pName = "main"};
    HOST_VK(vkCreateShaderModule(host->device, &info, NULL, &made.module));
    return made;
}

VkPipeline hostPipeline(const Host *host, const HostShaders *shaders, VkPipelineLayout *layout) {
    const VkPushConstantRange push = {VK_SHADER_STAGE_VERTEX_BIT, 0, shaders->pushSize};
    const VkViewport viewport = {0, 0, (float)shaders->side, (float)shaders->side, 0, 1};
    const VkRect2D scissor = {{0, 0}, {shaders->side, shaders->side}};
    const VkPipelineShaderStageCreateInfo stages[2] = {
        shaderStage(host, VK_SHADER_STAGE_VERTEX_BIT, shaders->vertex, shaders->vertexSize),
        shaderStage(host, VK_SHADER_STAGE_FRAGMENT_BIT, shaders->fragment, shaders->fragmentSize)};
    const VkPipelineColorBlendAttachmentState write = {.colorWriteMask = 0xf};
    VkPipelineLayoutCreateInfo layoutInfo = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                             .setLayoutCount = shaders->setLayout != VK_NULL_HANDLE,
                                             .pSetLayouts = &shaders->setLayout,
                                             .pushConstantRangeCount = 1,
                                             .pPushConstantRanges = &push};
    HOST_VK(vkCreatePipelineLayout(host->device, &layoutInfo, NULL, layout));
    VkPipelineRenderingCreateInfo rendering = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                               .colorAttachmentCount = 1,
                                               .pColorAttachmentFormats = &shaders->format};
    VkGraphicsPipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
        .pNext = &rendering,
        .stageCount = 2,
        .pStages = stages,
        .pVertexInputState =
            &(VkPipelineVertexInputStateCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO},
        .pInputAssemblyState =
            &(VkPipelineInputAssemblyStateCreateInfo){.sType =
                                                          VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
                                                      .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST},
        .pViewportState =
            &(VkPipelineViewportStateCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
                                                 .viewportCount = 1,
                                                 .pViewports = &viewport,
                                                 .scissorCount = 1,
                                                 .pScissors = &scissor},
        .pRasterizationState =
            &(VkPipelineRasterizationStateCreateInfo){
                .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1},
        .pMultisampleState =
            &(VkPipelineMultisampleStateCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
                                                    .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT},
        .pColorBlendState =
            &(VkPipelineColorBlendStateCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                                                   .attachmentCount = 1,
                                                   .pAttachments = &write},
        .layout = *layout};
    VkPipeline made;
    HOST_VK(vkCreateGraphicsPipelines(host->device, VK_NULL_HANDLE, 1, &info, NULL, &made));
    for (int i = 0; i < 2; i++) {
        vkDestroyShaderModule(host->device, stages[i].module, NULL);
    }
    return made;
}

HostStorageSet hostStorageSetCreate(const Host *host, uint32_t count, const VkDescriptorBufferInfo *ranges) {
    HostStorageSet made;
    VkDescriptorSetLayoutBinding bindings[4] = {{0}};
    for (uint32_t i = 0; i < count; i++) {
        bindings[i] =
            (VkDescriptorSetLayoutBinding){i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_VERTEX_BIT, NULL};
    }
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, count};
    VkDescriptorSetLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = count, .pBindings = bindings};
    VkDescriptorPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1, .poolSizeCount = 1, .pPoolSizes = &size};
    HOST_VK(vkCreateDescriptorSetLayout(host->device, &layout, NULL, &made.layout));
    HOST_VK(vkCreateDescriptorPool(host->device, &pool, NULL, &made.pool));
    VkDescriptorSetAllocateInfo set = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                       .descriptorPool = made.pool,
                                       .descriptorSetCount = 1,
                                       .pSetLayouts = &made.layout};
    HOST_VK(vkAllocateDescriptorSets(host->device, &set, &made.set));
    VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .dstSet = made.set,
                                  .descriptorCount = count, /* goes on in the next bindings */
                                  .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                  .pBufferInfo = ranges};
    vkUpdateDescriptorSets(host->device, 1, &write, 0, NULL);
    return made;
}

void hostStorageSetDestroy(const Host *host, HostStorageSet *set) {
    vkDestroyDescriptorPool(host->device, set->pool, NULL);
    vkDestroyDescriptorSetLayout(host->device, set->layout, NULL);
}

VkskinContext hostOpenTriangle(const VkskinContextDef *def, VkskinInstance *instance) {
    VkskinMesh mesh;
    VkskinContext context = hostOpenTriangleIn(def, NULL, 0, false, &mesh);
    HOST_SKIN(vkskinCreateInstances(context, mesh, 1, instance));
    return context;
}

VkskinContext hostOpenTriangleIn(const VkskinContextDef *def, const void *vertices, size_t stride, bool previous,
                                 VkskinMesh *mesh) {
    static const float positions[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    static const uint8_t joints[3] = {0, 0, 0};
    static const float weights[3] = {1, 1, 1};
    VkskinMeshDef triangle = vkskinDefaultMeshDef();
    triangle.vertexCount = 3;
    triangle.boneCount = 1;
    triangle.vertices = vertices;
    triangle.vertexStride = stride;
    triangle.previousPositions = previous;
    triangle.positions = vertices != NULL ? vertices : positions[0];
    triangle.influencesPerVertex = 1;
    triangle.jointFormat = VKSKIN_JOINTS_U8;
    triangle.joints = joints;
    triangle.weights = weights;
    VkskinContext context;
    HOST_SKIN(vkskinOpen(def, &triangle, 1, VKSKIN_METHOD_LINEAR_BLEND_BIT, &context, mesh));
    return context;
}

void hostCheckPosition(const char *what, unsigned frame, const float position[3], const float expected[3]) {
    for (int axis = 0; axis < 3; axis++) {
        if (!(fabsf(position[axis] - expected[axis]) <= 1e-5f)) {
            hostFail("frame %u, %s: (%g, %g, %g) instead of (%g, %g, %g)", frame, what, position[0], position[1],
                     position[2], expected[0], expected[1], expected[2]);
        }
    }
    printf("frame %u, %s: (%g, %g, %g)\n", frame, what, position[0], position[1], position[2]);
}
