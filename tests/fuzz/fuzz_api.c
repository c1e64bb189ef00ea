/*
 * fuzz_api.c: an input is a program for the whole public API on the null driver: defs, arrays, handles, calls in any
 * order.
 */
#include "api_run.h"
#include "instance_of.h"

#include <string.h>

#define INSTRUCTIONS_MAX 160

/* The order is that of the corpus. Instructions that lead further are listed twice. */
static const ApiInstruction instructions[] = {
    apiMakeContext, apiMakePipelines, apiMakeMesh,   apiMakeInstance, apiBeginFrame,  apiTakePalette,
    apiSkin,        apiRecord,        apiBeginFrame, apiTakePalette,  apiSkin,        apiRecord,
    apiMakeMesh,    apiMakeInstance,  apiEndMesh,    apiEndInstance,  apiEndContext,  apiFailSoon,
    apiScope,       apiOutput,        apiAccesses,   apiTimings,      apiVertexInput, apiMakeSkeleton,
    apiMakeClip,    apiMakeSkin,      apiPose,       apiBlend,        apiSurface,
};
enum { INSTRUCTION_COUNT = COUNT_OF(instructions) };

/* ---- Shared by the instructions ---- */

ApiContext *apiContext(ApiRun *run) {
    static ApiContext none;
    uint8_t byte = fuzzByte(&run->bytes);
    none = (ApiContext){.driver = run->driver};
    return byte == UINT8_MAX ? &none : &run->contexts[byte >> 7];
}

void apiHandle(ApiRun *run, const void *handles, uint32_t count, void *handle) {
    uint8_t byte = fuzzByte(&run->bytes);
    memcpy(handle, (const char *)handles + (size_t)(byte % count) * 8, 8);
    if (byte >= 0xf8) {
        fuzzTake(&run->bytes, handle, 8);
    } else if (byte >= 0xf0) {
        uint32_t generation = fuzzNumber(&run->bytes);
        memcpy((char *)handle + 4, &generation, sizeof generation);
    }
}

bool apiCheck(VkskinResult result) {
    FUZZ_CHECK(strcmp(vkskinResultName(result), "VKSKIN_UNKNOWN") != 0);
    return result >= 0;
}

static void checkMessage(void *user, VkskinResult result, const char *message) {
    (void)user;
    FUZZ_CHECK(result != VKSKIN_SUCCESS);
    apiCheck(result);
    FUZZ_CHECK(message[0] != '\0' && !strchr(message, '\n'));
}

VkskinLogger apiLogger(void) {
    return (VkskinLogger){checkMessage, NULL};
}

void apiSpoilField(FuzzBytes *bytes, void *def, const ApiField *fields, size_t count, uint32_t kind) {
    for (size_t i = 0; i < count; i++) {
        if (fields[i].kind == kind) {
            uint32_t value = fuzzNumber(bytes);
            memcpy((char *)def + fields[i].offset, &value, sizeof value);
        }
    }
}

/* ---- Objects at the start ---- */

#define VERTICES 5u
#define BONES    3u

/* Kernels of all methods for these meshes, or without meshes for all plain ones. */
static bool preparePipelines(const ApiContext *context, const VkskinMesh *meshes, uint32_t meshCount) {
    VkskinPipelineDef def = vkskinDefaultPipelineDef();
    def.methods = VKSKIN_METHOD_BIT(VKSKIN_METHOD_COUNT) - VKSKIN_METHOD_BIT(0);
    def.encodings = meshCount > 0 ? VKSKIN_PALETTE_BIT(VKSKIN_PALETTE_ENCODING_COUNT) - VKSKIN_PALETTE_BIT(0) : 0;
    def.formats = VKSKIN_VERTEX_FORMAT_BIT(VKSKIN_VERTEX_FORMAT_COUNT) - VKSKIN_VERTEX_FORMAT_BIT(0);
    def.meshes = meshes;
    def.meshCount = meshCount;
    return apiCheck(vkskinCreatePipelines(context->context, &def));
}

/* A mesh in each entry, and instances of them. */
static void prepareMeshes(ApiRun *run, const ApiContext *context, uint8_t kind) {
    static const float stream[4 * VERTICES] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19};
    static const float weights[2 * VERTICES] = {1, 0, 0.5f, 0.5f, 0.25f, 0.75f, 0, 1, 1, 0};
    static const uint8_t joints[2 * VERTICES] = {0, 1, 1, 2, 2, 0, 0, 1, 2, 2};
    static const VkskinMorphTarget targets[2] = {
        {.vertexCount = VERTICES, .positions = stream, .normals = stream, .tangents = stream},
        {.vertexCount = VERTICES, .positions = stream, .afterSkinning = true},
    };
    VkskinMeshDef def = vkskinDefaultMeshDef();
    def.vertexCount = VERTICES;
    def.boneCount = BONES;
    def.positions = stream;
    def.normals = stream;
    def.tangents = stream;
    def.influencesPerVertex = 2;
    def.jointFormat = VKSKIN_JOINTS_U8;
    def.joints = joints;
    def.weights = weights;
    def.blendWeights = weights;
    def.morphTargets = targets;
    for (uint32_t i = 0; i < API_MESHES; i++) {
        def.format = (VkskinVertexFormat)(i & 1);
        def.previousPositions = (kind >> i & 1) != 0;
        def.morphTargetCount = i;
        apiCheck(vkskinCreateMesh(context->context, &def, &run->meshes[i]));
    }
    for (uint32_t i = 0; i < API_INSTANCES; i++) {
        apiCheck(instanceOf(context->context, run->meshes[i % API_MESHES], &run->instances[i]));
    }
}

/* A frame that skins every instance and is ready to be recorded. */
static void prepareFrame(ApiRun *run, ApiContext *context) {
    void *data;
    apiNextFrame(context, 0);
    for (uint32_t i = 0; i < API_PALETTES; i++) {
        VkskinPaletteEncoding encoding = (VkskinPaletteEncoding)(i & 1);
        if (apiCheck(vkskinAllocatePalette(context->context, encoding, BONES, &run->palettes[i], &data))) {
            memset(data, 0, (size_t)BONES * vkskinPaletteStride(encoding));
        }
    }
    for (uint32_t i = 0; i < API_INSTANCES; i++) {
        VkskinMethod method = (VkskinMethod)(i & 1);
        VkskinSkinCommand command = {
            .instance = run->instances[i], .palette = run->palettes[i % API_PALETTES], .method = method};
        apiCheck(vkskinSkinInstances(context->context, &command, 1));
    }
}

/* A chain of nodes that one track moves. Each node is a bone. Another track has morph weights. */
static void preparePoses(ApiRun *run) {
    static const int32_t parents[BONES] = {-1, 0, 1};
    static const uint32_t nodes[BONES] = {0, 1, 2};
    static const float times[2] = {0, 1}, values[6] = {0, 0, 0, 1, 2, 3};
    static const VkskinTrack tracks[2] = {{.node = 1, .keyCount = 2, .times = times, .values = values},
                                          {.node = 2,
                                           .channel = VKSKIN_CHANNEL_MORPH_WEIGHTS,
                                           .keyCount = 2,
                                           .times = times,
                                           .values = values,
                                           .weightCount = 3}};
    VkskinTransform rest[BONES];
    for (uint32_t i = 0; i < BONES; i++) {
        rest[i] = vkskinIdentityTransform();
    }
    VkskinSkeletonDef skeleton = vkskinDefaultSkeletonDef();
    skeleton.nodeCount = BONES;
    skeleton.parents = parents;
    skeleton.restPose = rest;
    FUZZ_CHECK(vkskinCreateSkeleton(&skeleton, &run->skeletons[0]) == VKSKIN_SUCCESS);
    VkskinClipDef clip = vkskinDefaultClipDef();
    clip.nodeCount = BONES;
    clip.trackCount = 2;
    clip.tracks = tracks;
    FUZZ_CHECK(vkskinCreateClip(&clip, &run->clips[0]) == VKSKIN_SUCCESS);
    VkskinSkinDef skin = vkskinDefaultSkinDef();
    skin.nodeCount = BONES;
    skin.boneCount = BONES;
    skin.boneNodes = nodes;
    FUZZ_CHECK(vkskinCreateSkin(&skin, &run->skins[0]) == VKSKIN_SUCCESS);
}

void apiPrepare(ApiRun *run) {
    uint8_t kind = fuzzByte(&run->bytes);
    uint8_t more = fuzzByte(&run->bytes);
    ApiContext *context = &run->contexts[kind >> 2 & 1];
    if (kind & 8) {
        preparePoses(run);
    }
    if ((kind & 3) == 0) {
        return;
    }
    apiOpenContext(run, context);
    if (!context->context) {
        return;
    }
    if ((kind & 3) == 1) {
        preparePipelines(context, NULL, 0);
        return;
    }
    prepareMeshes(run, context, more);
    if (preparePipelines(context, run->meshes, API_MESHES) && (kind & 3) == 3) {
        prepareFrame(run, context);
    }
}

/* ---- The run ---- */

static void finish(ApiRun *run) {
    for (uint32_t i = 0; i < API_CONTEXTS; i++) {
        apiDestroyContext(run, &run->contexts[i]);
    }
    apiDestroyPoses(run);
    FUZZ_CHECK(nullDriverAlive(run->driver) == 0);
    FUZZ_CHECK(nullDriverDestroy(run->driver) == 0);
}

/* A device of one of several kinds, with so little memory that it runs out. */
static NullDriver *makeDriver(FuzzBytes *bytes) {
    uint8_t kind = fuzzByte(bytes);
    NullDriverSettings settings = nullDriverDefaultSettings();
    settings.memory = nullDriverMemory((NullDriverLayout)(kind % 3), !(kind & 0x40), (VkDeviceSize)4 << 20);
    settings.aborts = true; /* at a fault, with the stack of its cause */
    settings.timestampBits = kind & 0x20 ? 0 : 64;
    settings.limits.nonCoherentAtomSize = kind & 0x10 ? 256 : settings.limits.nonCoherentAtomSize;
    return nullDriverCreate(&settings);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    ApiRun run = {.bytes = {bytes, size}};
    run.driver = makeDriver(&run.bytes);
    apiPrepare(&run);
    for (int i = 0; i < INSTRUCTIONS_MAX && run.bytes.left > 0; i++) {
        instructions[fuzzByte(&run.bytes) % INSTRUCTION_COUNT](&run);
    }
    finish(&run);
    return 0;
}
