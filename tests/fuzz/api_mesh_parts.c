#include "api_mesh_parts.h"

#include "fuzz_target.h"

#include <stdlib.h>
#include <string.h>

uint32_t apiTakeMeshChoices(FuzzBytes *bytes, VkskinMeshDef *def) {
    uint8_t kind = fuzzByte(bytes);
    uint8_t rare = fuzzByte(bytes);
    def->weightFormat = (VkskinWeightFormat)(kind % 3);
    def->normalRule = (VkskinNormals)(kind >> 2 & 1);
    def->dimensions = kind & 8 ? 2 : 3;
    def->maxInfluences = kind & 16 ? 0 : def->maxInfluences;
    def->minWeight = kind & 32 ? 0.3f : 0.0f;
    def->unweightedBone = kind & 64 ? 0 : VKSKIN_NO_BONE;
    def->boneCount = kind & 128 ? 0 : def->boneCount;
    switch (rare) {
    case 0xf0:
        def->weightFormat = (VkskinWeightFormat)fuzzNumber(bytes);
        break;
    case 0xf1:
        def->normalRule = (VkskinNormals)fuzzNumber(bytes);
        break;
    case 0xf2:
        def->dimensions = fuzzNumber(bytes);
        break;
    case 0xf3:
        def->minWeight = fuzzFloat(bytes);
        break;
    case 0xf4:
        def->unweightedBone = fuzzNumber(bytes);
        break;
    default:
        break;
    }
    return def->dimensions == 2 ? 2 : 3;
}

/* Those that the library computes for the def, or any bytes where it does not or where the input wants so. */
static unsigned char *takeCentres(FuzzBytes *bytes, const VkskinMeshDef *def, bool wild, size_t size) {
    static const uint32_t triangle[3] = {0, 0, 0};
    unsigned char *centres = malloc(size);
    FUZZ_CHECK(centres != NULL);
    VkskinMeshDef surface = *def;
    surface.indexCount = 3;
    surface.indices = triangle;
    bool flat = def->dimensions == 2; /* its positions are not of that shape */
    if (flat || wild || vkskinComputeCentres(&surface, NULL, centres, size) < 0) {
        fuzzTake(bytes, centres, size);
    }
    return centres;
}

static void takeTarget(FuzzBytes *bytes, const VkskinMeshDef *def, VkskinMorphTarget *target) {
    uint8_t kind = fuzzByte(bytes);
    bool all = (kind & 1) != 0;
    uint32_t count = all ? def->vertexCount : fuzzCount(bytes, def->vertexCount < 16 ? def->vertexCount : 16);
    count += kind == 0xff; /* one more than there may be, in order */
    *target = (VkskinMorphTarget){
        .vertexCount = count,
        .vertices = all ? NULL : fuzzIndices(bytes, count, def->vertexCount),
        .positions = kind & 2 ? NULL : fuzzFloats(bytes, (size_t)count * (def->dimensions == 2 ? 2 : 3)),
        .normals = kind & 4 ? fuzzFloats(bytes, (size_t)count * 3) : NULL,
        .tangents = kind & 8 ? fuzzFloats(bytes, (size_t)count * 3) : NULL,
        .afterSkinning = (kind & 16) != 0,
    };
}

void apiTakeMeshParts(FuzzBytes *bytes, VkskinMeshDef *def, ApiMeshParts *parts) {
    uint8_t kind = fuzzByte(bytes);
    if (kind & 4) {
        parts->blendWeights = fuzzFloats(bytes, def->vertexCount);
        def->blendWeights = parts->blendWeights;
    }
    if (kind & 8) {
        def->centresSize = vkskinCentresSize(def->vertexCount);
        parts->centres = takeCentres(bytes, def, (kind & 16) != 0, def->centresSize);
        def->centres = parts->centres;
    }
    def->morphTargetCount = kind % (API_MORPHS_MAX + 1);
    if (def->morphTargetCount == 0 || kind == UINT8_MAX) {
        return;
    }
    parts->targets = calloc(API_MORPHS_MAX, sizeof *parts->targets);
    FUZZ_CHECK(parts->targets != NULL);
    for (uint32_t i = 0; i < def->morphTargetCount; i++) {
        takeTarget(bytes, def, &parts->targets[i]);
    }
    def->morphTargets = parts->targets;
}

/* The def's members are const; the memory is the parts' own. */
static void freeConst(const void *memory) {
    void *own;
    memcpy(&own, &memory, sizeof own);
    free(own);
}

void apiFreeMeshParts(ApiMeshParts *parts) {
    for (uint32_t i = 0; parts->targets != NULL && i < API_MORPHS_MAX; i++) {
        freeConst(parts->targets[i].vertices);
        freeConst(parts->targets[i].positions);
        freeConst(parts->targets[i].normals);
        freeConst(parts->targets[i].tangents);
    }
    free(parts->targets);
    free(parts->centres);
    free(parts->blendWeights);
}

void apiCheckMeshInfo(const VkskinMeshDef *def, const VkskinMeshInfo *info) {
    uint32_t least = def->boneCount > 0 ? 1 : 0;
    uint32_t most = def->maxInfluences > 0 ? def->maxInfluences : def->influencesPerVertex;
    uint32_t vertices = 0;
    for (uint32_t i = 0; i < 5; i++) {
        vertices += info->influenceVertices[i];
    }
    FUZZ_CHECK(info->vertexCount == def->vertexCount && info->dimensions == def->dimensions);
    FUZZ_CHECK(info->influences >= least && info->influences <= (def->boneCount > 0 ? most : 0));
    FUZZ_CHECK(vertices == (def->boneCount > 0 ? def->vertexCount : 0));
    FUZZ_CHECK(info->trimmedWeight >= 0.0f && info->trimmedWeight <= 1.0f && info->weightError >= 0.0f);
    FUZZ_CHECK(info->morphTargetCount == def->morphTargetCount);
    FUZZ_CHECK(info->hasCentres == (def->centres != NULL) && info->hasBlendWeights == (def->blendWeights != NULL));
}
