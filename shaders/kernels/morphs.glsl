// morphs.glsl: a vertex, and the morph targets with a non-zero weight.
#ifndef MORPHS_GLSL
#define MORPHS_GLSL

// Words of a position; kernels for flat meshes define 2.
#ifndef POSITION_WORDS
#define POSITION_WORDS 3
#endif

layout(constant_id = LAYOUT_CONSTANT_ATTRIBUTES) const uint ATTRIBUTES = 2;

layout(set = LAYOUT_SET_TABLE, binding = 0, std430) readonly buffer Table {
    uint table[];
};

struct Vertex {
    vec3 position;
    vec3 normal;
    vec4 tangent;
};

vec3 readMeshPosition(uint stream, uint index) {
    uint at = stream + index * POSITION_WORDS;
    return POSITION_WORDS == 2 ? vec3(readMeshVec2(at), 0.0) : readMeshVec3(at);
}

#define READ_MESH_WORD(field)  value.field = meshWords[at++];
#define READ_TABLE_WORD(field) value.field = table[at++];

LAYOUT_READER(LayoutMorph, readMorph, LAYOUT_MORPH_FIELDS, READ_MESH_WORD)
LAYOUT_READER(LayoutMorphs, readMorphs, LAYOUT_MORPHS_FIELDS, READ_TABLE_WORD)
LAYOUT_READER(LayoutMorphWeight, readMorphWeight, LAYOUT_MORPH_WEIGHT_FIELDS, READ_TABLE_WORD)

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

// Whether the target moves the vertex with this index over all classes, and by which delta.
bool findDelta(LayoutMorph morph, uint place, out uint delta) {
    uint bit = 1u << (place & 31u);
    uint block = place / 32 - morph.firstBlock; // wraps for vertices before the first block
    delta = 0;
    if (block >= morph.blockCount) {
        return false;
    }
    uint moved = meshWords[morph.blocks + block * 2];
    delta = meshWords[morph.blocks + block * 2 + 1] + bitCount(moved & (bit - 1u));
    return (moved & bit) != 0;
}

// at: word offset of `count` LayoutMorphWeight in the table. place: the index of the vertex over all classes.
void addMorphs(uint at, uint count, uint place, inout Vertex vertex) {
    for (uint i = 0; i < count; i++, at += LAYOUT_MORPH_WEIGHT_WORDS) {
        LayoutMorphWeight part = readMorphWeight(at);
        LayoutMorph morph = readMorph(part.morph);
        uint delta;
        if (findDelta(morph, place, delta)) {
            addDeltas(morph, delta, uintBitsToFloat(part.weight), vertex);
        }
    }
}

#endif
