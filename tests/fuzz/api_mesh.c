/* Meshes and instances of the API fuzzer. */
#include "api_run.h"

#include <string.h>

#define INFLUENCES_MAX 12u
#define POKES_MAX      4u
#define MORPHS_MAX     3u

/* ---- Optional parts: choices, blend weights, centres, morph targets. ---- */

static const ApiField CHOICE_FIELDS[] = {
    {0xf0, offsetof(VkskinMeshDef, weightFormat)},
    {0xf1, offsetof(VkskinMeshDef, normalRule)},
    {0xf2, offsetof(VkskinMeshDef, dimensions)},
    {0xf4, offsetof(VkskinMeshDef, unweightedBone)},
};

/* Weight and normal rules, trimming, dimensions, no bones. Returns the number of floats of a position. */
static uint32_t takeMeshChoices(FuzzBytes *bytes, VkskinMeshDef *def) {
    uint8_t kind = fuzzByte(bytes);
    uint8_t rare = fuzzByte(bytes);
    def->weightFormat = (VkskinWeightFormat)(kind % 3);
    def->normalRule = (VkskinNormals)(kind >> 2 & 1);
    def->dimensions = kind & 8 ? 2 : 3;
    def->maxInfluences = kind & 16 ? 0 : def->maxInfluences;
    def->minWeight = kind & 32 ? 0.3f : 0.0f;
    def->unweightedBone = kind & 64 ? 0 : VKSKIN_NO_BONE;
    def->boneCount = kind & 128 ? 0 : def->boneCount;
    API_SPOIL(bytes, def, CHOICE_FIELDS, rare);
    def->minWeight = rare == 0xf3 ? fuzzFloat(bytes) : def->minWeight;
    return def->dimensions == 2 ? 2 : 3;
}

/* Centres computed by the library; any bytes where it refuses or where the input requests so. */
static unsigned char *takeCentres(FuzzBytes *bytes, const VkskinMeshDef *def, bool wild, size_t size) {
    static const uint32_t triangle[3] = {0, 0, 0};
    unsigned char *centres = fuzzRoom(bytes, size);
    VkskinMeshDef surface = *def;
    surface.indexCount = 3;
    surface.indices = triangle;
    bool flat = def->dimensions == 2; /* has other positions */
    if (flat || wild || vkskinComputeCentres(&surface, NULL, centres, size) < 0) {
        fuzzTake(bytes, centres, size);
    }
    return centres;
}

static uint32_t deltaFloats(const VkskinMeshDef *def, bool after) {
    return def->influencePositions != NULL && !after ? 2 * def->influencesPerVertex : def->dimensions == 2 ? 2 : 3;
}

static void takeTarget(FuzzBytes *bytes, const VkskinMeshDef *def, VkskinMorphTarget *target) {
    uint8_t kind = fuzzByte(bytes);
    bool all = (kind & 1) != 0;
    uint32_t count = all ? def->vertexCount : fuzzCount(bytes, def->vertexCount < 16 ? def->vertexCount : 16);
    count += kind == 0xff; /* more than the maximum, in order */
    *target = (VkskinMorphTarget){
        .vertexCount = count,
        .vertices = all ? NULL : fuzzIndices(bytes, count, def->vertexCount),
        .positions = kind & 2 ? NULL : fuzzFloats(bytes, (size_t)count * deltaFloats(def, (kind & 16) != 0)),
        .normals = kind & 4 ? fuzzFloats(bytes, (size_t)count * 3) : NULL,
        .tangents = kind & 8 ? fuzzFloats(bytes, (size_t)count * 3) : NULL,
        .afterSkinning = (kind & 16) != 0,
    };
}

static void takeMeshParts(FuzzBytes *bytes, VkskinMeshDef *def) {
    uint8_t kind = fuzzByte(bytes);
    if (kind & 4) {
        def->blendWeights = fuzzFloats(bytes, def->vertexCount);
    }
    if (kind & 8) {
        def->centresSize = vkskinCentresSize(def->vertexCount);
        def->centres = takeCentres(bytes, def, (kind & 16) != 0, def->centresSize);
    }
    if (kind & 32) {
        def->influencePositions = fuzzFloats(bytes, (size_t)def->vertexCount * def->influencesPerVertex * 2);
    }
    def->morphTargetCount = kind % (MORPHS_MAX + 1);
    if (def->morphTargetCount == 0 || kind == UINT8_MAX) {
        return;
    }
    VkskinMorphTarget *targets = fuzzRoom(bytes, MORPHS_MAX * sizeof *targets);
    for (uint32_t i = 0; i < def->morphTargetCount; i++) {
        takeTarget(bytes, def, &targets[i]);
    }
    def->morphTargets = targets;
}

static void checkMeshInfo(const VkskinMeshDef *def, const VkskinMeshInfo *info) {
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
    FUZZ_CHECK(info->hasInfluencePositions == (def->influencePositions != NULL));
}

/* ---- Meshes ---- */

/* The numbers of a stream: usually all the same. */
typedef struct Numbers {
    size_t width;
    uint32_t usual; /* the bits of each; little-endian */
    float step;     /* step of floats that a byte each varies; 0: integers below `limit` */
    uint32_t limit;
} Numbers;

/* Few different values, so that many vertices are equal. */
static uint32_t takeVaried(FuzzBytes *bytes, const Numbers *numbers) {
    uint8_t byte = fuzzByte(bytes);
    if (numbers->step == 0.0f) {
        return byte == UINT8_MAX ? fuzzNumber(bytes) : byte % numbers->limit;
    }
    float number = byte < 0x40 ? 0.0f : (float)(byte & 15) * numbers->step;
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

/* `count` elements of `parts` numbers, *stride bytes apart. A few numbers are any floats, or any integers. Sometimes
 * null. */
static void *takeStream(FuzzBytes *bytes, uint32_t count, size_t parts, const Numbers *numbers, size_t *stride) {
    uint8_t kind = fuzzByte(bytes);
    size_t width = numbers->width, element = parts * width;
    if (kind == UINT8_MAX || count == 0 || element == 0) {
        return NULL;
    }
    *stride = kind & 0x40 ? element + width * (size_t)(kind & 3) : 0;
    size_t all = ((count - 1) * (*stride ? *stride : element) + element) / width;
    uint8_t *stream = fuzzRoom(bytes, all * width);
    for (size_t i = 0; i < all; i++) {
        uint32_t bits = kind & 0x20 ? takeVaried(bytes, numbers) : numbers->usual;
        memcpy(stream + i * width, &bits, width);
    }
    for (uint32_t i = kind & 0x80 ? fuzzCount(bytes, POKES_MAX) : 0; i > 0; i--) {
        bool floats = numbers->step != 0.0f;
        uint32_t value = floats ? 0 : fuzzNumber(bytes);
        float number = floats ? fuzzFloat(bytes) : 0.0f;
        memcpy(stream + fuzzByte(bytes) % all * width, floats ? (const void *)&number : &value, width);
    }
    return stream;
}

static float *takeFloats(FuzzBytes *bytes, const VkskinMeshDef *def, uint32_t floats, size_t *stride, float usual) {
    Numbers numbers = {.width = sizeof usual, .step = usual};
    memcpy(&numbers.usual, &usual, sizeof usual);
    return takeStream(bytes, def->vertexCount, floats, &numbers, stride);
}

/* Joints in the format's width; 4 bytes if the format is unknown. */
static void *takeJoints(FuzzBytes *bytes, VkskinMeshDef *def, uint32_t usual) {
    size_t width = def->jointFormat == VKSKIN_JOINTS_U8 ? 1 : def->jointFormat == VKSKIN_JOINTS_U16 ? 2 : 4;
    const Numbers numbers = {.width = width, .usual = usual, .limit = def->boneCount > 0 ? def->boneCount : 1};
    return takeStream(bytes, def->vertexCount, def->influencesPerVertex, &numbers, &def->jointStride);
}

static const ApiField MESH_FIELDS[] = {
    {0xf1, offsetof(VkskinMeshDef, boneCount)},     {0xf3, offsetof(VkskinMeshDef, jointFormat)},
    {0xf4, offsetof(VkskinMeshDef, maxInfluences)}, {0xf5, offsetof(VkskinMeshDef, format)},
    {0xf6, offsetof(VkskinMeshDef, cookie)},
};

static void takeMeshFields(FuzzBytes *bytes, VkskinMeshDef *def) {
    uint8_t kind = fuzzByte(bytes);
    def->vertexCount = 1 + fuzzCount(bytes, API_VERTICES_MAX - 1);
    def->boneCount = 1 + (kind & 15);
    def->influencesPerVertex = 1 + fuzzByte(bytes) % INFLUENCES_MAX;
    def->jointFormat = (VkskinJointFormat)((kind >> 4) % 3);
    def->maxInfluences = 1 + (kind & 3);
    def->previousPositions = kind >> 7;
    uint8_t rare = fuzzByte(bytes);
    def->format = (VkskinVertexFormat)((kind >> 6 & 1) << (rare & 1)); /* each of the three */
    API_SPOIL(bytes, def, MESH_FIELDS, rare);
    def->vertexCount = rare == 0xf0 ? 0 : def->vertexCount;
    def->influencesPerVertex = rare == 0xf2 ? fuzzCount(bytes, 400) : def->influencesPerVertex; /* 255 at most */
}

static uint32_t takeOffset(FuzzBytes *bytes) {
    uint8_t byte = fuzzByte(bytes);
    return byte >= 0xf0 ? fuzzNumber(bytes) : 4u * (byte & 31u);
}

void apiTakeLayout(FuzzBytes *bytes, VkskinOutputLayout *layout) {
    uint8_t kind = fuzzByte(bytes);
    VkskinAttributePlace *const places[] = {&layout->position, &layout->normal, &layout->tangent};
    *layout = (VkskinOutputLayout){.streamCount = kind == UINT8_MAX ? fuzzNumber(bytes) : 1u + (kind & 3u)};
    layout->positionW = kind >> 2 & 1;
    for (uint32_t s = 0; s < VKSKIN_MAX_OUTPUT_STREAMS; s++) {
        layout->strides[s] = takeOffset(bytes);
    }
    layout->passThroughCount = kind >> 3 & 3;
    for (uint32_t i = 0; i < layout->passThroughCount; i++) {
        uint8_t pass = fuzzByte(bytes);
        layout->passThrough[i] = (VkskinPassThrough){{pass & 3u, takeOffset(bytes)}, 4u * (pass >> 2 & 7u), pass >> 5};
    }
    for (size_t i = 0; i < COUNT_OF(places); i++) {
        uint8_t stream = fuzzByte(bytes);
        places[i]->stream = stream == UINT8_MAX ? fuzzNumber(bytes) : stream % VKSKIN_MAX_OUTPUT_STREAMS;
        places[i]->offset = takeOffset(bytes);
    }
}

/* Sometimes null; the data of each as small as its stride allows. */
static VkskinPassThroughData *takePassThrough(FuzzBytes *bytes, const VkskinMeshDef *def) {
    uint8_t kind = fuzzByte(bytes);
    if (kind == UINT8_MAX || def->vertexCount == 0) {
        return NULL;
    }
    VkskinPassThroughData *data = fuzzRoom(bytes, VKSKIN_MAX_PASS_THROUGH * sizeof *data);
    for (uint32_t i = 0; i < VKSKIN_MAX_PASS_THROUGH; i++) {
        size_t size = def->layout->passThrough[i].size, stride = kind & 1 ? size + (kind >> 4) : 0;
        data[i].stride = stride;
        size_t all = (def->vertexCount - 1) * (stride > 0 ? stride : size) + size;
        void *values = kind & 2 && i == 1 ? NULL : fuzzRoom(bytes, all);
        if (values != NULL) {
            memset(values, kind, all);
        }
        data[i].data = values;
    }
    return data;
}

/* parts: 1: normals, 2: tangents, 4: choices and optional parts, 8: a name, and from 16 on the usual joint. */
void apiTakeMesh(FuzzBytes *bytes, uint8_t parts, VkskinMeshDef *def) {
    def->name = parts & 8 ? fuzzText(bytes) : NULL;
    takeMeshFields(bytes, def);
    uint32_t dimensions = parts & 4 ? takeMeshChoices(bytes, def) : 3;
    def->positions = takeFloats(bytes, def, dimensions, &def->positionStride, 1.0f);
    def->normals = parts & 1 ? takeFloats(bytes, def, 3, &def->normalStride, 0.5f) : NULL;
    def->tangents = parts & 2 ? takeFloats(bytes, def, 4, &def->tangentStride, -0.5f) : NULL;
    def->weights = takeFloats(bytes, def, def->influencesPerVertex, &def->weightStride, 0.25f);
    def->joints = takeJoints(bytes, def, parts >> 4);
    if (parts & 4) {
        takeMeshParts(bytes, def);
    }
    if (fuzzByte(bytes) & 1) {
        VkskinOutputLayout *layout = fuzzRoom(bytes, sizeof *layout);
        apiTakeLayout(bytes, layout);
        def->layout = layout;
        def->passThrough = takePassThrough(bytes, def);
    }
}

void apiMakeMesh(ApiRun *run) {
    ApiContext *context = apiContext(run);
    VkskinMeshDef def = vkskinDefaultMeshDef();
    uint8_t parts = fuzzByte(&run->bytes);
    apiTakeMesh(&run->bytes, parts, &def);
    VkskinMesh *mesh = &run->meshes[parts % API_MESHES];
    bool made = apiCheck(vkskinCreateMesh(context->context, &def, mesh));
    FUZZ_CHECK(made == (mesh->index != 0));
    VkskinMeshInfo info;
    if (made) {
        FUZZ_CHECK(vkskinGetMeshInfo(context->context, *mesh, &info) == VKSKIN_SUCCESS);
        checkMeshInfo(&def, &info);
    }
}

/* A call that fails changes nothing. */
void apiReplaceMesh(ApiRun *run) {
    ApiContext *context = apiContext(run);
    VkskinMeshDef def = vkskinDefaultMeshDef();
    VkskinMeshInfo before, after;
    VkskinMesh mesh;
    apiTakeMesh(&run->bytes, fuzzByte(&run->bytes), &def);
    apiHandle(run, run->meshes, API_MESHES, &mesh);
    bool exists = apiCheck(vkskinGetMeshInfo(context->context, mesh, &before));
    bool replaced = apiCheck(vkskinReplaceMesh(context->context, mesh, &def));
    FUZZ_CHECK(exists || !replaced);
    if (exists) {
        FUZZ_CHECK(vkskinGetMeshInfo(context->context, mesh, &after) == VKSKIN_SUCCESS);
    }
    if (replaced) {
        checkMeshInfo(&def, &after);
    } else if (exists) {
        FUZZ_CHECK(after.vertexCount == before.vertexCount && after.sourceBytes == before.sourceBytes &&
                   after.outputBytes == before.outputBytes);
    }
}

void apiEndMesh(ApiRun *run) {
    ApiContext *context = apiContext(run);
    VkskinMesh mesh;
    VkskinMeshInfo info;
    apiHandle(run, run->meshes, API_MESHES, &mesh);
    bool ended = apiCheck(vkskinDestroyMesh(context->context, mesh));
    FUZZ_CHECK(!ended || vkskinGetMeshInfo(context->context, mesh, &info) == VKSKIN_ERROR_STALE_HANDLE);
}

void apiMakeInstance(ApiRun *run) {
    ApiContext *context = apiContext(run);
    VkskinInstanceDef def = vkskinDefaultInstanceDef();
    uint8_t kind = fuzzByte(&run->bytes);
    VkskinInstance *instance = &run->instances[kind % API_INSTANCES];
    apiHandle(run, run->meshes, API_MESHES, &def.mesh);
    def.cookie -= kind == UINT8_MAX;
    if (kind & 0x40) {
        apiHandle(run, run->outputBuffers, API_BUFFERS, &def.outputBuffer);
        if (kind & 0x20) {
            def.outputOffset = kind & 0x10 ? fuzzNumber(&run->bytes) : 4u * fuzzByte(&run->bytes);
        }
    }
    const bool plain = (kind & 0x48) == 8; /* without a def */
    bool made = apiCheck(plain ? vkskinCreateInstances(context->context, def.mesh, 1, instance)
                               : vkskinCreateInstance(context->context, &def, instance));
    FUZZ_CHECK(!made || kind != UINT8_MAX);
    FUZZ_CHECK(made == (instance->index != 0));
}

void apiEndInstance(ApiRun *run) {
    ApiContext *context = apiContext(run);
    VkskinInstance instance;
    VkskinOutput output;
    apiHandle(run, run->instances, API_INSTANCES, &instance);
    bool ended = apiCheck(vkskinDestroyInstance(context->context, instance));
    FUZZ_CHECK(!ended || vkskinGetOutput(context->context, instance, &output) == VKSKIN_ERROR_STALE_HANDLE);
}

/* Interleaved vertices in a block of exactly their size. Streams are in the first vertex, or their pointers are spoiled. */
void apiMakeInterleaved(ApiRun *run) {
    ApiContext *context = apiContext(run);
    FuzzBytes *bytes = &run->bytes;
    const uint8_t kind = fuzzByte(bytes), flaw = fuzzByte(bytes);
    const uint32_t words = 16 + (kind & 15u);
    VkskinMeshDef def = vkskinDefaultMeshDef();
    def.vertexCount = 1 + fuzzCount(bytes, API_VERTICES_MAX - 1);
    float *vertices = fuzzFloats(bytes, words * def.vertexCount);
    for (uint32_t v = 0; v < def.vertexCount; v++) {
        vertices[(size_t)words * v + 10] = 1.0f; /* weight; the joint is the word after it */
        memset(&vertices[(size_t)words * v + 11], 0, sizeof *vertices);
    }
    def.boneCount = 1;
    def.influencesPerVertex = 1;
    def.vertices = vertices;
    def.vertexStride = words * sizeof *vertices;
    def.positions = vertices + (flaw == 0xff ? words : 0);
    def.normals = kind & 0x10 ? vertices + (flaw == 0xfe ? words - 1 : 3) : NULL;
    def.tangents = kind & 0x20 && def.normals ? vertices + (flaw == 0xfd ? 4 : 6) : NULL;
    def.weights = vertices + 10;
    def.joints = vertices + 11;
    def.format = (VkskinVertexFormat)(flaw == 0xfc ? fuzzByte(bytes) : flaw & 1);
    def.vertexStride = flaw == 0xfb ? fuzzByte(bytes) % (4 * words) : def.vertexStride;
    def.positionStride = flaw == 0xfa ? def.vertexStride + 4 : 0;
    VkskinMesh *mesh = &run->meshes[kind % API_MESHES];
    bool made = apiCheck(vkskinCreateMesh(context->context, &def, mesh));
    FUZZ_CHECK(made == (mesh->index != 0));
}
