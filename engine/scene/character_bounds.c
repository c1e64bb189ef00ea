/* characterBounds: skinning on the processor, for boxes alone. */
#include <stdlib.h>
#include <string.h>

#include "character.h"

/* Model space: the mesh's node takes no part in it. */
static void poseBones(const ModelSkin *skin, const VkskinAffine *world, VkskinAffine *bones) {
    for (uint32_t i = 0; i < skin->boneCount; i++) {
        bones[i] = vkskinMultiplyAffine(&world[skin->boneNodes[i]], &skin->inverseBinds[i]);
    }
}

/* weights: [morphCount] of the part. positions: [vertexCount][3], receives them. */
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

/* What a moment of a character is worked out in. */
typedef struct Scratch {
    VkskinAffine *world, *bones;
    float *weights;   /* of all morph targets */
    float *positions; /* of any mesh */
} Scratch;

static void addPart(const Character *character, uint32_t index, Scratch *scratch, Bounds *bounds) {
    const Model *model = character->model;
    const ModelPart *part = &model->parts[index];
    const ModelMesh *mesh = &model->meshes[part->mesh];
    poseBones(&model->skins[part->skin], scratch->world, scratch->bones);
    morphPositions(mesh, scratch->weights + character->parts[index].firstMorph, scratch->positions);
    for (uint32_t vertex = 0; vertex < mesh->vertexCount; vertex++) {
        float point[3];
        skinVertex(mesh, vertex, &scratch->positions[3 * (size_t)vertex], scratch->bones, point);
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

static uint32_t mostVertices(const Model *model) {
    uint32_t most = 1;
    for (uint32_t i = 0; i < model->meshCount; i++) {
        most = model->meshes[i].vertexCount > most ? model->meshes[i].vertexCount : most;
    }
    return most;
}

static bool createScratch(const Character *character, Scratch *scratch, EngineError *error) {
    const Model *model = character->model;
    *scratch = (Scratch){.world = malloc(model->nodeCount * sizeof(*scratch->world)),
                         .bones = calloc(mostBones(model), sizeof(*scratch->bones)),
                         .weights = malloc(((size_t)character->morphCount + 1) * sizeof(*scratch->weights)),
                         .positions = malloc((size_t)mostVertices(model) * 3 * sizeof(*scratch->positions))};
    return (scratch->world && scratch->bones && scratch->weights && scratch->positions) ||
           engineFail(error, "out of memory");
}

static void freeScratch(Scratch *scratch) {
    free(scratch->world);
    free(scratch->bones);
    free(scratch->weights);
    free(scratch->positions);
}

bool characterBounds(const Character *character, VkskinClip clip, double time, VkskinWrap wrap, Bounds *bounds,
                     EngineError *error) {
    Scratch scratch;
    bool posed = createScratch(character, &scratch, error) &&
                 characterPose(character, clip, time, wrap, scratch.world, error) &&
                 characterMorphWeights(character, clip, time, wrap, scratch.weights, error);
    *bounds = boundsEmpty();
    for (uint32_t i = 0; i < character->partCount && posed; i++) {
        addPart(character, i, &scratch, bounds);
    }
    freeScratch(&scratch);
    return posed;
}
