/* characterBounds: skinning on the processor, for boxes alone. */
#include <stdlib.h>

#include "character.h"

/* Model space: the mesh's node takes no part in it. */
static void poseBones(const ModelSkin *skin, const VkskinAffine *world, VkskinAffine *bones) {
    for (uint32_t i = 0; i < skin->boneCount; i++) {
        bones[i] = vkskinMultiplyAffine(&world[skin->boneNodes[i]], &skin->inverseBinds[i]);
    }
}

static void skinVertex(const ModelMesh *mesh, uint32_t vertex, const VkskinAffine *bones, float out[3]) {
    const float *p = &mesh->positions[3 * (size_t)vertex];
    const uint32_t *joints = &mesh->joints[(size_t)mesh->influences * vertex];
    const float *weights = &mesh->weights[(size_t)mesh->influences * vertex];
    float sum = 0.0f;
    float point[3] = {0.0f, 0.0f, 0.0f};
    for (uint32_t i = 0; i < mesh->influences; i++) {
        if (weights[i] <= 0.0f) {
            continue;
        }
        const VkskinAffine *bone = &bones[joints[i]];
        sum += weights[i];
        for (int row = 0; row < 3; row++) {
            const float *m = bone->m[row];
            point[row] += weights[i] * (m[0] * p[0] + m[1] * p[1] + m[2] * p[2] + m[3]);
        }
    }
    for (int row = 0; row < 3; row++) {
        out[row] = sum > 0.0f ? point[row] / sum : p[row];
    }
}

static void addPart(const Model *model, const ModelPart *part, const VkskinAffine *world, VkskinAffine *bones,
                    Bounds *bounds) {
    const ModelMesh *mesh = &model->meshes[part->mesh];
    poseBones(&model->skins[part->skin], world, bones);
    for (uint32_t vertex = 0; vertex < mesh->vertexCount; vertex++) {
        float point[3];
        skinVertex(mesh, vertex, bones, point);
        boundsAddPoint(bounds, point);
    }
}

static uint32_t mostBones(const Model *model) {
    uint32_t most = 1;
    for (uint32_t i = 0; i < model->skinCount; i++) {
        most = model->skins[i].boneCount > most ? model->skins[i].boneCount : most;
    }
    return most;
}

bool characterBounds(const Character *character, VkskinClip clip, double time, VkskinWrap wrap, Bounds *bounds,
                     EngineError *error) {
    const Model *model = character->model;
    VkskinAffine *world = malloc(model->nodeCount * sizeof(*world));
    VkskinAffine *bones = calloc(mostBones(model), sizeof(*bones));
    bool posed = (world && bones) || engineFail(error, "out of memory");
    posed = posed && characterPose(character, clip, time, wrap, world, error);
    *bounds = boundsEmpty();
    for (uint32_t i = 0; i < model->partCount && posed; i++) {
        addPart(model, &model->parts[i], world, bones, bounds);
    }
    free(world);
    free(bones);
    return posed;
}
