/* named_files.h: the files that a model names: which ones may be read, their bytes, and pictures. For the
 * parser's process. */
#ifndef ENGINE_NAMED_FILES_H
#define ENGINE_NAMED_FILES_H

#include "model.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Paths ---- */

/* True for a relative path without a step up ("..": it cannot leave the folder that it starts from). */
bool pathStaysBelow(const char *path);

/* True for a path that begins with `folder` (ends with a slash, or is empty) and whose rest stays below. */
bool pathIsBelow(const char *path, const char *folder);

/*
 * True where `path` exists and, with all links followed, lies below `folder`: a downloaded model may contain links.
 */
bool pathLeadsBelow(const char *path, const char *folder);

/* The path up to its last slash, slash included; "" where it has none. free() it. */
char *pathFolder(const char *path);

/* ---- Bytes ---- */

typedef struct FileBytes {
    uint8_t *bytes; /* free() it */
    size_t size;
} FileBytes;

/* Gives the model a list of all files that fileOpen and fileRead have opened in this process. */
void filesList(Model *model);

/* Opens a regular file for reading. *size: its current size. Null: errno says why; 0: it is no regular file. */
FILE *fileOpen(const char *path, size_t *size);

/* Reads a regular file. False: *file is empty; errno as for fileOpen, or EFBIG for more than `maximum` bytes. */
bool fileRead(const char *path, size_t maximum, FileBytes *file);

/* Unpacks zlib's format. False: the bytes do not give exactly plainSize bytes. Both sizes: at most INT_MAX. */
bool bytesUnpack(const char *bytes, size_t size, char *plain, size_t plainSize);

/* ---- Pictures: the base colour textures of materials, decoded by textures.c ---- */

/*
 * Each function adds one texture to the model and returns its index. The model's array `textures` must have room for it.
 * A picture that cannot be read, or is larger than model.h allows, is counted in the model's repairs, and a warning names
 * it and the reason; the function then returns -1.
 */

/* From the bytes of a picture file (PNG, JPEG, TGA, BMP, GIF). name: for the warning. */
int32_t textureDecode(Model *model, const char *name, const uint8_t *bytes, size_t size);

/*
 * From a picture file that the model names: `name` below `folder`; if it does not exist, the file of that name in
 * `folder` itself. A name cannot lead out of the folder. `folder` ends with a slash or is empty.
 */
int32_t textureLoad(Model *model, const char *folder, const char *name);

/* Width x height texels of RGBA, which the caller fills. name: for the warning. */
int32_t textureAdd(Model *model, const char *name, uint32_t width, uint32_t height);

/* Adds none: counts the picture and warns of it. */
int32_t textureMissing(Model *model, const char *name, const char *reason);

#ifdef __cplusplus
}
#endif

#endif
