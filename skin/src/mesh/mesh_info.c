#include "mesh_info.h"

#include "mesh_plan.h"

static uint64_t roundUp(uint64_t bytes) {
    return (bytes + 15) / 16 * 16;
}

VkskinMeshInfo sknDescribeMesh(const VkskinMeshDef *def) {
    uint64_t positions = 4 * (uint64_t)def->dimensions * def->vertexCount;
    uint64_t attributes = 4 * (uint64_t)sknAttributeWords(def) * def->vertexCount;
    return (VkskinMeshInfo){
        .vertexCount = def->vertexCount,
        .boneCount = def->boneCount,
        .dimensions = def->dimensions,
        .morphTargetCount = def->morphTargetCount,
        .outputBytes = roundUp(positions) + roundUp(attributes),
        .hasNormals = def->normals != NULL,
        .hasTangents = def->tangents != NULL,
        .hasBlendWeights = def->blendWeights != NULL,
        .hasCentres = def->centres != NULL,
        .format = def->format,
        .normalRule = def->normalRule,
        .weightFormat = def->weightFormat,
    };
}

VkskinResult sknReportMesh(const Host *host, const VkskinMeshDef *def, const VkskinMeshInfo *info) {
    VkskinResult result = VKSKIN_SUCCESS;
    if (info->normalisedVertices > 0) {
        result = sknReport(&host->logger, VKSKIN_WARNING_WEIGHTS_NORMALISED,
                           "mesh %s: the weights of %u of %u vertices did not sum to one", sknMeshName(def),
                           info->normalisedVertices, info->vertexCount);
    }
    if (info->trimmedVertices > 0) {
        result = sknReport(&host->logger, VKSKIN_WARNING_INFLUENCES_TRIMMED,
                           "mesh %s: %u of %u vertices lost influences, at most %.3g of their weight", sknMeshName(def),
                           info->trimmedVertices, info->vertexCount, (double)info->trimmedWeight);
    }
    return result;
}
