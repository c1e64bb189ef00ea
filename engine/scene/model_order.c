#include "model_order.h"

#include <stdlib.h>

#include "model_gather.h"
#include "model_surface.h"

/* order: the old vertex of each new one. places: room for the new vertex of each old one. */
static bool reorder(ModelMesh *mesh, const uint32_t *order, uint32_t *places) {
    for (uint32_t v = 0; v < mesh->vertexCount; v++) {
        places[order[v]] = v;
    }
    for (uint32_t i = 0; i < mesh->indexCount; i++) {
        mesh->indices[i] = places[mesh->indices[i]];
    }
    return modelGatherVertices(mesh, order, mesh->vertexCount);
}

static bool sortMesh(ModelMesh *mesh) {
    uint32_t *order = malloc(((size_t)mesh->vertexCount + 1) * sizeof(*order));
    uint32_t *places = malloc(((size_t)mesh->vertexCount + 1) * sizeof(*places));
    bool good = order && places;
    if (good) {
        VkskinMeshDef def = meshDefOfModel(mesh);
        VkskinResult result = vkskinSortVertices(&def, NULL, order);
        good = result != VKSKIN_ERROR_OUT_OF_HOST_MEMORY && (result < 0 || reorder(mesh, order, places));
    }
    free(order);
    free(places);
    return good;
}

bool modelSortVertices(Model *model, EngineError *error) {
    for (uint32_t i = 0; i < model->meshCount; i++) {
        if (!sortMesh(&model->meshes[i])) {
            return engineFail(error, "out of memory");
        }
    }
    return true;
}
