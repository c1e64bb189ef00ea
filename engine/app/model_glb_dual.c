/* model_glb_dual.c: how far painted blend towards dual quaternions places vertices from linear skinning. */
#include <math.h>
#include <stdlib.h>

#include "model_glb.h"
#include "model_mesh.h"
#include "model_pose.h"
#include "skin_choice.h"
#include "vkskin/vkskin_cpu.h"

#define MOMENTS 3 /* in each clip: begin, middle, end */

/* A part as it is measured. */
typedef struct DualPart {
    VkskinCpuMesh mesh; /* null: its mesh has no blend weights */
    VkskinSkin skin;
    VkskinAffine place; /* meshToModel */
    float *linear, *blended;
    void *palettes[2]; /* for them */
} DualPart;

static VkskinPaletteEncoding encodingOf(bool blended) {
    return skinModeEncoding(blended ? SKIN_MODE_BLEND : SKIN_MODE_LBS);
}

static VkskinResult beginPart(const Model *model, const ModelPart *from, const VkskinAffine *world, DualPart *part) {
    const ModelMesh *mesh = &model->meshes[from->mesh];
    const size_t bones = model->skins[from->skin].boneCount;
    VkskinMeshDef def = meshDefOfModel(mesh);
    VkskinCpuMeshDef cpu = vkskinDefaultCpuMeshDef();
    def.normals = def.tangents = NULL;
    cpu.mesh = &def;
    part->place = modelMeshToModel(&world[from->node]);
    part->linear = calloc((size_t)mesh->vertexCount * 3, sizeof *part->linear);
    part->blended = calloc((size_t)mesh->vertexCount * 3, sizeof *part->blended);
    for (int i = 0; i < 2; i++) {
        part->palettes[i] = calloc(bones, vkskinPaletteStride(encodingOf(i == 1)));
    }
    if (!part->linear || !part->blended || !part->palettes[0] || !part->palettes[1]) {
        return VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    }
    const VkskinResult result = vkskinCreateCpuMesh(&cpu, &part->mesh);
    return result < 0 ? result : modelCreateSkin(model, from->skin, &part->place, NULL, (VkskinLogger){0}, &part->skin);
}

static void endPart(DualPart *part) {
    vkskinDestroyCpuMesh(part->mesh);
    vkskinDestroySkin(part->skin);
    free(part->linear);
    free(part->blended);
    free(part->palettes[0]);
    free(part->palettes[1]);
}

static VkskinResult skin(const Model *model, const ModelPart *from, const VkskinAffine *world, bool blended,
                         DualPart *part) {
    const uint32_t bones = model->skins[from->skin].boneCount;
    const VkskinCpuCommand command = {.palette = part->palettes[blended],
                                      .encoding = encodingOf(blended),
                                      .boneCount = bones,
                                      .method = skinModeMethod(blended ? SKIN_MODE_BLEND : SKIN_MODE_LBS),
                                      .streams = {blended ? part->blended : part->linear}};
    const VkskinResult result =
        vkskinWritePalette(part->skin, world, model->nodeCount, command.encoding, part->palettes[blended], bones);
    return result < 0 ? result : vkskinSkinOnCpu(part->mesh, &command, 1, NULL);
}

/* *most: enlarged to the largest distance in this pose. */
static VkskinResult measurePart(const Model *model, const ModelPart *from, const VkskinAffine *world, DualPart *part,
                                double *most) {
    VkskinResult result = skin(model, from, world, false, part);
    result = result < 0 ? result : skin(model, from, world, true, part);
    for (size_t v = 0; v < model->meshes[from->mesh].vertexCount && result >= 0; v++) {
        double squares = 0.0;
        for (int row = 0; row < 3; row++) {
            double moved = 0.0;
            for (int i = 0; i < 3; i++) {
                moved += (double)part->place.m[row][i] *
                         (part->blended[3 * v + (size_t)i] - part->linear[3 * v + (size_t)i]);
            }
            squares += moved * moved;
        }
        *most = fmax(*most, sqrt(squares));
    }
    return result;
}

/* clip: clipCount: the rest pose. */
static VkskinResult measureClip(const Model *model, VkskinSkeleton skeleton, uint32_t clip, VkskinTransform *pose,
                                VkskinAffine *world, DualPart *parts, double *most) {
    VkskinClip created = NULL;
    const bool still = clip == model->clipCount;
    VkskinResult result = still ? VKSKIN_SUCCESS : modelCreateClip(model, clip, NULL, (VkskinLogger){0}, &created);
    for (int moment = 0; moment < (still ? 1 : MOMENTS) && result >= 0; moment++) {
        const double time = still ? 0.0 : (double)model->clips[clip].duration * moment / (MOMENTS - 1);
        result = vkskinSampleClip(skeleton, created, time, VKSKIN_WRAP_CLAMP, pose);
        result = result < 0 ? result : vkskinComposePose(skeleton, pose, world);
        for (uint32_t i = 0; i < model->partCount && result >= 0; i++) {
            result = parts[i].mesh ? measurePart(model, &model->parts[i], world, &parts[i], most) : result;
        }
    }
    vkskinDestroyClip(created);
    return result;
}

static VkskinResult measure(const Model *model, VkskinTransform *pose, VkskinAffine *world, DualPart *parts,
                            double *most) {
    VkskinSkeleton skeleton = NULL;
    VkskinResult result = modelCreateSkeleton(model, NULL, (VkskinLogger){0}, &skeleton);
    result = result < 0 ? result : vkskinSampleClip(skeleton, NULL, 0.0, VKSKIN_WRAP_CLAMP, pose);
    result = result < 0 ? result : vkskinComposePose(skeleton, pose, world);
    for (uint32_t i = 0; i < model->partCount && result >= 0; i++) {
        if (model->meshes[model->parts[i].mesh].blendWeights) {
            result = beginPart(model, &model->parts[i], world, &parts[i]);
        }
    }
    for (uint32_t clip = 0; clip <= model->clipCount && result >= 0; clip++) {
        result = measureClip(model, skeleton, clip, pose, world, parts, most);
    }
    vkskinDestroySkeleton(skeleton);
    return result;
}

bool modelGlbDual(const Model *model, double *distance, EngineError *error) {
    VkskinTransform *pose = engineAllocate(model->nodeCount, sizeof *pose, error);
    VkskinAffine *world = engineAllocate(model->nodeCount, sizeof *world, error);
    DualPart *parts = engineAllocate(model->partCount, sizeof *parts, error);
    const bool good = pose && world && parts;
    const VkskinResult result = good ? measure(model, pose, world, parts, distance) : VKSKIN_SUCCESS;
    for (uint32_t i = 0; i < model->partCount && parts; i++) {
        endPart(&parts[i]);
    }
    free(pose);
    free(world);
    free(parts);
    return good && (result >= 0 || engineVkskin(error, "skinning", result, ""));
}
