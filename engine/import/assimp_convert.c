#include "assimp.h"

#include "child.h"
#include "mesh_finish.h"
#include "named_files.h"
#include "parts.h"
#include "textures.h"

#include <assimp/cimport.h>
#include <assimp/material.h>
#include <assimp/scene.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct AssimpSource {
    const struct aiScene *scene;
    const struct aiNode **nodes; /* [model->nodeCount]: assimp's node for each of the model's */
    Model *model;                /* being made */
    const char *path;
    EngineError *error;
} AssimpSource;

/* ---- Nodes ---- */

/* Both are row-major with columns as vectors; assimp's last row is (0 0 0 1). */
static VkskinAffine affineFrom(const struct aiMatrix4x4 *matrix) {
    return (VkskinAffine){{
        {matrix->a1, matrix->a2, matrix->a3, matrix->a4},
        {matrix->b1, matrix->b2, matrix->b3, matrix->b4},
        {matrix->c1, matrix->c2, matrix->c3, matrix->c4},
    }};
}

/*
 * The node of that name, -1 where none has it. Names are not unique: a joint and the node that carries its mesh may have
 * the same one. Bones and keys mean the joint, so a node without meshes is preferred.
 */
static int64_t findNode(const AssimpSource *source, const struct aiString *name) {
    int64_t found = -1;
    for (uint32_t i = 0; i < source->model->nodeCount; i++) {
        const struct aiNode *node = source->nodes[i];
        if (node->mName.length != name->length || memcmp(node->mName.data, name->data, name->length) != 0) {
            continue;
        }
        if (node->mNumMeshes == 0) {
            return i;
        }
        found = found < 0 ? i : found;
    }
    return found;
}

static uint32_t countNodes(const struct aiNode *node) {
    uint32_t count = 1;
    for (unsigned i = 0; i < node->mNumChildren; i++) {
        count += countNodes(node->mChildren[i]);
    }
    return count;
}

/* Level by level, so that parents come first. */
static void listNodes(AssimpSource *source) {
    Model *model = source->model;
    uint32_t count = countNodes(source->scene->mRootNode);
    source->nodes = childAllocate(count, sizeof(const struct aiNode *));
    model->nodes = childAllocate(count, sizeof *model->nodes);
    model->nodeCount = 1;
    source->nodes[0] = source->scene->mRootNode;
    model->nodes[0].parent = -1;
    for (uint32_t i = 0; i < model->nodeCount; i++) {
        const struct aiNode *node = source->nodes[i];
        model->nodes[i].name = childCopyText(node->mName.data);
        for (unsigned c = 0; c < node->mNumChildren; c++) {
            model->nodes[model->nodeCount].parent = (int32_t)i;
            source->nodes[model->nodeCount++] = node->mChildren[c];
        }
    }
}

static bool setRestPose(const AssimpSource *source, const bool *animated) {
    Model *model = source->model;
    for (uint32_t i = 0; i < model->nodeCount; i++) {
        VkskinAffine matrix = affineFrom(&source->nodes[i]->mTransformation);
        if (!finiteAll(&matrix.m[0][0], 12)) {
            return engineFail(source->error, "node '%s' has a matrix that is not finite", model->nodes[i].name);
        }
        restSet(&model->nodes[i], &matrix, animated[i], &model->repairs);
    }
    return true;
}

/* ---- Clips ---- */

/* The default of the .x format, for files without AnimTicksPerSecond. */
#define X_TICKS_PER_SECOND 4800.0
/* The default of assimp's own viewer, for other formats. */
#define OTHER_TICKS_PER_SECOND 25.0

/* A key, to be sorted by time. */
typedef struct Key {
    double time; /* seconds */
    float value[4];
    unsigned order;
} Key;

typedef struct KeyList {
    Key *keys;
    unsigned count;
    VkskinChannel channel;
} KeyList;

static double ticksPerSecond(const AssimpSource *source, const struct aiAnimation *animation) {
    if (animation->mTicksPerSecond > 0.0) {
        return animation->mTicksPerSecond;
    }
    const char *dot = strrchr(source->path, '.');
    return dot && strcasecmp(dot, ".x") == 0 ? X_TICKS_PER_SECOND : OTHER_TICKS_PER_SECOND;
}

static KeyList vectorKeys(const struct aiVectorKey *from, unsigned count, VkskinChannel channel, double rate) {
    KeyList list = {childAllocate(count, sizeof(Key)), count, channel};
    for (unsigned i = 0; i < count; i++) {
        const struct aiVector3D *v = &from[i].mValue;
        list.keys[i] = (Key){from[i].mTime / rate, {v->x, v->y, v->z, 0.0f}, i};
    }
    return list;
}

static KeyList rotationKeys(const struct aiQuatKey *from, unsigned count, double rate) {
    KeyList list = {childAllocate(count, sizeof(Key)), count, VKSKIN_CHANNEL_ROTATION};
    for (unsigned i = 0; i < count; i++) {
        const struct aiQuaternion *q = &from[i].mValue;
        list.keys[i] = (Key){from[i].mTime / rate, {q->x, q->y, q->z, q->w}, i};
    }
    return list;
}

static int compareKeys(const void *left, const void *right) {
    const Key *a = left, *b = right;
    if (a->time != b->time) {
        return a->time < b->time ? -1 : 1;
    }
    return a->order < b->order ? -1 : a->order > b->order;
}

static bool keysFinite(const KeyList *list) {
    for (unsigned i = 0; i < list->count; i++) {
        const Key *key = &list->keys[i];
        if (!isfinite((float)key->time) || !finiteAll(key->value, 4)) {
            return false;
        }
    }
    return true;
}

/*
 * Ignores assimp's states before the first and after the last key. The loaders of .x, .fbx, .dae and .md5mesh leave them
 * at assimp's default, the node's own transform, which the file does not ask for. The nearest key holds instead.
 */
static void writeTrack(VkskinTrack *track, uint32_t node, const KeyList *list) {
    size_t components = list->channel == VKSKIN_CHANNEL_ROTATION ? 4 : 3;
    float *times = childAllocate(list->count, sizeof *times);
    float *values = childAllocate(list->count, components * sizeof *values);
    qsort(list->keys, list->count, sizeof *list->keys, compareKeys);
    for (unsigned i = 0; i < list->count; i++) {
        times[i] = (float)list->keys[i].time;
        memcpy(values + i * components, list->keys[i].value, components * sizeof *values);
    }
    *track = (VkskinTrack){
        .node = node, .channel = list->channel, .keyCount = list->count, .times = times, .values = values};
}

/* Frees the keys. */
static bool addTrack(const AssimpSource *source, ModelClip *clip, uint32_t node, KeyList list) {
    bool good = keysFinite(&list);
    if (!good) {
        engineFail(source->error, "clip '%s' has a key of node '%s' that is not finite", clip->name,
                   source->model->nodes[node].name);
    } else if (list.count > 0) {
        writeTrack(&clip->tracks[clip->trackCount++], node, &list);
    }
    free(list.keys);
    return good;
}

static bool convertChannel(const AssimpSource *source, ModelClip *clip, const struct aiNodeAnim *channel, double rate,
                           bool *animated) {
    int64_t found = findNode(source, &channel->mNodeName);
    bool empty = channel->mNumPositionKeys + channel->mNumRotationKeys + channel->mNumScalingKeys == 0;
    if (found < 0 || empty) {
        source->model->repairs.tracksDropped++;
        return true;
    }
    uint32_t node = (uint32_t)found;
    animated[node] = true;
    return addTrack(source, clip, node,
                    vectorKeys(channel->mPositionKeys, channel->mNumPositionKeys, VKSKIN_CHANNEL_TRANSLATION, rate)) &&
           addTrack(source, clip, node, rotationKeys(channel->mRotationKeys, channel->mNumRotationKeys, rate)) &&
           addTrack(source, clip, node,
                    vectorKeys(channel->mScalingKeys, channel->mNumScalingKeys, VKSKIN_CHANNEL_SCALE, rate));
}

static char *clipName(const struct aiAnimation *animation, unsigned index) {
    char number[24];
    snprintf(number, sizeof number, "clip %u", index);
    return childCopyText(animation->mName.length > 0 ? animation->mName.data : number);
}

/* Seconds: the duration of the animation; without one (assimp writes -1), its latest key time. */
static float clipDuration(const ModelClip *clip, double ticks, double rate) {
    float duration = (float)(ticks / rate);
    if (isfinite(duration) && ticks >= 0.0) {
        return duration;
    }
    duration = 0.0f;
    for (uint32_t i = 0; i < clip->trackCount; i++) {
        duration = fmaxf(duration, clip->tracks[i].times[clip->tracks[i].keyCount - 1]);
    }
    return duration;
}

static bool convertClip(const AssimpSource *source, unsigned index, bool *animated) {
    const struct aiAnimation *animation = source->scene->mAnimations[index];
    ModelClip *clip = &source->model->clips[source->model->clipCount++];
    double rate = ticksPerSecond(source, animation);
    clip->name = clipName(animation, index);
    clip->tracks = childAllocate((size_t)animation->mNumChannels * 3, sizeof *clip->tracks);
    for (unsigned i = 0; i < animation->mNumChannels; i++) {
        if (!convertChannel(source, clip, animation->mChannels[i], rate, animated)) {
            return false;
        }
    }
    clip->duration = clipDuration(clip, animation->mDuration, rate);
    return true;
}

static bool convertClips(const AssimpSource *source, bool *animated) {
    source->model->clips = childAllocate(source->scene->mNumAnimations, sizeof *source->model->clips);
    for (unsigned i = 0; i < source->scene->mNumAnimations; i++) {
        if (!convertClip(source, i, animated)) {
            return false;
        }
    }
    return true;
}

/* ---- Materials ---- */

/* The formats that assimp reads give colours in sRGB. */
static float linearFromSrgb(float value) {
    value = fminf(fmaxf(value, 0.0f), 1.0f);
    return value <= 0.04045f ? value / 12.92f : powf((value + 0.055f) / 1.055f, 2.4f);
}

/* The embedded picture that is named by its number ("*3") or by its name; null where the name is that of a file. */
static const struct aiTexture *findEmbedded(const struct aiScene *scene, const char *name) {
    if (name[0] == '*') {
        unsigned long index = strtoul(name + 1, NULL, 10);
        return index < scene->mNumTextures ? scene->mTextures[index] : NULL;
    }
    for (unsigned i = 0; i < scene->mNumTextures; i++) {
        if (strcmp(scene->mTextures[i]->mFilename.data, name) == 0) {
            return scene->mTextures[i];
        }
    }
    return NULL;
}

/* A picture of height 0 is a file of mWidth bytes. */
static int32_t takeEmbedded(Model *model, const struct aiTexture *texture) {
    if (texture->mHeight == 0) {
        return textureDecode(model, (const uint8_t *)texture->pcData, texture->mWidth);
    }
    int32_t index = textureAdd(model, texture->mWidth, texture->mHeight);
    size_t texels = index >= 0 ? (size_t)texture->mWidth * texture->mHeight : 0;
    for (size_t i = 0; i < texels; i++) {
        const struct aiTexel *texel = &texture->pcData[i];
        const uint8_t pixel[4] = {texel->r, texel->g, texel->b, texel->a};
        memcpy(model->textures[index].pixels + 4 * i, pixel, sizeof pixel);
    }
    return index;
}

static bool textureName(const struct aiMaterial *from, struct aiString *name) {
    static const enum aiTextureType types[] = {aiTextureType_BASE_COLOR, aiTextureType_DIFFUSE};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (aiGetMaterialTexture(from, types[i], 0, name, NULL, NULL, NULL, NULL, NULL, NULL) == aiReturn_SUCCESS &&
            name->length > 0) {
            return true;
        }
    }
    return false;
}

static int32_t addTexture(const AssimpSource *source, const char *name) {
    const struct aiTexture *embedded = findEmbedded(source->scene, name);
    if (embedded) {
        return takeEmbedded(source->model, embedded);
    }
    char *folder = pathFolder(source->path);
    int32_t texture = textureLoad(source->model, folder, name);
    free(folder);
    return texture;
}

/* names[]: the texture names of the materials so far, "" for none. Each name is read once. */
static int32_t convertTexture(const AssimpSource *source, uint32_t index, struct aiString *names) {
    names[index] = (struct aiString){0};
    if (!textureName(source->scene->mMaterials[index], &names[index])) {
        return -1;
    }
    for (uint32_t i = 0; i < index; i++) {
        if (strcmp(names[i].data, names[index].data) == 0) {
            return source->model->materials[i].texture;
        }
    }
    return addTexture(source, names[index].data);
}

static void convertColor(const struct aiMaterial *from, ModelMaterial *material) {
    struct aiColor4D color = {1.0f, 1.0f, 1.0f, 1.0f};
    if (aiGetMaterialColor(from, AI_MATKEY_BASE_COLOR, &color) != aiReturn_SUCCESS) {
        aiGetMaterialColor(from, AI_MATKEY_COLOR_DIFFUSE, &color);
    }
    const float components[3] = {color.r, color.g, color.b};
    for (int i = 0; i < 3; i++) {
        material->baseColor[i] = linearFromSrgb(components[i]);
    }
    material->baseColor[3] = fminf(fmaxf(color.a, 0.0f), 1.0f);
}

/* At least one material. */
static void convertMaterials(const AssimpSource *source) {
    const struct aiScene *scene = source->scene;
    Model *model = source->model;
    model->materialCount = scene->mNumMaterials > 0 ? scene->mNumMaterials : 1;
    model->materials = childAllocate(model->materialCount, sizeof *model->materials);
    model->textures = childAllocate(model->materialCount, sizeof *model->textures);
    struct aiString *names = childAllocate(model->materialCount, sizeof *names);
    for (uint32_t i = 0; i < model->materialCount; i++) {
        ModelMaterial *material = &model->materials[i];
        *material = (ModelMaterial){.baseColor = {1.0f, 1.0f, 1.0f, 1.0f}, .texture = -1};
        struct aiString name = {0};
        if (i < scene->mNumMaterials) {
            aiGetMaterialString(scene->mMaterials[i], AI_MATKEY_NAME, &name);
            convertColor(scene->mMaterials[i], material);
            material->texture = convertTexture(source, i, names);
        }
        material->name = childCopyText(name.data);
    }
    free(names);
}

/* ---- Meshes and parts ---- */

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

/* The sign by which normal x tangent gives the bitangent. */
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
                return engineFail(source->error, "face %u of mesh '%s' names vertex %u, but there are %u", f,
                                  mesh->name, face->mIndices[corner], mesh->vertexCount);
            }
            mesh->indices[mesh->indexCount++] = face->mIndices[corner];
        }
    }
    return true;
}

/* assimp lists influences by bone; this list is by vertex. Null: source->error is written. */
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
                engineFail(source->error, "bone '%s' of mesh '%s' names vertex %u, but there are %u", bone->mName.data,
                           from->mName.data, bone->mWeights[w].mVertexId, from->mNumVertices);
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
    ModelMesh *mesh = partsBeginMesh(model, converted);
    mesh->name = childCopyText(from->mName.data);
    mesh->material = from->mMaterialIndex < model->materialCount ? from->mMaterialIndex : 0;
    copyVertices(from, mesh);
    if (!copyTriangles(source, from, mesh) || !meshFinishAttributes(mesh, source->error) ||
        !copyInfluences(source, from, mesh, converted)) {
        return false;
    }
    meshWeld(mesh);
    partsEndMesh(model, converted);
    return true;
}

/* Fills `bones`. The caller owns its arrays, on failure too. */
static bool makeBones(const AssimpSource *source, const struct aiMesh *from, ModelSkin *bones) {
    bones->boneCount = from->mNumBones;
    bones->boneNodes = childAllocate(from->mNumBones, sizeof *bones->boneNodes);
    bones->inverseBinds = childAllocate(from->mNumBones, sizeof *bones->inverseBinds);
    for (unsigned b = 0; b < from->mNumBones; b++) {
        const struct aiBone *bone = from->mBones[b];
        int64_t node = findNode(source, &bone->mName);
        bones->inverseBinds[b] = affineFrom(&bone->mOffsetMatrix);
        if (node < 0) {
            return engineFail(source->error, "bone '%s' of mesh '%s' has no node", bone->mName.data, from->mName.data);
        }
        if (!finiteAll(&bones->inverseBinds[b].m[0][0], 12)) {
            return engineFail(source->error, "bone '%s' of mesh '%s' has an offset matrix that is not finite",
                              bone->mName.data, from->mName.data);
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
        partsFreeBones(&bones);
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

static bool convertMeshes(const AssimpSource *source) {
    uint32_t capacity = 0;
    for (uint32_t n = 0; n < source->model->nodeCount; n++) {
        capacity += source->nodes[n]->mNumMeshes;
    }
    Parts parts = partsBegin(source->model, capacity);
    ConvertedMesh *converted = childAllocate(source->scene->mNumMeshes, sizeof *converted);
    bool good = placeAll(source, &parts, converted);
    free(converted);
    partsEnd(&parts);
    return good;
}

bool assimpConvert(const struct aiScene *scene, const char *path, Model *model, EngineError *error) {
    AssimpSource source = {.scene = scene, .model = model, .path = path, .error = error};
    listNodes(&source);
    bool *animated = childAllocate(model->nodeCount, sizeof *animated);
    bool good = convertClips(&source, animated) && setRestPose(&source, animated);
    free(animated);
    if (good) {
        convertMaterials(&source);
        good = convertMeshes(&source);
    }
    free(source.nodes);
    return good;
}
