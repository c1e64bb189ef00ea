#include "model_levels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model_mesh.h"

uint32_t modelLodCount(const Model *model) {
    return model->meshCount > 0 ? model->meshes->lodCount : 0;
}

double modelLodError(const Model *model, uint32_t lod) {
    double error = 0.0;
    for (uint32_t i = 0; i < model->meshCount; i++) {
        for (uint32_t l = 0; l <= lod; l++) {
            error = fmax(error, (double)model->meshes[i].lods[l].error);
        }
    }
    return error;
}

/* Two influences of a vertex. Weights are compared in steps, and equal ones by node: so vertices at one place keep the same
 * bones, also if rounding made their weights differ, or if they belong to different meshes. */
typedef struct Influence {
    float weight;
    uint32_t joint, node;
} Influence;

static bool isLarger(const Influence *a, const Influence *b, float sum) {
    const long left = lroundf(a->weight / sum * 1024.0f), right = lroundf(b->weight / sum * 1024.0f);
    if ((a->weight > 0.0f) != (b->weight > 0.0f)) {
        return a->weight > 0.0f;
    }
    return left != right ? left > right : a->node < b->node;
}

/* kept: [count], from the largest on. */
static void insertInfluence(Influence *kept, uint32_t count, Influence added, float sum) {
    for (uint32_t i = 0; i < count; i++) {
        if (isLarger(&added, &kept[i], sum)) {
            const Influence moved = kept[i];
            kept[i] = added;
            added = moved;
        }
    }
}

void modelTrimInfluences(ModelMesh *mesh, uint32_t count, const uint32_t *nodes) {
    for (size_t v = 0; v < mesh->vertexCount && count < mesh->influences; v++) {
        const uint32_t *joints = &mesh->joints[v * mesh->influences];
        const float *weights = &mesh->weights[v * mesh->influences];
        Influence kept[MODEL_LOD_INFLUENCES] = {{.weight = 0.0f, .node = UINT32_MAX}};
        float sum = 0.0f;
        for (uint32_t i = 0; i < mesh->influences; i++) {
            sum += weights[i];
        }
        for (uint32_t i = 0; i < count; i++) {
            kept[i] = (Influence){.weight = 0.0f, .node = UINT32_MAX};
        }
        for (uint32_t i = 0; i < mesh->influences; i++) {
            insertInfluence(kept, count, (Influence){weights[i], joints[i], nodes ? nodes[joints[i]] : joints[i]}, sum);
        }
        for (uint32_t i = 0; i < count; i++) { /* rows move forward */
            mesh->joints[v * count + i] = kept[i].weight > 0.0f ? kept[i].joint : 0;
            mesh->weights[v * count + i] = kept[i].weight;
        }
    }
    mesh->influences = count < mesh->influences ? count : mesh->influences;
}

const uint32_t *modelMeshNodes(const Model *model, uint32_t mesh) {
    for (uint32_t i = 0; i < model->partCount; i++) {
        if (model->parts[i].mesh == mesh) {
            return model->skins[model->parts[i].skin].boneNodes;
        }
    }
    return NULL;
}

bool modelLodMesh(const Model *model, uint32_t mesh, uint32_t lod, ModelMesh *made, EngineError *error) {
    const ModelLod *source = &model->meshes[mesh].lods[lod];
    ModelMesh full = model->meshes[mesh];
    const size_t bytes = source->indexCount * sizeof(uint32_t);
    full.indexCount = full.lodCount = 0;
    full.indices = NULL;
    full.lods = NULL;
    bool good = modelCopyMesh(&full, made) && modelGatherVertices(made, source->vertices, source->vertexCount);
    made->indices = malloc(bytes + 1);
    good = good && made->indices;
    if (good) {
        memcpy(made->indices, source->indices, bytes);
        made->indexCount = source->indexCount;
        modelTrimInfluences(made, source->influences, modelMeshNodes(model, mesh));
    }
    return good || engineFail(error, "out of memory");
}

/* The skin of a mesh; skinCount: no part shows it. *shared: parts with different skins show it. */
static uint32_t skinOf(const Model *model, uint32_t mesh, bool *shared) {
    uint32_t skin = model->skinCount;
    *shared = false;
    for (uint32_t i = 0; i < model->partCount; i++) {
        if (model->parts[i].mesh == mesh) {
            *shared = *shared || (skin < model->skinCount && skin != model->parts[i].skin);
            skin = model->parts[i].skin;
        }
    }
    return skin;
}

static void useAll(const Model *model, uint32_t mesh, bool **used) {
    for (uint32_t i = 0; i < model->partCount; i++) {
        if (model->parts[i].mesh == mesh) {
            memset(used[model->parts[i].skin], 1, model->skins[model->parts[i].skin].boneCount);
        }
    }
}

bool **modelUsedBones(const Model *model, const ModelMesh *meshes, EngineError *error) {
    size_t bones = 0;
    for (uint32_t i = 0; i < model->skinCount; i++) {
        bones += model->skins[i].boneCount;
    }
    bool **used = engineAllocate(1, (model->skinCount + 1) * sizeof(*used) + bones, error);
    bool *next = used ? (bool *)(used + model->skinCount + 1) : NULL;
    for (uint32_t i = 0; i < model->skinCount && used; i++) {
        used[i] = next;
        next += model->skins[i].boneCount;
    }
    for (uint32_t m = 0; m < model->meshCount && used; m++) {
        bool shared;
        const uint32_t skin = skinOf(model, m, &shared);
        if (shared) {
            useAll(model, m, used);
        }
        const size_t influences = (size_t)meshes[m].vertexCount * meshes[m].influences;
        for (size_t i = 0; i < influences && skin < model->skinCount; i++) {
            used[skin][meshes[m].joints[i]] = used[skin][meshes[m].joints[i]] || meshes[m].weights[i] > 0.0f;
        }
    }
    return used;
}

static uint32_t countNodes(const Model *model, bool *const *used, bool *nodes) {
    uint32_t count = 0;
    for (uint32_t s = 0; s < model->skinCount; s++) {
        for (uint32_t b = 0; b < model->skins[s].boneCount; b++) {
            bool *node = &nodes[model->skins[s].boneNodes[b]];
            count += used[s][b] && !*node;
            *node = *node || used[s][b];
        }
    }
    return count;
}

bool modelLevelMeshes(const Model *model, uint32_t level, ModelMesh *meshes, EngineError *error) {
    bool good = true;
    for (uint32_t i = 0; i < model->meshCount && good; i++) {
        good = modelLodMesh(model, i, level - 1, &meshes[i], error);
    }
    return good;
}

void modelFreeLevelMeshes(const Model *model, ModelMesh *meshes) {
    for (uint32_t i = 0; i < model->meshCount && meshes; i++) {
        modelFreeMesh(&meshes[i]);
    }
    free(meshes);
}

static void setNormal(ModelMesh *mesh, uint32_t first) {
    const float *a = &mesh->positions[3 * (size_t)first], *b = a + 3, *c = a + 6;
    float *normals = &mesh->normals[3 * (size_t)first], normal[3], squares = 0.0f;
    for (int i = 0; i < 3; i++) {
        const int y = (i + 1) % 3, z = (i + 2) % 3;
        normal[i] = (b[y] - a[y]) * (c[z] - a[z]) - (b[z] - a[z]) * (c[y] - a[y]);
        squares += normal[i] * normal[i];
    }
    for (int i = 0; i < 9 && squares > 0.0f; i++) {
        normals[i] = normal[i % 3] / sqrtf(squares);
    }
}

static bool flatten(ModelMesh *mesh) {
    const bool good = modelGatherVertices(mesh, mesh->indices, mesh->indexCount);
    for (uint32_t i = 0; i < mesh->indexCount && good; i++) {
        mesh->indices[i] = i;
        if (i % 3 == 0) {
            setNormal(mesh, i);
        }
    }
    return good;
}

bool modelShowLevel(Model *model, uint32_t level, EngineError *error) {
    for (uint32_t i = 0; i < model->meshCount; i++) {
        ModelMesh *mesh = &model->meshes[i], made = {0};
        if (!modelOwnMesh(model, mesh) || (level > 0 && !modelLodMesh(model, i, level - 1, &made, error))) {
            modelFreeMesh(&made);
            return engineFail(error, "out of memory");
        }
        if (level > 0) {
            modelFreeMesh(mesh);
            *mesh = made;
        }
        if (mesh->indexCount > 0 && !flatten(mesh)) {
            return engineFail(error, "out of memory");
        }
    }
    return true;
}

bool modelDescribeLevel(const Model *model, uint32_t level, ModelLevel *described, EngineError *error) {
    ModelMesh *made = engineAllocate(model->meshCount, sizeof(*made), error);
    bool *nodes = engineAllocate(model->nodeCount, sizeof(*nodes), error);
    bool good = made && nodes && (level == 0 || modelLevelMeshes(model, level, made, error));
    bool **used = good ? modelUsedBones(model, level == 0 ? model->meshes : made, error) : NULL;
    *described = (ModelLevel){.error = level > 0 ? modelLodError(model, level - 1) : 0.0};
    for (uint32_t i = 0; i < model->meshCount && used; i++) {
        const ModelMesh *mesh = level == 0 ? &model->meshes[i] : &made[i];
        described->vertices += mesh->vertexCount;
        described->triangles += mesh->indexCount / 3;
    }
    good = used != NULL;
    if (used) {
        described->bones = countNodes(model, used, nodes);
    }
    modelFreeLevelMeshes(model, made);
    free(nodes);
    free(used);
    return good;
}
