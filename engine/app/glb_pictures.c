#include "glb_pictures.h"

#include <stdio.h>
#include <stdlib.h>

#include "spine_model.h"
#include "target.h"

/* Null: out of memory. */
static uint8_t *encode(const ModelTexture *texture, size_t *size) {
    char *bytes = NULL;
    FILE *stream = open_memstream(&bytes, size);
    const bool made = stream && pngWrite(texture->width, texture->height, texture->pixels, NULL, stream);
    if (!stream || fclose(stream) != 0 || !made) {
        free(bytes);
        return NULL;
    }
    return (uint8_t *)bytes;
}

/* By a mesh, or as a page of a 2D character, which has no meshes. */
static bool isUsed(const Model *model, uint32_t texture) {
    for (uint32_t i = 0; model->spineCount > 0 && i < model->spines->pageCount; i++) {
        if (model->spines->pages[i].texture == (int32_t)texture) {
            return true;
        }
    }
    for (uint32_t i = 0; i < model->meshCount; i++) {
        const ModelMaterial *material = &model->materials[model->meshes[i].material];
        for (int map = 0; map < MODEL_MAP_COUNT; map++) {
            if (material->maps[map] == (int32_t)texture) {
                return true;
            }
        }
    }
    return false;
}

bool glbPicturesCreate(const Model *model, GlbPictures *pictures, EngineError *error) {
    *pictures = (GlbPictures){.model = model, .count = model->textureCount};
    pictures->bytes = engineAllocate(model->textureCount, sizeof *pictures->bytes, error);
    pictures->sizes = engineAllocate(model->textureCount, sizeof *pictures->sizes, error);
    bool good = pictures->bytes && pictures->sizes;
    for (uint32_t i = 0; i < model->textureCount && good; i++) {
        pictures->bytes[i] = isUsed(model, i) ? encode(&model->textures[i], &pictures->sizes[i]) : NULL;
        good = pictures->bytes[i] || !isUsed(model, i) || engineFail(error, "out of memory");
    }
    if (!good) {
        glbPicturesFree(pictures);
    }
    return good;
}

void glbPicturesFree(GlbPictures *pictures) {
    for (uint32_t i = 0; pictures->bytes && i < pictures->count; i++) {
        free(pictures->bytes[i]);
    }
    free(pictures->bytes);
    free(pictures->sizes);
    *pictures = (GlbPictures){0};
}

/* PNG adds a byte per row, and a few for each block of its compression. */
uint64_t glbPicturesSizeMax(const Model *model) {
    uint64_t size = 0;
    for (uint32_t i = 0; i < model->textureCount; i++) {
        const uint64_t plain = ((uint64_t)model->textures[i].width * 4 + 1) * model->textures[i].height;
        size += isUsed(model, i) ? plain + plain / 64 + 1024 : 0;
    }
    return size;
}
