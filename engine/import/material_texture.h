/* material_texture.h: the base colour pictures of materials. */
#ifndef ENGINE_MATERIAL_TEXTURE_H
#define ENGINE_MATERIAL_TEXTURE_H

#include "model.h"

/*
 * Decodes a picture file (PNG, JPEG, TGA, BMP, GIF; up to 16,384 a side) into the material. False, and the material
 * as it was: it cannot be read.
 */
bool textureDecode(const uint8_t *bytes, size_t size, ModelMaterial *material);

/*
 * The same from a file that a model names: `name` below `folder`, and where that is not there the file of that name
 * in `folder` itself. A name never leads out of the folder. `folder` ends with a slash or is empty.
 */
bool textureLoad(const char *folder, const char *name, ModelMaterial *material);

#endif
