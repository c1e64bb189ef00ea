// morphs.glsl: a vertex, and the morph targets that have a weight.
#ifndef MORPHS_GLSL
#define MORPHS_GLSL

// Words of a position: a kernel for flat meshes says 2.
#ifndef POSITION_WORDS
#define POSITION_WORDS 3
#endif

layout(constant_id = LAYOUT_CONSTANT_ATTRIBUTES) const uint ATTRIBUTES = 2;

layout(set = LAYOUT_SET_TABLE, binding = 0, std430) readonly buffer Table { uint table[]; };

struct Vertex {
    vec3 position;
    vec3 normal;
    vec4 tangent;
};

vec3 readMeshPosition(uint stream, uint index) {
    uint at = stream + index * POSITION_WORDS;
    return POSITION_WORDS == 2 ? vec3(readMeshVec2(at), 0.0) : readMeshVec3(at);
}

LayoutMorph readMorph(uint at) {
    return LayoutMorph(meshWords[at], meshWords[at + 1], meshWords[at + 2], meshWords[at + 3], meshWords[at + 4],
                       meshWords[at + 5]);
}

void addDeltas(LayoutMorph morph, uint delta, float weight, inout Vertex vertex) {
    if (morph.positions != 0) {
        vertex.position += weight * readMeshPosition(morph.positions, delta);
    }
    if (ATTRIBUTES >= 1 && morph.normals != 0) {
        vertex.normal += weight * readMeshVec3(morph.normals + delta * 3);
    }
    if (ATTRIBUTES == 2 && morph.tangents != 0) {
        vertex.tangent.xyz += weight * readMeshVec3(morph.tangents + delta * 3);
    }
}

// at: of `count` LayoutMorphWeight in the table. place: the vertex's, classes following one another.
void addMorphs(uint at, uint count, uint place, inout Vertex vertex) {
    uint bit = 1u << (place & 31u);
    for (uint i = 0; i < count; i++, at += LAYOUT_MORPH_WEIGHT_WORDS) {
        LayoutMorph morph = readMorph(table[at]);
        uint block = place / 32 - morph.firstBlock; // wraps around before the first
        if (block < morph.blockCount) {
            uint moved = meshWords[morph.blocks + block * 2];
            if ((moved & bit) != 0) {
                uint delta = meshWords[morph.blocks + block * 2 + 1] + bitCount(moved & (bit - 1u));
                addDeltas(morph, delta, uintBitsToFloat(table[at + 1]), vertex);
            }
        }
    }
}

#endif
