#include "figure_model.h"

#include <stdlib.h>

#include "figure_list.h"
#include "figure_source.h"

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

static bool createPage(Device *device, const Model *model, const FigurePage *page, Image *image, EngineError *error) {
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

static bool createSampler(Device *device, const FigurePage *page, VkSampler *sampler, EngineError *error) {
    const bool nearest = page && page->nearest;
    const uint32_t repeats = page ? page->repeats : 0;
    static const VkSamplerAddressMode modes[] = {VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE, VK_SAMPLER_ADDRESS_MODE_REPEAT};
    const VkSamplerCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
        .magFilter = nearest ? VK_FILTER_NEAREST : VK_FILTER_LINEAR,
        .minFilter = nearest ? VK_FILTER_NEAREST : VK_FILTER_LINEAR,
        .mipmapMode = nearest ? VK_SAMPLER_MIPMAP_MODE_NEAREST : VK_SAMPLER_MIPMAP_MODE_LINEAR,
        .addressModeU = modes[repeats & 1u],
        .addressModeV = modes[repeats >> 1 & 1u],
        .maxLod = nearest ? 0.0f : VK_LOD_CLAMP_NONE,
    };
    return engineVulkan(error, "vkCreateSampler", vkCreateSampler(device->handle, &info, NULL, sampler));
}

static bool createSet(Device *device, const FigurePipelines *pipelines, FigureModel *figure, uint32_t page,
                      EngineError *error) {
    if (!descriptorSetAllocate(device, figure->pool, pipelines->setLayouts[RASTER_SET_FIGURE_PICTURE],
                               &figure->sets[page], error)) {
        return false;
    }
    descriptorWriteBuffer(device, figure->sets[page], 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, figure->vertices.handle,
                          VK_WHOLE_SIZE);
    descriptorWriteImage(device, figure->sets[page], 1, figure->samplers[page], figure->pages[page].view);
    return true;
}

static bool createPages(Device *device, const FigurePipelines *pipelines, FigureModel *figure, EngineError *error) {
    const uint32_t count = figure->figure->pageCount + 1;
    const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, count},
                                          {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, count}};
    figure->pages = engineAllocate(count, sizeof *figure->pages, error);
    figure->samplers = figure->pages ? engineAllocate(count, sizeof *figure->samplers, error) : NULL;
    figure->sets = figure->samplers ? engineAllocate(count, sizeof *figure->sets, error) : NULL;
    bool good = figure->sets && descriptorPoolCreate(device, sizes, 2, count, &figure->pool, error);
    for (uint32_t i = 0; i < count && good; i++) {
        const FigurePage *page = i + 1 < count ? &figure->figure->pages[i] : NULL;
        good = createPage(device, figure->model, page, &figure->pages[i], error) &&
               createSampler(device, page, &figure->samplers[i], error) &&
               createSet(device, pipelines, figure, i, error);
    }
    return good;
}

/* ---- The library's mesh ---- */

static bool createInstances(Skinning *skinning, FigureModel *figure, EngineError *error) {
    const VkskinMeshDef def = figureMeshDef(&figure->mesh);
    figure->instances = engineAllocate(figure->count, sizeof *figure->instances, error);
    if (!figure->instances) {
        return false;
    }
    VkskinResult result = vkskinCreateMesh(skinning->context, &def, &figure->skinMesh);
    if (result < 0) {
        return skinningFail(skinning, error, "making the mesh", result);
    }
    if (!skinningMakeKernels(skinning, VKSKIN_METHOD_LINEAR_BLEND, VKSKIN_PALETTE_MAT2X3, &figure->skinMesh, error)) {
        return false;
    }
    result = vkskinCreateInstances(skinning->context, figure->skinMesh, figure->count, figure->instances);
    return result >= 0 || skinningFail(skinning, error, "making the instances", result);
}

bool figureModelMeasure(const Model *model, uint32_t count, FigureModel *figure, EngineError *error) {
    *figure = (FigureModel){.model = model, .figure = model->figures, .count = count};
    return figureMeshCreate(figure->figure, &figure->mesh, error) &&
           figureListIndexMax(&figure->mesh, &figure->listIndices, error);
}

bool figureModelCreate(Device *device, Skinning *skinning, bool inPasses, const FigurePipelines *pipelines,
                       FigureModel *figure, EngineError *error) {
    return (inPasses ? figureSourceCheck(&figure->mesh, error) : createInstances(skinning, figure, error)) &&
           bufferCreateFilled(device, figure->mesh.vertices, figure->mesh.vertexCount * sizeof(FigureVertex),
                              VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, "figure vertices", &figure->vertices, error) &&
           createPages(device, pipelines, figure, error);
}

static void destroySkinned(Skinning *skinning, FigureModel *figure) {
    for (uint32_t i = 0; i < figure->count && figure->instances && !VKSKIN_IS_NULL(figure->instances[i]); i++) {
        (void)vkskinDestroyInstance(skinning->context, figure->instances[i]);
    }
    if (!VKSKIN_IS_NULL(figure->skinMesh)) {
        (void)vkskinDestroyMesh(skinning->context, figure->skinMesh);
    }
}

void figureModelDestroy(Skinning *skinning, FigureModel *figure) {
    Device *device = skinning->device;
    destroySkinned(skinning, figure);
    for (uint32_t i = 0; figure->sets && i <= figure->figure->pageCount; i++) {
        imageDestroy(device, &figure->pages[i]);
        vkDestroySampler(device->handle, figure->samplers[i], NULL);
    }
    vkDestroyDescriptorPool(device->handle, figure->pool, NULL);
    bufferDestroy(device, &figure->vertices);
    figureMeshFree(&figure->mesh);
    free(figure->pages);
    free(figure->samplers);
    free(figure->sets);
    free(figure->instances);
    *figure = (FigureModel){0};
}
