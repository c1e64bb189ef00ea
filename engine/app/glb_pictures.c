#include "glb_pictures.h"

#include <stdlib.h>
#include <string.h>

#include "outputs.h"
#include "spine_model.h"

typedef struct Bytes {
    uint8_t *data;
    size_t size;
    bool good;
} Bytes;

static void collect(void *user, const void *bytes, size_t size) {
    Bytes *all = user;
    uint8_t *larger = all->good ? realloc(all->data, all->size + size) : NULL;
    all->good = larger != NULL;
    if (larger) {
        memcpy(larger + all->size, bytes, size);
        all->data = larger;
        all->size += size;
    }
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
    pictures->bytes = calloc((size_t)model->textureCount + 1, sizeof *pictures->bytes);
    pictures->sizes = calloc((size_t)model->textureCount + 1, sizeof *pictures->sizes);
    bool good = pictures->bytes && pictures->sizes;
    for (uint32_t i = 0; i < model->textureCount && good; i++) {
        const ModelTexture *texture = &model->textures[i];
        Bytes bytes = {.good = true};
        good = !isUsed(model, i) ||
               (pngEncode(texture->width, texture->height, texture->pixels, NULL, collect, &bytes) && bytes.good);
        pictures->bytes[i] = bytes.data;
        pictures->sizes[i] = bytes.size;
    }
    if (!good) {
        glbPicturesFree(pictures);
        return engineFail(error, "out of memory");
    }
    return true;
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
