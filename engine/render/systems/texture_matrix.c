/*
 * texture_matrix.c: a bone is a column of three texels, the rows of its matrix, in an image that the vertex shader of
 * every pass fetches from. Meshes are cut by influence count, with a pipeline for each; the last weight is 1 - sum.
 */
#include "palette_images.h"

static const PaletteImagesDef images = {.planeCount = 1,
                                        .planes = {{VK_FORMAT_R32G32B32A32_SFLOAT, "R32G32B32A32_SFLOAT", 16}},
                                        .rowsPerCharacter = 3,
                                        .columnsPerBone = 1,
                                        .cellCount = 3,
                                        .cells = {{0, 0}, {0, 1}, {0, 2}}};

static bool check(const SystemNeed *need, EngineError *error) {
    return paletteImagesCheck(need, &images, error);
}

static bool create(System *system, EngineError *error) {
    return paletteImagesCreate(system, &images, error);
}

const SystemType TEXTURE_MATRIX_TYPE = {
    .size = sizeof(PaletteImages),
    .shader = "system_texture_matrix.vert",
    .joints = VK_FORMAT_R16G16B16A16_UINT,
    .byInfluences = true,
    .keepsScale = true,
    .bindings = {{0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_VERTEX_BIT, NULL}},
    .bindingCount = 1,
    .modes = 1u << SKIN_MODE_LBS,
    .check = check,
    .create = create,
    PALETTE_IMAGES_FUNCTIONS,
};
