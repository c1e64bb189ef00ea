#include "gltf_primitive.h"

#include "child_memory.h"
#include "diagnostic.h"
#include "gltf_accessor.h"
#include "gltf_morph.h"
#include "influences.h"
#include "mesh_finish.h"
#include "mesh_normals.h"
#include "mesh_weld.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_SIZE 32
#define WHAT_SIZE 256

enum { MODE_LINES = 1, MODE_TRIANGLES = 4, MODE_STRIP = 5, MODE_FAN = 6 };

typedef struct Primitive {
    const GltfSource *source;
    const GltfPrimitive *from;
    ModelMesh *mesh;
} Primitive;

/* -1: none. */
static int findAttribute(const GltfPrimitive *primitive, const char *name) {
    return gltfFindAttribute(primitive->attributes, primitive->attributeCount, name);
}

bool gltfHasJoints(const GltfPrimitive *primitive) {
    return findAttribute(primitive, "JOINTS_0") >= 0;
}

static void describe(const Primitive *primitive, const char *name, char what[WHAT_SIZE]) {
    snprintf(what, WHAT_SIZE, "%s of mesh '%.100s'", name, primitive->mesh->name);
}

/* Every attribute has one element a vertex. */
static bool countMatches(const Primitive *primitive, int accessor, const char *what) {
    size_t count = gltfAccessorCount(primitive->source, accessor);
    if (count != primitive->mesh->vertexCount) {
        return diagnose(primitive->source->message, "%s: %s has %zu elements for %u vertices", primitive->source->path,
                        what, count, primitive->mesh->vertexCount);
    }
    return true;
}

/* An attribute that may be absent: *values stays null then. */
static bool readOptional(const Primitive *primitive, const char *name, int components, float **values) {
    int accessor = findAttribute(primitive->from, name);
    if (accessor < 0) {
        return true;
    }
    char what[WHAT_SIZE];
    describe(primitive, name, what);
    if (!countMatches(primitive, accessor, what)) {
        return false;
    }
    *values = gltfReadFloats(primitive->source, accessor, components, what);
    return *values != NULL;
}

/* The material whose texture reads the texture coordinates; null where none does. */
static const GltfMaterial *texturedMaterial(const Primitive *primitive) {
    int material = primitive->from->material;
    bool known = material >= 0 && (size_t)material < primitive->source->document->materialCount;
    const GltfMaterial *materials = primitive->source->document->materials;
    return known && materials[material].image != -1 ? &materials[material] : NULL;
}

/*
 * KHR_texture_transform: scale, then rotation, then offset. A positive angle turns the coordinates counter-clockwise as
 * the image shows them, with v downwards; the formula in the extension's text has v upwards, its test model does not.
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
    const GltfMaterial *material = texturedMaterial(primitive);
    char name[NAME_SIZE];
    snprintf(name, sizeof name, "TEXCOORD_%d", material ? material->texcoord : 0);
    if (!readOptional(primitive, name, 2, &primitive->mesh->texcoords)) {
        return false;
    }
    if (material) {
        transformTexcoords(material, primitive->mesh);
    }
    return true;
}

/* The names of attributes that the format does not know begin so. */
static bool readBlendWeights(const Primitive *primitive) {
    ModelMesh *mesh = primitive->mesh;
    if (!readOptional(primitive, "_BLEND", 1, &mesh->blendWeights)) {
        return false;
    }
    for (uint32_t v = 0; mesh->blendWeights && v < mesh->vertexCount; v++) {
        if (!(mesh->blendWeights[v] >= 0.0f && mesh->blendWeights[v] <= 1.0f)) {
            return diagnose(primitive->source->message, "%s: _BLEND of mesh '%s' is outside 0 to 1 at vertex %u",
                            primitive->source->path, mesh->name, v);
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

/* The primitive's corners in order; without indices 0, 1, 2 ... Null: the message is written. */
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
            diagnose(source->message, "%s: index %zu of mesh '%s' names vertex %u, but there are %u", source->path, i,
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
        return diagnose(primitive->source->message, "%s: mesh '%s' has too many triangles", primitive->source->path,
                        primitive->mesh->name);
    } else {
        writeTriangles(primitive, corners, count);
    }
    free(corners);
    return true;
}

/* ---- joints and weights ---- */

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

/* JOINTS_n and WEIGHTS_n, four influences a vertex. */
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
        good = diagnose(primitive->source->message, "%s: mesh '%s' has JOINTS_%d, but no WEIGHTS_%d",
                        primitive->source->path, primitive->mesh->name, set, set);
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

/* Without normals the specification asks for flat ones, and for tangents to be ignored; so too in morphs. */
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

bool gltfConvertPrimitive(const GltfSource *source, const GltfMesh *fromMesh, size_t index, bool skinned,
                          ModelMesh *mesh, bool *nodeBoneFirst) {
    const GltfPrimitive *from = &fromMesh->primitives[index];
    const Primitive primitive = {source, from, mesh};
    const Model *model = source->model;
    bool known = from->material >= 0 && (size_t)from->material < source->document->materialCount;
    mesh->name = childCopyText(fromMesh->name);
    mesh->material = known ? (uint32_t)from->material : model->materialCount - 1;
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
    if (!meshFinishAttributes(mesh, source->path, source->message)) {
        return false;
    }
    if (mesh->indexCount == 0) {
        return true;
    }
    if (!gltfReadMorphs(source, fromMesh, from, normalsGiven, mesh)) {
        return false;
    }
    if (!normalsGiven) {
        makeFlat(&primitive);
    }
    return true;
}
