#include "cpu_mesh.h"

#include "cpu_cut.h"
#include "cpu_rows.h"
#include "mesh_info.h"
#include "mesh_plan.h"
#include "morph_pack.h"
#include "shared_bones.h"

/* What is needed while a mesh is made. */
typedef struct Making {
    const Host *host;
    const VkskinMeshDef *def;
    CpuMesh *mesh;
    uint8_t *counts; /* [vertexCount]: influences */
    uint32_t *lanes; /* [vertexCount]: as sknWriteRows */
} Making;

void sknFreeCpuMesh(const VkskinHostAllocator *allocator, CpuMesh *mesh) {
    if (mesh == NULL) {
        return;
    }
    void *const memory[] = {
        mesh->rows,           mesh->runs,   mesh->parts,       mesh->spans,      mesh->places,     mesh->manyRow,
        mesh->manyInfluences, mesh->morphs, mesh->morphsAfter, mesh->morphWords, mesh->firstBones, mesh->sharedBones,
        mesh->sharedWeights,  mesh};
    for (size_t i = 0; i < sizeof memory / sizeof memory[0]; i++) {
        sknHostFree(allocator, memory[i]);
    }
}

/* What its influences come to is told by the plan that the device would have. */
static VkskinResult takeInfo(Making *making) {
    MeshPlan plan;
    making->mesh->info = sknDescribeMesh(making->def);
    VkskinResult result = sknPlanMesh(making->host, making->def, &plan, &making->mesh->info);
    if (result >= 0) {
        sknFreePlan(making->host, &plan);
    }
    return result;
}

static void countInfluences(Making *making) {
    Surface surface = sknMeshSurface(making->def, &making->host->logger);
    for (uint32_t v = 0; v < making->def->vertexCount; v++) {
        VertexInfluences influences;
        sknMeshVertex(making->def, &surface, v, &influences);
        making->counts[v] = (uint8_t)influences.count;
    }
}

static VkskinResult tooLarge(const Making *making, const char *what) {
    return sknReport(&making->host->logger, VKSKIN_ERROR_MESH_TOO_LARGE,
                     "mesh %s: the %s of %u vertices take more than 32-bit offsets can say", sknMeshName(making->def),
                     what, making->def->vertexCount);
}

static VkskinResult outOfMemory(const Making *making) {
    return sknReport(&making->host->logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "mesh %s: no memory for %u vertices",
                     sknMeshName(making->def), making->def->vertexCount);
}

static VkskinResult makeRows(Making *making) {
    CpuMesh *mesh = making->mesh;
    const VkskinHostAllocator *allocator = making->host->allocator;
    uint64_t rows = 0;
    countInfluences(making);
    if (!sknCutMesh(allocator, making->counts, mesh, &rows)) {
        return outOfMemory(making);
    }
    if (rows > UINT32_MAX || rows > SIZE_MAX / sizeof(Row)) {
        return tooLarge(making, "streams");
    }
    mesh->rows = sknHostAllocateLines(allocator, (size_t)rows * sizeof *mesh->rows);
    if (mesh->rows == NULL) {
        return outOfMemory(making);
    }
    sknWriteRows(&making->host->logger, making->def, making->counts, mesh, making->lanes);
    mesh->info.sourceBytes = rows * sizeof(Row);
    if (making->def->boneCount > 0) {
        if (!sknShareBones(allocator, mesh)) {
            return outOfMemory(making);
        }
        mesh->info.sourceBytes += mesh->firstBones[mesh->blockCount] * (uint64_t)(sizeof(Row) + sizeof(SharedBone));
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult makeMorphs(Making *making) {
    const VkskinMeshDef *def = making->def;
    const VkskinHostAllocator *allocator = making->host->allocator;
    CpuMesh *mesh = making->mesh;
    mesh->morphs = sknHostAllocateArray(allocator, def->morphTargetCount, sizeof *mesh->morphs);
    mesh->morphsAfter = sknHostAllocateArray(allocator, def->morphTargetCount, sizeof *mesh->morphsAfter);
    if (mesh->morphs == NULL || mesh->morphsAfter == NULL) {
        return outOfMemory(making);
    }
    uint64_t words = sknPlanMorphs(def, making->lanes, 0, mesh->morphs);
    if (words > UINT32_MAX) {
        return tooLarge(making, "morph targets");
    }
    mesh->morphWords = sknHostAllocateArray(allocator, (size_t)words, sizeof *mesh->morphWords);
    uint32_t *scratch = sknHostAllocateArray(allocator, sknMorphScratch(def, mesh->morphs), sizeof *scratch);
    bool enough = mesh->morphWords != NULL && scratch != NULL;
    if (enough) {
        sknWriteMorphs(def, making->lanes, mesh->morphs, scratch, mesh->morphWords);
        mesh->info.sourceBytes += 4 * words;
    }
    for (uint32_t i = 0; i < def->morphTargetCount; i++) {
        mesh->morphsAfter[i] = def->morphTargets[i].afterSkinning;
    }
    sknHostFree(allocator, scratch);
    return enough ? VKSKIN_SUCCESS : outOfMemory(making);
}

static VkskinResult makeMesh(Making *making) {
    const VkskinMeshDef *def = making->def;
    const VkskinHostAllocator *allocator = making->host->allocator;
    making->mesh = sknHostAllocateArray(allocator, 1, sizeof *making->mesh);
    making->counts = sknHostAllocateArray(allocator, def->vertexCount, sizeof *making->counts);
    making->lanes = sknHostAllocateArray(allocator, def->vertexCount, sizeof *making->lanes);
    if (making->mesh == NULL || making->counts == NULL || making->lanes == NULL) {
        return outOfMemory(making);
    }
    making->mesh->positionWords = def->dimensions;
    making->mesh->attributeWords = sknAttributeWords(def);
    making->mesh->map = sknMapRows(def);
    VkskinResult result = takeInfo(making);
    if (result >= 0) {
        result = makeRows(making);
    }
    return result < 0 || def->morphTargetCount == 0 ? result : makeMorphs(making);
}

VkskinResult sknMakeCpuMesh(const Host *host, const VkskinMeshDef *def, CpuMesh **mesh) {
    Making making = {.host = host, .def = def};
    VkskinResult result = makeMesh(&making);
    sknHostFree(host->allocator, making.counts);
    sknHostFree(host->allocator, making.lanes);
    if (result < 0) {
        sknFreeCpuMesh(host->allocator, making.mesh);
        making.mesh = NULL;
    }
    *mesh = making.mesh;
    return result;
}
