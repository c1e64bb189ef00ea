/*
 * dynamic.c: a Vulkan 1.3 host. It draws with dynamic rendering, pulls its own interleaved vertices from one buffer for
 * all meshes through the buffer's address, records all barriers itself with synchronization2, and gives the library memory
 * of VMA (here a stand-in: vk_mem_alloc.h). The library skins into this buffer. It draws a triangle that moves from frame
 * to frame, and checks the pixels.
 */
#include "host.h"
#include "vma_memory.h"

#include <stdio.h>

enum { FRAMES = 3, SIDE = 8, MAX_ACCESSES = 8, MAX_VERTICES = 1024 };
#define COLOUR 0xff40c0ffu /* ABGR */

static const uint32_t vertexWords[] =
#include "dynamic.vert.inc"
    ;
static const uint32_t fragmentWords[] =
#include "dynamic.frag.inc"
    ;
static const HostShaders shaders = {
    vertexWords, sizeof vertexWords,      fragmentWords, sizeof fragmentWords, VK_FORMAT_R8G8B8A8_UNORM,
    SIDE,        sizeof(VkDeviceAddress), VK_NULL_HANDLE};

/* The triangle's corner in each frame, in clip space, and the pixel next to it: the only lit one of the three. */
static const float corners[FRAMES][2] = {{0, 0}, {-1, 0}, {-1, -1}};
static const int pixels[FRAMES][2] = {{4, 4}, {0, 4}, {0, 0}};

/* The vertex of this host's shaders. The library skins the position and copies the colour once. */
typedef struct Vertex {
    float position[3];
    uint32_t colour;
} Vertex;

static const Vertex triangle[3] = {{{0, 0, 0}, COLOUR}, {{1, 0, 0}, COLOUR}, {{0, 1, 0}, COLOUR}};

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
    HostSteps steps;
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
    def.memory.callbacks = &memory;
    def.barriers = VKSKIN_BARRIERS_HOST;
    VkskinInstanceDef one = vkskinDefaultInstanceDef();
    renderer->context = hostOpenTriangleIn(&def, triangle, sizeof *triangle, false, &one.mesh);
    one.outputBuffer = shareVertices(renderer);
    one.outputOffset = FIRST_VERTEX * sizeof(Vertex);
    HOST_SKIN(vkskinCreateInstance(renderer->context, &one, &renderer->instance));
}

/* ---- Each frame ---- */

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
        hostStep(&renderer->steps, commands, stages, access, VK_NULL_HANDLE);
    }
}

static void skin(Renderer *renderer, const HostFrames *frames) {
    const float x = corners[frames->frame][0], y = corners[frames->frame][1];
    const float bone[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, 0, 1}; /* column-major */
    const VkskinMatrices matrices = {.data = bone, .count = 1};
    HOST_SKIN(vkskinBeginFrame(renderer->context, frames->slot));
    HOST_SKIN(vkskinSkinMatrices(renderer->context, VKSKIN_METHOD_LINEAR_BLEND, &renderer->instance, &matrices, 1));
    stepToPass(renderer, frames->commands, VKSKIN_PASS_UPLOAD);
    HOST_SKIN(vkskinRecordUploads(renderer->context, frames->commands));
    stepToPass(renderer, frames->commands, VKSKIN_PASS_SKINNING);
    HOST_SKIN(vkskinRecordSkinning(renderer->context, frames->commands));
}

/* Nothing here knows that the mesh is skinned. */
static void draw(Renderer *renderer, const HostFrames *frames) {
    const VkDeviceAddress vertices = renderer->vertices.address;
    VkCommandBuffer commands = frames->commands;
    hostRenderingBegin(frames, &renderer->steps, &renderer->target, SIDE);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, renderer->pipeline);
    vkCmdPushConstants(commands, renderer->layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof vertices, &vertices);
    vkCmdDraw(commands, 3, 1, FIRST_VERTEX, 0);
    hostRenderingEnd(frames, &renderer->steps, &renderer->target, SIDE);
}

static void check(unsigned frame, const void *picture) {
    hostCheckPixels(frame, picture, SIDE, pixels, FRAMES, 1u << frame, COLOUR);
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
        skin(&renderer, &frames);
        draw(&renderer, &frames);
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
