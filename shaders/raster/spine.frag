#version 450
#extension GL_GOOGLE_include_directive : require

// The colours are the files', not linear, and are mixed so, as editors of 2D characters do. Pages are premultiplied.

#include "raster/raster_layout.h"

layout(set = RASTER_SET_SPINE_PICTURE, binding = 1) uniform sampler2D page;

layout(location = 0) in vec2 texcoord;
layout(location = 1) flat in vec4 light;
layout(location = 2) flat in vec3 dark;
layout(location = 3) in vec4 paint; // alpha 0: none

layout(location = 0) out vec4 colour; // premultiplied

// A channel of 1 becomes the slot's colour, a channel of 0 its dark colour.
void main() {
    vec4 texel = texture(page, texcoord);
    colour = vec4(dark * (texel.a - texel.rgb) + light.rgb * texel.rgb, texel.a) * light.a;
    if (paint.a > 0.0) {
        colour.rgb = paint.rgb * colour.a;
    }
}
