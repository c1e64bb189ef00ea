#include "mesh_finish.h"

#include "diagnostic.h"
#include "finite.h"
#include "mesh_normals.h"

#include <stdlib.h>

static void dropUnlessFinite(float **values, size_t count) {
    if (*values && !finiteAll(*values, count)) {
        free(*values);
        *values = NULL;
    }
}

bool meshFinishAttributes(ModelMesh *mesh, const char *path, char *message) {
    for (uint32_t v = 0; v < mesh->vertexCount; v++) {
        if (!finiteAll(mesh->positions + 3 * (size_t)v, 3)) {
            return diagnose(message, "%s: vertex %u of mesh '%s' is not finite", path, v, mesh->name);
        }
    }
    dropUnlessFinite(&mesh->texcoords, (size_t)mesh->vertexCount * 2);
    dropUnlessFinite(&mesh->tangents, (size_t)mesh->vertexCount * 4);
    meshRepairNormals(mesh);
    return true;
}
