#include "model_objects.h"

#include <stdlib.h>
#include <string.h>

#include "model_pose.h"
#include "random.h"

VkskinResult modelObjectsCreate(const Model *model, const VkskinHostAllocator *allocator, ModelObjects *objects) {
    const VkskinLogger none = {0};
    *objects = (ModelObjects){
        .model = model,
        .clips = newZeroed(model->clipCount, sizeof *objects->clips),
        .skins = newZeroed(model->partCount, sizeof *objects->skins),
        .pose = newZeroed(model->nodeCount, sizeof *objects->pose),
        .world = newZeroed(model->nodeCount, sizeof *objects->world),
    };
    VkskinResult result = modelCreateSkeleton(model, allocator, none, &objects->skeleton);
    if (result >= 0) {
        result = modelObjectsPose(objects, -1, 0.0, VKSKIN_WRAP_CLAMP);
    }
    for (uint32_t i = 0; result >= 0 && i < model->clipCount; i++) {
        result = modelCreateClip(model, i, allocator, none, &objects->clips[i]);
    }
    for (uint32_t i = 0; result >= 0 && i < model->partCount; i++) {
        const VkskinAffine meshToModel = modelMeshToModel(&objects->world[model->parts[i].node]);
        result = modelCreateSkin(model, model->parts[i].skin, &meshToModel, allocator, none, &objects->skins[i]);
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
    const Model *model = objects->model;
    const ClipSource source = {objects->skeleton, model->clipCount, objects->clips, model->packed.block};
    VkskinResult result = clipSourceSample(&source, (uint32_t)clip, time, wrap, objects->pose);
    return result < 0 ? result : vkskinComposePose(objects->skeleton, objects->pose, objects->world);
}

VkskinResult modelObjectsPalette(const ModelObjects *objects, uint32_t part, VkskinPaletteEncoding encoding,
                                 void *palette, uint32_t boneCount) {
    return vkskinWritePalette(objects->skins[part], objects->world, objects->model->nodeCount, encoding, palette,
                              boneCount);
}
