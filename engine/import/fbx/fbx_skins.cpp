#include "fbx_skins.h"

#include <algorithm>
#include <cmath>

namespace {

/* ---- Clusters ---- */

/* A child of 16 numbers, four columns after each other. False: it has others. */
bool readMatrix(const FbxRecord &record, const char *child, VkskinAffine *matrix) {
    const std::vector<double> numbers = record.childNumbers(child);
    for (size_t i = 0; numbers.size() == 16 && i < 12; i++) {
        matrix->m[i % 3][i / 3] = float(numbers[i / 3 * 4 + i % 3]);
    }
    return numbers.size() == 16;
}

/* Many exporters give clusters no name: then that of the bone. */
std::string nameOf(const FbxCluster &cluster) {
    const std::string name = fbxName(*cluster.record);
    return name.empty() && cluster.bone ? fbxName(*cluster.bone) : name;
}

void warnOfMode(const FbxCluster &cluster, const FbxGeometry &geometry, Model *model) {
    const std::string mode = cluster.record->childText("Mode");
    if (!mode.empty() && mode != "Normalize" && mode != "TotalOne" && mode != "Total1") {
        childWarn(model, "cluster '%.100s' of mesh '%.100s' has the mode '%.100s'%s; its weights are normalised",
                  nameOf(cluster).c_str(), geometry.name.c_str(), mode.c_str(),
                  cluster.record->child("TransformAssociateModel") ? " with an associate model" : "");
    }
}

/* False: it has no bone. */
bool readCluster(const FbxDocument &document, const FbxRecord &record, const FbxGeometry &geometry,
                 const FbxNodes &nodes, FbxCluster *cluster, Model *model) {
    *cluster = {&record, nullptr, false, false, vkskinIdentityAffine(), vkskinIdentityAffine()};
    for (const FbxLink &link : document.lower(record, "Model")) {
        cluster->bone = !cluster->bone && nodes.models.count(link.object) ? link.object : cluster->bone;
    }
    if (!cluster->bone && !record.childIntegers("Indexes").empty()) {
        childWarn(model, "cluster '%.100s' of mesh '%.100s' has no bone; its weights are left out",
                  fbxName(record).c_str(), geometry.name.c_str());
    }
    cluster->hasMatrix = readMatrix(record, "Transform", &cluster->matrix);
    cluster->hasLink = readMatrix(record, "TransformLink", &cluster->link);
    warnOfMode(*cluster, geometry, model);
    return cluster->bone != nullptr;
}

/* The first deformer of kind Skin with bones. */
const FbxRecord *findSkin(const FbxDocument &document, const FbxGeometry &geometry, const FbxNodes &nodes,
                          FbxSkin *skin, Model *model) {
    const FbxRecord *found = nullptr;
    for (const FbxLink &deformer : document.lower(*geometry.record, "Deformer")) {
        if (fbxType(*deformer.object) != "Skin") {
            continue;
        }
        if (found) {
            childWarn(model, "mesh '%.100s' has a second skin, '%.100s', which is not read", geometry.name.c_str(),
                      fbxName(*deformer.object).c_str());
            break;
        }
        for (const FbxLink &link : document.lower(*deformer.object, "Deformer")) {
            FbxCluster cluster;
            if (readCluster(document, *link.object, geometry, nodes, &cluster, model)) {
                skin->clusters.push_back(cluster);
            }
        }
        found = skin->clusters.empty() ? nullptr : deformer.object;
    }
    return found;
}

/* ---- Weights ---- */

struct Entry {
    size_t point;
    FbxPointWeight weight;
};

void readWeights(const FbxCluster &cluster, uint32_t number, const FbxGeometry &geometry, std::vector<Entry> *entries,
                 Model *model) {
    const std::vector<int64_t> indices = cluster.record->childIntegers("Indexes");
    const std::vector<double> values = cluster.record->childNumbers("Weights");
    size_t unknown = std::max(indices.size(), values.size()) - std::min(indices.size(), values.size());
    for (size_t i = 0; i < std::min(indices.size(), values.size()); i++) {
        const bool there = indices[i] >= 0 && size_t(indices[i]) < geometry.pointCount();
        unknown += !there;
        if (there) {
            entries->push_back({size_t(indices[i]), {number, values[i]}});
        }
    }
    if (unknown > 0) {
        childWarn(model, "%zu weights of cluster '%.100s' are left out: mesh '%.100s' has no such points", unknown,
                  nameOf(cluster).c_str(), geometry.name.c_str());
    }
}

/* In the order of points, then of clusters; those of one cluster and point become their sum. */
void sortWeights(std::vector<Entry> &entries, size_t points, FbxSkin *skin) {
    std::stable_sort(entries.begin(), entries.end(), [](const Entry &a, const Entry &b) { return a.point < b.point; });
    size_t next = 0;
    for (size_t p = 0; p < points; p++) {
        skin->first.push_back(skin->weights.size());
        for (; next < entries.size() && entries[next].point == p; next++) {
            const FbxPointWeight &added = entries[next].weight;
            const bool again = skin->weights.size() > skin->first[p] && skin->weights.back().cluster == added.cluster;
            if (again) {
                skin->weights.back().weight += added.weight;
            } else {
                skin->weights.push_back(added);
            }
        }
    }
    skin->first.push_back(skin->weights.size());
}

/* SkinningType: a record of the deformer. "Rigid" is linear with one bone a point. */
void readBlend(const FbxRecord &deformer, size_t points, FbxSkin *skin) {
    const std::string type = deformer.childText("SkinningType");
    if (type == "DualQuaternion") {
        skin->blend.assign(points, 1.0f);
    }
    if (type != "Blend") {
        return;
    }
    const std::vector<int64_t> at = deformer.childIntegers("Indexes");
    const std::vector<double> values = deformer.childNumbers("BlendWeights");
    skin->blend.assign(points, 0.0f);
    for (size_t i = 0; i < std::min(at.size(), values.size()); i++) {
        if (at[i] >= 0 && size_t(at[i]) < points && std::isfinite(values[i])) {
            skin->blend[size_t(at[i])] = float(std::fmin(std::fmax(values[i], 0.0), 1.0));
        }
    }
}

/* ---- Matrices ---- */

/* The world of a Model at bind; at rest where the file has no bind pose of it. */
VkskinAffine bindWorld(const FbxBindPose &poses, const Parts &parts, const FbxRecord *object, uint32_t node) {
    const auto pose = poses.find(object);
    return pose == poses.end() ? parts.restWorlds[node] : pose->second;
}

VkskinAffine meshToBone(const FbxCluster &cluster, uint32_t bone, const FbxBindPose &poses, const Parts &parts,
                        const FbxPlace &place) {
    if (cluster.hasMatrix) {
        return cluster.matrix;
    }
    const VkskinAffine link = cluster.hasLink ? cluster.link : bindWorld(poses, parts, cluster.bone, bone);
    const VkskinAffine mesh = bindWorld(poses, parts, place.object, place.node);
    VkskinAffine inverse;
    if (vkskinInvertAffine(&link, &inverse) != VKSKIN_SUCCESS) {
        inverse = vkskinIdentityAffine();
    }
    return vkskinMultiplyAffine(&inverse, &mesh);
}

} // namespace

FbxBindPose fbxReadBindPose(const FbxDocument &document) {
    FbxBindPose poses;
    for (const auto &object : document.objects) {
        if (object.second->name != "Pose" || fbxType(*object.second) != "BindPose") {
            continue;
        }
        for (const FbxRecord &entry : object.second->children) {
            const FbxRecord *node = entry.name == "PoseNode" ? entry.child("Node") : nullptr;
            const auto found = node ? document.objects.find(node->integerOf(0)) : document.objects.end();
            VkskinAffine matrix;
            if (found != document.objects.end() && readMatrix(entry, "Matrix", &matrix)) {
                poses.emplace(found->second, matrix);
            }
        }
    }
    return poses;
}

FbxSkin fbxReadSkin(const FbxDocument &document, const FbxGeometry &geometry, const FbxNodes &nodes, Model *model) {
    FbxSkin skin;
    std::vector<Entry> entries;
    const FbxRecord *deformer = findSkin(document, geometry, nodes, &skin, model);
    if (!deformer) {
        return skin;
    }
    for (uint32_t i = 0; i < skin.clusters.size(); i++) {
        readWeights(skin.clusters[i], i, geometry, &entries, model);
    }
    sortWeights(entries, geometry.pointCount(), &skin);
    readBlend(*deformer, geometry.pointCount(), &skin);
    return skin;
}

bool fbxFillInfluences(const FbxSkin &skin, const FbxGeometry &geometry, const FbxCut &cut, ModelMesh *mesh,
                       ModelRepairs *repairs) {
    std::vector<Influence> list;
    if (skin.clusters.empty()) {
        influencesRigid(mesh);
        return false;
    }
    mesh->blendWeights = skin.blend.empty() ? nullptr : newArray<float>(mesh->vertexCount);
    for (uint32_t v = 0; v < mesh->vertexCount; v++) {
        const uint32_t point = geometry.corners[cut.corners[v]];
        for (size_t i = skin.first[point]; i < skin.first[point + 1]; i++) {
            list.push_back({v, skin.weights[i].cluster, float(skin.weights[i].weight)});
        }
        if (mesh->blendWeights) {
            mesh->blendWeights[v] = skin.blend[point];
        }
    }
    return influencesPack(mesh, list.data(), list.size(), repairs);
}

Bones fbxBones(const FbxSkin &skin, const FbxNodes &nodes, const FbxBindPose &poses, const Parts &parts,
               const FbxPlace &place, EngineError *error) {
    Bones bones;
    for (const FbxCluster &cluster : skin.clusters) {
        const uint32_t bone = nodes.models.at(cluster.bone).world;
        const VkskinAffine matrix = meshToBone(cluster, bone, poses, parts, place);
        bones.nodes.push_back(bone);
        bones.inverseBinds.push_back(vkskinMultiplyAffine(&matrix, &place.geometric));
        require(finiteAll(&bones.inverseBinds.back().m[0][0], 12) ||
                engineFail(error, "bone '%s' has an offset matrix that is not finite", fbxName(*cluster.bone).c_str()));
    }
    return bones;
}
