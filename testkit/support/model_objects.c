#include "model_objects.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void *newArray(uint32_t count, size_t size) {
    void *array = calloc(count > 0 ? count : 1, size);
    assert_non_null(array);
    return array;
}

static VkskinSkeleton createSkeleton(const Model *model) {
    int32_t *parents = newArray(model->nodeCount, sizeof *parents);
    VkskinTransform *rest = newArray(model->nodeCount, sizeof *rest);
    VkskinAffine *pre = newArray(model->nodeCount, sizeof *pre);
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
    VkskinSkeleton skeleton = NULL;
    assert_int_equal(vkskinCreateSkeleton(&def, &skeleton), VKSKIN_SUCCESS);
    free(parents);
    free(rest);
    free(pre);
    return skeleton;
}

static VkskinClip createClip(const Model *model, const ModelClip *clip) {
    VkskinClipDef def = vkskinDefaultClipDef();
    def.duration = clip->duration;
    def.nodeCount = model->nodeCount;
    def.trackCount = clip->trackCount;
    def.tracks = clip->tracks;
    VkskinClip result = NULL;
    assert_int_equal(vkskinCreateClip(&def, &result), VKSKIN_SUCCESS);
    return result;
}

static VkskinSkin createSkin(const Model *model, const ModelPart *part, const VkskinAffine *restWorld) {
    const ModelSkin *skin = &model->skins[part->skin];
    VkskinSkinDef def = vkskinDefaultSkinDef();
    def.nodeCount = model->nodeCount;
    def.boneCount = skin->boneCount;
    def.boneNodes = skin->boneNodes;
    def.inverseBinds = skin->inverseBinds;
    def.meshToModel = restWorld[part->node];
    VkskinSkin result = NULL;
    assert_int_equal(vkskinCreateSkin(&def, &result), VKSKIN_SUCCESS);
    return result;
}

ModelObjects modelObjects(const Model *model) {
    ModelObjects objects = {.model = model};
    objects.skeleton = createSkeleton(model);
    objects.clips = newArray(model->clipCount, sizeof *objects.clips);
    objects.skins = newArray(model->partCount, sizeof *objects.skins);
    objects.pose = newArray(model->nodeCount, sizeof *objects.pose);
    objects.world = newArray(model->nodeCount, sizeof *objects.world);
    modelObjectsPose(&objects, -1, 0.0, VKSKIN_WRAP_CLAMP);
    for (uint32_t i = 0; i < model->clipCount; i++) {
        objects.clips[i] = createClip(model, &model->clips[i]);
    }
    for (uint32_t i = 0; i < model->partCount; i++) {
        objects.skins[i] = createSkin(model, &model->parts[i], objects.world);
    }
    return objects;
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

void modelObjectsPose(ModelObjects *objects, int32_t clip, double time, VkskinWrap wrap) {
    VkskinClip sampled = clip < 0 ? NULL : objects->clips[clip];
    assert_int_equal(vkskinSampleClip(objects->skeleton, sampled, time, wrap, objects->pose), VKSKIN_SUCCESS);
    assert_int_equal(vkskinComposePose(objects->skeleton, objects->pose, objects->world), VKSKIN_SUCCESS);
}

VkskinResult modelObjectsPalette(const ModelObjects *objects, uint32_t part, VkskinPaletteEncoding encoding,
                                 void *palette, uint32_t boneCount) {
    return vkskinWritePalette(objects->skins[part], objects->world, objects->model->nodeCount, encoding, palette,
                              boneCount);
}

VkskinMeshDef modelMeshDef(const ModelMesh *mesh) {
    VkskinMeshDef def = vkskinDefaultMeshDef();
    def.name = mesh->name;
    def.vertexCount = mesh->vertexCount;
    def.boneCount = mesh->boneCount;
    def.positions = mesh->positions;
    def.normals = mesh->normals;
    def.tangents = mesh->tangents;
    def.influencesPerVertex = mesh->influences;
    def.jointFormat = VKSKIN_JOINTS_U32;
    def.joints = mesh->joints;
    def.weights = mesh->weights;
    return def;
}
