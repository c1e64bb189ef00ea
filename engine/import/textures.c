#include "named_files.h"

#include "child.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_NO_STDIO
#define STBI_NO_HDR
#define STBI_NO_LINEAR
/* stb_image declares a function that it never defines, and leaves members unset that it never reads. The compiler
 * reports both at the end of the file, so the warnings stay off. */
#pragma GCC diagnostic ignored "-Wunused-function"
#ifndef __clang__ /* clang does not know this warning */
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <stb/stb_image.h>

#define FILE_MAX ((size_t)256 << 20)

static size_t bytesOf(uint32_t width, uint32_t height) {
    return (size_t)width * height * 4;
}

/* Whether a texture of that size may be added. */
static bool hasRoom(const Model *model, uint32_t width, uint32_t height) {
    if (width > MODEL_TEXTURE_SIDE || height > MODEL_TEXTURE_SIDE) {
        return false;
    }
    size_t bytes = bytesOf(width, height);
    for (uint32_t i = 0; i < model->textureCount; i++) {
        bytes += bytesOf(model->textures[i].width, model->textures[i].height);
    }
    return bytes <= MODEL_TEXTURE_BYTES;
}

/* Takes ownership of the pixels. */
static int32_t append(Model *model, uint32_t width, uint32_t height, uint8_t *pixels) {
    model->textures[model->textureCount] = (ModelTexture){width, height, pixels};
    return (int32_t)model->textureCount++;
}

static int32_t missing(Model *model) {
    model->repairs.texturesMissing++;
    return -1;
}

static int32_t tooLarge(Model *model) {
    model->repairs.texturesTooLarge++;
    return -1;
}

int32_t textureDecode(Model *model, const uint8_t *bytes, size_t size) {
    int width = 0, height = 0, channels = 0;
    if (!bytes || size > INT_MAX || !stbi_info_from_memory(bytes, (int)size, &width, &height, &channels)) {
        return missing(model);
    }
    if (!hasRoom(model, (uint32_t)width, (uint32_t)height)) {
        return tooLarge(model);
    }
    uint8_t *pixels = stbi_load_from_memory(bytes, (int)size, &width, &height, &channels, 4);
    if (!pixels) {
        if (strcmp(stbi_failure_reason(), "outofmem") == 0) {
            childOutOfMemory();
        }
        return missing(model);
    }
    if (!hasRoom(model, (uint32_t)width, (uint32_t)height)) {
        free(pixels); /* its header and its body disagree */
        return tooLarge(model);
    }
    return append(model, (uint32_t)width, (uint32_t)height, pixels);
}

int32_t textureAdd(Model *model, uint32_t width, uint32_t height) {
    if (width == 0 || height == 0) {
        return missing(model);
    }
    if (!hasRoom(model, width, height)) {
        return tooLarge(model);
    }
    return append(model, width, height, childAllocate(bytesOf(width, height), 1));
}

static bool readBelow(const char *folder, const char *name, FileBytes *file) {
    if (!pathStaysBelow(name)) {
        return false;
    }
    size_t length = strlen(folder) + strlen(name) + 1;
    char *path = childAllocate(length, 1);
    snprintf(path, length, "%s%s", folder, name);
    bool good = pathLeadsBelow(path, folder) && fileRead(path, FILE_MAX, file);
    free(path);
    return good;
}

int32_t textureLoad(Model *model, const char *folder, const char *name) {
    char *plain = childCopyText(name);
    for (char *c = strchr(plain, '\\'); c; c = strchr(c, '\\')) {
        *c = '/'; /* files made on Windows */
    }
    const char *relative = strncmp(plain, "./", 2) == 0 ? plain + 2 : plain;
    const char *slash = strrchr(plain, '/');
    FileBytes file = {0};
    bool found = readBelow(folder, relative, &file) || (slash && readBelow(folder, slash + 1, &file));
    int32_t texture = found ? textureDecode(model, file.bytes, file.size) : missing(model);
    free(file.bytes);
    free(plain);
    return texture;
}
