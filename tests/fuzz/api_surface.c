#include "api_run.h"
#include "fuzz_target.h"

#include <math.h>
#include <string.h>

#define VERTICES_MAX   40u
#define TRIANGLES_MAX  60u
#define INFLUENCES_MAX 12u
#define POKES_MAX      4u

/* What the host lends a call, and how it lets it down. */
typedef struct SurfaceHost {
    uint32_t allocationsLeft; /* 0: any number */
    uint32_t looksLeft;       /* at the progress; 0: any number */
    float done;               /* at the last look */
} SurfaceHost;

static void *exactly(size_t size) {
    void *memory = malloc(size > 0 ? size : 1);
    FUZZ_CHECK(memory != NULL);
    return memory;
}

static void *allocateSome(void *user, size_t size, size_t alignment) {
    SurfaceHost *host = user;
    void *memory = NULL;
    FUZZ_CHECK(size > 0 && alignment >= sizeof(void *) && (alignment & (alignment - 1)) == 0);
    if (host->allocationsLeft > 0 && --host->allocationsLeft == 0) {
        return NULL;
    }
    return posix_memalign(&memory, alignment, size) == 0 ? memory : NULL;
}

static void freeSome(void *user, void *memory) {
    (void)user;
    FUZZ_CHECK(memory != NULL);
    free(memory);
}

static bool look(void *user, float done) {
    SurfaceHost *host = user;
    FUZZ_CHECK(done >= host->done && done <= 1.0f);
    host->done = done;
    return host->looksLeft == 0 || --host->looksLeft > 0;
}

/* Another order than without a parallel loop. */
static void runBackwards(void *user, uint32_t count, void (*task)(void *taskData, uint32_t i), void *taskData) {
    (void)user;
    while (count > 0) {
        task(taskData, --count);
    }
}

/* Few values, so that many vertices are alike, and a few of the input's choice. */
static float *takeFloats(FuzzBytes *bytes, size_t count, float step) {
    float *floats = exactly(count * sizeof *floats);
    for (size_t i = 0; i < count; i++) {
        uint8_t byte = fuzzByte(bytes);
        floats[i] = byte < 0x40 ? 0.0f : (float)(byte & 15) * step;
    }
    for (uint32_t i = count > 0 && fuzzByte(bytes) >= 0xc0 ? fuzzCount(bytes, POKES_MAX) : 0; i > 0; i--) {
        floats[fuzzNumber(bytes) % count] = fuzzFloat(bytes);
    }
    return floats;
}

static void *takeJoints(FuzzBytes *bytes, const VkskinMeshDef *def) {
    size_t width = def->jointFormat == VKSKIN_JOINTS_U8 ? 1 : def->jointFormat == VKSKIN_JOINTS_U16 ? 2 : 4;
    size_t count = (size_t)def->vertexCount * def->influencesPerVertex;
    uint8_t *joints = exactly(count * width);
    for (size_t i = 0; i < count; i++) {
        uint8_t byte = fuzzByte(bytes);
        uint32_t joint = byte == UINT8_MAX ? fuzzNumber(bytes) : byte % (def->boneCount != 0 ? def->boneCount : 1);
        memcpy(joints + i * width, &joint, width); /* little-endian */
    }
    return joints;
}

static void takeFields(FuzzBytes *bytes, VkskinMeshDef *def) {
    uint8_t kind = fuzzByte(bytes);
    def->vertexCount = 1 + fuzzCount(bytes, VERTICES_MAX - 1);
    def->boneCount = 1 + (kind & 31);
    def->influencesPerVertex = 1 + fuzzByte(bytes) % INFLUENCES_MAX;
    def->jointFormat = (VkskinJointFormat)((kind >> 5) % 3);
    def->indexCount = 3 * (1 + fuzzCount(bytes, TRIANGLES_MAX - 1));
}

/* What was allocated by the fields stays as it is: these make a call fail, or look at less. */
static void spoil(FuzzBytes *bytes, VkskinMeshDef *def) {
    switch (fuzzByte(bytes)) {
    case 0xf0:
        def->vertexCount = 0;
        break;
    case 0xf1:
        def->boneCount = fuzzNumber(bytes);
        break;
    case 0xf2:
        def->influencesPerVertex = 0;
        break;
    case 0xf3:
        def->influencesPerVertex = 256 + fuzzByte(bytes);
        break;
    case 0xf4:
        def->jointFormat = (VkskinJointFormat)(3 + fuzzByte(bytes));
        break;
    case 0xf5:
        def->indexCount -= 1 + fuzzByte(bytes) % 3;
        break;
    case 0xf6:
        def->cookie = fuzzNumber(bytes);
        break;
    case 0xf7:
        def->weightStride = 4 * (size_t)def->influencesPerVertex - 1;
        break;
    case 0xf8:
        def->positions = NULL;
        break;
    case 0xf9:
        def->indices = NULL;
        break;
    case 0xfa:
        def->materials = NULL;
        break;
    default:
        break;
    }
}

static void sortVertices(FuzzBytes *bytes, VkskinMeshDef *def, const VkskinPrepareRun *run) {
    def->maxInfluences = fuzzByte(bytes);
    def->minWeight = fuzzByte(bytes) < 0xf0 ? 0.125f : fuzzFloat(bytes);
    def->weightFormat = (VkskinWeightFormat)(fuzzByte(bytes) % 4); /* one is unknown */
    uint32_t *order = exactly(def->vertexCount * sizeof *order);
    bool seen[VERTICES_MAX] = {false};
    if (apiCheck(vkskinSortVertices(def, run, order))) {
        for (uint32_t i = 0; i < def->vertexCount; i++) {
            FUZZ_CHECK(order[i] < def->vertexCount && !seen[order[i]]);
            seen[order[i]] = true;
        }
    }
    free(order);
}

/* The same, bit for bit, whatever order the work is done in; and within the mesh. */
static void computeCentres(const VkskinMeshDef *def, VkskinPrepareRun *run, SurfaceHost *host) {
    size_t size = vkskinCentresSize(def->vertexCount);
    uint8_t *centres = exactly(size);
    uint8_t *again = exactly(size);
    if (apiCheck(vkskinComputeCentres(def, run, centres, size))) {
        for (size_t at = 32; at < size; at += sizeof(float)) {
            float number;
            memcpy(&number, centres + at, sizeof number);
            FUZZ_CHECK(isfinite(number));
        }
        *host = (SurfaceHost){0};
        run->parallel = runBackwards;
        FUZZ_CHECK(vkskinComputeCentres(def, run, again, size) == VKSKIN_SUCCESS);
        FUZZ_CHECK(memcmp(centres, again, size) == 0);
    }
    free(centres);
    free(again);
}

static void checkPart(const VkskinMeshDef *def, const VkskinSplitPart *part, uint32_t maxBones) {
    uint32_t next = 0;
    FUZZ_CHECK(part->boneCount >= 1 && part->boneCount <= maxBones && !part->wideIndices);
    for (uint32_t i = 0; i < part->boneCount; i++) {
        FUZZ_CHECK(part->bones[i] < def->boneCount && (i == 0 || part->bones[i - 1] < part->bones[i]));
    }
    for (uint32_t i = 0; i < part->vertexCount; i++) {
        FUZZ_CHECK(part->vertices[i] < def->vertexCount);
        for (uint32_t k = 0; k < def->influencesPerVertex; k++) {
            FUZZ_CHECK(part->joints[i * def->influencesPerVertex + k] < part->boneCount);
        }
    }
    for (uint32_t i = 0; i < part->indexCount; i++) {
        FUZZ_CHECK(((const uint16_t *)part->indices)[i] < part->vertexCount);
    }
    for (uint32_t i = 0; i < part->rangeCount; i++) {
        FUZZ_CHECK(part->ranges[i].firstIndex == next && part->ranges[i].indexCount >= 3);
        next += part->ranges[i].indexCount;
    }
    FUZZ_CHECK(next == part->indexCount);
}

static void splitMesh(FuzzBytes *bytes, const VkskinMeshDef *def, const VkskinPrepareRun *run) {
    uint32_t maxBones = fuzzByte(bytes);
    VkskinSplit split = NULL;
    VkskinSplitPart part;
    uint32_t indexCount = 0;
    bool made = apiCheck(vkskinSplitMesh(def, maxBones, run, &split));
    FUZZ_CHECK(made == (split != NULL));
    for (uint32_t i = 0; i < vkskinGetSplitPartCount(split); i++) {
        FUZZ_CHECK(vkskinGetSplitPart(split, i, &part) == VKSKIN_SUCCESS);
        checkPart(def, &part, maxBones);
        indexCount += part.indexCount;
    }
    FUZZ_CHECK(!made || indexCount == def->indexCount);
    vkskinDestroySplit(split);
}

void apiSurface(ApiRun *run) {
    FuzzBytes *bytes = &run->bytes;
    uint8_t call = fuzzByte(bytes);
    SurfaceHost host = {.allocationsLeft = call & 0x10 ? fuzzByte(bytes) : 0,
                        .looksLeft = call & 0x20 ? fuzzByte(bytes) : 0};
    const VkskinHostAllocator allocator = {.allocate = allocateSome, .free = freeSome, .user = &host};
    VkskinPrepareRun run = {.progress = look, .progressUser = &host, .logger = apiLogger(), .allocator = &allocator};
    VkskinMeshDef def = vkskinDefaultMeshDef();
    takeFields(bytes, &def);
    float *positions = takeFloats(bytes, 3 * (size_t)def.vertexCount, 0.5f);
    float *weights = takeFloats(bytes, (size_t)def.vertexCount * def.influencesPerVertex, 0.25f);
    void *joints = takeJoints(bytes, &def);
    uint32_t *indices = fuzzIndices(bytes, def.indexCount, def.vertexCount);
    uint32_t *materials = fuzzIndices(bytes, def.indexCount / 3, 3);
    def.positions = positions;
    def.weights = weights;
    def.joints = joints;
    def.indices = indices;
    def.materials = materials;
    spoil(bytes, &def);
    if (call % 3 == 0) {
        sortVertices(bytes, &def, &run);
    } else if (call % 3 == 1) {
        computeCentres(&def, &run, &host);
    } else {
        splitMesh(bytes, &def, &run);
    }
    free(positions);
    free(weights);
    free(joints);
    free(indices);
    free(materials);
}
