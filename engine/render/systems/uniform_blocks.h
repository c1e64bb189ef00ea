/*
 * uniform_blocks.h: palettes in uniform blocks: one for each piece of each part of each character that is shown. A draw
 * binds its block by a dynamic offset.
 */
#ifndef ENGINE_UNIFORM_BLOCKS_H
#define ENGINE_UNIFORM_BLOCKS_H

#include "system.h"

typedef struct UniformBlocks UniformBlocks;

/* How the palette of a piece becomes a block. */
typedef struct UniformBlocksDef {
    uint32_t blockBytes; /* bytes of the block that the shader declares */
    /* Bytes of a block that are written for a piece of `bones` bones. */
    uint32_t (*pieceBytes)(uint32_t bones);
    /*
     * Writes a block. palette: entries of VKSKIN_PALETTE_MAT3X4, [bones of the part]; block: write-only. Returns the number
     * of the first bone of the mesh that a block cannot represent, plus 1; else 0.
     */
    uint32_t (*write)(const float (*palette)[12], const SystemPiece *piece, void *block);
    const char *refusal; /* what such a bone does */
} UniformBlocksDef;

struct UniformBlocks {
    System base;
    const UniformBlocksDef *def;
    uint32_t mostBones;    /* maximum bones of a character */
    uint32_t **partBlocks; /* [modelCount][partCount]: bytes from a character's first block to the part's */
    uint32_t *kindBytes;   /* [modelCount]: bytes of a character's blocks */
    Buffer buffers[FRAMES_IN_FLIGHT];
    VkDescriptorPool pool;
    VkDescriptorSet sets[FRAMES_IN_FLIGHT];
    float (*palettes)[12];     /* [characterCount][mostBones] */
    uint32_t *characterBlocks; /* [characterCount], of the frame: bytes from the buffer's start */
    uint32_t *posed;           /* [characterCount], of the frame: characters in the order of their palettes */
    uint32_t *refused;         /* likewise: what `write` returned */
    uint32_t posedCount, usedBytes;
};

/* The functions of a SystemType whose struct is UniformBlocks; `create` calls the first one. def: static. Page: bytes
 * from the buffer's start. */
bool uniformBlocksCreate(System *system, const UniformBlocksDef *def, EngineError *error);
void uniformBlocksDestroy(System *system);
void uniformBlocksBegin(System *system);
bool uniformBlocksPlace(System *system, uint32_t kind, const uint32_t *characters, uint32_t count,
                        VkskinPaletteEncoding encoding, void **data, EngineError *error);
bool uniformBlocksFinish(System *system, EngineError *error);
bool uniformBlocksSources(System *system, SystemPart *parts, uint32_t count, EngineError *error);
void uniformBlocksBind(const System *system, VkCommandBuffer commandBuffer, VkPipelineLayout layout, uint32_t page,
                       const SystemPiece *piece);

/* The fields of a SystemType that all of them share. */
#define UNIFORM_BLOCKS_TYPE                                                                                            \
    .keepsScale = true, .modes = 1u << SKIN_MODE_LBS, .bindingCount = 1,                                               \
    .bindings = {{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 1, VK_SHADER_STAGE_VERTEX_BIT, NULL}},                 \
    .destroy = uniformBlocksDestroy, .begin = uniformBlocksBegin, .place = uniformBlocksPlace,                         \
    .finish = uniformBlocksFinish, .sources = uniformBlocksSources, .bind = uniformBlocksBind

#endif
