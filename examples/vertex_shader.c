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
    vertexWords, sizeof vertexWords,      fragmentWords, sizeof fragmentWords, VK_FORMAT_R8G8B8A8_UNORM,
    SIDE,        sizeof(VkDeviceAddress), VK_NULL_HANDLE};

/* The translations of both bones in each frame; the second character is one frame ahead. The vertices follow bone 0 by
 * 0.75 and bone 1 by 0.25: the triangle's corner is at (0, 0), (-1, 0), (-1, -1) in clip space, next to one of the
 * pixels. */
static const float moves[FRAMES][BONES][2] = {{{0, 0}, {0, 0}}, {{-1, 0}, {-1, 0}}, {{-1.25f, -1}, {-.25f, -1}}};
static const int pixels[FRAMES][2] = {{4, 4}, {0, 4}, {0, 0}};

typedef struct Renderer {
    HostImage target;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    VkskinContext context;
    HostSteps steps;
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
    HOST_SKIN(vkskinBeginFrame(renderer->context, frames->slot));
    HOST_SKIN(
        vkskinAllocatePalettes(renderer->context, VKSKIN_PALETTE_QUATERNION, NULL, BONES, CHARACTERS, palettes, data));
    for (unsigned i = 0; i < CHARACTERS; i++) {
        writeBones(frames->frame + i, data[i]);
    }
    HOST_SKIN(vkskinGetPaletteLocations(renderer->context, palettes, CHARACTERS, locations));
    HOST_SKIN(vkskinRecordUploads(renderer->context, frames->commands)); /* copies palettes if they are staged */
}

static void draw(Renderer *renderer, const HostFrames *frames) {
    VkskinPaletteLocation palettes[CHARACTERS];
    writePalettes(renderer, frames, palettes);
    hostRenderingBegin(frames, &renderer->steps, &renderer->target, SIDE);
    vkCmdBindPipeline(frames->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, renderer->pipeline);
    for (int i = 0; i < CHARACTERS; i++) {
        vkCmdPushConstants(frames->commands, renderer->layout, VK_SHADER_STAGE_VERTEX_BIT, 0,
                           sizeof palettes[i].address, &palettes[i].address);
        vkCmdDraw(frames->commands, 3, 1, 0, 0);
    }
    hostRenderingEnd(frames, &renderer->steps, &renderer->target, SIDE);
}

static void check(unsigned frame, const void *picture) {
    const unsigned ahead = (frame + 1) % FRAMES;
    hostCheckPixels(frame, picture, SIDE, pixels, FRAMES, 1u << frame | 1u << ahead, COLOUR);
    printf("frame %u: triangles at the pixels (%d, %d) and (%d, %d)\n", frame, pixels[frame][0], pixels[frame][1],
           pixels[ahead][0], pixels[ahead][1]);
}

int main(void) {
    VkPhysicalDeviceVulkan13Features three = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                                              .synchronization2 = VK_TRUE,
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
        draw(&renderer, &frames);
        hostFramesSubmit(&frames, (HostTimeline){0});
    }
    vkskinDestroyContext(renderer.context);
    hostFramesDestroy(&frames);
    vkDestroyPipeline(host.device, renderer.pipeline, NULL);
    vkDestroyPipelineLayout(host.device, renderer.layout, NULL);
    hostImageDestroy(&host, &renderer.target);
    return hostClose(&host);
}
