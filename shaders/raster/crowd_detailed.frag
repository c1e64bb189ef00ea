#version 450
#extension GL_GOOGLE_include_directive : require
#include "raster/detailed.glsl"

layout(constant_id = RASTER_CONSTANT_ALPHA) const uint alphaMode = 0; // 1: mask, 2: blend

layout(location = 0) out vec4 colour;

void main() {
    vec4 base = baseOf();
    if (alphaMode == 1 && base.a < part.surface.w) {
        discard;
    }
    colour = vec4(shownColour(base.rgb), alphaMode == 2 ? base.a : 1.0);
}
