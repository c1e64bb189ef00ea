// detailed.glsl: the colour of a part that has maps or colours of vertices.
#ifndef DETAILED_GLSL
#define DETAILED_GLSL

#include "raster/surface.glsl"

layout(set = RASTER_SET_MATERIAL, binding = RASTER_BINDING_BASE) uniform sampler2D baseColour;
layout(set = RASTER_SET_MATERIAL, binding = RASTER_BINDING_EMISSION) uniform sampler2D emission;
layout(set = RASTER_SET_MATERIAL, binding = RASTER_BINDING_NORMAL) uniform sampler2D normals;
layout(set = RASTER_SET_MATERIAL, binding = RASTER_BINDING_SURFACE) uniform sampler2D surfaces;
layout(set = RASTER_SET_MATERIAL, binding = RASTER_BINDING_OCCLUSION) uniform sampler2D occlusion;

layout(location = 0) in vec3 world;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 texcoord;
layout(location = 3) flat in vec3 tint;
layout(location = 4) in vec4 vertexColour;
layout(location = 5) in vec4 tangent; // w: handedness; all 0 without tangents

// On the back of a triangle the map's directions along it turn round with the normal.
vec3 mappedNormal() {
    vec3 smoothed = normalize(normal);
    vec3 seen = seenNormal(smoothed, world);
    if (part.surface.z == 0.0 || tangent.w == 0.0) {
        return seen;
    }
    vec3 map = texture(normals, texcoord).xyz * 2.0 - 1.0;
    map.xy *= part.surface.z * (dot(seen, smoothed) < 0.0 ? -1.0 : 1.0);
    vec3 along = normalize(tangent.xyz - smoothed * dot(smoothed, tangent.xyz));
    vec3 across = cross(smoothed, along) * tangent.w;
    return normalize(seen * map.z + along * map.x + across * map.y);
}

vec4 baseOf() {
    return texture(baseColour, texcoord) * part.baseColour * vertexColour;
}

vec3 shownColour(vec3 base) {
    vec4 map = texture(surfaces, texcoord);
    Surface surface;
    surface.base = base * tint;
    surface.normal = mappedNormal();
    surface.emission = texture(emission, texcoord).rgb * part.emission.rgb;
    surface.metallic = part.surface.x * map.b;
    surface.roughness = part.surface.y * map.g;
    surface.open = mix(1.0, texture(occlusion, texcoord).r, part.specular.w);
    return display(haze(shade(surface, world), world)).rgb;
}

#endif
