// light.glsl: sun, sky and haze, the same for the crowd, the ground and the sky itself. All colours are linear.
#ifndef LIGHT_GLSL
#define LIGHT_GLSL

#include "raster/frame.glsl"

layout(set = RASTER_SET_FRAME, binding = RASTER_BINDING_SHADOW) uniform sampler2DShadow shadowMap;

layout(constant_id = RASTER_CONSTANT_ENCODE_SRGB) const uint encodeSrgb = 0;

const vec3 SUN = vec3(2.35, 2.10, 1.75);
const vec3 FILL = vec3(0.62, 0.70, 0.86); // of the second light, which has no shadow and leaves the ground out
const vec3 ZENITH = vec3(0.13, 0.31, 0.66);
const vec3 HORIZON = vec3(0.62, 0.72, 0.80);
const vec3 SKY_LIGHT = vec3(0.40, 0.49, 0.64);
const vec3 GROUND_LIGHT = vec3(0.24, 0.21, 0.17);

vec3 skyColour(vec3 direction) {
    float height = clamp(direction.y, 0.0, 1.0);
    vec3 colour = mix(HORIZON, ZENITH, 1.0 - pow(1.0 - height, 7.0));
    float glow = max(dot(direction, frame.sunDirection.xyz), 0.0);
    return colour + vec3(0.25, 0.20, 0.12) * pow(glow, 24.0);
}

// Distance fades everything into the horizon: nothing before haze.x, all of it long past haze.x + haze.y.
vec3 haze(vec3 colour, vec3 world) {
    float far = max(distance(world, frame.eye.xyz) - frame.haze.x, 0.0) / frame.haze.y;
    return mix(colour, HORIZON, 1.0 - exp(-far * (0.4 + far)));
}

// The share of sunlight that arrives; 1 outside of the map. A tent over 3 x 3 texels, whose 16 comparisons are four filtered
// taps: their places and weights are those of Castano 2013, "Shadow Mapping Summary". The loop has no rounds outside: software
// drivers skip a loop, but not a branch.
float sunlight(vec3 world, vec3 normal) {
    vec3 lifted = world + normal * frame.shadow.y;
    vec4 clip = frame.lightViewProjection * vec4(lifted, 1.0);
    vec2 texel = (clip.xy * 0.5 + 0.5) * frame.shadow.z;
    vec2 inside = step(vec2(2.0), texel) * step(texel, vec2(frame.shadow.z - 2.0));
    int taps = inside.x * inside.y > 0.0 ? 4 : 0;
    vec2 corner = floor(texel + 0.5);
    vec2 part = texel + 0.5 - corner;
    vec2 lowWeight = 3.0 - 2.0 * part;
    vec2 highWeight = 1.0 + 2.0 * part;
    vec2 low = (2.0 - part) / lowWeight - 1.5;
    vec2 high = part / highWeight + 0.5;
    float sum = taps == 0 ? 16.0 : 0.0;
    for (int tap = 0; tap < taps; tap++) {
        bvec2 upper = bvec2((tap & 1) != 0, (tap & 2) != 0);
        vec2 at = corner + mix(low, high, upper);
        vec2 weight = mix(lowWeight, highWeight, upper);
        sum += weight.x * weight.y * texture(shadowMap, vec3(at * frame.shadow.x, min(clip.z, 1.0)));
    }
    return sum / 16.0;
}

vec3 skylight(vec3 normal) {
    return mix(GROUND_LIGHT, SKY_LIGHT, normal.y * 0.5 + 0.5);
}

// Rolls highlights off instead of cutting them, then encodes where the target does not.
vec4 display(vec3 colour) {
    vec3 shown = 1.0 - exp(-colour * (1.15 * frame.haze.z));
    if (encodeSrgb != 0) {
        vec3 low = shown * 12.92;
        vec3 high = 1.055 * pow(shown, vec3(1.0 / 2.4)) - 0.055;
        shown = mix(high, low, lessThanEqual(shown, vec3(0.0031308)));
    }
    return vec4(shown, 1.0);
}

// What to write so that a screen shows this colour of debug views.
vec3 shownAs(vec3 encoded) {
    vec3 low = encoded / 12.92;
    vec3 high = pow((encoded + 0.055) / 1.055, vec3(2.4));
    return encodeSrgb != 0 ? encoded : mix(high, low, lessThanEqual(encoded, vec3(0.04045)));
}

#endif
