#include "child_memory.h"
#include "diagnostic.h"
#include "finite.h"
#include "gltf_accessor.h"
#include "gltf_morph.h"
#include "gltf_primitive.h"
#include "gltf_source.h"
#include "parts.h"

#include <stdio.h>
#include <stdlib.h>

/* A primitive may be carried both with a skin and without: [0] rigid, [1] skinned. */
typedef struct Cache {
    ConvertedMesh (*entries)[2]; /* all primitives of all meshes */
    size_t *firsts;              /* [meshCount]: where a mesh's begin */
} Cache;

static Cache makeCache(const GltfDocument *document) {
    Cache cache = {.firsts = childAllocate(document->meshCount, sizeof(size_t))};
    size_t total = 0;
    for (size_t m = 0; m < document->meshCount; m++) {
        cache.firsts[m] = total;
        total += document->meshes[m].primitiveCount;
    }
    cache.entries = childAllocate(total, sizeof *cache.entries);
    return cache;
}

static void freeCache(Cache *cache) {
    free(cache->entries);
    free(cache->firsts);
}

/* glTF's matrices are column-major. */
static VkskinAffine affineFromColumns(const float columns[16]) {
    VkskinAffine affine;
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 4; column++) {
            affine.m[row][column] = columns[4 * column + row];
        }
    }
    return affine;
}

static bool readInverseBinds(const GltfSource *source, int index, const GltfSkin *skin, VkskinAffine *inverseBinds) {
    char what[64];
    snprintf(what, sizeof what, "inverseBindMatrices of skin %d", index);
    float *columns = gltfReadFloats(source, skin->inverseBinds, 16, what);
    if (!columns) {
        return false;
    }
    size_t count = gltfAccessorCount(source, skin->inverseBinds);
    bool good = true;
    if (count < skin->jointCount) {
        good = diagnose(source->message, "%s: skin %d has %zu joints, but %zu inverse bind matrices", source->path,
                        index, skin->jointCount, count);
    } else if (!finiteAll(columns, skin->jointCount * 16)) {
        good =
            diagnose(source->message, "%s: skin %d has an inverse bind matrix that is not finite", source->path, index);
    }
    for (size_t j = 0; good && j < skin->jointCount; j++) {
        inverseBinds[j] = affineFromColumns(columns + 16 * j);
    }
    free(columns);
    return good;
}

/* Fills `bones`, whose arrays stay the caller's also on failure. */
static bool makeBones(const GltfSource *source, int index, ModelSkin *bones) {
    const GltfDocument *document = source->document;
    if (index < 0 || (size_t)index >= document->skinCount) {
        return diagnose(source->message, "%s: a node names skin %d, but there are %zu", source->path, index,
                        document->skinCount);
    }
    const GltfSkin *skin = &document->skins[index];
    if (skin->jointCount == 0) {
        return diagnose(source->message, "%s: skin %d has no joints", source->path, index);
    }
    bones->boneCount = (uint32_t)skin->jointCount;
    bones->boneNodes = childAllocate(skin->jointCount, sizeof *bones->boneNodes);
    bones->inverseBinds = childAllocate(skin->jointCount, sizeof *bones->inverseBinds);
    for (size_t j = 0; j < skin->jointCount; j++) {
        if (skin->joints[j] < 0 || (size_t)skin->joints[j] >= document->nodeCount) {
            return diagnose(source->message, "%s: skin %d names node %d, but there are %zu", source->path, index,
                            skin->joints[j], document->nodeCount);
        }
        bones->boneNodes[j] = source->modelNodes[skin->joints[j]];
        bones->inverseBinds[j] = vkskinIdentityAffine();
    }
    return skin->inverseBinds < 0 || readInverseBinds(source, index, skin, bones->inverseBinds);
}

static bool convertOnce(const GltfSource *source, const GltfMesh *from, size_t primitive, bool skinned,
                        ConvertedMesh *converted) {
    if (converted->done) {
        return true;
    }
    ModelMesh *mesh = &source->model->meshes[source->model->meshCount];
    converted->done = true;
    converted->mesh = source->model->meshCount++;
    if (!gltfConvertPrimitive(source, from, primitive, skinned, mesh, &converted->nodeBoneFirst)) {
        return false;
    }
    if (mesh->indexCount == 0) {
        converted->empty = true;
        modelFreeMesh(mesh);
        source->model->meshCount--;
    }
    return true;
}

/* The part's bones: of the skin, or the node itself where skin is -1. */
static bool bonesFor(const GltfSource *source, uint32_t node, int skin, const ConvertedMesh *converted,
                     ModelSkin *bones) {
    if (skin < 0) {
        *bones = partsRigidBones(node);
        return true;
    }
    if (!makeBones(source, skin, bones)) {
        return false;
    }
    if (converted->nodeBoneFirst) {
        partsPrependNode(bones, node);
    }
    const ModelMesh *mesh = &source->model->meshes[converted->mesh];
    if (mesh->boneCount > bones->boneCount) {
        uint32_t shift = converted->nodeBoneFirst;
        return diagnose(source->message, "%s: mesh '%s' names joint %u, but skin %d has %u", source->path, mesh->name,
                        mesh->boneCount - 1 - shift, skin, bones->boneCount - shift);
    }
    return true;
}

/* A mesh on its way to one of the nodes that carry it. */
typedef struct Placing {
    const GltfSource *source;
    Parts *parts;
    Cache *cache;
    const GltfNode *node;
    const GltfMesh *mesh;
    uint32_t modelNode;
    float *morphWeights; /* at rest; null: all 0 */
} Placing;

static bool placePrimitive(const Placing *placing, size_t primitive) {
    const GltfSource *source = placing->source;
    const GltfNode *node = placing->node;
    bool skinned = node->skin >= 0 && gltfHasJoints(&placing->mesh->primitives[primitive]);
    ConvertedMesh *converted = &placing->cache->entries[placing->cache->firsts[node->mesh] + primitive][skinned];
    if (!convertOnce(source, placing->mesh, primitive, skinned, converted)) {
        return false;
    }
    if (converted->empty) {
        return true;
    }
    ModelSkin bones = {0};
    if (!bonesFor(source, placing->modelNode, skinned ? node->skin : -1, converted, &bones)) {
        free(bones.boneNodes);
        free(bones.inverseBinds);
        return false;
    }
    partsAdd(placing->parts, converted->mesh, placing->modelNode, bones, placing->morphWeights);
    return true;
}

static bool placeMesh(const GltfSource *source, Parts *parts, Cache *cache, const GltfNode *node, uint32_t modelNode) {
    const GltfMesh *mesh = &source->document->meshes[node->mesh];
    Placing placing = {source, parts, cache, node, mesh, modelNode, NULL};
    bool good = gltfReadRestWeights(source, node, mesh, &placing.morphWeights);
    for (size_t p = 0; good && p < mesh->primitiveCount; p++) {
        good = placePrimitive(&placing, p);
    }
    free(placing.morphWeights);
    return good;
}

/* True where the node is in the scene and carries a mesh. */
static bool carries(const GltfSource *source, size_t node) {
    return source->document->nodes[node].mesh >= 0 && source->shown[source->modelNodes[node]];
}

static bool countPlaces(const GltfSource *source, uint32_t *count) {
    const GltfDocument *document = source->document;
    *count = 0;
    for (size_t n = 0; n < document->nodeCount; n++) {
        int mesh = document->nodes[n].mesh;
        if (!carries(source, n)) {
            continue;
        }
        if ((size_t)mesh >= document->meshCount) {
            return diagnose(source->message, "%s: node %zu names mesh %d, but there are %zu", source->path, n, mesh,
                            document->meshCount);
        }
        *count += (uint32_t)document->meshes[mesh].primitiveCount;
    }
    return true;
}

bool gltfConvertMeshes(const GltfSource *source) {
    uint32_t capacity;
    if (!countPlaces(source, &capacity)) {
        return false;
    }
    Parts parts = partsBegin(source->model, capacity);
    Cache cache = makeCache(source->document);
    bool good = true;
    for (size_t n = 0; good && n < source->document->nodeCount; n++) {
        if (carries(source, n)) {
            good = placeMesh(source, &parts, &cache, &source->document->nodes[n], source->modelNodes[n]);
        }
    }
    freeCache(&cache);
    partsEnd(&parts);
    if (good && source->model->partCount == 0) {
        good = diagnose(source->message, "%s: no meshes", source->path);
    }
    return good;
}
