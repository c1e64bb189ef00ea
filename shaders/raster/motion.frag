#version 450
#extension GL_GOOGLE_include_directive : require
#include "raster/frame.glsl"

layout(set = RASTER_SET_MATERIAL, binding = RASTER_BINDING_BASE) uniform sampler2D baseColour;

layout(push_constant) uniform Part {
    RasterPart part;
};

layout(location = 2) in vec2 texcoord;
layout(location = 4) in vec4 vertexColour;
layout(location = 7) in vec3 now;
layout(location = 8) in vec3 before;

layout(location = 0) out vec2 motion;

// Pixels from here to where the surface was in the frame before, y down. Both points are interpolated, so that what stands
// still has exactly 0. A point that was behind the camera was in no picture: 0.
void main() {
    if (texture(baseColour, texcoord).a * part.baseColour.a * vertexColour.a < part.surface.w) {
        discard;
    }
    motion = before.z > 0.0 ? (before.xy / before.z - now.xy / now.z) / frame.groundSquare.zw : vec2(0.0);
}
