// frame.glsl: the frame's uniforms.
#ifndef FRAME_GLSL
#define FRAME_GLSL

#include "raster/raster_layout.h"

layout(set = RASTER_SET_FRAME, binding = RASTER_BINDING_FRAME, std140) uniform Frame {
    RasterFrame frame;
};

#endif
