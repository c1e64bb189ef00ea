#include "uniform_blocks.h"

#include <stdlib.h>

/* ---- Creation ---- */

static uint64_t aligned(const UniformBlocks *blocks, uint64_t bytes) {
    const uint64_t alignment = blocks->base.device->limits.minUniformBufferOffsetAlignment;
    return (bytes + alignment - 1) / alignment * alignment;
}

/* Places the blocks of a kind one after the other; pieces count from the first block of their part. */
static bool planKind(UniformBlocks *blocks, uint32_t kind, uint64_t *bytes, EngineError *error) {
    const SkinnedModel *skinned = blocks->base.population->models[kind];
    uint32_t *parts = blocks->partBlocks[kind] = engineAllocate(skinned->partCount, sizeof(*parts), error);
    *bytes = 0;
    for (uint32_t part = 0; parts && part < skinned->partCount; part++) {
        SourceMesh *mesh = &blocks->base.sourceMeshes[kind][skinned->parts[part].modelMesh];
        uint64_t inPart = 0;
        parts[part] = (uint32_t)*bytes;
        for (uint32_t i = 0; i < mesh->pieceCount; i++) {
            mesh->pieces[i].block = (uint32_t)inPart;
            inPart += aligned(blocks, blocks->def->pieceBytes(mesh->pieces[i].boneCount));
        }
        *bytes += inPart;
    }
    return parts;
}

static bool planBlocks(UniformBlocks *blocks, VkDeviceSize *size, EngineError *error) {
    const Population *population = blocks->base.population;
    *size = blocks->def->blockBytes; /* the range of the last block */
    for (uint32_t kind = 0; kind < population->modelCount; kind++) {
        uint64_t bytes;
        if (!planKind(blocks, kind, &bytes, error)) {
            return false;
        }
        *size += bytes * (population->kindStarts[kind + 1] - population->kindStarts[kind]);
        blocks->kindBytes[kind] = (uint32_t)bytes;
        const uint32_t bones = population->models[kind]->bonesPerInstance;
        blocks->mostBones = bones > blocks->mostBones ? bones : blocks->mostBones;
    }
    return *size <= UINT32_MAX ||
           systemFail(&blocks->base.skin, error,
                      "the uniform blocks of %u characters take %llu MiB; dynamic offsets reach 4096",
                      population->characterCount, (unsigned long long)(*size >> 20));
}

static bool createBuffers(UniformBlocks *blocks, VkDeviceSize size, EngineError *error) {
    Device *device = blocks->base.device;
    const VkDescriptorPoolSize sets = {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, FRAMES_IN_FLIGHT};
    bool made = descriptorPoolCreate(device, &sets, 1, FRAMES_IN_FLIGHT, &blocks->pool, error);
    for (uint32_t slot = 0; slot < FRAMES_IN_FLIGHT && made; slot++) {
        made = bufferCreate(device, size, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, BUFFER_UPLOAD, "palette blocks",
                            &blocks->buffers[slot], error) &&
               descriptorSetAllocate(device, blocks->pool, blocks->base.layout, &blocks->sets[slot], error);
        if (made) {
            descriptorWriteBuffer(device, blocks->sets[slot], 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC,
                                  blocks->buffers[slot].handle, blocks->def->blockBytes);
        }
    }
    return made;
}

bool uniformBlocksCreate(System *system, const UniformBlocksDef *def, EngineError *error) {
    UniformBlocks *blocks = (UniformBlocks *)system;
    const size_t characters = system->population->characterCount;
    VkDeviceSize size;
    blocks->def = def;
    blocks->partBlocks = engineAllocate(system->population->modelCount, sizeof(*blocks->partBlocks), error);
    blocks->kindBytes = engineAllocate(system->population->modelCount, sizeof(*blocks->kindBytes), error);
    if (!blocks->partBlocks || !blocks->kindBytes || !planBlocks(blocks, &size, error)) {
        return false;
    }
    blocks->palettes = engineAllocate(characters * blocks->mostBones, sizeof(*blocks->palettes), error);
    blocks->characterBlocks = engineAllocate(characters, sizeof(*blocks->characterBlocks), error);
    blocks->posed = engineAllocate(characters, sizeof(*blocks->posed), error);
    blocks->refused = engineAllocate(characters, sizeof(*blocks->refused), error);
    return blocks->palettes && blocks->characterBlocks && blocks->posed && blocks->refused &&
           createBuffers(blocks, size, error);
}

void uniformBlocksDestroy(System *system) {
    UniformBlocks *blocks = (UniformBlocks *)system;
    for (uint32_t slot = 0; slot < FRAMES_IN_FLIGHT; slot++) {
        bufferDestroy(system->device, &blocks->buffers[slot]);
    }
    vkDestroyDescriptorPool(system->device->handle, blocks->pool, NULL);
    for (uint32_t kind = 0; blocks->partBlocks && kind < system->population->modelCount; kind++) {
        free(blocks->partBlocks[kind]);
    }
    free(blocks->partBlocks);
    free(blocks->kindBytes);
    free(blocks->palettes);
    free(blocks->characterBlocks);
    free(blocks->posed);
    free(blocks->refused);
}

/* ---- A frame ---- */

void uniformBlocksBegin(System *system) {
    UniformBlocks *blocks = (UniformBlocks *)system;
    blocks->posedCount = blocks->usedBytes = 0;
}

bool uniformBlocksPlace(System *system, uint32_t kind, const uint32_t *characters, uint32_t count,
                        VkskinPaletteEncoding encoding, void **data, EngineError *error) {
    UniformBlocks *blocks = (UniformBlocks *)system;
    const SkinnedModel *skinned = system->population->models[kind];
    (void)encoding; /* VKSKIN_PALETTE_MAT3X4, the only one of these systems */
    (void)error;
    for (uint32_t i = 0; i < count; i++) {
        float(*palette)[12] = blocks->palettes + (size_t)blocks->posedCount * blocks->mostBones;
        blocks->posed[blocks->posedCount++] = characters[i];
        blocks->characterBlocks[characters[i]] = blocks->usedBytes;
        blocks->usedBytes += blocks->kindBytes[kind];
        for (uint32_t p = 0; p < skinned->paletteCount; p++) {
            data[(size_t)i * skinned->paletteCount + p] = palette;
            palette += skinned->palettes[p].boneCount;
        }
    }
    return true;
}

static void writeCharacter(void *taskData, uint32_t place) {
    const UniformBlocks *blocks = taskData;
    const uint32_t character = blocks->posed[place], kind = blocks->base.population->characters[character].model;
    const SkinnedModel *skinned = blocks->base.population->models[kind];
    uint8_t *start =
        (uint8_t *)blocks->buffers[blocks->base.population->frameSlot].mapped + blocks->characterBlocks[character];
    blocks->refused[place] = 0;
    for (uint32_t part = 0; part < skinned->partCount; part++) {
        const SystemMesh *mesh = &blocks->base.meshes[kind][skinned->parts[part].modelMesh];
        const float(*palette)[12] = (const float(*)[12])blocks->palettes + (size_t)place * blocks->mostBones +
                                    systemBonesBefore(skinned, skinned->parts[part].palette);
        for (uint32_t i = 0; i < mesh->pieceCount && blocks->refused[place] == 0; i++) {
            const SystemPiece *piece = &mesh->pieces[i];
            blocks->refused[place] =
                blocks->def->write(palette, piece, start + blocks->partBlocks[kind][part] + piece->block);
        }
    }
}

bool uniformBlocksFinish(System *system, EngineError *error) {
    UniformBlocks *blocks = (UniformBlocks *)system;
    parallelRun(&system->population->skinning->pool, blocks->posedCount, writeCharacter, blocks);
    for (uint32_t i = 0; i < blocks->posedCount; i++) {
        if (blocks->refused[i] > 0) {
            return systemFail(&system->skin, error, "bone %u of a character %s", blocks->refused[i] - 1,
                              blocks->def->refusal);
        }
    }
    system->stats.uploadBytes = blocks->usedBytes;
    return true;
}

bool uniformBlocksSources(System *system, SystemPart *parts, uint32_t count, EngineError *error) {
    const UniformBlocks *blocks = (const UniformBlocks *)system;
    (void)error;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t kind = system->population->characters[parts[i].character].model;
        parts[i].source = (SystemSource){.page = blocks->characterBlocks[parts[i].character] +
                                                 blocks->partBlocks[kind][parts[i].part]};
    }
    return true;
}

void uniformBlocksBind(const System *system, VkCommandBuffer commandBuffer, VkPipelineLayout layout, uint32_t page,
                       const SystemPiece *piece) {
    const UniformBlocks *blocks = (const UniformBlocks *)system;
    const uint32_t offset = page + piece->block;
    vkCmdBindDescriptorSets(commandBuffer, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, RASTER_SET_PAGE, 1,
                            &blocks->sets[system->population->frameSlot], 1, &offset);
}
