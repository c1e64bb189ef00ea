#version 450
#extension GL_GOOGLE_include_directive : require
#include "raster/light.glsl"

layout(set = RASTER_SET_MATERIAL, binding = 0) uniform sampler2D baseColour;

layout(push_constant) uniform Part {
    RasterPart part;
};

layout(location = 0) in vec3 world;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 texcoord;
layout(location = 3) flat in vec3 tint;

layout(location = 0) out vec4 colour;

// The normal of the visible side. Files disagree about winding, so the triangle itself decides which side is visible.
// A smooth normal may lean a little past its triangle's edge-on: it then swings over in a bend, not in a seam.
vec3 seenNormal(vec3 n) {
    vec3 face = normalize(cross(dFdy(world), dFdx(world))); // towards the eye, as the picture's y runs down
    float height = dot(n, face);
    if (height < 0.0) {
        vec3 along = n - height * face;
        float kept = 2.0 * smoothstep(-0.4, 0.0, height) - 1.0;
        return normalize(kept * along - height * face);
    }
    return n;
}

void main() {
    vec3 base = texture(baseColour, texcoord).rgb * part.baseColour.rgb * tint;
    vec3 n = seenNormal(normalize(normal));
    vec3 toEye = normalize(frame.eye.xyz - world);
    vec3 toSun = frame.sunDirection.xyz;
    float facing = dot(n, toSun);
    float lit = sunlight(world, n);
    // The direct part is zero where the shadow's edge follows the facets; the scattered part bends around them.
    float diffuse = max(facing, 0.0) * lit + 0.06 * (facing + 1.0);
    float gloss = pow(max(dot(n, normalize(toEye + toSun)), 0.0), 36.0) * lit * step(0.0, facing);
    float rim = pow(1.0 - max(dot(n, toEye), 0.0), 4.0) * (n.y * 0.5 + 0.5);
    vec3 light = SUN * diffuse + skylight(n);
    vec3 shown = base * light + SUN * gloss * 0.10 + SKY_LIGHT * rim * 0.12;
    colour = display(haze(shown, world));
}
