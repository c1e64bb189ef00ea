#include "model_surface.h"

VkskinMeshDef meshDefOfModel(const ModelMesh *mesh) {
    static const uint32_t none; /* for a mesh without triangles: the preparation calls need a pointer */
    VkskinMeshDef def = vkskinDefaultMeshDef();
    def.name = mesh->name;
    def.vertexCount = mesh->vertexCount;
    def.boneCount = mesh->boneCount;
    def.positions = mesh->positions;
    def.normals = mesh->normals;
    def.tangents = mesh->tangents;
    def.influencesPerVertex = mesh->influences;
    def.jointFormat = VKSKIN_JOINTS_U32;
    def.joints = mesh->joints;
    def.weights = mesh->weights;
    def.blendWeights = mesh->blendWeights;
    def.indexCount = mesh->indexCount;
    def.indices = mesh->indexCount > 0 ? mesh->indices : &none;
    return def;
}
