#include "mesh_plan.h"

#include "output_layout.h"

#include <math.h>
#include <string.h>

#define NORMALISED_TOLERANCE 1e-4

uint32_t sknAttributeWords(const VkskinMeshDef *def) {
    uint32_t vectors = def->tangents != NULL ? 2 : def->normals != NULL ? 1 : 0;
    return def->format != VKSKIN_VERTEX_FLOAT || vectors == 0 ? vectors : vectors * 4 - 1;
}

/* Class of an influence count: 0 to 3 for 1 to 4 influences, 4 for more. Without bones: 0. */
static uint32_t classOf(uint32_t influences) {
    return influences < LAYOUT_MANY ? (influences > 0 ? influences - 1 : 0) : LAYOUT_CLASSES - 1;
}

/* Totals over all vertices. */
typedef struct Census {
    uint8_t *classes; /* [vertexCount] */
    uint32_t vertices[LAYOUT_CLASSES];
    uint64_t manyInfluences; /* total of the vertices of the last class */
    double moved;
} Census;

static void countVertex(const VertexInfluences *influences, Census *census, VkskinMeshInfo *info) {
    census->vertices[classOf(influences->count)]++;
    census->manyInfluences += influences->count >= LAYOUT_MANY ? influences->count : 0;
    census->moved = fmax(census->moved, influences->moved);
    const KeptInfluences *trimmed = &influences->trimmed;
    info->influences = influences->count > info->influences ? influences->count : info->influences;
    info->normalisedVertices += trimmed->count > 0 && fabs(trimmed->sum - 1.0) > NORMALISED_TOLERANCE;
    info->trimmedVertices += trimmed->dropped > 0;
    info->trimmedWeight = fmaxf(info->trimmedWeight, (float)trimmed->droppedWeight);
}

/* All positions of a vertex: one, or one per influence. */
static const float *positionsOf(const VkskinMeshDef *def, uint32_t vertex, uint32_t *count) {
    const bool each = def->influencePositions != NULL;
    *count = each ? def->influencesPerVertex : 1;
    return each ? sknInfluencePosition(def, vertex, 0) : sknMeshPosition(def, vertex);
}

static double diagonalOf(const VkskinMeshDef *def) {
    double square = 0.0;
    for (uint32_t i = 0; i < def->dimensions; i++) {
        double low = INFINITY, high = -INFINITY;
        for (uint32_t v = 0; v < def->vertexCount; v++) {
            uint32_t count;
            const float *positions = positionsOf(def, v, &count);
            for (uint32_t k = 0; k < count; k++) {
                low = fmin(low, (double)positions[k * def->dimensions + i]);
                high = fmax(high, (double)positions[k * def->dimensions + i]);
            }
        }
        square += (high - low) * (high - low);
    }
    return sqrt(square);
}

static void takeCensus(const VkskinMeshDef *def, const VkskinLogger *logger, Census *census, VkskinMeshInfo *info) {
    Surface surface = sknMeshSurface(def, logger);
    for (uint32_t i = 0; i < def->vertexCount; i++) {
        VertexInfluences influences;
        sknMeshVertex(def, &surface, i, &influences);
        census->classes[i] = (uint8_t)classOf(influences.count);
        countVertex(&influences, census, info);
    }
    if (def->boneCount > 0) {
        memcpy(info->influenceVertices, census->vertices, sizeof census->vertices);
    }
    info->weightError = census->moved > 0.0 ? (float)(census->moved * diagonalOf(def)) : 0.0f;
}

/* Stable: vertices of a class keep the def's order. */
static void sortVertices(const VkskinMeshDef *def, const Census *census, MeshPlan *plan) {
    uint32_t next[LAYOUT_CLASSES] = {0};
    for (uint32_t c = 1; c < LAYOUT_CLASSES; c++) {
        next[c] = next[c - 1] + census->vertices[c - 1];
    }
    for (uint32_t i = 0; i < def->vertexCount; i++) {
        uint32_t place = next[census->classes[i]]++;
        plan->sorted[place] = i;
        plan->places[i] = place;
    }
}

/* Reserves `words` and returns their offset. */
static uint32_t take(MeshPlan *plan, uint64_t words) {
    uint32_t at = (uint32_t)plan->words;
    plan->words += words;
    return at;
}

/* Words for `count` elements of 1 << log2Bytes bytes without gaps. */
static uint64_t elementWords(uint64_t count, uint32_t log2Bytes) {
    return ((count << log2Bytes) + 3) / 4;
}

static uint32_t influenceFormat(const VkskinMeshDef *def) {
    static const uint32_t weights[] = {
        [VKSKIN_WEIGHTS_FLOAT] = LAYOUT_WEIGHT_FLOAT, [VKSKIN_WEIGHTS_UNORM16] = 1, [VKSKIN_WEIGHTS_UNORM8] = 0};
    uint32_t joints = def->boneCount <= 256 ? 0 : def->boneCount <= 65536 ? 1 : 2;
    return joints | weights[def->weightFormat] << 2;
}

static void planInfluences(MeshPlan *plan, uint32_t influences, uint64_t manyInfluences, LayoutClass *head) {
    uint64_t count = head->vertexCount;
    bool many = influences == LAYOUT_MANY;
    uint64_t joints = many ? manyInfluences : count * influences;
    uint64_t weights = many ? manyInfluences : joints > 0 ? joints - count : 0;
    head->starts = many ? take(plan, count + 1) : 0;
    head->joints = take(plan, elementWords(joints, LAYOUT_JOINT_FORMAT(head->influenceFormat)));
    head->weights = take(plan, elementWords(weights, LAYOUT_WEIGHT_FORMAT(head->influenceFormat)));
}

/* first: sorted index of the first vertex. A class whose vertices are contiguous in the def needs no order. */
static void planClass(const VkskinMeshDef *def, MeshPlan *plan, uint32_t influences, uint32_t first, uint32_t count,
                      uint64_t manyInfluences) {
    uint32_t attributeWords = sknAttributeWords(def);
    plan->influences[plan->classCount] = influences;
    LayoutClass *head = &plan->classes[plan->classCount++];
    *head = (LayoutClass){
        .vertexCount = count,
        .firstVertex = first,
        .firstOutput = plan->sorted[first],
        .influenceFormat = influenceFormat(def),
    };
    bool together = plan->sorted[first + count - 1] - plan->sorted[first] == count - 1;
    head->order = together ? 0 : take(plan, count);
    const uint64_t points = influences == LAYOUT_MANY ? manyInfluences : (uint64_t)count * influences;
    head->positions = take(plan, def->dimensions * (def->influencePositions != NULL ? points : count));
    head->attributes = take(plan, (uint64_t)attributeWords * count);
    planInfluences(plan, influences, manyInfluences, head);
    head->blendWeights = def->blendWeights != NULL ? take(plan, count) : 0;
    head->centres = def->centres != NULL ? take(plan, 3 * (uint64_t)count) : 0;
}

/* Deltas of an attribute that the mesh does not have are ignored. */
static const float *normalDeltas(const VkskinMeshDef *def, const VkskinMorphTarget *target) {
    return def->normals != NULL ? target->normals : NULL;
}

static const float *tangentDeltas(const VkskinMeshDef *def, const VkskinMorphTarget *target) {
    return def->tangents != NULL ? target->tangents : NULL;
}

static void findBlocks(const VkskinMorphTarget *target, const uint32_t *places, LayoutMorph *head) {
    uint32_t first = UINT32_MAX;
    uint32_t last = 0;
    for (uint32_t i = 0; i < target->vertexCount; i++) {
        uint32_t block = places[sknMorphVertex(target, i)] / 32;
        first = block < first ? block : first;
        last = block > last ? block : last;
    }
    head->firstBlock = target->vertexCount > 0 ? first : 0;
    head->blockCount = target->vertexCount > 0 ? last - first + 1 : 0;
}

/* Reserves `words` for a stream of the target. Returns 0 if the target does not have the stream. */
static uint32_t placeStream(const float *values, uint64_t words, uint64_t *at) {
    if (values == NULL || words == 0) {
        return 0;
    }
    uint32_t place = (uint32_t)*at;
    *at += words;
    return place;
}

/* Positions of each vertex that a target moves. */
static uint32_t morphWidth(const VkskinMeshDef *def, const VkskinMorphTarget *target) {
    const Surface surface = {.mesh = def};
    uint32_t width = 1;
    for (uint32_t i = 0; sknMovesInfluences(def, target) && i < target->vertexCount; i++) {
        VertexInfluences influences;
        sknMeshVertex(def, &surface, sknMorphVertex(target, i), &influences);
        width = influences.count > width ? influences.count : width;
    }
    return width;
}

uint64_t sknPlanMorphs(const VkskinMeshDef *def, const uint32_t *places, uint64_t at, LayoutMorph *heads) {
    for (uint32_t i = 0; i < def->morphTargetCount; i++) {
        const VkskinMorphTarget *target = &def->morphTargets[i];
        LayoutMorph *head = &heads[i];
        uint64_t count = target->vertexCount;
        findBlocks(target, places, head);
        head->blocks = (uint32_t)at;
        at += 2 * (uint64_t)head->blockCount;
        head->width = morphWidth(def, target);
        head->positions = placeStream(target->positions, count * head->width * def->dimensions, &at);
        head->normals = placeStream(normalDeltas(def, target), count * 3, &at);
        head->tangents = placeStream(tangentDeltas(def, target), count * 3, &at);
    }
    return at;
}

static void layOut(const VkskinMeshDef *def, const Census *census, MeshPlan *plan, VkskinMeshInfo *info) {
    uint32_t first = 0;
    for (uint32_t c = 0; c < LAYOUT_CLASSES; c++) {
        plan->classCount += census->vertices[c] > 0;
    }
    (void)take(plan, (uint64_t)plan->classCount * LAYOUT_CLASS_WORDS);
    plan->classCount = 0;
    info->sorted = true;
    for (uint32_t c = 0; c < LAYOUT_CLASSES; c++) {
        if (census->vertices[c] > 0) {
            uint32_t influences = def->boneCount > 0 ? c + 1 : 0;
            planClass(def, plan, influences, first, census->vertices[c], census->manyInfluences);
            first += census->vertices[c];
            info->sorted = info->sorted && plan->classes[plan->classCount - 1].order == 0;
        }
    }
    if (def->morphTargetCount > 0) {
        plan->morphHeads = take(plan, (uint64_t)def->morphTargetCount * LAYOUT_MORPH_WORDS);
        plan->words = sknPlanMorphs(def, plan->places, plan->words, plan->morphs);
    }
    info->sourceBytes = 4 * plan->words;
}

VkskinResult sknPlanMesh(const Host *host, const VkskinMeshDef *def, MeshPlan *plan, VkskinMeshInfo *info) {
    *plan = (MeshPlan){.arena = sknMakeArena(host->allocator)};
    plan->sorted = sknArenaArray(&plan->arena, def->vertexCount, sizeof *plan->sorted);
    plan->places = sknArenaArray(&plan->arena, def->vertexCount, sizeof *plan->places);
    plan->morphs = sknArenaArray(&plan->arena, def->morphTargetCount, sizeof *plan->morphs);
    Census census = {.classes = sknArenaArray(&plan->arena, def->vertexCount, 1)};
    if (plan->arena.failed) {
        sknFreePlan(plan);
        return sknReport(&host->logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "%s%s: no memory to sort %u vertices",
                         SKN_MESH_LABEL(def), def->vertexCount);
    }
    takeCensus(def, &host->logger, &census, info);
    sortVertices(def, &census, plan);
    layOut(def, &census, plan, info);
    return VKSKIN_SUCCESS;
}

void sknFreePlan(MeshPlan *plan) {
    sknFreeArena(&plan->arena);
    *plan = (MeshPlan){0};
}

VkskinMeshInfo sknDescribeMesh(const VkskinMeshDef *def, uint32_t alignment) {
    VkskinMeshInfo info = {
        .vertexCount = def->vertexCount,
        .boneCount = def->boneCount,
        .dimensions = def->dimensions,
        .morphTargetCount = def->morphTargetCount,
        .hasNormals = def->normals != NULL,
        .hasTangents = def->tangents != NULL,
        .hasInfluencePositions = def->influencePositions != NULL,
        .hasBlendWeights = def->blendWeights != NULL,
        .hasCentres = def->centres != NULL,
        .format = def->format,
        .normalRule = def->normalRule,
        .weightFormat = def->weightFormat,
    };
    sknPlaceOutput(def, alignment, &info);
    return info;
}

VkskinResult sknReportMesh(const Host *host, const VkskinMeshDef *def, const VkskinMeshInfo *info) {
    VkskinResult result = VKSKIN_SUCCESS;
    if (def->layout != NULL && sknHasNormalGap(def)) {
        result = sknReport(&host->logger, VKSKIN_WARNING_GAP_AFTER_NORMAL,
                           "%s%s: layout has a gap after the normal, whose packed form takes 4 bytes: if your vertices "
                           "have float normals, set format to VKSKIN_VERTEX_FLOAT",
                           SKN_MESH_LABEL(def));
    }
    if (info->normalisedVertices > 0) {
        result = sknReport(&host->logger, VKSKIN_WARNING_WEIGHTS_NORMALISED,
                           "%s%s: the weights of %u of %u vertices did not sum to one", SKN_MESH_LABEL(def),
                           info->normalisedVertices, info->vertexCount);
    }
    if (info->trimmedVertices > 0) {
        result = sknReport(&host->logger, VKSKIN_WARNING_INFLUENCES_TRIMMED,
                           "%s%s: %u of %u vertices lost influences, at most %.3g of their weight", SKN_MESH_LABEL(def),
                           info->trimmedVertices, info->vertexCount, (double)info->trimmedWeight);
    }
    return result;
}
