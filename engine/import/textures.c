#include "named_files.h"

#include "child.h"
#include "count_of.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
static int32_t append(Model *model, const char *name, uint32_t width, uint32_t height, uint8_t *pixels) {
    model->textures[model->textureCount] = (ModelTexture){
        .name = childCopyText(name), .path = childCopyText(NULL), .width = width, .height = height, .pixels = pixels};
    return (int32_t)model->textureCount++;
}

static int32_t drop(Model *model, uint32_t *count, const char *name, const char *reason) {
    ++*count;
    childWarn(model, "texture '%.100s' is left out: %s", name, reason);
    return -1;
}

int32_t textureMissing(Model *model, const char *name, const char *reason) {
    return drop(model, &model->repairs.texturesMissing, name, reason);
}

static int32_t tooLarge(Model *model, const char *name) {
    return drop(model, &model->repairs.texturesTooLarge, name, "it is too large");
}

/* Formats that are not read, by the bytes that their files begin with. */
static const struct {
    const char *name;
    size_t at;
    const char *bytes;
} OTHERS[] = {
    {"webp", 8, "WEBP"}, {"KTX", 1, "KTX "},   {"DDS", 0, "DDS "},      {"AVIF", 4, "ftypavif"},
    {"TIFF", 0, "II*"},  {"TIFF", 0, "MM\0*"}, {"OpenEXR", 0, "v/1\1"}, {"HDR", 0, "#?RADIANCE"},
};

/* Why stb_image does not know the picture. */
static const char *whyUnknown(char text[64], const uint8_t *bytes, size_t size) {
    for (size_t i = 0; i < COUNT_OF(OTHERS); i++) {
        size_t length = strlen(OTHERS[i].bytes);
        if (OTHERS[i].at + length <= size && memcmp(bytes + OTHERS[i].at, OTHERS[i].bytes, length) == 0) {
            snprintf(text, 64, "%s pictures are not read", OTHERS[i].name);
            return text;
        }
    }
    return "it is no picture of a known format";
}

/* Whether the bytes may stand in a packed file for their pixels: PNG and JPEG. */
static bool isKept(const uint8_t *bytes, size_t size) {
    return size > 8 && (memcmp(bytes, "\x89PNG", 4) == 0 || memcmp(bytes, "\xff\xd8\xff", 3) == 0);
}

int32_t textureDecode(Model *model, const char *name, const uint8_t *bytes, size_t size) {
    int width = 0, height = 0, channels = 0;
    char reason[64];
    if (size > INT_MAX) {
        return tooLarge(model, name);
    }
    if (!stbi_info_from_memory(bytes, (int)size, &width, &height, &channels)) {
        return textureMissing(model, name, whyUnknown(reason, bytes, size));
    }
    if (!hasRoom(model, (uint32_t)width, (uint32_t)height)) {
        return tooLarge(model, name);
    }
    uint8_t *pixels = stbi_load_from_memory(bytes, (int)size, &width, &height, &channels, 4);
    if (!pixels) {
        if (strcmp(stbi_failure_reason(), "outofmem") == 0) {
            childOutOfMemory();
        }
        return textureMissing(model, name, "the picture is damaged");
    }
    if (!hasRoom(model, (uint32_t)width, (uint32_t)height)) {
        free(pixels); /* the sizes in the header and in the body differ */
        return tooLarge(model, name);
    }
    const int32_t texture = append(model, name, (uint32_t)width, (uint32_t)height, pixels);
    if (isKept(bytes, size)) {
        model->textures[texture].source = childAllocate(size, 1);
        model->textures[texture].sourceSize = (uint32_t)size;
        memcpy(model->textures[texture].source, bytes, size);
    }
    return texture;
}

int32_t textureAdd(Model *model, const char *name, uint32_t width, uint32_t height) {
    if (width == 0 || height == 0) {
        return textureMissing(model, name, "it is empty");
    }
    if (!hasRoom(model, width, height)) {
        return tooLarge(model, name);
    }
    return append(model, name, width, height, childAllocate(bytesOf(width, height), 1));
}

/* Null: the file was read. Otherwise the reason why not. */
static const char *readBelow(const char *folder, const char *name, FileBytes *file) {
    if (!pathStaysBelow(name)) {
        return "its name leads out of the model's folder";
    }
    const char *reason = NULL;
    size_t length = strlen(folder) + strlen(name) + 1;
    char *path = childAllocate(length, 1);
    snprintf(path, length, "%s%s", folder, name);
    if (access(path, F_OK) != 0) {
        reason = strerror(errno);
    } else if (!pathLeadsBelow(path, folder)) {
        reason = "it is outside the model's folder";
    } else if (!fileRead(path, FILE_MAX, file)) {
        reason = errno ? strerror(errno) : "not a file";
    }
    free(path);
    return reason;
}

int32_t textureLoad(Model *model, const char *folder, const char *name) {
    char *plain = childCopyText(name);
    for (char *c = strchr(plain, '\\'); c; c = strchr(c, '\\')) {
        *c = '/'; /* files made on Windows */
    }
    const char *relative = strncmp(plain, "./", 2) == 0 ? plain + 2 : plain;
    const char *slash = strrchr(plain, '/');
    FileBytes file = {0};
    const char *reason = readBelow(folder, relative, &file);
    bool inTop = reason && slash && !readBelow(folder, slash + 1, &file);
    bool found = !reason || inTop;
    int32_t texture = found ? textureDecode(model, name, file.bytes, file.size) : textureMissing(model, name, reason);
    if (texture >= 0) {
        free(model->textures[texture].path);
        model->textures[texture].path = childCopyText(inTop ? slash + 1 : relative);
    }
    free(file.bytes);
    free(plain);
    return texture;
}

bool bytesUnpack(const char *bytes, size_t size, char *plain, size_t plainSize) {
#ifdef __clang_analyzer__ /* it takes the buffer for memory that stb_image would have to free */
    return plain != NULL && plainSize > 0 && bytes != NULL && size > 0;
#else
    return stbi_zlib_decode_buffer(plain, (int)plainSize, bytes, (int)size) == (int)plainSize;
#endif
}
