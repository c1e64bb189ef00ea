#include "null_kernel.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "kernels/layout.h"

static const uint32_t linearBlendWords[] =
#include "skin_linear_blend.comp.inc"
    ;
static const uint32_t dualQuaternionWords[] =
#include "skin_dual_quaternion.comp.inc"
    ;

NullKernel nullRecogniseKernel(const uint32_t *words, size_t bytes) {
    if (bytes == sizeof linearBlendWords && memcmp(words, linearBlendWords, bytes) == 0) {
        return NULL_KERNEL_LINEAR_BLEND;
    }
    if (bytes == sizeof dualQuaternionWords && memcmp(words, dualQuaternionWords, bytes) == 0) {
        return NULL_KERNEL_DUAL_QUATERNION;
    }
    return NULL_KERNEL_UNKNOWN;
}

/* What is bound, and what was found wrong with it. */
typedef struct Run {
    NullDriver *driver;
    const NullPipeline *pipeline;
    LayoutDispatch push;
    unsigned char *bytes[LAYOUT_SET_COUNT];
    VkDeviceSize sizes[LAYOUT_SET_COUNT];
    bool failed;
} Run;

static uint32_t constantOf(const Run *run, uint32_t id) {
    return run->pipeline->constants[id];
}

/* The word's place, or null after a fault. The kernels' own sums wrap around at 32 bits before they come here. */
static unsigned char *wordAt(Run *run, uint32_t set, uint64_t index) {
    static const char *const names[LAYOUT_SET_COUNT] = {"table", "mesh", "palette", "output"};
    if (!run->failed && index >= run->sizes[set] / sizeof(uint32_t)) {
        nullFault(run->driver, "running vkCmdDispatch: word %" PRIu64 " of the %s page, where %" PRIu64 " are bound",
                  index, names[set], (uint64_t)(run->sizes[set] / sizeof(uint32_t)));
        run->failed = true;
    }
    return run->failed ? NULL : run->bytes[set] + (size_t)index * sizeof(uint32_t);
}

static uint32_t readWord(Run *run, uint32_t set, uint64_t index) {
    uint32_t word = 0;
    const unsigned char *place = wordAt(run, set, index);
    if (place != NULL) {
        memcpy(&word, place, sizeof word);
    }
    return word;
}

static void readFloats(Run *run, uint32_t set, uint64_t index, uint32_t count, float *values) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t word = readWord(run, set, index + i);
        memcpy(&values[i], &word, sizeof word);
    }
}

static void writeWord(Run *run, uint32_t index, uint32_t word) {
    unsigned char *place = wordAt(run, LAYOUT_SET_OUTPUT, index);
    if (place != NULL) {
        memcpy(place, &word, sizeof word);
    }
}

static void readStruct(Run *run, uint32_t index, uint32_t wordCount, void *target) {
    for (uint32_t i = 0; i < wordCount; i++) {
        uint32_t word = readWord(run, LAYOUT_SET_TABLE, index + i);
        memcpy((unsigned char *)target + i * sizeof word, &word, sizeof word);
    }
}

/* The last job whose first group is not above `group`. */
static LayoutJob findJob(Run *run, uint32_t group) {
    LayoutJob found = {0};
    for (uint32_t i = 0; !run->failed && i < run->push.jobCount; i++) {
        LayoutJob job;
        readStruct(run, run->push.jobs + i * LAYOUT_JOB_WORDS, LAYOUT_JOB_WORDS, &job);
        if (i > 0 && job.firstGroup > group) {
            break;
        }
        found = job;
    }
    return found;
}

typedef struct Influences {
    uint32_t count;
    uint32_t joints[4];
    float weights[4];
} Influences;

static Influences readInfluences(Run *run, const LayoutJob *job, uint32_t vertex) {
    Influences influences = {.count = constantOf(run, LAYOUT_CONSTANT_INFLUENCES)};
    uint32_t jointAt = job->joints + vertex * ((influences.count + 1) / 2);
    uint32_t weightAt = job->weights + vertex * (influences.count - 1);
    float left = 1.0f;
    for (uint32_t i = 0; i < influences.count; i++) {
        uint32_t pair = readWord(run, LAYOUT_SET_MESH, jointAt + i / 2);
        influences.joints[i] = i % 2 == 0 ? pair & 0xffffu : pair >> 16;
        influences.weights[i] = left;
        if (i + 1 < influences.count) {
            readFloats(run, LAYOUT_SET_MESH, weightAt + i, 1, &influences.weights[i]);
        }
        left -= influences.weights[i];
    }
    return influences;
}

/* palette: in units of 16 bytes. */
static void moveLinear(Run *run, uint32_t palette, const Influences *influences, const float point[3], float moved[3]) {
    float rows[12] = {0};
    for (uint32_t i = 0; i < influences->count; i++) {
        float bone[12];
        readFloats(run, LAYOUT_SET_PALETTE, UINT64_C(4) * (palette + influences->joints[i] * 3), 12, bone);
        for (uint32_t k = 0; k < 12; k++) {
            rows[k] += influences->weights[i] * bone[k];
        }
    }
    for (uint32_t r = 0; r < 3; r++) {
        const float *row = &rows[4 * r];
        moved[r] = row[0] * point[0] + row[1] * point[1] + row[2] * point[2] + row[3];
    }
}

static void cross(const float a[3], const float b[3], float product[3]) {
    product[0] = a[1] * b[2] - a[2] * b[1];
    product[1] = a[2] * b[0] - a[0] * b[2];
    product[2] = a[0] * b[1] - a[1] * b[0];
}

/* pair: a unit real part, then the dual part. */
static void moveByPair(const float pair[8], const float point[3], float moved[3]) {
    const float *real = pair;
    const float *dual = pair + 4;
    float once[3], twice[3], dualCross[3];
    cross(real, point, once);
    for (uint32_t i = 0; i < 3; i++) {
        once[i] += real[3] * point[i];
    }
    cross(real, once, twice);
    cross(real, dual, dualCross);
    for (uint32_t i = 0; i < 3; i++) {
        moved[i] = point[i] + 2.0f * (twice[i] + real[3] * dual[i] - dual[3] * real[i] + dualCross[i]);
    }
}

static float dot4(const float a[4], const float b[4]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

static void moveDual(Run *run, uint32_t palette, const Influences *influences, const float point[3], float moved[3]) {
    float sum[8] = {0};
    float pivot[4];
    readFloats(run, LAYOUT_SET_PALETTE, UINT64_C(4) * (palette + influences->joints[0] * 2), 4, pivot);
    for (uint32_t i = 0; i < influences->count; i++) {
        float bone[8];
        readFloats(run, LAYOUT_SET_PALETTE, UINT64_C(4) * (palette + influences->joints[i] * 2), 8, bone);
        float weight = dot4(pivot, bone) < 0.0f ? -influences->weights[i] : influences->weights[i];
        for (uint32_t k = 0; k < 8; k++) {
            sum[k] += weight * bone[k];
        }
    }
    float squared = dot4(sum, sum);
    float scale = squared > 0.0f ? 1.0f / sqrtf(squared) : 0.0f;
    for (uint32_t k = 0; k < 8; k++) {
        sum[k] *= scale;
    }
    moveByPair(sum, point, moved);
}

/* Words of normal and tangent a vertex: packed 0, 1 or 2, as floats 0, 3 or 7. */
static uint32_t attributeWords(const Run *run) {
    uint32_t attributes = constantOf(run, LAYOUT_CONSTANT_ATTRIBUTES);
    bool packed = constantOf(run, LAYOUT_CONSTANT_FORMAT) == VKSKIN_VERTEX_PACKED;
    return packed || attributes == 0 ? attributes : attributes * 4 - 1;
}

static void runVertex(Run *run, const LayoutJob *job, uint32_t vertex, uint32_t first, uint32_t last) {
    float point[3];
    readFloats(run, LAYOUT_SET_MESH, job->positions + vertex * 3, 3, point);
    uint32_t stride = attributeWords(run);
    for (uint32_t i = 0; i < stride; i++) {
        (void)readWord(run, LAYOUT_SET_MESH, job->attributes + vertex * stride + i);
    }
    Influences influences = readInfluences(run, job, vertex);
    for (uint32_t i = first; !run->failed && i < last; i++) {
        LayoutInstance instance;
        readStruct(run, run->push.instances + (job->firstInstance + i) * LAYOUT_INSTANCE_WORDS, LAYOUT_INSTANCE_WORDS,
                   &instance);
        float moved[3] = {0.0f, 0.0f, 0.0f};
        if (run->pipeline->kernel == NULL_KERNEL_LINEAR_BLEND) {
            moveLinear(run, instance.palette, &influences, point, moved);
        } else {
            moveDual(run, instance.palette, &influences, point, moved);
        }
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t word;
            memcpy(&word, &moved[k], sizeof word);
            writeWord(run, instance.vertices + vertex * 3 + k, word);
        }
        for (uint32_t k = 0; k < stride; k++) {
            writeWord(run, instance.vertices + job->outputAttributes + vertex * stride + k, 0);
        }
    }
}

static void runGroup(Run *run, uint32_t group) {
    LayoutJob job = findJob(run, group);
    uint32_t width = constantOf(run, LAYOUT_CONSTANT_WORKGROUP_SIZE);
    uint32_t step = constantOf(run, LAYOUT_CONSTANT_INSTANCES_PER_THREAD);
    if (!run->failed && job.vertexCount == 0) {
        nullFault(run->driver, "running vkCmdDispatch: a job of no vertices");
        run->failed = true;
    }
    for (uint32_t local = 0; !run->failed && local < width; local++) {
        uint32_t thread = (group - job.firstGroup) * width + local;
        uint32_t first = thread / job.vertexCount * step;
        if (first < job.instanceCount) {
            uint32_t last = job.instanceCount - first < step ? job.instanceCount : first + step;
            runVertex(run, &job, thread % job.vertexCount, first, last);
        }
    }
}

void nullRunKernel(NullDriver *driver, const NullDispatch *dispatch) {
    static const char call[] = "running vkCmdDispatch";
    Run run = {.driver = driver};
    run.pipeline = &nullFind(driver, NULL_KIND_PIPELINE, dispatch->pipeline, call)->pipeline;
    uint32_t influences = constantOf(&run, LAYOUT_CONSTANT_INFLUENCES);
    if (run.pipeline->kernel == NULL_KERNEL_UNKNOWN) {
        return;
    }
    if (run.pipeline->layout.setCount != LAYOUT_SET_COUNT || influences < 1 || influences > 4 ||
        dispatch->pushBytes != sizeof run.push) {
        nullFault(driver, "%s: %u sets, %u influences, %u bytes of push constants are not a kernel's", call,
                  run.pipeline->layout.setCount, influences, dispatch->pushBytes);
        return;
    }
    memcpy(&run.push, dispatch->push, sizeof run.push);
    for (uint32_t i = 0; i < LAYOUT_SET_COUNT; i++) {
        const NullDescriptorSet *set = &nullFind(driver, NULL_KIND_DESCRIPTOR_SET, dispatch->sets[i], call)->set;
        run.bytes[i] = nullBufferBytes(driver, set->buffer) + set->offset;
        run.sizes[i] = set->size;
    }
    uint64_t groups = (uint64_t)dispatch->groups[0] * dispatch->groups[1] * dispatch->groups[2];
    if (groups < run.push.groupCount) {
        nullFault(driver, "%s: %" PRIu64 " groups of %u that have work", call, groups, run.push.groupCount);
    }
    for (uint32_t group = 0; !run.failed && group < run.push.groupCount && group < groups; group++) {
        runGroup(&run, group);
    }
}
