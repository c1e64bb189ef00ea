#include "spine_skinned_model.h"

#include <stdlib.h>

#include "spine_list.h"
#include "spine_vertex_source.h"

/* ---- Pages ---- */

/* Filtering and mixing need colours times alpha. */
static uint8_t *newPremultiplied(const ModelTexture *texture, EngineError *error) {
    const size_t count = (size_t)texture->width * texture->height;
    uint8_t *pixels = engineAllocate(count, 4, error);
    for (size_t i = 0; i < count && pixels; i++) {
        const unsigned alpha = texture->pixels[4 * i + 3];
        for (size_t c = 0; c < 3; c++) {
            pixels[4 * i + c] = (uint8_t)((texture->pixels[4 * i + c] * alpha + 127u) / 255u);
        }
        pixels[4 * i + 3] = (uint8_t)alpha;
    }
    return pixels;
}

static bool createPage(Device *device, const Model *model, const SpinePage *page, Image *image, EngineError *error) {
    static const uint8_t white[4] = {255, 255, 255, 255};
    if (!page || page->texture < 0) {
        return imageCreateTexture(device, white, 1, 1, false, "no page", image, error);
    }
    const ModelTexture *texture = &model->textures[page->texture];
    uint8_t *own = page->premultiplied ? NULL : newPremultiplied(texture, error);
    const bool made =
        (own || page->premultiplied) && imageCreateTexture(device, own ? own : texture->pixels, texture->width,
                                                           texture->height, false, page->name, image, error);
    free(own);
    return made;
}

static bool createSampler(Device *device, const SpinePage *page, VkSampler *sampler, EngineError *error) {
    const bool nearest = page && page->nearest;
    const uint32_t repeats = page ? page->repeats : 0;
    static const VkSamplerAddressMode modes[] = {VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE, VK_SAMPLER_ADDRESS_MODE_REPEAT};
    return samplerCreate(device, nearest ? VK_FILTER_NEAREST : VK_FILTER_LINEAR, modes[repeats & 1u],
                         modes[repeats >> 1 & 1u], sampler, error);
}

static bool createSet(Device *device, const SpinePipelines *pipelines, SpineSkinnedModel *spine, uint32_t page,
                      EngineError *error) {
    if (!descriptorSetAllocate(device, spine->pool, pipelines->setLayouts[RASTER_SET_SPINE_PICTURE], &spine->sets[page],
                               error)) {
        return false;
    }
    descriptorWriteBuffer(device, spine->sets[page], 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, spine->vertices.handle,
                          VK_WHOLE_SIZE);
    descriptorWriteImage(device, spine->sets[page], 1, spine->samplers[page], spine->pages[page].view);
    return true;
}

static bool createPages(Device *device, const SpinePipelines *pipelines, SpineSkinnedModel *spine, EngineError *error) {
    const uint32_t count = spine->spine->pageCount + 1;
    const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, count},
                                          {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, count}};
    spine->pages = engineAllocate(count, sizeof *spine->pages, error);
    spine->samplers = spine->pages ? engineAllocate(count, sizeof *spine->samplers, error) : NULL;
    spine->sets = spine->samplers ? engineAllocate(count, sizeof *spine->sets, error) : NULL;
    bool good = spine->sets && descriptorPoolCreate(device, sizes, 2, count, &spine->pool, error);
    for (uint32_t i = 0; i < count && good; i++) {
        const SpinePage *page = i + 1 < count ? &spine->spine->pages[i] : NULL;
        good = createPage(device, spine->model, page, &spine->pages[i], error) &&
               createSampler(device, page, &spine->samplers[i], error) && createSet(device, pipelines, spine, i, error);
    }
    return good;
}

/* ---- The library's mesh ---- */

static bool createInstances(Skinning *skinning, SpineSkinnedModel *spine, EngineError *error) {
    const VkskinMeshDef def = spineMeshDef(&spine->mesh);
    spine->instances = engineAllocate(spine->count, sizeof *spine->instances, error);
    if (!spine->instances) {
        return false;
    }
    VkskinResult result = vkskinCreateMesh(skinning->context, &def, &spine->skinMesh);
    if (result < 0) {
        return skinningFail(skinning, error, "making the mesh", result);
    }
    if (!skinningMakeKernels(skinning, VKSKIN_METHOD_LINEAR_BLEND, VKSKIN_PALETTE_MAT2X3, &spine->skinMesh, error)) {
        return false;
    }
    result = vkskinCreateInstances(skinning->context, spine->skinMesh, spine->count, spine->instances);
    return result >= 0 || skinningFail(skinning, error, "making the instances", result);
}

bool spineSkinnedModelMeasure(const Model *model, uint32_t count, SpineSkinnedModel *spine, EngineError *error) {
    *spine = (SpineSkinnedModel){.model = model, .spine = model->spines, .count = count};
    return spineMeshCreate(spine->spine, &spine->mesh, error) &&
           spineListIndexMax(&spine->mesh, &spine->listIndices, error);
}

bool spineSkinnedModelCreate(Device *device, Skinning *skinning, bool inPasses, const SpinePipelines *pipelines,
                             SpineSkinnedModel *spine, EngineError *error) {
    return (inPasses ? spineSourceCheck(&spine->mesh, error) : createInstances(skinning, spine, error)) &&
           bufferCreateFilled(device, spine->mesh.vertices, spine->mesh.vertexCount * sizeof(SpineVertex),
                              VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, "2D model vertices", &spine->vertices, error) &&
           createPages(device, pipelines, spine, error);
}

static uint32_t packed(const float colour[4]) {
    uint32_t word = 0;
    for (int c = 0; c < 4; c++) {
        word |= (uint32_t)(colour[c] * 255.0f + 0.5f) << (8 * c);
    }
    return word;
}

/* The colours of all vertices, in the mesh. */
static bool paintVertices(const Paint *paint, const Model *model, SpineMesh *mesh, EngineError *error) {
    const PaintMesh painted = {.vertexCount = mesh->vertexCount,
                               .influences = mesh->influences,
                               .joints = mesh->joints,
                               .weights = mesh->weights,
                               .bone = paint->bone ? paintFindBone(model, paint->bone) : PAINT_NO_BONE};
    float(*colours)[4] = engineAllocate(mesh->vertexCount, sizeof *colours, error);
    for (uint32_t v = 0; colours && v < mesh->vertexCount; v++) {
        colours[v][3] = 1.0f;
    }
    const bool good = colours && (!paint->type || paint->type->fill(&painted, colours, error));
    for (uint32_t v = 0; good && v < mesh->vertexCount; v++) {
        mesh->vertices[v].paint = paint->type ? packed(colours[v]) : 0;
    }
    free(colours);
    return good;
}

bool spineSkinnedModelPaint(Device *device, const Paint *paint, SpineSkinnedModel *spine, EngineError *error) {
    Buffer made = {0};
    if (!paintVertices(paint, spine->model, &spine->mesh, error) ||
        !bufferCreateFilled(device, spine->mesh.vertices, spine->mesh.vertexCount * sizeof(SpineVertex),
                            VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, "2D model vertices", &made, error)) {
        return false;
    }
    bufferDestroy(device, &spine->vertices);
    spine->vertices = made;
    for (uint32_t page = 0; page <= spine->spine->pageCount; page++) {
        descriptorWriteBuffer(device, spine->sets[page], 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, made.handle,
                              VK_WHOLE_SIZE);
    }
    return true;
}

static void destroySkinned(Skinning *skinning, SpineSkinnedModel *spine) {
    for (uint32_t i = 0; i < spine->count && spine->instances && !VKSKIN_IS_NULL(spine->instances[i]); i++) {
        (void)vkskinDestroyInstance(skinning->context, spine->instances[i]);
    }
    if (!VKSKIN_IS_NULL(spine->skinMesh)) {
        (void)vkskinDestroyMesh(skinning->context, spine->skinMesh);
    }
}

void spineSkinnedModelDestroy(Skinning *skinning, SpineSkinnedModel *spine) {
    Device *device = skinning->device;
    destroySkinned(skinning, spine);
    for (uint32_t i = 0; spine->sets && i <= spine->spine->pageCount; i++) {
        imageDestroy(device, &spine->pages[i]);
        vkDestroySampler(device->handle, spine->samplers[i], NULL);
    }
    vkDestroyDescriptorPool(device->handle, spine->pool, NULL);
    bufferDestroy(device, &spine->vertices);
    spineMeshFree(&spine->mesh);
    free(spine->pages);
    free(spine->samplers);
    free(spine->sets);
    free(spine->instances);
    *spine = (SpineSkinnedModel){0};
}
