/*
 * A host's vertex shader skins with vkskin_vertex.glsl: from the palette ring in each encoding, in place and staged, and
 * from images. The pixels that it draws are positions and normals, which are compared with the reference. The validation
 * layer is on: it finds a missing barrier between the copy of staged palettes and the vertex shader.
 */
#include "random.h"
#include "reference.h"
#include "skinning.h"
#include "programs.h"
#include "target.h"
#include "test.h"

static const uint32_t vertexWords[] =
#include "host_bones.vert.inc"
    ;
static const uint32_t fragmentWords[] =
#include "host_bones.frag.inc"
    ;

#define VERTICES  257u
#define BONES     37u
#define FORMAT    VK_FORMAT_R32G32B32A32_SFLOAT
#define COLUMN    3 /* column of a palette's first texel in its image */
#define ROW       2
#define TOLERANCE 1e-4 /* the palette's own rounding is in the reference */

enum { SOURCE_COLUMNS = 7, SOURCE_PAIRS, SOURCE_TWO_IMAGES };

/* Where the shader finds the bones: the values of its switch. */
typedef struct Source {
    const char *label;
    uint32_t number;
    VkskinPaletteEncoding encoding;
    VkskinMethod method;
    VkFormat image, translations; /* undefined: none */
} Source;

#define F32 VK_FORMAT_R32G32B32A32_SFLOAT
#define F16 VK_FORMAT_R16G16B16A16_SFLOAT
#define S16 VK_FORMAT_R16G16B16A16_SNORM
static const Source sources[] = {
    {"matrix", 0, VKSKIN_PALETTE_MAT3X4, VKSKIN_METHOD_LINEAR_BLEND, 0, 0},
    {"quaternion", 1, VKSKIN_PALETTE_QUATERNION, VKSKIN_METHOD_LINEAR_BLEND, 0, 0},
    {"half", 2, VKSKIN_PALETTE_QUATERNION_HALF, VKSKIN_METHOD_LINEAR_BLEND, 0, 0},
    {"snorm16", 3, VKSKIN_PALETTE_QUATERNION_SNORM16, VKSKIN_METHOD_LINEAR_BLEND, 0, 0},
    {"dual quaternion", 5, VKSKIN_PALETTE_DUAL_QUATERNION, VKSKIN_METHOD_DUAL_QUATERNION, 0, 0},
    {"scaled dual quaternion", 6, VKSKIN_PALETTE_SCALED_DUAL_QUATERNION, VKSKIN_METHOD_SCALED_DUAL_QUATERNION, 0, 0},
    {"image of matrices", SOURCE_COLUMNS, VKSKIN_PALETTE_MAT3X4, VKSKIN_METHOD_LINEAR_BLEND, F32, 0},
    {"image of pairs", SOURCE_PAIRS, VKSKIN_PALETTE_QUATERNION, VKSKIN_METHOD_LINEAR_BLEND, F32, 0},
    {"two float images", SOURCE_TWO_IMAGES, VKSKIN_PALETTE_QUATERNION, VKSKIN_METHOD_LINEAR_BLEND, F32, F32},
    {"two half images", SOURCE_TWO_IMAGES, VKSKIN_PALETTE_QUATERNION_HALF, VKSKIN_METHOD_LINEAR_BLEND, F16, F16},
    {"snorm16 and float images", SOURCE_TWO_IMAGES, VKSKIN_PALETTE_QUATERNION_SNORM16, VKSKIN_METHOD_LINEAR_BLEND, S16,
     F32},
    {"flat", 4, VKSKIN_PALETTE_MAT2X3, VKSKIN_METHOD_LINEAR_BLEND, 0, 0}, /* last: it flattens the mesh */
};

/* The vertex of host_bones.vert. */
typedef struct Vertex {
    float position[4], normal[4];
    uint32_t joints[4];
    float weights[4];
} Vertex;

typedef struct Push {
    uint32_t source, first, vertexCount;
    int32_t column, row;
} Push;

typedef struct Host {
    Device *device;
    EngineError error;
    Skinning *skinning;
    Image targets[2]; /* positions, normals */
    Buffer pixels[2], vertices;
    VkSampler sampler;
    VkDescriptorSetLayout sets;
    VkDescriptorPool pool;
    VkDescriptorSet set;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    Image images[2];
    ModelMesh mesh;
} Host;

#define CHECK(host, call) TEST_GOOD(call, (host)->error)

/* ---- The host ---- */

static void createPipeline(Host *host) {
    const ShaderCode vertex = {"host_bones.vert", vertexWords, sizeof vertexWords};
    const ShaderCode fragment = {"host_bones.frag", fragmentWords, sizeof fragmentWords};
    const GraphicsPipelineDef def = {.name = "host bones",
                                     .vertex = shaderCreate(host->device, &vertex, &host->error),
                                     .fragment = shaderCreate(host->device, &fragment, &host->error),
                                     .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
                                     .colourFormats = (const VkFormat[]){FORMAT, FORMAT},
                                     .colourCount = 2,
                                     .layout = host->layout};
    CHECK(host,
          def.vertex && def.fragment && graphicsPipelineCreate(host->device, &def, &host->pipeline, &host->error));
    vkDestroyShaderModule(host->device->handle, def.vertex, NULL);
    vkDestroyShaderModule(host->device->handle, def.fragment, NULL);
}

static void createSets(Host *host) {
    const VkShaderStageFlags stage = VK_SHADER_STAGE_VERTEX_BIT;
    const VkDescriptorSetLayoutBinding bindings[] = {
        {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, stage, NULL},
        {1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, stage, NULL},
        {2, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, stage, NULL},
        {3, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, stage, NULL},
    };
    const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2},
                                          {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 2}};
    const VkSamplerCreateInfo sampler = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
    Device *device = host->device;
    assert_int_equal(vkCreateSampler(device->handle, &sampler, NULL, &host->sampler), VK_SUCCESS);
    CHECK(host, setLayoutCreate(device, bindings, 4, &host->sets, &host->error) &&
                    descriptorPoolCreate(device, sizes, 2, 1, &host->pool, &host->error) &&
                    descriptorSetAllocate(device, host->pool, host->sets, &host->set, &host->error) &&
                    pipelineLayoutCreate(device, &host->sets, 1, (VkPushConstantRange){stage, 0, sizeof(Push)},
                                         &host->layout, &host->error));
}

/* The largest influence first, as the blending of dual quaternions needs it. */
static void sortInfluences(Vertex *vertex) {
    for (int i = 0; i < 4; i++) {
        for (int k = i + 1; k < 4; k++) {
            if (vertex->weights[k] > vertex->weights[i]) {
                const float weight = vertex->weights[i];
                const uint32_t joint = vertex->joints[i];
                vertex->weights[i] = vertex->weights[k];
                vertex->joints[i] = vertex->joints[k];
                vertex->weights[k] = weight;
                vertex->joints[k] = joint;
            }
        }
    }
}

static void createVertices(Host *host) {
    Random random = {7};
    const RandomMeshDef def = {VERTICES, BONES, 4, 4, true};
    host->mesh = randomMesh(&random, &def);
    CHECK(host, bufferCreate(host->device, sizeof(Vertex) * VERTICES, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, BUFFER_UPLOAD,
                             "vertices", &host->vertices, &host->error));
}

/* flat: z is 0, also in host->mesh. */
static void writeVertices(Host *host, bool flat) {
    Vertex *vertices = host->vertices.mapped;
    for (uint32_t v = 0; v < VERTICES; v++) {
        Vertex vertex = {.position = {0}};
        const size_t at = (size_t)3 * v;
        host->mesh.positions[at + 2] *= flat ? 0.0f : 1.0f;
        memcpy(vertex.position, host->mesh.positions + at, 12);
        memcpy(vertex.normal, host->mesh.normals + at, 12);
        memcpy(vertex.joints, &host->mesh.joints[(size_t)4 * v], 16);
        memcpy(vertex.weights, &host->mesh.weights[(size_t)4 * v], 16);
        sortInfluences(&vertex);
        vertices[v] = vertex;
    }
}

static void createSkinning(Host *host, bool staged) {
    VkskinContextDef def = vkskinDefaultContextDef();
    def.backend = VKSKIN_BACKEND_AUTOMATIC; /* which is compute on each device, because a stage reads palettes */
    def.paletteStages = VK_PIPELINE_STAGE_VERTEX_SHADER_BIT;
    def.memory.palettes = staged ? VKSKIN_PALETTE_MEMORY_STAGED : VKSKIN_PALETTE_MEMORY_AUTO;
    host->skinning = skinningCreate(host->device, &def, &host->error);
    CHECK(host, host->skinning);
    assert_int_equal(host->skinning->backend, VKSKIN_BACKEND_COMPUTE);
}

static int setUp(void **state) {
    Host *host = calloc(1, sizeof *host);
    assert_non_null(host);
    const ImageDef def = {.width = VERTICES,
                          .height = 1,
                          .format = FORMAT,
                          .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
                          .aspect = VK_IMAGE_ASPECT_COLOR_BIT,
                          .name = "target"};
    host->device = deviceCreate(&(DeviceOptions){.validation = true}, &host->error);
    CHECK(host, host->device);
    for (int i = 0; i < 2; i++) {
        CHECK(host, imageCreate(host->device, &def, &host->targets[i], &host->error) &&
                        bufferCreateReadback(host->device, 16 * VERTICES, "pixels", &host->pixels[i], &host->error));
    }
    createSets(host);
    createPipeline(host);
    createVertices(host);
    *state = host;
    return 0;
}

static int tearDown(void **state) {
    Host *host = *state;
    Device *device = host->device;
    vkDestroyPipeline(device->handle, host->pipeline, NULL);
    vkDestroyPipelineLayout(device->handle, host->layout, NULL);
    vkDestroyDescriptorPool(device->handle, host->pool, NULL);
    vkDestroyDescriptorSetLayout(device->handle, host->sets, NULL);
    vkDestroySampler(device->handle, host->sampler, NULL);
    for (int i = 0; i < 2; i++) {
        imageDestroy(device, &host->targets[i]);
        bufferDestroy(device, &host->pixels[i]);
    }
    bufferDestroy(device, &host->vertices);
    randomMeshFree(&host->mesh);
    const uint32_t messages = device->validationMessages;
    deviceDestroy(device);
    free(host);
    return messages == 0 ? 0 : -1;
}

/* ---- Palettes ---- */

typedef struct Bones {
    ReferenceMatrix matrices[BONES];    /* what the entries mean */
    unsigned char entries[BONES * 64u]; /* the palette */
} Bones;

static void makeBones(const Source *source, uint64_t seed, Bones *bones) {
    Random random = {seed};
    const uint32_t stride = vkskinPaletteStride(source->encoding);
    for (uint32_t b = 0; b < BONES; b++) {
        const VkskinAffine bone = randomBone(&random, 1.2f, true);
        const ReferenceMatrix exact = referenceFromAffine(&bone);
        void *entry = bones->entries + (size_t)b * stride;
        paletteEntry(source->encoding, &exact, randomBelow(&random, 2) == 1, entry);
        bones->matrices[b] = paletteEntryMatrix(source->encoding, entry);
    }
}

static uint32_t texelBytes(VkFormat format) {
    return format == F32 ? 16 : 8;
}

/* The texels of image `which`, rows of `width`. A bone's entry is one texel per image after the other. */
static void writeTexels(const Source *source, const Bones *bones, int which, uint32_t width, unsigned char *texels) {
    const uint32_t stride = vkskinPaletteStride(source->encoding);
    const uint32_t bytes = texelBytes(which == 0 ? source->image : source->translations);
    const uint32_t across = source->number == SOURCE_PAIRS ? 2 : 1;
    const uint32_t down = source->number == SOURCE_COLUMNS ? 3 : 1;
    const uint32_t before = which == 0 ? 0 : texelBytes(source->image);
    for (uint32_t b = 0; b < BONES; b++) {
        for (uint32_t part = 0; part < across * down; part++) {
            const uint32_t x = COLUMN + b * across + part % across, y = ROW + part / across;
            memcpy(texels + ((size_t)y * width + x) * bytes,
                   bones->entries + (size_t)b * stride + before + (size_t)part * bytes, bytes);
        }
    }
}

static void createImage(Host *host, const Source *source, const Bones *bones, int which) {
    const uint32_t width = COLUMN + 2 * BONES, height = ROW + 3;
    const VkFormat format = which == 0 ? source->image : source->translations;
    const ImageDef def = {.width = width,
                          .height = height,
                          .format = format,
                          .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
                          .aspect = VK_IMAGE_ASPECT_COLOR_BIT,
                          .name = "palettes"};
    const VkBufferImageCopy whole = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                     .imageExtent = {width, height, 1}};
    Image *image = &host->images[which];
    Buffer staging = {0};
    CHECK(host, imageCreate(host->device, &def, image, &host->error) &&
                    bufferCreate(host->device, (VkDeviceSize)width * height * 16, VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
                                 BUFFER_UPLOAD, "texels", &staging, &host->error));
    memset(staging.mapped, 0, (size_t)staging.size);
    writeTexels(source, bones, which, width, staging.mapped);
    VkCommandBuffer commands = immediateBegin(host->device, &host->error);
    CHECK(host, commands);
    imageBarrier(commands, image->handle, IMAGE_UNUSED, IMAGE_COPY_TARGET);
    vkCmdCopyBufferToImage(commands, staging.handle, image->handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &whole);
    imageBarrier(commands, image->handle, IMAGE_COPY_TARGET, IMAGE_SAMPLED_BY_VERTICES);
    CHECK(host, immediateEnd(host->device, commands, &host->error));
    bufferDestroy(host->device, &staging);
    descriptorWriteImage(host->device, host->set, 1 + (uint32_t)which, host->sampler, image->view);
}

/* Images that the source does not use exist too: the shader's set has both. */
static void createImages(Host *host, const Source *source, const Bones *bones) {
    Source both = *source;
    both.image = both.image ? both.image : F32;
    both.translations = both.translations ? both.translations : F32;
    const bool two = source->number == SOURCE_TWO_IMAGES;
    createImage(host, source->image ? source : &both, bones, 0);
    createImage(host, two ? source : &(Source){"unused", 1, VKSKIN_PALETTE_QUATERNION, 0, F32, F32}, bones, 1);
}

/* A palette that is not the first of its page. */
static VkskinPaletteLocation writePalette(Host *host, const Source *source, const Bones *bones) {
    VkskinContext context = host->skinning->context;
    VkskinPalette palettes[2];
    VkskinPaletteLocation locations[2];
    void *data[2];
    const uint32_t counts[2] = {5, BONES}, stride = vkskinPaletteStride(source->encoding);
    assert_int_equal(vkskinAllocatePalettes(context, source->encoding, counts, 0, 2, palettes, data), VKSKIN_SUCCESS);
    memset(data[0], 0xff, (size_t)5 * stride);
    memcpy(data[1], bones->entries, (size_t)BONES * stride);
    assert_int_equal(vkskinGetPaletteLocations(context, palettes, 2, locations), VKSKIN_SUCCESS);
    assert_ptr_equal(locations[0].buffer, locations[1].buffer);
    assert_int_equal(locations[1].size, BONES * stride);
    assert_true(locations[1].offset >= locations[0].offset + locations[0].size);
    assert_true(locations[1].offset + locations[1].size <= locations[1].bufferSize);
    assert_int_equal(locations[1].offset % 16, 0);
    assert_int_equal(locations[1].address, 0);
    return locations[1];
}

/* ---- Frames ---- */

static void draw(const Host *host, VkCommandBuffer commands, const Source *source, VkDeviceSize offset) {
    const Push push = {source->number, (uint32_t)(offset / 16), VERTICES, COLUMN, ROW};
    VkRenderingAttachmentInfo colours[2];
    for (int i = 0; i < 2; i++) {
        colours[i] = (VkRenderingAttachmentInfo){.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                                 .imageView = host->targets[i].view,
                                                 .imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                                                 .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                                 .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
        imageBarrier(commands, host->targets[i].handle, IMAGE_UNUSED, IMAGE_COLOUR);
    }
    const VkRenderingInfo rendering = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                       .renderArea = {{0, 0}, {VERTICES, 1}},
                                       .layerCount = 1,
                                       .colorAttachmentCount = 2,
                                       .pColorAttachments = colours};
    vkCmdBeginRendering(commands, &rendering);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, host->pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, host->layout, 0, 1, &host->set, 0, NULL);
    vkCmdPushConstants(commands, host->layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof push, &push);
    viewportSet(commands, VERTICES, 1);
    vkCmdDraw(commands, VERTICES, 1, 0, 0);
    vkCmdEndRendering(commands);
    for (int i = 0; i < 2; i++) {
        imageBarrier(commands, host->targets[i].handle, IMAGE_COLOUR, IMAGE_COPY_SOURCE);
        recordPixels(commands, host->targets[i].handle, VERTICES, 1, &host->pixels[i]);
    }
}

static double differenceOf(const float *pixel, const double *expected) {
    double largest = 0.0;
    for (int i = 0; i < 3; i++) {
        const double off = fabs(pixel[i] - expected[i]);
        largest = off <= largest ? largest : off; /* NaN becomes the largest */
    }
    return pixel[3] == 1.0f ? largest : INFINITY;
}

/* The largest difference from the reference, of positions and normals. */
static double worstOf(const Host *host, const Source *source, const Bones *bones) {
    const ReferenceDef def = {.method = source->method, .exactNormals = true};
    const bool flat = source->encoding == VKSKIN_PALETTE_MAT2X3;
    ReferenceVertex *expected = newReferenceVertices(&host->mesh, bones->matrices, &def);
    double worst = 0.0;
    for (uint32_t v = 0; v < VERTICES; v++) {
        const double position =
            differenceOf((const float *)host->pixels[0].mapped + 4 * (size_t)v, expected[v].position);
        const double normal = differenceOf((const float *)host->pixels[1].mapped + 4 * (size_t)v, expected[v].normal);
        worst = position <= worst ? worst : position;
        worst = normal <= worst || flat ? worst : normal; /* flat meshes have no normals */
    }
    free(expected);
    return worst;
}

/* Draws with `bones` in the palette; the result is compared with `expected`. */
static double drawFrame(Host *host, const Source *source, uint32_t slot, const Bones *bones, const Bones *expected) {
    writeVertices(host, source->encoding == VKSKIN_PALETTE_MAT2X3);
    assert_int_equal(vkskinBeginFrame(host->skinning->context, slot), VKSKIN_SUCCESS);
    const VkskinPaletteLocation location = writePalette(host, source, bones);
    descriptorWriteBuffer(host->device, host->set, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, location.buffer,
                          location.bufferSize);
    descriptorWriteBuffer(host->device, host->set, 3, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, host->vertices.handle,
                          VK_WHOLE_SIZE);
    createImages(host, source, bones);
    VkCommandBuffer commands = immediateBegin(host->device, &host->error);
    CHECK(host, commands);
    assert_int_equal(vkskinRecordSkinning(host->skinning->context, commands), VKSKIN_SUCCESS);
    draw(host, commands, source, location.offset);
    CHECK(host, immediateEnd(host->device, commands, &host->error));
    imageDestroy(host->device, &host->images[0]);
    imageDestroy(host->device, &host->images[1]);
    return worstOf(host, source, expected);
}

static void checkSource(Host *host, const Source *source) {
    Bones bones[2];
    for (uint32_t frame = 0; frame < 4; frame++) {
        makeBones(source, 100 + frame, &bones[frame % 2]);
        const double worst = drawFrame(host, source, frame % 2, &bones[frame % 2], &bones[frame % 2]);
        if (!(worst <= TOLERANCE)) {
            fail_msg("%s, frame %u: off by %g", source->label, frame, worst);
        }
    }
    if (drawFrame(host, source, 0, &bones[0], &bones[1]) <= TOLERANCE) {
        fail_msg("%s: the bones of another frame were not noticed", source->label);
    }
}

FIXTURE_TEST(vertexShadersSkin) {
    Host *host = *state;
    for (int staged = 0; staged < 2; staged++) {
        for (size_t i = 0; i < COUNT_OF(sources); i++) {
            if (sources[i].image == VK_FORMAT_UNDEFINED || staged == 0) {
                createSkinning(host, staged == 1);
                checkSource(host, &sources[i]);
                skinningDestroy(host->skinning);
            }
        }
    }
}
