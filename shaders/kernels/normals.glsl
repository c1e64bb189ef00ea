// normals.glsl: vectors through a linear map given by its rows.
#ifndef NORMALS_GLSL
#define NORMALS_GLSL

vec3 mapVector(vec3 rows[3], vec3 v) {
    return vec3(dot(rows[0], v), dot(rows[1], v), dot(rows[2], v));
}

// The inverse transpose but for its size: the cofactors, with the determinant's sign. A map without an inverse has
// cofactors still.
vec3 mapNormalExactly(vec3 rows[3], vec3 normal) {
    vec3 cofactors[3] = vec3[3](cross(rows[1], rows[2]), cross(rows[2], rows[0]), cross(rows[0], rows[1]));
    float side = dot(rows[0], cofactors[0]) < 0.0 ? -1.0 : 1.0;
    return side * mapVector(cofactors, normal);
}

vec3 mapNormal(vec3 rows[3], vec3 normal) {
    return EXACT_NORMALS == 1 ? mapNormalExactly(rows, normal) : mapVector(rows, normal);
}

#endif
