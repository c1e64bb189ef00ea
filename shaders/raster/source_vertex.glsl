// source_vertex.glsl: the vertex shader of all passes, for systems that skin in it. A system's shader
//     includes this file after it defined RASTER_JOINTS, if its joints are not uvec4,
//     defines Skinned skinVertex(RasterInstance instance), mostly with BLEND,
//     calls drawVertex() in main.
#ifndef SOURCE_VERTEX_GLSL
#define SOURCE_VERTEX_GLSL

#include "raster/frame.glsl"
#include "raster/instance.glsl"

#ifndef RASTER_JOINTS
#define RASTER_JOINTS uvec4
#endif

layout(constant_id = RASTER_CONSTANT_INFLUENCES) const uint INFLUENCES = 4;
layout(constant_id = RASTER_CONSTANT_EXACT_NORMALS) const uint EXACT_NORMALS = 0;

layout(location = 0) in vec2 texcoord;
layout(location = 1) in vec4 vertexColour;
layout(location = RASTER_LOCATION_POSITION) in vec3 position;
layout(location = RASTER_LOCATION_NORMAL) in vec3 normal;
layout(location = RASTER_LOCATION_TANGENT) in vec4 tangent; // zero for meshes without
layout(location = RASTER_LOCATION_JOINTS) in RASTER_JOINTS joints;
layout(location = RASTER_LOCATION_WEIGHTS) in vec4 weights; // the largest first

layout(location = 0) out vec3 outWorld;
layout(location = 1) out vec3 outNormal;
layout(location = 2) out vec2 outTexcoord;
layout(location = 3) flat out vec3 outTint;
layout(location = 4) out vec4 outVertexColour;
layout(location = 5) out vec4 outTangent;

// In mesh space. Normal and tangent of any length.
struct Skinned {
    vec3 position;
    vec3 normal;
    vec4 tangent;
};

// Statements that blend the bones READ(joint) and skin the vertex into `skinned`.
#define BLEND(Bone, Sum, READ, weights, skinned)                                                                       \
    {                                                                                                                  \
        Sum sum = vkskinBegin(weights.x, READ(joints.x));                                                              \
        if (INFLUENCES > 1) {                                                                                          \
            vkskinAdd(weights.y, READ(joints.y), sum);                                                                 \
        }                                                                                                              \
        if (INFLUENCES > 2) {                                                                                          \
            vkskinAdd(weights.z, READ(joints.z), sum);                                                                 \
        }                                                                                                              \
        if (INFLUENCES > 3) {                                                                                          \
            vkskinAdd(weights.w, READ(joints.w), sum);                                                                 \
        }                                                                                                              \
        Bone bone = vkskinEnd(sum);                                                                                    \
        skinned.position = vkskinMovePoint(bone, position);                                                            \
        if (PASS != RASTER_PASS_SHADOW) {                                                                              \
            skinned.normal = EXACT_NORMALS != 0 ? vkskinTurnNormal(bone, normal) : vkskinTurnVector(bone, normal);     \
        }                                                                                                              \
        if (PASS == RASTER_PASS_DETAILED) {                                                                            \
            skinned.tangent = vec4(vkskinTurnVector(bone, tangent.xyz), tangent.w);                                    \
        }                                                                                                              \
    }

// Scales first, because the square of a very small or large length does not fit a float.
vec3 unitOr(vec3 v, vec3 fallback) {
    float largest = max(max(abs(v.x), abs(v.y)), abs(v.z));
    vec3 scaled = v / largest;
    return largest > 0.0 ? scaled * inversesqrt(dot(scaled, scaled)) : fallback;
}

Skinned skinVertex(RasterInstance instance);

void drawVertex() {
    RasterInstance instance = instances[gl_InstanceIndex];
    Skinned skinned = skinVertex(instance);
    vec3 world = toWorld(instance, skinned.position);
    outTexcoord = texcoord;
    if (PASS == RASTER_PASS_SHADOW) {
        outVertexColour = vertexColour;
        gl_Position = frame.lightViewProjection * vec4(world, 1.0);
        return;
    }
    outWorld = world;
    outNormal = normalToWorld(instance, unitOr(skinned.normal, vec3(0.0, 0.0, 1.0)));
    outTint = unpackUnorm4x8(instance.tint).rgb * 2.0;
    if (PASS == RASTER_PASS_DETAILED) {
        vec4 turned = vec4(unitOr(skinned.tangent.xyz, vec3(0.0)), skinned.tangent.w);
        outVertexColour = vertexColour;
        outTangent = tangentToWorld(instance, turned);
    }
    gl_Position = frame.viewProjection * vec4(world, 1.0);
}

#endif
