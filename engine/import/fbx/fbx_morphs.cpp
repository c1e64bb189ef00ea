#include "fbx_morphs.h"

#include "parser.h"

#include <algorithm>
#include <cmath>

namespace {

double shareAt(double from, double to, double value) {
    return (value - from) / (to - from);
}

/* Even steps where the file does not state them. */
std::vector<double> fullWeights(const FbxRecord &channel, size_t shapes) {
    const FbxRecord *record = channel.child("FullWeights");
    std::vector<double> full = record ? record->numbers() : std::vector<double>();
    bool good = full.size() == shapes && full[0] > 0.0;
    for (size_t i = 1; i < full.size(); i++) {
        good = good && full[i] > full[i - 1];
    }
    if (!good || !std::isfinite(full.back())) {
        full.clear();
        for (size_t i = 0; i < shapes; i++) {
            full.push_back(100.0 * double(i + 1) / double(shapes));
        }
    }
    return full;
}

/* In the order in which assimp makes targets of the shapes. */
FbxMorphChannels channelsOf(const FbxDocument &document, const FbxRecord &geometry) {
    FbxMorphChannels channels;
    for (const FbxLink &deformer : document.lower(geometry, "Deformer")) {
        for (const FbxLink &link : document.lower(*deformer.object, "Deformer")) {
            const size_t shapes = document.lower(*link.object, "Geometry").size();
            if (deformer.object->textOf(2) == "BlendShape" && shapes > 0) {
                channels.push_back({link.object, fullWeights(*link.object, shapes)});
            }
        }
    }
    return channels;
}

void nameTargets(const FbxDocument &document, const FbxMorphChannels &channels, const aiMesh *mesh) {
    unsigned target = 0;
    for (const FbxMorphChannel &channel : channels) {
        std::vector<double> weights;
        fbxAddWeights(channel, document.number(*channel.object, "DeformPercent", 0.0), &weights);
        for (size_t i = 0; i < weights.size(); i++) {
            aiAnimMesh *shape = mesh->mAnimMeshes[target++];
            shape->mWeight = float(weights[i]);
            if (i + 1 < weights.size()) {
                char percent[32];
                snprintf(percent, sizeof percent, " %g %%", channel.full[i]);
                shape->mName.Append(percent);
            }
        }
    }
}

/* The channels of the meshes that a node carries; none where assimp has other targets. */
FbxMorphChannels nodeChannels(const FbxDocument &document, const FbxRecord &object, const aiNode *node,
                              const aiScene *scene, Model *model) {
    FbxMorphChannels channels;
    size_t shapes = 0;
    for (const FbxLink &geometry : document.lower(object, "Geometry")) {
        const FbxMorphChannels own = channelsOf(document, *geometry.object);
        channels.insert(channels.end(), own.begin(), own.end());
    }
    for (const FbxMorphChannel &channel : channels) {
        shapes += channel.full.size();
    }
    for (unsigned m = 0; m < node->mNumMeshes; m++) {
        const aiMesh *mesh = scene->mMeshes[node->mMeshes[m]];
        if (mesh->mNumAnimMeshes != shapes) {
            childWarn(model, "the weights of the morph targets of mesh '%.100s' are not read", mesh->mName.C_Str());
            return {};
        }
    }
    return channels;
}

/* The node below which applyGeometry put the meshes; the node itself. */
const aiNode *carrierOf(const aiNode *node) {
    for (unsigned i = 0; i < node->mNumChildren && node->mNumMeshes == 0; i++) {
        if (node->mChildren[i]->mName == aiString(std::string(node->mName.C_Str()) + " geometry")) {
            return node->mChildren[i];
        }
    }
    return node;
}

} // namespace

FbxMorphs fbxReadMorphs(const FbxDocument &document, const FbxNodes &nodes, const aiScene *scene, Model *model) {
    FbxMorphs morphs;
    std::vector<bool> named(scene->mNumMeshes);
    for (const auto &entry : nodes) {
        const aiNode *carrier = carrierOf(entry.first);
        const FbxMorphChannels channels = nodeChannels(document, *entry.second, carrier, scene, model);
        for (unsigned m = 0; m < carrier->mNumMeshes && !channels.empty(); m++) {
            const unsigned index = carrier->mMeshes[m];
            if (!named[index]) {
                nameTargets(document, channels, scene->mMeshes[index]);
            }
            named[index] = true;
            morphs[carrier] = channels;
        }
    }
    return morphs;
}

void fbxAddWeights(const FbxMorphChannel &channel, double percent, std::vector<double> *weights) {
    const std::vector<double> &full = channel.full;
    const size_t above = size_t(std::lower_bound(full.begin(), full.end(), percent) - full.begin());
    const size_t first = weights->size();
    weights->resize(first + full.size(), 0.0);
    double *own = weights->data() + first;
    if (above == 0) {
        own[0] = percent / full[0];
    } else if (above == full.size()) {
        own[above - 1] = percent / full[above - 1];
    } else {
        own[above] = shareAt(full[above - 1], full[above], percent);
        own[above - 1] = 1.0 - own[above];
    }
}
