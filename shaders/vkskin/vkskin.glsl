// vkskin.glsl: for the host's shaders: unpacks the attributes that vkskin's kernels write (VKSKIN_VERTEX_PACKED and, for
// shaders that read buffers, VKSKIN_VERTEX_SNORM10).
// Enable GL_GOOGLE_include_directive to include it. It declares only functions.
#ifndef VKSKIN_GLSL
#define VKSKIN_GLSL

// Octahedral square [-1, 1]^2 -> unit vector. Cigolle et al. 2014, "A Survey of Efficient Representations for
// Independent Unit Vectors".
vec3 vkskinOctahedralDecode(vec2 e) {
    vec3 v = vec3(e, 1.0 - abs(e.x) - abs(e.y));
    float fold = max(-v.z, 0.0);
    v.x += v.x >= 0.0 ? -fold : fold;
    v.y += v.y >= 0.0 ? -fold : fold;
    return normalize(v);
}

// Vector of any length except zero -> octahedral square. Inverse of vkskinOctahedralDecode.
vec2 vkskinOctahedralEncode(vec3 v) {
    float sum = abs(v.x) + abs(v.y) + abs(v.z);
    // The lower half is folded over the square's edges, away from zero: 1 - |e.y| = (|v.x| + |v.z|) / sum.
    uint fold = floatBitsToUint(max(-v.z, 0.0));
    uvec2 signs = floatBitsToUint(v.xy) & 0x80000000u;
    return (v.xy + uintBitsToFloat(fold | signs)) / sum;
}

// Unpacks the first word of a packed vertex: two snorm16.
vec3 vkskinUnpackNormal(uint word) {
    return vkskinOctahedralDecode(unpackSnorm2x16(word));
}

// Unpacks the second word: snorm16, snorm15 and one bit for the handedness. w: the handedness, +1 or -1.
vec4 vkskinUnpackTangent(uint word) {
    int x = int(word << 16) >> 16;
    int y = int(word << 1) >> 17;
    vec2 e = clamp(vec2(float(x) / 32767.0, float(y) / 16383.0), -1.0, 1.0);
    return vec4(vkskinOctahedralDecode(e), (word & 0x80000000u) != 0u ? -1.0 : 1.0);
}

uint vkskinPackNormal(vec3 normal) {
    return packSnorm2x16(vkskinOctahedralEncode(normal));
}

uint vkskinPackTangent(vec3 tangent, float handedness) {
    // y in 15 bits is y / 2 in 16, without the first of them, which equals the second.
    uint word = packSnorm2x16(vkskinOctahedralEncode(tangent) * vec2(1.0, 16383.0 / 32767.0));
    return (word & 0x7fffffffu) | (floatBitsToUint(handedness) & 0x80000000u);
}

// Unpacks a word of VKSKIN_VERTEX_SNORM10, as vertex input does: snorm10, 10, 10 and 2.
vec4 vkskinUnpackSnorm10(uint word) {
    int bits = int(word);
    vec4 v = vec4(float((bits << 22) >> 22), float((bits << 12) >> 22), float((bits << 2) >> 22), float(bits >> 30));
    return max(v / vec4(511.0, 511.0, 511.0, 1.0), -1.0);
}

// v: of unit length. w: -1, 0 or 1.
uint vkskinPackSnorm10(vec3 v, float w) {
    uvec3 bits = uvec3(ivec3(round(v * 511.0))) & 0x3ffu;
    return bits.x | (bits.y << 10) | (bits.z << 20) | (uint(int(w)) << 30);
}

#endif
