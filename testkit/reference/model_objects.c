#include "model_objects.h"

#include <stdlib.h>
#include <string.h>

#include "random.h"

static VkskinResult createSkeleton(const Model *model, const VkskinHostAllocator *allocator, VkskinSkeleton *skeleton) {
    int32_t *parents = newZeroed(model->nodeCount, sizeof *parents);
    VkskinTransform *rest = newZeroed(model->nodeCount, sizeof *rest);
    VkskinAffine *pre = newZeroed(model->nodeCount, sizeof *pre);
    for (uint32_t i = 0; i < model->nodeCount; i++) {
        parents[i] = model->nodes[i].parent;
        rest[i] = model->nodes[i].rest;
        pre[i] = model->nodes[i].preTransform;
    }
    VkskinSkeletonDef def = vkskinDefaultSkeletonDef();
    def.nodeCount = model->nodeCount;
    def.parents = parents;
    def.restPose = rest;
    def.preTransforms = pre;
    def.allocator = allocator;
    VkskinResult result = vkskinCreateSkeleton(&def, skeleton);
    free(parents);
    free(rest);
    free(pre);
    return result;
}

static VkskinResult createClip(const Model *model, const ModelClip *clip, const VkskinHostAllocator *allocator,
                               VkskinClip *made) {
    VkskinClipDef def = vkskinDefaultClipDef();
    def.duration = clip->duration;
    def.nodeCount = model->nodeCount;
    def.trackCount = clip->trackCount;
    def.tracks = clip->tracks;
    def.allocator = allocator;
    return vkskinCreateClip(&def, made);
}

static VkskinResult createSkin(const Model *model, const ModelPart *part, const VkskinAffine *restWorld,
                               const VkskinHostAllocator *allocator, VkskinSkin *made) {
    const ModelSkin *skin = &model->skins[part->skin];
    VkskinSkinDef def = vkskinDefaultSkinDef();
    def.nodeCount = model->nodeCount;
    def.boneCount = skin->boneCount;
    def.boneNodes = skin->boneNodes;
    def.inverseBinds = skin->inverseBinds;
    def.meshToModel = restWorld[part->node];
    def.allocator = allocator;
    return vkskinCreateSkin(&def, made);
}

VkskinResult modelObjectsCreate(const Model *model, const VkskinHostAllocator *allocator, ModelObjects *objects) {
    *objects = (ModelObjects){
        .model = model,
        .clips = newZeroed(model->clipCount, sizeof *objects->clips),
        .skins = newZeroed(model->partCount, sizeof *objects->skins),
        .pose = newZeroed(model->nodeCount, sizeof *objects->pose),
        .world = newZeroed(model->nodeCount, sizeof *objects->world),
    };
    VkskinResult result = createSkeleton(model, allocator, &objects->skeleton);
    if (result >= 0) {
        result = modelObjectsPose(objects, -1, 0.0, VKSKIN_WRAP_CLAMP);
    }
    for (uint32_t i = 0; result >= 0 && i < model->clipCount; i++) {
        result = createClip(model, &model->clips[i], allocator, &objects->clips[i]);
    }
    for (uint32_t i = 0; result >= 0 && i < model->partCount; i++) {
        result = createSkin(model, &model->parts[i], objects->world, allocator, &objects->skins[i]);
    }
    return result;
}

void modelObjectsFree(ModelObjects *objects) {
    for (uint32_t i = 0; i < objects->model->partCount; i++) {
        vkskinDestroySkin(objects->skins[i]);
    }
    for (uint32_t i = 0; i < objects->model->clipCount; i++) {
        vkskinDestroyClip(objects->clips[i]);
    }
    vkskinDestroySkeleton(objects->skeleton);
    free(objects->clips);
    free(objects->skins);
    free(objects->pose);
    free(objects->world);
    memset(objects, 0, sizeof *objects);
}

VkskinResult modelObjectsPose(ModelObjects *objects, int32_t clip, double time, VkskinWrap wrap) {
    VkskinClip sampled = clip < 0 ? NULL : objects->clips[clip];
    VkskinResult result = vkskinSampleClip(objects->skeleton, sampled, time, wrap, objects->pose);
    return result < 0 ? result : vkskinComposePose(objects->skeleton, objects->pose, objects->world);
}

VkskinResult modelObjectsPalette(const ModelObjects *objects, uint32_t part, VkskinPaletteEncoding encoding,
                                 void *palette, uint32_t boneCount) {
    return vkskinWritePalette(objects->skins[part], objects->world, objects->model->nodeCount, encoding, palette,
                              boneCount);
}
