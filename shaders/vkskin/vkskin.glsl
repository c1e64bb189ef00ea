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
    vec2 e = v.xy / sum;
    // The lower half is folded over the square's edges: 1 - |e.y| = |e.x| + |z| / sum.
    float fold = max(-v.z / sum, 0.0);
    return vec2(e.x + (e.x >= 0.0 ? fold : -fold), e.y + (e.y >= 0.0 ? fold : -fold));
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
    vec2 e = vkskinOctahedralEncode(tangent);
    uint x = uint(int(round(e.x * 32767.0))) & 0xffffu;
    uint y = uint(int(round(e.y * 16383.0))) & 0x7fffu;
    return x | (y << 16) | (handedness < 0.0 ? 0x80000000u : 0u);
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
