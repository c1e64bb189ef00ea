#include "character_mesh.h"

#include <stdlib.h>

#include "model_mesh.h"
#include "parallel.h"

static bool outOfMemory(EngineError *error) {
    return engineFail(error, "out of memory");
}

/* ---- The library's mesh ---- */

/* What a VkskinMeshDef leads to and the model does not have as the library wants it. */
typedef struct MeshData {
    VkskinMorphTarget *morphs; /* [morphCount] */
    float *blendWeights;       /* [vertexCount], or null where the model's own serve or nobody asks */
    void *centres;             /* null where nobody asks */
} MeshData;

static bool createMorphs(const ModelMesh *source, MeshData *data, EngineError *error) {
    if (source->morphCount == 0) {
        return true;
    }
    data->morphs = calloc(source->morphCount, sizeof(*data->morphs));
    for (uint32_t i = 0; i < source->morphCount && data->morphs; i++) {
        const ModelMorph *morph = &source->morphs[i];
        data->morphs[i] = (VkskinMorphTarget){.vertexCount = morph->vertexCount,
                                              .vertices = morph->vertices,
                                              .positions = morph->positions,
                                              .normals = morph->normals,
                                              .tangents = morph->tangents};
    }
    return data->morphs || outOfMemory(error);
}

static bool createBlendWeights(const CharacterDef *def, const ModelMesh *source, MeshData *data, EngineError *error) {
    if (source->blendWeights || (def->ways & 1u << SKIN_WAY_BLEND) == 0) {
        return true;
    }
    data->blendWeights = malloc(source->vertexCount * sizeof(*data->blendWeights));
    for (uint32_t i = 0; i < source->vertexCount && data->blendWeights; i++) {
        data->blendWeights[i] = def->skin.blend;
    }
    return data->blendWeights || outOfMemory(error);
}

static bool createCentres(Skinning *skinning, const CharacterDef *def, const ModelMesh *source, MeshData *data,
                          EngineError *error) {
    if ((def->ways & 1u << SKIN_WAY_COR) == 0) {
        return true;
    }
    VkskinSurfaceDef surface = modelSurface(source);
    surface.parallel = parallelFor;
    surface.progress = def->progress;
    surface.progressUser = def->progressUser;
    surface.logger = skinning->logger;
    size_t size = vkskinCentresSize(source->vertexCount);
    data->centres = malloc(size);
    if (!data->centres) {
        return outOfMemory(error);
    }
    VkskinResult result = vkskinComputeCentres(&surface, data->centres, size);
    return result >= 0 || skinningFail(skinning, error, source->name, result);
}

static bool createData(Skinning *skinning, const CharacterDef *def, const ModelMesh *source, MeshData *data,
                       EngineError *error) {
    return createMorphs(source, data, error) && createBlendWeights(def, source, data, error) &&
           createCentres(skinning, def, source, data, error);
}

static void freeData(MeshData *data) {
    free(data->morphs);
    free(data->blendWeights);
    free(data->centres);
}

static VkskinMeshDef meshDef(const CharacterDef *def, const ModelMesh *source, const MeshData *data) {
    VkskinMeshDef mesh = vkskinDefaultMeshDef();
    mesh.name = source->name;
    mesh.vertexCount = source->vertexCount;
    mesh.boneCount = source->boneCount;
    mesh.positions = source->positions;
    mesh.normals = source->normals;
    mesh.tangents = source->tangents;
    mesh.influencesPerVertex = source->influences;
    mesh.jointFormat = VKSKIN_JOINTS_U32;
    mesh.joints = source->joints;
    mesh.weights = source->weights;
    mesh.maxInfluences = def->skin.maxInfluences;
    mesh.weightFormat = def->skin.weights;
    mesh.format = def->format;
    mesh.normalRule = def->skin.normals;
    mesh.blendWeights = data->blendWeights ? data->blendWeights : source->blendWeights;
    mesh.centres = data->centres;
    mesh.centresSize = data->centres ? vkskinCentresSize(source->vertexCount) : 0;
    mesh.morphTargets = data->morphs;
    mesh.morphTargetCount = source->morphCount;
    return mesh;
}

static bool createSkinned(Skinning *skinning, const CharacterDef *def, const ModelMesh *source, VkskinMesh *mesh,
                          EngineError *error) {
    MeshData data = {0};
    bool created = createData(skinning, def, source, &data, error);
    if (created) {
        VkskinMeshDef made = meshDef(def, source, &data);
        VkskinResult result = vkskinCreateMesh(skinning->context, &made, mesh);
        created = result >= 0 || skinningFail(skinning, error, source->name, result);
    }
    freeData(&data);
    return created;
}

/* ---- Static streams ---- */

static bool createTexcoords(Device *device, const ModelMesh *source, CharacterMesh *mesh, EngineError *error) {
    size_t size = (size_t)source->vertexCount * 2 * sizeof(float);
    float *zeros = source->texcoords ? NULL : calloc(1, size);
    if (!source->texcoords && !zeros) {
        return outOfMemory(error);
    }
    bool made = bufferCreateFilled(device, zeros ? zeros : source->texcoords, size, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT,
                                   "texture coordinates", &mesh->texcoords, error);
    free(zeros);
    return made;
}

static bool createIndices(Device *device, const ModelMesh *source, CharacterMesh *mesh, EngineError *error) {
    mesh->indexCount = source->indexCount;
    mesh->vertexCount = source->vertexCount;
    mesh->indexType = source->vertexCount <= 65535 ? VK_INDEX_TYPE_UINT16 : VK_INDEX_TYPE_UINT32;
    if (source->indexCount == 0) {
        return true; /* skinned all the same; there is nothing to draw */
    }
    if (mesh->indexType == VK_INDEX_TYPE_UINT32) {
        return bufferCreateFilled(device, source->indices, (VkDeviceSize)source->indexCount * sizeof(uint32_t),
                                  VK_BUFFER_USAGE_INDEX_BUFFER_BIT, "indices", &mesh->indices, error);
    }
    uint16_t *narrow = malloc((size_t)source->indexCount * sizeof(*narrow));
    if (!narrow) {
        return outOfMemory(error);
    }
    for (uint32_t i = 0; i < source->indexCount; i++) {
        narrow[i] = (uint16_t)source->indices[i];
    }
    bool made = bufferCreateFilled(device, narrow, (VkDeviceSize)source->indexCount * sizeof(*narrow),
                                   VK_BUFFER_USAGE_INDEX_BUFFER_BIT, "indices", &mesh->indices, error);
    free(narrow);
    return made;
}

bool characterMeshCreate(Skinning *skinning, const CharacterDef *def, const ModelMesh *source, CharacterMesh *mesh,
                         EngineError *error) {
    Device *device = skinning->device;
    *mesh = (CharacterMesh){0};
    bool created = createSkinned(skinning, def, source, &mesh->mesh, error) &&
                   createTexcoords(device, source, mesh, error) && createIndices(device, source, mesh, error);
    if (!created) {
        characterMeshDestroy(skinning, mesh);
    }
    return created;
}

void characterMeshDestroy(Skinning *skinning, CharacterMesh *mesh) {
    if (mesh->mesh.index != 0) {
        /* Refused only while instances live, and then the context frees it. */
        (void)vkskinDestroyMesh(skinning->context, mesh->mesh);
    }
    bufferDestroy(skinning->device, &mesh->texcoords);
    bufferDestroy(skinning->device, &mesh->indices);
    *mesh = (CharacterMesh){0};
}
