/*
 * texture_qt.c: a bone is a rotation and a translation with a uniform scale, in images that the vertex shader of every
 * pass fetches from. Two images with a texel per bone each, or one with two texels side by side.
 */
#include "palette_images.h"

/* The images of a choice. */
static PaletteImagesDef describe(const SkinChoice *skin) {
    static const PalettePlane whole = {VK_FORMAT_R32G32B32A32_SFLOAT, "R32G32B32A32_SFLOAT", 16};
    static const PalettePlane half = {VK_FORMAT_R16G16B16A16_SFLOAT, "R16G16B16A16_SFLOAT", 8};
    static const PalettePlane snorm16 = {VK_FORMAT_R16G16B16A16_SNORM, "R16G16B16A16_SNORM", 8};
    const PalettePlane translations = skin->textureFormat == SKIN_TEXTURE_HALF ? half : whole;
    const PalettePlane rotations = skin->textureFormat == SKIN_TEXTURE_SNORM16 ? snorm16 : translations;
    if (skin->textureLayout == SKIN_TEXTURE_PAIR) {
        return (PaletteImagesDef){.planeCount = 1, .planes = {rotations}, .rowsPerCharacter = 1, .columnsPerBone = 2};
    }
    return (PaletteImagesDef){.planeCount = 2,
                              .planes = {rotations, translations},
                              .rowsPerCharacter = 1,
                              .columnsPerBone = 1,
                              .cellCount = 2,
                              .cells = {{0, 0}, {1, 0}}};
}

static bool check(const SystemNeed *need, EngineError *error) {
    const PaletteImagesDef def = describe(need->skin);
    if (need->skin->textureLayout == SKIN_TEXTURE_PAIR && need->skin->textureFormat == SKIN_TEXTURE_SNORM16) {
        return systemFail(need->skin, error,
                          "format 'snorm16' is for rotations only, so it needs two images: layout 'two'");
    }
    return paletteImagesCheck(need, &def, error);
}

static bool create(System *system, EngineError *error) {
    const PaletteImagesDef def = describe(&system->skin);
    return paletteImagesCreate(system, &def, error);
}

const SystemType TEXTURE_QT_TYPE = {
    .size = sizeof(PaletteImages),
    .shader = "system_texture_qt.vert",
    .joints = VK_FORMAT_R16G16B16A16_UINT,
    .bindings = {{0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_VERTEX_BIT, NULL},
                 {1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_VERTEX_BIT, NULL}},
    .bindingCount = 2,
    .modes = 1u << SKIN_MODE_QT | 1u << SKIN_MODE_QT_HALF | 1u << SKIN_MODE_QT_SNORM16,
    .check = check,
    .create = create,
    PALETTE_IMAGES_FUNCTIONS,
};
