/* textures.h: the base colour textures of materials, decoded. For the parser's process. */
#ifndef ENGINE_TEXTURES_H
#define ENGINE_TEXTURES_H

#include "model.h"

/*
 * Each function adds one texture to the model and returns its index. The model's array `textures` must have room for it.
 * A picture that cannot be read, or is larger than model.h allows, is counted in the model's repairs; the function then
 * returns -1.
 */

/* From the bytes of a picture file (PNG, JPEG, TGA, BMP, GIF). Null: the picture is missing. */
int32_t textureDecode(Model *model, const uint8_t *bytes, size_t size);

/*
 * From a picture file that the model names: `name` below `folder`; if it does not exist, the file of that name in
 * `folder` itself. A name cannot lead out of the folder. `folder` ends with a slash or is empty.
 */
int32_t textureLoad(Model *model, const char *folder, const char *name);

/* Width x height texels of RGBA, which the caller fills. */
int32_t textureAdd(Model *model, uint32_t width, uint32_t height);

#endif
