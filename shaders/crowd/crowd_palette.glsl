// crowd_palette.glsl: writes a bone to a palette in each encoding of VkskinPaletteEncoding. Defined before: the buffers
// `vectors` and `words`, two views of the palettes; vkskin_vertex.glsl.
#ifndef CROWD_PALETTE_GLSL
#define CROWD_PALETTE_GLSL

// VkskinPaletteEncoding
#define ENCODING_MATRIX             0u
#define ENCODING_DUAL_QUATERNION    1u
#define ENCODING_SCALED_DUAL        2u
#define ENCODING_QUATERNION         3u
#define ENCODING_QUATERNION_HALF    4u
#define ENCODING_QUATERNION_SNORM16 5u
#define ENCODING_FLAT               6u

#define LARGEST_FLOAT 3.4e38
#define LARGEST_HALF  65504.0
#define NO_HALF       65520.0 // the smallest number that rounds to infinity

// ---- Rotations of matrices ----

vec4 quaternionOf(VkskinRows m) {
    float trace = m.x.x + m.y.y + m.z.z;
    vec4 q;
    if (trace >= max(max(m.x.x, m.y.y), m.z.z)) {
        q = vec4(m.z.y - m.y.z, m.x.z - m.z.x, m.y.x - m.x.y, 1.0 + trace);
    } else if (m.x.x >= m.y.y && m.x.x >= m.z.z) {
        q = vec4(1.0 + m.x.x - m.y.y - m.z.z, m.y.x + m.x.y, m.x.z + m.z.x, m.z.y - m.y.z);
    } else if (m.y.y >= m.z.z) {
        q = vec4(m.y.x + m.x.y, 1.0 + m.y.y - m.x.x - m.z.z, m.z.y + m.y.z, m.x.z - m.z.x);
    } else {
        q = vec4(m.x.z + m.z.x, m.z.y + m.y.z, 1.0 + m.z.z - m.x.x - m.y.y, m.y.x - m.x.y);
    }
    return q * inversesqrt(dot(q, q));
}

VkskinRows scaled(VkskinRows m, float factor) {
    return VkskinRows(m.x * factor, m.y * factor, m.z * factor);
}

VkskinRows added(VkskinRows a, VkskinRows b) {
    return VkskinRows(a.x + b.x, a.y + b.y, a.z + b.z);
}

VkskinRows cofactorsOf(VkskinRows m) {
    return VkskinRows(cross(m.y, m.z), cross(m.z, m.x), cross(m.x, m.y));
}

float sizeOf(VkskinRows m) {
    return sqrt(dot(m.x, m.x) + dot(m.y, m.y) + dot(m.z, m.z));
}

// The rotation R of M = R S, S symmetric; of -M if M mirrors. The identity if two or three axes have no length.
// Matrix and cofactors have the same singular vectors. Their sum therefore has the same rotation, also if M is flat.
// Then Newton's iteration: the mean of the matrix and its inverse transpose.
VkskinRows rotationOf(VkskinRows matrix) {
    VkskinRows m = vkskinBringToOne(matrix);
    VkskinRows cofactors = cofactorsOf(m);
    float size = sizeOf(m), cofactorSize = sizeOf(cofactors);
    if (!(cofactorSize > 1e-6 * size * size)) {
        return VkskinRows(vec3(1.0, 0.0, 0.0), vec3(0.0, 1.0, 0.0), vec3(0.0, 0.0, 1.0));
    }
    float side = dot(m.x, cofactors.x) < 0.0 ? -1.0 : 1.0;
    m = added(scaled(m, 0.866 * side / size), scaled(cofactors, 0.866 / cofactorSize));
    for (int step = 0; step < 8; step++) {
        cofactors = cofactorsOf(m);
        VkskinRows next = added(scaled(m, 0.5), scaled(cofactors, 0.5 / dot(m.x, cofactors.x)));
        vec3 change = max(max(abs(next.x - m.x), abs(next.y - m.y)), abs(next.z - m.z));
        m = next;
        if (max(max(change.x, change.y), change.z) < 1e-4) {
            break; // the error is the square of the change
        }
    }
    return m;
}

// ---- Entries ----

vec4 dualPart(vec4 q, vec3 t) {
    return 0.5 * vec4(t * q.w + cross(t, q.xyz), -dot(t, q.xyz));
}

void writeDual(uint at, VkskinMatrix bone) {
    vec4 q = quaternionOf(rotationOf(vkskinRowsOf(bone)));
    vectors[at] = q;
    vectors[at + 1u] = dualPart(q, vec3(bone.x.w, bone.y.w, bone.z.w));
}

void writeScaledDual(uint at, VkskinMatrix bone) {
    VkskinRows m = vkskinRowsOf(bone);
    vec4 q = quaternionOf(rotationOf(m));
    VkskinRows r = vkskinRotationRows(q);
    // The transpose of r times m.
    vec3 x = r.x.x * m.x + r.y.x * m.y + r.z.x * m.z;
    vec3 y = r.x.y * m.x + r.y.y * m.y + r.z.y * m.z;
    vec3 z = r.x.z * m.x + r.y.z * m.y + r.z.z * m.z;
    vectors[at] = q;
    vectors[at + 1u] = dualPart(q, vec3(bone.x.w, bone.y.w, bone.z.w));
    vectors[at + 2u] = vec4(x.x, y.y, z.z, 0.5 * (x.y + y.x));
    vectors[at + 3u] = vec4(0.5 * (x.z + z.x), 0.5 * (y.z + z.y), 0.0, 0.0);
}

// The rotation, and the uniform scale of the same volume.
void similarityOf(VkskinMatrix bone, out vec4 q, out float scale) {
    VkskinRows m = vkskinRowsOf(bone);
    vec3 size = max(max(abs(m.x), abs(m.y)), abs(m.z));
    float inverse = vkskinInverseSize(max(max(size.x, size.y), size.z));
    VkskinRows unit = scaled(m, inverse); // its determinant fits a float
    float volume = dot(unit.x, cross(unit.y, unit.z));
    scale = sign(volume) * pow(abs(volume), 1.0 / 3.0);
    // pow of a float is coarse: one Newton step.
    scale = volume == 0.0 ? 0.0 : scale - (scale * scale * scale - volume) / (3.0 * scale * scale);
    scale = scale / inverse;
    q = quaternionOf(rotationOf(m));
}

uint signedPair(float a, float b) {
    int x = int(round(32767.0 * clamp(a, -1.0, 1.0))), y = int(round(32767.0 * clamp(b, -1.0, 1.0)));
    return (uint(x) & 0xffffu) | uint(y) << 16;
}

uint halfPair(float a, float b) {
    return packHalf2x16(clamp(vec2(a, b), vec2(-LARGEST_HALF), vec2(LARGEST_HALF)));
}

void writeQuaternion(uint encoding, uint at, VkskinMatrix bone) {
    vec4 q;
    float scale;
    similarityOf(bone, q, scale);
    if (encoding == ENCODING_QUATERNION) {
        vectors[at / 4u] = q;
        vectors[at / 4u + 1u] = vec4(bone.x.w, bone.y.w, bone.z.w, scale);
    } else if (encoding == ENCODING_QUATERNION_HALF) {
        vec4 moved = vec4(bone.x.w, bone.y.w, bone.z.w, scale);
        if (any(greaterThanEqual(abs(moved), vec4(NO_HALF)))) { // as a bone that is not finite
            q = vec4(0.0, 0.0, 0.0, 1.0);
            moved = vec4(0.0);
        }
        words[at] = halfPair(q.x, q.y);
        words[at + 1u] = halfPair(q.z, q.w);
        words[at + 2u] = halfPair(moved.x, moved.y);
        words[at + 3u] = halfPair(moved.z, moved.w);
    } else {
        words[at] = signedPair(q.x, q.y);
        words[at + 1u] = signedPair(q.z, q.w);
        words[at + 2u] = floatBitsToUint(bone.x.w);
        words[at + 3u] = floatBitsToUint(bone.y.w);
        words[at + 4u] = floatBitsToUint(bone.z.w);
        words[at + 5u] = floatBitsToUint(scale);
    }
}

void writeFlat(uint at, VkskinMatrix bone) {
    words[at] = floatBitsToUint(bone.x.x);
    words[at + 1u] = floatBitsToUint(bone.x.y);
    words[at + 2u] = floatBitsToUint(bone.x.w);
    words[at + 3u] = floatBitsToUint(bone.y.x);
    words[at + 4u] = floatBitsToUint(bone.y.y);
    words[at + 5u] = floatBitsToUint(bone.y.w);
}

bool isFinite(vec4 row) {
    return all(lessThanEqual(abs(row), vec4(LARGEST_FLOAT))); // false for NaN
}

// palette: word where the palette of the slot begins. A bone that is not finite becomes the zero matrix, so that its
// vertices are at the origin and nothing stale is read.
void writeBone(uint encoding, uint palette, uint bone, VkskinMatrix matrix) {
    if (!(isFinite(matrix.x) && isFinite(matrix.y) && isFinite(matrix.z))) {
        matrix = VkskinMatrix(vec4(0.0), vec4(0.0), vec4(0.0));
    }
    // Loops that end after one round, see crowd_pose.comp.
    for (bool once = encoding == ENCODING_MATRIX; once; once = false) {
        uint at = palette / 4u + 3u * bone;
        vectors[at] = matrix.x;
        vectors[at + 1u] = matrix.y;
        vectors[at + 2u] = matrix.z;
    }
    for (bool once = encoding == ENCODING_DUAL_QUATERNION; once; once = false) {
        writeDual(palette / 4u + 2u * bone, matrix);
    }
    for (bool once = encoding == ENCODING_SCALED_DUAL; once; once = false) {
        writeScaledDual(palette / 4u + 4u * bone, matrix);
    }
    for (bool once = encoding >= ENCODING_QUATERNION && encoding != ENCODING_FLAT; once; once = false) {
        uint entryWords = encoding == ENCODING_QUATERNION ? 8u : encoding == ENCODING_QUATERNION_HALF ? 4u : 6u;
        writeQuaternion(encoding, palette + entryWords * bone, matrix);
    }
    for (bool once = encoding == ENCODING_FLAT; once; once = false) {
        writeFlat(palette + 6u * bone, matrix);
    }
}

#endif
