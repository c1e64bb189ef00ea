// linear_blend.glsl: linear blend skinning, the weighted sum of 3x4 matrices.
//
// A kernel includes this file after influences.glsl and after it has defined the reader of its palette encoding,
//     VkskinMatrix READ_BONE(uint palette, uint joint)
//     vec4 READ_ROW(uint bone, uint row)                if the palette stores rows: bone is the palette + joint
#ifndef LINEAR_BLEND_GLSL
#define LINEAR_BLEND_GLSL

#define Bone VkskinMatrix
#define Sum  VkskinMatrix

#include "moves.glsl"

Sum firstBone(uint base, uint joint, float weight, vec3 own) {
    return vkskinBegin(weight, READ_BONE(base, joint));
}

void addBone(uint base, uint joint, float weight, vec3 own, inout Sum sum) {
    vkskinAdd(weight, READ_BONE(base, joint), sum);
}

#include "blend.glsl"

#ifdef READ_ROW
// The sum of one row of the matrices. Row after row needs fewer registers than matrix after matrix.
vec4 sumRow(uint base, Influences influences, uint row) {
    vec4 sum = influences.weights.x * READ_ROW(base + influences.joints.x, row);
    if (INFLUENCES > 1) {
        sum += influences.weights.y * READ_ROW(base + influences.joints.y, row);
    }
    if (INFLUENCES > 2) {
        sum += influences.weights.z * READ_ROW(base + influences.joints.z, row);
    }
    if (INFLUENCES > 3) {
        sum += influences.weights.w * READ_ROW(base + influences.joints.w, row);
    }
    return sum;
}
#endif

Bone blendBones(uint base, Influences influences, vec3 own) {
#ifdef READ_ROW
    if (!MANY) {
        return Bone(sumRow(base, influences, 0), sumRow(base, influences, 1), sumRow(base, influences, 2));
    }
#endif
    return sumBones(base, influences, own);
}

vec3 readOwn(LayoutClass vertexClass, uint vertex) {
    return vec3(0);
}

#include "skin.glsl"

#endif
