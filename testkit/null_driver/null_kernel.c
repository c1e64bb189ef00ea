#include "null_kernel.h"

#include <inttypes.h>
#include <string.h>

#include "null_access.h"
#include "null_bones.h"
#include "null_morphs.h"

/* A dispatch at work. */
typedef struct Run {
    NullAccess access;
    NullKernel kernel;
    LayoutDispatch push;
    NullMorphShape shape;
    uint32_t attributeWords; /* of normal and tangent a vertex */
} Run;

/* The last job whose first group is not above `group`. */
static LayoutJob findJob(Run *run, uint32_t group) {
    LayoutJob found = {0};
    for (uint32_t i = 0; !run->access.failed && i < run->push.jobCount; i++) {
        LayoutJob job;
        nullReadStruct(&run->access, LAYOUT_SET_TABLE, run->push.jobs + i * LAYOUT_JOB_WORDS, LAYOUT_JOB_WORDS, &job);
        if (i > 0 && job.firstGroup > group) {
            break;
        }
        found = job;
    }
    return found;
}

static NullOwn readOwn(Run *run, const LayoutClass *vertexClass, uint32_t vertex) {
    NullOwn own = {0};
    if (run->kernel.motion == NULL_MOTION_PAINTED_BLEND) {
        own.blendWeight = nullReadFloat(&run->access, LAYOUT_SET_MESH, vertexClass->blendWeights + vertex);
    } else if (run->kernel.motion == NULL_MOTION_CENTRES) {
        nullReadFloats(&run->access, LAYOUT_SET_MESH, vertexClass->centres + vertex * 3, 3, own.centre);
    }
    return own;
}

/* A vertex of a class, as all instances read it. */
typedef struct Vertex {
    float point[3];
    NullInfluences influences;
    NullOwn own;
    uint32_t place;  /* classes following one another */
    uint32_t target; /* in the output */
} Vertex;

static void readVertex(Run *run, const LayoutClass *vertexClass, uint32_t index, Vertex *vertex) {
    NullAccess *access = &run->access;
    uint32_t words = run->shape.positionWords;
    vertex->point[2] = 0.0f;
    nullReadFloats(access, LAYOUT_SET_MESH, vertexClass->positions + index * words, words, vertex->point);
    for (uint32_t i = 0; i < run->attributeWords; i++) {
        (void)nullReadWord(access, LAYOUT_SET_MESH, vertexClass->attributes + index * run->attributeWords + i);
    }
    nullReadInfluences(access, vertexClass, index, run->kernel.constants[LAYOUT_CONSTANT_INFLUENCES],
                       &vertex->influences);
    vertex->own = readOwn(run, vertexClass, index);
    vertex->place = vertexClass->firstVertex + index;
    vertex->target = vertexClass->order != 0 ? nullReadWord(access, LAYOUT_SET_MESH, vertexClass->order + index)
                                             : vertexClass->firstOutput + index;
}

static void moveVertex(Run *run, const LayoutInstance *instance, const Vertex *vertex, float point[3]) {
    NullAccess *access = &run->access;
    LayoutMorphs morphs = {0};
    uint32_t at = instance->morphs + LAYOUT_MORPH_WEIGHT_WORDS;
    if (instance->morphs != 0) {
        nullReadStruct(access, LAYOUT_SET_TABLE, instance->morphs, LAYOUT_MORPH_WEIGHT_WORDS, &morphs);
    }
    nullAddMorphs(access, at, morphs.before, vertex->place, run->shape, point);
    if (vertex->influences.count > 0) {
        nullMovePoint(access, run->kernel.motion, instance->palette, &vertex->influences, &vertex->own, point);
    }
    at += morphs.before * LAYOUT_MORPH_WEIGHT_WORDS;
    nullAddMorphs(access, at, morphs.after, vertex->place, run->shape, point);
}

static void runInstance(Run *run, const LayoutClass *vertexClass, const Vertex *vertex, uint32_t index) {
    NullAccess *access = &run->access;
    LayoutInstance instance;
    nullReadStruct(access, LAYOUT_SET_TABLE, run->push.instances + index * LAYOUT_INSTANCE_WORDS, LAYOUT_INSTANCE_WORDS,
                   &instance);
    if (instance.morphs != 0 && !run->kernel.morphs) {
        nullFailAccess(access, "an instance with morph weights for a kernel without");
        return;
    }
    float point[3] = {vertex->point[0], vertex->point[1], vertex->point[2]};
    moveVertex(run, &instance, vertex, point);
    uint32_t words = run->shape.positionWords;
    for (uint32_t i = 0; i < words; i++) {
        nullWriteFloat(access, instance.vertices + vertex->target * words + i, point[i]);
    }
    uint32_t attributes = instance.vertices + vertexClass->outputAttributes + vertex->target * run->attributeWords;
    for (uint32_t i = 0; i < run->attributeWords; i++) {
        nullWriteWord(access, attributes + i, 0);
    }
}

static void runThread(Run *run, const LayoutJob *job, const LayoutClass *vertexClass, uint32_t thread) {
    uint32_t step = run->kernel.constants[LAYOUT_CONSTANT_INSTANCES_PER_THREAD];
    uint32_t first = thread / vertexClass->vertexCount * step;
    if (first >= job->instanceCount) {
        return;
    }
    uint32_t last = job->instanceCount - first < step ? job->instanceCount : first + step;
    Vertex vertex;
    readVertex(run, vertexClass, thread % vertexClass->vertexCount, &vertex);
    for (uint32_t i = first; !run->access.failed && i < last; i++) {
        runInstance(run, vertexClass, &vertex, job->firstInstance + i);
    }
}

static void runGroup(Run *run, uint32_t group) {
    LayoutJob job = findJob(run, group);
    LayoutClass vertexClass;
    nullReadStruct(&run->access, LAYOUT_SET_MESH, job.vertexClass, LAYOUT_CLASS_WORDS, &vertexClass);
    if (job.instanceCount == 0 || vertexClass.vertexCount == 0) {
        nullFailAccess(&run->access, "a job of no instances or no vertices");
    }
    uint32_t width = run->kernel.constants[LAYOUT_CONSTANT_WORKGROUP_SIZE];
    for (uint32_t local = 0; !run->access.failed && local < width; local++) {
        runThread(run, &job, &vertexClass, (group - job.firstGroup) * width + local);
    }
}

/* Whether the dispatch is one of a kernel of the library's; a fault where not. */
static bool isKernels(NullDriver *driver, const NullPipeline *pipeline, const NullDispatch *dispatch) {
    uint32_t influences = pipeline->kernel.constants[LAYOUT_CONSTANT_INFLUENCES];
    bool counted = pipeline->kernel.many ? influences == LAYOUT_MANY : influences < LAYOUT_MANY;
    bool sets = pipeline->layout.setCount == LAYOUT_SET_COUNT && pipeline->layout.sets[LAYOUT_SET_PALETTE].texels == 1;
    if (!sets || !counted || dispatch->pushBytes != sizeof(LayoutDispatch)) {
        nullFault(driver,
                  "running vkCmdDispatch: %u sets, %u influences, %u bytes of push constants are not a kernel's",
                  pipeline->layout.setCount, influences, dispatch->pushBytes);
        return false;
    }
    return true;
}

/* Packed 0, 1 or 2, as floats 0, 3 or 7. */
static uint32_t attributeWords(const NullPipeline *pipeline) {
    uint32_t attributes = pipeline->kernel.constants[LAYOUT_CONSTANT_ATTRIBUTES];
    bool packed = pipeline->kernel.constants[LAYOUT_CONSTANT_FORMAT] == VKSKIN_VERTEX_PACKED;
    return packed || attributes == 0 ? attributes : attributes * 4 - 1;
}

void nullRunKernel(NullDriver *driver, const NullDispatch *dispatch) {
    static const char call[] = "running vkCmdDispatch";
    const NullPipeline *pipeline = &nullFind(driver, NULL_KIND_PIPELINE, dispatch->pipeline, call)->pipeline;
    if (pipeline->kernel.motion == NULL_MOTION_UNKNOWN || !isKernels(driver, pipeline, dispatch)) {
        return;
    }
    Run run = {
        .access = nullOpenAccess(driver, dispatch, pipeline->kernel.constants[LAYOUT_CONSTANT_PALETTE_TEXELS] == 1),
        .kernel = pipeline->kernel,
        .shape = {pipeline->kernel.motion == NULL_MOTION_FLAT_MATRIX ? 2 : 3,
                  pipeline->kernel.constants[LAYOUT_CONSTANT_ATTRIBUTES]},
        .attributeWords = attributeWords(pipeline),
    };
    memcpy(&run.push, dispatch->push, sizeof run.push);
    uint64_t groups = (uint64_t)dispatch->groups[0] * dispatch->groups[1] * dispatch->groups[2];
    if (groups < run.push.groupCount) {
        nullFault(driver, "%s: %" PRIu64 " groups of %u that have work", call, groups, run.push.groupCount);
    }
    for (uint32_t group = 0; !run.access.failed && group < run.push.groupCount && group < groups; group++) {
        runGroup(&run, group);
    }
}
