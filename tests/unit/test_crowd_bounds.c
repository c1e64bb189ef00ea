/*
 * The bounds of crowds hold all vertices: of random poses of random clips, between keys too, and during fades. Prints how
 * loose they are.
 */
#include "crowd/clip_set_layout.h"
#include "crowd_bounds.h"
#include "crowd_morphs.h"
#include "crowd_pose.h"
#include "pose_batch_scenes.h"
#include "random_animation.h"

#define BATCH 64u
#define CLIPS 5u
#define PAIRS 40u /* pairs of clips whose fades are tested; at random, if there are more */

typedef struct Box {
    double low[3], high[3];
} Box;

/* Characters are many small ones, whose bounds some pose nearly touches, and a few like those of games. */
typedef struct Rig {
    const char *name;
    RandomAnimationDef animation; /* small ones have 1 to nodeCount nodes */
    float box;                    /* half the side of a node's box; of small ones at most, and sometimes a point */
    uint32_t seeds;
    uint32_t poses; /* poses per clip, and per pair of clips */
    uint32_t times; /* how often the clips are repeated; 0: once */
    bool small;
    bool loose; /* exact bounds would take too long: one ball for all poses */
} Rig;

static const Rig rigs[] = {
    {.name = "more than 64 clips",
     .animation = {.nodeCount = 2,
                   .clipCount = 2,
                   .maxKeys = 2,
                   .chain = true,
                   .scales = true,
                   .maxDistance = 1.0f,
                   .turn = 0.3f},
     .box = 0.5f,
     .seeds = 30,
     .poses = BATCH,
     .times = 33,
     .small = true},
    {.name = "still poses",
     .animation = {.nodeCount = 3,
                   .clipCount = 2,
                   .maxKeys = 1,
                   .chain = true,
                   .scales = true,
                   .maxDistance = 1.0f,
                   .turn = 0.5f},
     .box = 1.0f,
     .seeds = 150,
     .poses = BATCH,
     .small = true},
    {.name = "two keys",
     .animation = {.nodeCount = 3,
                   .clipCount = 2,
                   .maxKeys = 2,
                   .chain = true,
                   .scales = true,
                   .maxDistance = 1.0f,
                   .turn = 0.5f},
     .box = 1.0f,
     .seeds = 150,
     .poses = 2 * BATCH,
     .small = true},
    {.name = "two keys, pre-transforms",
     .animation = {.nodeCount = 3,
                   .clipCount = 2,
                   .maxKeys = 2,
                   .rootCount = 2,
                   .preTransforms = true,
                   .scales = true,
                   .maxDistance = 1.0f,
                   .turn = 0.9f},
     .box = 1.0f,
     .seeds = 150,
     .poses = BATCH,
     .small = true},
    {.name = "wild body",
     .animation =
         {.nodeCount = 24, .clipCount = CLIPS, .maxKeys = 9, .shuffled = true, .maxDistance = 0.4f, .turn = 0.5f},
     .box = 0.1f,
     .seeds = 1,
     .poses = BATCH},
    {.name = "calm body",
     .animation =
         {.nodeCount = 24, .clipCount = CLIPS, .maxKeys = 9, .shuffled = true, .maxDistance = 0.4f, .turn = 0.1f},
     .box = 0.1f,
     .seeds = 1,
     .poses = BATCH},
    {.name = "clips that are alike",
     .animation =
         {.nodeCount = 40, .clipCount = CLIPS, .maxKeys = 9, .maxDistance = 0.15f, .turn = 0.1f, .spread = 0.25f},
     .box = 0.1f,
     .seeds = 1,
     .poses = BATCH},
    {.name = "chain of 60",
     .animation = {.nodeCount = 60, .clipCount = 3, .maxKeys = 5, .chain = true, .maxDistance = 0.1f, .turn = 0.2f},
     .box = 0.1f,
     .seeds = 1,
     .poses = BATCH},
    {.name = "forest, pre-transforms, scales",
     .animation = {.nodeCount = 15,
                   .clipCount = CLIPS,
                   .maxKeys = 9,
                   .rootCount = 4,
                   .preTransforms = true,
                   .scales = true,
                   .maxDistance = 0.5f,
                   .turn = 0.4f},
     .box = 0.2f,
     .seeds = 1,
     .poses = BATCH},
    {.name = "long clips of a long chain",
     .animation = {.nodeCount = 200, .clipCount = 2, .maxKeys = 2000, .chain = true, .maxDistance = 0.1f, .every = 8},
     .box = 0.1f,
     .seeds = 1,
     .poses = BATCH,
     .loose = true},
};

/* A model whose bones are all nodes. */
typedef struct Scene {
    Random random;
    uint32_t nodeCount, clipCount;
    ClipSetData clips;
    VkskinAnimationBox *boxes;
    LayoutCrowdBounds *bounds;
    uint32_t *nodes;
    VkskinAffine *binds;
    VkskinAffine *worlds; /* [BATCH][nodeCount] */
    float *scratch;
} Scene;

static void makeBoxes(Scene *scene, const Rig *rig) {
    const bool tip = rig->small && randomBelow(&scene->random, 2) == 0; /* only the last node moves vertices */
    const float half = rig->box * (rig->small ? (float)randomBelow(&scene->random, 3) * 0.5f : 1.0f);
    scene->boxes = newZeroed(scene->nodeCount, sizeof *scene->boxes);
    for (uint32_t node = 0; node < scene->nodeCount; node++) {
        const bool empty = tip ? node + 1 < scene->nodeCount : node % 4 == 3;
        scene->boxes[node] = vkskinEmptyAnimationBox();
        for (int i = 0; !empty && i < 3; i++) {
            const float at = rig->small ? randomFloat(&scene->random, -1.0f, 1.0f) : 0.0f;
            scene->boxes[node].low[i] = at + randomFloat(&scene->random, -half, 0.0f);
            scene->boxes[node].high[i] = at + randomFloat(&scene->random, 0.0f, half);
        }
    }
}

static void makeScene(Scene *scene, const Rig *rig, const void *block, size_t size) {
    assert_int_equal(sknMakeClipSet(&(Host){0}, block, size, &scene->clips), VKSKIN_SUCCESS);
    scene->nodeCount = scene->clips.nodeCount;
    scene->clipCount = scene->clips.clipCount;
    scene->nodes = newZeroed(scene->nodeCount, sizeof *scene->nodes);
    scene->binds = newZeroed(scene->nodeCount, sizeof *scene->binds);
    scene->worlds = newZeroed((size_t)BATCH * scene->nodeCount, sizeof *scene->worlds);
    scene->scratch = newZeroed(BATCH, sizeof *scene->scratch * sknCrowdScratchWords(scene->nodeCount));
    scene->bounds = newZeroed(scene->clipCount, sizeof *scene->bounds);
    for (uint32_t node = 0; node < scene->nodeCount; node++) {
        scene->nodes[node] = node;
        scene->binds[node] = vkskinIdentityAffine();
    }
    makeBoxes(scene, rig);
}

static void freeScene(Scene *scene) {
    sknFreeClipSet(&scene->clips);
    free(scene->boxes);
    free(scene->bounds);
    free(scene->nodes);
    free(scene->binds);
    free(scene->worlds);
    free(scene->scratch);
}

/* ---- Poses ---- */

static void poseBatch(const Scene *scene, const LayoutCrowdPose poses[BATCH]) {
    uint32_t slots[BATCH];
    const CrowdSkin skin = {scene->nodeCount, scene->nodes, scene->binds, VKSKIN_PALETTE_MAT3X4, NULL};
    const CrowdPoseJob job = {.clips = &scene->clips,
                              .skin = &skin,
                              .slots = slots,
                              .count = BATCH,
                              .poses = poses,
                              .palettes = (unsigned char *)scene->worlds,
                              .paletteStride = scene->nodeCount * sizeof(VkskinAffine),
                              .scratch = scene->scratch,
                              .scratchStride = sknCrowdScratchWords(scene->nodeCount)};
    const VkskinCpuRun run = {.level = VKSKIN_CPU_PORTABLE};
    for (uint32_t i = 0; i < BATCH; i++) {
        slots[i] = i;
    }
    sknPoseCrowdOnCpu(&job, 1, &run);
}

static Box emptyBox(void) {
    return (Box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

static void addPoint(Box *box, const double point[3]) {
    for (int i = 0; i < 3; i++) {
        box->low[i] = fmin(box->low[i], point[i]);
        box->high[i] = fmax(box->high[i], point[i]);
    }
}

/* The box of all corners of a pose: it contains all vertices of linear blending. */
static Box boxOfPose(const Scene *scene, const VkskinAffine *world) {
    Box box = emptyBox();
    for (uint32_t node = 0; node < scene->nodeCount; node++) {
        const VkskinAnimationBox *own = &scene->boxes[node];
        for (int corner = 0; own->low[0] <= own->high[0] && corner < 8; corner++) {
            double point[3];
            for (int row = 0; row < 3; row++) {
                point[row] = world[node].m[row][3];
                for (int i = 0; i < 3; i++) {
                    const float *from = (corner >> i & 1) != 0 ? own->high : own->low;
                    point[row] += (double)world[node].m[row][i] * from[i];
                }
            }
            addPoint(&box, point);
        }
    }
    return box;
}

static double floatOf(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static Box boundsOf(const LayoutCrowdBounds *bounds, double margin) {
    const double centre[] = {floatOf(bounds->centreX), floatOf(bounds->centreY), floatOf(bounds->centreZ)};
    const double extent[] = {floatOf(bounds->extentX), floatOf(bounds->extentY), floatOf(bounds->extentZ)};
    Box box;
    for (int i = 0; i < 3; i++) {
        box.low[i] = centre[i] - extent[i] - margin;
        box.high[i] = centre[i] + extent[i] + margin;
    }
    return box;
}

static Box fadeBounds(const Scene *scene, uint32_t a, uint32_t b) {
    const double margin = fmax(floatOf(scene->bounds[a].margin), floatOf(scene->bounds[b].margin));
    Box box = boundsOf(&scene->bounds[a], margin);
    const Box other = boundsOf(&scene->bounds[b], margin);
    addPoint(&box, other.low);
    addPoint(&box, other.high);
    return box;
}

static bool contains(const Box *outer, const Box *inner) {
    bool inside = true;
    for (int i = 0; i < 3; i++) {
        inside = inside && inner->low[i] >= outer->low[i] && inner->high[i] <= outer->high[i];
    }
    return inside;
}

static double diagonal(const Box *box) {
    double square = 0.0;
    for (int i = 0; i < 3; i++) {
        square += (box->high[i] - box->low[i]) * (box->high[i] - box->low[i]);
    }
    return sqrt(square);
}

static void setPoses(Scene *scene, uint32_t a, uint32_t b, bool fades, LayoutCrowdPose poses[BATCH]) {
    for (uint32_t i = 0; i < BATCH; i++) {
        const float weight = fades ? randomFloat(&scene->random, 0.0f, 1.0f) : 0.0f;
        poses[i] = (LayoutCrowdPose){a | b << 16, randomWord(&scene->random), randomWord(&scene->random), 0};
        memcpy(&poses[i].weight, &weight, sizeof weight);
    }
}

/* Poses of clip a, or of fades from a to b; returns the box of all. */
static Box checkPoses(Scene *scene, const char *name, uint32_t a, uint32_t b, bool fades, uint32_t count) {
    const Box bounds = fades ? fadeBounds(scene, a, b) : boundsOf(&scene->bounds[a], 0.0);
    LayoutCrowdPose poses[BATCH];
    Box all = emptyBox();
    for (uint32_t done = 0; done < count; done += BATCH) {
        setPoses(scene, a, b, fades, poses);
        poseBatch(scene, poses);
        for (uint32_t i = 0; i < BATCH; i++) {
            const Box box = boxOfPose(scene, scene->worlds + (size_t)i * scene->nodeCount);
            if (!contains(&bounds, &box)) {
                fail_msg("%s: a vertex of clip %u, %u is outside of its bounds: phases %08x %08x, weight %g", name, a,
                         b, poses[i].phaseA, poses[i].phaseB, floatOf(poses[i].weight));
            }
            addPoint(&all, box.low);
            addPoint(&all, box.high);
        }
    }
    return all;
}

/* Checks all clips and all pairs; returns the largest ratio of the diagonals of the bounds and of what the poses need. */
static double checkScene(Scene *scene, const Rig *rig) {
    const uint32_t clips = scene->clipCount, all = clips * clips;
    double worst = 0.0;
    assert_int_equal(
        sknComputeCrowdBounds(&(Host){0}, &scene->clips, scene->boxes, VKSKIN_METHOD_LINEAR_BLEND, scene->bounds),
        VKSKIN_SUCCESS);
    for (uint32_t a = 0; a < clips && all <= PAIRS; a++) {
        const Box posed = checkPoses(scene, rig->name, a, a, false, 4 * rig->poses);
        const Box bounds = boundsOf(&scene->bounds[a], 0.0);
        worst = fmax(worst, diagonal(&bounds) / diagonal(&posed));
    }
    for (uint32_t i = 0; i < all && i < PAIRS; i++) {
        const uint32_t pair = all <= PAIRS ? i : randomBelow(&scene->random, all);
        (void)checkPoses(scene, rig->name, pair / clips, pair % clips, true, rig->poses);
    }
    return worst;
}

/* With dual quaternions, vertices are within twice the radius of the box, also of the box that a margin enlarges. The
 * part of the box for rounding is not doubled. */
static void checkDualQuaternions(const Scene *scene) {
    LayoutCrowdBounds *wide = newZeroed(scene->clipCount, sizeof *wide);
    assert_int_equal(
        sknComputeCrowdBounds(&(Host){0}, &scene->clips, scene->boxes, VKSKIN_METHOD_DUAL_QUATERNION, wide),
        VKSKIN_SUCCESS);
    for (uint32_t c = 0; c < scene->clipCount; c++) {
        const Box own = boundsOf(&scene->bounds[c], floatOf(scene->bounds[c].margin));
        const Box box = boundsOf(&wide[c], floatOf(wide[c].margin));
        const Box still = boundsOf(&scene->bounds[c], 0.0), stillBox = boundsOf(&wide[c], 0.0);
        for (int i = 0; i < 3; i++) {
            assert_true(box.high[i] - box.low[i] >= 2.0 * diagonal(&own) * 0.999 - 0.01);
            assert_true(stillBox.high[i] - stillBox.low[i] >= 2.0 * diagonal(&still) * 0.999 - 0.01);
        }
    }
    free(wide);
}

/* ---- Nodes ---- */

/* A node that no clip scales need not be scaled. */
static void checkScales(const ClipSetData *clips) {
    const LayoutClipSet *set =
        (const LayoutClipSet *)(clips->words + ((const VkskinAnimationHeader *)clips->block)->bytes / 4);
    const LayoutClipNode *nodes = (const LayoutClipNode *)(clips->words + set->nodes);
    for (uint32_t i = 0; i < clips->nodeCount; i++) {
        bool scales = false;
        for (uint32_t c = 0; c < clips->clipCount; c++) {
            const uint32_t *channels =
                clips->words + set->channels + (size_t)(c * clips->nodeCount + i) * CLIP_CHANNELS;
            const uint32_t entry = channels[VKSKIN_CHANNEL_SCALE];
            float value[3];
            memcpy(value, clips->words + (entry & CLIP_PLACE_MASK), sizeof value);
            scales |= entry >> CLIP_CHANNEL_SHIFT != CLIP_CHANNEL_VALUE || value[0] != 1.0f || value[1] != 1.0f ||
                      value[2] != 1.0f;
        }
        assert_true(!scales || (nodes[i].flags & CLIP_NODE_SCALES) != 0); /* at rest in a clip that holds another */
    }
}

/* ---- Tests ---- */

/* The same block, with its clips several times: copies of the whole block come first, because clips share no arrays. */
static void *newRepeated(const void *block, uint32_t times, size_t *size) {
    const VkskinAnimationHeader *header = block;
    const uint32_t words = (uint32_t)(*size / 4), clips = header->clipCount;
    uint32_t *made = newZeroed(times * (words + clips * 16), sizeof *made);
    VkskinAnimationClip *clip = (VkskinAnimationClip *)(made + (size_t)times * words);
    for (uint32_t i = 0; i < times; i++) {
        memcpy(made + (size_t)i * words, block, *size);
        for (uint32_t c = 0; c < clips; c++, clip++) {
            memcpy(clip, (const uint32_t *)block + header->clipsAt + (size_t)16 * c, sizeof *clip);
            clip->timesAt += clip->timesAt != 0 ? i * words : 0;
            clip->keysAt += i * words;
            clip->rotationsAt += i * words;
            clip->vectorsAt += i * words;
            clip->holdsAt += i * words;
        }
    }
    VkskinAnimationHeader *changed = (VkskinAnimationHeader *)made;
    changed->clipsAt = times * words;
    changed->clipCount *= times;
    *size = (size_t)times * (words + clips * 16) * 4;
    changed->bytes = (uint32_t)*size;
    return made;
}

static double checkRig(const Rig *rig, uint32_t seed) {
    RandomAnimationDef animation = rig->animation;
    Scene scene = {.random = {seed}};
    size_t size;
    animation.nodeCount = rig->small ? 1 + seed % animation.nodeCount : animation.nodeCount;
    animation.rootCount = animation.rootCount < animation.nodeCount ? animation.rootCount : animation.nodeCount;
    void *block = newRandomAnimation(&scene.random, &animation, &size);
    void *repeated = newRepeated(block, rig->times > 0 ? rig->times : 1, &size);
    makeScene(&scene, rig, repeated, size);
    const double loose = checkScene(&scene, rig);
    assert_true(!rig->loose || scene.bounds[0].margin == 0);
    if (!rig->loose && (!rig->small || seed == 1)) {
        checkDualQuaternions(&scene);
    }
    checkScales(&scene.clips);
    freeScene(&scene);
    free(repeated);
    free(block);
    return loose;
}

TEST(allVerticesAreInside) {
    for (size_t i = 0; i < COUNT_OF(rigs); i++) {
        double loose = 0.0;
        for (uint32_t seed = 1; seed <= rigs[i].seeds; seed++) {
            loose = fmax(loose, checkRig(&rigs[i], seed));
        }
        if (!rigs[i].small) {
            print_message("%-32s bounds / poses of a clip: at most %.3f\n", rigs[i].name, loose);
        }
    }
}

/* The box of a bone grows on both sides, by the largest move of a target in the bone's axes; an empty one stays empty. */
TEST(boxesGrowByMorphs) {
    static const uint32_t bone = 1;
    const VkskinAffine bind = {{{0, 2, 0, 5}, {1, 0, 0, 0}, {0, 0, 1, 0}}};
    const CrowdMorphs morphs = {.before = {0.5, 1.0, 0.25}};
    const VkskinAnimationBox boxes[] = {vkskinEmptyAnimationBox(), {{-1, -1, -1}, {1, 2, 3}}};
    static const float low[] = {-3.0f, -1.5f, -1.25f}, high[] = {3.0f, 2.5f, 3.25f};
    Arena arena = sknMakeArena(NULL);
    const VkskinAnimationBox *grown = sknGrowBoxes(&arena, &morphs, boxes, 2, &bind, &bone, 1);
    assert_non_null(grown);
    assert_memory_equal(&grown[0], &boxes[0], sizeof boxes[0]);
    for (int row = 0; row < 3; row++) {
        assert_true(fabsf(grown[1].low[row] - low[row]) < 1e-3f && fabsf(grown[1].high[row] - high[row]) < 1e-3f);
    }
    sknFreeArena(&arena);
}
