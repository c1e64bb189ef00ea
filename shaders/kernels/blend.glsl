// blend.glsl: loops over the influences of a vertex.
//
// A kernel includes this file after influences.glsl and after it has defined
//     Sum                                                         the type of the sum over influences
//     Sum firstBone(uint palette, uint joint, float weight, vec3 own)
//     void addBone(uint palette, uint joint, float weight, vec3 own, inout Sum sum)
#ifndef BLEND_GLSL
#define BLEND_GLSL

// The largest influence comes first. Loops of known length are unrolled by hand: some drivers do not unroll them.
Sum sumBones(uint base, Influences influences, vec3 own) {
    if (MANY) {
        uint first = influences.first;
        LayoutClass head = influences.vertexClass;
        Sum sum = firstBone(base, readJoint(head, first), readWeight(head, first), own);
        for (uint i = first + 1; i < first + influences.count; i++) {
            addBone(base, readJoint(head, i), readWeight(head, i), own, sum);
        }
        return sum;
    }
    Sum sum = firstBone(base, influences.joints.x, influences.weights.x, own);
    if (INFLUENCES > 1) {
        addBone(base, influences.joints.y, influences.weights.y, own, sum);
    }
    if (INFLUENCES > 2) {
        addBone(base, influences.joints.z, influences.weights.z, own, sum);
    }
    if (INFLUENCES > 3) {
        addBone(base, influences.joints.w, influences.weights.w, own, sum);
    }
    return sum;
}

#endif
