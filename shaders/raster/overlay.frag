#version 450
#extension GL_GOOGLE_include_directive : require
#include "raster/surface.glsl"

// Lines of debug views: one colour, as a screen shows it.

layout(location = 0) out vec4 colour;

void main() {
    colour = vec4(shownAs(part.baseColour.rgb), 1.0);
}
