#version 450
#extension GL_GOOGLE_include_directive : require
#include "raster/surface.glsl"

layout(set = RASTER_SET_MATERIAL, binding = RASTER_BINDING_BASE) uniform sampler2D baseColour;

layout(location = 0) in vec3 world;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 texcoord;
layout(location = 3) flat in vec3 tint;

layout(location = 0) out vec4 colour;

void main() {
    Surface surface;
    surface.base = texture(baseColour, texcoord).rgb * part.baseColour.rgb * tint;
    surface.normal = seenNormal(normalize(normal), world);
    surface.emission = part.emission.rgb;
    surface.metallic = part.surface.x;
    surface.roughness = part.surface.y;
    surface.open = 1.0;
    colour = display(haze(shade(surface, world), world));
}
