#include "part_choice.h"

#include "host_memory.h"
#include "pair_table.h"

#define ROUNDS 8
#define SET_UP 0.2 /* the share of progress that has passed once vertices are counted by parts */

typedef struct Chooser {
    const Surface *surface;
    const BoneSets *sets;
    const BonePacking *packing;
    PartChoice *choice;
    Stage stage;
    VkskinResult result; /* of the stage's last step */
    PairTable pairs;     /* (vertex, part + 1), wherever a triangle of the vertex has a home */
    uint32_t *uses;      /* [pairs.count]: triangles of that part with that vertex */
    /* The triangles that move together. */
    uint32_t *corners;  /* [vertexCount]: how many of their corners are this vertex; else 0 */
    uint32_t *vertices; /* [touchedCount]: those above 0 */
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

static VkskinResult addAllPairs(Chooser *chooser, Stage stage) {
    chooser->stage = stage;
    for (uint32_t set = 0; set < chooser->sets->count; set++) {
        if (!addPairs(chooser, set)) {
            return VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
        }
        VkskinResult result = sknStep(&chooser->stage, 1, set + 1, chooser->sets->count);
        if (result != VKSKIN_SUCCESS) {
            return result;
        }
    }
    return VKSKIN_SUCCESS;
}

/* Once all pairs are known. */
static bool allocate(Chooser *chooser) {
    const VkskinHostAllocator *allocator = chooser->surface->run.allocator;
    chooser->uses = sknHostAllocateArray(allocator, chooser->pairs.count, sizeof *chooser->uses);
    chooser->corners = sknHostAllocateArray(allocator, chooser->surface->mesh->vertexCount, sizeof *chooser->corners);
    chooser->vertices = sknHostAllocateArray(allocator, chooser->surface->mesh->vertexCount, sizeof *chooser->vertices);
    chooser->choice->partOf =
        sknHostAllocateArray(allocator, chooser->sets->triangleCount, sizeof *chooser->choice->partOf);
    return chooser->uses != NULL && chooser->corners != NULL && chooser->vertices != NULL &&
           chooser->choice->partOf != NULL;
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

/* How many of the gathered vertices the part would lose without the gathered triangles, which are of it. */
static uint32_t countFreed(const Chooser *chooser, uint32_t part) {
    uint32_t freed = 0;
    for (uint32_t i = 0; i < chooser->touchedCount; i++) {
        uint32_t vertex = chooser->vertices[i];
        freed += *usesOf(chooser, vertex, part) == chooser->corners[vertex];
    }
    return freed;
}

/* How many of them are new to a part. */
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

/* Moves triangles [first, end) of a set, which are of one part, where that saves vertices. */
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

/* One round over all sets that have a choice, as wholes or triangle by triangle. False where the host said stop. */
static bool moveAll(Chooser *chooser, bool wholeSets, uint32_t round) {
    const BoneSets *sets = chooser->sets;
    bool moved = false;
    for (uint32_t set = 0; set < sets->count; set++) {
        uint64_t roundsDone = (wholeSets ? 0 : ROUNDS) + round;
        chooser->result =
            sknStep(&chooser->stage, 1, roundsDone * sets->count + set, (uint64_t)2 * ROUNDS * sets->count);
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

static VkskinResult improve(Chooser *chooser, Stage stage) {
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

static VkskinResult choose(Chooser *chooser, Stage stage) {
    double middle = stage.from + SET_UP * (stage.to - stage.from);
    VkskinResult result = addAllPairs(chooser, (Stage){stage.surface, stage.from, middle, 0});
    if (result != VKSKIN_SUCCESS) {
        return result;
    }
    if (!allocate(chooser)) {
        return VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    }
    begin(chooser);
    return improve(chooser, (Stage){stage.surface, middle, stage.to, 0});
}

VkskinResult sknChooseParts(Stage stage, const BoneSets *sets, const BonePacking *packing, PartChoice *choice) {
    const Surface *surface = stage.surface;
    Chooser chooser = {.surface = surface, .sets = sets, .packing = packing, .choice = choice};
    *choice = (PartChoice){0};
    VkskinResult result = choose(&chooser, stage);
    if (result != VKSKIN_SUCCESS) {
        sknFreePartChoice(surface, choice);
    }
    sknHostFree(surface->run.allocator, chooser.vertices);
    sknHostFree(surface->run.allocator, chooser.corners);
    sknHostFree(surface->run.allocator, chooser.uses);
    sknFreePairTable(surface->run.allocator, &chooser.pairs);
    return result;
}

void sknFreePartChoice(const Surface *surface, PartChoice *choice) {
    sknHostFree(surface->run.allocator, choice->partOf);
    *choice = (PartChoice){0};
}
