/*
 * The bounds of crowds hold all vertices: of random poses of random clips, between keys too, and during fades. Prints how
 * loose they are.
 */
#include <math.h>

#include "crowd_bounds.h"
#include "crowd_pose.h"
#include "host_doubles.h"
#include "pose_batch_scenes.h"
#include "random_animation.h"

#define BATCH 64u
#define CLIPS 5u

typedef struct Box {
    double low[3], high[3];
} Box;

typedef struct Rig {
    const char *name;
    RandomAnimationDef animation;
    float box; /* half the side of a node's box */
    uint32_t poses;
} Rig;

static const Rig rigs[] = {
    {.name = "one node",
     .animation = {.nodeCount = 1, .clipCount = 3, .maxKeys = 6, .reach = 1.0f, .turn = 0.5f},
     .box = 0.5f,
     .poses = 20000},
    {.name = "wild body",
     .animation = {.nodeCount = 24, .clipCount = CLIPS, .maxKeys = 9, .shuffled = true, .reach = 0.4f, .turn = 0.5f},
     .box = 0.1f,
     .poses = 20000},
    {.name = "calm body",
     .animation = {.nodeCount = 24, .clipCount = CLIPS, .maxKeys = 9, .shuffled = true, .reach = 0.4f, .turn = 0.1f},
     .box = 0.1f,
     .poses = 20000},
    {.name = "clips that are alike",
     .animation = {.nodeCount = 40, .clipCount = CLIPS, .maxKeys = 9, .reach = 0.15f, .turn = 0.1f, .spread = 0.25f},
     .box = 0.1f,
     .poses = 20000},
    {.name = "long numbers",
     .animation = {.nodeCount = 12, .clipCount = CLIPS, .maxKeys = 9, .reach = 0.4f, .turn = 0.9f},
     .box = 0.2f,
     .poses = 20000},
    {.name = "chain of 60",
     .animation = {.nodeCount = 60, .clipCount = 3, .maxKeys = 5, .chain = true, .reach = 0.1f, .turn = 0.2f},
     .box = 0.1f,
     .poses = 6000},
    {.name = "forest, pre-transforms, scales",
     .animation = {.nodeCount = 15,
                   .clipCount = CLIPS,
                   .maxKeys = 9,
                   .rootCount = 4,
                   .preTransforms = true,
                   .scales = true,
                   .reach = 0.5f,
                   .turn = 0.4f},
     .box = 0.2f,
     .poses = 20000},
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

static void makeBoxes(Scene *scene, float half) {
    scene->boxes = newZeroed(scene->nodeCount, sizeof *scene->boxes);
    for (uint32_t node = 0; node < scene->nodeCount; node++) {
        scene->boxes[node] = vkskinEmptyAnimationBox();
        for (int i = 0; node % 4 != 3 && i < 3; i++) { /* some move no vertices */
            scene->boxes[node].low[i] = randomFloat(&scene->random, -half, 0.0f);
            scene->boxes[node].high[i] = randomFloat(&scene->random, 0.0f, half);
        }
    }
}

static void makeScene(Scene *scene, const void *block, size_t size, float half) {
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
    makeBoxes(scene, half);
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

/* Checks all clips and all pairs; prints the mean ratio of the diagonals of the bounds and of what the poses need. */
static void checkScene(Scene *scene, const char *name, uint32_t poses) {
    const uint32_t clips = scene->clipCount, pairs = clips * clips;
    double loose = 0.0, looseFades = 0.0, worst = 0.0;
    assert_int_equal(
        sknComputeCrowdBounds(&(Host){0}, &scene->clips, scene->boxes, VKSKIN_METHOD_LINEAR_BLEND, scene->bounds),
        VKSKIN_SUCCESS);
    for (uint32_t a = 0; a < clips; a++) {
        const Box all = checkPoses(scene, name, a, a, false, poses / clips);
        const Box bounds = boundsOf(&scene->bounds[a], 0.0);
        loose += diagonal(&bounds) / diagonal(&all) / clips;
        for (uint32_t b = 0; b < clips; b++) {
            const Box faded = checkPoses(scene, name, a, b, true, poses / pairs);
            const Box enlarged = fadeBounds(scene, a, b);
            const double ratio = diagonal(&enlarged) / diagonal(&faded);
            looseFades += ratio / pairs;
            worst = fmax(worst, ratio);
        }
    }
    print_message("%-32s bounds / poses: %.3f; during fades: %.2f, at most %.2f\n", name, loose, looseFades, worst);
}

/* ---- Tests ---- */

TEST(allVerticesAreInside) {
    for (size_t i = 0; i < COUNT_OF(rigs); i++) {
        for (uint32_t seed = 1; seed <= 2; seed++) {
            size_t size;
            Scene scene = {.random = {seed}};
            void *block = newRandomAnimation(&scene.random, &rigs[i].animation, &size);
            makeScene(&scene, block, size, rigs[i].box);
            checkScene(&scene, rigs[i].name, rigs[i].poses);
            freeScene(&scene);
            free(block);
        }
    }
}
