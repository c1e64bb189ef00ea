#include "weight_faults.h"

#include <stdlib.h>

#include "model_mesh.h"

#define EDGES_MAX                                                                                                      \
    128u /* neighbours of a vertex, twice for each triangle: one with more supports its neighbours, so that the work is linear */

typedef struct Web {
    const Model *model;
    const ModelSkin *skin;
    const ModelMesh *mesh;
    uint32_t *places; /* [vertexCount]: the first vertex at the same place */
    uint32_t *starts; /* [vertexCount + 1]: the edges of each place in `ends` */
    uint32_t *ends;   /* [2 x indexCount]: places at the other end */
} Web;

uint32_t heaviestInfluence(const ModelMesh *mesh, uint32_t vertex) {
    const float *weights = &mesh->weights[(size_t)mesh->influences * vertex];
    uint32_t heaviest = 0;
    for (uint32_t i = 1; i < mesh->influences; i++) {
        heaviest = weights[i] > weights[heaviest] ? i : heaviest;
    }
    return heaviest;
}

/* ---- Edges ---- */

/* Both directions of each side of each triangle. */
static void joinPlaces(Web *web) {
    const ModelMesh *mesh = web->mesh;
    for (uint32_t i = 0; i < mesh->indexCount; i++) {
        web->starts[web->places[mesh->indices[i]]] += 2;
    }
    for (uint32_t i = 1; i <= mesh->vertexCount; i++) {
        web->starts[i] += web->starts[i - 1];
    }
    for (uint32_t i = 0; i < mesh->indexCount; i++) { /* from the end of each place's edges to their start */
        const uint32_t first = i - i % 3, at = web->places[mesh->indices[i]];
        for (uint32_t other = 1; other < 3; other++) {
            web->ends[--web->starts[at]] = web->places[mesh->indices[first + (i + other) % 3]];
        }
    }
}

/* ---- Bones ---- */

/* Whether one is the other, or its parent. */
static bool areRelatives(const Web *web, uint32_t a, uint32_t b) {
    const uint32_t left = web->skin->boneNodes[a], right = web->skin->boneNodes[b];
    return left == right || web->model->nodes[left].parent == (int32_t)right ||
           web->model->nodes[right].parent == (int32_t)left;
}

static bool hasRelative(const Web *web, uint32_t vertex, uint32_t joint) {
    const ModelMesh *mesh = web->mesh;
    bool found = false;
    for (size_t i = (size_t)mesh->influences * vertex; i < (size_t)mesh->influences * (vertex + 1) && !found; i++) {
        found = mesh->weights[i] > 0.0f && areRelatives(web, mesh->joints[i], joint);
    }
    return found;
}

/* Whether a place within so many edges of `from` supports the bone of the place `self`. */
static bool isSupported(const Web *web, uint32_t self, uint32_t from, uint32_t joint, uint32_t edges) {
    const uint32_t begin = web->starts[from], end = web->starts[from + 1];
    bool found = end - begin > EDGES_MAX;
    for (uint32_t i = begin; i < end && !found; i++) {
        const uint32_t place = web->ends[i];
        found = place != self && hasRelative(web, place, joint);
    }
    for (uint32_t i = begin; i < end && edges > 1 && !found; i++) {
        found = isSupported(web, self, web->ends[i], joint, edges - 1);
    }
    return found;
}

bool findWeightFaults(const Model *model, const ModelPart *part, uint8_t *marks, EngineError *error) {
    const ModelMesh *mesh = &model->meshes[part->mesh];
    Web web = {.model = model, .skin = &model->skins[part->skin], .mesh = mesh};
    web.places = engineAllocate(mesh->vertexCount, sizeof(*web.places), error);
    web.starts = engineAllocate((size_t)mesh->vertexCount + 1, sizeof(*web.starts), error);
    web.ends = engineAllocate(mesh->indexCount, 2 * sizeof(*web.ends), error);
    const bool good =
        web.places && web.starts && web.ends && modelFindPlaces(mesh->positions, mesh->vertexCount, web.places, error);
    if (good) {
        joinPlaces(&web);
    }
    for (uint32_t vertex = 0; vertex < mesh->vertexCount && good; vertex++) {
        const uint32_t place = web.places[vertex];
        const uint32_t joint = mesh->joints[(size_t)mesh->influences * vertex + heaviestInfluence(mesh, vertex)];
        const bool alone = web.starts[place] == web.starts[place + 1];
        marks[vertex] = !alone && !isSupported(&web, place, place, joint, 2);
    }
    free(web.places);
    free(web.starts);
    free(web.ends);
    return good;
}
