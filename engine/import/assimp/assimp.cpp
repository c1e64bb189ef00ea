#include "assimp_materials.h"
#include "assimp_morphs.h"
#include "assimp_scene.h"
#include "parts.h"
#include "readers.h"

#include <assimp/scene.h>

#include <algorithm>
#include <cmath>

namespace {

struct AssimpSource {
    const aiScene *scene;
    Model *model; /* being made */
    const char *path;
    EngineError *error;
    std::vector<const aiNode *> nodes; /* assimp's node for each of the model's */
    std::vector<bool> animated;        /* by the model's nodes */
};

/* ---- Nodes ---- */

/* Both are row-major with columns as vectors; assimp's last row is (0 0 0 1). */
VkskinAffine affineFrom(const aiMatrix4x4 &matrix) {
    return {{
        {matrix.a1, matrix.a2, matrix.a3, matrix.a4},
        {matrix.b1, matrix.b2, matrix.b3, matrix.b4},
        {matrix.c1, matrix.c2, matrix.c3, matrix.c4},
    }};
}

/*
 * The node of that name, -1 where none has it. Names are not unique: a joint and the node that carries its mesh may have
 * the same one. Bones and keys mean the joint, so a node without meshes is preferred.
 */
int64_t findNode(const AssimpSource &source, const aiString &name) {
    int64_t found = -1;
    for (size_t i = 0; i < source.nodes.size(); i++) {
        const aiNode *node = source.nodes[i];
        if (node->mName.length != name.length || std::memcmp(node->mName.data, name.data, name.length) != 0) {
            continue;
        }
        if (node->mNumMeshes == 0) {
            return int64_t(i);
        }
        found = found < 0 ? int64_t(i) : found;
    }
    return found;
}

/* Level by level, so that parents come first. */
void listNodes(AssimpSource &source) {
    std::vector<int32_t> parents = {-1};
    source.nodes = {source.scene->mRootNode};
    for (size_t i = 0; i < source.nodes.size(); i++) {
        const aiNode *node = source.nodes[i];
        source.nodes.insert(source.nodes.end(), node->mChildren, node->mChildren + node->mNumChildren);
        parents.insert(parents.end(), node->mNumChildren, int32_t(i));
    }
    source.animated.resize(source.nodes.size());
    source.model->nodes = newArray<ModelNode>(source.nodes.size());
    for (const aiNode *from : source.nodes) {
        ModelNode *node = &source.model->nodes[source.model->nodeCount];
        node->name = childCopyText(from->mName.data);
        node->parent = parents[source.model->nodeCount++];
    }
}

void setRestPose(const AssimpSource &source) {
    Model *model = source.model;
    for (uint32_t i = 0; i < model->nodeCount; i++) {
        VkskinAffine matrix = affineFrom(source.nodes[i]->mTransformation);
        require(finiteAll(&matrix.m[0][0], 12) ||
                engineFail(source.error, "node '%s' has a matrix that is not finite", model->nodes[i].name));
        restSet(&model->nodes[i], &matrix, source.animated[i], &model->repairs);
    }
}

/* ---- Clips ---- */

/* The default of the .x format, for files without AnimTicksPerSecond. */
#define X_TICKS_PER_SECOND 4800.0
/* The default of assimp's own viewer, for other formats. */
#define OTHER_TICKS_PER_SECOND 25.0

double ticksPerSecond(const AssimpSource &source, const aiAnimation *animation) {
    if (animation->mTicksPerSecond > 0.0) {
        return animation->mTicksPerSecond;
    }
    return hasExtension(source.path, ".x") ? X_TICKS_PER_SECOND : OTHER_TICKS_PER_SECOND;
}

void copyValue(const aiVector3D &from, float *to) {
    std::copy_n(&from.x, 3, to);
}

void copyValue(const aiQuaternion &from, float *to) {
    const float ordered[4] = {from.x, from.y, from.z, from.w};
    std::copy_n(ordered, 4, to);
}

/*
 * Ignores assimp's states before the first and after the last key. The loaders of .x, .dae and .md5mesh leave them
 * at assimp's default, the node's own transform, which the file does not ask for. The nearest key holds instead.
 */
template <typename Key>
void addTrack(const AssimpSource &source, ModelClip *clip, uint32_t node, VkskinChannel channel, const Key *from,
              unsigned count, double rate) {
    const size_t components = channel == VKSKIN_CHANNEL_ROTATION ? 4 : 3;
    if (count == 0) {
        return;
    }
    std::vector<Key> keys(from, from + count);
    std::stable_sort(keys.begin(), keys.end(), [](const Key &a, const Key &b) { return a.mTime < b.mTime; });
    float *times = newArray<float>(count), *values = newArray<float>(count * components);
    VkskinTrack &track = clip->tracks[clip->trackCount++];
    track.node = node;
    track.channel = channel;
    track.keyCount = count;
    track.times = times;
    track.values = values;
    for (unsigned i = 0; i < count; i++) {
        times[i] = float(keys[i].mTime / rate);
        copyValue(keys[i].mValue, values + i * components);
    }
    require((finiteAll(times, count) && finiteAll(values, count * components)) ||
            engineFail(source.error, "clip '%s' has a key of node '%s' that is not finite", clip->name,
                       source.model->nodes[node].name));
}

/*
 * assimp makes rotations of the matrix keys of .x files as if these had no shear, mirror or scale of 0: then the
 * quaternion is not of length 1. One without numbers becomes that of the key before it.
 */
void mendRotations(const AssimpSource &source, const aiNodeAnim *channel, const char *clip) {
    constexpr float tolerance = 1e-3f;
    aiQuaternion before;
    bool lost = false;
    for (unsigned i = 0; i < channel->mNumRotationKeys; i++) {
        aiQuaternion &q = channel->mRotationKeys[i].mValue;
        const float square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
        lost = lost || !(std::fabs(square - 1.0f) < tolerance);
        before = q = std::isnan(square) ? before : q;
    }
    if (lost) {
        childWarn(source.model, "clip '%.100s' mirrors, shears or flattens node '%.100s', which is not read", clip,
                  channel->mNodeName.C_Str());
    }
}

void convertChannel(AssimpSource &source, ModelClip *clip, const aiNodeAnim *channel, double rate) {
    int64_t found = findNode(source, channel->mNodeName);
    bool empty = channel->mNumPositionKeys + channel->mNumRotationKeys + channel->mNumScalingKeys == 0;
    if (found < 0 || empty) {
        source.model->repairs.tracksDropped++;
        return;
    }
    uint32_t node = uint32_t(found);
    source.animated[node] = true;
    if (hasExtension(source.path, ".x")) {
        mendRotations(source, channel, clip->name);
    }
    addTrack(source, clip, node, VKSKIN_CHANNEL_TRANSLATION, channel->mPositionKeys, channel->mNumPositionKeys, rate);
    addTrack(source, clip, node, VKSKIN_CHANNEL_ROTATION, channel->mRotationKeys, channel->mNumRotationKeys, rate);
    addTrack(source, clip, node, VKSKIN_CHANNEL_SCALE, channel->mScalingKeys, channel->mNumScalingKeys, rate);
}

/* The node that carries a mesh with morph targets. -1: none. */
int64_t findCarrier(const AssimpSource &source, const aiString &name, uint32_t *targets) {
    for (size_t i = 0; i < source.nodes.size(); i++) {
        const aiNode *node = source.nodes[i];
        for (unsigned m = 0; m < node->mNumMeshes && name == node->mName; m++) {
            *targets = source.scene->mMeshes[node->mMeshes[m]]->mNumAnimMeshes;
            if (*targets > 0) {
                return int64_t(i);
            }
        }
    }
    return -1;
}

void convertMorphChannel(const AssimpSource &source, ModelClip *clip, const aiMeshMorphAnim *channel, double rate) {
    uint32_t targets = 0;
    const int64_t node = findCarrier(source, channel->mName, &targets);
    if (node < 0 || !morphsTrack(channel, targets, rate, &clip->tracks[clip->trackCount])) {
        source.model->repairs.tracksDropped++;
        return;
    }
    clip->tracks[clip->trackCount++].node = uint32_t(node);
}

/* Seconds: the duration of the animation; without one (assimp writes -1), its latest key time. */
float clipDuration(const ModelClip *clip, double ticks, double rate) {
    float duration = float(ticks / rate);
    if (std::isfinite(duration) && ticks >= 0.0) {
        return duration;
    }
    duration = 0.0f;
    for (uint32_t i = 0; i < clip->trackCount; i++) {
        duration = std::fmax(duration, clip->tracks[i].times[clip->tracks[i].keyCount - 1]);
    }
    return duration;
}

void convertClips(AssimpSource &source) {
    source.model->clips = newArray<ModelClip>(source.scene->mNumAnimations);
    for (unsigned i = 0; i < source.scene->mNumAnimations; i++) {
        const aiAnimation *animation = source.scene->mAnimations[i];
        ModelClip *clip = &source.model->clips[source.model->clipCount++];
        double rate = ticksPerSecond(source, animation);
        clip->assumedTicks = animation->mTicksPerSecond > 0.0 ? 0.0f : float(rate);
        clip->name = nameOr(animation->mName.data, "clip ", i);
        clip->tracks = newArray<VkskinTrack>(size_t(animation->mNumChannels) * 3 + animation->mNumMorphMeshChannels);
        for (unsigned c = 0; c < animation->mNumChannels; c++) {
            convertChannel(source, clip, animation->mChannels[c], rate);
        }
        for (unsigned c = 0; c < animation->mNumMorphMeshChannels; c++) {
            convertMorphChannel(source, clip, animation->mMorphMeshChannels[c], rate);
        }
        clip->duration = clipDuration(clip, animation->mDuration, rate);
    }
}

/* ---- Meshes and parts ---- */

static_assert(sizeof(aiVector3D) == 3 * sizeof(float), "assimp's vectors are three tight floats");

float *copyVectors(const aiVector3D *from, uint32_t count) {
    float *to = from ? newArray<float>(size_t(count) * 3) : nullptr;
    if (from && count > 0) {
        std::copy_n(&from->x, size_t(count) * 3, to);
    }
    return to;
}

float *copyTexcoords(const aiMesh *from) {
    const aiVector3D *texcoords = from->mTextureCoords[0];
    float *to = texcoords ? newArray<float>(size_t(from->mNumVertices) * 2) : nullptr;
    for (size_t v = 0; to && v < from->mNumVertices; v++) {
        to[2 * v] = texcoords[v].x;
        to[2 * v + 1] = texcoords[v].y;
    }
    return to;
}

/* The last component is the sign by which normal x tangent gives the bitangent. */
float *copyTangents(const aiMesh *from) {
    bool given = from->mTangents && from->mBitangents && from->mNormals;
    float *to = given ? newArray<float>(size_t(from->mNumVertices) * 4) : nullptr;
    for (size_t v = 0; to && v < from->mNumVertices; v++) {
        const aiVector3D cross = from->mNormals[v] ^ from->mTangents[v];
        std::copy_n(&from->mTangents[v].x, 3, to + 4 * v);
        to[4 * v + 3] = cross * from->mBitangents[v] < 0.0f ? -1.0f : 1.0f;
    }
    return to;
}

/* The formats that assimp reads give colours in sRGB, like those of materials. */
float *copyColours(const aiMesh *from) {
    const aiColor4D *colours = from->mColors[0];
    float *to = colours ? newArray<float>(size_t(from->mNumVertices) * 4) : nullptr;
    for (size_t v = 0; to && v < from->mNumVertices; v++) {
        std::transform(&colours[v].r, &colours[v].r + 3, to + 4 * v, linearFromSrgb);
        to[4 * v + 3] = colours[v].a;
    }
    return to;
}

void copyTriangles(const AssimpSource &source, const aiMesh *from, ModelMesh *mesh) {
    mesh->indices = newArray<uint32_t>(size_t(from->mNumFaces) * 3);
    for (unsigned f = 0; f < from->mNumFaces; f++) {
        const aiFace &face = from->mFaces[f];
        if (face.mNumIndices != 3) {
            source.model->repairs.trianglesDropped++;
            continue;
        }
        for (int corner = 0; corner < 3; corner++) {
            require(face.mIndices[corner] < mesh->vertexCount ||
                    engineFail(source.error, "face %u of mesh '%s' names vertex %u, but there are %u", f, mesh->name,
                               face.mIndices[corner], mesh->vertexCount));
            mesh->indices[mesh->indexCount++] = face.mIndices[corner];
        }
    }
}

/* assimp lists influences by bone. Returns what influencesPack does. */
bool copyInfluences(const AssimpSource &source, const aiMesh *from, ModelMesh *mesh) {
    std::vector<Influence> list;
    if (from->mNumBones == 0) {
        influencesRigid(mesh);
        return false;
    }
    for (unsigned b = 0; b < from->mNumBones; b++) {
        const aiBone *bone = from->mBones[b];
        for (unsigned w = 0; w < bone->mNumWeights; w++) {
            const aiVertexWeight &weight = bone->mWeights[w];
            require(weight.mVertexId < from->mNumVertices ||
                    engineFail(source.error, "bone '%s' of mesh '%s' names vertex %u, but there are %u",
                               bone->mName.data, from->mName.data, weight.mVertexId, from->mNumVertices));
            list.push_back({weight.mVertexId, b, weight.mWeight});
        }
    }
    return influencesPack(mesh, list.data(), list.size(), &source.model->repairs);
}

void convertMesh(const AssimpSource &source, const aiMesh *from, ConvertedMesh *converted) {
    Model *model = source.model;
    ModelMesh *mesh = partsBeginMesh(model, converted);
    mesh->name = childCopyText(from->mName.data);
    mesh->material = from->mMaterialIndex < model->materialCount ? from->mMaterialIndex : 0;
    mesh->vertexCount = from->mNumVertices;
    mesh->positions = from->mVertices ? copyVectors(from->mVertices, from->mNumVertices) : newArray<float>(0);
    mesh->normals = copyVectors(from->mNormals, from->mNumVertices);
    mesh->texcoords = copyTexcoords(from);
    mesh->colours = copyColours(from);
    mesh->tangents = copyTangents(from);
    copyTriangles(source, from, mesh);
    morphsConvert(from, mesh);
    require(meshFinishAttributes(model, mesh, source.error));
    converted->nodeBoneFirst = copyInfluences(source, from, mesh);
    meshWeld(mesh);
    if (mesh->indexCount > 0 && model->materials[mesh->material].maps[MODEL_MAP_NORMAL] >= 0) {
        meshComputeTangents(mesh);
    }
    partsEndMesh(model, converted);
}

Bones readBones(const AssimpSource &source, const aiMesh *from) {
    Bones bones;
    for (unsigned b = 0; b < from->mNumBones; b++) {
        const aiBone *bone = from->mBones[b];
        const VkskinAffine inverseBind = affineFrom(bone->mOffsetMatrix);
        int64_t node = findNode(source, bone->mName);
        require(node >= 0 ||
                engineFail(source.error, "bone '%s' of mesh '%s' has no node", bone->mName.data, from->mName.data));
        require(finiteAll(&inverseBind.m[0][0], 12) ||
                engineFail(source.error, "bone '%s' of mesh '%s' has an offset matrix that is not finite",
                           bone->mName.data, from->mName.data));
        bones.nodes.push_back(uint32_t(node));
        bones.inverseBinds.push_back(inverseBind);
    }
    return bones;
}

void placeMesh(const AssimpSource &source, Parts &parts, uint32_t node, const aiMesh *from, ConvertedMesh *converted) {
    if (!converted->done) {
        convertMesh(source, from, converted);
    }
    if (converted->empty) {
        return;
    }
    Bones bones = readBones(source, from);
    if (converted->nodeBoneFirst || from->mNumBones == 0) {
        partsPrependNode(bones, node);
    }
    partsAdd(parts, converted->mesh, node, bones, morphsRestWeights(from));
}

void convertMeshes(const AssimpSource &source) {
    uint32_t capacity = 0;
    for (const aiNode *node : source.nodes) {
        capacity += node->mNumMeshes;
    }
    Parts parts = partsBegin(source.model, capacity);
    std::vector<ConvertedMesh> converted(source.scene->mNumMeshes);
    for (uint32_t n = 0; n < source.model->nodeCount; n++) {
        const aiNode *node = source.nodes[n];
        for (unsigned m = 0; m < node->mNumMeshes; m++) {
            unsigned index = node->mMeshes[m];
            if (index < source.scene->mNumMeshes) {
                placeMesh(source, parts, n, source.scene->mMeshes[index], &converted[index]);
            }
        }
    }
}

} // namespace

Model *assimpParse(const char *path, EngineError *error) {
    return makeModel([&](Model *model) {
        const std::unique_ptr<aiScene> scene = assimpReadScene(path, model, error);
        AssimpSource source = {scene.get(), model, path, error, {}, {}};
        listNodes(source);
        convertClips(source);
        setRestPose(source);
        assimpConvertMaterials(source.scene, path, model);
        convertMeshes(source);
    });
}
