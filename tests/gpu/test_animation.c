/*
 * A host's compute shader samples packed animation sets with vkskin_animation.glsl. The result is compared with
 * vkskinSampleAnimation: random blocks in all forms that vkskinCheckAnimation accepts, at seconds, phases and in loops.
 */
#include "compute.h"
#include "random_animation.h"

static const uint32_t sampleWords[] =
#include "sample_animation.comp.inc"
    ;

#define QUERIES 4096u
#define NUMBERS 16u
#define BYTES   (1u << 20)

enum { KIND_SECONDS, KIND_PHASE, KIND_LOOP, KIND_REST, KINDS };

/* As in sample_animation.comp. */
typedef struct Query {
    uint32_t kind, clip, node, time;
} Query;

typedef struct Scene {
    Random random;
    Compute compute;
    GpuBuffer block, queries, answers;
    void *source;
} Scene;

static float floatOf(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t bitsOf(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static const VkskinAnimationHeader *headerOf(const void *block) {
    return block;
}

static const VkskinAnimationClip *clipOf(const void *block, uint32_t clip) {
    return (const VkskinAnimationClip *)((const uint32_t *)block + headerOf(block)->clipsAt) + clip;
}

/* A key time of the clip, or any time. Times of keys decide on which side of a jump a sample is. */
static float randomTime(Random *random, const void *block, const VkskinAnimationClip *clip) {
    if (clip->timesAt != 0 && randomBelow(random, 2) == 0) {
        return floatOf(((const uint32_t *)block)[clip->timesAt + randomBelow(random, clip->keyCount)]);
    }
    switch (randomBelow(random, 8)) {
    case 0:
        return 0.0f;
    case 1:
        return clip->duration;
    default:
        return randomFloat(random, 0.0f, 1.0f) * clip->duration;
    }
}

static uint32_t randomPhase(Random *random) {
    static const uint32_t ends[] = {0, 1, 0x7fffffff, 0x80000000, UINT32_MAX};
    return randomBelow(random, 4) == 0 ? ends[randomBelow(random, COUNT_OF(ends))] : randomWord(random);
}

static Query randomQuery(Random *random, const void *block) {
    const VkskinAnimationHeader *header = headerOf(block);
    Query query = {randomBelow(random, KINDS), randomBelow(random, header->clipCount),
                   randomBelow(random, header->nodeCount), 0};
    const VkskinAnimationClip *clip = clipOf(block, query.clip);
    if (query.kind == KIND_LOOP && clip->timesAt != 0) {
        query.kind = KIND_SECONDS; /* rounded times may be on the other side of a jump */
    }
    if (query.kind == KIND_PHASE) {
        query.time = randomPhase(random);
    } else if (query.kind == KIND_LOOP) { /* not at an end, which rounding may make the start of the next round */
        query.time = bitsOf(clip->duration * (randomFloat(random, 0.001f, 0.999f) + (float)randomBelow(random, 3) - 1));
    } else {
        query.time = bitsOf(randomTime(random, block, clip));
    }
    return query;
}

/* The time that a query names. A listed time is compared with floats: the phase is rounded as the shader does it. */
static double secondsOf(const void *block, const Query *query) {
    const VkskinAnimationClip *clip = clipOf(block, query->clip);
    if (query->kind != KIND_PHASE) {
        return floatOf(query->time);
    }
    return clip->timesAt != 0 ? (double)((float)query->time * (clip->duration / 4294967296.0f))
                              : query->time * (1.0 / 4294967296.0) * clip->duration;
}

static void expect(const void *block, const Query *query, float numbers[NUMBERS]) {
    const VkskinAnimationHeader *header = headerOf(block);
    const uint32_t *words = block;
    VkskinTransform *pose = newZeroed(header->nodeCount, sizeof *pose);
    const uint32_t clip = query->kind == KIND_REST ? VKSKIN_REST_POSE : query->clip;
    const VkskinWrap wrap = query->kind == KIND_LOOP ? VKSKIN_WRAP_LOOP : VKSKIN_WRAP_CLAMP;
    const double seconds = query->kind == KIND_REST ? 0.0 : secondsOf(block, query);
    assert_int_equal(vkskinSampleAnimation(block, clip, seconds, wrap, pose), VKSKIN_SUCCESS);
    memcpy(numbers, &pose[query->node], sizeof *pose);
    numbers[10] = (float)header->nodeCount;
    numbers[11] = (float)header->clipCount;
    numbers[12] = (float)words[header->orderAt + query->node];
    numbers[13] = (float)(int32_t)words[header->parentsAt + query->node];
    const uint32_t pre = header->preAt + 12 * query->node;
    numbers[14] = header->preAt != 0 ? floatOf(words[pre + 6]) : 0.0f;
    numbers[15] = header->preAt != 0 ? floatOf(words[pre + 11]) : 0.0f;
    free(pose);
}

/* A sample moves by as much as neighbouring rows differ while the fraction rounds: at most the 2 x maxKeys ulps of it. */
#define TOLERANCE 2e-4f

static void checkAnswer(const void *block, const Query *query, const float *answer) {
    float expected[NUMBERS];
    expect(block, query, expected);
    for (uint32_t i = 0; i < NUMBERS; i++) {
        if (!(fabsf(answer[i] - expected[i]) <= TOLERANCE)) {
            fail_msg("kind %u, clip %u, node %u, time %08x: number %u is %g, not %g", query->kind, query->clip,
                     query->node, query->time, i, (double)answer[i], (double)expected[i]);
        }
    }
}

static void checkBlock(Gpu *gpu, Scene *scene, const RandomAnimationDef *def) {
    size_t size;
    scene->source = newRandomAnimation(&scene->random, def, &size);
    assert_int_equal(vkskinCheckAnimation(scene->source, size, NULL), VKSKIN_SUCCESS);
    assert_true(size <= BYTES);
    memcpy(scene->block.mapped, scene->source, size);
    Query *queries = scene->queries.mapped;
    for (uint32_t i = 0; i < QUERIES; i++) {
        queries[i] = randomQuery(&scene->random, scene->source);
    }
    memset(scene->answers.mapped, 0xff, scene->answers.size);
    computeRun(gpu, &scene->compute, NULL, QUERIES / 64);
    for (uint32_t i = 0; i < QUERIES; i++) {
        checkAnswer(scene->source, &queries[i], (const float *)scene->answers.mapped + (size_t)i * NUMBERS);
    }
    free(scene->source);
}

GPU_TEST(shadersSampleBlocks) {
    Scene scene = {.random = {20},
                   .compute = computeCreate(gpu, sampleWords, sizeof sampleWords, 3, 0),
                   .block = gpuBuffer(gpu, BYTES, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT),
                   .queries = gpuBuffer(gpu, sizeof(Query) * QUERIES, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT),
                   .answers = gpuBuffer(gpu, 4 * NUMBERS * QUERIES, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT)};
    computeBind(gpu, &scene.compute,
                (const VkBuffer[]){scene.block.buffer, scene.queries.buffer, scene.answers.buffer});
    for (uint32_t round = 0; round < 24; round++) {
        const RandomAnimationDef def = {.nodeCount = 1 + randomBelow(&scene.random, 40),
                                        .clipCount = 1 + randomBelow(&scene.random, 5),
                                        .maxKeys = round % 3 == 0 ? 1 : 40,
                                        .shuffled = round % 2 == 0,
                                        .preTransforms = round % 4 < 2,
                                        .scales = true,
                                        .maxDistance = 1.0f,
                                        .turn = 0.5f};
        checkBlock(gpu, &scene, &def);
    }
    computeFree(gpu, &scene.compute);
    gpuFreeBuffer(gpu, &scene.block);
    gpuFreeBuffer(gpu, &scene.queries);
    gpuFreeBuffer(gpu, &scene.answers);
}
