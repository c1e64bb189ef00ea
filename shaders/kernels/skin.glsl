// skin.glsl: the main function of all methods: finds the vertex and its instances, reads it once, blends, writes.
//
// A kernel includes this file after it has defined
//     Bone                                          the type of the blended transform of a vertex
//     Bone blendBones(uint palette, Influences influences, vec3 own)
//     vec3 readOwn(LayoutClass vertexClass, uint vertex)         additional vertex data of the method
//     vec3 movePoint(Bone, vec3)
//     vec3 turnVector(Bone, vec3), vec3 turnNormal(Bone, vec3)   need not return unit vectors
// Include influences.glsl first.
#ifndef SKIN_GLSL
#define SKIN_GLSL

#include "morphs.glsl"
#include "vkskin/vkskin.glsl"

layout(local_size_x_id = LAYOUT_CONSTANT_WORKGROUP_SIZE) in;
layout(constant_id = LAYOUT_CONSTANT_FORMAT) const uint FORMAT = 0;
layout(constant_id = LAYOUT_CONSTANT_INSTANCES_PER_THREAD) const uint INSTANCES_PER_THREAD = 16;
layout(constant_id = LAYOUT_CONSTANT_OWN_LAYOUT) const uint OWN_LAYOUT = 0;

#ifdef KERNEL_MORPHS
const bool MORPHS = true;
#else
const bool MORPHS = false;
#endif

#include "points.glsl"

const uint FORMAT_PACKED = 0;
const uint FORMAT_FLOAT = 1;
const uint FORMAT_SNORM10 = 2;

layout(set = LAYOUT_SET_OUTPUT, binding = 0, std430) writeonly buffer Output {
    uint outputWords[];
};

layout(push_constant) uniform Push {
    LayoutDispatch pass;
};

LAYOUT_READER(LayoutClass, readClass, LAYOUT_CLASS_FIELDS, READ_MESH_WORD)
LAYOUT_READER(LayoutJob, readJob, LAYOUT_JOB_FIELDS, READ_TABLE_WORD)
LAYOUT_READER(LayoutInstance, readInstance, LAYOUT_INSTANCE_FIELDS, READ_TABLE_WORD)

// Finds the last job with firstGroup <= group. A word of the first job is read before the loop, so that compilers load the
// table's descriptor once.
LayoutJob findJob(uint group) {
    uint firstGroup = readJob(pass.jobs).firstGroup;
    uint low = 0;
    uint high = pass.jobCount;
    while (high - low > 1) {
        uint middle = (low + high) / 2;
        uint other = readJob(pass.jobs + middle * LAYOUT_JOB_WORDS).firstGroup;
        if (other <= group) {
            low = middle;
            firstGroup = other;
        } else {
            high = middle;
        }
    }
    LayoutJob job = readJob(pass.jobs + low * LAYOUT_JOB_WORDS);
    job.firstGroup = firstGroup;
    return job;
}

uint attributeWords() {
    return FORMAT == FORMAT_FLOAT ? ATTRIBUTES * 4 - 1 : ATTRIBUTES;
}

Vertex readVertex(LayoutClass vertexClass, uint index) {
    Vertex vertex = Vertex(vec3(0), vec3(0, 0, 1), vec4(1, 0, 0, 1));
    if (INFLUENCE_POSITIONS == 0) {
        vertex.position = readMeshPosition(vertexClass.positions, index);
    }
    uint at = vertexClass.attributes + index * attributeWords();
    if (FORMAT == FORMAT_FLOAT) {
        if (ATTRIBUTES >= 1) {
            vertex.normal = readMeshVec3(at);
        }
        if (ATTRIBUTES == 2) {
            vertex.tangent = vec4(readMeshVec3(at + 3), readMeshFloat(at + 6));
        }
    } else { // snorm10 is a format of the output only
        if (ATTRIBUTES >= 1) {
            vertex.normal = vkskinUnpackNormal(meshWords[at]);
        }
        if (ATTRIBUTES == 2) {
            vertex.tangent = vkskinUnpackTangent(meshWords[at + 1]);
        }
    }
    return vertex;
}

// A bone with scale zero makes the vector zero: returns the fallback, not NaN. Scales first, because the square of a
// very small or large length does not fit a float.
vec3 unitOr(vec3 v, vec3 fallback) {
    float largest = max(max(abs(v.x), abs(v.y)), abs(v.z));
    vec3 scaled = v / largest;
    return largest > 0.0 ? scaled * inversesqrt(dot(scaled, scaled)) : fallback;
}

const vec3 NO_NORMAL = vec3(0, 0, 1);
const vec3 NO_TANGENT = vec3(1, 0, 0);

// Packing accepts vectors of any length except zero. Vectors of zero get a direction from an addend that is lost in all
// others: this is one operation, a comparison and selections are four.
const float ALMOST_ZERO = 1e-37;

void normaliseAttributes(inout Vertex vertex) {
    if (ATTRIBUTES >= 1) {
        vertex.normal = unitOr(vertex.normal, NO_NORMAL);
    }
    if (ATTRIBUTES == 2) {
        vertex.tangent.xyz = unitOr(vertex.tangent.xyz, NO_TANGENT);
    }
}

void skinVertex(uint palette, Influences influences, vec3 own, inout Vertex vertex) {
    if (INFLUENCES > 0) {
        Bone bone = blendBones(palette, influences, own);
        vertex.position = movePoint(bone, vertex.position);
        if (ATTRIBUTES >= 1) {
            vertex.normal = turnNormal(bone, vertex.normal);
        }
        if (ATTRIBUTES == 2) {
            vertex.tangent.xyz = turnVector(bone, vertex.tangent.xyz);
        }
    }
    if (FORMAT != FORMAT_PACKED || MORPHS) {
        normaliseAttributes(vertex);
    }
}

void writeVec3(uint at, vec3 v) {
    outputWords[at] = floatBitsToUint(v.x);
    outputWords[at + 1] = floatBitsToUint(v.y);
    outputWords[at + 2] = floatBitsToUint(v.z);
}

void writePosition(uint at, vec3 position) {
    if (POSITION_WORDS == 2) {
        outputWords[at] = floatBitsToUint(position.x);
        outputWords[at + 1] = floatBitsToUint(position.y);
    } else {
        writeVec3(at, position);
    }
}

// Word offsets of a vertex from the start of an instance's output.
struct Places {
    uint position, normal, tangent;
    bool w;
};

Places findPlaces(LayoutClass vertexClass, uint vertex) {
    if (OWN_LAYOUT == 0) { // constant strides: this is faster than to read them
        uint normal = vertexClass.outputNormal + vertex * attributeWords();
        return Places(vertex * POSITION_WORDS, normal, normal + (FORMAT == FORMAT_FLOAT ? 3 : 1), false);
    }
    return Places(vertexClass.outputPosition + vertex * vertexClass.positionStride,
                  vertexClass.outputNormal + vertex * vertexClass.normalStride,
                  vertexClass.outputTangent + vertex * vertexClass.tangentStride, vertexClass.positionW != 0);
}

void writeNormal(uint at, vec3 normal) {
    if (FORMAT == FORMAT_PACKED) {
        outputWords[at] = vkskinPackNormal(vec3(normal.xy, normal.z + ALMOST_ZERO));
    } else if (FORMAT == FORMAT_SNORM10) {
        outputWords[at] = vkskinPackSnorm10(normal, 0.0);
    } else {
        writeVec3(at, normal);
    }
}

void writeTangent(uint at, vec4 tangent) {
    if (FORMAT == FORMAT_PACKED) {
        outputWords[at] = vkskinPackTangent(vec3(tangent.x + ALMOST_ZERO, tangent.yz), tangent.w);
    } else if (FORMAT == FORMAT_SNORM10) {
        outputWords[at] = vkskinPackSnorm10(tangent.xyz, tangent.w);
    } else {
        writeVec3(at, tangent.xyz);
        outputWords[at + 3] = floatBitsToUint(tangent.w);
    }
}

void writeVertex(uint first, Places places, Vertex vertex) {
    writePosition(first + places.position, vertex.position);
    if (OWN_LAYOUT != 0 && places.w) {
        outputWords[first + places.position + 3] = floatBitsToUint(1.0);
    }
    if (ATTRIBUTES >= 1) {
        writeNormal(first + places.normal, vertex.normal);
    }
    if (ATTRIBUTES == 2) {
        writeTangent(first + places.tangent, vertex.tangent);
    }
}

Vertex skinMorphed(LayoutInstance instance, Influences influences, Points points, vec3 own, uint place, Vertex vertex) {
    bool morphed = MORPHS && instance.morphs != 0;
    uint at = instance.morphs + LAYOUT_MORPH_WEIGHT_WORDS;
    LayoutMorphs morphs = LayoutMorphs(0, 0);
    if (morphed) {
        morphs = readMorphs(instance.morphs);
    }
    if (INFLUENCE_POSITIONS == 1) {
        vertex.position.xy = skinPoints(instance.palette, influences, points, at, morphs.before, place);
    } else {
        if (morphed) {
            addMorphs(at, morphs.before, place, vertex);
        }
        skinVertex(instance.palette, influences, own, vertex);
    }
    if (morphed) {
        addMorphs(at + morphs.before * LAYOUT_MORPH_WEIGHT_WORDS, morphs.after, place, vertex);
        normaliseAttributes(vertex);
    }
    return vertex;
}

void main() {
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (group >= pass.groupCount) {
        return;
    }
    LayoutJob job = findJob(group);
    LayoutClass vertexClass = readClass(job.vertexClass);
    uint thread = (group - job.firstGroup) * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
    uint chunk = thread / vertexClass.vertexCount;
    uint index = thread - chunk * vertexClass.vertexCount;
    uint first = chunk * INSTANCES_PER_THREAD;
    if (first >= job.instanceCount) {
        return;
    }
    Vertex vertex = readVertex(vertexClass, index);
    Influences influences = readInfluences(vertexClass, index);
    Points points = readVertexPoints(vertexClass, influences, index);
    vec3 own = readOwn(vertexClass, index);
    uint place = vertexClass.firstVertex + index;
    uint target = vertexClass.order != 0 ? meshWords[vertexClass.order + index] : vertexClass.firstOutput + index;
    Places places = findPlaces(vertexClass, target);
    uint at = pass.instances + (job.firstInstance + first) * LAYOUT_INSTANCE_WORDS;
    uint end = pass.instances + (job.firstInstance + job.instanceCount) * LAYOUT_INSTANCE_WORDS;
    // `end` and `left` are the same in a workgroup, so that they need no vector registers.
    for (uint left = min(INSTANCES_PER_THREAD, job.instanceCount); left > 0 && at < end; left--) {
        LayoutInstance instance = readInstance(at);
        writeVertex(instance.vertices, places, skinMorphed(instance, influences, points, own, place, vertex));
        at += LAYOUT_INSTANCE_WORDS;
    }
}

#endif
