#include "bone_packing.h"

#include "host_memory.h"

#define NO_SET UINT32_MAX

typedef struct Packer {
    const BoneSets *sets;
    const VkskinHostAllocator *allocator;
    uint32_t maxBones;
    BonePacking *packing;
    uint32_t *missing; /* [sets->count]: bones of a set that the part does not have */
    size_t *crowd;     /* [sets->count]: over a set's bones, the sets that have them */
    uint32_t *left;    /* [leftCount]: sets that are in no part, ascending */
    uint32_t leftCount;
    bool *inPart;        /* [boneCount] */
    uint32_t *partBones; /* [partBoneCount] */
    uint32_t partBoneCount;
} Packer;

static bool beginsBetter(const Packer *packer, uint32_t set, uint32_t other) {
    uint32_t size = sknBoneSetSize(packer->sets, set);
    uint32_t otherSize = sknBoneSetSize(packer->sets, other);
    return size != otherSize ? size > otherSize : packer->crowd[set] < packer->crowd[other];
}

static uint32_t chooseBegin(const Packer *packer) {
    uint32_t best = packer->left[0];
    for (uint32_t i = 1; i < packer->leftCount; i++) {
        best = beginsBetter(packer, packer->left[i], best) ? packer->left[i] : best;
    }
    return best;
}

static uint32_t trianglesOf(const Packer *packer, uint32_t set) {
    return packer->sets->firstTriangle[set + 1] - packer->sets->firstTriangle[set];
}

static bool followsBetter(const Packer *packer, uint32_t set, uint32_t other) {
    if (packer->missing[set] != packer->missing[other]) {
        return packer->missing[set] < packer->missing[other];
    }
    uint32_t size = sknBoneSetSize(packer->sets, set);
    uint32_t otherSize = sknBoneSetSize(packer->sets, other);
    return size != otherSize ? size > otherSize : trianglesOf(packer, set) > trianglesOf(packer, other);
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
            packer->missing[sets->sets[k]]--;
        }
    }
}

/* Takes the sets that bring no new bone, and returns the best of the others that fit. */
static uint32_t sweep(Packer *packer) {
    uint32_t room = packer->maxBones - packer->partBoneCount;
    uint32_t best = NO_SET;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < packer->leftCount; i++) {
        uint32_t set = packer->left[i];
        if (packer->missing[set] == 0) {
            packer->packing->partOf[set] = packer->packing->partCount;
            continue;
        }
        packer->left[kept++] = set;
        if (packer->missing[set] <= room && (best == NO_SET || followsBetter(packer, set, best))) {
            best = set;
        }
    }
    packer->leftCount = kept;
    return best;
}

static bool addHome(Packer *packer, uint32_t set) {
    BonePacking *packing = packer->packing;
    if (packing->homeCount == packing->homeCapacity) {
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
    packer->packing->partCount++;
    return true;
}

static bool pack(Packer *packer, uint32_t firstSet) {
    uint32_t set = firstSet < packer->sets->count ? firstSet : chooseBegin(packer);
    while (packer->leftCount > 0) {
        while (set != NO_SET) {
            addBones(packer, set);
            set = sweep(packer);
        }
        if (!closePart(packer)) {
            return false;
        }
        set = packer->leftCount > 0 ? chooseBegin(packer) : NO_SET;
    }
    return true;
}

static bool allocatePacker(const VkskinSurfaceDef *surface, Packer *packer) {
    const VkskinHostAllocator *allocator = surface->allocator;
    size_t count = packer->sets->count;
    packer->missing = sknHostAllocateArray(allocator, count, sizeof *packer->missing);
    packer->crowd = sknHostAllocateArray(allocator, count, sizeof *packer->crowd);
    packer->left = sknHostAllocateArray(allocator, count, sizeof *packer->left);
    packer->inPart = sknHostAllocateArray(allocator, surface->boneCount, sizeof *packer->inPart);
    packer->partBones = sknHostAllocateArray(allocator, surface->boneCount, sizeof *packer->partBones);
    packer->packing->partOf = sknHostAllocateArray(allocator, count, sizeof *packer->packing->partOf);
    packer->packing->homeOf = sknHostAllocateArray(allocator, count, sizeof *packer->packing->homeOf);
    return packer->missing != NULL && packer->crowd != NULL && packer->left != NULL && packer->inPart != NULL &&
           packer->partBones != NULL && packer->packing->partOf != NULL && packer->packing->homeOf != NULL;
}

static void fillPacker(Packer *packer) {
    const BoneSets *sets = packer->sets;
    packer->leftCount = sets->count;
    for (uint32_t set = 0; set < sets->count; set++) {
        packer->left[set] = set;
        packer->missing[set] = sknBoneSetSize(sets, set);
        packer->packing->homeOf[set] = NO_HOME;
        for (size_t i = sets->firstBone[set]; i < sets->firstBone[set + 1]; i++) {
            packer->crowd[set] += sets->firstSet[sets->bones[i] + 1] - sets->firstSet[sets->bones[i]];
        }
    }
}

static void freePacker(Packer *packer) {
    sknHostFree(packer->allocator, packer->partBones);
    sknHostFree(packer->allocator, packer->inPart);
    sknHostFree(packer->allocator, packer->left);
    sknHostFree(packer->allocator, packer->crowd);
    sknHostFree(packer->allocator, packer->missing);
}

bool sknPackBones(const VkskinSurfaceDef *surface, const BoneSets *sets, uint32_t maxBones, uint32_t firstSet,
                  BonePacking *packing) {
    Packer packer = {.sets = sets, .allocator = surface->allocator, .maxBones = maxBones, .packing = packing};
    *packing = (BonePacking){0};
    bool packed = allocatePacker(surface, &packer);
    if (packed) {
        fillPacker(&packer);
        packed = pack(&packer, firstSet);
    }
    freePacker(&packer);
    if (!packed) {
        sknFreeBonePacking(surface, packing);
    }
    return packed;
}

void sknFreeBonePacking(const VkskinSurfaceDef *surface, BonePacking *packing) {
    sknHostFree(surface->allocator, packing->homes);
    sknHostFree(surface->allocator, packing->homeOf);
    sknHostFree(surface->allocator, packing->partOf);
    *packing = (BonePacking){0};
}
