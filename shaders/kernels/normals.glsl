// normals.glsl: transforms vectors and normals with a 3x3 matrix given by its rows.
#ifndef NORMALS_GLSL
#define NORMALS_GLSL

#include "rows.glsl"

vec3 mapVector(Rows rows, vec3 v) {
    return vec3(dot(rows.x, v), dot(rows.y, v), dot(rows.z, v));
}

// A power of two near 1 / size, at least the smallest normal float.
float inverseSize(float size) {
    return intBitsToFloat(max(0x7f000000 - (floatBitsToInt(size) & 0x7f800000), 0x00800000));
}

// Scales the largest element to about 1. Products of elements then fit a float, whatever the size of the bone.
Rows bringToOne(Rows rows) {
    vec3 size = max(max(abs(rows.x), abs(rows.y)), abs(rows.z));
    float inverse = inverseSize(max(max(size.x, size.y), size.z));
    return Rows(inverse * rows.x, inverse * rows.y, inverse * rows.z);
}

// The inverse transpose up to a positive factor: the cofactors times the sign of the determinant. Cofactors also exist
// for a matrix without an inverse.
vec3 mapNormalExactly(Rows sized, vec3 normal) {
    Rows rows = bringToOne(sized);
    Rows cofactors = Rows(cross(rows.y, rows.z), cross(rows.z, rows.x), cross(rows.x, rows.y));
    float side = dot(rows.x, cofactors.x) < 0.0 ? -1.0 : 1.0;
    return side * mapVector(cofactors, normal);
}

vec3 mapNormal(Rows rows, vec3 normal) {
    return EXACT_NORMALS == 1 ? mapNormalExactly(rows, normal) : mapVector(rows, normal);
}

#endif
