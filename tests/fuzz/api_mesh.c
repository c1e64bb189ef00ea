#include "api_mesh_parts.h"
#include "api_run.h"
#include "fuzz_target.h"

#include <string.h>

#define VERTICES_MAX   48u
#define INFLUENCES_MAX 12u
#define POKES_MAX      4u

/*
 * `count` elements of `floats` floats, `stride` bytes apart, in memory of exactly that size, with `value` everywhere
 * but in a few places of the input's choice. Null, now and then, though `needed`.
 */
static float *takeStream(FuzzBytes *bytes, uint32_t count, uint32_t floats, size_t *stride, float value) {
    uint8_t kind = fuzzByte(bytes);
    size_t element = floats * sizeof(float);
    if (kind == UINT8_MAX || count == 0) {
        return NULL;
    }
    *stride = kind & 0x40 ? element + 4 * (size_t)(kind & 3) : 0;
    size_t step = *stride ? *stride : element;
    size_t size = (count - 1) * step + element;
    float *stream = malloc(size);
    FUZZ_CHECK(stream != NULL);
    for (size_t i = 0; i < size / sizeof(float); i++) {
        stream[i] = value;
    }
    for (uint32_t i = kind & 0x80 ? fuzzCount(bytes, POKES_MAX) : 0; i > 0; i--) {
        stream[fuzzByte(bytes) % (size / sizeof(float))] = fuzzFloat(bytes);
    }
    return stream;
}

/* Joints of a format's width; without pokes all are `joint`. */
static void *takeJoints(FuzzBytes *bytes, const VkskinMeshDef *def, uint32_t joint, size_t *stride) {
    static const size_t widths[] = {1, 2, 4};
    size_t width = (uint32_t)def->jointFormat < 3 ? widths[def->jointFormat] : 4;
    uint8_t kind = fuzzByte(bytes);
    size_t element = def->influencesPerVertex * width;
    if (kind == UINT8_MAX || def->vertexCount == 0 || element == 0) {
        return NULL;
    }
    *stride = kind & 0x40 ? element + width * (size_t)(kind & 3) : 0;
    size_t step = *stride ? *stride : element;
    size_t count = ((def->vertexCount - 1) * step + element) / width;
    uint8_t *joints = malloc(count * width);
    FUZZ_CHECK(joints != NULL);
    for (size_t i = 0; i < count; i++) {
        memcpy(joints + i * width, &joint, width); /* little-endian */
    }
    for (uint32_t i = kind & 0x80 ? fuzzCount(bytes, POKES_MAX) : 0; i > 0; i--) {
        uint32_t value = fuzzNumber(bytes);
        memcpy(joints + fuzzByte(bytes) % count * width, &value, width);
    }
    return joints;
}

static void takeMeshFields(FuzzBytes *bytes, VkskinMeshDef *def) {
    uint8_t kind = fuzzByte(bytes);
    def->vertexCount = 1 + fuzzCount(bytes, VERTICES_MAX - 1);
    def->boneCount = 1 + (kind & 15);
    def->influencesPerVertex = 1 + fuzzByte(bytes) % INFLUENCES_MAX;
    def->jointFormat = (VkskinJointFormat)((kind >> 4) % 3);
    def->maxInfluences = 1 + (kind & 3);
    def->format = (VkskinVertexFormat)(kind >> 6 & 1);
    def->previousPositions = kind >> 7;
    switch (fuzzByte(bytes)) {
    case 0xf0:
        def->vertexCount = 0;
        break;
    case 0xf1:
        def->boneCount = fuzzNumber(bytes);
        break;
    case 0xf2:
        def->influencesPerVertex = fuzzByte(bytes);
        break;
    case 0xf3:
        def->jointFormat = (VkskinJointFormat)fuzzNumber(bytes);
        break;
    case 0xf4:
        def->maxInfluences = fuzzNumber(bytes);
        break;
    case 0xf5:
        def->format = (VkskinVertexFormat)fuzzNumber(bytes);
        break;
    case 0xf6:
        def->cookie = fuzzNumber(bytes);
        break;
    default:
        break;
    }
}

void apiMakeMesh(ApiRun *run) {
    FuzzBytes *bytes = &run->bytes;
    ApiContext *context = apiContext(run);
    VkskinMeshDef def = vkskinDefaultMeshDef();
    uint8_t streams = fuzzByte(bytes);
    char *name = streams & 8 ? fuzzText(bytes) : NULL;
    takeMeshFields(bytes, &def);
    bool more = (streams & 4) != 0;
    uint32_t dimensions = more ? apiTakeMeshChoices(bytes, &def) : 3;
    float *positions = takeStream(bytes, def.vertexCount, dimensions, &def.positionStride, 1.0f);
    float *normals = streams & 1 ? takeStream(bytes, def.vertexCount, 3, &def.normalStride, 0.5f) : NULL;
    float *tangents = streams & 2 ? takeStream(bytes, def.vertexCount, 4, &def.tangentStride, -0.5f) : NULL;
    float *weights = takeStream(bytes, def.vertexCount, def.influencesPerVertex, &def.weightStride, 0.25f);
    void *joints = takeJoints(bytes, &def, streams >> 4, &def.jointStride);
    def.name = name;
    def.positions = positions;
    def.normals = normals;
    def.tangents = tangents;
    def.weights = weights;
    def.joints = joints;
    ApiMeshParts parts = {0};
    if (more) {
        apiTakeMeshParts(bytes, &def, &parts);
    }
    VkskinMesh *mesh = &run->meshes[streams % API_MESHES];
    bool made = apiCheck(vkskinCreateMesh(context->context, &def, mesh));
    FUZZ_CHECK(made == (mesh->index != 0));
    VkskinMeshInfo info;
    if (made) {
        FUZZ_CHECK(vkskinGetMeshInfo(context->context, *mesh, &info) == VKSKIN_SUCCESS);
        apiCheckMeshInfo(&def, &info);
    }
    apiFreeMeshParts(&parts);
    free(name);
    free(positions);
    free(normals);
    free(tangents);
    free(weights);
    free(joints);
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
    bool made = apiCheck(vkskinCreateInstance(context->context, &def, instance));
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
