/*
 * palette_images.h: palettes in images, for vertex shaders that fetch texels. Each character is in rows of its own; characters
 * that do not fit one image are in further ones. Each frame slot has its own images, so that a frame's copy does not wait
 * for the frame before.
 */
#ifndef ENGINE_PALETTE_IMAGES_H
#define ENGINE_PALETTE_IMAGES_H

#include "system.h"

#define PALETTE_PLANES_MAX 2
#define PALETTE_CELLS_MAX  3

/* Images of one format, all of one size. */
typedef struct PalettePlane {
    VkFormat format;
    const char *name; /* name of the format, for messages */
    uint32_t texelBytes;
} PalettePlane;

/* A part of a palette entry, one texel. */
typedef struct PaletteCell {
    uint32_t plane;
    uint32_t row; /* below rowsPerCharacter */
} PaletteCell;

/* How entries lie in the images: cells in the order of their bytes. */
typedef struct PaletteImagesDef {
    uint32_t planeCount;
    PalettePlane planes[PALETTE_PLANES_MAX];
    uint32_t rowsPerCharacter;
    uint32_t columnsPerBone; /* above 1: plane 0 holds whole entries side by side, and there are no cells */
    uint32_t cellCount;
    PaletteCell cells[PALETTE_CELLS_MAX];
} PaletteImagesDef;

typedef struct PaletteImage {
    Image planes[PALETTE_PLANES_MAX];
    VkDescriptorSet set;
} PaletteImage;

typedef struct PaletteImages {
    System base;
    PaletteImagesDef def;
    uint32_t width; /* texels */
    uint32_t charactersPerImage;
    uint32_t imageCount;  /* images per frame slot */
    PaletteImage *images; /* [FRAMES_IN_FLIGHT][imageCount] */
    Buffer staging[FRAMES_IN_FLIGHT];
    VkDeviceSize planeOffsets[PALETTE_PLANES_MAX]; /* in `staging` */
    VkSampler sampler;
    VkDescriptorPool pool;
    /* The fields below are for the current frame. */
    uint32_t *characterRows; /* [characterCount]: the place of a character among those that are posed */
    uint32_t *rowBones;      /* [characterCount]: bones by place */
    uint32_t rowCount;
    uint8_t *entries; /* null, or [characterCount][most bones] entries, before they are cut into cells */
    uint32_t mostBones, entryBytes;
} PaletteImages;

/* Formats, image sizes and bindings. */
bool paletteImagesCheck(const SystemNeed *need, const PaletteImagesDef *def, EngineError *error);

/* The functions of a SystemType whose struct is PaletteImages; `create` calls the first one. Sources: `first` is the first
 * row, `attributes` the first column. */
bool paletteImagesCreate(System *system, const PaletteImagesDef *def, EngineError *error);
void paletteImagesDestroy(System *system);
void paletteImagesBegin(System *system);
bool paletteImagesPlace(System *system, uint32_t kind, const uint32_t *characters, uint32_t count,
                        VkskinPaletteEncoding encoding, void **data, EngineError *error);
bool paletteImagesFinish(System *system, EngineError *error);
bool paletteImagesUpload(System *system, VkCommandBuffer commandBuffer, EngineError *error);
bool paletteImagesSources(System *system, SystemPart *parts, uint32_t count, EngineError *error);
void paletteImagesBind(const System *system, VkCommandBuffer commandBuffer, VkPipelineLayout layout, uint32_t page,
                       const SystemPiece *piece);

/* The functions of a SystemType that all of them share. */
#define PALETTE_IMAGES_FUNCTIONS                                                                                       \
    .destroy = paletteImagesDestroy, .begin = paletteImagesBegin, .place = paletteImagesPlace,                         \
    .finish = paletteImagesFinish, .upload = paletteImagesUpload, .sources = paletteImagesSources,                     \
    .bind = paletteImagesBind

#endif
