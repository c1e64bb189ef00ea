#version 450

// The bones of 2D characters: marks and lines, with a size in pixels.

layout(location = 0) in vec2 position; // in the world
layout(location = 1) in vec2 corner;   // pixels from there

layout(push_constant) uniform Push {
    vec2 scale, offset; // from the world to the picture
    layout(offset = 32) float pixel;
};

void main() {
    gl_Position = vec4((position + corner * pixel) * scale + offset, 0.0, 1.0);
}
