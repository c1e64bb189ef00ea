#version 450
#extension GL_GOOGLE_include_directive : require
#include "raster/raster_layout.h"

layout(set = RASTER_SET_MATERIAL, binding = RASTER_BINDING_BASE) uniform sampler2D baseColour;

layout(push_constant) uniform Part {
    RasterPart part;
};

layout(location = 2) in vec2 texcoord;
layout(location = 4) in vec4 vertexColour;

// Parts that are cut out, and those that let light through: these throw the shadow of what covers at least half.
void main() {
    if (texture(baseColour, texcoord).a * part.baseColour.a * vertexColour.a < part.surface.w) {
        discard;
    }
}
