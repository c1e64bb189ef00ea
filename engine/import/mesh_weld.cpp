/* Joins and splits vertices: see mesh_finish.h. */
#include "parser.h"

extern "C" {
#include "model_fields.h"
#include "model_mesh.h"
}

#include <string_view>
#include <unordered_map>
#include <vector>

namespace {

/*
 * A key for each vertex: the bytes of its row in every array of the mesh, then of its rows in the morphs that move it.
 * Keys are equal where the vertices are.
 */
using Keys = std::vector<std::string>;

/* Appends each array that has a row for each vertex in vertices[count]; vertices null: 0, 1, 2 ... */
void appendRows(Keys &keys, const ModelStruct &type, const void *object, size_t counter, const uint32_t *vertices,
                uint32_t count) {
    for (size_t f = 0; f < type.fieldCount; f++) {
        const ModelField &field = type.fields[f];
        bool perVertex = field.kind == MODEL_ARRAY && field.count == counter;
        const void *pointer = perVertex ? modelFieldPointer(object, &field) : nullptr;
        const char *rows = static_cast<const char *>(pointer);
        size_t stride = rows ? modelFieldStride(object, &field) : 0;
        for (uint32_t i = 0; rows && pointer != vertices && i < count; i++) {
            keys[vertices ? vertices[i] : i].append(rows + i * stride, stride);
        }
    }
}

Keys makeKeys(const ModelMesh &mesh) {
    Keys keys(mesh.vertexCount);
    appendRows(keys, modelMeshStruct, &mesh, offsetof(ModelMesh, vertexCount), nullptr, mesh.vertexCount);
    for (uint32_t m = 0; m < mesh.morphCount; m++) {
        const ModelMorph &morph = mesh.morphs[m];
        for (uint32_t i = 0; i < morph.vertexCount; i++) {
            keys[morph.vertices[i]].append(reinterpret_cast<const char *>(&m), sizeof m);
        }
        appendRows(keys, modelMorphStruct, &morph, offsetof(ModelMorph, vertexCount), morph.vertices,
                   morph.vertexCount);
    }
    return keys;
}

void gather(ModelMesh *mesh, const uint32_t *origins, size_t count) {
    if (!modelGatherVertices(mesh, origins, uint32_t(count))) {
        childOutOfMemory();
    }
}

} // namespace

void meshSplit(ModelMesh *mesh) {
    gather(mesh, mesh->indices, mesh->indexCount);
    for (uint32_t i = 0; i < mesh->indexCount; i++) {
        mesh->indices[i] = i;
    }
}

void meshWeld(ModelMesh *mesh) {
    const Keys keys = makeKeys(*mesh);
    std::unordered_map<std::string_view, uint32_t> kept;
    std::vector<uint32_t> origins, newIndices(mesh->vertexCount); /* origins: the vertex that each kept one was */
    std::vector<bool> used(mesh->vertexCount);
    for (uint32_t i = 0; i < mesh->indexCount; i++) {
        used[mesh->indices[i]] = true;
    }
    for (uint32_t v = 0; v < mesh->vertexCount; v++) {
        if (used[v]) {
            auto [found, added] = kept.emplace(keys[v], uint32_t(origins.size()));
            newIndices[v] = found->second;
            if (added) {
                origins.push_back(v);
            }
        }
    }
    gather(mesh, origins.data(), origins.size());
    for (uint32_t i = 0; i < mesh->indexCount; i++) {
        mesh->indices[i] = newIndices[mesh->indices[i]];
    }
}
