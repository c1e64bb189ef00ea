#include "canvas.h"

static const uint32_t fragmentWords[] =
#include "normal.frag.inc"
    ;

static void createPass(Canvas *canvas) {
    VkAttachmentDescription colour = {
        .format = VK_FORMAT_R8G8B8A8_UNORM,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
        .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
        .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
        .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED,
        .finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
    };
    VkAttachmentReference reference = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    VkSubpassDescription subpass = {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                    .colorAttachmentCount = 1,
                                    .pColorAttachments = &reference};
    VkSubpassDependency toCopy = {
        .srcSubpass = 0,
        .dstSubpass = VK_SUBPASS_EXTERNAL,
        .srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
        .dstStageMask = VK_PIPELINE_STAGE_TRANSFER_BIT,
        .srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT,
    };
    VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                   .attachmentCount = 1,
                                   .pAttachments = &colour,
                                   .subpassCount = 1,
                                   .pSubpasses = &subpass,
                                   .dependencyCount = 1,
                                   .pDependencies = &toCopy};
    GPU_CHECK(vkCreateRenderPass(canvas->gpu->device, &info, NULL, &canvas->pass));
}

static void createImage(Canvas *canvas) {
    Gpu *gpu = canvas->gpu;
    VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = VK_FORMAT_R8G8B8A8_UNORM,
        .extent = {CANVAS_SIZE, CANVAS_SIZE, 1},
        .mipLevels = 1,
        .arrayLayers = 1,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
    };
    GPU_CHECK(vkCreateImage(gpu->device, &info, NULL, &canvas->image));
    VkMemoryRequirements needs;
    vkGetImageMemoryRequirements(gpu->device, canvas->image, &needs);
    VkMemoryAllocateInfo memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                   .allocationSize = needs.size,
                                   .memoryTypeIndex = gpuMemoryType(gpu, needs.memoryTypeBits, 0)};
    GPU_CHECK(vkAllocateMemory(gpu->device, &memory, NULL, &canvas->memory));
    GPU_CHECK(vkBindImageMemory(gpu->device, canvas->image, canvas->memory, 0));
    VkImageViewCreateInfo view = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                  .image = canvas->image,
                                  .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                  .format = info.format,
                                  .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    GPU_CHECK(vkCreateImageView(gpu->device, &view, NULL, &canvas->view));
    VkFramebufferCreateInfo framebuffer = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                           .renderPass = canvas->pass,
                                           .attachmentCount = 1,
                                           .pAttachments = &canvas->view,
                                           .width = CANVAS_SIZE,
                                           .height = CANVAS_SIZE,
                                           .layers = 1};
    GPU_CHECK(vkCreateFramebuffer(gpu->device, &framebuffer, NULL, &canvas->framebuffer));
}

Canvas canvasOpen(Gpu *gpu) {
    Canvas canvas = {.gpu = gpu};
    createPass(&canvas);
    createImage(&canvas);
    canvas.pixels = gpuBuffer(gpu, 4 * CANVAS_SIZE * CANVAS_SIZE, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    return canvas;
}

void canvasClose(Canvas *canvas) {
    VkDevice device = canvas->gpu->device;
    gpuFreeBuffer(canvas->gpu, &canvas->pixels);
    vkDestroyFramebuffer(device, canvas->framebuffer, NULL);
    vkDestroyImageView(device, canvas->view, NULL);
    vkDestroyImage(device, canvas->image, NULL);
    vkFreeMemory(device, canvas->memory, NULL);
    vkDestroyRenderPass(device, canvas->pass, NULL);
}

static VkPipelineShaderStageCreateInfo stageOf(const Canvas *canvas, VkShaderStageFlagBits stage, const uint32_t *words,
                                               size_t size) {
    VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = size, .pCode = words};
    VkPipelineShaderStageCreateInfo made = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = stage, .pName = "main"};
    GPU_CHECK(vkCreateShaderModule(canvas->gpu->device, &info, NULL, &made.module));
    return made;
}

VkPipeline canvasPipeline(const Canvas *canvas, VkPipelineLayout layout,
                          const VkPipelineVertexInputStateCreateInfo *input, const uint32_t *words, size_t size) {
    VkPipelineShaderStageCreateInfo stages[2] = {
        stageOf(canvas, VK_SHADER_STAGE_VERTEX_BIT, words, size),
        stageOf(canvas, VK_SHADER_STAGE_FRAGMENT_BIT, fragmentWords, sizeof fragmentWords),
    };
    VkPipelineInputAssemblyStateCreateInfo assembly = {.sType =
                                                           VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
                                                       .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP};
    VkViewport viewport = {0, 0, CANVAS_SIZE, CANVAS_SIZE, 0, 1};
    VkRect2D scissor = {{0, 0}, {CANVAS_SIZE, CANVAS_SIZE}};
    VkPipelineViewportStateCreateInfo area = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
                                              .viewportCount = 1,
                                              .pViewports = &viewport,
                                              .scissorCount = 1,
                                              .pScissors = &scissor};
    VkPipelineRasterizationStateCreateInfo raster = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
    VkPipelineMultisampleStateCreateInfo samples = {.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
                                                    .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    VkPipelineColorBlendAttachmentState all = {.colorWriteMask = 0xf};
    VkPipelineColorBlendStateCreateInfo blend = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO, .attachmentCount = 1, .pAttachments = &all};
    VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                         .stageCount = 2,
                                         .pStages = stages,
                                         .pVertexInputState = input,
                                         .pInputAssemblyState = &assembly,
                                         .pViewportState = &area,
                                         .pRasterizationState = &raster,
                                         .pMultisampleState = &samples,
                                         .pColorBlendState = &blend,
                                         .layout = layout,
                                         .renderPass = canvas->pass};
    VkPipeline pipeline;
    GPU_CHECK(vkCreateGraphicsPipelines(canvas->gpu->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline));
    vkDestroyShaderModule(canvas->gpu->device, stages[0].module, NULL);
    vkDestroyShaderModule(canvas->gpu->device, stages[1].module, NULL);
    return pipeline;
}

void canvasBegin(const Canvas *canvas, VkCommandBuffer commandBuffer) {
    VkClearValue clear = {0};
    VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                   .renderPass = canvas->pass,
                                   .framebuffer = canvas->framebuffer,
                                   .renderArea = {{0, 0}, {CANVAS_SIZE, CANVAS_SIZE}},
                                   .clearValueCount = 1,
                                   .pClearValues = &clear};
    vkCmdBeginRenderPass(commandBuffer, &begin, VK_SUBPASS_CONTENTS_INLINE);
}

void canvasEnd(const Canvas *canvas, VkCommandBuffer commandBuffer) {
    vkCmdEndRenderPass(commandBuffer);
    VkBufferImageCopy copy = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                              .imageExtent = {CANVAS_SIZE, CANVAS_SIZE, 1}};
    vkCmdCopyImageToBuffer(commandBuffer, canvas->image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, canvas->pixels.buffer, 1,
                           &copy);
    gpuBarrier(commandBuffer, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
               VK_ACCESS_HOST_READ_BIT);
}
