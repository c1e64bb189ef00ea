#version 450
#extension GL_GOOGLE_include_directive : require
#include "raster/detailed.glsl"
#include "raster/dither.glsl"

layout(location = 6) flat in uint layer;

layout(location = 0) out vec4 colour;

void main() {
    vec4 base = baseOf();
    gl_SampleMask[0] = coveredSamples(base.a, gl_FrontFacing ? layer : ~layer);
    colour = vec4(shownColour(base.rgb), 1.0);
}
