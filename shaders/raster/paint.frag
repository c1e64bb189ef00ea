#version 450
#extension GL_GOOGLE_include_directive : require
#include "raster/light.glsl"

// Colours of a paint, as a screen shows them. A surface that turns away is darker, so that shapes can be seen.

layout(location = 0) in vec3 world;
layout(location = 1) in vec3 normal;
layout(location = 4) in vec4 vertexColour;

layout(location = 0) out vec4 colour;

void main() {
    if (any(isnan(world)) || any(isinf(world))) {
        discard;
    }
    float facing = abs(dot(normalize(normal), normalize(frame.eye.xyz - world)));
    colour = vec4(shownAs(vertexColour.rgb * mix(0.5, 1.0, facing)), 1.0);
}
