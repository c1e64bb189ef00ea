// Skinning where a vertex is drawn, in each pass anew: four influences always, the same bytes as baseline.comp.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "drawn.glsl"

layout(location = 0) in vec3 inPosition;
layout(location = 1) in vec3 inNormal;
layout(location = 2) in vec4 inTangent;
layout(location = 3) in uvec4 inJoints;
layout(location = 4) in vec4 inWeights;

// Three rows a bone, BONES bones an instance.
layout(set = 0, binding = 0, std430) readonly buffer Palettes { vec4 palettes[]; };

layout(constant_id = 1) const uint BONES = 64u;

void main() {
    uvec4 bone = (uint(gl_InstanceIndex) * BONES + inJoints) * 3u;
    vec4 row[3];
    for (uint r = 0u; r < 3u; r++) {
        row[r] = inWeights.x * palettes[bone.x + r] + inWeights.y * palettes[bone.y + r] +
                 inWeights.z * palettes[bone.z + r] + inWeights.w * palettes[bone.w + r];
    }
    vec4 p = vec4(inPosition, 1.0);
    vec3 n = inNormal;
    vec3 t = inTangent.xyz;
    drawVertex(vec3(dot(row[0], p), dot(row[1], p), dot(row[2], p)),
               normalize(vec3(dot(row[0].xyz, n), dot(row[1].xyz, n), dot(row[2].xyz, n))),
               vec4(normalize(vec3(dot(row[0].xyz, t), dot(row[1].xyz, t), dot(row[2].xyz, t))), inTangent.w));
}
