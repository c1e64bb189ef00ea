#include "gltf_source.h"
#include "parts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <tuple>

namespace {

/* ---- Attributes and triangles ---- */

/* A primitive on its way into a mesh of the model. */
struct Primitive {
    const GltfSource &source;
    const tinygltf::Mesh &fromMesh;
    const tinygltf::Primitive &from;
    ModelMesh *mesh;
};

std::string describeAccessor(const Primitive &primitive, const std::string &name) {
    return name + " of mesh '" + std::string(primitive.mesh->name).substr(0, 100) + "'";
}

/* Null where the primitive names no material, or one that does not exist. */
const GltfMaterial *materialOf(const Primitive &primitive) {
    const std::vector<GltfMaterial> &materials = primitive.source.materials;
    return isIndex(primitive.from.material, materials) ? &materials[size_t(primitive.from.material)] : nullptr;
}

/* Every attribute has one element per vertex. */
void requireCount(const Primitive &primitive, int accessor, const std::string &what) {
    size_t count = gltfAccessorCount(primitive.source, accessor);
    require(count == primitive.mesh->vertexCount ||
            engineFail(primitive.source.error, "%s has %zu elements for %u vertices", what.c_str(), count,
                       primitive.mesh->vertexCount));
}

/* Null where the attribute is absent. */
Array<float> readOptional(const Primitive &primitive, const std::map<std::string, int> &attributes,
                          const std::string &name, int components, const std::string &what) {
    int accessor = gltfFindAttribute(attributes, name);
    if (accessor < 0) {
        return nullptr;
    }
    requireCount(primitive, accessor, what);
    return gltfReadFloats(primitive.source, accessor, components, what);
}

/* For the mesh. */
float *readAttribute(const Primitive &primitive, const std::string &name, int components) {
    const std::string what = describeAccessor(primitive, name);
    return readOptional(primitive, primitive.from.attributes, name, components, what).release();
}

/*
 * KHR_texture_transform: scale, then rotation, then offset. A positive angle rotates the coordinates counter-clockwise
 * as the image shows them, with v downwards. The extension's formula has v upwards; its test model has v downwards.
 */
void transformTexcoords(const GltfPlace &place, ModelMesh *mesh) {
    double c = std::cos(place.rotation), s = std::sin(place.rotation);
    bool changed = place.rotation != 0.0 || place.offset[0] != 0.0 || place.offset[1] != 0.0 || place.scale[0] != 1.0 ||
                   place.scale[1] != 1.0;
    for (size_t i = 0; changed && mesh->texcoords && i < mesh->vertexCount; i++) {
        float *texcoord = mesh->texcoords + 2 * i;
        double u = double(texcoord[0]) * place.scale[0], v = double(texcoord[1]) * place.scale[1];
        texcoord[0] = float(c * u + s * v + place.offset[0]);
        texcoord[1] = float(c * v - s * u + place.offset[1]);
    }
}

void readTexcoords(const Primitive &primitive) {
    const GltfMaterial *material = materialOf(primitive);
    bool textured = material && material->textured;
    const std::string name = "TEXCOORD_" + std::to_string(textured ? material->place.texcoord : 0);
    primitive.mesh->texcoords = readAttribute(primitive, name, 2);
    if (textured) {
        transformTexcoords(material->place, primitive.mesh);
    }
}

/* COLOR_0, with or without alpha. */
void readColours(const Primitive &primitive) {
    ModelMesh *mesh = primitive.mesh;
    int accessor = gltfFindAttribute(primitive.from.attributes, "COLOR_0");
    const auto &accessors = primitive.source.document.accessors;
    bool three = isIndex(accessor, accessors) && accessors[size_t(accessor)].type == TINYGLTF_TYPE_VEC3;
    Array<float> read(readAttribute(primitive, "COLOR_0", three ? 3 : 4));
    if (!three) {
        mesh->colours = read.release();
        return;
    }
    mesh->colours = newArray<float>(4 * size_t(mesh->vertexCount));
    for (size_t v = 0; v < mesh->vertexCount; v++) {
        std::copy_n(&read[3 * v], 3, mesh->colours + 4 * v);
        mesh->colours[4 * v + 3] = 1.0f;
    }
}

/* The names of application-specific attributes begin with an underscore. */
void readBlendWeights(const Primitive &primitive) {
    ModelMesh *mesh = primitive.mesh;
    mesh->blendWeights = readAttribute(primitive, "_BLEND", 1);
    for (uint32_t v = 0; mesh->blendWeights && v < mesh->vertexCount; v++) {
        require(
            (mesh->blendWeights[v] >= 0.0f && mesh->blendWeights[v] <= 1.0f) ||
            engineFail(primitive.source.error, "_BLEND of mesh '%s' is outside 0 to 1 at vertex %u", mesh->name, v));
    }
}

void readAttributes(const Primitive &primitive) {
    ModelMesh *mesh = primitive.mesh;
    int accessor = gltfFindAttribute(primitive.from.attributes, "POSITION");
    mesh->positions = gltfReadFloats(primitive.source, accessor, 3, describeAccessor(primitive, "POSITION")).release();
    mesh->vertexCount = uint32_t(gltfAccessorCount(primitive.source, accessor));
    mesh->normals = readAttribute(primitive, "NORMAL", 3);
    mesh->tangents = readAttribute(primitive, "TANGENT", 4);
    readTexcoords(primitive);
    readColours(primitive);
    readBlendWeights(primitive);
}

/* The vertices of the primitive's corners in order; 0, 1, 2 ... without indices. */
std::vector<uint32_t> readCorners(const Primitive &primitive) {
    const GltfSource &source = primitive.source;
    uint32_t vertexCount = primitive.mesh->vertexCount;
    if (primitive.from.indices < 0) {
        std::vector<uint32_t> corners(vertexCount);
        std::iota(corners.begin(), corners.end(), 0);
        return corners;
    }
    Array<uint32_t> indices =
        gltfReadUnsigned(source, primitive.from.indices, 1, describeAccessor(primitive, "indices"));
    size_t count = gltfAccessorCount(source, primitive.from.indices);
    for (size_t i = 0; i < count; i++) {
        require(indices[i] < vertexCount ||
                engineFail(source.error, "index %zu of mesh '%s' names vertex %u, but there are %u", i,
                           primitive.mesh->name, indices[i], vertexCount));
    }
    return std::vector<uint32_t>(indices.get(), indices.get() + count);
}

void writeTriangles(ModelMesh *mesh, int mode, const std::vector<uint32_t> &corners) {
    size_t count = corners.size();
    size_t triangles = mode == TINYGLTF_MODE_TRIANGLES ? count / 3 : (count >= 3 ? count - 2 : 0);
    mesh->indices = newArray<uint32_t>(3 * triangles);
    for (size_t t = 0; t < triangles; t++) {
        /* As the specification orders them: section 3.7.2.1. */
        size_t first[3] = {3 * t, 3 * t + 1, 3 * t + 2};
        if (mode == TINYGLTF_MODE_TRIANGLE_STRIP) {
            first[0] = t;
            first[1] = t + 1 + t % 2;
            first[2] = t + 2 - t % 2;
        } else if (mode == TINYGLTF_MODE_TRIANGLE_FAN) {
            first[0] = t + 1;
            first[1] = t + 2;
            first[2] = 0;
        }
        for (size_t corner : first) {
            mesh->indices[mesh->indexCount++] = corners[corner];
        }
    }
}

void readTriangles(const Primitive &primitive) {
    const std::vector<uint32_t> corners = readCorners(primitive);
    size_t count = corners.size();
    int mode = primitive.from.mode >= 0 ? primitive.from.mode : TINYGLTF_MODE_TRIANGLES;
    if (mode < TINYGLTF_MODE_TRIANGLES) {
        primitive.source.model->repairs.trianglesDropped += uint32_t(mode == TINYGLTF_MODE_LINE ? count / 2 : count);
        return;
    }
    require(count <= UINT32_MAX / 3 ||
            engineFail(primitive.source.error, "mesh '%s' has too many triangles", primitive.mesh->name));
    primitive.source.model->repairs.trianglesDropped += mode == TINYGLTF_MODE_TRIANGLES && count % 3 != 0;
    writeTriangles(primitive.mesh, mode, corners);
}

/* ---- Joints and weights ---- */

/* JOINTS_n and WEIGHTS_n: four influences per vertex. */
void readSet(const Primitive &primitive, const std::string &set, int jointAccessor, std::vector<Influence> &list) {
    const std::string what = describeAccessor(primitive, "JOINTS_" + set), name = "WEIGHTS_" + set;
    requireCount(primitive, jointAccessor, what);
    Array<uint32_t> joints = gltfReadUnsigned(primitive.source, jointAccessor, 4, what);
    Array<float> weights =
        readOptional(primitive, primitive.from.attributes, name, 4, describeAccessor(primitive, name));
    require(weights || engineFail(primitive.source.error, "mesh '%s' has JOINTS_%s, but no WEIGHTS_%s",
                                  primitive.mesh->name, set.c_str(), set.c_str()));
    for (size_t i = 0; i < 4 * size_t(primitive.mesh->vertexCount); i++) {
        list.push_back({uint32_t(i / 4), joints[i], weights[i]});
    }
}

/* Returns what influencesPack does. */
bool readInfluences(const Primitive &primitive) {
    std::vector<Influence> list;
    for (int set = 0;; set++) {
        const std::string number = std::to_string(set);
        int accessor = gltfFindAttribute(primitive.from.attributes, "JOINTS_" + number);
        if (accessor < 0) {
            return influencesPack(primitive.mesh, list.data(), list.size(), &primitive.source.model->repairs);
        }
        readSet(primitive, number, accessor, list);
    }
}

/* ---- Morph targets ---- */

/* Elements of deltas have 3 numbers, those of tangents too. Null where the target has none, or they are not wanted. */
Array<float> readDeltas(const Primitive &primitive, size_t target, const char *name, bool wanted) {
    if (!wanted) {
        return nullptr;
    }
    const std::string what = describeAccessor(primitive, std::string(name) + " of target " + std::to_string(target));
    Array<float> deltas = readOptional(primitive, primitive.from.targets[target], name, 3, what);
    for (size_t v = 0; deltas && v < primitive.mesh->vertexCount; v++) {
        require(finiteAll(&deltas[3 * v], 3) ||
                engineFail(primitive.source.error, "%s is not finite at vertex %zu", what.c_str(), v));
    }
    return deltas;
}

/* extras.targetNames, which many exporters write, has the names. A name of another type counts as absent. */
char *targetName(const tinygltf::Value &extras, size_t index) {
    const tinygltf::Value *list = extras.Has("targetNames") ? &extras.Get("targetNames") : nullptr;
    const tinygltf::Value *name = list && index < list->ArrayLen() ? &list->Get(int(index)) : nullptr;
    bool named = name && name->IsString() && !name->Get<std::string>().empty();
    return childCopyText((named ? name->Get<std::string>() : "target " + std::to_string(index)).c_str());
}

/*
 * Reads the deltas of positions. Reads those of normals if `normals` is set, and then those of tangents if the mesh has
 * tangents. Ignores those of texture coordinates and colours.
 */
void readMorphs(const Primitive &primitive, bool normals) {
    ModelMesh *mesh = primitive.mesh;
    size_t count = primitive.from.targets.size();
    mesh->morphs = newArray<ModelMorph>(count);
    for (size_t t = 0; t < count; t++) {
        ModelMorph *morph = &mesh->morphs[mesh->morphCount++];
        morph->name = targetName(primitive.fromMesh.extras, t);
        Array<float> positions = readDeltas(primitive, t, "POSITION", true);
        Array<float> normalDeltas = readDeltas(primitive, t, "NORMAL", normals);
        Array<float> tangents = readDeltas(primitive, t, "TANGENT", normals && mesh->tangents);
        morphSetSparse(morph, mesh->vertexCount, {positions.get(), normalDeltas.get(), tangents.get()});
    }
}

/* ---- Primitives ---- */

/* Without normals the specification requires flat normals and no tangents, in morphs too. */
void makeFlat(const Primitive &primitive) {
    ModelMesh *mesh = primitive.mesh;
    primitive.source.model->repairs.normalsComputed++;
    std::free(mesh->tangents);
    mesh->tangents = nullptr;
    meshSplit(mesh);
    meshComputeNormals(mesh);
    meshComputeMorphNormals(mesh);
    meshWeld(mesh);
}

/* Some exporters write one list of vertices for all primitives of a file. Each then keeps those of its triangles. */
bool sharesPositions(const Primitive &primitive) {
    return primitive.source.positionUses[size_t(gltfFindAttribute(primitive.from.attributes, "POSITION"))] > 1;
}

/*
 * Converts to primitive.mesh, which has a name alone. skinned: joints and weights are read; else every vertex follows
 * joint 0. A primitive without triangles or without positions leaves indexCount 0. Returns what influencesPack does.
 */
bool convertPrimitive(const Primitive &primitive, bool skinned) {
    ModelMesh *mesh = primitive.mesh;
    bool nodeBoneFirst = false;
    mesh->material =
        materialOf(primitive) ? uint32_t(primitive.from.material) : primitive.source.model->materialCount - 1;
    if (gltfFindAttribute(primitive.from.attributes, "POSITION") < 0) {
        return false;
    }
    readAttributes(primitive);
    readTriangles(primitive);
    if (skinned) {
        nodeBoneFirst = readInfluences(primitive);
    } else {
        influencesRigid(mesh);
    }
    bool normalsGiven = mesh->normals != nullptr;
    require(meshFinishAttributes(primitive.source.model, mesh, primitive.source.error));
    if (mesh->indexCount > 0) {
        readMorphs(primitive, normalsGiven);
        if (!normalsGiven) {
            makeFlat(primitive);
        } else if (sharesPositions(primitive)) {
            meshWeld(mesh);
        }
        if (primitive.source.model->materials[mesh->material].maps[MODEL_MAP_NORMAL] >= 0) {
            meshComputeTangents(mesh);
        }
    }
    return nodeBoneFirst;
}

/* ---- Parts ---- */

/* The weights at rest of a mesh that `node` carries: the node's own, else the mesh's; empty where neither has any. */
std::vector<float> readRestWeights(const GltfSource &source, const tinygltf::Node &node, const tinygltf::Mesh &mesh) {
    bool own = !node.weights.empty();
    const std::vector<double> &given = own ? node.weights : mesh.weights;
    const char *kind = own ? "node" : "mesh", *name = own ? node.name.c_str() : mesh.name.c_str();
    size_t targets = source.targetCounts[size_t(node.mesh)];
    require(
        given.empty() || given.size() == targets ||
        engineFail(source.error, "%s '%s' has %zu morph weights for %zu targets", kind, name, given.size(), targets));
    std::vector<float> weights(given.begin(), given.end());
    require(finiteAll(weights.data(), weights.size()) ||
            engineFail(source.error, "%s '%s' has a morph weight that is not finite", kind, name));
    return weights;
}

void readInverseBinds(const GltfSource &source, int index, const tinygltf::Skin &skin, Bones &bones) {
    int accessor = skin.inverseBindMatrices;
    Array<float> columns = gltfReadFloats(source, accessor, 16, "inverseBindMatrices of skin " + std::to_string(index));
    size_t count = gltfAccessorCount(source, accessor);
    require(count >= skin.joints.size() ||
            engineFail(source.error, "skin %d has %zu joints, but %zu inverse bind matrices", index, skin.joints.size(),
                       count));
    require(finiteAll(columns.get(), skin.joints.size() * 16) ||
            engineFail(source.error, "skin %d has an inverse bind matrix that is not finite", index));
    for (size_t j = 0; j < skin.joints.size(); j++) {
        bones.inverseBinds[j] = gltfAffine(&columns[16 * j]);
    }
}

Bones readBones(const GltfSource &source, int index) {
    Bones bones;
    const tinygltf::Model &document = source.document;
    require(isIndex(index, document.skins) ||
            engineFail(source.error, "a node names skin %d, but there are %zu", index, document.skins.size()));
    const tinygltf::Skin &skin = document.skins[size_t(index)];
    require(!skin.joints.empty() || engineFail(source.error, "skin %d has no joints", index));
    for (size_t j = 0; j < skin.joints.size(); j++) {
        require(isIndex(skin.joints[j], document.nodes) ||
                engineFail(source.error, "skin %d names node %d, but there are %zu", index, skin.joints[j],
                           document.nodes.size()));
        bones.nodes.push_back(source.modelNodes[size_t(skin.joints[j])]);
    }
    bones.inverseBinds.resize(bones.nodes.size(), vkskinIdentityAffine());
    if (skin.inverseBindMatrices >= 0) {
        readInverseBinds(source, index, skin, bones);
    }
    return bones;
}

/* What a converted primitive depends on. Equal primitives are converted once. Targets have names of their mesh. */
using PrimitiveKey = std::tuple<std::string, std::map<std::string, int>, int, int, int,
                                std::vector<std::map<std::string, int>>, const tinygltf::Mesh *>;

PrimitiveKey keyOf(const tinygltf::Mesh &mesh, const tinygltf::Primitive &primitive) {
    return {mesh.name,
            primitive.attributes,
            primitive.indices,
            primitive.material,
            primitive.mode,
            primitive.targets,
            primitive.targets.empty() ? nullptr : &mesh};
}

/* Nodes may carry a primitive with and without a skin: [0] rigid, [1] skinned. */
using Converted = std::map<PrimitiveKey, std::array<ConvertedMesh, 2>>;

/* A node and the mesh that it carries. */
struct Placing {
    const GltfSource &source;
    Parts &parts;
    const tinygltf::Node &node;
    uint32_t modelNode;
    const tinygltf::Mesh &mesh;
    std::vector<float> morphWeights; /* at rest; empty: all 0; primitives with fewer targets have the first ones */
};

/* The part's bones: those of the skin; the node itself where the mesh is rigid. */
Bones bonesFor(const Placing &placing, bool skinned, const ConvertedMesh &converted) {
    Bones bones = skinned ? readBones(placing.source, placing.node.skin) : Bones();
    if (converted.nodeBoneFirst || !skinned) {
        partsPrependNode(bones, placing.modelNode);
    }
    const ModelMesh *mesh = &placing.source.model->meshes[converted.mesh];
    uint32_t shift = converted.nodeBoneFirst;
    require(mesh->boneCount <= bones.nodes.size() ||
            engineFail(placing.source.error, "mesh '%s' names joint %u, but skin %d has %zu", mesh->name,
                       mesh->boneCount - 1 - shift, placing.node.skin, bones.nodes.size() - shift));
    return bones;
}

void placePrimitive(const Placing &placing, const tinygltf::Primitive &from, std::array<ConvertedMesh, 2> &entry) {
    Model *model = placing.source.model;
    bool skinned = placing.node.skin >= 0 && gltfFindAttribute(from.attributes, "JOINTS_0") >= 0;
    ConvertedMesh &converted = entry[skinned];
    if (!converted.done) {
        ModelMesh *mesh = partsBeginMesh(model, &converted);
        mesh->name = childCopyText(placing.mesh.name.c_str());
        converted.nodeBoneFirst = convertPrimitive({placing.source, placing.mesh, from, mesh}, skinned);
        partsEndMesh(model, &converted);
    }
    if (converted.empty) {
        return;
    }
    partsAdd(placing.parts, converted.mesh, placing.modelNode, bonesFor(placing, skinned, converted),
             placing.morphWeights);
}

/* Whether the node is in the scene and carries a mesh. */
bool carries(const GltfSource &source, size_t node) {
    return source.document.nodes[node].mesh >= 0 && source.shown[source.modelNodes[node]];
}

uint32_t countPlaces(const GltfSource &source) {
    const tinygltf::Model &document = source.document;
    size_t count = 0;
    for (size_t n = 0; n < document.nodes.size(); n++) {
        if (carries(source, n)) {
            int mesh = document.nodes[n].mesh;
            require(
                isIndex(mesh, document.meshes) ||
                engineFail(source.error, "node %zu names mesh %d, but there are %zu", n, mesh, document.meshes.size()));
            count += document.meshes[size_t(mesh)].primitives.size();
        }
    }
    return uint32_t(count);
}

} // namespace

void gltfConvertMeshes(const GltfSource &source) {
    const tinygltf::Model &document = source.document;
    Parts parts = partsBegin(source.model, countPlaces(source));
    Converted converted;
    for (size_t n = 0; n < document.nodes.size(); n++) {
        if (!carries(source, n)) {
            continue;
        }
        const tinygltf::Node &node = document.nodes[n];
        const tinygltf::Mesh &mesh = document.meshes[size_t(node.mesh)];
        Placing placing = {source, parts, node, source.modelNodes[n], mesh, readRestWeights(source, node, mesh)};
        for (const tinygltf::Primitive &primitive : mesh.primitives) {
            placePrimitive(placing, primitive, converted[keyOf(mesh, primitive)]);
        }
    }
}
