#include "model_surface.h"

VkskinSurfaceDef modelSurface(const ModelMesh *mesh) {
    static const uint32_t none; /* of a mesh without triangles: no pointer may be null */
    VkskinSurfaceDef surface = vkskinDefaultSurfaceDef();
    surface.name = mesh->name;
    surface.vertexCount = mesh->vertexCount;
    surface.boneCount = mesh->boneCount;
    surface.positions = mesh->positions;
    surface.influencesPerVertex = mesh->influences;
    surface.jointFormat = VKSKIN_JOINTS_U32;
    surface.joints = mesh->joints;
    surface.weights = mesh->weights;
    surface.indexCount = mesh->indexCount;
    surface.indices = mesh->indexCount > 0 ? mesh->indices : &none;
    return surface;
}
