/*
 * dynamic.c: a Vulkan 1.3 host. It draws with dynamic rendering, pulls its own interleaved vertices from one buffer for
 * all meshes through the buffer's address, records all barriers itself with synchronization2, and gives the library memory
 * of VMA (here a stand-in: vk_mem_alloc.h). The library skins into this buffer. It draws a triangle that moves from frame
 * to frame, and checks the pixels.
 */
#include "host.h"
#include "vma_memory.h"

#include <stdio.h>
#include <string.h>

enum { FRAMES = 3, SIDE = 8, MAX_ACCESSES = 8, MAX_VERTICES = 1024 };
#define COLOUR 0xff40c0ffu /* ABGR */

static const uint32_t vertexWords[] =
#include "dynamic.vert.inc"
    ;
static const uint32_t fragmentWords[] =
#include "dynamic.frag.inc"
    ;
static const HostShaders shaders = {
    vertexWords, sizeof vertexWords,     fragmentWords, sizeof fragmentWords, VK_FORMAT_R8G8B8A8_UNORM,
    SIDE,        sizeof(VkDeviceAddress)};

/* The triangle's corner in each frame, in clip space, and the pixel next to it: the only lit one of the three. */
static const float corners[FRAMES][2] = {{0, 0}, {-1, 0}, {-1, -1}};
static const int pixels[FRAMES][2] = {{4, 4}, {0, 4}, {0, 0}};

/* The vertex of this host's shaders. The library skins the position and copies the colour once. */
typedef struct Vertex {
    float position[3];
    uint32_t colour;
} Vertex;

static const VkskinOutputLayout vertexLayout = {.streamCount = 1,
                                                .strides = {sizeof(Vertex)}, /* the position at 0 */
                                                .passThroughCount = 1,
                                                .passThrough = {{{0, offsetof(Vertex, colour)}, 4, 0}}};

/* This host's own allocator of vertices gave the triangle this place. */
#define FIRST_VERTEX 77u

/* The vertices of all meshes. */
typedef struct VertexBuffer {
    VkBuffer buffer;
    VmaAllocation allocation;
    VkDeviceAddress address;
} VertexBuffer;

typedef struct Renderer {
    const Host *host;
    VmaAllocator allocator;
    VertexBuffer vertices;
    HostImage target;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    VkskinContext context;
    VkskinInstance instance;
    VkPipelineStageFlags2 stages; /* of the last step: see step() */
    VkAccessFlags2 access;
} Renderer;

/* ---- At load time ---- */

static void createAllocator(Renderer *renderer) {
    const Host *host = renderer->host;
    VmaAllocatorCreateInfo info = {.flags = VMA_ALLOCATOR_CREATE_BUFFER_DEVICE_ADDRESS_BIT,
                                   .physicalDevice = host->physicalDevice,
                                   .device = host->device,
                                   .instance = host->instance,
                                   .vulkanApiVersion = VK_API_VERSION_1_3};
    HOST_VK(vmaCreateAllocator(&info, &renderer->allocator));
}

/* Skinning needs STORAGE_BUFFER, and TRANSFER_DST for the colours. */
static void createVertices(Renderer *renderer) {
    const Host *host = renderer->host;
    VertexBuffer *vertices = &renderer->vertices;
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = MAX_VERTICES * sizeof(Vertex),
                                     .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                                              VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT};
    const VmaAllocationCreateInfo wanted = {.preferredFlags = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT};
    VmaAllocationInfo made;
    HOST_VK(vkCreateBuffer(host->device, &info, NULL, &vertices->buffer));
    HOST_VK(vmaAllocateMemoryForBuffer(renderer->allocator, vertices->buffer, &wanted, &vertices->allocation, &made));
    HOST_VK(vkBindBufferMemory(host->device, vertices->buffer, made.deviceMemory, made.offset));
    const VkBufferDeviceAddressInfo place = {VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, NULL, vertices->buffer};
    vertices->address = vkGetBufferDeviceAddress(host->device, &place);
}

static VkskinOutputBuffer shareVertices(const Renderer *renderer) {
    VkskinOutputBufferDef def = vkskinDefaultOutputBufferDef();
    VkskinOutputBuffer buffer;
    def.buffer = renderer->vertices.buffer;
    def.bufferSize = MAX_VERTICES * sizeof(Vertex);
    def.regionCount = 1; /* the default outputRegions; it begins at 0 */
    def.regionSize = def.bufferSize;
    HOST_SKIN(vkskinAddOutputBuffer(renderer->context, &def, &buffer));
    return buffer;
}

static void createSkinning(Renderer *renderer) {
    VkskinMemoryCallbacks memory = {allocateWithVma, freeWithVma, renderer->allocator};
    VkskinContextDef def = hostContextDef(renderer->host);
    def.framesInFlight = HOST_IN_FLIGHT;
    def.memory = &memory;
    def.barriers = VKSKIN_BARRIERS_HOST;
    const VkskinPassThroughData passThrough = {(const uint32_t[3]){COLOUR, COLOUR, COLOUR}, sizeof(uint32_t)};
    VkskinInstanceDef one = vkskinDefaultInstanceDef();
    renderer->context = hostOpenTriangleAs(&def, &vertexLayout, &passThrough, &one.mesh);
    one.outputBuffer = shareVertices(renderer);
    one.outputOffset = FIRST_VERTEX * sizeof(Vertex);
    HOST_SKIN(vkskinCreateInstance(renderer->context, &one, &renderer->instance));
}

/* ---- Each frame ---- */

/* A barrier from the step before to the next one. Steps form a chain, so each waits for all earlier ones. `discarded`:
 * an image whose content is no longer needed, or null. */
static void step(Renderer *renderer, VkCommandBuffer commands, VkPipelineStageFlags2 stages, VkAccessFlags2 access,
                 VkImage discarded) {
    VkMemoryBarrier2 memory = {
        VK_STRUCTURE_TYPE_MEMORY_BARRIER_2, NULL, renderer->stages, renderer->access, stages, access};
    VkImageMemoryBarrier2 image = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
                                   .srcStageMask = renderer->stages,
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
    renderer->stages = stages;
    renderer->access = access;
}

/* The barrier before a pass of the library. A pass that accesses nothing needs none. */
static void stepToPass(Renderer *renderer, VkCommandBuffer commands, VkskinPass pass) {
    VkskinAccess accesses[MAX_ACCESSES];
    uint32_t count = MAX_ACCESSES;
    VkFlags stages = 0, access = 0;
    HOST_SKIN(vkskinGetAccesses(renderer->context, pass, accesses, &count));
    for (uint32_t i = 0; i < count; i++) {
        stages |= accesses[i].stages;
        access |= accesses[i].access;
    }
    if (count > 0) {
        step(renderer, commands, stages, access, VK_NULL_HANDLE);
    }
}

static void skin(Renderer *renderer, const HostFrames *frames) {
    const float x = corners[frames->frame][0], y = corners[frames->frame][1];
    const float bone[3][4] = {{1, 0, 0, x}, {0, 1, 0, y}, {0, 0, 1, 0}};
    VkskinSkinCommand command = {.instance = renderer->instance, .method = VKSKIN_METHOD_LINEAR_BLEND};
    void *palette;
    hostBeginSkinning(frames, renderer->context);
    HOST_SKIN(vkskinAllocatePalette(renderer->context, VKSKIN_PALETTE_MAT3X4, 1, &command.palette, &palette));
    memcpy(palette, bone, sizeof bone);
    HOST_SKIN(vkskinSkinInstances(renderer->context, &command, 1, NULL));
    stepToPass(renderer, frames->commands, VKSKIN_PASS_UPLOAD);
    HOST_SKIN(vkskinRecordUploads(renderer->context, frames->commands));
    stepToPass(renderer, frames->commands, VKSKIN_PASS_SKINNING);
    HOST_SKIN(vkskinRecordSkinning(renderer->context, frames->commands));
}

/* Nothing here knows that the mesh is skinned. */
static void draw(Renderer *renderer, VkCommandBuffer commands) {
    const VkDeviceAddress vertices = renderer->vertices.address;
    VkRenderingAttachmentInfo colour = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                        .imageView = renderer->target.view,
                                        .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                        .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
    VkRenderingInfo rendering = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                 .renderArea = {{0, 0}, {SIDE, SIDE}},
                                 .layerCount = 1,
                                 .colorAttachmentCount = 1,
                                 .pColorAttachments = &colour};
    vkCmdBeginRendering(commands, &rendering);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, renderer->pipeline);
    vkCmdPushConstants(commands, renderer->layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof vertices, &vertices);
    vkCmdDraw(commands, 3, 1, FIRST_VERTEX, 0);
    vkCmdEndRendering(commands);
}

static void record(Renderer *renderer, const HostFrames *frames) {
    const VkBufferImageCopy whole = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                     .imageExtent = {SIDE, SIDE, 1}};
    VkCommandBuffer commands = frames->commands;
    skin(renderer, frames);
    step(renderer, commands, VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT | VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
         VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT, renderer->target.image);
    draw(renderer, commands);
    step(renderer, commands, VK_PIPELINE_STAGE_2_COPY_BIT,
         VK_ACCESS_2_TRANSFER_READ_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT, VK_NULL_HANDLE);
    vkCmdCopyImageToBuffer(commands, renderer->target.image, VK_IMAGE_LAYOUT_GENERAL, frames->target, 1, &whole);
    step(renderer, commands, VK_PIPELINE_STAGE_2_COPY_BIT | VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_READ_BIT,
         VK_NULL_HANDLE);
}

static void check(unsigned frame, const void *bytes) {
    const uint32_t(*rows)[SIDE] = bytes;
    for (unsigned i = 0; i < FRAMES; i++) {
        const uint32_t pixel = rows[pixels[i][1]][pixels[i][0]];
        if (pixel != (i == frame ? COLOUR : 0)) {
            hostFail("frame %u: pixel (%d, %d) is %08x", frame, pixels[i][0], pixels[i][1], (unsigned)pixel);
        }
    }
    printf("frame %u: the triangle is at pixel (%d, %d)\n", frame, pixels[frame][0], pixels[frame][1]);
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
    hostOpen(&host, "dynamic", &features);
    Renderer renderer = {.host = &host, .target = hostImageCreate(&host, shaders.format, SIDE)};
    createAllocator(&renderer);
    createVertices(&renderer);
    createSkinning(&renderer);
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
    vkDestroyBuffer(host.device, renderer.vertices.buffer, NULL);
    vmaFreeMemory(renderer.allocator, renderer.vertices.allocation);
    vmaDestroyAllocator(renderer.allocator);
    return hostClose(&host);
}
