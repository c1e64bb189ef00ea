/* model_glb_dual.c: how far painted blend towards dual quaternions places vertices from linear skinning. */
#include <math.h>
#include <stdlib.h>

#include "model_glb.h"
#include "model_mesh.h"
#include "model_pose.h"
#include "skin_choice.h"
#include "vkskin/vkskin_cpu.h"

#define MOMENTS 3 /* in each clip: begin, middle, end */

/* A part while it is measured. */
typedef struct DualPart {
    const Model *model;
    VkskinTransform *pose; /* [nodeCount] */
    VkskinAffine *world;   /* [nodeCount] */
    VkskinSkeleton skeleton;
    VkskinCpuMesh mesh;
    VkskinSkin skin;
    VkskinAffine place; /* meshToModel */
    uint32_t vertexCount, boneCount;
    void *palette;
    float *placed[2]; /* [vertexCount][3]: linear, blended */
} DualPart;

/* *most: enlarged to the largest distance in this pose. */
static VkskinResult measurePose(const DualPart *part, double *most) {
    static const SkinMode modes[2] = {SKIN_MODE_LBS, SKIN_MODE_BLEND};
    VkskinResult result = vkskinComposePose(part->skeleton, part->pose, part->world);
    for (int i = 0; i < 2 && result >= 0; i++) {
        const VkskinCpuCommand command = {.palette = part->palette,
                                          .encoding = skinModeEncoding(modes[i]),
                                          .boneCount = part->boneCount,
                                          .method = skinModeMethod(modes[i]),
                                          .streams = {part->placed[i]}};
        result = vkskinWritePalette(part->skin, part->world, part->model->nodeCount, command.encoding, part->palette,
                                    part->boneCount);
        result = result < 0 ? result : vkskinSkinOnCpu(part->mesh, &command, 1, NULL);
    }
    for (size_t v = 0; v < part->vertexCount && result >= 0; v++) {
        double squares = 0.0;
        for (int row = 0; row < 3; row++) {
            double moved = 0.0;
            for (size_t i = 3 * v; i < 3 * v + 3; i++) {
                moved += (double)part->place.m[row][i - 3 * v] * (part->placed[1][i] - part->placed[0][i]);
            }
            squares += moved * moved;
        }
        *most = fmax(*most, sqrt(squares));
    }
    return result;
}

/* Each clip, and the rest pose. */
static VkskinResult measurePoses(const DualPart *part, double *most) {
    const Model *model = part->model;
    VkskinResult result = VKSKIN_SUCCESS;
    for (uint32_t i = 0; i <= model->clipCount && result >= 0; i++) {
        VkskinClip clip = NULL;
        const bool still = i == model->clipCount;
        result = still ? VKSKIN_SUCCESS : modelCreateClip(model, i, NULL, (VkskinLogger){0}, &clip);
        for (int moment = 0; moment < (still ? 1 : MOMENTS) && result >= 0; moment++) {
            const double time = still ? 0.0 : (double)model->clips[i].duration * moment / (MOMENTS - 1);
            result = vkskinSampleClip(part->skeleton, clip, time, VKSKIN_WRAP_CLAMP, part->pose);
            result = result < 0 ? result : measurePose(part, most);
        }
        vkskinDestroyClip(clip);
    }
    return result;
}

static VkskinResult measurePart(DualPart *part, const ModelPart *from, double *most) {
    const ModelMesh *mesh = &part->model->meshes[from->mesh];
    VkskinMeshDef def = meshDefOfModel(mesh);
    VkskinCpuMeshDef cpu = vkskinDefaultCpuMeshDef();
    def.normals = def.tangents = NULL;
    cpu.mesh = &def;
    part->vertexCount = mesh->vertexCount;
    part->boneCount = part->model->skins[from->skin].boneCount;
    part->placed[0] = calloc(mesh->vertexCount, 3 * sizeof(float));
    part->placed[1] = calloc(mesh->vertexCount, 3 * sizeof(float));
    part->palette = calloc(part->boneCount, vkskinPaletteStride(VKSKIN_PALETTE_SCALED_DUAL_QUATERNION));
    if (!part->placed[0] || !part->placed[1] || !part->palette) {
        return VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    }
    VkskinResult result = vkskinSampleClip(part->skeleton, NULL, 0.0, VKSKIN_WRAP_CLAMP, part->pose);
    result = result < 0 ? result : vkskinComposePose(part->skeleton, part->pose, part->world);
    part->place = modelMeshToModel(&part->world[from->node]);
    result = result < 0 ? result : vkskinCreateCpuMesh(&cpu, &part->mesh);
    result = result < 0 ? result
                        : modelCreateSkin(part->model, from->skin, &part->place, NULL, (VkskinLogger){0}, &part->skin);
    return result < 0 ? result : measurePoses(part, most);
}

static void endPart(DualPart *part) {
    vkskinDestroyCpuMesh(part->mesh);
    vkskinDestroySkin(part->skin);
    free(part->placed[0]);
    free(part->placed[1]);
    free(part->palette);
}

bool modelGlbDual(const Model *model, double *distance, EngineError *error) {
    DualPart all = {.model = model};
    VkskinResult result = modelCreateSkeleton(model, NULL, (VkskinLogger){0}, &all.skeleton);
    all.pose = engineAllocate(model->nodeCount, sizeof *all.pose, error);
    all.world = engineAllocate(model->nodeCount, sizeof *all.world, error);
    const bool good = all.pose && all.world;
    for (uint32_t i = 0; i < model->partCount && good && result >= 0; i++) {
        DualPart part = all;
        if (model->meshes[model->parts[i].mesh].blendWeights) {
            result = measurePart(&part, &model->parts[i], distance);
            endPart(&part);
        }
    }
    vkskinDestroySkeleton(all.skeleton);
    free(all.pose);
    free(all.world);
    return good && (result >= 0 || engineVkskin(error, "skinning", result, ""));
}
