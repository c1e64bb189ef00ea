#version 450
#extension GL_GOOGLE_include_directive : require

// Text and panels: see ui_draw.c.

#include "raster/raster_layout.h"

layout(constant_id = RASTER_CONSTANT_ENCODE_SRGB) const bool encodeSrgb = false; // the target keeps colours as they are

layout(push_constant) uniform Push {
    vec2 scale; // from points to the picture
};

layout(location = 0) in vec2 position; // points from the upper left
layout(location = 1) in vec2 vertexPlace;
layout(location = 2) in vec4 vertexColour; // sRGB, alpha

layout(location = 0) out vec2 place;
layout(location = 1) out vec4 shade;

vec3 linearOf(vec3 encoded) {
    return mix(pow((encoded + 0.055) / 1.055, vec3(2.4)), encoded / 12.92, lessThanEqual(encoded, vec3(0.04045)));
}

void main() {
    gl_Position = vec4(position * scale - 1.0, 0.0, 1.0);
    place = vertexPlace;
    shade = encodeSrgb ? vertexColour : vec4(linearOf(vertexColour.rgb), vertexColour.a);
}
