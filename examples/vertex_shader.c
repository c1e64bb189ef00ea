/*
 * vertex_shader.c: a host that skins in its own vertex shader, and takes only palettes from the library: it writes them
 * into the ring, asks for their addresses and draws. Worth it for characters that only one pass draws. It draws two
 * triangles that move from frame to frame, and checks the pixels.
 */
#include "host.h"

#include <stdio.h>
#include <string.h>

enum { FRAMES = 3, SIDE = 8, BONES = 2, CHARACTERS = 2 };
#define COLOUR 0xff40bfffu /* ABGR */

static const uint32_t vertexWords[] =
#include "vertex_shader.vert.inc"
    ;
static const uint32_t fragmentWords[] =
#include "dynamic.frag.inc"
    ;
static const HostShaders shaders = {
    vertexWords, sizeof vertexWords,     fragmentWords, sizeof fragmentWords, VK_FORMAT_R8G8B8A8_UNORM,
    SIDE,        sizeof(VkDeviceAddress)};

/* The translations of both bones in each frame. The second character is one frame ahead. The vertices follow bone 0 by 0.75 and bone 1 by 0.25: the triangle's
 * corner is at (0, 0), (-1, 0), (-1, -1) in clip space. The pixel next to it is the only lit one of the three. */
static const float moves[FRAMES][BONES][2] = {{{0, 0}, {0, 0}}, {{-1, 0}, {-1, 0}}, {{-1.25f, -1}, {-.25f, -1}}};
static const int pixels[FRAMES][2] = {{4, 4}, {0, 4}, {0, 0}};

typedef struct Renderer {
    HostImage target;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    VkskinContext context;
} Renderer;

/* At load time. The context needs no kernel, mesh or instance. */
static VkskinContext openContext(const Host *host) {
    VkskinContextDef def = hostContextDef(host);
    VkskinContext context;
    def.framesInFlight = HOST_IN_FLIGHT;
    def.paletteStages = VK_PIPELINE_STAGE_VERTEX_SHADER_BIT;
    def.paletteUsage = VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    HOST_SKIN(vkskinCreateContext(&def, &context));
    return context;
}

/* Writes a character's bones: rotation, then translation and scale. */
static void writeBones(unsigned frame, float *bones) {
    for (size_t bone = 0; bone < BONES; bone++) {
        const float *move = moves[frame % FRAMES][bone];
        const float entry[8] = {0, 0, 0, 1, move[0], move[1], 0, 1};
        memcpy(bones + 8 * bone, entry, sizeof entry);
    }
}

/* Writes the frame's palettes. Returns where the shader reads them. */
static void writePalettes(const Renderer *renderer, const HostFrames *frames,
                          VkskinPaletteLocation locations[CHARACTERS]) {
    VkskinPalette palettes[CHARACTERS];
    void *data[CHARACTERS];
    hostBeginSkinning(frames, renderer->context);
    HOST_SKIN(
        vkskinAllocatePalettes(renderer->context, VKSKIN_PALETTE_QUATERNION, NULL, BONES, CHARACTERS, palettes, data));
    for (unsigned i = 0; i < CHARACTERS; i++) {
        writeBones(frames->frame + i, data[i]);
    }
    HOST_SKIN(vkskinGetPaletteLocations(renderer->context, palettes, CHARACTERS, locations));
    HOST_SKIN(vkskinRecordUploads(renderer->context, frames->commands)); /* copies palettes if they are staged */
}

static void imageBarrier(VkCommandBuffer commands, VkImage image, VkPipelineStageFlags from, VkPipelineStageFlags to,
                         VkAccessFlags written, VkAccessFlags access, VkImageLayout before, VkImageLayout after) {
    const VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                          .srcAccessMask = written,
                                          .dstAccessMask = access,
                                          .oldLayout = before,
                                          .newLayout = after,
                                          .image = image,
                                          .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    vkCmdPipelineBarrier(commands, from, to, 0, 0, NULL, 0, NULL, 1, &barrier);
}

static void draw(const Renderer *renderer, VkCommandBuffer commands, const VkskinPaletteLocation *palettes) {
    const VkRenderingAttachmentInfo colour = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                              .imageView = renderer->target.view,
                                              .imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                                              .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                              .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
    const VkRenderingInfo rendering = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                       .renderArea = {{0, 0}, {SIDE, SIDE}},
                                       .layerCount = 1,
                                       .colorAttachmentCount = 1,
                                       .pColorAttachments = &colour};
    vkCmdBeginRendering(commands, &rendering);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, renderer->pipeline);
    for (int i = 0; i < CHARACTERS; i++) {
        vkCmdPushConstants(commands, renderer->layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof palettes[i].address,
                           &palettes[i].address);
        vkCmdDraw(commands, 3, 1, 0, 0);
    }
    vkCmdEndRendering(commands);
}

static void record(const Renderer *renderer, const HostFrames *frames) {
    const VkPipelineStageFlags output = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
    const VkPipelineStageFlags transfer = VK_PIPELINE_STAGE_TRANSFER_BIT;
    VkImage image = renderer->target.image;
    const VkBufferImageCopy whole = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                     .imageExtent = {SIDE, SIDE, 1}};
    const VkMemoryBarrier toHost = {VK_STRUCTURE_TYPE_MEMORY_BARRIER, NULL, VK_ACCESS_TRANSFER_WRITE_BIT,
                                    VK_ACCESS_HOST_READ_BIT};
    VkskinPaletteLocation palettes[CHARACTERS];
    writePalettes(renderer, frames, palettes);
    /* Waits for the copy of the frame before, which reads the image. */
    imageBarrier(frames->commands, image, transfer | output, output, 0, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                 VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
    draw(renderer, frames->commands, palettes);
    imageBarrier(frames->commands, image, output, transfer, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                 VK_ACCESS_TRANSFER_READ_BIT, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                 VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    vkCmdCopyImageToBuffer(frames->commands, image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, frames->target, 1, &whole);
    vkCmdPipelineBarrier(frames->commands, transfer, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &toHost, 0, NULL, 0, NULL);
}

static void check(unsigned frame, const void *bytes) {
    const uint32_t(*rows)[SIDE] = bytes;
    for (unsigned i = 0; i < FRAMES; i++) {
        const uint32_t pixel = rows[pixels[i][1]][pixels[i][0]];
        if (pixel != (i == frame || i == (frame + 1) % FRAMES ? COLOUR : 0)) {
            hostFail("frame %u: pixel (%d, %d) is %08x", frame, pixels[i][0], pixels[i][1], (unsigned)pixel);
        }
    }
    const int *second = pixels[(frame + 1) % FRAMES];
    printf("frame %u: triangles at the pixels (%d, %d) and (%d, %d)\n", frame, pixels[frame][0], pixels[frame][1],
           second[0], second[1]);
}

int main(void) {
    VkPhysicalDeviceVulkan13Features three = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                                              .dynamicRendering = VK_TRUE};
    const VkPhysicalDeviceBufferDeviceAddressFeatures features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
        .pNext = &three,
        .bufferDeviceAddress = VK_TRUE};
    Host host;
    hostOpen(&host, "vertex_shader", &features);
    Renderer renderer = {.target = hostImageCreate(&host, shaders.format, SIDE), .context = openContext(&host)};
    renderer.pipeline = hostPipeline(&host, &shaders, &renderer.layout);
    HostFrames frames = hostFramesCreate(&host, FRAMES, sizeof(uint32_t) * SIDE * SIDE, check);
    while (hostFramesNext(&frames)) {
        record(&renderer, &frames);
        hostFramesSubmit(&frames, (HostTimeline){0});
    }
    vkskinDestroyContext(renderer.context);
    hostFramesDestroy(&frames);
    vkDestroyPipeline(host.device, renderer.pipeline, NULL);
    vkDestroyPipelineLayout(host.device, renderer.layout, NULL);
    hostImageDestroy(&host, &renderer.target);
    return hostClose(&host);
}
