/* material_texture.h: the base colour pictures of materials. */
#ifndef ENGINE_MATERIAL_TEXTURE_H
#define ENGINE_MATERIAL_TEXTURE_H

#include "model.h"

#include <stddef.h>

/*
 * Each of these adds a texture to the model, whose array `textures` has room for it, and returns its index. A picture
 * that cannot be read, or that is larger than model.h allows, is counted in the model's repairs, and -1 returned.
 */

/* From a picture file's bytes (PNG, JPEG, TGA, BMP, GIF). Null: there is none. */
int32_t textureDecode(Model *model, const uint8_t *bytes, size_t size);

/*
 * From the picture file that a model names: `name` below `folder`, and where that is not there the file of that name
 * in `folder` itself. A name never leads out of the folder. `folder` ends with a slash or is empty.
 */
int32_t textureLoad(Model *model, const char *folder, const char *name);

/* Room for width x height texels of RGBA, which the caller fills: pixels of the texture returned. */
int32_t textureAdd(Model *model, uint32_t width, uint32_t height);

#endif
