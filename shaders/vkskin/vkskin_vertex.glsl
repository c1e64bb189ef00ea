// vkskin_vertex.glsl: for the host's shaders: reads a palette in each encoding of VkskinPaletteEncoding, blends bones and
// transforms a vertex. vkskin's kernels use the same functions. Enable GL_GOOGLE_include_directive to include it. It
// declares only types and functions.
//
// To read palettes from a buffer, define one or both of these before you include this file:
//     VKSKIN_PALETTE_VECTOR(at)   vec4 number `at` of the buffer: an element of a storage buffer or uniform block of
//                                 vec4, or a texel of a samplerBuffer. For encodings of whole float4.
//     VKSKIN_PALETTE_WORD(at)     uint number `at` of the buffer. For the half, snorm16 and 2x3 encodings.
// `first` is VkskinPaletteLocation.offset / 16 if the whole buffer is bound.
//
// A vertex with two influences, linear blending:
//     VkskinMatrix sum = vkskinBegin(weights.x, vkskinReadMatrix(first, joints.x));
//     vkskinAdd(weights.y, vkskinReadMatrix(first, joints.y), sum);
//     VkskinMatrix bone = vkskinEnd(sum);
//     vec3 skinned = vkskinMovePoint(bone, position);
// The same code blends VkskinDual and VkskinStretched; their sum has another type. Begin with the largest influence.
#ifndef VKSKIN_VERTEX_GLSL
#define VKSKIN_VERTEX_GLSL

// ---- Rows of 3x3 matrices ----

// Not an array: some drivers keep arrays in memory.
struct VkskinRows {
    vec3 x, y, z;
};

vec3 vkskinMapVector(VkskinRows rows, vec3 v) {
    return vec3(dot(rows.x, v), dot(rows.y, v), dot(rows.z, v));
}

// A power of two near 1 / size, at least the smallest normal float.
float vkskinInverseSize(float size) {
    return intBitsToFloat(max(0x7f000000 - (floatBitsToInt(size) & 0x7f800000), 0x00800000));
}

// Scales the largest element to about 1. Products of elements then fit a float, whatever the size of the bone.
VkskinRows vkskinBringToOne(VkskinRows rows) {
    vec3 size = max(max(abs(rows.x), abs(rows.y)), abs(rows.z));
    float inverse = vkskinInverseSize(max(max(size.x, size.y), size.z));
    return VkskinRows(inverse * rows.x, inverse * rows.y, inverse * rows.z);
}

// The inverse transpose up to a positive factor: the cofactors times the sign of the determinant. Cofactors also exist
// for a matrix without an inverse.
vec3 vkskinMapNormal(VkskinRows sized, vec3 normal) {
    VkskinRows rows = vkskinBringToOne(sized);
    VkskinRows cofactors = VkskinRows(cross(rows.y, rows.z), cross(rows.z, rows.x), cross(rows.x, rows.y));
    float side = dot(rows.x, cofactors.x) < 0.0 ? -1.0 : 1.0;
    return side * vkskinMapVector(cofactors, normal);
}

// ---- Quaternions (x, y, z, w) ----

vec3 vkskinRotate(vec4 q, vec3 v) {
    return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}

// The rotation matrix of a unit quaternion.
VkskinRows vkskinRotationRows(vec4 q) {
    vec3 d = 2.0 * q.xyz;
    vec3 square = q.xyz * d;
    float xy = q.x * d.y, xz = q.x * d.z, yz = q.y * d.z;
    vec3 w = q.w * d;
    return VkskinRows(vec3(1.0 - square.y - square.z, xy - w.z, xz + w.y),
                      vec3(xy + w.z, 1.0 - square.x - square.z, yz - w.x),
                      vec3(xz - w.y, yz + w.x, 1.0 - square.x - square.y));
}

// Normalises a rotation that was stored in few bits. Zero stays zero.
vec4 vkskinUnitRotation(vec4 q) {
    float squared = dot(q, q);
    return q * (squared > 0.0 ? inversesqrt(squared) : 0.0);
}

// -1 if `real` must be negated into the pivot's hemisphere, else 1. q and -q are the same rotation but cancel out.
float vkskinSideOf(vec4 pivot, vec4 real) {
    return dot(pivot, real) < 0.0 ? -1.0 : 1.0;
}

// ---- Bones as 3x4 matrices: linear blending ----

struct VkskinMatrix {
    vec4 x, y, z; // rows; w is the translation
};

VkskinRows vkskinRowsOf(VkskinMatrix bone) {
    return VkskinRows(bone.x.xyz, bone.y.xyz, bone.z.xyz);
}

// translationAndScale: a uniform scale in w
VkskinMatrix vkskinMatrixOf(vec4 rotation, vec4 translationAndScale) {
    VkskinRows rows = vkskinRotationRows(rotation);
    vec3 t = translationAndScale.xyz;
    float s = translationAndScale.w;
    return VkskinMatrix(vec4(s * rows.x, t.x), vec4(s * rows.y, t.y), vec4(s * rows.z, t.z));
}

VkskinMatrix vkskinBegin(float weight, VkskinMatrix bone) {
    return VkskinMatrix(weight * bone.x, weight * bone.y, weight * bone.z);
}

void vkskinAdd(float weight, VkskinMatrix bone, inout VkskinMatrix sum) {
    sum.x += weight * bone.x;
    sum.y += weight * bone.y;
    sum.z += weight * bone.z;
}

VkskinMatrix vkskinEnd(VkskinMatrix sum) {
    return sum;
}

vec3 vkskinMovePoint(VkskinMatrix bone, vec3 point) {
    return vkskinMapVector(vkskinRowsOf(bone), point) + vec3(bone.x.w, bone.y.w, bone.z.w);
}

// For tangents. The result is not of unit length.
vec3 vkskinTurnVector(VkskinMatrix bone, vec3 v) {
    return vkskinMapVector(vkskinRowsOf(bone), v);
}

// Right for every scale and shear (VKSKIN_NORMALS_EXACT). The result is not of unit length. If all bones have uniform
// scale, vkskinTurnVector is faster and enough.
vec3 vkskinTurnNormal(VkskinMatrix bone, vec3 normal) {
    return vkskinMapNormal(vkskinRowsOf(bone), normal);
}

// ---- Bones as dual quaternions ----

struct VkskinDual {
    vec4 real;
    vec4 dual;
};

struct VkskinDualSum {
    VkskinDual sum;
    vec4 pivot; // real part of the first influence; the others are negated into its hemisphere
};

// After blending, the dual part may not be orthogonal to the real part. The parallel component cancels out here.
vec3 vkskinTranslationOf(VkskinDual q) {
    return 2.0 * (q.real.w * q.dual.xyz - q.dual.w * q.real.xyz + cross(q.real.xyz, q.dual.xyz));
}

// Divides by the length of the real part. A zero real part gives zero.
VkskinDual vkskinUnitDual(VkskinDual q) {
    float squared = dot(q.real, q.real);
    float scale = squared > 0.0 ? inversesqrt(squared) : 0.0;
    return VkskinDual(q.real * scale, q.dual * scale);
}

VkskinDualSum vkskinBegin(float weight, VkskinDual bone) {
    return VkskinDualSum(VkskinDual(weight * bone.real, weight * bone.dual), bone.real);
}

void vkskinAdd(float weight, VkskinDual bone, inout VkskinDualSum total) {
    float turned = weight * vkskinSideOf(total.pivot, bone.real);
    total.sum.real += turned * bone.real;
    total.sum.dual += turned * bone.dual;
}

VkskinDual vkskinEnd(VkskinDualSum total) {
    return vkskinUnitDual(total.sum);
}

vec3 vkskinMovePoint(VkskinDual bone, vec3 point) {
    return vkskinRotate(bone.real, point) + vkskinTranslationOf(bone);
}

vec3 vkskinTurnVector(VkskinDual bone, vec3 v) {
    return vkskinRotate(bone.real, v);
}

vec3 vkskinTurnNormal(VkskinDual bone, vec3 normal) {
    return vkskinRotate(bone.real, normal);
}

// ---- Bones as a symmetric stretch followed by a dual quaternion ----

struct VkskinStretched {
    VkskinDual rigid;
    vec3 diagonal; // xx, yy, zz
    vec3 across;   // xy, xz, yz
};

// The rigid part and the stretch are summed separately: the two phases of Kavan et al. 2008.
struct VkskinStretchedSum {
    VkskinDualSum rigid;
    vec3 diagonal;
    vec3 across;
};

VkskinRows vkskinStretchRows(VkskinStretched bone) {
    vec3 d = bone.diagonal, a = bone.across;
    return VkskinRows(vec3(d.x, a.x, a.y), vec3(a.x, d.y, a.z), vec3(a.y, a.z, d.z));
}

VkskinStretchedSum vkskinBegin(float weight, VkskinStretched bone) {
    return VkskinStretchedSum(vkskinBegin(weight, bone.rigid), weight * bone.diagonal, weight * bone.across);
}

void vkskinAdd(float weight, VkskinStretched bone, inout VkskinStretchedSum total) {
    vkskinAdd(weight, bone.rigid, total.rigid);
    total.diagonal += weight * bone.diagonal;
    total.across += weight * bone.across;
}

VkskinStretched vkskinEnd(VkskinStretchedSum total) {
    return VkskinStretched(vkskinEnd(total.rigid), total.diagonal, total.across);
}

vec3 vkskinTurnVector(VkskinStretched bone, vec3 v) {
    return vkskinRotate(bone.rigid.real, vkskinMapVector(vkskinStretchRows(bone), v));
}

vec3 vkskinMovePoint(VkskinStretched bone, vec3 point) {
    return vkskinTurnVector(bone, point) + vkskinTranslationOf(bone.rigid);
}

vec3 vkskinTurnNormal(VkskinStretched bone, vec3 normal) {
    return vkskinRotate(bone.rigid.real, vkskinMapNormal(vkskinStretchRows(bone), normal));
}

// ---- Palettes in buffers ----

#ifdef VKSKIN_PALETTE_VECTOR
// VKSKIN_PALETTE_MAT3X4
VkskinMatrix vkskinReadMatrix(uint first, uint joint) {
    uint at = first + joint * 3;
    return VkskinMatrix(VKSKIN_PALETTE_VECTOR(at), VKSKIN_PALETTE_VECTOR(at + 1), VKSKIN_PALETTE_VECTOR(at + 2));
}

// VKSKIN_PALETTE_QUATERNION
VkskinMatrix vkskinReadQuaternion(uint first, uint joint) {
    uint at = first + joint * 2;
    return vkskinMatrixOf(VKSKIN_PALETTE_VECTOR(at), VKSKIN_PALETTE_VECTOR(at + 1));
}

// VKSKIN_PALETTE_DUAL_QUATERNION
VkskinDual vkskinReadDual(uint first, uint joint) {
    uint at = first + joint * 2;
    return VkskinDual(VKSKIN_PALETTE_VECTOR(at), VKSKIN_PALETTE_VECTOR(at + 1));
}

// VKSKIN_PALETTE_SCALED_DUAL_QUATERNION
VkskinStretched vkskinReadStretched(uint first, uint joint) {
    uint at = first + joint * 4;
    vec4 s = VKSKIN_PALETTE_VECTOR(at + 2);
    return VkskinStretched(VkskinDual(VKSKIN_PALETTE_VECTOR(at), VKSKIN_PALETTE_VECTOR(at + 1)), s.xyz,
                           vec3(s.w, VKSKIN_PALETTE_VECTOR(at + 3).xy));
}
#endif

#ifdef VKSKIN_PALETTE_WORD
// VKSKIN_PALETTE_QUATERNION_HALF
VkskinMatrix vkskinReadQuaternionHalf(uint first, uint joint) {
    uint at = (first + joint) * 4;
    vec4 rotation =
        vec4(unpackHalf2x16(VKSKIN_PALETTE_WORD(at)), unpackHalf2x16(VKSKIN_PALETTE_WORD(at + 1)));
    return vkskinMatrixOf(vkskinUnitRotation(rotation), vec4(unpackHalf2x16(VKSKIN_PALETTE_WORD(at + 2)),
                                                             unpackHalf2x16(VKSKIN_PALETTE_WORD(at + 3))));
}

// VKSKIN_PALETTE_QUATERNION_SNORM16
VkskinMatrix vkskinReadQuaternionSnorm16(uint first, uint joint) {
    uint at = first * 4 + joint * 6;
    vec4 rotation =
        vec4(unpackSnorm2x16(VKSKIN_PALETTE_WORD(at)), unpackSnorm2x16(VKSKIN_PALETTE_WORD(at + 1)));
    uvec4 rest = uvec4(VKSKIN_PALETTE_WORD(at + 2), VKSKIN_PALETTE_WORD(at + 3), VKSKIN_PALETTE_WORD(at + 4),
                       VKSKIN_PALETTE_WORD(at + 5));
    return vkskinMatrixOf(vkskinUnitRotation(rotation), uintBitsToFloat(rest));
}

// VKSKIN_PALETTE_MAT2X3: z becomes 0
VkskinMatrix vkskinReadMatrix2x3(uint first, uint joint) {
    uint at = first * 4 + joint * 6;
    vec3 x = uintBitsToFloat(
        uvec3(VKSKIN_PALETTE_WORD(at), VKSKIN_PALETTE_WORD(at + 1), VKSKIN_PALETTE_WORD(at + 2)));
    vec3 y = uintBitsToFloat(
        uvec3(VKSKIN_PALETTE_WORD(at + 3), VKSKIN_PALETTE_WORD(at + 4), VKSKIN_PALETTE_WORD(at + 5)));
    return VkskinMatrix(vec4(x.xy, 0.0, x.z), vec4(y.xy, 0.0, y.z), vec4(0));
}
#endif

// ---- Palettes in images, which the host writes ----
// `first` is the texel of the palette's first bone. No filtering: each reads whole texels.

// RGBA32F or RGBA16F: a bone per column, the three rows of its matrix downwards.
VkskinMatrix vkskinFetchMatrix(sampler2D palettes, ivec2 first, uint joint) {
    ivec2 at = first + ivec2(joint, 0);
    return VkskinMatrix(texelFetch(palettes, at, 0), texelFetch(palettes, at + ivec2(0, 1), 0),
                        texelFetch(palettes, at + ivec2(0, 2), 0));
}

// RGBA32F or RGBA16F: two texels per bone, side by side: rotation, then translation and uniform scale. Rows of RGBA32F
// are palettes of VKSKIN_PALETTE_QUATERNION.
VkskinMatrix vkskinFetchQuaternion(sampler2D palettes, ivec2 first, uint joint) {
    ivec2 at = first + ivec2(joint * 2, 0);
    return vkskinMatrixOf(vkskinUnitRotation(texelFetch(palettes, at, 0)), texelFetch(palettes, at + ivec2(1, 0), 0));
}

// Two images with one texel per bone: the rotation (also RGBA16_SNORM), and translation and uniform scale.
VkskinMatrix vkskinFetchQuaternion(sampler2D rotations, sampler2D translations, ivec2 first, uint joint) {
    ivec2 at = first + ivec2(joint, 0);
    return vkskinMatrixOf(vkskinUnitRotation(texelFetch(rotations, at, 0)), texelFetch(translations, at, 0));
}

#endif
