/*
 * Morph weights of crowds: rows made from clips against the clips themselves, at any phase and in fades; what has no weight
 * is left out; limits.
 */
#include "crowd_plan.h"
#include "random.h"
#include "test.h"

#define CLIPS   5u
#define NODES   3u
#define PARTS   3u
#define TARGETS 4u
#define KEYS    6u

typedef struct Rig {
    VkskinClip clips[CLIPS];
    float durations[CLIPS];
    float weights[PARTS][TARGETS]; /* without a track */
    bool fixed[TARGETS];           /* fixed targets of the last part */
    bool after[TARGETS];
    float maxDelta[TARGETS][3];
    VkskinCrowdPart parts[PARTS];
    CrowdMorphSource sources[PARTS];
} Rig;

/* Tracks of two of the nodes; the clip of each number is interpolated in its own way, the last one is a single pose. */
static VkskinClip makeClip(Random *random, uint32_t number, float duration) {
    const VkskinInterpolation way = (VkskinInterpolation)(number % 4);
    float times[KEYS];
    float values[2][KEYS * 5 * TARGETS];
    VkskinTrack tracks[2];
    VkskinClipDef def = vkskinDefaultClipDef();
    for (uint32_t k = 0; k < KEYS; k++) {
        times[k] = duration * ((float)k - 1.0f) / (KEYS - 2); /* one is before the clip, one at its end */
    }
    for (uint32_t t = 0; t < 2; t++) {
        for (uint32_t i = 0; i < KEYS * 5 * TARGETS; i++) {
            values[t][i] = way != VKSKIN_INTERPOLATION_BEZIER ? randomFloat(random, -1.0f, 1.0f) : 0.0f;
        }
        tracks[t] = (VkskinTrack){.node = t,
                                  .channel = VKSKIN_CHANNEL_MORPH_WEIGHTS,
                                  .interpolation = way,
                                  .keyCount = KEYS,
                                  .times = times,
                                  .values = values[t],
                                  .weightCount = TARGETS - t}; /* fewer than the mesh has */
    }
    def.duration = duration;
    def.nodeCount = NODES;
    def.trackCount = 2;
    def.tracks = tracks;
    VkskinClip clip = NULL;
    assert_int_equal(vkskinCreateClip(&def, &clip), VKSKIN_SUCCESS);
    return clip;
}

static void makeRig(Rig *rig, Random *random) {
    *rig = (Rig){.fixed = {false, true}, .after = {false, true, false, true}};
    for (uint32_t c = 0; c < CLIPS; c++) {
        rig->durations[c] = c + 1 < CLIPS ? randomFloat(random, 0.2f, 4.0f) : 0.0f;
        rig->clips[c] = makeClip(random, c, rig->durations[c]);
    }
    for (uint32_t p = 0; p < PARTS; p++) {
        for (uint32_t t = 0; t < TARGETS; t++) {
            rig->weights[p][t] = t == 2 ? 0.0f : randomFloat(random, -1.0f, 1.0f);
            rig->maxDelta[t][t % 3] = 1.0f + (float)t;
        }
        rig->parts[p] = (VkskinCrowdPart){.morphNode = p, .morphWeightCount = TARGETS, .morphWeights = rig->weights[p]};
        rig->parts[p].morphsFixed = p == 1 ? rig->fixed : NULL;
        rig->sources[p] = (CrowdMorphSource){.count = TARGETS,
                                             .first = 100 * p,
                                             .step = 7,
                                             .after = rig->after,
                                             .maxDelta = (const float(*)[3])rig->maxDelta,
                                             .part = &rig->parts[p]};
    }
}

static void freeRig(Rig *rig) {
    for (uint32_t c = 0; c < CLIPS; c++) {
        vkskinDestroyClip(rig->clips[c]);
    }
}

/* What an instance would be given. */
static float expected(const Rig *rig, uint32_t clip, uint32_t phase, uint32_t part, uint32_t target) {
    float weights[TARGETS];
    const double time = (phase < UINT32_MAX ? phase / 4294967296.0 : 1.0) * (double)rig->durations[clip];
    memcpy(weights, rig->weights[part], sizeof weights);
    assert_int_equal(vkskinSampleMorphWeights(rig->clips[clip], part, time, VKSKIN_WRAP_CLAMP, weights, TARGETS),
                     VKSKIN_SUCCESS);
    return part == 1 && rig->fixed[target] ? rig->weights[part][target] : weights[target];
}

/* The weight that was written for a target; 0 if there is none. Checks the order of targets before and after skinning. */
static float written(const Rig *rig, const CrowdMorphs *morphs, const uint32_t *words, uint32_t part, uint32_t target) {
    for (uint32_t p = 0; p < part; p++) {
        words += morphs->parts[p].count > 0 ? 2 + 2 * morphs->parts[p].count : 0;
    }
    float weight = 0.0f;
    for (uint32_t i = 0; i < words[0] + words[1]; i++) {
        const uint32_t place = (words[2 + 2 * i] - rig->sources[part].first) / rig->sources[part].step;
        assert_int_equal(rig->after[place], i >= words[0]);
        assert_int_equal(words[2 + 2 * i], rig->sources[part].first + place * rig->sources[part].step);
        if (place == target) {
            memcpy(&weight, &words[3 + 2 * i], sizeof weight);
            assert_true(weight != 0.0f);
        }
    }
    return weight;
}

static CrowdMorphNeeds needsOf(const Rig *rig, uint32_t most) {
    return (CrowdMorphNeeds){.sources = rig->sources,
                             .partCount = PARTS,
                             .clips = rig->clips,
                             .durations = rig->durations,
                             .clipCount = CLIPS,
                             .most = most};
}

/* Tables of a crowd of one model with these morphs. */
static void plan(const CrowdMorphs *morphs, CrowdPlan *made) {
    static LayoutCrowdBounds bounds[CLIPS];
    static const uint32_t node = 0;
    static const VkskinAffine bind;
    static const CrowdPart parts[PARTS] = {{.outputBytes = 16}, {.outputBytes = 16}, {.outputBytes = 16}};
    const CrowdGroup group = {.interval = 1,
                              .parts = parts,
                              .partCount = PARTS,
                              .slots = 10,
                              .skin = {.boneCount = 1, .nodes = &node, .binds = &bind},
                              .paletteBytes = 48,
                              .bounds = bounds,
                              .morphs = *morphs};
    const CrowdNeeds needs = {.groups = &group,
                              .groupCount = 1,
                              .capacity = 10,
                              .clipCount = CLIPS,
                              .nodes = {.count = 1, .places = &node},
                              .scratchWords = 12,
                              .copies = 1,
                              .range = 1 << 26,
                              .paletteRange = 1 << 26,
                              .groupSize = 64,
                              .groupInstances = 1,
                              .poseSlots = 1,
                              .views = 4};
    assert_int_equal(sknPlanCrowd(&(Host){0}, "test", &needs, made), VKSKIN_SUCCESS);
    assert_int_equal(made->morphBytes, 10 * 4 * sknCrowdMorphWords(morphs, PARTS));
}

static void checkPose(const Rig *rig, const CrowdMorphs *morphs, const CrowdPlan *made, Random *random) {
    const uint32_t a = randomBelow(random, CLIPS);
    const uint32_t b = randomBelow(random, CLIPS);
    const float weight = randomBelow(random, 2) == 0 ? 0.0f : randomFloat(random, 0.0f, 1.0f);
    LayoutCrowdPose pose = {.clips = a | b << 16, .phaseA = randomWord(random), .phaseB = randomWord(random)};
    uint32_t words[2 * PARTS * (1 + TARGETS)];
    memcpy(&pose.weight, &weight, sizeof weight);
    pose.phaseA = randomBelow(random, 5) == 0 ? 0xffffffffu - randomBelow(random, 2) : pose.phaseA; /* the end */
    const uint32_t at = sknCrowdGroup(made->tables, 0)->morphsAt;
    sknWriteCrowdMorphs(made->tables, (const LayoutCrowdMorphs *)(made->tables + at), &pose, words);
    for (uint32_t p = 0; p < PARTS; p++) {
        for (uint32_t t = 0; t < TARGETS; t++) {
            const float from = expected(rig, a, pose.phaseA, p, t);
            const float to = expected(rig, b, pose.phaseB, p, t);
            const float want = from + weight * (to - from);
            const float got = written(rig, morphs, words, p, t);
            const bool curves =
                a % 4 == VKSKIN_INTERPOLATION_CUBIC || (weight > 0.0f && b % 4 == VKSKIN_INTERPOLATION_CUBIC);
            if (fabsf(got - want) > (curves ? 3e-3f : 2e-5f)) {
                fail_msg("clips %u and %u, part %u, target %u: %g, not %g", a, b, p, t, (double)got, (double)want);
            }
        }
    }
}

TEST(weightsOfACrowdAreThoseOfItsClips) {
    for (uint64_t seed = 1; seed <= 8; seed++) {
        Random random = {seed};
        Rig rig;
        makeRig(&rig, &random);
        Arena arena = sknMakeArena(NULL);
        CrowdMorphs morphs;
        CrowdPlan made;
        const CrowdMorphNeeds needs = needsOf(&rig, PARTS * TARGETS);
        assert_int_equal(sknMakeCrowdMorphs(&(Host){0}, 0, &needs, &arena, &morphs), VKSKIN_SUCCESS);
        assert_int_equal(morphs.count, PARTS * TARGETS - 1); /* target 2 of the part without tracks has none */
        plan(&morphs, &made);
        for (uint32_t i = 0; i < 2000; i++) {
            checkPose(&rig, &morphs, &made, &random);
        }
        sknFreeCrowdPlan(&made);
        sknFreeArena(&arena);
        freeRig(&rig);
    }
}

TEST(modelsWithTooManyWeightsAreRefused) {
    Random random = {3};
    Rig rig;
    makeRig(&rig, &random);
    for (uint32_t most = PARTS * TARGETS - 2; most < PARTS * TARGETS; most++) {
        Arena arena = sknMakeArena(NULL);
        CrowdMorphs morphs;
        const CrowdMorphNeeds needs = needsOf(&rig, most);
        assert_int_equal(sknMakeCrowdMorphs(&(Host){0}, 0, &needs, &arena, &morphs),
                         most < PARTS * TARGETS - 1 ? VKSKIN_ERROR_TOO_MANY_MORPHS : VKSKIN_SUCCESS);
        sknFreeArena(&arena);
    }
    freeRig(&rig);
}

TEST(boxesHoldWhatTargetsMove) {
    const VkskinAnimationBox boxes[2] = {{{-1, -1, -1}, {1, 2, 3}}, vkskinEmptyAnimationBox()};
    const CrowdMorphs morphs = {.before = {0.5, 2.0, 8.0}};
    const uint32_t nodes[2] = {0, 1};
    const VkskinAffine binds[2] = {{{{1, 0, 0, 7}, {0, 0, -1, 7}, {0, 1, 0, 7}}},
                                   {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}}};
    const float grown[3] = {0.5f, 8.0f, 2.0f}; /* by the axes of the bone */
    Arena arena = sknMakeArena(NULL);
    const VkskinAnimationBox *made = sknGrowBoxes(&arena, &morphs, boxes, 2, binds, nodes, 2);
    for (int i = 0; i < 3; i++) {
        assert_float_equal(made[0].low[i], boxes[0].low[i] - grown[i], 1e-3f);
        assert_float_equal(made[0].high[i], boxes[0].high[i] + grown[i], 1e-3f);
    }
    assert_memory_equal(&made[1], &boxes[1], sizeof made[1]);
    sknFreeArena(&arena);
}
