#include "gltf.h"

#include "child.h"
#include "mesh_finish.h"
#include "parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_SIZE 32
#define WHAT_SIZE 256

/* ---- Attributes and triangles ---- */

enum { MODE_LINES = 1, MODE_TRIANGLES = 4, MODE_STRIP = 5, MODE_FAN = 6 };

/* A primitive on its way into a mesh of the model. */
typedef struct Primitive {
    const GltfSource *source;
    const GltfMesh *fromMesh;
    const GltfPrimitive *from;
    ModelMesh *mesh;
} Primitive;

/* -1: absent. */
static int findAttribute(const GltfPrimitive *primitive, const char *name) {
    return gltfFindAttribute(primitive->attributes, primitive->attributeCount, name);
}

static void describe(const Primitive *primitive, const char *name, char what[WHAT_SIZE]) {
    snprintf(what, WHAT_SIZE, "%s of mesh '%.100s'", name, primitive->mesh->name);
}

/* Null where the primitive names no material, or one that does not exist. */
static const GltfMaterial *materialOf(const Primitive *primitive) {
    const GltfDocument *document = primitive->source->document;
    int material = primitive->from->material;
    return material >= 0 && (size_t)material < document->materialCount ? &document->materials[material] : NULL;
}

/* Every attribute has one element per vertex. */
static bool countMatches(const Primitive *primitive, int accessor, const char *what) {
    size_t count = gltfAccessorCount(primitive->source, accessor);
    if (count != primitive->mesh->vertexCount) {
        return engineFail(primitive->source->error, "%s has %zu elements for %u vertices", what, count,
                          primitive->mesh->vertexCount);
    }
    return true;
}

/* *values stays null where the attribute is absent: accessor -1. */
static bool readPerVertex(const Primitive *primitive, int accessor, int components, const char *what, float **values) {
    if (accessor < 0) {
        return true;
    }
    if (!countMatches(primitive, accessor, what)) {
        return false;
    }
    *values = gltfReadFloats(primitive->source, accessor, components, what);
    return *values != NULL;
}

static bool readOptional(const Primitive *primitive, const char *name, int components, float **values) {
    char what[WHAT_SIZE];
    describe(primitive, name, what);
    return readPerVertex(primitive, findAttribute(primitive->from, name), components, what, values);
}

/*
 * KHR_texture_transform: scale, then rotation, then offset. A positive angle rotates the coordinates counter-clockwise
 * as the image shows them, with v downwards. The extension's formula has v upwards; its test model has v downwards.
 */
static void transformTexcoords(const GltfMaterial *material, ModelMesh *mesh) {
    double c = cos(material->rotation), s = sin(material->rotation);
    bool changed = material->rotation != 0.0 || material->offset[0] != 0.0 || material->offset[1] != 0.0 ||
                   material->scale[0] != 1.0 || material->scale[1] != 1.0;
    for (size_t i = 0; changed && mesh->texcoords && i < mesh->vertexCount; i++) {
        float *texcoord = mesh->texcoords + 2 * i;
        double u = texcoord[0] * material->scale[0], v = texcoord[1] * material->scale[1];
        texcoord[0] = (float)(c * u + s * v + material->offset[0]);
        texcoord[1] = (float)(c * v - s * u + material->offset[1]);
    }
}

static bool readTexcoords(const Primitive *primitive) {
    const GltfMaterial *material = materialOf(primitive);
    bool textured = material && material->image != -1;
    char name[NAME_SIZE];
    snprintf(name, sizeof name, "TEXCOORD_%d", textured ? material->texcoord : 0);
    if (!readOptional(primitive, name, 2, &primitive->mesh->texcoords)) {
        return false;
    }
    if (textured) {
        transformTexcoords(material, primitive->mesh);
    }
    return true;
}

/* The names of application-specific attributes begin with an underscore. */
static bool readBlendWeights(const Primitive *primitive) {
    ModelMesh *mesh = primitive->mesh;
    if (!readOptional(primitive, "_BLEND", 1, &mesh->blendWeights)) {
        return false;
    }
    for (uint32_t v = 0; mesh->blendWeights && v < mesh->vertexCount; v++) {
        if (!(mesh->blendWeights[v] >= 0.0f && mesh->blendWeights[v] <= 1.0f)) {
            return engineFail(primitive->source->error, "_BLEND of mesh '%s' is outside 0 to 1 at vertex %u",
                              mesh->name, v);
        }
    }
    return true;
}

static bool readAttributes(const Primitive *primitive) {
    ModelMesh *mesh = primitive->mesh;
    int accessor = findAttribute(primitive->from, "POSITION");
    char what[WHAT_SIZE];
    describe(primitive, "POSITION", what);
    mesh->positions = gltfReadFloats(primitive->source, accessor, 3, what);
    if (!mesh->positions) {
        return false;
    }
    mesh->vertexCount = (uint32_t)gltfAccessorCount(primitive->source, accessor);
    return readOptional(primitive, "NORMAL", 3, &mesh->normals) &&
           readOptional(primitive, "TANGENT", 4, &mesh->tangents) && readTexcoords(primitive) &&
           readBlendWeights(primitive);
}

/* The vertices of the primitive's corners in order; 0, 1, 2 ... without indices. Null: source->error is written. */
static uint32_t *readCorners(const Primitive *primitive, size_t *count) {
    const GltfSource *source = primitive->source;
    uint32_t vertexCount = primitive->mesh->vertexCount;
    uint32_t *corners = NULL;
    if (primitive->from->indices < 0) {
        *count = vertexCount;
        corners = childAllocate(*count, sizeof *corners);
        for (uint32_t i = 0; i < vertexCount; i++) {
            corners[i] = i;
        }
        return corners;
    }
    char what[WHAT_SIZE];
    describe(primitive, "indices", what);
    corners = gltfReadUnsigned(source, primitive->from->indices, 1, what);
    *count = corners ? gltfAccessorCount(source, primitive->from->indices) : 0;
    for (size_t i = 0; i < *count; i++) {
        if (corners[i] >= vertexCount) {
            engineFail(source->error, "index %zu of mesh '%s' names vertex %u, but there are %u", i,
                       primitive->mesh->name, corners[i], vertexCount);
            free(corners);
            return NULL;
        }
    }
    return corners;
}

static void writeTriangles(const Primitive *primitive, const uint32_t *corners, size_t count) {
    ModelMesh *mesh = primitive->mesh;
    int mode = primitive->from->mode;
    size_t triangles = mode == MODE_TRIANGLES ? count / 3 : (count >= 3 ? count - 2 : 0);
    mesh->indices = childAllocate(triangles, 3 * sizeof *mesh->indices);
    for (size_t t = 0; t < triangles; t++) {
        /* As the specification orders them: section 3.7.2.1. */
        size_t first[3] = {3 * t, 3 * t + 1, 3 * t + 2};
        if (mode == MODE_STRIP) {
            first[0] = t;
            first[1] = t + 1 + t % 2;
            first[2] = t + 2 - t % 2;
        } else if (mode == MODE_FAN) {
            first[0] = t + 1;
            first[1] = t + 2;
            first[2] = 0;
        }
        for (int c = 0; c < 3; c++) {
            mesh->indices[mesh->indexCount++] = corners[first[c]];
        }
    }
}

static bool readTriangles(const Primitive *primitive) {
    size_t count = 0;
    uint32_t *corners = readCorners(primitive, &count);
    if (!corners) {
        return false;
    }
    int mode = primitive->from->mode;
    if (mode < MODE_TRIANGLES) {
        primitive->source->model->repairs.trianglesDropped += (uint32_t)(mode == MODE_LINES ? count / 2 : count);
    } else if (count > UINT32_MAX / 3) {
        free(corners);
        return engineFail(primitive->source->error, "mesh '%s' has too many triangles", primitive->mesh->name);
    } else {
        writeTriangles(primitive, corners, count);
    }
    free(corners);
    return true;
}

/* ---- Joints and weights ---- */

typedef struct InfluenceList {
    Influence *items;
    size_t count;
} InfluenceList;

static void appendSet(InfluenceList *list, uint32_t vertexCount, const uint32_t *joints, const float *weights) {
    size_t total = list->count + 4 * (size_t)vertexCount;
    Influence *items = childAllocate(total, sizeof *items);
    memcpy(items, list->items, list->count * sizeof *items);
    free(list->items);
    list->items = items;
    for (size_t i = 0; i < 4 * (size_t)vertexCount; i++) {
        list->items[list->count++] = (Influence){(uint32_t)(i / 4), joints[i], weights[i]};
    }
}

/* JOINTS_n and WEIGHTS_n: four influences per vertex. */
static bool readSet(const Primitive *primitive, int set, int jointAccessor, InfluenceList *list) {
    char name[NAME_SIZE], what[WHAT_SIZE];
    snprintf(name, sizeof name, "JOINTS_%d", set);
    describe(primitive, name, what);
    uint32_t *joints = NULL;
    if (countMatches(primitive, jointAccessor, what)) {
        joints = gltfReadUnsigned(primitive->source, jointAccessor, 4, what);
    }
    float *weights = NULL;
    snprintf(name, sizeof name, "WEIGHTS_%d", set);
    bool good = joints && readOptional(primitive, name, 4, &weights);
    if (good && weights) {
        appendSet(list, primitive->mesh->vertexCount, joints, weights);
    } else if (good) {
        good = engineFail(primitive->source->error, "mesh '%s' has JOINTS_%d, but no WEIGHTS_%d", primitive->mesh->name,
                          set, set);
    }
    free(joints);
    free(weights);
    return good;
}

static bool readInfluences(const Primitive *primitive, bool *nodeBoneFirst) {
    InfluenceList list = {childAllocate(0, sizeof(Influence)), 0};
    bool good = true;
    for (int set = 0; good; set++) {
        char name[NAME_SIZE];
        snprintf(name, sizeof name, "JOINTS_%d", set);
        int accessor = findAttribute(primitive->from, name);
        if (accessor < 0) {
            break;
        }
        good = readSet(primitive, set, accessor, &list);
    }
    if (good) {
        *nodeBoneFirst = influencesPack(primitive->mesh, list.items, list.count, &primitive->source->model->repairs);
    }
    free(list.items);
    return good;
}

/* ---- Morph targets ---- */

size_t gltfTargetCount(const GltfMesh *mesh) {
    return mesh->primitiveCount > 0 ? mesh->primitives[0].targetCount : 0;
}

/* Elements of deltas have 3 numbers, those of tangents too. *deltas stays null where the target has none. */
static bool readDeltas(const Primitive *primitive, size_t target, const char *name, float **deltas) {
    const GltfTarget *from = &primitive->from->targets[target];
    int accessor = gltfFindAttribute(from->attributes, from->attributeCount, name);
    char what[WHAT_SIZE];
    snprintf(what, sizeof what, "%s of target %zu of mesh '%.100s'", name, target, primitive->mesh->name);
    bool good = readPerVertex(primitive, accessor, 3, what, deltas);
    for (uint32_t v = 0; *deltas && v < primitive->mesh->vertexCount; v++) {
        if (!finiteAll(*deltas + 3 * (size_t)v, 3)) {
            return engineFail(primitive->source->error, "%s is not finite at vertex %u", what, v);
        }
    }
    return good;
}

static bool readTarget(const Primitive *primitive, size_t target, bool normals, ModelMorph *morph) {
    float *positions = NULL, *normalDeltas = NULL, *tangents = NULL;
    bool good = readDeltas(primitive, target, "POSITION", &positions) &&
                (!normals || readDeltas(primitive, target, "NORMAL", &normalDeltas)) &&
                (!normals || !primitive->mesh->tangents || readDeltas(primitive, target, "TANGENT", &tangents));
    if (good) {
        morphSetSparse(morph, primitive->mesh->vertexCount, (MorphDeltas){positions, normalDeltas, tangents});
    }
    free(positions);
    free(normalDeltas);
    free(tangents);
    return good;
}

static char *targetName(const GltfMesh *mesh, size_t index) {
    char number[32];
    snprintf(number, sizeof number, "target %zu", index);
    bool named = index < mesh->targetNameCount && mesh->targetNames[index][0];
    return childCopyText(named ? mesh->targetNames[index] : number);
}

/*
 * Reads the deltas of positions. Reads those of normals if `normals` is set, and then those of tangents if the mesh has
 * tangents. Ignores those of texture coordinates and colours.
 */
static bool readMorphs(const Primitive *primitive, bool normals) {
    ModelMesh *mesh = primitive->mesh;
    mesh->morphs = childAllocate(primitive->from->targetCount, sizeof *mesh->morphs);
    for (size_t t = 0; t < primitive->from->targetCount; t++) {
        ModelMorph *morph = &mesh->morphs[mesh->morphCount++];
        morph->name = targetName(primitive->fromMesh, t);
        if (!readTarget(primitive, t, normals, morph)) {
            return false;
        }
    }
    return true;
}

/* ---- Primitives ---- */

/* Without normals the specification requires flat normals and no tangents, in morphs too. */
static void makeFlat(const Primitive *primitive) {
    ModelMesh *mesh = primitive->mesh;
    primitive->source->model->repairs.normalsComputed++;
    free(mesh->tangents);
    mesh->tangents = NULL;
    meshSplit(mesh);
    meshComputeNormals(mesh);
    meshComputeMorphNormals(mesh);
    meshWeld(mesh);
}

/*
 * Converts primitive `index` of a mesh to *mesh, which is zeroed and stays the caller's, on failure too. skinned: joints
 * and weights are read, where the primitive has them; else every vertex follows joint 0. *nodeBoneFirst: see
 * influencesPack. A primitive without triangles or without positions leaves indexCount 0.
 */
static bool convertPrimitive(const GltfSource *source, const GltfMesh *fromMesh, size_t index, bool skinned,
                             ModelMesh *mesh, bool *nodeBoneFirst) {
    const GltfPrimitive *from = &fromMesh->primitives[index];
    const Primitive primitive = {source, fromMesh, from, mesh};
    const Model *model = source->model;
    mesh->name = childCopyText(fromMesh->name);
    mesh->material = materialOf(&primitive) ? (uint32_t)from->material : model->materialCount - 1;
    if (findAttribute(from, "POSITION") < 0) {
        return true;
    }
    if (!readAttributes(&primitive) || !readTriangles(&primitive)) {
        return false;
    }
    if (skinned && !readInfluences(&primitive, nodeBoneFirst)) {
        return false;
    }
    if (!skinned) {
        influencesRigid(mesh);
    }
    bool normalsGiven = mesh->normals != NULL;
    if (!meshFinishAttributes(mesh, source->error)) {
        return false;
    }
    if (mesh->indexCount == 0) {
        return true;
    }
    if (!readMorphs(&primitive, normalsGiven)) {
        return false;
    }
    if (!normalsGiven) {
        makeFlat(&primitive);
    }
    return true;
}

/* ---- Parts ---- */

/* All primitives of a mesh have the same weights. */
static bool countsAgree(const GltfSource *source, const GltfMesh *mesh) {
    for (size_t p = 1; p < mesh->primitiveCount; p++) {
        if (mesh->primitives[p].targetCount != gltfTargetCount(mesh)) {
            return engineFail(source->error, "mesh '%s' has primitives of %zu and of %zu morph targets", mesh->name,
                              gltfTargetCount(mesh), mesh->primitives[p].targetCount);
        }
    }
    return true;
}

/*
 * The weights at rest of a mesh that `node` carries: the node's own, else the mesh's. *weights: [gltfTargetCount(mesh)],
 * to be freed, or null where neither has any.
 */
static bool readRestWeights(const GltfSource *source, const GltfNode *node, const GltfMesh *mesh, float **weights) {
    const bool own = node->weightCount > 0;
    const double *given = own ? node->weights : mesh->weights;
    size_t count = own ? node->weightCount : mesh->weightCount, targets = gltfTargetCount(mesh);
    *weights = NULL;
    if (!countsAgree(source, mesh)) {
        return false;
    }
    if (count == 0) {
        return true;
    }
    if (count != targets) {
        return engineFail(source->error, "%s '%s' has %zu morph weights for %zu targets", own ? "node" : "mesh",
                          own ? node->name : mesh->name, count, targets);
    }
    *weights = childAllocate(count, sizeof **weights);
    for (size_t i = 0; i < count; i++) {
        (*weights)[i] = (float)given[i];
    }
    if (!finiteAll(*weights, count)) {
        free(*weights);
        *weights = NULL;
        return engineFail(source->error, "%s '%s' has a morph weight that is not finite", own ? "node" : "mesh",
                          own ? node->name : mesh->name);
    }
    return true;
}

/* Converted primitives. Nodes may carry a primitive with and without a skin: [0] rigid, [1] skinned. */
typedef struct Cache {
    ConvertedMesh (*entries)[2]; /* of all primitives of all meshes */
    size_t *firsts;              /* [meshCount]: the first entry of each mesh */
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
        good = engineFail(source->error, "skin %d has %zu joints, but %zu inverse bind matrices", index,
                          skin->jointCount, count);
    } else if (!finiteAll(columns, skin->jointCount * 16)) {
        good = engineFail(source->error, "skin %d has an inverse bind matrix that is not finite", index);
    }
    for (size_t j = 0; good && j < skin->jointCount; j++) {
        inverseBinds[j] = affineFromColumns(columns + 16 * j);
    }
    free(columns);
    return good;
}

/* Fills `bones`. The caller owns its arrays, on failure too. */
static bool makeBones(const GltfSource *source, int index, ModelSkin *bones) {
    const GltfDocument *document = source->document;
    if (index < 0 || (size_t)index >= document->skinCount) {
        return engineFail(source->error, "a node names skin %d, but there are %zu", index, document->skinCount);
    }
    const GltfSkin *skin = &document->skins[index];
    if (skin->jointCount == 0) {
        return engineFail(source->error, "skin %d has no joints", index);
    }
    bones->boneCount = (uint32_t)skin->jointCount;
    bones->boneNodes = childAllocate(skin->jointCount, sizeof *bones->boneNodes);
    bones->inverseBinds = childAllocate(skin->jointCount, sizeof *bones->inverseBinds);
    for (size_t j = 0; j < skin->jointCount; j++) {
        if (skin->joints[j] < 0 || (size_t)skin->joints[j] >= document->nodeCount) {
            return engineFail(source->error, "skin %d names node %d, but there are %zu", index, skin->joints[j],
                              document->nodeCount);
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
    ModelMesh *mesh = partsBeginMesh(source->model, converted);
    bool good = convertPrimitive(source, from, primitive, skinned, mesh, &converted->nodeBoneFirst);
    partsEndMesh(source->model, converted);
    return good;
}

/* The part's bones: those of the skin; the node itself where skin is -1. */
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
        return engineFail(source->error, "mesh '%s' names joint %u, but skin %d has %u", mesh->name,
                          mesh->boneCount - 1 - shift, skin, bones->boneCount - shift);
    }
    return true;
}

/* A mesh and one of the nodes that carry it. */
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
    bool skinned = node->skin >= 0 && findAttribute(&placing->mesh->primitives[primitive], "JOINTS_0") >= 0;
    ConvertedMesh *converted = &placing->cache->entries[placing->cache->firsts[node->mesh] + primitive][skinned];
    if (!convertOnce(source, placing->mesh, primitive, skinned, converted)) {
        return false;
    }
    if (converted->empty) {
        return true;
    }
    ModelSkin bones = {0};
    if (!bonesFor(source, placing->modelNode, skinned ? node->skin : -1, converted, &bones)) {
        partsFreeBones(&bones);
        return false;
    }
    partsAdd(placing->parts, converted->mesh, placing->modelNode, bones, placing->morphWeights);
    return true;
}

static bool placeMesh(const GltfSource *source, Parts *parts, Cache *cache, const GltfNode *node, uint32_t modelNode) {
    const GltfMesh *mesh = &source->document->meshes[node->mesh];
    Placing placing = {source, parts, cache, node, mesh, modelNode, NULL};
    bool good = readRestWeights(source, node, mesh, &placing.morphWeights);
    for (size_t p = 0; good && p < mesh->primitiveCount; p++) {
        good = placePrimitive(&placing, p);
    }
    free(placing.morphWeights);
    return good;
}

/* Whether the node is in the scene and carries a mesh. */
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
            return engineFail(source->error, "node %zu names mesh %d, but there are %zu", n, mesh, document->meshCount);
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
    return good;
}
