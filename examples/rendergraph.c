/*
 * rendergraph.c: a host whose render graph records every barrier. For meshes the library records none (VKSKIN_BARRIERS_HOST).
 * Before each of the library's two passes, the graph calls vkskinGetAccesses and looks up the last access of each
 * buffer. It records the barrier between the two. The host's passes, here a readback, use the same table.
 * --leave-one-out omits the barrier between skinning and readback. If the environment has VKSKIN_EXAMPLE_VALIDATION=1,
 * synchronisation validation then reports a hazard.
 */
#include "host.h"

#include <string.h>

enum { FRAMES = 4, MAX_RESOURCES = 16, MAX_ACCESSES = 8 };

/* The last accesses of a buffer: its last write, or all reads since. */
typedef struct Resource {
    VkBuffer buffer;
    VkPipelineStageFlags stages;
    VkAccessFlags access;
} Resource;

typedef struct Graph {
    Resource resources[MAX_RESOURCES];
    uint32_t count;
    bool leaveOneOut;
} Graph;

static const VkAccessFlags writes = VK_ACCESS_TRANSFER_WRITE_BIT | VK_ACCESS_SHADER_WRITE_BIT;

static Resource *resourceOf(Graph *graph, VkBuffer buffer) {
    for (uint32_t i = 0; i < graph->count; i++) {
        if (graph->resources[i].buffer == buffer) {
            return &graph->resources[i];
        }
    }
    if (graph->count == MAX_RESOURCES) {
        hostFail("rendergraph: more than %d buffers", MAX_RESOURCES);
    }
    graph->resources[graph->count] = (Resource){.buffer = buffer};
    return &graph->resources[graph->count++];
}

/*
 * Records the barrier for the next access of a buffer and stores that access. One entry per buffer is always correct. A
 * graph with more frames in flight keeps one entry per range: the library reports each region of a page separately.
 */
static void touch(Graph *graph, VkCommandBuffer commands, const VkskinAccess *next, bool leaveOut) {
    Resource *last = resourceOf(graph, next->buffer);
    const bool reads = ((last->access | next->access) & writes) == 0;
    const bool known = (next->stages & ~last->stages) == 0 && (next->access & ~last->access) == 0;
    if (last->stages != 0 && !(reads && known) && !leaveOut) {
        VkBufferMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER,
                                         .srcAccessMask = last->access & writes,
                                         .dstAccessMask = next->access,
                                         .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                         .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                         .buffer = next->buffer,
                                         .size = VK_WHOLE_SIZE};
        vkCmdPipelineBarrier(commands, last->stages, next->stages, 0, 0, NULL, 1, &barrier, 0, NULL);
    }
    last->stages = next->stages | (reads ? last->stages : 0); /* reads accumulate until the next write */
    last->access = next->access | (reads ? last->access : 0);
}

/* Records the barriers before a library pass. The accesses may change: call it right before recording the pass. */
static void touchPass(Graph *graph, VkCommandBuffer commands, VkskinContext context, VkskinPass pass) {
    VkskinAccess accesses[MAX_ACCESSES];
    uint32_t count = MAX_ACCESSES;
    if (vkskinGetAccesses(context, pass, accesses, &count) != VKSKIN_SUCCESS) {
        hostFail("rendergraph: no list of all that a pass touches"); /* so is VKSKIN_WARNING_INCOMPLETE */
    }
    for (uint32_t i = 0; i < count; i++) {
        touch(graph, commands, &accesses[i], false);
    }
}

static void readBack(Graph *graph, VkCommandBuffer commands, const VkskinOutput *output, VkBuffer target) {
    const VkDeviceSize size = HOST_TRIANGLE_SIZE;
    VkskinAccess source = {output->buffer, output->positionOffset, size, VK_PIPELINE_STAGE_TRANSFER_BIT,
                           VK_ACCESS_TRANSFER_READ_BIT};
    VkskinAccess written = {target, 0, size, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT};
    VkskinAccess seen = {target, 0, size, VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT};
    touch(graph, commands, &source, graph->leaveOneOut);
    touch(graph, commands, &written, false);
    VkBufferCopy copy = {.srcOffset = source.offset, .size = size};
    vkCmdCopyBuffer(commands, source.buffer, target, 1, &copy);
    touch(graph, commands, &seen, false);
}

static VkskinContext createContext(const Host *host, VkskinInstance *instance) {
    VkskinContextDef def = hostContextDef(host);
    def.framesInFlight = HOST_IN_FLIGHT;
    def.barriers = VKSKIN_BARRIERS_HOST;                /* consumerStages and consumerAccess have no effect */
    def.memory.palettes = VKSKIN_PALETTE_MEMORY_STAGED; /* every frame then uploads something */
    def.outputUsage |= VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
    return hostOpenTriangle(&def, instance);
}

/* Records three passes: upload, skinning, readback. In each frame the bone moves the triangle 10 further along x. */
static void record(Graph *graph, VkskinContext context, VkskinInstance instance, const HostFrames *frames) {
    const float bone[3][4] = {{1, 0, 0, 10.0f * (float)frames->frame}, {0, 1, 0, 0}, {0, 0, 1, 0}};
    VkskinSkinCommand command = {.instance = instance, .method = VKSKIN_METHOD_LINEAR_BLEND};
    void *palette;
    HOST_SKIN(vkskinBeginFrame(context, frames->slot));
    HOST_SKIN(vkskinAllocatePalette(context, VKSKIN_PALETTE_MAT3X4, 1, &command.palette, &palette));
    memcpy(palette, bone, sizeof bone);
    HOST_SKIN(vkskinSkinInstances(context, &command, 1, NULL));

    touchPass(graph, frames->commands, context, VKSKIN_PASS_UPLOAD);
    HOST_SKIN(vkskinRecordUploads(context, frames->commands));

    touchPass(graph, frames->commands, context, VKSKIN_PASS_SKINNING);
    HOST_SKIN(vkskinRecordSkinning(context, frames->commands));

    VkskinOutput output;
    HOST_SKIN(vkskinGetOutput(context, instance, &output));
    readBack(graph, frames->commands, &output, frames->target);
}

static void check(unsigned frame, const void *bytes) {
    const float(*skinned)[3] = bytes;
    const float expected[3] = {1 + 10.0f * (float)frame, 0, 0}; /* (1, 0, 0), moved */
    hostCheckPosition("vertex 1", frame, skinned[1], expected);
}

int main(int argc, char **argv) {
    Graph graph = {.leaveOneOut = argc == 2 && strcmp(argv[1], "--leave-one-out") == 0};
    if (argc > 1 && !graph.leaveOneOut) {
        hostFail("usage: rendergraph [--leave-one-out]");
    }
    Host host;
    hostOpen(&host, "rendergraph", NULL);
    VkskinInstance instance;
    VkskinContext context = createContext(&host, &instance);
    HostFrames frames = hostFramesCreate(&host, FRAMES, HOST_TRIANGLE_SIZE, check);
    while (hostFramesNext(&frames)) {
        record(&graph, context, instance, &frames);
        hostFramesSubmit(&frames, (HostTimeline){0});
    }
    vkskinDestroyContext(context);
    hostFramesDestroy(&frames);
    return hostClose(&host);
}
