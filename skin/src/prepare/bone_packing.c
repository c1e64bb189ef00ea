#include "bone_packing.h"

#include "host_memory.h"
#include "stable_sort.h"

#define NO_SET  UINT32_MAX
#define NO_PART UINT32_MAX

typedef struct Packer {
    const BoneSets *sets;
    const VkskinHostAllocator *allocator;
    uint32_t maxBones;
    BonePacking *packing;
    Stage stage;
    uint32_t *missing; /* [sets->count]: bones of a set that the part does not have */
    size_t *crowd;     /* [sets->count]: over a set's bones, the sets that have them */
    /* All sets in two orders, and how many of each stand before the first one that is in no part. */
    uint32_t *begins;   /* [sets->count]: the best beginning of a part first */
    uint32_t *apart;    /* [sets->count]: the best follower first, of those that share no bone with the part */
    uint32_t begun;     /* of begins[] */
    uint32_t passed;    /* of apart[] */
    uint32_t leftCount; /* sets that are in no part */
    /* Sets in no part that share a bone with the one that is made, and may fit into it. */
    uint32_t *followers; /* [followerCount] */
    uint32_t followerCount;
    bool *inPart;        /* [boneCount] */
    uint32_t *partBones; /* [partBoneCount] */
    uint32_t partBoneCount;
} Packer;

static bool isLeft(const Packer *packer, uint32_t set) {
    return packer->packing->partOf[set] == NO_PART;
}

static uint32_t trianglesOf(const Packer *packer, uint32_t set) {
    return packer->sets->firstTriangle[set + 1] - packer->sets->firstTriangle[set];
}

static bool beginsWorse(const void *data, uint32_t set, uint32_t other) {
    const Packer *packer = data;
    uint32_t size = sknBoneSetSize(packer->sets, set);
    uint32_t otherSize = sknBoneSetSize(packer->sets, other);
    return size != otherSize ? size < otherSize : packer->crowd[set] > packer->crowd[other];
}

/* Of two sets that share no bone with the part. */
static bool followsWorse(const void *data, uint32_t set, uint32_t other) {
    const Packer *packer = data;
    uint32_t size = sknBoneSetSize(packer->sets, set);
    uint32_t otherSize = sknBoneSetSize(packer->sets, other);
    return size != otherSize ? size > otherSize : trianglesOf(packer, set) < trianglesOf(packer, other);
}

static bool followsBetter(const Packer *packer, uint32_t set, uint32_t other) {
    if (packer->missing[set] != packer->missing[other]) {
        return packer->missing[set] < packer->missing[other];
    }
    uint32_t size = sknBoneSetSize(packer->sets, set);
    uint32_t otherSize = sknBoneSetSize(packer->sets, other);
    if (size != otherSize) {
        return size > otherSize;
    }
    uint32_t triangles = trianglesOf(packer, set);
    uint32_t otherTriangles = trianglesOf(packer, other);
    return triangles != otherTriangles ? triangles > otherTriangles : set < other;
}

/* The first set of an order that is in no part. There is one. */
static uint32_t firstLeft(const Packer *packer, const uint32_t *order, uint32_t *before) {
    while (!isLeft(packer, order[*before])) {
        (*before)++;
    }
    return order[*before];
}

/* One of a set's bones came into the part. */
static void missOneLess(Packer *packer, uint32_t set) {
    if (isLeft(packer, set) && packer->missing[set] == sknBoneSetSize(packer->sets, set)) {
        packer->followers[packer->followerCount++] = set;
    }
    packer->missing[set]--;
}

static void addBones(Packer *packer, uint32_t set) {
    const BoneSets *sets = packer->sets;
    for (size_t i = sets->firstBone[set]; i < sets->firstBone[set + 1]; i++) {
        uint32_t bone = sets->bones[i];
        if (packer->inPart[bone]) {
            continue;
        }
        packer->inPart[bone] = true;
        packer->partBones[packer->partBoneCount++] = bone;
        for (size_t k = sets->firstSet[bone]; k < sets->firstSet[bone + 1]; k++) {
            missOneLess(packer, sets->sets[k]);
        }
        packer->stage.work += sets->firstSet[bone + 1] - sets->firstSet[bone];
    }
}

/* Takes the sets that bring no new bone, and returns the best of the others that fit. */
static uint32_t sweep(Packer *packer) {
    uint32_t room = packer->maxBones - packer->partBoneCount;
    uint32_t best = NO_SET;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < packer->followerCount; i++) {
        uint32_t set = packer->followers[i];
        if (packer->missing[set] == 0) {
            packer->packing->partOf[set] = packer->packing->partCount;
            packer->leftCount--;
        } else if (packer->missing[set] <= room) { /* those that do not fit now never will */
            packer->followers[kept++] = set;
            best = best == NO_SET || followsBetter(packer, set, best) ? set : best;
        }
    }
    packer->stage.work += packer->followerCount;
    packer->followerCount = kept;
    if (packer->leftCount == 0) {
        return NO_SET;
    }
    /* Where it does share a bone, it is better than all sets that do not. */
    uint32_t apart = firstLeft(packer, packer->apart, &packer->passed);
    bool fits = packer->missing[apart] <= room;
    return fits && (best == NO_SET || followsBetter(packer, apart, best)) ? apart : best;
}

static bool addHome(Packer *packer, uint32_t set) {
    BonePacking *packing = packer->packing;
    if (packing->homeCount == packing->homeCapacity) {
        if (packing->homeCapacity > UINT32_MAX / 2) {
            return false;
        }
        uint32_t capacity = packing->homeCapacity != 0 ? 2 * packing->homeCapacity : packer->sets->count;
        BoneHome *grown =
            sknHostGrowArray(packer->allocator, packing->homes, packing->homeCount, capacity, sizeof *packing->homes);
        if (grown == NULL) {
            return false;
        }
        packing->homes = grown;
        packing->homeCapacity = capacity;
    }
    packing->homes[packing->homeCount] = (BoneHome){.part = packing->partCount, .next = packing->homeOf[set]};
    packing->homeOf[set] = packing->homeCount++;
    return true;
}

/* Every set that lies within the part, taken by it or by one before, has a home in it. Leaves an empty part. */
static bool closePart(Packer *packer) {
    const BoneSets *sets = packer->sets;
    for (uint32_t i = 0; i < packer->partBoneCount; i++) {
        uint32_t bone = packer->partBones[i];
        for (size_t k = sets->firstSet[bone]; k < sets->firstSet[bone + 1]; k++) {
            uint32_t set = sets->sets[k];
            if (packer->missing[set] == 0 && !addHome(packer, set)) {
                return false;
            }
            packer->missing[set] = sknBoneSetSize(sets, set);
        }
        packer->inPart[bone] = false;
    }
    packer->partBoneCount = 0;
    packer->followerCount = 0;
    packer->packing->partCount++;
    return true;
}

/* One part, which begins with a set. */
static VkskinResult packPart(Packer *packer, uint32_t set) {
    VkskinResult result = VKSKIN_SUCCESS;
    while (result == VKSKIN_SUCCESS && set != NO_SET) {
        addBones(packer, set);
        set = sweep(packer);
        uint32_t count = packer->sets->count;
        result = sknStep(&packer->stage, 1, count - packer->leftCount, count);
    }
    if (result == VKSKIN_SUCCESS && !closePart(packer)) {
        result = VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    }
    return result;
}

static VkskinResult pack(Packer *packer, uint32_t firstSet) {
    bool given = firstSet < packer->sets->count;
    VkskinResult result = packPart(packer, given ? firstSet : packer->begins[0]);
    while (result == VKSKIN_SUCCESS && packer->leftCount > 0) {
        result = packPart(packer, firstLeft(packer, packer->begins, &packer->begun));
    }
    return result;
}

static bool allocatePacker(const Surface *surface, Packer *packer) {
    const VkskinHostAllocator *allocator = surface->run.allocator;
    size_t count = packer->sets->count;
    packer->missing = sknHostAllocateArray(allocator, count, sizeof *packer->missing);
    packer->crowd = sknHostAllocateArray(allocator, count, sizeof *packer->crowd);
    packer->begins = sknHostAllocateArray(allocator, count, sizeof *packer->begins);
    packer->apart = sknHostAllocateArray(allocator, count, sizeof *packer->apart);
    packer->followers = sknHostAllocateArray(allocator, count, sizeof *packer->followers);
    packer->inPart = sknHostAllocateArray(allocator, surface->mesh->boneCount, sizeof *packer->inPart);
    packer->partBones = sknHostAllocateArray(allocator, surface->mesh->boneCount, sizeof *packer->partBones);
    packer->packing->partOf = sknHostAllocateArray(allocator, count, sizeof *packer->packing->partOf);
    packer->packing->homeOf = sknHostAllocateArray(allocator, count, sizeof *packer->packing->homeOf);
    return packer->missing != NULL && packer->crowd != NULL && packer->begins != NULL && packer->apart != NULL &&
           packer->followers != NULL && packer->inPart != NULL && packer->partBones != NULL &&
           packer->packing->partOf != NULL && packer->packing->homeOf != NULL;
}

static void fillPacker(Packer *packer) {
    const BoneSets *sets = packer->sets;
    packer->leftCount = sets->count;
    for (uint32_t set = 0; set < sets->count; set++) {
        packer->begins[set] = set;
        packer->apart[set] = set;
        packer->packing->partOf[set] = NO_PART;
        packer->missing[set] = sknBoneSetSize(sets, set);
        packer->packing->homeOf[set] = NO_HOME;
        for (size_t i = sets->firstBone[set]; i < sets->firstBone[set + 1]; i++) {
            packer->crowd[set] += sets->firstSet[sets->bones[i] + 1] - sets->firstSet[sets->bones[i]];
        }
    }
    sknSortStable(packer->begins, sets->count, packer->followers, beginsWorse, packer);
    sknSortStable(packer->apart, sets->count, packer->followers, followsWorse, packer);
}

static void freePacker(Packer *packer) {
    sknHostFree(packer->allocator, packer->partBones);
    sknHostFree(packer->allocator, packer->inPart);
    sknHostFree(packer->allocator, packer->followers);
    sknHostFree(packer->allocator, packer->apart);
    sknHostFree(packer->allocator, packer->begins);
    sknHostFree(packer->allocator, packer->crowd);
    sknHostFree(packer->allocator, packer->missing);
}

VkskinResult sknPackBones(Stage stage, const BoneSets *sets, uint32_t maxBones, uint32_t firstSet,
                          BonePacking *packing) {
    const Surface *surface = stage.surface;
    Packer packer = {
        .sets = sets, .allocator = surface->run.allocator, .maxBones = maxBones, .packing = packing, .stage = stage};
    VkskinResult result = VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    *packing = (BonePacking){0};
    if (allocatePacker(surface, &packer)) {
        fillPacker(&packer);
        result = pack(&packer, firstSet);
    }
    freePacker(&packer);
    if (result != VKSKIN_SUCCESS) {
        sknFreeBonePacking(surface, packing);
    }
    return result;
}

void sknFreeBonePacking(const Surface *surface, BonePacking *packing) {
    sknHostFree(surface->run.allocator, packing->homes);
    sknHostFree(surface->run.allocator, packing->homeOf);
    sknHostFree(surface->run.allocator, packing->partOf);
    *packing = (BonePacking){0};
}
