#include "fbx_chains.h"

#include "parser.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace {

const char HELPER[] = "_$AssimpFbx$_";

/* Whether `node` is a helper of the node `name`; if so, *component is what it stands for, such as "PreRotation". */
bool isHelper(const aiNode *node, const std::string &name, std::string *component) {
    const std::string own = node->mName.C_Str(), start = name + HELPER;
    bool helper = own.compare(0, start.size(), start) == 0;
    *component = helper ? own.substr(start.size()) : "";
    return helper;
}

/* Moves the chain into its node. Returns the inverse of its PostRotation. */
aiQuaternion mergeChain(aiNode *node) {
    const std::string name = node->mName.C_Str();
    std::string component;
    aiQuaternion unpost;
    for (aiNode *helper = node->mParent; helper && isHelper(helper, name, &component); helper = helper->mParent) {
        node->mTransformation = helper->mTransformation * node->mTransformation;
        if (component == "PostRotation") {
            unpost = aiQuaternion(aiMatrix3x3(helper->mTransformation));
        }
        helper->mTransformation = aiMatrix4x4();
    }
    return unpost;
}

using Unposts = std::map<std::string, aiQuaternion>; /* of each node with a channel, by its name */

void mergeChains(aiNode *node, Unposts &unposts) {
    const auto found = unposts.find(node->mName.C_Str());
    if (found != unposts.end()) {
        found->second = mergeChain(node);
    }
    for (unsigned i = 0; i < node->mNumChildren; i++) {
        mergeChains(node->mChildren[i], unposts);
    }
}

template <typename Act> void forEachChannel(const aiScene *scene, Act act) {
    for (unsigned i = 0; i < scene->mNumAnimations; i++) {
        const aiAnimation *animation = scene->mAnimations[i];
        std::for_each(animation->mChannels, animation->mChannels + animation->mNumChannels, act);
    }
}

} // namespace

void fbxMergeChains(aiScene *scene) {
    Unposts unposts;
    forEachChannel(scene, [&](aiNodeAnim *channel) { unposts[channel->mNodeName.C_Str()] = aiQuaternion(); });
    mergeChains(scene->mRootNode, unposts);
    forEachChannel(scene, [&](aiNodeAnim *channel) {
        const aiQuaternion unpost = unposts[channel->mNodeName.C_Str()];
        for (unsigned i = 0; i < channel->mNumRotationKeys; i++) { /* Pre R Post becomes Pre R inverse(Post) */
            aiQuaternion &key = channel->mRotationKeys[i].mValue;
            key = key * unpost * unpost;
        }
    });
}

/* ---- Geometric transforms ---- */

namespace {

aiMatrix4x4 geometryOf(const aiNode *node) {
    aiMatrix4x4 geometry;
    std::string component;
    for (const aiNode *up = node->mParent; up && isHelper(up, node->mName.C_Str(), &component); up = up->mParent) {
        if (component.compare(0, 9, "Geometric") == 0) {
            geometry = up->mTransformation * geometry;
        }
    }
    return geometry;
}

void applyGeometry(aiScene *scene, const aiNode *node, std::vector<bool> &done) {
    for (unsigned m = 0; m < node->mNumMeshes; m++) {
        const unsigned index = node->mMeshes[m];
        aiMesh *mesh = scene->mMeshes[index];
        for (unsigned b = 0; b < mesh->mNumBones && !done[index]; b++) {
            aiMatrix4x4 &offset = mesh->mBones[b]->mOffsetMatrix;
            offset = offset * geometryOf(node);
        }
        done[index] = true;
    }
    for (unsigned i = 0; i < node->mNumChildren; i++) {
        applyGeometry(scene, node->mChildren[i], done);
    }
}

} // namespace

void fbxApplyGeometry(aiScene *scene) {
    std::vector<bool> done(scene->mNumMeshes);
    applyGeometry(scene, scene->mRootNode, done);
}

/* ---- Inheritance of scale ---- */

namespace {

enum Scale { SCALE_ONE, SCALE_UNIFORM, SCALE_ANY };

Scale scaleOf(const aiVector3D &scale) {
    const float tolerance = 1e-4f * std::fabs(scale.x);
    const bool uniform = std::fabs(scale.x - scale.y) <= tolerance && std::fabs(scale.x - scale.z) <= tolerance;
    return !uniform ? SCALE_ANY : std::fabs(scale.x - 1.0f) > 1e-4f ? SCALE_UNIFORM : SCALE_ONE;
}

using Scales = std::map<std::string, Scale>; /* of the keys of nodes */

/* The scale of one node of a chain, at rest and in every clip. */
Scale scaleOf(const aiNode *node, const Scales &keys) {
    aiVector3D scale, position;
    aiQuaternion rotation;
    node->mTransformation.Decompose(scale, rotation, position);
    const auto found = keys.find(node->mName.C_Str());
    return std::max(scaleOf(scale), found == keys.end() ? SCALE_ONE : found->second);
}

/* Mode 0 (RrSs) and a product of matrices (1, RSrs) differ below scale that is not uniform, mode 2 (Rrs) below any. */
void warnOfNode(const aiNode *node, const Scales &keys, Model *model) {
    int32_t mode = 1;
    std::string component;
    const aiNode *above = node->mParent;
    while (above && isHelper(above, node->mName.C_Str(), &component)) {
        above = above->mParent;
    }
    const bool given = node->mMetaData && node->mMetaData->Get("InheritType", mode);
    Scale scale = SCALE_ONE;
    for (; above && given && mode != 1; above = above->mParent) {
        scale = std::max(scale, scaleOf(above, keys));
    }
    if (mode == 0 ? scale == SCALE_ANY : mode == 2 && scale != SCALE_ONE) {
        childWarn(model,
                  "node '%.200s' has InheritType %d; it is posed by InheritType 1, as a child of its scaled parents",
                  node->mName.C_Str(), int(mode));
    }
    for (unsigned i = 0; i < node->mNumChildren; i++) {
        warnOfNode(node->mChildren[i], keys, model);
    }
}

} // namespace

void fbxWarnOfInheritance(const aiScene *scene, Model *model) {
    Scales keys;
    forEachChannel(scene, [&](const aiNodeAnim *channel) {
        Scale &scale = keys[channel->mNodeName.C_Str()];
        for (unsigned i = 0; i < channel->mNumScalingKeys; i++) {
            scale = std::max(scale, scaleOf(channel->mScalingKeys[i].mValue));
        }
    });
    warnOfNode(scene->mRootNode, keys, model);
}
