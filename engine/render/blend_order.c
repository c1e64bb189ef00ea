#include "blend_order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bone b places its share at world x (point, weight): a homogeneous sum over the vertices, divided by their number. */
struct BlendShare {
    float (*points)[4]; /* [boneCount]: x, y, z and weight, in the bone's own space; null if the part is not blended */
};

/* Adds w x (inverseBind x p, 1) for each influence of each vertex; weights of a vertex need not sum to 1. */
static void addVertices(const ModelMesh *mesh, const ModelSkin *skin, float (*points)[4]) {
    for (size_t v = 0; v < mesh->vertexCount; v++) {
        const float *p = mesh->positions + 3 * v, *weights = mesh->weights + mesh->influences * v;
        double sum = 0.0;
        for (uint32_t i = 0; i < mesh->influences; i++) {
            sum += weights[i];
        }
        for (uint32_t i = 0; i < mesh->influences; i++) {
            const uint32_t joint = mesh->joints[mesh->influences * v + i];
            const float share = (float)(weights[i] / (sum * mesh->vertexCount));
            for (int r = 0; r < 3; r++) {
                const float *row = skin->inverseBinds[joint].m[r];
                points[joint][r] += share * (row[0] * p[0] + row[1] * p[1] + row[2] * p[2] + row[3]);
            }
            points[joint][3] += share;
        }
    }
}

/* *blended: is increased by the number of parts that are. False: *shares is to be freed all the same. */
static bool createShares(const SkinnedModel *skinned, BlendShare **shares, size_t *blended, EngineError *error) {
    const Model *model = skinned->model;
    *shares = engineAllocate(skinned->partCount, sizeof(**shares), error);
    bool made = *shares;
    for (uint32_t i = 0; i < skinned->partCount && made; i++) {
        const ModelSkin *skin = &model->skins[model->parts[i].skin];
        BlendShare *share = &(*shares)[i];
        if (skinned->parts[i].look == SKINNED_LOOK_BLENDED) {
            share->points = engineAllocate(skin->boneCount, sizeof(*share->points), error);
            made = share->points;
            *blended += 1;
        }
        if (share->points) {
            addVertices(&model->meshes[skinned->parts[i].modelMesh], skin, share->points);
        }
    }
    return made;
}

bool blendOrderCreate(const Population *population, BlendOrder *order, EngineError *error) {
    size_t pieces = 0, nodes = 0;
    *order = (BlendOrder){.population = population};
    order->shares = engineAllocate(population->modelCount, sizeof(*order->shares), error);
    bool made = order->shares;
    for (uint32_t kind = 0; kind < population->modelCount && made; kind++) {
        const SkinnedModel *skinned = population->models[kind];
        size_t blended = 0;
        made = createShares(skinned, &order->shares[kind], &blended, error);
        pieces += blended * (population->kindStarts[kind + 1] - population->kindStarts[kind]);
        nodes = skinned->model->nodeCount > nodes ? skinned->model->nodeCount : nodes;
    }
    if (!made || pieces == 0) {
        return made;
    }
    order->pieces = engineAllocate(pieces, sizeof(*order->pieces), error);
    order->world = engineAllocate(nodes, sizeof(*order->world), error);
    return order->pieces && order->world;
}

void blendOrderDestroy(BlendOrder *order) {
    for (uint32_t kind = 0; order->shares && kind < order->population->modelCount; kind++) {
        for (uint32_t i = 0; order->shares[kind] && i < order->population->models[kind]->partCount; i++) {
            free(order->shares[kind][i].points);
        }
        free(order->shares[kind]);
    }
    free(order->shares);
    free(order->pieces);
    free(order->world);
    *order = (BlendOrder){0};
}

/* In the model's world space. world: of the model's nodes in the character's pose. */
static void partCentre(const ModelSkin *skin, const BlendShare *share, const VkskinAffine *world, float centre[3]) {
    memset(centre, 0, 3 * sizeof(float));
    for (uint32_t b = 0; b < skin->boneCount; b++) {
        const float *p = share->points[b];
        for (int r = 0; r < 3; r++) {
            const float *row = world[skin->boneNodes[b]].m[r];
            centre[r] += row[0] * p[0] + row[1] * p[1] + row[2] * p[2] + row[3] * p[3];
        }
    }
}

static float depthOf(const float viewProjection[16], const VkskinAffine *toWorld, const float point[3]) {
    float depth = viewProjection[15];
    for (int r = 0; r < 3; r++) {
        const float *row = toWorld->m[r];
        depth += viewProjection[4 * r + 3] * (row[0] * point[0] + row[1] * point[1] + row[2] * point[2] + row[3]);
    }
    return isfinite(depth) ? depth : 0.0f;
}

static bool addCharacter(BlendOrder *order, uint32_t index, const float viewProjection[16], EngineError *error) {
    const Character *character = &order->population->characters[index];
    const SkinnedModel *skinned = order->population->models[character->model];
    const VkskinAffine toWorld = populationToWorld(order->population, character);
    bool posed = false;
    for (uint32_t i = 0; i < skinned->partCount; i++) {
        const BlendShare *share = &order->shares[character->model][i];
        float centre[3];
        if (!share->points) {
            continue;
        }
        if (!posed && !skinnedModelPose(skinned, character->pose.clip, character->pose.time, character->pose.wrap,
                                        character->swing, order->world, error)) {
            return false;
        }
        posed = true;
        partCentre(&skinned->model->skins[skinned->model->parts[i].skin], share, order->world, centre);
        order->pieces[order->count++] = (BlendPiece){index, i, depthOf(viewProjection, &toWorld, centre)};
    }
    return true;
}

/* Far ones first. */
static int compare(const void *a, const void *b) {
    const BlendPiece *first = a;
    const BlendPiece *second = b;
    if (first->depth != second->depth) {
        return first->depth > second->depth ? -1 : 1;
    }
    if (first->character != second->character) {
        return first->character < second->character ? -1 : 1;
    }
    return first->part < second->part ? -1 : first->part > second->part;
}

bool blendOrderSort(BlendOrder *order, const float viewProjection[16], EngineError *error) {
    order->count = 0;
    for (uint32_t i = 0; order->pieces && i < order->population->characterCount; i++) {
        if ((order->population->characters[i].passes & 1u << POPULATION_PASS_COLOUR) != 0 &&
            !addCharacter(order, i, viewProjection, error)) {
            return false;
        }
    }
    if (order->pieces) {
        qsort(order->pieces, order->count, sizeof(*order->pieces), compare);
    }
    return true;
}
