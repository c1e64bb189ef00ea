/*
 * raster_shaders.h: the engine's raster shaders, compiled at build time, by name.
 *
 * The name is that of the source file in shaders/raster/, such as "crowd.vert". A host that compiles them again at
 * run time (include path: shaders/) gives the words to drawReplaceShader.
 */
#ifndef ENGINE_RASTER_SHADERS_H
#define ENGINE_RASTER_SHADERS_H

#include <stddef.h>
#include <stdint.h>

typedef struct RasterShader {
    const char *name;
    const uint32_t *words; /* SPIR-V for Vulkan 1.3 */
    size_t byteCount;
} RasterShader;

/* The table. *count receives its length. Static. */
const RasterShader *rasterShaders(uint32_t *count);

#endif
