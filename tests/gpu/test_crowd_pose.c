/*
 * The pose pass of crowds: the kernel with both values of VkskinCrowdPosing and the CPU against poses in double precision,
 * in every encoding; skeletons of 1 to 300 nodes; memory that must not be written; bones that are not finite.
 */
#include <float.h>

#include "compute.h"
#include "crowd/clip_set_layout.h"
#include "crowd_pose.h"
#include "random_animation.h"
#include "specialise.h"

static const uint32_t poseWords[] =
#include "crowd/crowd_pose.comp.inc"
    ;

#define SLOTS       150u
#define LISTED      101u /* not a multiple of the workgroup */
#define CLIPS_AT    52u  /* words before things, so that every offset counts */
#define TABLES_AT   20u
#define FRAME_AT    12u
#define PALETTES_AT 64u
#define LIST_GAP    70u /* slots behind the list that must not be posed */
#define STRIDE_GAP  8u  /* words between palettes */
#define POISON      0x7fc0dead

typedef struct Rig {
    const char *name;
    RandomAnimationDef animation;
    uint32_t boneCount;
    bool mixedBones; /* any nodes; otherwise the first ones */
    bool uniform;    /* inverse binds have a uniform scale, also a negative one */
} Rig;

static const Rig rigs[] = {
    {.name = "one bone, one key",
     .animation = {.nodeCount = 1, .clipCount = 2, .maxKeys = 1, .maxDistance = 1.0f, .turn = 0.5f},
     .boneCount = 1},
    {.name = "a body",
     .animation = {.nodeCount = 64, .clipCount = 8, .maxKeys = 30, .maxDistance = 0.3f, .turn = 0.3f},
     .boneCount = 64},
    {.name = "a chain of 256",
     .animation = {.nodeCount = 256, .clipCount = 3, .maxKeys = 9, .chain = true, .maxDistance = 0.1f, .turn = 0.5f},
     .boneCount = 256},
    {.name = "several roots, shuffled",
     .animation = {.nodeCount = 23,
                   .clipCount = 4,
                   .maxKeys = 12,
                   .rootCount = 5,
                   .shuffled = true,
                   .maxDistance = 1.0f,
                   .turn = 0.5f},
     .boneCount = 40,
     .mixedBones = true},
    {.name = "pre-transforms",
     .animation = {.nodeCount = 17,
                   .clipCount = 3,
                   .maxKeys = 12,
                   .preTransforms = true,
                   .shuffled = true,
                   .maxDistance = 1.0f,
                   .turn = 0.5f},
     .boneCount = 11,
     .mixedBones = true},
    {.name = "uniform scales",
     .animation = {.nodeCount = 12, .clipCount = 2, .maxKeys = 12, .maxDistance = 1.0f, .turn = 0.5f},
     .boneCount = 12,
     .uniform = true},
    {.name = "scales",
     .animation = {.nodeCount = 40,
                   .clipCount = 2,
                   .maxKeys = 12,
                   .preTransforms = true,
                   .scales = true,
                   .maxDistance = 1.0f,
                   .turn = 0.5f},
     .boneCount = 40},
};

/* Everything that the pass reads, and where. */
typedef struct Scene {
    const Rig *rig;
    Random random;
    void *block;
    ClipSetData clips;
    VkskinAffine *binds;
    uint32_t *nodes;
    LayoutCrowdPose poses[SLOTS];
    ReferenceMatrix *worlds[SLOTS]; /* [nodeCount], or null: not computed yet */
    uint32_t list[LISTED];
    VkskinPaletteEncoding encoding;
    LayoutCrowdPosePush push;
    size_t words; /* words of palettes and temporary memory, with what is around them */
} Scene;

static float weightOf(const LayoutCrowdPose *pose) {
    float weight;
    memcpy(&weight, &pose->weight, sizeof weight);
    return weight;
}

static void makePoses(Scene *scene) {
    static const uint32_t phases[] = {0, 1, 0x80000000, UINT32_MAX};
    static const float weights[] = {0.0f, 1.0f, 0.5f, 0x1p-24f};
    const uint32_t clipCount = scene->rig->animation.clipCount;
    Random *random = &scene->random;
    for (uint32_t i = 0; i < SLOTS; i++) {
        LayoutCrowdPose *pose = &scene->poses[i];
        const float weight = i < 4 ? weights[i] : randomBelow(random, 2) == 0 ? 0.0f : randomFloat(random, 0.0f, 1.0f);
        pose->clips = randomBelow(random, clipCount) | randomBelow(random, clipCount) << 16;
        pose->phaseA = i % 5 == 0 ? phases[i / 5 % 4] : randomWord(random);
        pose->phaseB = i % 7 == 0 ? phases[i / 7 % 4] : randomWord(random);
        memcpy(&pose->weight, &weight, sizeof weight);
    }
    bool taken[SLOTS] = {false};
    for (uint32_t i = 0; i < LISTED; i++) {
        uint32_t slot = i < 4 ? i : randomBelow(random, SLOTS);
        while (taken[slot]) {
            slot = (slot + 1) % SLOTS;
        }
        taken[slot] = true;
        scene->list[i] = slot;
    }
}

static void scaleBone(VkskinAffine *bone, float scale) {
    for (int i = 0; i < 12; i++) {
        bone->m[i / 4][i % 4] *= i % 4 < 3 ? scale : 1.0f;
    }
}

static void makeSkin(Scene *scene) {
    const Rig *rig = scene->rig;
    scene->nodes = newZeroed(rig->boneCount, sizeof *scene->nodes);
    scene->binds = newZeroed(rig->boneCount, sizeof *scene->binds);
    for (uint32_t bone = 0; bone < rig->boneCount; bone++) {
        scene->nodes[bone] = rig->mixedBones ? randomBelow(&scene->random, rig->animation.nodeCount) : bone;
        scene->binds[bone] = randomBone(&scene->random, 3.0f, rig->animation.scales);
        if (rig->uniform) {
            scaleBone(&scene->binds[bone], randomFloat(&scene->random, -2.0f, 2.0f));
        }
    }
}

static uint32_t roundUp(uint32_t words) {
    return (words + 3) / 4 * 4;
}

static void makeClips(Scene *scene) {
    size_t size = ((const VkskinAnimationHeader *)scene->block)->bytes;
    assert_int_equal(sknMakeClipSet(&(Host){0}, scene->block, size, &scene->clips), VKSKIN_SUCCESS);
    assert_int_equal(scene->clips.clipCount, scene->rig->animation.clipCount);
}

static void makeScene(const Rig *rig, uint64_t seed, Scene *scene) {
    size_t size;
    *scene = (Scene){.rig = rig, .random = {seed}};
    scene->block = newRandomAnimation(&scene->random, &rig->animation, &size);
    makeClips(scene);
    makeSkin(scene);
    makePoses(scene);
}

static void freeScene(Scene *scene) {
    for (uint32_t i = 0; i < SLOTS; i++) {
        free(scene->worlds[i]);
    }
    sknFreeClipSet(&scene->clips);
    free(scene->block);
    free(scene->binds);
    free(scene->nodes);
}

static void setEncoding(Scene *scene, VkskinPaletteEncoding encoding) {
    const uint32_t palette = scene->rig->boneCount * vkskinPaletteStride(encoding) / 4;
    const uint32_t scratch = sknCrowdScratchWords(scene->rig->animation.nodeCount);
    const uint32_t stride = roundUp(palette) + STRIDE_GAP;
    scene->encoding = encoding;
    scene->push = (LayoutCrowdPosePush){.clipSet = CLIPS_AT,
                                        .skin = TABLES_AT,
                                        .count = FRAME_AT - 1,
                                        .list = FRAME_AT,
                                        .poses = FRAME_AT + LISTED + LIST_GAP,
                                        .paletteStride = stride,
                                        .scratch = stride * SLOTS + PALETTES_AT,
                                        .scratchStride = scratch + 4,
                                        .nodeCount = scene->clips.nodeCount,
                                        .lastClipWord = scene->clips.wordCount - 1};
    scene->words = scene->push.scratch + (size_t)scene->push.scratchStride * SLOTS + PALETTES_AT;
}

/* ---- What is expected ---- */

static ReferencePlace placeAt(const void *block, uint32_t clip, uint32_t phase) {
    const VkskinAnimationHeader *header = block;
    const VkskinAnimationClip *source = (const VkskinAnimationClip *)((const uint32_t *)block + header->clipsAt) + clip;
    if (source->timesAt != 0) { /* times are compared as floats */
        return referencePlaceAt(block, clip, (float)phase * (source->duration / 4294967296.0f));
    }
    const double at = phase / 4294967296.0 * (source->keyCount - 1.0);
    return (ReferencePlace){source->keyCount > 1 ? (uint32_t)at : 0, at - floor(at)};
}

static ReferenceMatrix *newWorld(const Scene *scene, const LayoutCrowdPose *pose) {
    const uint32_t nodeCount = scene->rig->animation.nodeCount, a = pose->clips & 0xffff, b = pose->clips >> 16;
    const ReferencePlace placeA = placeAt(scene->block, a, pose->phaseA),
                         placeB = placeAt(scene->block, b, pose->phaseB);
    ReferenceTransform *locals = newZeroed(nodeCount, sizeof *locals);
    for (uint32_t node = 0; node < nodeCount; node++) {
        const ReferenceTransform from = referenceNodeAt(scene->block, a, placeA, node);
        const ReferenceTransform to = referenceNodeAt(scene->block, b, placeB, node);
        locals[node] = referenceBlend(&from, &to, weightOf(pose));
    }
    ReferenceMatrix *world = newReferenceAnimationWorld(scene->block, locals);
    free(locals);
    return world;
}

static double largest(const ReferenceMatrix *matrix) {
    double most = 0.0;
    for (int i = 0; i < 12; i++) {
        most = fmax(most, fabs(matrix->m[i / 4][i % 4]));
    }
    return most;
}

static double difference(const ReferenceMatrix *a, const ReferenceMatrix *b, bool flat) {
    double most = 0.0;
    for (int i = 0; i < 12; i++) {
        const double off = fabs(a->m[i / 4][i % 4] - b->m[i / 4][i % 4]);
        const bool counts = !flat || (i < 8 && i % 4 != 2);
        most = counts && !(off <= most) ? off : most;
    }
    return most;
}

/* Precision of the numbers of an entry of size 1; the rest is the rounding of floats in the hierarchy. */
static double precisionOf(VkskinPaletteEncoding encoding) {
    switch (encoding) {
    case VKSKIN_PALETTE_QUATERNION_HALF:
        return 2e-3;
    case VKSKIN_PALETTE_QUATERNION_SNORM16:
        return 1e-4;
    case VKSKIN_PALETTE_SCALED_DUAL_QUATERNION: /* the rotation depends on shears */
        return 1e-5;
    default:
        return 2e-6;
    }
}

/* Whether the bones of a rig can be represented: scales and shears are lost in some encodings. */
static bool canHold(const Rig *rig, VkskinPaletteEncoding encoding) {
    switch (encoding) {
    case VKSKIN_PALETTE_MAT3X4:
    case VKSKIN_PALETTE_MAT2X3:
    case VKSKIN_PALETTE_SCALED_DUAL_QUATERNION:
        return true;
    case VKSKIN_PALETTE_DUAL_QUATERNION:
        return !rig->animation.scales && !rig->uniform;
    default:
        return !rig->animation.scales;
    }
}

/* Checks the palette of a slot; returns the largest error divided by its bound. */
static double checkPalette(Scene *scene, uint32_t slot, const uint32_t *palette, const char *who) {
    if (scene->worlds[slot] == NULL) {
        scene->worlds[slot] = newWorld(scene, &scene->poses[slot]);
    }
    const ReferenceMatrix *world = scene->worlds[slot];
    const Rig *rig = scene->rig;
    const uint32_t depth = rig->animation.chain ? rig->animation.nodeCount : 16;
    const bool flat = scene->encoding == VKSKIN_PALETTE_MAT2X3;
    double size = 1.0, worst = 0.0;
    for (uint32_t node = 0; node < rig->animation.nodeCount; node++) {
        size = fmax(size, largest(&world[node]));
    }
    for (uint32_t bone = 0; bone < rig->boneCount; bone++) {
        const ReferenceMatrix bind = referenceFromAffine(&scene->binds[bone]);
        const ReferenceMatrix expected = referenceMultiply(&world[scene->nodes[bone]], &bind);
        const ReferenceMatrix actual = paletteEntryMatrix(
            scene->encoding, (const char *)palette + (size_t)bone * vkskinPaletteStride(scene->encoding));
        const double bound = (precisionOf(scene->encoding) + 2e-7 * depth) * size * fmax(1.0, largest(&bind));
        const double off = difference(&actual, &expected, flat);
        if (!(off <= bound)) {
            fail_msg("%s, %s, encoding %u, slot %u, weight %g, bone %u: off by %g, the bound is %g", who, rig->name,
                     scene->encoding, slot, (double)weightOf(&scene->poses[slot]), bone, off, bound);
        }
        worst = fmax(worst, off / bound);
    }
    return worst;
}

/* Whether a word of the memory may be written: it is in a palette or in temporary memory of a listed slot. */
static void checkCanaries(const Scene *scene, const uint32_t *memory, const char *who) {
    const LayoutCrowdPosePush *push = &scene->push;
    const uint32_t palette = scene->rig->boneCount * vkskinPaletteStride(scene->encoding) / 4;
    bool *may = newZeroed(scene->words, sizeof *may);
    for (uint32_t i = 0; i < LISTED; i++) {
        memset(may + (size_t)scene->list[i] * push->paletteStride, true, palette);
        memset(may + push->scratch + (size_t)scene->list[i] * push->scratchStride, true,
               sknCrowdScratchWords(scene->rig->animation.nodeCount));
    }
    for (size_t i = 0; i < scene->words; i++) {
        if (!may[i] && memory[i] != POISON) {
            fail_msg("%s, %s, encoding %u: word %zu was written", who, scene->rig->name, scene->encoding, i);
        }
    }
    free(may);
}

static void checkMemory(Scene *scene, const uint32_t *memory, const char *who) {
    double worst = 0.0;
    checkCanaries(scene, memory, who);
    for (uint32_t i = 0; canHold(scene->rig, scene->encoding) && i < LISTED; i++) {
        const uint32_t slot = scene->list[i];
        worst = fmax(worst, checkPalette(scene, slot, memory + (size_t)slot * scene->push.paletteStride, who));
    }
    print_message("%s, %s, encoding %u: largest error / bound %.2f\n", who, scene->rig->name, scene->encoding, worst);
}

/* ---- The two implementations ---- */

static void *newMemory(const Scene *scene) {
    uint32_t *memory = newZeroed(scene->words + 16, sizeof *memory);
    for (size_t i = 0; i < scene->words; i++) {
        memory[i] = POISON;
    }
    return memory;
}

/* level: 0: slot by slot, without lanes. */
static void poseOnCpu(const Scene *scene, VkskinCpuLevel level, uint32_t *memory) {
    CrowdSkin skin = {scene->rig->boneCount, scene->nodes, scene->binds, scene->encoding, NULL};
    if (level != VKSKIN_CPU_AUTO) {
        assert_int_equal(sknMakeCrowdPoser(&(Host){0}, &scene->clips, &skin), VKSKIN_SUCCESS);
    }
    const CrowdPoseJob job = {.clips = &scene->clips,
                              .skin = &skin,
                              .slots = scene->list,
                              .count = LISTED,
                              .poses = scene->poses,
                              .palettes = (unsigned char *)memory,
                              .paletteStride = (size_t)scene->push.paletteStride * 4,
                              .scratch = (float *)(void *)memory + scene->push.scratch,
                              .scratchStride = scene->push.scratchStride};
    const VkskinCpuRun run = {.level = level != VKSKIN_CPU_AUTO ? level : VKSKIN_CPU_PORTABLE};
    sknPoseCrowdOnCpu(&job, 1, &run);
    vkskinDestroyPoseBatch(skin.batch);
}

typedef struct Buffers {
    GpuBuffer clips, tables, palettes, frame;
} Buffers;

static void fillTables(const Scene *scene, uint32_t *tables) {
    const CrowdSkin skin = {
        .boneCount = scene->rig->boneCount, .nodes = scene->nodes, .binds = scene->binds, .encoding = scene->encoding};
    const uint32_t binds = TABLES_AT + (uint32_t)sknCrowdSkinWords(scene->clips.nodeCount, scene->rig->boneCount);
    const CrowdNodes nodes = sknCrowdNodes(&scene->clips);
    sknWriteCrowdSkin(&skin, &nodes, tables, TABLES_AT, binds);
}

/* A slot that is not in the list. */
static uint32_t unlisted(const Scene *scene) {
    bool listed[SLOTS] = {false};
    uint32_t slot = 0;
    for (uint32_t i = 0; i < LISTED; i++) {
        listed[scene->list[i]] = true;
    }
    while (listed[slot]) {
        slot++;
    }
    return slot;
}

static Buffers createBuffers(Gpu *gpu, const Scene *scene) {
    const VkBufferUsageFlags usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    const size_t tables = TABLES_AT + (size_t)sknCrowdSkinWords(scene->clips.nodeCount, scene->rig->boneCount) +
                          (size_t)scene->rig->boneCount * CROWD_BIND_WORDS;
    const size_t frame = FRAME_AT + LISTED + LIST_GAP + (size_t)SLOTS * CROWD_POSE_WORDS;
    const Buffers buffers = {gpuBuffer(gpu, 4 * ((size_t)CLIPS_AT + scene->clips.wordCount), usage),
                             gpuBuffer(gpu, 4 * tables, usage), gpuBuffer(gpu, 4 * scene->words, usage),
                             gpuBuffer(gpu, 4 * frame, usage)};
    uint32_t *words = buffers.frame.mapped;
    memcpy((uint32_t *)buffers.clips.mapped + CLIPS_AT, scene->clips.words, (size_t)4 * scene->clips.wordCount);
    fillTables(scene, buffers.tables.mapped);
    words[FRAME_AT - 1] = LISTED;
    memcpy(words + FRAME_AT, scene->list, sizeof scene->list);
    for (uint32_t i = 0; i < LIST_GAP; i++) {
        words[FRAME_AT + LISTED + i] = unlisted(scene);
    }
    memcpy(words + scene->push.poses, scene->poses, sizeof scene->poses);
    return buffers;
}

static const char *const posingNames[] = {
    [VKSKIN_CROWD_POSING_THREAD] = "kernel, a thread per character",
    [VKSKIN_CROWD_POSING_GROUP] = "kernel, a workgroup per character",
};

#define FOR_EACH_POSING(posing)                                                                                        \
    for (uint32_t posing = VKSKIN_CROWD_POSING_THREAD; posing <= VKSKIN_CROWD_POSING_GROUP; posing++)

/* As the library makes it for CPU drivers, which take long for code that no value of a constant needs. */
static Compute createKernel(Gpu *gpu, VkskinPaletteEncoding encoding, uint32_t posing) {
    const uint32_t values[CROWD_POSE_CONSTANT_COUNT] = {
        [CROWD_POSE_CONSTANT_ENCODING] = (uint32_t)encoding,
        [CROWD_POSE_CONSTANT_POSING] = posing,
    };
    SpecialisedCode code;
    assert_int_equal(
        sknSpecialise(&(Host){0}, poseWords, COUNT_OF(poseWords), values, CROWD_POSE_CONSTANT_COUNT, &code),
        VKSKIN_SUCCESS);
    const Compute compute =
        computeCreate(gpu, code.words, code.count * sizeof *code.words, CROWD_SETS, sizeof(LayoutCrowdPosePush));
    sknHostFree(NULL, code.words);
    return compute;
}

static void poseOnDevice(Gpu *gpu, Compute *compute, const Scene *scene, uint32_t posing, uint32_t *memory) {
    const uint32_t slots = posing == VKSKIN_CROWD_POSING_THREAD ? CROWD_GROUP : 1; /* slots per workgroup */
    Buffers buffers = createBuffers(gpu, scene);
    computeBind(
        gpu, compute,
        (const VkBuffer[]){buffers.clips.buffer, buffers.tables.buffer, buffers.palettes.buffer, buffers.frame.buffer});
    memcpy(buffers.palettes.mapped, memory, 4 * scene->words);
    computeRun(gpu, compute, &scene->push, (LISTED + slots - 1) / slots + 1); /* one group more than needed */
    memcpy(memory, buffers.palettes.mapped, 4 * scene->words);
    gpuFreeBuffer(gpu, &buffers.clips);
    gpuFreeBuffer(gpu, &buffers.tables);
    gpuFreeBuffer(gpu, &buffers.palettes);
    gpuFreeBuffer(gpu, &buffers.frame);
}

/* ---- Tests ---- */

static const char *const cpuNames[] = {"CPU", "CPU portable", "CPU AVX2", "CPU AVX-512"};

static void checkOnCpu(Scene *scene) {
    for (uint32_t level = 0; level <= (uint32_t)vkskinGetCpuLevel(); level++) {
        uint32_t *lanes = newMemory(scene);
        poseOnCpu(scene, (VkskinCpuLevel)level, lanes);
        checkMemory(scene, lanes, cpuNames[level]);
        free(lanes);
    }
}

static void checkOnDevice(Gpu *gpu, Compute *compute, Scene *scene, uint32_t posing) {
    uint32_t *memory = newMemory(scene);
    poseOnDevice(gpu, compute, scene, posing, memory);
    checkMemory(scene, memory, posingNames[posing]);
    free(memory);
}

GPU_TEST(posesAgreeWithTheReference) {
    Scene scenes[COUNT_OF(rigs)];
    for (size_t i = 0; i < COUNT_OF(rigs); i++) {
        makeScene(&rigs[i], 5, &scenes[i]);
    }
    for (uint32_t encoding = 0; encoding < VKSKIN_PALETTE_ENCODING_COUNT; encoding++) {
        assert_true(sknCrowdWrites((VkskinPaletteEncoding)encoding));
        for (size_t i = 0; i < COUNT_OF(rigs); i++) {
            setEncoding(&scenes[i], (VkskinPaletteEncoding)encoding);
            checkOnCpu(&scenes[i]);
        }
        FOR_EACH_POSING(posing) {
            Compute compute = createKernel(gpu, (VkskinPaletteEncoding)encoding, posing);
            for (size_t i = 0; i < COUNT_OF(rigs); i++) {
                checkOnDevice(gpu, &compute, &scenes[i], posing);
            }
            computeFree(gpu, &compute);
        }
    }
    for (size_t i = 0; i < COUNT_OF(rigs); i++) {
        freeScene(&scenes[i]);
    }
}

/* One more and one less than whole workgroups and words, as chains and as trees. */
GPU_TEST(allSizesOfSkeletons) {
    static const uint32_t sizes[] = {1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 300};
    Compute computes[] = {
        [VKSKIN_CROWD_POSING_THREAD] = createKernel(gpu, VKSKIN_PALETTE_MAT3X4, VKSKIN_CROWD_POSING_THREAD),
        [VKSKIN_CROWD_POSING_GROUP] = createKernel(gpu, VKSKIN_PALETTE_MAT3X4, VKSKIN_CROWD_POSING_GROUP)};
    for (size_t i = 0; i < 2 * COUNT_OF(sizes); i++) {
        const bool chain = i % 2 == 0;
        const uint32_t count = sizes[i / 2];
        char name[32];
        snprintf(name, sizeof name, "a %s of %u", chain ? "chain" : "tree", count);
        const Rig rig = {.name = name,
                         .animation = {.nodeCount = count,
                                       .clipCount = 3,
                                       .maxKeys = 5,
                                       .rootCount = chain ? 1 : 1 + count / 50,
                                       .shuffled = !chain,
                                       .chain = chain,
                                       .maxDistance = 0.1f,
                                       .turn = 0.5f},
                         .boneCount = count};
        Scene scene;
        makeScene(&rig, 11 + i, &scene);
        setEncoding(&scene, VKSKIN_PALETTE_MAT3X4);
        FOR_EACH_POSING(posing) {
            checkOnDevice(gpu, &computes[posing], &scene, posing);
        }
        freeScene(&scene);
    }
    FOR_EACH_POSING(posing) {
        computeFree(gpu, &computes[posing]);
    }
}

/* Whether a node is `ancestor` or below it. */
static bool isBelow(const void *block, uint32_t node, uint32_t ancestor) {
    const int32_t *parents = (const int32_t *)block + ((const VkskinAnimationHeader *)block)->parentsAt;
    int32_t at = (int32_t)node;
    while (at >= 0 && at != (int32_t)ancestor) {
        at = parents[at];
    }
    return at >= 0;
}

static bool isFinite(const uint32_t *entry) {
    bool finite = true;
    for (int i = 0; i < 12; i++) {
        finite = finite && (entry[i] & 0x7f800000) != 0x7f800000;
    }
    return finite;
}

static bool isZero(const uint32_t *entry) {
    bool zero = true;
    for (int i = 0; i < 12; i++) {
        zero = zero && (entry[i] & 0x7fffffff) == 0;
    }
    return zero;
}

/* The bones of a node and all below it are finite or zero, all others keep every bit. Returns how many are zero. */
static uint32_t checkSpread(const Scene *scene, uint32_t bad, const uint32_t *before, const uint32_t *after) {
    uint32_t zeros = 0;
    for (uint32_t i = 0; i < LISTED; i++) {
        const size_t palette = (size_t)scene->list[i] * scene->push.paletteStride;
        for (uint32_t bone = 0; bone < scene->rig->boneCount; bone++) {
            const size_t at = palette + (size_t)12 * bone;
            if (isBelow(scene->block, scene->nodes[bone], bad)) {
                assert_true(isFinite(after + at));
                zeros += isZero(after + at);
            } else {
                assert_memory_equal(before + at, after + at, 48);
            }
        }
    }
    return zeros;
}

/* Gives a node a pre-transform that makes a row of most world matrices infinite, by numbers that are finite. */
static void breakNode(Scene *scene, uint32_t node) {
    const VkskinAnimationHeader *header = scene->block;
    VkskinAffine *pre = (VkskinAffine *)((uint32_t *)scene->block + header->preAt) + node;
    for (int i = 0; i < 4; i++) {
        pre->m[0][i] = FLT_MAX;
    }
    sknFreeClipSet(&scene->clips);
    makeClips(scene);
}

#define LEVELS VKSKIN_CPU_LEVEL_COUNT
#define PLACES (LEVELS + 2) /* and the kernel with both values of VkskinCrowdPosing */

GPU_TEST(brokenBonesDoNotSpread) {
    Rig rig = rigs[3];
    Scene scene;
    rig.animation.preTransforms = true;
    makeScene(&rig, 9, &scene);
    setEncoding(&scene, VKSKIN_PALETTE_MAT3X4);
    const VkskinAnimationHeader *header = scene.block;
    const uint32_t bad = ((const uint32_t *)scene.block)[header->orderAt]; /* root node */
    uint32_t *memories[2][PLACES];
    for (uint32_t broken = 0; broken < 2; broken++) {
        for (uint32_t level = 0; level < PLACES; level++) {
            memories[broken][level] = newMemory(&scene);
            if (level >= LEVELS) {
                const uint32_t posing = level - LEVELS + VKSKIN_CROWD_POSING_THREAD;
                Compute compute = createKernel(gpu, VKSKIN_PALETTE_MAT3X4, posing);
                poseOnDevice(gpu, &compute, &scene, posing, memories[broken][level]);
                computeFree(gpu, &compute);
            } else if (level <= (uint32_t)vkskinGetCpuLevel()) {
                poseOnCpu(&scene, (VkskinCpuLevel)level, memories[broken][level]);
            }
        }
        if (broken == 0) {
            breakNode(&scene, bad);
        }
    }
    for (uint32_t level = 0; level < PLACES; level++) {
        if (level >= LEVELS || level <= (uint32_t)vkskinGetCpuLevel()) {
            assert_true(checkSpread(&scene, bad, memories[0][level], memories[1][level]) > 0);
        }
        free(memories[0][level]);
        free(memories[1][level]);
    }
    freeScene(&scene);
}

/* ---- Halves ---- */

/* The translation of a node, which all halves below it get. */
static void moveFar(Scene *scene, uint32_t node, float far) {
    const VkskinAnimationHeader *header = scene->block;
    VkskinAffine *pre = (VkskinAffine *)((uint32_t *)scene->block + header->preAt) + node;
    pre->m[1][3] = far;
    sknFreeClipSet(&scene->clips);
    makeClips(scene);
}

/* Entries that the CPU makes zero are zero on the device too, the others are finite. Returns the number of zeros. */
static uint32_t checkHalves(const Scene *scene, const uint32_t *cpu, const uint32_t *device) {
    uint32_t zeros = 0;
    for (uint32_t i = 0; i < LISTED * scene->rig->boneCount; i++) {
        const size_t at = (size_t)scene->list[i / scene->rig->boneCount] * scene->push.paletteStride +
                          (size_t)4 * (i % scene->rig->boneCount);
        const bool zero = cpu[at + 3] >> 16 == 0; /* the scale */
        zeros += zero;
        for (uint32_t w = 0; w < 4; w++) {
            assert_true((device[at + w] & 0x7c00u) != 0x7c00u && (device[at + w] & 0x7c000000u) != 0x7c000000u);
            if (zero && ((cpu[at + w] ^ device[at + w]) & 0x7fff7fffu) != 0) {
                fail_msg("bone %u, word %u: 0x%08x on the device, 0x%08x on the CPU", i % scene->rig->boneCount, w,
                         device[at + w], cpu[at + w]);
            }
        }
        assert_true(zero || device[at + 3] >> 16 != 0);
    }
    return zeros;
}

GPU_TEST(bonesThatHalvesCannotHoldAreZero) {
    Rig rig = rigs[3];
    Scene scene;
    rig.animation.preTransforms = true;
    makeScene(&rig, 9, &scene);
    setEncoding(&scene, VKSKIN_PALETTE_QUATERNION_HALF);
    const VkskinAnimationHeader *header = scene.block;
    const uint32_t root = ((const uint32_t *)scene.block)[header->orderAt];
    static const float distances[] = {0.0f, 60000.0f, 70000.0f, -1e30f};
    for (uint32_t d = 0; d < COUNT_OF(distances); d++) {
        moveFar(&scene, root, distances[d]);
        uint32_t *cpu = newMemory(&scene);
        poseOnCpu(&scene, VKSKIN_CPU_AUTO, cpu);
        FOR_EACH_POSING(posing) {
            uint32_t *device = newMemory(&scene);
            Compute compute = createKernel(gpu, VKSKIN_PALETTE_QUATERNION_HALF, posing);
            poseOnDevice(gpu, &compute, &scene, posing, device);
            assert_int_equal(checkHalves(&scene, cpu, device) > 0, d > 1);
            computeFree(gpu, &compute);
            free(device);
        }
        free(cpu);
    }
    freeScene(&scene);
}
