// moves.glsl: transforms a vertex with a bone of vkskin_vertex.glsl.
//
// A kernel includes this file after it has defined Bone as one of the three types of bones.
#ifndef MOVES_GLSL
#define MOVES_GLSL

vec3 movePoint(Bone bone, vec3 point) {
    return vkskinMovePoint(bone, point);
}

vec3 turnVector(Bone bone, vec3 v) {
    return vkskinTurnVector(bone, v);
}

vec3 turnNormal(Bone bone, vec3 normal) {
    return EXACT_NORMALS == 1 ? vkskinTurnNormal(bone, normal) : vkskinTurnVector(bone, normal);
}

#endif
