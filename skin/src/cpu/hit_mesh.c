#include "hit.h"
#include "stable_sort.h"

#include <math.h>
#include <string.h>

/* ---- Clusters ---- */

/* The bits of a number of 10 bits, two apart. */
static uint32_t spread(uint32_t bits) {
    bits = (bits | bits << 16) & 0x030000ffu;
    bits = (bits | bits << 8) & 0x0300f00fu;
    bits = (bits | bits << 4) & 0x030c30c3u;
    return (bits | bits << 2) & 0x09249249u;
}

static const float *cornerOf(const Surface *surface, uint32_t triangle, uint32_t corner) {
    return sknSurfacePosition(surface, surface->mesh->indices[3 * (size_t)triangle + corner]);
}

/* The middle of a triangle along an axis, as corners / 3: it cannot overflow. */
static float middleOf(const Surface *surface, uint32_t triangle, uint32_t axis) {
    float middle = 0.0f;
    for (uint32_t corner = 0; corner < 3; corner++) {
        middle += cornerOf(surface, triangle, corner)[axis] / 3.0f;
    }
    return middle;
}

/* Adds the place of each triangle along one axis to its code: every third bit (Morton order). */
static void addPlaces(const Surface *surface, uint32_t count, uint32_t axis, uint32_t *codes) {
    float low = INFINITY, high = -INFINITY;
    for (uint32_t i = 0; i < count; i++) {
        low = fminf(low, middleOf(surface, i, axis));
        high = fmaxf(high, middleOf(surface, i, axis));
    }
    const double size = (double)high - (double)low;
    for (uint32_t i = 0; i < count && size > 0.0; i++) {
        const double share = ((double)middleOf(surface, i, axis) - (double)low) / size;
        codes[i] |= spread((uint32_t)(share * 1023.0)) << axis;
    }
}

static bool comesAfter(const void *data, uint32_t a, uint32_t b) {
    const uint32_t *codes = data;
    return codes[a] > codes[b];
}

/* Lanes after the last triangle repeat it. False: no memory. */
static bool makeClusters(const Surface *surface, VkskinHitMesh mesh) {
    const uint32_t count = surface->mesh->indexCount / 3;
    const size_t lanes = (size_t)mesh->clusterCount * CLUSTER;
    Arena scratch = sknMakeArena(&mesh->allocator);
    uint32_t *codes = sknArenaArray(&scratch, count, sizeof *codes);
    uint32_t *room = sknArenaArray(&scratch, count, sizeof *room);
    mesh->triangles = sknHostAllocateArray(&mesh->allocator, lanes, sizeof *mesh->triangles);
    mesh->corners = sknHostAllocateArray(&mesh->allocator, 3 * lanes, sizeof *mesh->corners);
    const bool made = !scratch.failed && mesh->triangles != NULL && mesh->corners != NULL;
    for (uint32_t axis = 0; made && axis < 3; axis++) {
        addPlaces(surface, count, axis, codes);
    }
    for (size_t lane = 0; made && lane < lanes; lane++) {
        mesh->triangles[lane] = (uint32_t)(lane < count ? lane : count - 1);
    }
    if (made) {
        sknSortStable(mesh->triangles, count, room, comesAfter, codes);
    }
    for (size_t lane = 0; made && lane < lanes; lane++) {
        mesh->triangles[lane] = mesh->triangles[lane < count ? lane : count - 1];
        memcpy(&mesh->corners[3 * lane], &surface->mesh->indices[3 * (size_t)mesh->triangles[lane]],
               3 * sizeof *mesh->corners);
    }
    sknFreeArena(&scratch);
    return made;
}

/* ---- Making ---- */

static VkskinResult checkMesh(const Surface *surface, const VkskinHitMesh *place) {
    const VkskinMeshDef *mesh = surface->mesh;
    const bool bones = mesh == NULL || mesh->boneCount > 0;
    VkskinResult result =
        sknCheckSurface(surface, SURFACE_POSITIONS | SURFACE_TRIANGLES | (bones ? SURFACE_INFLUENCES : 0));
    if (result < 0 || mesh == NULL) {
        return result;
    }
    const Subject subject = {&surface->run.logger, SKN_MESH_LABEL(mesh)};
    const bool wrongBone = bones && mesh->unweightedBone != VKSKIN_NO_BONE && mesh->unweightedBone >= mesh->boneCount;
    const Rule rules[] = {
        {place == NULL, VKSKIN_ERROR_NULL_ARGUMENT, "the place for the hit mesh is null"},
        {mesh->maxInfluences > MAX_INFLUENCES, VKSKIN_ERROR_INVALID_VALUE, "maxInfluences is above 255"},
        {wrongBone, VKSKIN_ERROR_JOINT_OUT_OF_RANGE, "unweightedBone is not below boneCount"},
    };
    result = sknCheckRules(&subject, rules, SKN_COUNT(rules));
    return result < 0 ? result : sknCheckMinWeight(&subject, mesh);
}

static bool makeMesh(Surface *surface, VkskinHitMesh mesh) {
    const VkskinMeshDef *def = surface->mesh;
    const KeepRule rule = {.most = def->maxInfluences, .minShare = def->minWeight};
    surface->run.allocator = &mesh->allocator;
    mesh->logger = surface->run.logger;
    mesh->unweightedBone = def->boneCount > 0 ? def->unweightedBone : VKSKIN_NO_BONE;
    mesh->clusterCount = (def->indexCount / 3 + CLUSTER - 1) / CLUSTER;
    mesh->blockCount = (mesh->clusterCount + CLUSTER - 1) / CLUSTER;
    if (!makeClusters(surface, mesh) || (def->boneCount > 0 && !sknMakeInfluenceLists(surface, rule, &mesh->lists))) {
        return false;
    }
    if (def->boneCount > 0) {
        sknJoinDoubles(surface, &mesh->lists);
    }
    return true;
}

VkskinResult vkskinCreateHitMesh(const VkskinMeshDef *mesh, const VkskinPrepareRun *run, VkskinHitMesh *made) {
    if (made != NULL) {
        *made = NULL;
    }
    VkskinMeshDef own;
    Surface surface = sknSurface(sknWithStrides(mesh, &own), run);
    const VkskinResult result = checkMesh(&surface, made);
    if (result < 0) {
        return result;
    }
    const VkskinHostAllocator *allocator = surface.run.allocator;
    VkskinHitMesh hit = sknHostAllocateArray(allocator, 1, sizeof *hit);
    if (hit != NULL) {
        hit->allocator = sknHostAllocatorCopy(allocator);
    }
    if (hit == NULL || !makeMesh(&surface, hit)) {
        vkskinDestroyHitMesh(hit);
        return sknReport(&surface.run.logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY,
                         "%s%s: no host memory for the clusters of %u triangles", SKN_MESH_LABEL(surface.mesh),
                         surface.mesh->indexCount / 3);
    }
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a rule checked it, in another file */
    *made = hit;
    return VKSKIN_SUCCESS;
}

void vkskinDestroyHitMesh(VkskinHitMesh mesh) {
    if (mesh != NULL) {
        const VkskinHostAllocator allocator = mesh->allocator;
        sknHostFree(&allocator, mesh->triangles);
        sknHostFree(&allocator, mesh->corners);
        sknFreeInfluenceLists(&allocator, &mesh->lists);
        sknHostFree(&allocator, mesh);
    }
}

/* ---- Poses ---- */

size_t vkskinGetHitPoseSize(VkskinHitMesh mesh) {
    if (mesh == NULL) {
        return 0;
    }
    return (BOUNDS_WORDS + BLOCK_WORDS * mesh->blockCount + CLUSTER_WORDS * mesh->clusterCount) * sizeof(float);
}

/* Comparisons with NaN are false: the bounds leave it out. */
static void widen(float *low, float *high, float least, float most) {
    *low = least < *low ? least : *low;
    *high = most > *high ? most : *high;
}

/* Copies the corners of a cluster. Its box: low and high, of stride CLUSTER; nothing is in the boxes after the last cluster. */
static void writeCluster(VkskinHitMesh mesh, const char *positions, size_t stride, uint32_t cluster, float *rows,
                         float *box) {
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t i = 0; cluster < mesh->clusterCount && i < CLUSTER * 3; i++) {
        const uint32_t vertex = mesh->corners[(size_t)cluster * CLUSTER * 3 + i];
        const float *position = (const float *)(const void *)(positions + stride * vertex);
        for (uint32_t axis = 0; axis < 3; axis++) {
            rows[CLUSTER_WORDS * cluster + (size_t)(i % 3 * 3 + axis) * CLUSTER + i / 3] = position[axis];
            widen(&low[axis], &high[axis], position[axis], position[axis]);
        }
    }
    for (uint32_t axis = 0; axis < 3; axis++) {
        box[(size_t)axis * CLUSTER] = low[axis];
        box[(size_t)(3 + axis) * CLUSTER] = high[axis];
    }
}

static void writePose(VkskinHitMesh mesh, const char *positions, size_t stride, float *pose) {
    float *boxes = pose + BOUNDS_WORDS, *rows = boxes + BLOCK_WORDS * mesh->blockCount;
    for (uint32_t axis = 0; axis < BOUNDS_WORDS; axis++) {
        pose[axis] = axis < 3 ? INFINITY : -INFINITY;
    }
    for (uint32_t i = 0; i < mesh->blockCount * CLUSTER; i++) {
        float *box = boxes + BLOCK_WORDS * (i / CLUSTER) + i % CLUSTER;
        writeCluster(mesh, positions, stride, i, rows, box);
        for (uint32_t axis = 0; axis < 3; axis++) {
            widen(&pose[axis], &pose[3 + axis], box[(size_t)axis * CLUSTER], box[(size_t)(3 + axis) * CLUSTER]);
        }
    }
}

VkskinResult vkskinWriteHitPose(VkskinHitMesh mesh, const float *positions, size_t stride, void *pose) {
    if (mesh == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    const Subject subject = {&mesh->logger, "vkskinWriteHitPose", ""};
    const Rule rules[] = {
        {positions == NULL, VKSKIN_ERROR_NULL_ARGUMENT, "positions is null"},
        {pose == NULL, VKSKIN_ERROR_NULL_ARGUMENT, "pose is null"},
        {stride != 0 && (stride < 12 || stride % 4 != 0 || stride > MAX_STRIDE), VKSKIN_ERROR_INVALID_VALUE,
         "stride is not 0 or a multiple of 4 from 12 to 65,536"},
        {(uintptr_t)positions % 4 != 0 || (uintptr_t)pose % 4 != 0, VKSKIN_ERROR_INVALID_VALUE,
         "positions or pose is not 4-byte aligned"},
    };
    const VkskinResult result = sknCheckRules(&subject, rules, SKN_COUNT(rules));
    if (result >= 0) {
        writePose(mesh, (const char *)positions, stride != 0 ? stride : 3 * sizeof(float), pose);
    }
    return result;
}
