#include "gltf_morph.h"

#include "child_memory.h"
#include "diagnostic.h"
#include "finite.h"
#include "gltf_accessor.h"
#include "morph_sparse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WHAT_SIZE 256

/* One target on its way into a mesh. */
typedef struct Target {
    const GltfSource *source;
    const GltfTarget *from;
    const ModelMesh *mesh;
    size_t index;
} Target;

size_t gltfTargetCount(const GltfMesh *mesh) {
    return mesh->primitiveCount > 0 ? mesh->primitives[0].targetCount : 0;
}

/* The format has as many numbers in an element here as a vector has axes, tangents too. Null: absent, or at fault. */
static bool readDeltas(const Target *target, const char *name, float **deltas) {
    int accessor = gltfFindAttribute(target->from->attributes, target->from->attributeCount, name);
    const GltfSource *source = target->source;
    uint32_t vertexCount = target->mesh->vertexCount;
    *deltas = NULL;
    if (accessor < 0) {
        return true;
    }
    char what[WHAT_SIZE];
    snprintf(what, sizeof what, "%s of target %zu of mesh '%.100s'", name, target->index, target->mesh->name);
    size_t count = gltfAccessorCount(source, accessor);
    if (count != vertexCount) {
        return diagnose(source->message, "%s: %s has %zu elements for %u vertices", source->path, what, count,
                        vertexCount);
    }
    *deltas = gltfReadFloats(source, accessor, 3, what);
    for (uint32_t v = 0; *deltas && v < vertexCount; v++) {
        if (!finiteAll(*deltas + 3 * (size_t)v, 3)) {
            return diagnose(source->message, "%s: %s is not finite at vertex %u", source->path, what, v);
        }
    }
    return *deltas != NULL;
}

static bool readTarget(const Target *target, bool normals, ModelMorph *morph) {
    float *positions = NULL, *turns = NULL, *tangents = NULL;
    bool good = readDeltas(target, "POSITION", &positions) && (!normals || readDeltas(target, "NORMAL", &turns)) &&
                (!normals || !target->mesh->tangents || readDeltas(target, "TANGENT", &tangents));
    if (good) {
        morphSetSparse(morph, target->mesh->vertexCount, (MorphDeltas){positions, turns, tangents});
    }
    free(positions);
    free(turns);
    free(tangents);
    return good;
}

static char *targetName(const GltfMesh *mesh, size_t index) {
    char number[32];
    snprintf(number, sizeof number, "target %zu", index);
    bool named = index < mesh->targetNameCount && mesh->targetNames[index][0];
    return childCopyText(named ? mesh->targetNames[index] : number);
}

bool gltfReadMorphs(const GltfSource *source, const GltfMesh *from, const GltfPrimitive *primitive, bool normals,
                    ModelMesh *mesh) {
    mesh->morphs = childAllocate(primitive->targetCount, sizeof *mesh->morphs);
    for (size_t t = 0; t < primitive->targetCount; t++) {
        const Target target = {source, &primitive->targets[t], mesh, t};
        ModelMorph *morph = &mesh->morphs[mesh->morphCount++];
        morph->name = targetName(from, t);
        if (!readTarget(&target, normals, morph)) {
            return false;
        }
    }
    return true;
}

/* Every primitive of a mesh follows the same weights. */
static bool countsAgree(const GltfSource *source, const GltfMesh *mesh) {
    for (size_t p = 1; p < mesh->primitiveCount; p++) {
        if (mesh->primitives[p].targetCount != gltfTargetCount(mesh)) {
            return diagnose(source->message, "%s: mesh '%s' has primitives of %zu and of %zu morph targets",
                            source->path, mesh->name, gltfTargetCount(mesh), mesh->primitives[p].targetCount);
        }
    }
    return true;
}

bool gltfReadRestWeights(const GltfSource *source, const GltfNode *node, const GltfMesh *mesh, float **weights) {
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
        return diagnose(source->message, "%s: %s '%s' has %zu morph weights for %zu targets", source->path,
                        own ? "node" : "mesh", own ? node->name : mesh->name, count, targets);
    }
    *weights = childAllocate(count, sizeof **weights);
    for (size_t i = 0; i < count; i++) {
        (*weights)[i] = (float)given[i];
    }
    if (!finiteAll(*weights, count)) {
        free(*weights);
        *weights = NULL;
        return diagnose(source->message, "%s: %s '%s' has a morph weight that is not finite", source->path,
                        own ? "node" : "mesh", own ? node->name : mesh->name);
    }
    return true;
}
