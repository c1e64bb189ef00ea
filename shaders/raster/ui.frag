#version 450
#extension GL_GOOGLE_include_directive : require

// Text and panels: see ui_draw.c. The atlas holds distances to the outlines of letters, as glyphs.h describes; panels show its
// white, which is far inside.

#include "raster/raster_layout.h"

const float edge = float(RASTER_GLYPH_EDGE) / 255.0;
const float range = float(RASTER_GLYPH_RANGE) * 255.0 / 127.0; // texels: difference of black and white

layout(set = 0, binding = 0) uniform sampler2D atlas;

layout(push_constant) uniform Push {
    layout(offset = 8) float grow; // texels that outlines are moved outwards
};

layout(location = 0) in vec2 place;
layout(location = 1) in vec4 shade;

layout(location = 0) out vec4 colour;

// The share of the pixel that letters cover. A small letter has many texels in a pixel: taps divide it, and an edge crosses one
// of them in a line.
float coverage(vec2 dx, vec2 dy) {
    vec2 size = vec2(textureSize(atlas, 0));
    float texels = max(length(dx * size), length(dy * size)); // in the side of a pixel
    int taps = clamp(int(ceil(texels)), 1, 4);
    float sum = 0.0;
    for (int tap = 0; tap < taps * taps; tap++) {
        vec2 offset = (vec2(tap % taps, tap / taps) + 0.5) / float(taps) - 0.5;
        float distance = (textureLod(atlas, place + offset.x * dx + offset.y * dy, 0.0).r - edge) * range + grow;
        sum += clamp(distance * float(taps) / max(texels, 1e-4) + 0.5, 0.0, 1.0);
    }
    return sum / float(taps * taps);
}

void main() {
    colour = vec4(shade.rgb, shade.a * coverage(dFdx(place), dFdy(place)));
}
