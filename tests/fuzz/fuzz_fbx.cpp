/*
 * fuzz_fbx.cpp: bytes as an .fbx file, text or binary: the tree of records, its objects, and the nodes, morph targets and
 * clips that come of them.
 *
 * assimp's part is made here from the same objects: nodes as they are connected, with a mesh for each geometry. So the
 * converter gets what it may get of a good file, however broken the rest of the file is.
 */
extern "C" {
#include "fuzz_target.h"

#include "engine_error.h"
}

#include "fbx_clips.h"
#include "parser.h"

#define NODES_MAX 64u
#define DEPTH_MAX 16u

namespace {

aiAnimMesh *makeShape() {
    aiAnimMesh *shape = new aiAnimMesh();
    shape->mName = aiString(std::string("shape"));
    return shape;
}

/* A mesh with as many targets as the deformers below a geometry have shapes. */
aiMesh *makeMesh(const FbxDocument &document, const FbxRecord &geometry) {
    std::vector<aiAnimMesh *> shapes;
    for (const FbxLink &deformer : document.lower(geometry, "Deformer")) {
        for (const FbxLink &channel : document.lower(*deformer.object, "Deformer")) {
            const size_t count = document.lower(*channel.object, "Geometry").size();
            for (size_t i = 0; deformer.object->textOf(2) == "BlendShape" && i < count; i++) {
                shapes.push_back(makeShape());
            }
        }
    }
    aiMesh *mesh = new aiMesh();
    if (!shapes.empty()) {
        mesh->mNumAnimMeshes = unsigned(shapes.size());
        mesh->mAnimMeshes = new aiAnimMesh *[shapes.size()];
        std::copy(shapes.begin(), shapes.end(), mesh->mAnimMeshes);
    }
    return mesh;
}

struct SceneMaker {
    const FbxDocument &document;
    std::vector<aiMesh *> meshes;
    size_t nodes;

    void addBelow(aiNode *node, int64_t id, unsigned depth) {
        const auto links = document.below.find(id);
        for (size_t i = 0; links != document.below.end() && i < links->second.size() && depth < DEPTH_MAX; i++) {
            const FbxRecord *object = links->second[i].object;
            if (object->name == "Model" && links->second[i].property.empty() && nodes < NODES_MAX) {
                nodes++;
                aiNode *child = new aiNode(fbxName(*object));
                addMeshes(child, *object);
                node->addChildren(1, &child);
                addBelow(child, fbxId(*object), depth + 1);
            }
        }
    }

    void addMeshes(aiNode *node, const FbxRecord &object) {
        const std::vector<FbxLink> geometries = document.lower(object, "Geometry");
        node->mMeshes = new unsigned[geometries.size() + 1];
        for (const FbxLink &geometry : geometries) {
            node->mMeshes[node->mNumMeshes++] = unsigned(meshes.size());
            meshes.push_back(makeMesh(document, *geometry.object));
        }
    }
};

void makeScene(const FbxDocument &document, aiScene *scene) {
    SceneMaker maker = {document, {}, 0};
    scene->mRootNode = new aiNode("root");
    maker.addBelow(scene->mRootNode, 0, 0);
    if (!maker.meshes.empty()) {
        scene->mNumMeshes = unsigned(maker.meshes.size());
        scene->mMeshes = new aiMesh *[maker.meshes.size()];
        std::copy(maker.meshes.begin(), maker.meshes.end(), scene->mMeshes);
    }
}

/* The nodes of the model, which have no meshes here. */
std::vector<const aiNode *> addNodes(const aiScene *scene, Model *model) {
    std::vector<const aiNode *> nodes = {scene->mRootNode};
    std::vector<int32_t> parents = {-1};
    for (size_t i = 0; i < nodes.size(); i++) {
        const aiNode *node = nodes[i];
        nodes.insert(nodes.end(), node->mChildren, node->mChildren + node->mNumChildren);
        parents.insert(parents.end(), node->mNumChildren, int32_t(i));
    }
    model->nodes = newArray<ModelNode>(nodes.size());
    for (; model->nodeCount < nodes.size(); model->nodeCount++) {
        model->nodes[model->nodeCount] = {
            childCopyText(nodes[model->nodeCount]->mName.C_Str()), parents[model->nodeCount], {}, {}};
    }
    return nodes;
}

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    FbxScene fbx;
    aiScene scene;
    EngineError error = {};
    Model *model = newArray<Model>(1);
    fbxReadDocument(reinterpret_cast<const char *>(bytes), size, &fbx.document);
    makeScene(fbx.document, &scene);
    fbx.nodes = fbxPlaceNodes(fbx.document, &scene, model);
    fbx.morphs = fbxReadMorphs(fbx.document, fbx.nodes, &scene, model);
    const std::vector<const aiNode *> nodes = addNodes(&scene, model);
    std::vector<bool> animated(nodes.size());
    fbxConvertClips(fbx, nodes, animated, model);
    for (uint32_t i = 0; i < model->clipCount; i++) {
        FUZZ_CHECK(model->clips[i].trackCount <= 4 * nodes.size());
    }
    FUZZ_CHECK(model->clipCount == 0 || modelCheck(model, &error) || strstr(error.message, "duration"));
    modelFree(model);
    return 0;
}
