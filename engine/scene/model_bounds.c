#include "model_bounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bones in model space: the mesh's node has no influence. [boneCount]; free() it. */
static VkskinAffine *poseBones(const ModelSkin *skin, const VkskinAffine *world, EngineError *error) {
    VkskinAffine *bones = engineAllocate(skin->boneCount, sizeof(*bones), error);
    for (uint32_t i = 0; i < skin->boneCount && bones; i++) {
        bones[i] = vkskinMultiplyAffine(&world[skin->boneNodes[i]], &skin->inverseBinds[i]);
    }
    return bones;
}

/* weights: [morphCount] of the part. positions: [vertexCount][3] */
static void morphPositions(const ModelMesh *mesh, const float *weights, float *positions) {
    memcpy(positions, mesh->positions, (size_t)mesh->vertexCount * 3 * sizeof(*positions));
    for (uint32_t target = 0; target < mesh->morphCount; target++) {
        const ModelMorph *morph = &mesh->morphs[target];
        for (size_t i = 0; i < morph->vertexCount && morph->positions && weights[target] != 0.0f; i++) {
            float *position = &positions[3 * (size_t)morph->vertices[i]];
            for (int axis = 0; axis < 3; axis++) {
                position[axis] += weights[target] * morph->positions[3 * i + (size_t)axis];
            }
        }
    }
}

static void skinVertex(const ModelMesh *mesh, uint32_t vertex, const float p[3], const VkskinAffine *bones,
                       float out[3]) {
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

bool modelPosePart(const Model *model, const ModelPart *part, const ModelMesh *mesh, const VkskinAffine *world,
                   const float *weights, float *positions, EngineError *error) {
    VkskinAffine *bones = poseBones(&model->skins[part->skin], world, error);
    if (bones) {
        morphPositions(mesh, weights, positions);
    }
    for (uint32_t vertex = 0; vertex < mesh->vertexCount && bones; vertex++) {
        float *position = &positions[3 * (size_t)vertex], point[3];
        skinVertex(mesh, vertex, position, bones, point);
        memcpy(position, point, sizeof(point));
    }
    const bool posed = bones != NULL;
    free(bones);
    return posed;
}

static void addMapped(const BoundsSpaces *spaces, const float point[3], Bounds *bounds) {
    for (uint32_t i = 0; i < spaces->count; i++) {
        float mapped[3];
        transformPoint(&spaces->maps[i], point, mapped);
        boundsAddPoint(&bounds[i], mapped);
    }
}

bool modelAddPartBounds(const Model *model, const ModelPart *part, const VkskinAffine *world, const float *weights,
                        const BoundsSpaces *spaces, Bounds *bounds, EngineError *error) {
    const ModelMesh *mesh = &model->meshes[part->mesh];
    float *positions = engineAllocate(mesh->vertexCount, 3 * sizeof(*positions), error);
    const bool posed = positions && modelPosePart(model, part, mesh, world, weights, positions, error);
    for (uint32_t vertex = 0; vertex < mesh->vertexCount && posed; vertex++) {
        const float *point = &positions[3 * (size_t)vertex];
        if (spaces) {
            addMapped(spaces, point, bounds);
        } else {
            boundsAddPoint(bounds, point);
        }
    }
    free(positions);
    return posed;
}

/* [nodeCount]. In floats from node to node: packed models hold a height that follows from these matrices bit by bit. */
static void poseAtRest(const Model *model, VkskinAffine *world) {
    for (uint32_t i = 0; i < model->nodeCount; i++) {
        const ModelNode *node = &model->nodes[i];
        VkskinAffine rest = vkskinAffineFromTransform(&node->rest);
        world[i] = vkskinMultiplyAffine(&node->preTransform, &rest);
        if (node->parent >= 0) {
            world[i] = vkskinMultiplyAffine(&world[node->parent], &world[i]);
        }
    }
}

bool modelRestBounds(const Model *model, Bounds *bounds, EngineError *error) {
    VkskinAffine *world = engineAllocate(model->nodeCount, sizeof(*world), error);
    bool good = world != NULL;
    *bounds = boundsEmpty();
    if (good) {
        poseAtRest(model, world);
    }
    for (uint32_t i = 0; i < model->partCount && good; i++) {
        const ModelPart *part = &model->parts[i];
        float *zeros = engineAllocate(model->meshes[part->mesh].morphCount, sizeof(*zeros), error);
        const float *weights = part->morphWeights ? part->morphWeights : zeros;
        good = zeros && modelAddPartBounds(model, part, world, weights, NULL, bounds, error);
        free(zeros);
    }
    free(world);
    return good;
}

static void addNodes(const Model *model, VkskinAffine *world, Bounds *bounds) {
    poseAtRest(model, world);
    for (uint32_t i = 0; i < model->nodeCount; i++) {
        float origin[] = {world[i].m[0][3], world[i].m[1][3], world[i].m[2][3]};
        boundsAddPoint(bounds, origin);
    }
}

bool modelHeight(const Model *model, double *height, EngineError *error) {
    static const int UP_AXES[] = {[MODEL_UP_Y] = 1, [MODEL_UP_Z] = 2, [MODEL_UP_X] = 0};
    const int up = UP_AXES[model->up];
    Bounds bounds;
    if (!modelRestBounds(model, &bounds, error)) {
        return false;
    }
    *height = boundsIsEmpty(&bounds) ? 0.0 : (double)bounds.max[up] - bounds.min[up];
    if (!(*height > 0.0)) {
        VkskinAffine *world = engineAllocate(model->nodeCount, sizeof(*world), error);
        if (!world) {
            return false;
        }
        addNodes(model, world, &bounds);
        free(world);
        *height = boundsDiagonal(&bounds);
    }
    *height = *height > 0.0 && isfinite(*height) ? *height : 1.0;
    return true;
}
