#include "model_pose.h"

#include <stdlib.h>
#include <string.h>

/* Writes the pre-transforms. Returns false if none has an effect. */
static bool copyPreTransforms(const Model *model, VkskinAffine *transforms) {
    const VkskinAffine identity = vkskinIdentityAffine();
    bool needed = false;
    for (uint32_t i = 0; i < model->nodeCount; i++) {
        transforms[i] = model->nodes[i].preTransform;
        needed = needed || memcmp(&transforms[i], &identity, sizeof identity) != 0;
    }
    return needed;
}

VkskinResult modelCreateSkeleton(const Model *model, const VkskinHostAllocator *allocator, VkskinLogger logger,
                                 VkskinSkeleton *skeleton) {
    int32_t *parents = malloc(model->nodeCount * sizeof *parents);
    VkskinTransform *rest = malloc(model->nodeCount * sizeof *rest);
    VkskinAffine *before = malloc(model->nodeCount * sizeof *before);
    VkskinResult result = VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    if (parents && rest && before) {
        for (uint32_t i = 0; i < model->nodeCount; i++) {
            parents[i] = model->nodes[i].parent;
            rest[i] = model->nodes[i].rest;
        }
        VkskinSkeletonDef def = vkskinDefaultSkeletonDef();
        def.nodeCount = model->nodeCount;
        def.parents = parents;
        def.restPose = rest;
        def.preTransforms = copyPreTransforms(model, before) ? before : NULL;
        def.allocator = allocator;
        def.logger = logger;
        result = vkskinCreateSkeleton(&def, skeleton);
    }
    free(parents);
    free(rest);
    free(before);
    return result;
}

VkskinResult modelCreateClip(const Model *model, uint32_t clip, const VkskinHostAllocator *allocator,
                             VkskinLogger logger, VkskinClip *created) {
    VkskinClipDef def = vkskinDefaultClipDef();
    def.duration = model->clips[clip].duration;
    def.nodeCount = model->nodeCount;
    def.trackCount = model->clips[clip].trackCount;
    def.tracks = model->clips[clip].tracks;
    def.allocator = allocator;
    def.logger = logger;
    return vkskinCreateClip(&def, created);
}

VkskinResult modelCreateSkin(const Model *model, uint32_t skin, const VkskinAffine *meshToModel,
                             const VkskinHostAllocator *allocator, VkskinLogger logger, VkskinSkin *created) {
    const ModelSkin *source = &model->skins[skin];
    VkskinSkinDef def = vkskinDefaultSkinDef();
    def.nodeCount = model->nodeCount;
    def.boneCount = source->boneCount;
    def.boneNodes = source->boneNodes;
    def.inverseBinds = source->inverseBinds;
    def.meshToModel = *meshToModel;
    def.allocator = allocator;
    def.logger = logger;
    return vkskinCreateSkin(&def, created);
}

VkskinAffine modelMeshToModel(const VkskinAffine *world) {
    VkskinAffine inverse;
    return vkskinInvertAffine(world, &inverse) >= 0 ? *world : vkskinIdentityAffine();
}

VkskinAffine *skeletonAtRest(VkskinSkeleton skeleton, EngineError *error) {
    const uint32_t nodeCount = vkskinGetSkeletonNodeCount(skeleton);
    VkskinTransform *pose = engineAllocate(nodeCount, sizeof(*pose), error);
    VkskinAffine *world = pose ? engineAllocate(nodeCount, sizeof(*world), error) : NULL;
    VkskinResult result = world ? vkskinSampleClip(skeleton, NULL, 0.0, VKSKIN_WRAP_CLAMP, pose) : VKSKIN_SUCCESS;
    result = world && result >= 0 ? vkskinComposePose(skeleton, pose, world) : result;
    free(pose);
    if (result < 0) {
        engineVkskin(error, "posing the model at rest", result, "");
        free(world);
        return NULL;
    }
    return world;
}

static VkskinAffine *poseAtRest(const Model *model, EngineError *error) {
    VkskinSkeleton skeleton = NULL;
    const VkskinResult result = modelCreateSkeleton(model, NULL, (VkskinLogger){0}, &skeleton);
    const bool good = result >= 0 || engineVkskin(error, "making the skeleton", result, "");
    VkskinAffine *world = good ? skeletonAtRest(skeleton, error) : NULL;
    vkskinDestroySkeleton(skeleton);
    return world;
}

/* The first part that shares the part's palette. The places of parts up to this one are known. */
static uint32_t firstOfPalette(const Model *model, const VkskinAffine *places, uint32_t part) {
    uint32_t first = 0;
    while (model->parts[first].skin != model->parts[part].skin ||
           memcmp(&places[first], &places[part], sizeof(*places)) != 0) {
        first++;
    }
    return first;
}

bool modelFindPalettes(const Model *model, ModelPalettes *palettes, EngineError *error) {
    *palettes = (ModelPalettes){.world = poseAtRest(model, error),
                                .places = engineAllocate(model->partCount, sizeof(*palettes->places), error),
                                .ofParts = engineAllocate(model->partCount, sizeof(*palettes->ofParts), error)};
    if (!palettes->world || !palettes->places || !palettes->ofParts) {
        return false;
    }
    for (uint32_t i = 0; i < model->partCount; i++) {
        palettes->places[i] = modelMeshToModel(&palettes->world[model->parts[i].node]);
        const uint32_t first = firstOfPalette(model, palettes->places, i);
        palettes->ofParts[i] = first < i ? palettes->ofParts[first] : palettes->count++;
    }
    return true;
}

void modelFreePalettes(ModelPalettes *palettes) {
    free(palettes->world);
    free(palettes->places);
    free(palettes->ofParts);
}

VkskinAffine modelUpToY(ModelUp up) {
    static const VkskinAffine turns[] = {
        [MODEL_UP_Y] = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}},
        [MODEL_UP_Z] = {{{1, 0, 0, 0}, {0, 0, 1, 0}, {0, -1, 0, 0}}}, /* z becomes y, y becomes -z */
        [MODEL_UP_X] = {{{0, -1, 0, 0}, {1, 0, 0, 0}, {0, 0, 1, 0}}}, /* x becomes y, y becomes -x */
    };
    return turns[up];
}

double clipSourceDuration(const ClipSource *source, uint32_t clip) {
    return clip < source->clipCount ? (double)vkskinGetClipDuration(source->clips[clip]) : 0.0;
}

VkskinResult clipSourceSample(const ClipSource *source, uint32_t clip, double time, VkskinWrap wrap,
                              VkskinTransform *pose) {
    if (source->block && clip < source->clipCount) {
        return vkskinSampleAnimation(source->block, clip, time, wrap, pose);
    }
    return vkskinSampleClip(source->skeleton, clip < source->clipCount ? source->clips[clip] : NULL, time, wrap, pose);
}
