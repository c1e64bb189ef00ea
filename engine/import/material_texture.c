#include "material_texture.h"

#include "child_memory.h"
#include "file_bytes.h"
#include "path_below.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_NO_STDIO
#define STBI_NO_HDR
#define STBI_NO_LINEAR
#define STBI_MAX_DIMENSIONS 16384
/* This version declares a function that it never defines, and leaves members unset that it never reads. Told at the
 * end of the file, so never turned on again. */
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <stb/stb_image.h>

#define FILE_MAX ((size_t)256 << 20)

bool textureDecode(const uint8_t *bytes, size_t size, ModelMaterial *material) {
    int width = 0, height = 0, channels = 0;
    if (size > INT_MAX) {
        return false;
    }
    uint8_t *pixels = stbi_load_from_memory(bytes, (int)size, &width, &height, &channels, 4);
    if (!pixels) {
        return false;
    }
    free(material->pixels);
    material->pixels = pixels;
    material->width = (uint32_t)width;
    material->height = (uint32_t)height;
    return true;
}

static bool loadBelow(const char *folder, const char *name, ModelMaterial *material) {
    if (!pathStaysBelow(name)) {
        return false;
    }
    size_t length = strlen(folder) + strlen(name) + 1;
    char *path = childAllocate(length, 1);
    strcpy(path, folder);
    strcat(path, name);
    FileBytes file;
    bool good = fileRead(path, FILE_MAX, &file) == FILE_READ_OK;
    if (good) {
        good = textureDecode(file.bytes, file.size, material);
        free(file.bytes);
    }
    free(path);
    return good;
}

bool textureLoad(const char *folder, const char *name, ModelMaterial *material) {
    char *plain = childCopyText(name);
    for (char *c = plain; *c; c++) {
        *c = *c == '\\' ? '/' : *c; /* files made on Windows */
    }
    const char *relative = strncmp(plain, "./", 2) == 0 ? plain + 2 : plain;
    const char *slash = strrchr(plain, '/');
    bool good = loadBelow(folder, relative, material) || (slash && loadBelow(folder, slash + 1, material));
    free(plain);
    return good;
}
