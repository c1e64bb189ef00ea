#include "assimp_source.h"
#include "child_memory.h"
#include "diagnostic.h"
#include "finite.h"
#include "influences.h"
#include "mesh_finish.h"
#include "mesh_weld.h"
#include "parts.h"

#include <stdlib.h>
#include <string.h>

static float *copyVectors(const struct aiVector3D *from, uint32_t count) {
    float *to = childAllocate(count, 3 * sizeof *to);
    memcpy(to, from, (size_t)count * 3 * sizeof *to);
    return to;
}

_Static_assert(sizeof(struct aiVector3D) == 3 * sizeof(float), "assimp's vectors are three tight floats");

static float *copyTexcoords(const struct aiMesh *from) {
    if (!from->mTextureCoords[0]) {
        return NULL;
    }
    float *to = childAllocate(from->mNumVertices, 2 * sizeof *to);
    for (unsigned v = 0; v < from->mNumVertices; v++) {
        to[2 * (size_t)v] = from->mTextureCoords[0][v].x;
        to[2 * (size_t)v + 1] = from->mTextureCoords[0][v].y;
    }
    return to;
}

/* The sign that takes normal x tangent to the bitangent. */
static float handedness(const struct aiVector3D *n, const struct aiVector3D *t, const struct aiVector3D *b) {
    float x = n->y * t->z - n->z * t->y;
    float y = n->z * t->x - n->x * t->z;
    float z = n->x * t->y - n->y * t->x;
    return x * b->x + y * b->y + z * b->z < 0.0f ? -1.0f : 1.0f;
}

static float *copyTangents(const struct aiMesh *from) {
    if (!from->mTangents || !from->mBitangents || !from->mNormals) {
        return NULL;
    }
    float *to = childAllocate(from->mNumVertices, 4 * sizeof *to);
    for (unsigned v = 0; v < from->mNumVertices; v++) {
        const struct aiVector3D *tangent = &from->mTangents[v];
        const float four[4] = {tangent->x, tangent->y, tangent->z,
                               handedness(&from->mNormals[v], tangent, &from->mBitangents[v])};
        memcpy(to + 4 * (size_t)v, four, sizeof four);
    }
    return to;
}

static void copyVertices(const struct aiMesh *from, ModelMesh *mesh) {
    mesh->vertexCount = from->mNumVertices;
    mesh->positions = copyVectors(from->mVertices, from->mNumVertices);
    mesh->normals = from->mNormals ? copyVectors(from->mNormals, from->mNumVertices) : NULL;
    mesh->texcoords = copyTexcoords(from);
    mesh->tangents = copyTangents(from);
}

static bool copyTriangles(const AssimpSource *source, const struct aiMesh *from, ModelMesh *mesh) {
    mesh->indices = childAllocate(from->mNumFaces, 3 * sizeof *mesh->indices);
    for (unsigned f = 0; f < from->mNumFaces; f++) {
        const struct aiFace *face = &from->mFaces[f];
        if (face->mNumIndices != 3) {
            source->model->repairs.trianglesDropped++;
            continue;
        }
        for (int corner = 0; corner < 3; corner++) {
            if (face->mIndices[corner] >= mesh->vertexCount) {
                return diagnose(source->message, "%s: face %u of mesh '%s' names vertex %u, but there are %u",
                                source->path, f, mesh->name, face->mIndices[corner], mesh->vertexCount);
            }
            mesh->indices[mesh->indexCount++] = face->mIndices[corner];
        }
    }
    return true;
}

/* assimp numbers the influences by bone; ours are numbered by vertex. Null: the message is written. */
static Influence *listInfluences(const AssimpSource *source, const struct aiMesh *from, size_t *count) {
    size_t total = 0;
    for (unsigned b = 0; b < from->mNumBones; b++) {
        total += from->mBones[b]->mNumWeights;
    }
    Influence *list = childAllocate(total, sizeof *list);
    *count = 0;
    for (unsigned b = 0; b < from->mNumBones; b++) {
        const struct aiBone *bone = from->mBones[b];
        for (unsigned w = 0; w < bone->mNumWeights; w++) {
            if (bone->mWeights[w].mVertexId >= from->mNumVertices) {
                diagnose(source->message, "%s: bone '%s' of mesh '%s' names vertex %u, but there are %u", source->path,
                         bone->mName.data, from->mName.data, bone->mWeights[w].mVertexId, from->mNumVertices);
                free(list);
                return NULL;
            }
            list[(*count)++] = (Influence){bone->mWeights[w].mVertexId, b, bone->mWeights[w].mWeight};
        }
    }
    return list;
}

static bool copyInfluences(const AssimpSource *source, const struct aiMesh *from, ModelMesh *mesh,
                           ConvertedMesh *converted) {
    if (from->mNumBones == 0) {
        influencesRigid(mesh);
        return true;
    }
    size_t count = 0;
    Influence *list = listInfluences(source, from, &count);
    if (!list) {
        return false;
    }
    converted->nodeBoneFirst = influencesPack(mesh, list, count, &source->model->repairs);
    free(list);
    return true;
}

static bool convertMesh(const AssimpSource *source, const struct aiMesh *from, ConvertedMesh *converted) {
    Model *model = source->model;
    ModelMesh *mesh = &model->meshes[model->meshCount];
    converted->mesh = model->meshCount++;
    converted->done = true;
    mesh->name = childCopyText(from->mName.data);
    mesh->material = from->mMaterialIndex < model->materialCount ? from->mMaterialIndex : 0;
    copyVertices(from, mesh);
    if (!copyTriangles(source, from, mesh) || !meshFinishAttributes(mesh, source->path, source->message) ||
        !copyInfluences(source, from, mesh, converted)) {
        return false;
    }
    meshWeld(mesh);
    if (mesh->indexCount == 0) {
        converted->empty = true;
        modelFreeMesh(mesh);
        model->meshCount--;
    }
    return true;
}

/* The bones of a mesh as its part's skin. False: a bone has no node; the message names it. */
static bool makeBones(const AssimpSource *source, const struct aiMesh *from, ModelSkin *bones) {
    bones->boneCount = from->mNumBones;
    bones->boneNodes = childAllocate(from->mNumBones, sizeof *bones->boneNodes);
    bones->inverseBinds = childAllocate(from->mNumBones, sizeof *bones->inverseBinds);
    for (unsigned b = 0; b < from->mNumBones; b++) {
        const struct aiBone *bone = from->mBones[b];
        int64_t node = assimpFindNode(source, &bone->mName);
        bones->inverseBinds[b] = assimpAffine(&bone->mOffsetMatrix);
        if (node < 0) {
            return diagnose(source->message, "%s: bone '%s' of mesh '%s' has no node", source->path, bone->mName.data,
                            from->mName.data);
        }
        if (!finiteAll(&bones->inverseBinds[b].m[0][0], 12)) {
            return diagnose(source->message, "%s: bone '%s' of mesh '%s' has an offset matrix that is not finite",
                            source->path, bone->mName.data, from->mName.data);
        }
        bones->boneNodes[b] = (uint32_t)node;
    }
    return true;
}

static bool placeMesh(const AssimpSource *source, Parts *parts, uint32_t node, unsigned index,
                      ConvertedMesh *converted) {
    const struct aiMesh *from = source->scene->mMeshes[index];
    if (!converted[index].done && !convertMesh(source, from, &converted[index])) {
        return false;
    }
    if (converted[index].empty) {
        return true;
    }
    ModelSkin bones = {0};
    if (from->mNumBones == 0) {
        bones = partsRigidBones(node);
    } else if (!makeBones(source, from, &bones)) {
        free(bones.boneNodes);
        free(bones.inverseBinds);
        return false;
    }
    if (converted[index].nodeBoneFirst) {
        partsPrependNode(&bones, node);
    }
    partsAdd(parts, converted[index].mesh, node, bones, NULL);
    return true;
}

static bool placeAll(const AssimpSource *source, Parts *parts, ConvertedMesh *converted) {
    for (uint32_t n = 0; n < source->model->nodeCount; n++) {
        const struct aiNode *node = source->nodes[n];
        for (unsigned m = 0; m < node->mNumMeshes; m++) {
            bool known = node->mMeshes[m] < source->scene->mNumMeshes;
            if (known && !placeMesh(source, parts, n, node->mMeshes[m], converted)) {
                return false;
            }
        }
    }
    return true;
}

bool assimpConvertMeshes(const AssimpSource *source) {
    uint32_t capacity = 0;
    for (uint32_t n = 0; n < source->model->nodeCount; n++) {
        capacity += source->nodes[n]->mNumMeshes;
    }
    Parts parts = partsBegin(source->model, capacity);
    ConvertedMesh *converted = childAllocate(source->scene->mNumMeshes, sizeof *converted);
    bool good = placeAll(source, &parts, converted);
    free(converted);
    partsEnd(&parts);
    if (good && source->model->partCount == 0) {
        good = diagnose(source->message, "%s: no meshes", source->path);
    }
    return good;
}
