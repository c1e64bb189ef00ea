#version 450
#extension GL_GOOGLE_include_directive : require
#include "raster/light.glsl"

layout(set = RASTER_SET_MATERIAL, binding = RASTER_BINDING_BASE) uniform sampler2D motionVectors;

layout(location = 0) out vec4 colour;

// Motion vectors as colours. Hue: the way that the surface moves, counter-clockwise from red, to the right, over yellow-green,
// up. Grey stands still; a fourth of RASTER_MOTION_FULL pixels has half of the colour, all of them the full colour.
void main() {
    vec2 moved = -texelFetch(motionVectors, ivec2(gl_FragCoord.xy), 0).xy;
    if (moved.x == -RASTER_MOTION_NONE) {
        discard;
    }
    float turn = atan(-moved.y, moved.x) / 6.2831853;
    vec3 wheel = clamp(abs(fract(turn + vec3(0.0, 2.0, 1.0) / 3.0) * 6.0 - 3.0) - 1.0, 0.0, 1.0);
    colour = vec4(shownAs(mix(vec3(0.3), wheel, min(sqrt(length(moved) / RASTER_MOTION_FULL), 1.0))), 1.0);
}
