#version 450
#extension GL_GOOGLE_include_directive : require

// Linear blending and scaled dual quaternions mixed by a weight that was painted for each vertex. Both are matrices
// once they have blended, and so is what lies between them.

#include "matrix_bone.glsl"
#include "stretch.glsl"

Bone blendBones(uint base, Influences influences, vec3 own) {
    vec4 turned[3] = matrixOf(blendStretched(base, influences));
    vec4 linear[3] = vec4[3](vec4(0), vec4(0), vec4(0));
    for (uint i = 0; i < influenceCount(influences); i++) {
        vec4 part[3] = matrixOf(readStretched(base, influenceJoint(influences, i)));
        float weight = influenceWeight(influences, i);
        linear[0] += weight * part[0];
        linear[1] += weight * part[1];
        linear[2] += weight * part[2];
    }
    return Bone(vec4[3](mix(linear[0], turned[0], own.x), mix(linear[1], turned[1], own.x),
                        mix(linear[2], turned[2], own.x)));
}

vec3 readOwn(LayoutClass vertexClass, uint vertex) {
    return vec3(readMeshFloat(vertexClass.blendWeights + vertex), 0.0, 0.0);
}

#include "skin.glsl"
