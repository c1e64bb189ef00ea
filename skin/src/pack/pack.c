#include "pack.h"

#include <float.h>
#include <math.h>

#include "clip.h"
#include "cookie.h"
#include "run_tasks.h"
#include "surface.h"

/* ---- Boxes ---- */

VkskinAnimationBox vkskinEmptyAnimationBox(void) {
    return (VkskinAnimationBox){.low = {1.0f}};
}

static bool isEmpty(const VkskinAnimationBox *box) {
    return box->high[0] < box->low[0];
}

static void addPoint(VkskinAnimationBox *box, const float point[3]) {
    const bool empty = isEmpty(box);
    for (int i = 0; i < 3; ++i) {
        box->low[i] = empty ? point[i] : fminf(box->low[i], point[i]);
        box->high[i] = empty ? point[i] : fmaxf(box->high[i], point[i]);
    }
}

/* Adds a vertex to the box of a bone's node. False: it is not finite there. */
static bool addVertex(VkskinSkin skin, uint32_t bone, const float position[3], VkskinAnimationBox *boxes) {
    float point[3] = {position[0], position[1], position[2]};
    for (int row = 0; skin->inverseBinds != NULL && row < 3; ++row) {
        const float *m = skin->inverseBinds[bone].m[row];
        point[row] = m[0] * position[0] + m[1] * position[1] + m[2] * position[2] + m[3];
    }
    if (!isfinite(point[0]) || !isfinite(point[1]) || !isfinite(point[2])) {
        return false;
    }
    addPoint(&boxes[skin->boneNodes[bone]], point);
    return true;
}

/* The influences of a vertex that move it. Returns the count. */
static uint32_t listInfluences(const Surface *surface, uint32_t vertex, Influence influences[MAX_INFLUENCES]) {
    const VkskinMeshDef *mesh = surface->mesh;
    uint32_t count = 0;
    sknSurfaceInfluences(surface, vertex, influences);
    for (uint32_t i = 0; i < mesh->influencesPerVertex; ++i) {
        if (influences[i].weight != 0.0f) {
            influences[count++] = influences[i];
        }
    }
    if (count == 0 && mesh->unweightedBone != VKSKIN_NO_BONE) {
        influences[count++] = (Influence){mesh->unweightedBone, 1.0f};
    }
    return count;
}

static VkskinResult checkVertices(const Surface *surface, uint32_t boneCount) {
    VkskinResult result = sknCheckSurface(surface, SURFACE_POSITIONS | SURFACE_INFLUENCES);
    for (uint32_t vertex = 0; result >= 0 && vertex < surface->mesh->vertexCount; ++vertex) {
        Influence influences[MAX_INFLUENCES];
        const uint32_t count = listInfluences(surface, vertex, influences);
        for (uint32_t i = 0; i < count; ++i) {
            result = influences[i].joint < boneCount ? result : VKSKIN_ERROR_JOINT_OUT_OF_RANGE;
        }
    }
    return result;
}

VkskinResult vkskinAddAnimationBoxes(VkskinSkin skin, const VkskinMeshDef *mesh, VkskinAnimationBox *boxes) {
    if (skin == NULL || boxes == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    VkskinMeshDef own;
    const Surface surface = sknSurface(sknWithStrides(mesh, &own), NULL);
    VkskinResult result = checkVertices(&surface, skin->boneCount);
    if (result < 0) {
        return result;
    }
    for (uint32_t vertex = 0; vertex < surface.mesh->vertexCount; ++vertex) {
        Influence influences[MAX_INFLUENCES];
        const uint32_t count = listInfluences(&surface, vertex, influences);
        for (uint32_t i = 0; i < count; ++i) {
            if (!addVertex(skin, influences[i].joint, sknSurfacePosition(&surface, vertex), boxes)) {
                result = VKSKIN_ERROR_TRANSFORM_NOT_FINITE;
            }
        }
    }
    return result;
}

/* ---- The def ---- */

VkskinAnimationDef vkskinDefaultAnimationDef(void) {
    return (VkskinAnimationDef){.cookie = VKSKIN_COOKIE_ANIMATION};
}

static VkskinResult checkFields(const VkskinAnimationDef *def, bool hasPlaces) {
    const Subject subject = {&def->logger, "animation", ""};
    const Rule rules[] = {
        {!hasPlaces, VKSKIN_ERROR_NULL_ARGUMENT, "the place for the block or its size is null"},
        {!sknHostAllocatorIsComplete(def->allocator), VKSKIN_ERROR_NULL_ARGUMENT,
         "the host allocator lacks a function"},
        {def->skeleton == NULL, VKSKIN_ERROR_NULL_ARGUMENT, "skeleton is null"},
        {def->clipCount > 0 && def->clips == NULL, VKSKIN_ERROR_NULL_ARGUMENT, "clips is null"},
        {!(def->maxError > 0.0f) || !isfinite(def->maxError), VKSKIN_ERROR_INVALID_VALUE, "maxError is not above 0"},
        {!(def->distance >= 0.0f) || !isfinite(def->distance), VKSKIN_ERROR_INVALID_VALUE,
         "distance is negative or not finite"},
        {(uint32_t)def->profile > VKSKIN_ANIMATION_FLOAT, VKSKIN_ERROR_INVALID_VALUE, "the profile is unknown"},
        {vkskinGetSkeletonNodeCount(def->skeleton) > VKSKIN_ANIMATION_MAX_NODES, VKSKIN_ERROR_INVALID_VALUE,
         "the skeleton has more than 65,536 nodes"},
    };
    return sknCheckRules(&subject, rules, SKN_COUNT(rules));
}

static VkskinResult checkDef(const VkskinAnimationDef *def, bool hasPlaces) {
    const VkskinLogger *logger = &def->logger;
    const VkskinResult result = checkFields(def, hasPlaces);
    if (result != VKSKIN_SUCCESS) {
        return result;
    }
    if ((uint64_t)def->skeleton->nodeCount * def->clipCount > VKSKIN_ANIMATION_MAX_NODE_CLIPS) {
        return sknReport(logger, VKSKIN_ERROR_INVALID_VALUE, "animation: %u nodes x %u clips are more than %u",
                         def->skeleton->nodeCount, def->clipCount, VKSKIN_ANIMATION_MAX_NODE_CLIPS);
    }
    for (uint32_t i = 0; i < def->clipCount; ++i) {
        if (def->clips[i] == NULL) {
            return sknReport(logger, VKSKIN_ERROR_NULL_ARGUMENT, "animation: clip %u is null", i);
        }
        if (def->clips[i]->nodeCount > def->skeleton->nodeCount) {
            return sknReport(logger, VKSKIN_ERROR_INVALID_VALUE,
                             "animation: clip %u is for a skeleton of %u nodes, this one has %u", i,
                             def->clips[i]->nodeCount, def->skeleton->nodeCount);
        }
    }
    for (uint32_t node = 0; def->boxes != NULL && node < def->skeleton->nodeCount; ++node) {
        const VkskinAnimationBox *box = &def->boxes[node];
        for (int i = 0; i < 3; ++i) {
            if (!isfinite(box->low[i]) || !isfinite(box->high[i])) {
                return sknReport(logger, VKSKIN_ERROR_TRANSFORM_NOT_FINITE,
                                 "animation: the box of node %u is not finite", node);
            }
        }
    }
    return VKSKIN_SUCCESS;
}

/* ---- The skeleton ---- */

static void setBox(const VkskinAnimationDef *def, PackNode *node) {
    VkskinAnimationBox box = def->boxes != NULL ? def->boxes[node->node] : vkskinEmptyAnimationBox();
    const float low[3] = {-def->distance, -def->distance, -def->distance};
    const float high[3] = {def->distance, def->distance, def->distance};
    addPoint(&box, low);
    addPoint(&box, high);
    for (int i = 0; i < 3; ++i) {
        node->centre[i] = 0.5f * box.low[i] + 0.5f * box.high[i];
        node->half[i] = fmaxf(box.high[i] - node->centre[i], node->centre[i] - box.low[i]);
    }
}

static bool makeSkeleton(const VkskinAnimationDef *def, Arena *arena, PackSkeleton *made) {
    VkskinSkeleton skeleton = def->skeleton;
    *made = (PackSkeleton){.skeleton = skeleton, .nodeCount = skeleton->nodeCount};
    made->nodes = sknArenaArray(arena, skeleton->nodeCount, sizeof *made->nodes);
    made->places = sknArenaArray(arena, skeleton->nodeCount, sizeof *made->places);
    if (arena->failed) {
        return false;
    }
    for (uint32_t place = 0; place < skeleton->nodeCount; ++place) {
        PackNode *node = &made->nodes[place];
        node->node = sknNodeInOrder(skeleton, place);
        made->places[node->node] = place;
        const int32_t parent = skeleton->parents[node->node];
        node->parent = parent >= 0 ? made->places[parent] : PACK_NONE;
        if (skeleton->preTransforms != NULL) {
            const VkskinAffine *pre = &skeleton->preTransforms[node->node];
            node->hasPre = !sknAffineIsIdentity(pre);
            memcpy(node->pre, pre->m, sizeof node->pre);
        }
        setBox(def, node);
    }
    return true;
}

/* ---- Clips ---- */

#define ATTEMPTS 4 /* for one grid, to keep to the bound between its times */

/* One clip of the def. Each task writes only its own. */
typedef struct ClipJob {
    Arena arena; /* memory of `packed` */
    PackedClip packed;
    bool packs; /* `packed` is set */
    VkskinResult result;
} ClipJob;

typedef struct PackJob {
    const VkskinAnimationDef *def;
    PackSkeleton skeleton;
    ClipJob *clips; /* [clipCount] */
} PackJob;

/* The error of a packed clip against the source. */
static VkskinResult measureClip(const PackClip *source, PackedClip *packed) {
    void *block = NULL;
    size_t size = 0;
    double error = 0.0;
    VkskinResult result = sknWriteBlock(source->skeleton, packed, 1, &source->arena.allocator, &block, &size);
    if (result == VKSKIN_SUCCESS && !sknPackMeasure(source, block, &error)) {
        result = VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    }
    sknHostFree(&source->arena.allocator, block);
    packed->error = (float)fmin(error, (double)FLT_MAX); /* finite, as readers demand */
    return result;
}

/* Tightens the bound for the grid until the measured error keeps to the def's. Keeps the attempt with the least error. */
static VkskinResult fitClip(PackClip *source, float bound, ClipJob *job) {
    float inner = bound;
    for (int attempt = 0; attempt < ATTEMPTS; ++attempt) {
        PackedClip packed;
        if (!sknPackBest(source, inner, &job->arena, &packed)) {
            return VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
        }
        const VkskinResult result = measureClip(source, &packed);
        if (result != VKSKIN_SUCCESS) {
            return result;
        }
        if (!job->packs || packed.error < job->packed.error || packed.error <= bound) {
            job->packed = packed;
            job->packs = true;
        }
        if (packed.error <= bound || packed.error >= FLT_MAX) { /* numbers beyond floats: no grid helps */
            break;
        }
        inner *= fminf(0.95f * bound / packed.error, 0.9f);
    }
    return VKSKIN_SUCCESS;
}

/* Makes the grid finer if the clip does not keep to the bound between its times. */
static void packClip(void *data, uint32_t index) {
    PackJob *job = data;
    const VkskinAnimationDef *def = job->def;
    ClipJob *clip = &job->clips[index];
    clip->arena = sknMakeArena(def->allocator);
    for (uint32_t finer = 1; finer <= 4; finer *= 2) {
        PackClip source;
        clip->result = sknPackSource(&job->skeleton, def->clips[index], def->profile == VKSKIN_ANIMATION_FLOAT, finer,
                                     def->allocator, &source);
        if (clip->result == VKSKIN_SUCCESS) {
            clip->result = fitClip(&source, def->maxError, clip);
        }
        sknFreeArena(&source.arena);
        if (clip->result != VKSKIN_SUCCESS || clip->packed.error <= def->maxError || clip->packed.error >= FLT_MAX) {
            break;
        }
    }
}

/* The first failure, otherwise the first warning. */
static VkskinResult reportClips(const PackJob *job) {
    const VkskinAnimationDef *def = job->def;
    uint32_t over = UINT32_MAX;
    for (uint32_t i = 0; i < def->clipCount; ++i) {
        const VkskinResult result = job->clips[i].result;
        if (result == VKSKIN_ERROR_TRANSFORM_NOT_FINITE) {
            return sknReport(&def->logger, result, "animation: a pose of clip %u is not finite", i);
        }
        if (result == VKSKIN_ERROR_ANIMATION_DATA) {
            return sknReport(&def->logger, result, "animation: clip %u is too large for a block", i);
        }
        if (result != VKSKIN_SUCCESS) {
            return sknReport(&def->logger, result, "animation: no host memory to pack clip %u", i);
        }
        over = over == UINT32_MAX && job->clips[i].packed.error > def->maxError ? i : over;
    }
    if (over != UINT32_MAX) {
        return sknReport(&def->logger, VKSKIN_WARNING_ERROR_BOUND, "animation: the error of clip %u is %g, above %g",
                         over, (double)job->clips[over].packed.error, (double)def->maxError);
    }
    return VKSKIN_SUCCESS;
}

static uint64_t sourceBytes(VkskinClip clip) {
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < clip->trackCount; ++i) {
        bytes += clip->tracks[i].channel != VKSKIN_CHANNEL_MORPH_WEIGHTS ? 32ull * clip->tracks[i].keyCount : 0;
    }
    return bytes;
}

static void writeStats(const PackJob *job, VkskinAnimationStats *stats) {
    for (uint32_t i = 0; stats != NULL && i < job->def->clipCount; ++i) {
        const PackedClip *packed = &job->clips[i].packed;
        stats[i] = (VkskinAnimationStats){.sourceBytes = sourceBytes(job->def->clips[i]),
                                          .bytes = (uint32_t)sknPackedBytes(packed),
                                          .keyCount = packed->keyCount,
                                          .trackCount = packed->rotationCount + packed->vectorCount,
                                          .holdCount = packed->holdCount,
                                          .uniform = packed->uniform,
                                          .error = packed->error};
    }
}

static VkskinResult writeAll(const PackJob *job, Arena *arena, void **block, size_t *size) {
    const VkskinAnimationDef *def = job->def;
    PackedClip *clips = sknArenaArray(arena, def->clipCount, sizeof *clips);
    VkskinResult result = VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; clips != NULL && i < def->clipCount; ++i) {
        clips[i] = job->clips[i].packed;
    }
    if (clips != NULL) {
        result = sknWriteBlock(&job->skeleton, clips, def->clipCount, def->allocator, block, size);
    }
    if (result == VKSKIN_SUCCESS) {
        return result;
    }
    return sknReport(&def->logger, result,
                     result == VKSKIN_ERROR_ANIMATION_DATA ? "animation: all clips are too large for one block"
                                                           : "animation: no host memory for the block");
}

static VkskinResult packAll(const VkskinAnimationDef *def, Arena *arena, void **block, size_t *size,
                            VkskinAnimationStats *stats) {
    PackJob job = {.def = def, .clips = sknArenaArray(arena, def->clipCount, sizeof *job.clips)};
    if (job.clips == NULL || !makeSkeleton(def, arena, &job.skeleton)) {
        return sknReport(&def->logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "animation: no host memory for %u nodes",
                         def->skeleton->nodeCount);
    }
    sknRunTasks(def->parallel, def->parallelUser, def->clipCount, packClip, &job);
    VkskinResult result = reportClips(&job);
    if (result >= VKSKIN_SUCCESS) {
        const VkskinResult written = writeAll(&job, arena, block, size);
        result = written != VKSKIN_SUCCESS ? written : result;
    }
    if (result >= VKSKIN_SUCCESS) {
        writeStats(&job, stats);
    }
    for (uint32_t i = 0; i < def->clipCount; ++i) {
        sknFreeArena(&job.clips[i].arena);
    }
    return result;
}

VkskinResult vkskinPackAnimation(const VkskinAnimationDef *def, void **block, size_t *size,
                                 VkskinAnimationStats *stats) {
    if (block != NULL) {
        *block = NULL;
    }
    VkskinResult result = sknCheckCookie(def, VKSKIN_COOKIE_ANIMATION);
    if (result == VKSKIN_SUCCESS) {
        result = checkDef(def, block != NULL && size != NULL);
    }
    if (result != VKSKIN_SUCCESS) {
        return result;
    }
    Arena arena = sknMakeArena(def->allocator);
    result = packAll(def, &arena, block, size, stats);
    sknFreeArena(&arena);
    return result;
}

void vkskinFreeAnimation(void *block, const VkskinHostAllocator *allocator) {
    sknHostFree(allocator, block);
}
