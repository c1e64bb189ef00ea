// skin.glsl: the frame that all methods share: which vertex, which instances, read once, blend, write.
//
// A kernel includes this file after it has defined
//     struct Bone                          what the influences of one vertex blend to
//     Bone blendBones(uint palette, Influences influences)
//     vec3 movePoint(Bone, vec3), vec3 turnVector(Bone, vec3)   the latter need not return a unit vector
// For that it includes influences.glsl first.
#ifndef SKIN_GLSL
#define SKIN_GLSL

#include "vkskin/vkskin.glsl"

layout(local_size_x_id = LAYOUT_CONSTANT_WORKGROUP_SIZE) in;
layout(constant_id = LAYOUT_CONSTANT_FORMAT) const uint FORMAT = 0;
layout(constant_id = LAYOUT_CONSTANT_ATTRIBUTES) const uint ATTRIBUTES = 2;
layout(constant_id = LAYOUT_CONSTANT_INSTANCES_PER_THREAD) const uint INSTANCES_PER_THREAD = 16;

const uint FORMAT_PACKED = 0;

layout(set = LAYOUT_SET_TABLE, binding = 0, std430) readonly buffer Table { uint table[]; };
layout(set = LAYOUT_SET_OUTPUT, binding = 0, std430) writeonly buffer Output { uint outputWords[]; };

layout(push_constant) uniform Push { LayoutDispatch pass; };

LayoutJob readJob(uint index) {
    uint at = pass.jobs + index * LAYOUT_JOB_WORDS;
    return LayoutJob(table[at], table[at + 1], table[at + 2], table[at + 3], table[at + 4], table[at + 5],
                     table[at + 6], table[at + 7], table[at + 8]);
}

// The last job whose first group is not above `group`.
LayoutJob findJob(uint group) {
    uint low = 0;
    uint high = pass.jobCount;
    while (high - low > 1) {
        uint middle = (low + high) / 2;
        if (table[pass.jobs + middle * LAYOUT_JOB_WORDS] <= group) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return readJob(low);
}

struct Vertex {
    vec3 position;
    vec3 normal;
    vec4 tangent;
};

uint attributeWords() {
    return FORMAT == FORMAT_PACKED ? ATTRIBUTES : ATTRIBUTES * 4 - 1;
}

Vertex readVertex(LayoutJob job, uint index) {
    Vertex vertex = Vertex(readMeshVec3(job.positions + index * 3), vec3(0, 0, 1), vec4(1, 0, 0, 1));
    uint at = job.attributes + index * attributeWords();
    if (FORMAT == FORMAT_PACKED) {
        if (ATTRIBUTES >= 1) {
            vertex.normal = vkskinUnpackNormal(meshWords[at]);
        }
        if (ATTRIBUTES == 2) {
            vertex.tangent = vkskinUnpackTangent(meshWords[at + 1]);
        }
    } else {
        if (ATTRIBUTES >= 1) {
            vertex.normal = readMeshVec3(at);
        }
        if (ATTRIBUTES == 2) {
            vertex.tangent = vec4(readMeshVec3(at + 3), uintBitsToFloat(meshWords[at + 6]));
        }
    }
    return vertex;
}

void writeVec3(uint at, vec3 v) {
    outputWords[at] = floatBitsToUint(v.x);
    outputWords[at + 1] = floatBitsToUint(v.y);
    outputWords[at + 2] = floatBitsToUint(v.z);
}

// A bone of scale zero flattens the vector to nothing: any direction is then as good, but no NaN. Scaled first, since
// the square of a very small or large length is none that a float holds.
vec3 unitOr(vec3 v, vec3 fallback) {
    float largest = max(max(abs(v.x), abs(v.y)), abs(v.z));
    return largest > 0.0 ? normalize(v / largest) : fallback;
}

void writeVertex(LayoutJob job, LayoutInstance instance, uint index, Vertex vertex, Bone bone) {
    writeVec3(instance.vertices + index * 3, movePoint(bone, vertex.position));
    if (ATTRIBUTES == 0) {
        return;
    }
    uint at = instance.vertices + job.outputAttributes + index * attributeWords();
    vec3 normal = unitOr(turnVector(bone, vertex.normal), vec3(0, 0, 1));
    vec3 tangent = ATTRIBUTES == 2 ? unitOr(turnVector(bone, vertex.tangent.xyz), vec3(1, 0, 0)) : vec3(0);
    if (FORMAT == FORMAT_PACKED) {
        outputWords[at] = vkskinPackNormal(normal);
        if (ATTRIBUTES == 2) {
            outputWords[at + 1] = vkskinPackTangent(tangent, vertex.tangent.w);
        }
    } else {
        writeVec3(at, normal);
        if (ATTRIBUTES == 2) {
            writeVec3(at + 3, tangent);
            outputWords[at + 6] = floatBitsToUint(vertex.tangent.w);
        }
    }
}

void main() {
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (group >= pass.groupCount) {
        return;
    }
    LayoutJob job = findJob(group);
    uint thread = (group - job.firstGroup) * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
    uint chunk = thread / job.vertexCount;
    uint index = thread - chunk * job.vertexCount;
    uint first = chunk * INSTANCES_PER_THREAD;
    if (first >= job.instanceCount) {
        return;
    }
    Vertex vertex = readVertex(job, index);
    Influences influences = readInfluences(job, index);
    uint last = min(first + INSTANCES_PER_THREAD, job.instanceCount);
    for (uint i = first; i < last; i++) {
        uint at = pass.instances + (job.firstInstance + i) * LAYOUT_INSTANCE_WORDS;
        LayoutInstance instance = LayoutInstance(table[at], table[at + 1]);
        writeVertex(job, instance, index, vertex, blendBones(instance.palette, influences));
    }
}

#endif
