#include "split_parts.h"

#include "pair_table.h"
#include "stable_sort.h"

static VkskinResult checkTriangle(const Surface *surface, const InfluenceLists *lists, uint32_t triangle,
                                  uint32_t boneCount, uint32_t maxBones) {
    for (size_t i = 0; i < 3; i++) {
        uint32_t vertex = surface->mesh->indices[3 * (size_t)triangle + i];
        if (lists->first[vertex] == lists->first[vertex + 1]) {
            return sknReport(&surface->run.logger, VKSKIN_ERROR_WEIGHT_ZERO, "%s%s: all weights of vertex %u are zero",
                             SKN_MESH_LABEL(surface->mesh), vertex);
        }
    }
    if (boneCount > maxBones) {
        return sknReport(&surface->run.logger, VKSKIN_ERROR_BONE_LIMIT,
                         "%s%s: triangle %u is moved by %u bones, a part may have %u", SKN_MESH_LABEL(surface->mesh),
                         triangle, boneCount, maxBones);
    }
    return VKSKIN_SUCCESS;
}

/* Lists the bones of each triangle. */
static VkskinResult listTriangles(const Surface *surface, const InfluenceLists *lists, uint32_t maxBones,
                                  InfluenceLists *made) {
    uint32_t triangleCount = surface->mesh->indexCount / 3;
    Influence mean[3 * MAX_INFLUENCES];
    made->first = sknHostAllocateArray(surface->run.allocator, (size_t)triangleCount + 1, sizeof *made->first);
    if (made->first == NULL) {
        return VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    }
    for (uint32_t triangle = 0; triangle < triangleCount; triangle++) {
        uint32_t count = sknTriangleInfluences(surface, lists, triangle, mean);
        VkskinResult result = checkTriangle(surface, lists, triangle, count, maxBones);
        if (result != VKSKIN_SUCCESS) {
            return result;
        }
        made->first[triangle + 1] = made->first[triangle] + count;
    }
    made->influences =
        sknHostAllocateArray(surface->run.allocator, made->first[triangleCount], sizeof *made->influences);
    if (made->influences == NULL) {
        return VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    }
    for (uint32_t triangle = 0; triangle < triangleCount; triangle++) {
        uint32_t count = sknTriangleInfluences(surface, lists, triangle, mean);
        for (uint32_t i = 0; i < count; i++) {
            made->influences[made->first[triangle] + i] = mean[i];
        }
    }
    return VKSKIN_SUCCESS;
}

static bool sameBones(const InfluenceLists *lists, uint32_t a, uint32_t b) {
    uint32_t countA, countB;
    const Influence *listA = sknInfluenceList(lists, a, &countA);
    const Influence *listB = sknInfluenceList(lists, b, &countB);
    bool same = countA == countB;
    for (uint32_t i = 0; same && i < countA; i++) {
        same = listA[i].joint == listB[i].joint;
    }
    return same;
}

static bool allocateSets(const Surface *surface, size_t bones, Arena *arena, BoneSets *sets) {
    size_t count = sets->triangleCount;
    sets->triangles = sknArenaArray(arena, count, sizeof *sets->triangles);
    sets->setOf = sknArenaArray(arena, count, sizeof *sets->setOf);
    sets->firstTriangle = sknArenaArray(arena, count + 1, sizeof *sets->firstTriangle);
    sets->firstBone = sknArenaArray(arena, count + 1, sizeof *sets->firstBone);
    sets->bones = sknArenaArray(arena, bones, sizeof *sets->bones);
    sets->firstSet = sknArenaArray(arena, (size_t)surface->mesh->boneCount + 1, sizeof *sets->firstSet);
    sets->sets = sknArenaArray(arena, bones, sizeof *sets->sets);
    return !arena->failed;
}

/* The triangles are sorted by their bones: a new set starts where the bones change. */
static void groupTriangles(const InfluenceLists *ofTriangles, BoneSets *sets) {
    for (uint32_t i = 0; i < sets->triangleCount; i++) {
        uint32_t triangle = sets->triangles[i];
        if (i == 0 || !sameBones(ofTriangles, sets->triangles[i - 1], triangle)) {
            uint32_t count;
            const Influence *list = sknInfluenceList(ofTriangles, triangle, &count);
            size_t first = sets->firstBone[sets->count];
            for (uint32_t bone = 0; bone < count; bone++) {
                sets->bones[first + bone] = list[bone].joint;
            }
            sets->firstTriangle[sets->count] = i;
            sets->firstBone[++sets->count] = first + count;
        }
        sets->setOf[triangle] = sets->count - 1;
    }
    sets->firstTriangle[sets->count] = sets->triangleCount;
}

/* Computes the sets of each bone from the bones of each set. */
static void listSetsOfBones(const Surface *surface, BoneSets *sets) {
    size_t bones = sets->firstBone[sets->count];
    for (size_t i = 0; i < bones; i++) {
        sets->firstSet[sets->bones[i]]++;
    }
    for (uint32_t bone = 0; bone < surface->mesh->boneCount; bone++) {
        sets->firstSet[bone + 1] += sets->firstSet[bone];
    }
    for (uint32_t set = sets->count; set-- > 0;) { /* backwards: turns the end of each bone's list into its start */
        for (size_t i = sets->firstBone[set]; i < sets->firstBone[set + 1]; i++) {
            sets->sets[--sets->firstSet[sets->bones[i]]] = set;
        }
    }
}

VkskinResult sknMakeBoneSets(const Surface *surface, const InfluenceLists *lists, uint32_t maxBones, Arena *arena,
                             BoneSets *sets) {
    InfluenceLists ofTriangles = {0};
    *sets = (BoneSets){.triangleCount = surface->mesh->indexCount / 3};
    VkskinResult result = listTriangles(surface, lists, maxBones, &ofTriangles);
    if (result == VKSKIN_SUCCESS && !allocateSets(surface, ofTriangles.first[sets->triangleCount], arena, sets)) {
        result = VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    }
    if (result == VKSKIN_SUCCESS) {
        for (uint32_t triangle = 0; triangle < sets->triangleCount; triangle++) {
            sets->triangles[triangle] = triangle;
        }
        sknOrderByBones(&ofTriangles, sets->triangles, sets->triangleCount, sets->setOf);
        groupTriangles(&ofTriangles, sets);
        listSetsOfBones(surface, sets);
    }
    sknFreeInfluenceLists(surface->run.allocator, &ofTriangles);
    return result;
}

#define NO_SET  UINT32_MAX
#define NO_PART UINT32_MAX

typedef struct Packer {
    const BoneSets *sets;
    Arena *arena;
    uint32_t maxBones;
    BonePacking *packing;
    ProgressStage stage;
    uint32_t *missing; /* [sets->count]: number of a set's bones that are not in the part */
    size_t *crowd;     /* [sets->count]: sum over a set's bones of the sets that have the bone */
    /* All sets in two orders, and for each order the number of sets before the first one that is in no part. */
    uint32_t *begins;   /* [sets->count]: best set to start a part first */
    uint32_t *apart;    /* [sets->count]: best set to add first, if it shares no bone with the part */
    uint32_t begun;     /* in begins[] */
    uint32_t passed;    /* in apart[] */
    uint32_t leftCount; /* sets that are in no part */
    /* Sets in no part that share a bone with the current part and may fit into it. */
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

/* Compares two sets that share no bone with the part. */
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

/* The first set of an order that is in no part. At least one must exist. */
static uint32_t firstLeft(const Packer *packer, const uint32_t *order, uint32_t *before) {
    while (!isLeft(packer, order[*before])) {
        (*before)++;
    }
    return order[*before];
}

/* Call it when a bone of the set was added to the part. */
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

/* Adds the sets that need no new bone to the part. Returns the best of the other sets that fit. */
static uint32_t sweep(Packer *packer) {
    uint32_t room = packer->maxBones - packer->partBoneCount;
    uint32_t best = NO_SET;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < packer->followerCount; i++) {
        uint32_t set = packer->followers[i];
        if (packer->missing[set] == 0) {
            packer->packing->partOf[set] = packer->packing->partCount;
            packer->leftCount--;
        } else if (packer->missing[set] <= room) { /* the others never fit into this part */
            packer->followers[kept++] = set;
            best = best == NO_SET || followsBetter(packer, set, best) ? set : best;
        }
    }
    packer->stage.work += packer->followerCount;
    packer->followerCount = kept;
    if (packer->leftCount == 0) {
        return NO_SET;
    }
    /* If this set does share a bone, it is still better than every set that shares none. */
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
        BoneHome *grown = sknArenaArray(packer->arena, capacity, sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        for (uint32_t i = 0; i < packing->homeCount; i++) {
            grown[i] = packing->homes[i];
        }
        packing->homes = grown;
        packing->homeCapacity = capacity;
    }
    packing->homes[packing->homeCount] = (BoneHome){.part = packing->partCount, .next = packing->homeOf[set]};
    packing->homeOf[set] = packing->homeCount++;
    return true;
}

/* Adds the part as a home of every set whose bones it has, also of sets in earlier parts. Starts an empty part. */
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

/* Makes one part that starts with `set`. */
static VkskinResult packPart(Packer *packer, uint32_t set) {
    VkskinResult result = VKSKIN_SUCCESS;
    while (result == VKSKIN_SUCCESS && set != NO_SET) {
        addBones(packer, set);
        set = sweep(packer);
        uint32_t count = packer->sets->count;
        result = sknProgressStep(&packer->stage, 1, count - packer->leftCount, count);
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
    Arena *arena = packer->arena;
    size_t count = packer->sets->count;
    packer->missing = sknArenaArray(arena, count, sizeof *packer->missing);
    packer->crowd = sknArenaArray(arena, count, sizeof *packer->crowd);
    packer->begins = sknArenaArray(arena, count, sizeof *packer->begins);
    packer->apart = sknArenaArray(arena, count, sizeof *packer->apart);
    packer->followers = sknArenaArray(arena, count, sizeof *packer->followers);
    packer->inPart = sknArenaArray(arena, surface->mesh->boneCount, sizeof *packer->inPart);
    packer->partBones = sknArenaArray(arena, surface->mesh->boneCount, sizeof *packer->partBones);
    packer->packing->partOf = sknArenaArray(arena, count, sizeof *packer->packing->partOf);
    packer->packing->homeOf = sknArenaArray(arena, count, sizeof *packer->packing->homeOf);
    return !arena->failed;
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

VkskinResult sknPackBones(ProgressStage stage, const BoneSets *sets, uint32_t maxBones, uint32_t firstSet, Arena *arena,
                          BonePacking *packing) {
    Packer packer = {.sets = sets, .arena = arena, .maxBones = maxBones, .packing = packing, .stage = stage};
    *packing = (BonePacking){0};
    if (!allocatePacker(stage.surface, &packer)) {
        return VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    }
    fillPacker(&packer);
    return pack(&packer, firstSet);
}

#define ROUNDS 8
#define SET_UP 0.2 /* progress when the vertices of all parts are counted */

typedef struct Chooser {
    const Surface *surface;
    const BoneSets *sets;
    const BonePacking *packing;
    Arena *arena;
    PartChoice *choice;
    ProgressStage stage;
    VkskinResult result; /* result of the last progress step */
    PairTable pairs;     /* (vertex, part + 1) for every home of the vertex's triangles */
    uint32_t *uses;      /* [pairs.count]: triangles of the part that use the vertex */
    /* The gathered triangles, which move together. */
    uint32_t *corners;  /* [vertexCount]: number of their corners at each vertex */
    uint32_t *vertices; /* [touchedCount]: vertices with corners above 0 */
    uint32_t touchedCount;
} Chooser;

static uint32_t *usesOf(const Chooser *chooser, uint32_t vertex, uint32_t part) {
    return &chooser->uses[sknFindPair(&chooser->pairs, vertex, part + 1)];
}

static bool addPairs(Chooser *chooser, uint32_t set) {
    const BoneSets *sets = chooser->sets;
    const BoneHome *homes = chooser->packing->homes;
    for (uint32_t home = chooser->packing->homeOf[set]; home != NO_HOME; home = homes[home].next) {
        for (uint32_t i = sets->firstTriangle[set]; i < sets->firstTriangle[set + 1]; i++) {
            const uint32_t *triangle = chooser->surface->mesh->indices + 3 * (size_t)sets->triangles[i];
            for (int corner = 0; corner < 3; corner++) {
                if (!sknAddPair(chooser->surface->run.allocator, &chooser->pairs, triangle[corner],
                                homes[home].part + 1)) {
                    return false;
                }
            }
        }
        chooser->stage.work += sets->firstTriangle[set + 1] - sets->firstTriangle[set];
    }
    return true;
}

static VkskinResult addAllPairs(Chooser *chooser, ProgressStage stage) {
    chooser->stage = stage;
    for (uint32_t set = 0; set < chooser->sets->count; set++) {
        if (!addPairs(chooser, set)) {
            return VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
        }
        VkskinResult result = sknProgressStep(&chooser->stage, 1, set + 1, chooser->sets->count);
        if (result != VKSKIN_SUCCESS) {
            return result;
        }
    }
    return VKSKIN_SUCCESS;
}

/* Call it when all pairs are known. */
static bool allocate(Chooser *chooser) {
    Arena *arena = chooser->arena;
    uint32_t vertexCount = chooser->surface->mesh->vertexCount;
    chooser->uses = sknArenaArray(arena, chooser->pairs.count, sizeof *chooser->uses);
    chooser->corners = sknArenaArray(arena, vertexCount, sizeof *chooser->corners);
    chooser->vertices = sknArenaArray(arena, vertexCount, sizeof *chooser->vertices);
    chooser->choice->partOf = sknHostAllocateArray(chooser->surface->run.allocator, chooser->sets->triangleCount,
                                                   sizeof *chooser->choice->partOf);
    return !arena->failed && chooser->choice->partOf != NULL;
}

static void begin(Chooser *chooser) {
    chooser->choice->partCount = chooser->packing->partCount;
    for (uint32_t triangle = 0; triangle < chooser->sets->triangleCount; triangle++) {
        uint32_t part = chooser->packing->partOf[chooser->sets->setOf[triangle]];
        chooser->choice->partOf[triangle] = part;
        for (size_t corner = 0; corner < 3; corner++) {
            (*usesOf(chooser, chooser->surface->mesh->indices[3 * (size_t)triangle + corner], part))++;
        }
    }
}

static void gather(Chooser *chooser, uint32_t first, uint32_t end) {
    for (uint32_t i = first; i < end; i++) {
        const uint32_t *triangle = chooser->surface->mesh->indices + 3 * (size_t)chooser->sets->triangles[i];
        for (int corner = 0; corner < 3; corner++) {
            if (chooser->corners[triangle[corner]]++ == 0) {
                chooser->vertices[chooser->touchedCount++] = triangle[corner];
            }
        }
    }
}

static void forget(Chooser *chooser) {
    while (chooser->touchedCount > 0) {
        chooser->corners[chooser->vertices[--chooser->touchedCount]] = 0;
    }
}

/* Number of vertices that the part would lose without the gathered triangles, which belong to it. */
static uint32_t countFreed(const Chooser *chooser, uint32_t part) {
    uint32_t freed = 0;
    for (uint32_t i = 0; i < chooser->touchedCount; i++) {
        uint32_t vertex = chooser->vertices[i];
        freed += *usesOf(chooser, vertex, part) == chooser->corners[vertex];
    }
    return freed;
}

/* Number of gathered vertices that the part does not have. */
static uint32_t countNew(const Chooser *chooser, uint32_t part) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < chooser->touchedCount; i++) {
        count += *usesOf(chooser, chooser->vertices[i], part) == 0;
    }
    return count;
}

static void move(Chooser *chooser, uint32_t first, uint32_t end, uint32_t from, uint32_t to) {
    for (uint32_t i = 0; i < chooser->touchedCount; i++) {
        uint32_t vertex = chooser->vertices[i];
        *usesOf(chooser, vertex, from) -= chooser->corners[vertex];
        *usesOf(chooser, vertex, to) += chooser->corners[vertex];
    }
    for (uint32_t i = first; i < end; i++) {
        chooser->choice->partOf[chooser->sets->triangles[i]] = to;
    }
}

/* Moves triangles [first, end) of a set to another part if that saves vertices. They must be in one part. */
static bool moveBetter(Chooser *chooser, uint32_t set, uint32_t first, uint32_t end) {
    const BoneHome *homes = chooser->packing->homes;
    uint32_t from = chooser->choice->partOf[chooser->sets->triangles[first]];
    uint32_t to = from;
    gather(chooser, first, end);
    chooser->stage.work += 2 * (uint64_t)(end - first);
    uint32_t least = countFreed(chooser, from);
    for (uint32_t home = chooser->packing->homeOf[set]; home != NO_HOME; home = homes[home].next) {
        uint32_t added = homes[home].part != from ? countNew(chooser, homes[home].part) : least;
        if (added < least) {
            least = added;
            to = homes[home].part;
        }
        chooser->stage.work += chooser->touchedCount;
    }
    if (to != from) {
        move(chooser, first, end, from, to);
    }
    forget(chooser);
    return to != from;
}

/*
 * One round over all sets with more than one home: moves whole sets, or single triangles. False if nothing moved or the
 * host cancelled.
 */
static bool moveAll(Chooser *chooser, bool wholeSets, uint32_t round) {
    const BoneSets *sets = chooser->sets;
    bool moved = false;
    for (uint32_t set = 0; set < sets->count; set++) {
        uint64_t roundsDone = (wholeSets ? 0 : ROUNDS) + round;
        chooser->result =
            sknProgressStep(&chooser->stage, 1, roundsDone * sets->count + set, (uint64_t)2 * ROUNDS * sets->count);
        if (chooser->result != VKSKIN_SUCCESS) {
            return false;
        }
        if (chooser->packing->homes[chooser->packing->homeOf[set]].next == NO_HOME) {
            continue;
        }
        uint32_t end = sets->firstTriangle[set + 1];
        for (uint32_t i = sets->firstTriangle[set]; i < end; i = wholeSets ? end : i + 1) {
            moved = moveBetter(chooser, set, i, wholeSets ? end : i + 1) || moved;
        }
    }
    return moved;
}

static VkskinResult improve(Chooser *chooser, ProgressStage stage) {
    chooser->stage = stage;
    for (uint32_t round = 0; round < ROUNDS && moveAll(chooser, true, round); round++) {
    }
    for (uint32_t round = 0; chooser->result == VKSKIN_SUCCESS && round < ROUNDS; round++) {
        if (!moveAll(chooser, false, round)) {
            break;
        }
    }
    for (uint32_t i = 0; i < chooser->pairs.count; i++) {
        chooser->choice->vertexCount += chooser->uses[i] > 0;
    }
    return chooser->result;
}

static VkskinResult choose(Chooser *chooser, ProgressStage stage) {
    double middle = stage.from + SET_UP * (stage.to - stage.from);
    VkskinResult result = addAllPairs(chooser, (ProgressStage){stage.surface, stage.from, middle, 0});
    if (result != VKSKIN_SUCCESS) {
        return result;
    }
    if (!allocate(chooser)) {
        return VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    }
    begin(chooser);
    return improve(chooser, (ProgressStage){stage.surface, middle, stage.to, 0});
}

VkskinResult sknChooseParts(ProgressStage stage, const BoneSets *sets, const BonePacking *packing, Arena *arena,
                            PartChoice *choice) {
    const Surface *surface = stage.surface;
    Chooser chooser = {.surface = surface, .sets = sets, .packing = packing, .arena = arena, .choice = choice};
    *choice = (PartChoice){0};
    VkskinResult result = choose(&chooser, stage);
    if (result != VKSKIN_SUCCESS) {
        sknFreePartChoice(surface, choice);
    }
    sknFreePairTable(surface->run.allocator, &chooser.pairs);
    return result;
}

void sknFreePartChoice(const Surface *surface, PartChoice *choice) {
    sknHostFree(surface->run.allocator, choice->partOf);
    *choice = (PartChoice){0};
}
