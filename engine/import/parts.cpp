/* Parts of a model: see parts.h. */
#include "parts.h"

#include <algorithm>

namespace {

template <typename T> T *copyArray(const std::vector<T> &from) {
    T *to = newArray<T>(from.size());
    std::copy(from.begin(), from.end(), to);
    return to;
}

/* The closest node at or above `node` whose world has an inverse; `node` itself where none has. */
uint32_t invertibleAtOrAbove(const Parts &parts, uint32_t node) {
    VkskinAffine inverse;
    int64_t at = node;
    while (at >= 0 && vkskinInvertAffine(&parts.restWorlds[size_t(at)], &inverse) != VKSKIN_SUCCESS) {
        at = parts.model->nodes[at].parent;
    }
    return at >= 0 ? uint32_t(at) : node;
}

bool sameBones(const ModelSkin &skin, const Bones &bones) {
    return skin.boneCount == bones.nodes.size() && std::equal(bones.nodes.begin(), bones.nodes.end(), skin.boneNodes) &&
           std::memcmp(skin.inverseBinds, bones.inverseBinds.data(), skin.boneCount * sizeof *skin.inverseBinds) == 0;
}

/* The index of an equal skin, or of a new one. */
uint32_t findOrAddSkin(Parts &parts, uint32_t node, const Bones &bones) {
    Model *model = parts.model;
    const VkskinAffine &world = parts.restWorlds[node];
    for (uint32_t i = 0; i < model->skinCount; i++) {
        const VkskinAffine &other = parts.restWorlds[parts.skinNodes[i]];
        if (sameBones(model->skins[i], bones) && std::memcmp(&world, &other, sizeof world) == 0) {
            return i;
        }
    }
    model->skins[model->skinCount] = {uint32_t(bones.nodes.size()), copyArray(bones.nodes),
                                      copyArray(bones.inverseBinds)};
    parts.skinNodes.push_back(node);
    return model->skinCount++;
}

} // namespace

Parts partsBegin(Model *model, uint32_t capacity) {
    Parts parts = {model, {}, {}};
    model->parts = newArray<ModelPart>(capacity);
    model->meshes = newArray<ModelMesh>(capacity);
    model->skins = newArray<ModelSkin>(capacity);
    for (uint32_t i = 0; i < model->nodeCount; i++) {
        const ModelNode &node = model->nodes[i];
        VkskinAffine rest = vkskinAffineFromTransform(&node.rest);
        VkskinAffine world = vkskinMultiplyAffine(&node.preTransform, &rest);
        parts.restWorlds.push_back(
            node.parent < 0 ? world : vkskinMultiplyAffine(&parts.restWorlds[size_t(node.parent)], &world));
    }
    return parts;
}

ModelMesh *partsBeginMesh(Model *model, ConvertedMesh *converted) {
    converted->done = true;
    converted->mesh = model->meshCount++;
    return &model->meshes[converted->mesh];
}

void partsEndMesh(Model *model, ConvertedMesh *converted) {
    if (model->meshes[converted->mesh].indexCount == 0) {
        converted->empty = true;
        modelFreeMesh(&model->meshes[converted->mesh]);
        model->meshCount--;
    }
}

void partsAdd(Parts &parts, uint32_t mesh, uint32_t node, const Bones &bones, const std::vector<float> &morphWeights) {
    Model *model = parts.model;
    uint32_t placed = invertibleAtOrAbove(parts, node);
    uint32_t skin = findOrAddSkin(parts, placed, bones);
    model->parts[model->partCount++] = {mesh, skin, placed, node,
                                        morphWeights.empty() ? nullptr : copyArray(morphWeights)};
}

void partsPrependNode(Bones &bones, uint32_t node) {
    bones.nodes.insert(bones.nodes.begin(), node);
    bones.inverseBinds.insert(bones.inverseBinds.begin(), vkskinIdentityAffine());
}
