/* Reads .fbx files: from the document of a file to a model. */
#include "fbx_clips.h"
#include "fbx_materials.h"
#include "fbx_morphs.h"
#include "fbx_nodes.h"
#include "fbx_skins.h"
#include "readers.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <tuple>

namespace {

/* A geometry of the file with all that belongs to it, read once for all nodes that carry it. */
struct Mesh {
    FbxGeometry geometry;
    std::vector<FbxCut> cuts;
    FbxSkin skin;
    FbxMorphChannels channels;
    std::vector<FbxTarget> targets;
};

/* A node and a geometry that it carries. */
struct Carried {
    const FbxRecord *object; /* the Model */
    const FbxModel *node;
    const FbxRecord *geometry;
};

struct Source {
    FbxDocument document;
    FbxNodes nodes;
    std::vector<Carried> carried; /* in the order of the nodes; those that are shown */
    std::map<const FbxRecord *, Mesh> meshes;
    uint32_t hidden; /* nodes with meshes that are not shown */
    Model *model;
    EngineError *error;
};

/* ---- The scene ---- */

/* UnitScaleFactor: in centimetres. */
void readSpace(const FbxDocument &document, Model *model) {
    static const ModelUp axes[] = {MODEL_UP_X, MODEL_UP_Y, MODEL_UP_Z};
    const double axis = document.setting("UpAxis", 1.0), unit = document.setting("UnitScaleFactor", 0.0);
    model->up = axis == 0.0 || axis == 2.0 ? axes[size_t(axis)] : MODEL_UP_Y;
    model->metres = std::isfinite(float(unit)) && unit > 0.0 ? float(unit * 0.01) : 0.0f;
    if (document.setting("UpAxisSign", 1.0) < 0.0) {
        childWarn(model, "its up axis points down; the pictures show it upside down");
    }
}

VkskinTransform transformOf(const FbxTransform &from) {
    VkskinTransform transform = vkskinIdentityTransform();
    const double rotation[4] = {from.rotation.x, from.rotation.y, from.rotation.z, from.rotation.w};
    std::copy_n(from.translation.begin(), 3, transform.translation);
    std::copy_n(rotation, 4, transform.rotation);
    std::copy_n(from.scale.begin(), 3, transform.scale);
    return transform;
}

void addNodes(const Source &source) {
    Model *model = source.model;
    model->nodes = newArray<ModelNode>(source.nodes.list.size());
    for (const FbxNode &from : source.nodes.list) {
        ModelNode *node = &model->nodes[model->nodeCount++];
        node->name = childCopyText(from.name.c_str());
        node->parent = from.parent;
        node->rest = transformOf(from.rest);
        node->preTransform = vkskinIdentityAffine();
        require((finiteAll(node->rest.translation, 3) && finiteAll(node->rest.rotation, 4) &&
                 finiteAll(node->rest.scale, 3)) ||
                engineFail(source.error, "node '%s' has a transform that is not finite", node->name));
    }
}

/* ---- Geometries ---- */

bool isMesh(const FbxRecord &geometry) {
    return fbxType(geometry) == "Mesh" || geometry.child("PolygonVertexIndex");
}

void listGeometries(Source &source, const FbxRecord *object, const FbxModel &node) {
    const std::string name = fbxName(*object);
    for (const FbxLink &link : source.document.lower(*object, "Geometry")) {
        if (!isMesh(*link.object)) {
            childWarn(source.model, "node '%.100s' has a geometry of the type '%.100s', which is not read",
                      name.c_str(), fbxType(*link.object).c_str());
        } else if (node.alwaysHidden) {
            childWarn(source.model, "the mesh of node '%.100s' is hidden, and not shown", name.c_str());
            source.hidden++;
        } else {
            source.carried.push_back({object, &node, link.object});
        }
    }
}

void readMeshes(Source &source) {
    for (const Carried &carried : source.carried) {
        if (source.meshes.count(carried.geometry)) {
            continue;
        }
        Mesh &mesh = source.meshes[carried.geometry];
        mesh.geometry = fbxReadGeometry(*carried.geometry, fbxName(*carried.object), source.model);
        mesh.cuts = fbxCutGeometry(mesh.geometry, source.model);
        mesh.skin = fbxReadSkin(source.document, mesh.geometry, source.nodes, source.model);
        mesh.channels = fbxReadChannels(source.document, *carried.geometry);
        mesh.targets = fbxReadTargets(mesh.geometry, mesh.channels, source.model);
    }
}

/* The meshes of a node have the same targets: those of its first geometry. */
FbxMorphs listMorphs(Source &source) {
    FbxMorphs morphs;
    for (const Carried &carried : source.carried) {
        Mesh &mesh = source.meshes.at(carried.geometry);
        const auto [first, added] = morphs.emplace(carried.node->carrier, mesh.channels);
        const bool same = first->second.size() == mesh.channels.size() &&
                          (mesh.channels.empty() || first->second[0].object == mesh.channels[0].object);
        if (!added && !same) {
            childWarn(source.model, "the morph targets of mesh '%.100s' are left out: its node has another mesh",
                      mesh.geometry.name.c_str());
            mesh.channels = first->second;
            mesh.targets.clear();
            for (const FbxMorphChannel &channel : mesh.channels) {
                mesh.targets.insert(mesh.targets.end(), channel.full.size(), FbxTarget());
            }
        }
    }
    return morphs;
}

/* ---- Meshes and parts ---- */

using Converted =
    std::map<std::tuple<const FbxRecord *, uint32_t, uint32_t>, ConvertedMesh>; /* geometry, slot, material */

void convertMesh(const Source &source, const Mesh &from, const FbxCut &cut, uint32_t material, const std::string &uvSet,
                 ConvertedMesh *converted) {
    Model *model = source.model;
    ModelMesh *mesh = partsBeginMesh(model, converted);
    fbxFillMesh(from.geometry, cut, uvSet, mesh);
    mesh->material = material;
    model->repairs.normalsComputed += !from.geometry.smooth.empty();
    fbxFillMorphs(from.geometry, from.targets, cut, mesh);
    require(meshFinishAttributes(model, mesh, source.error));
    converted->nodeBoneFirst = fbxFillInfluences(from.skin, from.geometry, cut, mesh, &model->repairs);
    meshWeld(mesh);
    if (mesh->indexCount > 0 && model->materials[material].maps[MODEL_MAP_NORMAL] >= 0) {
        meshComputeTangents(mesh);
    }
    partsEndMesh(model, converted);
}

std::vector<float> restWeights(const FbxDocument &document, const FbxMorphChannels &channels) {
    std::vector<double> weights;
    for (const FbxMorphChannel &channel : channels) {
        fbxAddWeights(channel, fbxDeformPercent(document, channel), &weights);
    }
    return std::vector<float>(weights.begin(), weights.end());
}

/* Null where the node has no such material: files without materials are common. */
const FbxRecord *materialAt(const Source &source, const Carried &carried, const std::vector<FbxLink> &list,
                            uint32_t slot) {
    if (slot >= list.size() && !list.empty()) {
        childWarn(source.model, "the mesh of node '%.100s' has polygons of material %u, but there are %zu",
                  fbxName(*carried.object).c_str(), slot, list.size());
    }
    return slot < list.size() ? list[slot].object : nullptr;
}

void placeMesh(const Source &source, const Carried &carried, const FbxBindPose &poses, FbxMaterials &materials,
               Parts &parts, Converted &converted) {
    const Mesh &mesh = source.meshes.at(carried.geometry);
    const std::vector<FbxLink> list = source.document.lower(*carried.object, "Material");
    const std::vector<FbxLink> textures = source.document.lower(*carried.object, "Texture");
    const VkskinTransform geometric = transformOf(fbxGeometric(source.document, *carried.object));
    const FbxPlace place = {carried.object, carried.node->world, vkskinAffineFromTransform(&geometric)};
    const Bones bones = fbxBones(mesh.skin, source.nodes, poses, parts, place, source.error);
    const std::vector<float> weights = restWeights(source.document, mesh.channels);
    for (const FbxCut &cut : mesh.cuts) {
        const uint32_t material = fbxMaterial(&materials, materialAt(source, carried, list, cut.slot),
                                              textures.empty() ? nullptr : textures[0].object);
        ConvertedMesh &entry = converted[{carried.geometry, cut.slot, material}];
        if (!entry.done) {
            convertMesh(source, mesh, cut, material, materials.uvSets[material], &entry);
        }
        Bones own = bones;
        if (entry.nodeBoneFirst || mesh.skin.clusters.empty()) {
            partsPrependNode(own, carried.node->carrier);
        }
        if (!entry.empty) {
            partsAdd(parts, entry.mesh, carried.node->carrier, own, weights);
        }
    }
}

Parts addParts(const Source &source, const char *path) {
    size_t capacity = 0;
    for (const Carried &carried : source.carried) {
        capacity += source.meshes.at(carried.geometry).cuts.size();
    }
    FbxMaterials materials = fbxBeginMaterials(source.document, path, capacity, source.model);
    Parts parts = partsBegin(source.model, uint32_t(capacity));
    const FbxBindPose poses = fbxReadBindPose(source.document);
    Converted converted;
    for (const Carried &carried : source.carried) {
        placeMesh(source, carried, poses, materials, parts, converted);
    }
    if (source.model->materialCount == 0) {
        (void)fbxMaterial(&materials, nullptr, nullptr);
    }
    return parts;
}

/* ---- The file ---- */

const char *reasonForNone(const Source &source) {
    return source.hidden > 0        ? "every mesh is hidden"
           : source.carried.empty() ? "no meshes"
                                    : "its meshes have no polygons with known, finite points";
}

void readDocument(const uint8_t *bytes, size_t size, Source *source) {
    require(fbxReadDocument(reinterpret_cast<const char *>(bytes), size, &source->document, source->error));
    for (const std::string &warning : source->document.warnings) {
        childWarn(source->model, "%s", warning.c_str());
    }
}

} // namespace

Model *fbxParse(const char *path, EngineError *error) {
    FileBytes file;
    if (!fileRead(path, SIZE_MAX, &file)) {
        engineFail(error, "%s", errno ? std::strerror(errno) : "not a file");
        return nullptr;
    }
    const Array<uint8_t> owner(file.bytes);
    return fbxParseBytes(file.bytes, file.size, path, error);
}

Model *fbxParseBytes(const uint8_t *bytes, size_t size, const char *path, EngineError *error) {
    return makeModel([&](Model *model) {
        Source source = {};
        source.model = model;
        source.error = error;
        readDocument(bytes, size, &source);
        readSpace(source.document, model);
        const std::vector<FbxStack> stacks = fbxReadStacks(source.document);
        source.nodes = fbxReadNodes(source.document, stacks, model);
        addNodes(source);
        for (const FbxNode &node : source.nodes.list) {
            if (node.object) {
                listGeometries(source, node.object, source.nodes.models.at(node.object));
            }
        }
        readMeshes(source);
        const FbxMorphs morphs = listMorphs(source);
        fbxAddClips(source.document, stacks, source.nodes, morphs, addParts(source, path), error);
        require(model->partCount + model->clipCount + model->repairs.trianglesDropped > 0 ||
                engineFail(error, "%s", reasonForNone(source)));
    });
}
