#version 450
#extension GL_GOOGLE_include_directive : require
#include "raster/light.glsl"

layout(location = 0) in vec3 world;

layout(location = 0) out vec4 colour;

// How much of the pixel a line `width` squares wide covers, at every whole number of `at`.
float line(vec2 at, float width) {
    vec2 size = max(fwidth(at), vec2(1e-6));
    vec2 away = abs(fract(at - 0.5) - 0.5);
    vec2 cover = clamp((width * 0.5 - away) / size + 0.5, 0.0, 1.0) * min(width / size, vec2(1.0));
    return max(cover.x, cover.y);
}

void main() {
    vec2 square = world.xz / frame.groundSquare.x;
    vec3 base = vec3(0.285, 0.268, 0.225);
    base *= 1.0 - 0.16 * line(square, 0.02) - 0.16 * line(square / 5.0, 0.008);
    vec3 up = vec3(0.0, 1.0, 0.0);
    float diffuse = max(frame.sunDirection.y, 0.0) * sunlight(world, up);
    colour = display(haze(base * (SUN * diffuse + skylight(up)), world));
}
