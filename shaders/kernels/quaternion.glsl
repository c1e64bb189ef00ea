// quaternion.glsl: quaternions (x, y, z, w) and dual quaternions.
#ifndef QUATERNION_GLSL
#define QUATERNION_GLSL

#include "rows.glsl"

struct DualQuaternion {
    vec4 real;
    vec4 dual;
};

vec3 rotate(vec4 q, vec3 v) {
    return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}

// The rotation matrix of a unit quaternion.
Rows rotationRows(vec4 q) {
    vec3 d = 2.0 * q.xyz;
    vec3 square = q.xyz * d;
    float xy = q.x * d.y, xz = q.x * d.z, yz = q.y * d.z;
    vec3 w = q.w * d;
    return Rows(vec3(1.0 - square.y - square.z, xy - w.z, xz + w.y),
                vec3(xy + w.z, 1.0 - square.x - square.z, yz - w.x),
                vec3(xz - w.y, yz + w.x, 1.0 - square.x - square.y));
}

// After blending, the dual part may not be orthogonal to the real part. The parallel component cancels out here.
vec3 translationOf(DualQuaternion q) {
    return 2.0 * (q.real.w * q.dual.xyz - q.dual.w * q.real.xyz + cross(q.real.xyz, q.dual.xyz));
}

// Divides by the length of the real part. A zero real part gives zero.
DualQuaternion unitDual(DualQuaternion q) {
    float squared = dot(q.real, q.real);
    float scale = squared > 0.0 ? inversesqrt(squared) : 0.0;
    return DualQuaternion(q.real * scale, q.dual * scale);
}

// -1 if `real` must be negated into the pivot's hemisphere, else 1. q and -q are the same rotation but cancel out.
float sideOf(vec4 pivot, vec4 real) {
    return dot(pivot, real) < 0.0 ? -1.0 : 1.0;
}

#endif
