/*
 * Draws the bent strip of README.md in both ways that README.md and docs/embedding.md show, and as snorm10, and checks the
 * pixels. The validation layer is on.
 */
#include "programs.h"
#include "target.h"
#include "test.h"

#include "steps.h"

static const uint32_t buffersWords[] =
#include "buffers.vert.inc"
    ;
static const uint32_t pullingWords[] =
#include "pulling.vert.inc"
    ;
static const uint32_t snorm10Words[] =
#include "snorm10.vert.inc"
    ;
static const uint32_t fragmentWords[] =
#include "normal.frag.inc"
    ;

/* Bone 1 rotates by 90 degrees about the x axis through (0, 1, 0): (x, y, z) moves to (x, 1 - z, y - 1). */
static const float bentColumns[2][16] = {
    {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1},
    {1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, -1, 1},
};

/* Column-major. Looks down at an angle. From the top of the picture, the strip's lower half fills the second quarter
 * and its upper half the third. Both fill the middle half of the width. */
static const float camera[16] = {1, 0, 0, 0, 0, .5f, 0, 0, 0, .5f, 0, 0, -.5f, -.5f, .5f, 1};

#define SIZE   64 /* pixels each way */
#define FORMAT VK_FORMAT_R8G8B8A8_UNORM

typedef struct Canvas {
    Device *device;
    EngineError error;
    Skinner skinner;
    Image image;
    Buffer pixels; /* 4 bytes per pixel, row by row */
    Buffer places; /* binding 1 of the set; the page's step writes binding 0 */
    VkDescriptorSetLayout sets;
    VkDescriptorPool pool;
    VkDescriptorSet set;
    VkPipelineLayout layout;
    VkPipeline pipeline;
} Canvas;

#define ASSERT_ENGINE(canvas, call)                                                                                    \
    do {                                                                                                               \
        if (!(call)) {                                                                                                 \
            fail_msg("%s", (canvas)->error.message);                                                                   \
        }                                                                                                              \
    } while (0)

static int setUp(void **state) {
    const VkDescriptorSetLayoutBinding bindings[2] = {
        {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_VERTEX_BIT, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_VERTEX_BIT, NULL},
    };
    const VkDescriptorPoolSize poolSize = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2};
    const ImageDef imageDef = {.width = SIZE,
                               .height = SIZE,
                               .format = FORMAT,
                               .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
                               .aspect = VK_IMAGE_ASPECT_COLOR_BIT,
                               .name = "picture"};
    Canvas *canvas = calloc(1, sizeof *canvas);
    assert_non_null(canvas);
    EngineError *error = &canvas->error;
    Device *device = canvas->device = deviceCreate(&(DeviceOptions){.validation = true}, error);
    ASSERT_ENGINE(canvas,
                  device && imageCreate(device, &imageDef, &canvas->image, error) &&
                      bufferCreateReadback(device, (VkDeviceSize)4 * SIZE * SIZE, "pixels", &canvas->pixels, error) &&
                      bufferCreate(device, sizeof(Place), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, BUFFER_UPLOAD, "places",
                                   &canvas->places, error) &&
                      setLayoutCreate(device, bindings, 2, &canvas->sets, error) &&
                      pipelineLayoutCreate(device, &canvas->sets, 1,
                                           (VkPushConstantRange){VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof camera},
                                           &canvas->layout, error) &&
                      descriptorPoolCreate(device, &poolSize, 1, 1, &canvas->pool, error) &&
                      descriptorSetAllocate(device, canvas->pool, canvas->sets, &canvas->set, error));
    descriptorWriteBuffer(device, canvas->set, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, canvas->places.handle,
                          VK_WHOLE_SIZE);
    VkskinContextDef def =
        skinnerDef(device->instance, device->physical, device->handle, device->family, vkGetInstanceProcAddr);
    assert_int_equal(skinnerOpen(&canvas->skinner, &def), VKSKIN_SUCCESS);
    *state = canvas;
    return 0;
}

static int tearDown(void **state) {
    Canvas *canvas = *state;
    Device *device = canvas->device;
    skinnerClose(&canvas->skinner);
    vkDestroyPipeline(device->handle, canvas->pipeline, NULL);
    vkDestroyPipelineLayout(device->handle, canvas->layout, NULL);
    vkDestroyDescriptorPool(device->handle, canvas->pool, NULL);
    vkDestroyDescriptorSetLayout(device->handle, canvas->sets, NULL);
    bufferDestroy(device, &canvas->places);
    bufferDestroy(device, &canvas->pixels);
    imageDestroy(device, &canvas->image);
    uint32_t messages = device->validationMessages;
    deviceDestroy(device);
    free(canvas);
    return messages == 0 ? 0 : -1;
}

static void createPipeline(Canvas *canvas, const uint32_t *words, size_t size,
                           const VkPipelineVertexInputStateCreateInfo *input) {
    EngineError *error = &canvas->error;
    const ShaderCode vertex = {"page.vert", words, size};
    const ShaderCode fragment = {"normal.frag", fragmentWords, sizeof fragmentWords};
    GraphicsPipelineDef def = {.name = "strip",
                               .vertex = shaderCreate(canvas->device, &vertex, error),
                               .fragment = shaderCreate(canvas->device, &fragment, error),
                               .input = input,
                               .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
                               .colourFormats = (const VkFormat[]){FORMAT},
                               .colourCount = 1,
                               .layout = canvas->layout};
    ASSERT_ENGINE(canvas,
                  def.vertex && def.fragment && graphicsPipelineCreate(canvas->device, &def, &canvas->pipeline, error));
    vkDestroyShaderModule(canvas->device->handle, def.vertex, NULL);
    vkDestroyShaderModule(canvas->device->handle, def.fragment, NULL);
}

static void recordStrip(const Canvas *canvas, VkCommandBuffer commandBuffer, const VkskinOutput *output, bool pulls) {
    vkCmdBindPipeline(commandBuffer, VK_PIPELINE_BIND_POINT_GRAPHICS, canvas->pipeline);
    vkCmdPushConstants(commandBuffer, canvas->layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof camera, camera);
    viewportSet(commandBuffer, SIZE, SIZE);
    if (!pulls) {
        skinnerDraw(commandBuffer, output);
        return;
    }
    const Place place = placeOf(output);
    memcpy(canvas->places.mapped, &place, sizeof place);
    vkCmdBindDescriptorSets(commandBuffer, VK_PIPELINE_BIND_POINT_GRAPHICS, canvas->layout, 0, 1, &canvas->set, 0,
                            NULL);
    vkCmdDraw(commandBuffer, output->vertexCount, 1, 0, 0);
}

/* Draws the strip in the frame's only pass and reads the picture. */
static void drawStrip(Canvas *canvas, uint32_t slot, bool pulls) {
    const VkRenderingAttachmentInfo colour = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                              .imageView = canvas->image.view,
                                              .imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                                              .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                              .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
    const VkRenderingInfo rendering = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                       .renderArea = {{0, 0}, {SIZE, SIZE}},
                                       .layerCount = 1,
                                       .colorAttachmentCount = 1,
                                       .pColorAttachments = &colour};
    VkskinOutput output;
    VkCommandBuffer commandBuffer = immediateBegin(canvas->device, &canvas->error);
    ASSERT_ENGINE(canvas, commandBuffer);
    assert_int_equal(skinnerFrame(&canvas->skinner, slot, commandBuffer, bentColumns, &output), VKSKIN_SUCCESS);
    if (pulls) {
        assert_int_equal(describePage(canvas->device->handle, canvas->skinner.context, output.page, canvas->set),
                         VKSKIN_SUCCESS);
    }
    imageBarrier(commandBuffer, canvas->image.handle, IMAGE_UNUSED, IMAGE_COLOUR);
    vkCmdBeginRendering(commandBuffer, &rendering);
    recordStrip(canvas, commandBuffer, &output, pulls);
    vkCmdEndRendering(commandBuffer);
    imageBarrier(commandBuffer, canvas->image.handle, IMAGE_COLOUR, IMAGE_COPY_SOURCE);
    recordPixels(commandBuffer, canvas->image.handle, SIZE, SIZE, &canvas->pixels);
    ASSERT_ENGINE(canvas, immediateEnd(canvas->device, commandBuffer, &canvas->error));
}

static void assertColour(const Canvas *canvas, int x, int y, int red, int green, int blue) {
    const unsigned char *pixel = (const unsigned char *)canvas->pixels.mapped + 4 * (y * SIZE + x);
    assert_in_range(pixel[0], red - 12, red + 12);
    assert_in_range(pixel[1], green > 12 ? green - 12 : 0, green + 12);
    assert_in_range(pixel[2], blue - 12, blue + 12);
}

/* Expects a square in the middle: normals along z at its upper edge, along -y at its lower edge. */
static void assertPictures(Canvas *canvas, bool pulls) {
    const uint32_t *pixels = canvas->pixels.mapped;
    for (uint32_t frame = 0; frame < 3; frame++) {
        uint32_t covered = 0;
        drawStrip(canvas, frame % 2, pulls);
        for (uint32_t i = 0; i < SIZE * SIZE; i++) {
            covered += pixels[i] != 0;
        }
        assert_int_equal(covered, SIZE / 2 * SIZE / 2);
        assertColour(canvas, 32, SIZE / 4, 128, 128, 255);
        assertColour(canvas, 32, SIZE / 2, 128, 38, 218); /* halfway: 45 degrees */
        assertColour(canvas, 32, SIZE * 3 / 4 - 1, 128, 0, 128);
    }
}

FIXTURE_TEST(vertexBuffersDraw) {
    VkskinVertexInput input;
    VkPipelineVertexInputStateCreateInfo inputState = skinnerVertexInput(&input);
    assert_int_equal(inputState.vertexBindingDescriptionCount, 2);
    createPipeline(*state, buffersWords, sizeof buffersWords, &inputState);
    assertPictures(*state, false);
}

FIXTURE_TEST(pullingDraws) {
    createPipeline(*state, pullingWords, sizeof pullingWords, NULL);
    assertPictures(*state, true);
}

/* Replaces the strip's mesh by one with tangents in that format, and makes its kernel. */
static void changeToSnorm10(Canvas *canvas) {
    static const float tangents[6][4] = {{1, 0, 0, -1}, {1, 0, 0, -1}, {1, 0, 0, -1},
                                         {1, 0, 0, -1}, {1, 0, 0, -1}, {1, 0, 0, -1}};
    VkskinMeshDef strip = vkskinDefaultMeshDef();
    strip.vertexCount = 6;
    strip.boneCount = 2;
    strip.positions = positions[0];
    strip.normals = normals[0];
    strip.tangents = tangents[0];
    strip.influencesPerVertex = 2;
    strip.jointFormat = VKSKIN_JOINTS_U8;
    strip.joints = joints;
    strip.weights = weights[0];
    strip.format = VKSKIN_VERTEX_SNORM10;
    VkskinPipelineDef kernels = vkskinDefaultPipelineDef();
    kernels.meshes = &canvas->skinner.mesh;
    kernels.meshCount = 1;
    assert_true(vkskinReplaceMesh(canvas->skinner.context, canvas->skinner.mesh, &strip) >= 0);
    assert_int_equal(vkskinCreatePipelines(canvas->skinner.context, &kernels), VKSKIN_SUCCESS);
}

/* The vertex input converts the words: the shader has no code for them. */
FIXTURE_TEST(snorm10IsReadByTheVertexInput) {
    Canvas *canvas = *state;
    VkskinVertexInput input;
    VkFormatProperties properties;
    assert_int_equal(vkskinGetVertexInput(VKSKIN_VERTEX_SNORM10, true, true, NULL, 0, 0, &input), VKSKIN_SUCCESS);
    vkGetPhysicalDeviceFormatProperties(canvas->device->physical, input.attributes[1].format, &properties);
    assert_true((properties.bufferFeatures & VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT) != 0);
    const VkPipelineVertexInputStateCreateInfo inputState = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
        .vertexBindingDescriptionCount = input.bindingCount,
        .pVertexBindingDescriptions = input.bindings,
        .vertexAttributeDescriptionCount = input.attributeCount,
        .pVertexAttributeDescriptions = input.attributes,
    };
    changeToSnorm10(canvas);
    createPipeline(canvas, snorm10Words, sizeof snorm10Words, &inputState);
    assertPictures(canvas, false);
}
