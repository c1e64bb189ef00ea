#include "api_run.h"
#include "instance_of.h"
#include "fuzz_target.h"

#include <string.h>

#define VERTICES 5u
#define BONES    3u

/* Kernels of all methods, for these meshes or without any for all plain ones, so that what follows need not begin with
 * them. */
static bool preparePipelines(const ApiContext *context, const VkskinMesh *meshes, uint32_t meshCount) {
    VkskinPipelineDef def = vkskinDefaultPipelineDef();
    def.methods = VKSKIN_METHOD_BIT(VKSKIN_METHOD_COUNT) - VKSKIN_METHOD_BIT(0);
    def.encodings = meshCount > 0 ? VKSKIN_PALETTE_BIT(VKSKIN_PALETTE_ENCODING_COUNT) - VKSKIN_PALETTE_BIT(0) : 0;
    def.formats = VKSKIN_VERTEX_FORMAT_BIT(VKSKIN_VERTEX_FORMAT_COUNT) - VKSKIN_VERTEX_FORMAT_BIT(0);
    def.meshes = meshes;
    def.meshCount = meshCount;
    return apiCheck(vkskinCreatePipelines(context->context, &def));
}

/* A mesh at each place, and two instances of each as far as there are places. */
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

/* A frame in which every instance is skinned, which the host then may record. */
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

/* A chain of nodes that one track moves, each of them a bone; another track has morph weights. */
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
