/*
 * Draws the bent strip of README.md in both ways that README.md and docs/drawing.md show, as snorm10, and as a character
 * of the crowd that docs/crowds.md makes from arrays, and checks the pixels. The validation layer is on.
 */
#include "defs.h"
#include "programs.h"
#include "target.h"
#include "test.h"

#include "steps.h"
#include "vkskin/vkskin_crowd.h"
#include "crowd_steps.h"

static const uint32_t buffersWords[] =
#include "buffers.vert.inc"
    ;
static const uint32_t pullingWords[] =
#include "pulling.vert.inc"
    ;
static const uint32_t snorm10Words[] =
#include "snorm10.vert.inc"
    ;
static const uint32_t crowdWords[] =
#include "crowd_page.vert.inc"
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

#define ASSERT_ENGINE(canvas, call) TEST_GOOD(call, (canvas)->error)

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
                           const VkPipelineVertexInputStateCreateInfo *input, VkPrimitiveTopology topology) {
    EngineError *error = &canvas->error;
    const ShaderCode vertex = {"page.vert", words, size};
    const ShaderCode fragment = {"normal.frag", fragmentWords, sizeof fragmentWords};
    GraphicsPipelineDef def = {.name = "strip",
                               .vertex = shaderCreate(canvas->device, &vertex, error),
                               .fragment = shaderCreate(canvas->device, &fragment, error),
                               .input = input,
                               .topology = topology,
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

static void beginPicture(const Canvas *canvas, VkCommandBuffer commandBuffer) {
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
    imageBarrier(commandBuffer, canvas->image.handle, IMAGE_UNUSED, IMAGE_COLOUR);
    vkCmdBeginRendering(commandBuffer, &rendering);
}

/* Submits, waits, and reads the picture. */
static void endPicture(Canvas *canvas, VkCommandBuffer commandBuffer) {
    vkCmdEndRendering(commandBuffer);
    imageBarrier(commandBuffer, canvas->image.handle, IMAGE_COLOUR, IMAGE_COPY_SOURCE);
    recordPixels(commandBuffer, canvas->image.handle, SIZE, SIZE, &canvas->pixels);
    ASSERT_ENGINE(canvas, immediateEnd(canvas->device, commandBuffer, &canvas->error));
}

/* Draws the strip in the frame's only pass. */
static void drawStrip(Canvas *canvas, uint32_t slot, bool pulls) {
    VkskinOutput output;
    VkCommandBuffer commandBuffer = immediateBegin(canvas->device, &canvas->error);
    ASSERT_ENGINE(canvas, commandBuffer);
    assert_int_equal(skinnerFrame(&canvas->skinner, slot, commandBuffer, bentColumns, &output), VKSKIN_SUCCESS);
    if (pulls) {
        assert_int_equal(describePage(canvas->device->handle, canvas->skinner.context, output.page, canvas->set),
                         VKSKIN_SUCCESS);
    }
    beginPicture(canvas, commandBuffer);
    recordStrip(canvas, commandBuffer, &output, pulls);
    endPicture(canvas, commandBuffer);
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
    createPipeline(*state, buffersWords, sizeof buffersWords, &inputState, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP);
    assertPictures(*state, false);
}

FIXTURE_TEST(pullingDraws) {
    createPipeline(*state, pullingWords, sizeof pullingWords, NULL, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP);
    assertPictures(*state, true);
}

/* Replaces the strip's mesh by one with tangents in that format, and makes its kernel. */
static void changeToSnorm10(Canvas *canvas) {
    static const float tangents[6][4] = {{1, 0, 0, -1}, {1, 0, 0, -1}, {1, 0, 0, -1},
                                         {1, 0, 0, -1}, {1, 0, 0, -1}, {1, 0, 0, -1}};
    VkskinMeshDef strip = meshDefOf(6, 2, 2, positions[0], joints, weights[0]);
    strip.normals = normals[0];
    strip.tangents = tangents[0];
    strip.jointFormat = VKSKIN_JOINTS_U8;
    strip.format = VKSKIN_VERTEX_SNORM10;
    VkskinPipelineDef kernels = kernelsOf(&canvas->skinner.mesh, 1);
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
    createPipeline(canvas, snorm10Words, sizeof snorm10Words, &inputState, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP);
    assertPictures(canvas, false);
}

/* ---- docs/crowds.md ---- */

typedef struct CrowdCanvas {
    Buffer indices, camera;
    VkDescriptorSetLayout cameraSets;
    VkDescriptorPool pool;
    VkDescriptorSet cameraSet;
    VkskinCrowd crowd;
    VkskinCrowdDraw draws[2];
    uint32_t drawCount;
} CrowdCanvas;

/* The page's functions, in its order. */
static void loadCrowd(Canvas *canvas, CrowdCanvas *own) {
    static const float place[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    VkskinContext context = canvas->skinner.context;
    VkskinAnimationBox boxes[2];
    VkskinMesh mesh;
    VkskinSkin skin = NULL;
    VkskinClipSet clips;
    VkskinCharacter character;
    void *block = NULL;
    size_t size = 0;
    assert_int_equal(loadMesh(context, &mesh, &skin, boxes), VKSKIN_SUCCESS);
    assert_int_equal(packTurn(boxes, &block, &size), VKSKIN_SUCCESS);
    assert_int_equal(createCrowd(context, block, size, mesh, 12, skin, boxes, &clips, &own->crowd), VKSKIN_SUCCESS);
    vkskinDestroySkin(skin);
    vkskinFreeAnimation(block, NULL);
    assert_int_equal(addStrip(context, own->crowd, place, &character), VKSKIN_SUCCESS);
    own->drawCount = 2; /* one part of the model, in two views */
    assert_int_equal(vkskinGetCrowdDraws(context, own->crowd, own->draws, &own->drawCount), VKSKIN_SUCCESS);
    assert_int_equal(own->drawCount, 2);
}

/* Set 0 are the page's two buffers, set 1 its camera. */
static void bindCrowd(Canvas *canvas, CrowdCanvas *own) {
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_VERTEX_BIT,
                                                  NULL};
    const VkDescriptorPoolSize poolSize = {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1};
    Device *device = canvas->device;
    EngineError *error = &canvas->error;
    VkskinCrowdBuffers buffers;
    vkDestroyPipelineLayout(device->handle, canvas->layout, NULL);
    canvas->layout = VK_NULL_HANDLE;
    ASSERT_ENGINE(canvas, setLayoutCreate(device, &binding, 1, &own->cameraSets, error) &&
                              descriptorPoolCreate(device, &poolSize, 1, 1, &own->pool, error) &&
                              descriptorSetAllocate(device, own->pool, own->cameraSets, &own->cameraSet, error) &&
                              bufferCreateFilled(device, camera, sizeof camera, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT,
                                                 "camera", &own->camera, error) &&
                              bufferCreateFilled(device, stripIndices, sizeof stripIndices,
                                                 VK_BUFFER_USAGE_INDEX_BUFFER_BIT, "indices", &own->indices, error) &&
                              pipelineLayoutCreate(
                                  device, (const VkDescriptorSetLayout[]){canvas->sets, own->cameraSets}, 2,
                                  (VkPushConstantRange){VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(VkskinCrowdConstants)},
                                  &canvas->layout, error));
    assert_int_equal(vkskinGetCrowdBuffers(canvas->skinner.context, own->crowd, &buffers), VKSKIN_SUCCESS);
    descriptorWriteRange(device, canvas->set, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, buffers.frame, buffers.frameOffset,
                         buffers.frameSize);
    descriptorWriteBuffer(device, canvas->set, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, own->draws[0].vertices,
                          VK_WHOLE_SIZE);
    descriptorWriteBuffer(device, own->cameraSet, 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, own->camera.handle,
                          VK_WHOLE_SIZE);
    createPipeline(canvas, crowdWords, sizeof crowdWords, NULL, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
}

static void drawCrowd(Canvas *canvas, const CrowdCanvas *own, uint32_t slot, uint32_t milliseconds) {
    const VkDescriptorSet sets[2] = {canvas->set, canvas->set};
    const float sun[3] = {0, 0, 1};
    VkskinContext context = canvas->skinner.context;
    VkCommandBuffer commandBuffer = immediateBegin(canvas->device, &canvas->error);
    ASSERT_ENGINE(canvas, commandBuffer);
    assert_int_equal(vkskinBeginFrame(context, slot), VKSKIN_SUCCESS);
    assert_int_equal(recordCrowdFrame(context, commandBuffer, own->crowd, milliseconds, camera, camera, sun),
                     VKSKIN_SUCCESS);
    beginPicture(canvas, commandBuffer);
    vkCmdBindPipeline(commandBuffer, VK_PIPELINE_BIND_POINT_GRAPHICS, canvas->pipeline);
    viewportSet(commandBuffer, SIZE, SIZE);
    vkCmdBindIndexBuffer(commandBuffer, own->indices.handle, 0, VK_INDEX_TYPE_UINT16);
    vkCmdBindDescriptorSets(commandBuffer, VK_PIPELINE_BIND_POINT_GRAPHICS, canvas->layout, 1, 1, &own->cameraSet, 0,
                            NULL);
    assert_int_equal(drawView(context, commandBuffer, own->crowd, 0, own->draws, sets, own->drawCount, canvas->layout),
                     VKSKIN_SUCCESS);
    endPicture(canvas, commandBuffer);
}

/* Flat at first; after a second the upper half is bent, and stays so. */
FIXTURE_TEST(theCrowdPageDraws) {
    Canvas *canvas = *state;
    CrowdCanvas own = {.drawCount = 0};
    loadCrowd(canvas, &own);
    bindCrowd(canvas, &own);
    drawCrowd(canvas, &own, 0, 0);
    assertColour(canvas, 32, SIZE / 4 + 2, 128, 128, 255);
    assertColour(canvas, 32, SIZE * 3 / 4 - 1, 128, 128, 255);
    drawCrowd(canvas, &own, 1, 1500);
    assertColour(canvas, 32, SIZE / 4 + 2, 128, 128, 255);
    assertColour(canvas, 32, SIZE * 5 / 8, 128, 38, 218); /* halfway: 45 degrees */
    assertColour(canvas, 32, SIZE * 3 / 4 - 1, 128, 0, 128);
    vkDestroyDescriptorPool(canvas->device->handle, own.pool, NULL);
    vkDestroyDescriptorSetLayout(canvas->device->handle, own.cameraSets, NULL);
    bufferDestroy(canvas->device, &own.camera);
    bufferDestroy(canvas->device, &own.indices);
}
