#include "raster_shaders.h"

#include "raster_table.inc"

const RasterShader *rasterShaders(uint32_t *count) {
    *count = (uint32_t)(sizeof(table) / sizeof(table[0]));
    return table;
}
