#version 450
#extension GL_GOOGLE_include_directive : require
#include "raster/frame.glsl"
#include "raster/instance.glsl"

// A crowd of the device, in all passes.
layout(set = RASTER_SET_PAGE, binding = 0, std430) readonly buffer Vertices { uint vertexWords[]; };
layout(set = RASTER_SET_PAGE, binding = 1, std430) readonly buffer CrowdFrame { uint crowdWords[]; };

#define VKSKIN_CROWD_VERTEX_WORD(at) vertexWords[at]
#define VKSKIN_CROWD_FRAME_WORD(at)  crowdWords[at]
#include "vkskin/vkskin_crowd.glsl"

layout(push_constant) uniform Draw {
    layout(offset = RASTER_DRAW_OFFSET) VkskinCrowdConstants draw;
};

layout(location = 0) in vec2 texcoord;
layout(location = 1) in vec4 vertexColour;

layout(location = 0) out vec3 outWorld;
layout(location = 1) out vec3 outNormal;
layout(location = 2) out vec2 outTexcoord;
layout(location = 3) flat out vec3 outTint;
layout(location = 4) out vec4 outVertexColour;
layout(location = 5) out vec4 outTangent;
layout(location = 6) flat out uint outLayer;
layout(location = 7) out vec3 outNow; // x, y and w of the clip space, of RASTER_PASS_MOTION
layout(location = 8) out vec3 outBefore;

// In model space. A mesh without normals faces up.
vec3 pullNormal(VkskinCrowdInstance drawn) {
    return vkskinCrowdHasNormals(draw) ? vkskinCrowdNormal(draw, drawn, meshVertex()) : vec3(0.0, 1.0, 0.0);
}

// Zero for a mesh without tangents.
vec4 pullTangent(VkskinCrowdInstance drawn) {
    return vkskinCrowdHasTangents(draw) ? vkskinCrowdTangent(draw, drawn, meshVertex()) : vec4(0.0);
}

// The same in each frame and each order of the characters, as long as this one stays where it is.
uint layerOf(RasterInstance instance) {
    uvec3 place = floatBitsToUint(vec3(instance.row0.w, instance.row1.w, instance.row2.w));
    return place.x * 0x9e3779b1u + place.y * 0x85ebca77u + place.z * 0xc2b2ae3du + draw.list;
}

void main() {
    VkskinCrowdInstance drawn = vkskinCrowdInstance(draw, gl_InstanceIndex);
    RasterInstance instance;
    instance.row0 = drawn.transform.x;
    instance.row1 = drawn.transform.y;
    instance.row2 = drawn.transform.z;
    vec3 world = toWorld(instance, vkskinCrowdPosition(draw, drawn, meshVertex()));
    outTexcoord = texcoord;
    if (PASS == RASTER_PASS_SHADOW) {
        outVertexColour = vertexColour;
        gl_Position = frame.lightViewProjection * vec4(world, 1.0);
        return;
    }
    if (PASS == RASTER_PASS_MOTION) {
        vec3 before = vkskinCrowdPlace(drawn.previous, vkskinCrowdPreviousPosition(draw, drawn, meshVertex()));
        outVertexColour = vertexColour;
        gl_Position = frame.viewProjection * vec4(world, 1.0);
        outNow = gl_Position.xyw;
        outBefore = (frame.previousViewProjection * vec4(before, 1.0)).xyw;
        return;
    }
    outNormal = normalToWorld(instance, pullNormal(drawn));
    world += isTip() ? outNormal * frame.groundSquare.y : vec3(0.0);
    outWorld = world;
    outTint = unpackUnorm4x8(drawn.variation).rgb * 2.0;
    if (PASS == RASTER_PASS_DETAILED) {
        outVertexColour = vertexColour;
        outTangent = tangentToWorld(instance, pullTangent(drawn));
        outLayer = layerOf(instance);
    }
    gl_Position = frame.viewProjection * vec4(world, 1.0);
}
