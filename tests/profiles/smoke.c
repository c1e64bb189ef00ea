#include "smoke.h"

#include "frame_loop.h"
#include "meshes.h"
#include "vertex_error.h"

#define LOOKS     6 /* sets of bones */
#define BONES     19
#define INSTANCES 240
#define MAX_ANGLE 1.5f
#define MORPHS    2

static const bool morphsAfter[MORPHS] = {false, true};

/* Bones as a palette and for the reference, and morph weights. */
typedef struct Look {
    VkskinMethod method;
    float entries[BONES * 12];
    ReferenceMatrix bones[BONES];
    float morphWeights[MORPHS];
} Look;

typedef struct Part {
    ModelMesh model;
    VkskinMesh mesh;
    VkskinMeshInfo info;
    ReferenceVertex *expected[LOOKS];
    double diagonal[LOOKS];
} Part;

typedef struct Smoke {
    Gpu *gpu;
    VkskinContext context;
    FrameLoop loop;
    Look looks[LOOKS];
    Part parts[SMOKE_MESHES];
    uint32_t partCount;     /* so far: two in the first frame, one more in each frame after it */
    uint32_t instanceCount; /* likewise */
    VkskinInstance instances[INSTANCES];
    uint64_t firstFrame[INSTANCES];
    GpuBuffer readback[SMOKE_FRAMES];
    VkskinOutput outputs[SMOKE_FRAMES][INSTANCES]; /* offsets into the readback */
} Smoke;

static const struct {
    uint32_t vertices, influences;
    bool normals, tangents, previous, morphs;
    VkskinVertexFormat format;
} partDefs[SMOKE_MESHES] = {
    {70, 2, false, false, false, true, VKSKIN_VERTEX_PACKED},
    {129, 4, true, true, true, false, VKSKIN_VERTEX_PACKED},
    {65, 3, true, false, false, false, VKSKIN_VERTEX_FLOAT},
    {96, 4, true, true, false, false, VKSKIN_VERTEX_FLOAT},
};

/* ---- The scene ---- */

static void makeLook(Random *random, Look *look) {
    VkskinPaletteEncoding encoding = vkskinMethodEncoding(look->method);
    uint32_t floats = vkskinPaletteStride(encoding) / sizeof(float);
    for (uint32_t b = 0; b < BONES; b++) {
        VkskinAffine affine = randomBone(random, MAX_ANGLE, look->method == VKSKIN_METHOD_LINEAR_BLEND);
        look->bones[b] = referenceFromAffine(&affine);
        paletteEntry(encoding, &look->bones[b], false, &look->entries[floats * b]);
    }
}

/* Two targets; each moves every second vertex. */
static void addMorphs(Random *random, ModelMesh *mesh) {
    mesh->morphs = newZeros(MORPHS, sizeof *mesh->morphs);
    mesh->morphCount = MORPHS;
    for (uint32_t m = 0; m < MORPHS; m++) {
        ModelMorph *morph = &mesh->morphs[m];
        morph->vertexCount = mesh->vertexCount / 2;
        morph->vertices = newZeros(morph->vertexCount, sizeof *morph->vertices);
        morph->positions = randomDeltas(random, morph->vertexCount, 0.5f, false);
        for (uint32_t i = 0; i < morph->vertexCount; i++) {
            morph->vertices[i] = 2 * i;
        }
    }
}

static void makeScene(Smoke *smoke) {
    Random random = {77};
    for (uint32_t i = 0; i < LOOKS; i++) {
        smoke->looks[i].morphWeights[0] = (float)(i / 2);
        smoke->looks[i].morphWeights[1] = i < 3 ? 0.0f : -1.0f;
        smoke->looks[i].method = i % 2 == 0 ? VKSKIN_METHOD_LINEAR_BLEND : VKSKIN_METHOD_DUAL_QUATERNION;
        makeLook(&random, &smoke->looks[i]);
    }
    for (uint32_t i = 0; i < SMOKE_MESHES; i++) {
        Part *part = &smoke->parts[i];
        RandomMeshDef def = {partDefs[i].vertices, BONES, partDefs[i].influences, 1, true};
        part->model = randomMesh(&random, &def);
        if (partDefs[i].morphs) {
            addMorphs(&random, &part->model);
        }
        for (uint32_t k = 0; k < LOOKS; k++) {
            ReferenceDef how = {.method = smoke->looks[k].method,
                                .morphWeights = smoke->looks[k].morphWeights,
                                .morphsAfter = morphsAfter};
            part->expected[k] = newReferenceVertices(&part->model, smoke->looks[k].bones, &how);
            part->diagonal[k] = referenceDiagonal(part->expected[k], part->model.vertexCount);
        }
    }
}

static void freeScene(Smoke *smoke) {
    for (uint32_t i = 0; i < SMOKE_MESHES; i++) {
        randomMeshFree(&smoke->parts[i].model);
        for (uint32_t k = 0; k < LOOKS; k++) {
            free(smoke->parts[i].expected[k]);
        }
    }
}

static void makeContext(Smoke *smoke, const SmokeDef *smokeDef) {
    VkskinContextDef def = profileContextDef(smoke->gpu);
    def.memory.palettes = smokeDef->paletteMemory;
    def.paletteBinding = smokeDef->paletteBinding;
    def.framesInFlight = smokeDef->framesInFlight;
    def.outputRegions = smokeDef->outputRegions;
    def.debugUtils = smokeDef->debugUtils;
    def.backend = smokeDef->backend;
    def.memory.paletteBytesPerFrame = 512 * 1024;
    def.memory.maxInstances = INSTANCES;
    GPU_VKSKIN(smoke->gpu, vkskinCreateContext(&def, &smoke->context));
}

static void addKernels(const Smoke *smoke, VkskinMesh mesh) {
    VkskinPipelineDef def = kernelsOf(&mesh, 1);
    def.cache = smoke->gpu->cache;
    def.methods = VKSKIN_METHOD_LINEAR_BLEND_BIT | VKSKIN_METHOD_DUAL_QUATERNION_BIT;
    def.workgroupSize = SMOKE_WORKGROUP;
    GPU_VKSKIN(smoke->gpu, vkskinCreatePipelines(smoke->context, &def));
}

static void addPart(Smoke *smoke) {
    uint32_t index = smoke->partCount++;
    Part *part = &smoke->parts[index];
    MeshInput input = {.joints = NULL};
    meshInputFill(&input, &part->model, VKSKIN_JOINTS_U32, false, morphsAfter);
    input.def.normals = partDefs[index].normals ? input.def.normals : NULL;
    input.def.tangents = partDefs[index].tangents ? input.def.tangents : NULL;
    input.def.format = partDefs[index].format;
    input.def.previousPositions = partDefs[index].previous;
    GPU_VKSKIN(smoke->gpu, vkskinCreateMesh(smoke->context, &input.def, &part->mesh));
    meshInputFree(&input);
    addKernels(smoke, part->mesh);
    GPU_VKSKIN(smoke->gpu, vkskinGetMeshInfo(smoke->context, part->mesh, &part->info));
}

/* The first instances belong to the first part, and so on. A part's instances are created with its mesh. */
static uint32_t partOf(uint32_t instance) {
    return instance / (INSTANCES / SMOKE_MESHES);
}

static void addInstances(Smoke *smoke) {
    for (uint32_t i = 0; i < INSTANCES / SMOKE_MESHES; i++) {
        uint32_t instance = smoke->instanceCount++;
        const Part *part = &smoke->parts[partOf(instance)];
        smoke->firstFrame[instance] = smoke->loop.frame;
        GPU_VKSKIN(smoke->gpu, vkskinCreateInstances(smoke->context, part->mesh, 1, &smoke->instances[instance]));
    }
}

/* ---- Frames ---- */

static uint32_t lookOf(uint32_t instance, uint64_t frame) {
    return (uint32_t)((instance * 5 + instance / LOOKS + frame) % LOOKS);
}

static void skin(Smoke *smoke, uint32_t instance) {
    const Look *look = &smoke->looks[lookOf(instance, smoke->loop.frame)];
    VkskinPaletteEncoding encoding = vkskinMethodEncoding(look->method);
    VkskinSkinCommand command = {.instance = smoke->instances[instance], .method = look->method};
    if (partDefs[partOf(instance)].morphs) {
        command.morphWeights = look->morphWeights;
        command.morphWeightCount = MORPHS;
    }
    void *data;
    GPU_VKSKIN(smoke->gpu, vkskinAllocatePalette(smoke->context, encoding, BONES, &command.palette, &data));
    memcpy(data, look->entries, (size_t)BONES * vkskinPaletteStride(encoding));
    GPU_VKSKIN(smoke->gpu, vkskinSkinInstances(smoke->context, &command, 1, NULL));
}

static VkDeviceSize sizeOf(const VkskinOutput *output) {
    VkDeviceSize positions = (VkDeviceSize)output->vertexCount * output->positionStride;
    VkDeviceSize attributes = (VkDeviceSize)output->vertexCount * output->attributeStride;
    return attributes > 0 ? output->attributeOffset - output->positionOffset + attributes : positions;
}

/* Copies an instance's output, and its previous positions after it; *output then holds their places in the readback. */
static VkDeviceSize recordReadback(Smoke *smoke, VkCommandBuffer commandBuffer, uint32_t instance, VkDeviceSize at) {
    uint64_t frame = smoke->loop.frame;
    VkskinOutput *output = &smoke->outputs[frame][instance];
    GPU_VKSKIN(smoke->gpu, vkskinGetOutput(smoke->context, smoke->instances[instance], output));
    VkDeviceSize size = sizeOf(output);
    VkBufferCopy regions[2] = {{output->positionOffset, at, size},
                               {output->previousPositionOffset, at + size, (VkDeviceSize)output->vertexCount * 12}};
    vkCmdCopyBuffer(commandBuffer, output->buffer, smoke->readback[frame].buffer, 2, regions);
    output->attributeOffset = at + (output->attributeOffset - output->positionOffset);
    output->positionOffset = at;
    output->previousPositionOffset = at + size;
    return at + size + regions[1].size;
}

static VkDeviceSize readbackSize(void) {
    VkDeviceSize size = 0;
    for (uint32_t i = 0; i < SMOKE_MESHES; i++) {
        size += (VkDeviceSize)INSTANCES / SMOKE_MESHES * (partDefs[i].vertices * (40 + 12) + 16);
    }
    return size;
}

static void runFrame(Smoke *smoke) {
    VkCommandBuffer commandBuffer = frameLoopBegin(&smoke->loop);
    uint64_t frame = smoke->loop.frame;
    VkDeviceSize at = 0;
    while (smoke->partCount < SMOKE_MESHES && smoke->partCount < frame + 2) {
        addPart(smoke);
        addInstances(smoke);
    }
    for (uint32_t i = 0; i < smoke->instanceCount; i++) {
        skin(smoke, i);
    }
    GPU_VKSKIN(smoke->gpu, vkskinRecordSkinning(smoke->context, commandBuffer));
    for (uint32_t i = 0; i < smoke->instanceCount; i++) {
        at = recordReadback(smoke, commandBuffer, i, at);
    }
    assert_true(at <= smoke->readback[frame].size);
    gpuBarrier(commandBuffer, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
               VK_ACCESS_HOST_READ_BIT);
    frameLoopSubmit(&smoke->loop);
}

/* ---- The output ---- */

static void checkPrevious(const Smoke *smoke, uint64_t frame, uint32_t instance, uint32_t vertex) {
    const Part *part = &smoke->parts[partOf(instance)];
    bool history = partDefs[partOf(instance)].previous && frame > smoke->firstFrame[instance];
    uint32_t look = lookOf(instance, history ? frame - 1 : frame);
    const VkskinOutput *output = &smoke->outputs[frame][instance];
    VkskinMeshInfo positionsAlone = part->info;
    positionsAlone.hasNormals = false;
    positionsAlone.hasTangents = false;
    ReadVertex read = {{0}, {0}, {0}};
    readPosition(smoke->readback[frame].mapped, 0, output->previousPositionOffset, vertex, read.position);
    VertexError error = vertexError(&part->expected[look][vertex], &read, part->diagonal[look], &positionsAlone);
    if (!vertexErrorIsGood(&error, part->info.format)) {
        fail_msg("%s: frame %u, instance %u, vertex %u: previous position %.2g of the diagonal off",
                 profilePlayed()->name, (uint32_t)frame, instance, vertex, error.position);
    }
}

static void checkInstance(const Smoke *smoke, uint64_t frame, uint32_t instance) {
    const Part *part = &smoke->parts[partOf(instance)];
    uint32_t look = lookOf(instance, frame);
    for (uint32_t v = 0; v < part->info.vertexCount; v++) {
        ReadVertex read =
            readVertex(smoke->readback[frame].mapped, 0, &smoke->outputs[frame][instance], &part->info, v);
        VertexError error = vertexError(&part->expected[look][v], &read, part->diagonal[look], &part->info);
        if (!vertexErrorIsGood(&error, part->info.format)) {
            fail_msg("%s: frame %u, instance %u, vertex %u: %.2g of the diagonal, %.3f and %.3f degrees off",
                     profilePlayed()->name, (uint32_t)frame, instance, v, error.position, error.normal, error.tangent);
        }
        checkPrevious(smoke, frame, instance, v);
    }
}

static void checkFrames(const Smoke *smoke) {
    for (uint64_t frame = 0; frame < SMOKE_FRAMES; frame++) {
        for (uint32_t i = 0; i < INSTANCES; i++) {
            if (smoke->firstFrame[i] <= frame) {
                checkInstance(smoke, frame, i);
            }
        }
    }
}

/* All frames are complete: beginning a frame gets the times of the one framesInFlight before it. */
static void checkTimings(const Smoke *smoke, const SmokeDef *def) {
    const uint32_t framesInFlight = def->framesInFlight;
    VkskinTiming timings[8];
    uint32_t count = 8;
    uint64_t frame = 0;
    VkskinTimestampSupport support = VKSKIN_TIMESTAMPS_SUPPORTED;
    GPU_VKSKIN(smoke->gpu, vkskinBeginFrame(smoke->context, SMOKE_FRAMES % framesInFlight));
    GPU_VKSKIN(smoke->gpu, vkskinGetTimings(smoke->context, timings, &count, &frame, &support));
    if (profilePlayed()->noTimestamps) {
        assert_int_equal(support, VKSKIN_TIMESTAMPS_NONE);
        assert_int_equal(count, 0);
        assert_int_equal(frame, 0);
        return;
    }
    assert_int_equal(support, VKSKIN_TIMESTAMPS_SUPPORTED);
    if (def->backend == VKSKIN_BACKEND_CPU) {
        assert_int_equal(count, 0); /* nothing was recorded */
        return;
    }
    assert_int_equal(frame, SMOKE_FRAMES + 1 - framesInFlight);
    assert_true(count >= 1);
    assert_string_equal(timings[count - 1].name, "skinning");
    assert_true(timings[count - 1].milliseconds >= 0.0 && timings[count - 1].milliseconds < 60000.0);
}

void smokeRun(Gpu *gpu, const SmokeDef *def, VkskinStats *stats) {
    Smoke *smoke = newZeros(1, sizeof *smoke);
    smoke->gpu = gpu;
    makeScene(smoke);
    makeContext(smoke, def);
    for (uint32_t frame = 0; frame < SMOKE_FRAMES; frame++) {
        smoke->readback[frame] = gpuBuffer(gpu, readbackSize(), VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    }
    smoke->loop = frameLoop(gpu, smoke->context, def->framesInFlight);
    for (uint32_t frame = 0; frame < SMOKE_FRAMES; frame++) {
        runFrame(smoke);
    }
    GPU_VKSKIN(gpu, vkskinGetStats(smoke->context, stats));
    frameLoopFinish(&smoke->loop);
    checkFrames(smoke);
    checkTimings(smoke, def);
    for (uint32_t frame = 0; frame < SMOKE_FRAMES; frame++) {
        gpuFreeBuffer(gpu, &smoke->readback[frame]);
    }
    vkskinDestroyContext(smoke->context);
    freeScene(smoke);
    free(smoke);
}
