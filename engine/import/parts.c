#include "parts.h"

#include "child_memory.h"

#include <stdlib.h>
#include <string.h>

static VkskinAffine *composeRest(const Model *model) {
    VkskinAffine *worlds = childAllocate(model->nodeCount, sizeof *worlds);
    for (uint32_t i = 0; i < model->nodeCount; i++) {
        const ModelNode *node = &model->nodes[i];
        VkskinAffine rest = vkskinAffineFromTransform(&node->rest);
        worlds[i] = vkskinMultiplyAffine(&node->preTransform, &rest);
        if (node->parent >= 0) {
            worlds[i] = vkskinMultiplyAffine(&worlds[node->parent], &worlds[i]);
        }
    }
    return worlds;
}

Parts partsBegin(Model *model, uint32_t capacity) {
    model->parts = childAllocate(capacity, sizeof *model->parts);
    model->meshes = childAllocate(capacity, sizeof *model->meshes);
    model->skins = childAllocate(capacity, sizeof *model->skins);
    return (Parts){
        .model = model,
        .restWorlds = composeRest(model),
        .skinNodes = childAllocate(capacity, sizeof(uint32_t)),
    };
}

void partsEnd(Parts *parts) {
    free(parts->restWorlds);
    free(parts->skinNodes);
    *parts = (Parts){0};
}

static void freeBones(ModelSkin *bones) {
    free(bones->boneNodes);
    free(bones->inverseBinds);
}

/* The node itself where neither it nor any above it has an inverse. */
static uint32_t invertibleAtOrAbove(const Parts *parts, uint32_t node) {
    int64_t at = node;
    VkskinAffine inverse;
    while (at >= 0 && vkskinInvertAffine(&parts->restWorlds[at], &inverse) != VKSKIN_SUCCESS) {
        at = parts->model->nodes[at].parent;
    }
    return at >= 0 ? (uint32_t)at : node;
}

static bool sameBones(const ModelSkin *a, const ModelSkin *b) {
    return a->boneCount == b->boneCount &&
           memcmp(a->boneNodes, b->boneNodes, a->boneCount * sizeof *a->boneNodes) == 0 &&
           memcmp(a->inverseBinds, b->inverseBinds, a->boneCount * sizeof *a->inverseBinds) == 0;
}

/* The skin that equals `bones`, which is freed then; or `bones` as a new one. */
static uint32_t findOrAddSkin(Parts *parts, uint32_t node, ModelSkin *bones) {
    Model *model = parts->model;
    for (uint32_t i = 0; i < model->skinCount; i++) {
        const VkskinAffine *world = &parts->restWorlds[parts->skinNodes[i]];
        if (sameBones(&model->skins[i], bones) && memcmp(world, &parts->restWorlds[node], sizeof *world) == 0) {
            freeBones(bones);
            return i;
        }
    }
    model->skins[model->skinCount] = *bones;
    parts->skinNodes[model->skinCount] = node;
    return model->skinCount++;
}

static float *copyWeights(const ModelMesh *mesh, const float *weights) {
    float *copy = weights ? childAllocate(mesh->morphCount, sizeof *copy) : NULL;
    if (copy) {
        memcpy(copy, weights, mesh->morphCount * sizeof *copy);
    }
    return copy;
}

void partsAdd(Parts *parts, uint32_t mesh, uint32_t node, ModelSkin bones, const float *morphWeights) {
    Model *model = parts->model;
    uint32_t placed = invertibleAtOrAbove(parts, node);
    uint32_t skin = findOrAddSkin(parts, placed, &bones);
    model->parts[model->partCount++] = (ModelPart){.mesh = mesh,
                                                   .skin = skin,
                                                   .node = placed,
                                                   .carrier = node,
                                                   .morphWeights = copyWeights(&model->meshes[mesh], morphWeights)};
}

ModelSkin partsRigidBones(uint32_t node) {
    ModelSkin bones = {.boneCount = 0};
    partsPrependNode(&bones, node);
    return bones;
}

void partsPrependNode(ModelSkin *bones, uint32_t node) {
    uint32_t *nodes = childAllocate((size_t)bones->boneCount + 1, sizeof *nodes);
    VkskinAffine *binds = childAllocate((size_t)bones->boneCount + 1, sizeof *binds);
    nodes[0] = node;
    binds[0] = vkskinIdentityAffine();
    for (uint32_t i = 0; i < bones->boneCount; i++) {
        nodes[i + 1] = bones->boneNodes[i];
        binds[i + 1] = bones->inverseBinds[i];
    }
    freeBones(bones);
    *bones = (ModelSkin){bones->boneCount + 1, nodes, binds};
}
