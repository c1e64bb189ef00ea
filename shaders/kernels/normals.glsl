// normals.glsl: transforms vectors and normals with a 3x3 matrix given by its rows.
#ifndef NORMALS_GLSL
#define NORMALS_GLSL

#include "rows.glsl"

vec3 mapVector(Rows rows, vec3 v) {
    return vec3(dot(rows.x, v), dot(rows.y, v), dot(rows.z, v));
}

// The inverse transpose up to a positive factor: the cofactors times the sign of the determinant. Cofactors also exist
// for a matrix without an inverse.
vec3 mapNormalExactly(Rows rows, vec3 normal) {
    Rows cofactors = Rows(cross(rows.y, rows.z), cross(rows.z, rows.x), cross(rows.x, rows.y));
    float side = dot(rows.x, cofactors.x) < 0.0 ? -1.0 : 1.0;
    return side * mapVector(cofactors, normal);
}

vec3 mapNormal(Rows rows, vec3 normal) {
    return EXACT_NORMALS == 1 ? mapNormalExactly(rows, normal) : mapVector(rows, normal);
}

#endif
