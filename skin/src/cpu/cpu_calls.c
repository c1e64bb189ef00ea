#include "cookie.h"
#include "cpu_command_check.h"
#include "cpu_level.h"
#include "cpu_skin.h"
#include "mesh_check.h"
#include "mesh_info.h"
#include "methods.h"

/* Streams of a mesh are 32-bit words, counted by 32 bits. */
#define MOST_SOURCE_BYTES (4 * (uint64_t)UINT32_MAX)

#define FEW_COMMANDS 32u /* need no memory of the host's; nor do so many morph weights */
#define FEW_WEIGHTS  64u

struct VkskinCpuMesh_T {
    VkskinHostAllocator allocator;
    Host host; /* allocator: the one above */
    CpuMesh *mesh;
};

VkskinCpuMeshDef vkskinDefaultCpuMeshDef(void) {
    return (VkskinCpuMeshDef){.cookie = VKSKIN_COOKIE_CPU_MESH};
}

static VkskinResult checkDef(const VkskinCpuMeshDef *def) {
    if (!sknHostAllocatorIsComplete(def->allocator)) {
        return sknReport(&def->logger, VKSKIN_ERROR_NULL_ARGUMENT,
                         "vkskinCreateCpuMesh: a function of the allocator is null");
    }
    if (def->mesh == NULL) {
        return sknReport(&def->logger, VKSKIN_ERROR_NULL_ARGUMENT, "vkskinCreateCpuMesh: def->mesh is null");
    }
    Host host = {def->logger, def->allocator};
    return sknCheckMeshDef(&host, def->mesh, MOST_SOURCE_BYTES);
}

static VkskinResult makeMesh(const VkskinCpuMeshDef *def, VkskinCpuMesh *mesh) {
    VkskinCpuMesh made = sknHostAllocateArray(def->allocator, 1, sizeof *made);
    if (made == NULL) {
        return sknReport(&def->logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "vkskinCreateCpuMesh: no memory for the mesh");
    }
    made->allocator = sknHostAllocatorCopy(def->allocator);
    made->host = (Host){def->logger, &made->allocator};
    VkskinResult result = sknMakeCpuMesh(&made->host, def->mesh, &made->mesh);
    if (result < 0) {
        sknHostFree(def->allocator, made);
        return result;
    }
    *mesh = made;
    return sknReportMesh(&made->host, def->mesh, &made->mesh->info);
}

VkskinResult vkskinCreateCpuMesh(const VkskinCpuMeshDef *def, VkskinCpuMesh *mesh) {
    if (mesh != NULL) {
        *mesh = NULL;
    }
    if (def == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    if (def->cookie != VKSKIN_COOKIE_CPU_MESH) {
        return VKSKIN_ERROR_DEF_NOT_INITIALISED;
    }
    if (mesh == NULL) {
        return sknReport(&def->logger, VKSKIN_ERROR_NULL_ARGUMENT, "vkskinCreateCpuMesh: mesh is null");
    }
    VkskinResult result = checkDef(def);
    return result < 0 ? result : makeMesh(def, mesh);
}

void vkskinDestroyCpuMesh(VkskinCpuMesh mesh) {
    if (mesh != NULL) {
        const VkskinHostAllocator allocator = mesh->allocator;
        sknFreeCpuMesh(&allocator, mesh->mesh);
        sknHostFree(&allocator, mesh);
    }
}

VkskinResult vkskinGetCpuMeshInfo(VkskinCpuMesh mesh, VkskinMeshInfo *info) {
    if (mesh == NULL || info == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    *info = mesh->mesh->info;
    return VKSKIN_SUCCESS;
}

static VkskinResult checkCommands(VkskinCpuMesh mesh, const VkskinCpuCommand *commands, uint32_t count,
                                  uint64_t *weights) {
    if (count > 0 && commands == NULL) {
        return sknReport(&mesh->host.logger, VKSKIN_ERROR_NULL_ARGUMENT, "vkskinSkinOnCpu: commands is null");
    }
    for (uint32_t i = 0; i < count; i++) {
        VkskinResult result = sknCheckCpuCommand(&mesh->host.logger, &mesh->mesh->info, &commands[i], i);
        if (result < 0) {
            return result;
        }
        *weights += commands[i].morphWeightCount;
    }
    return VKSKIN_SUCCESS;
}

/* Of one side of the bones, those that are not zero; returns how many. */
static uint32_t gatherWeights(const CpuMesh *mesh, const VkskinCpuCommand *command, bool after,
                              CpuMorphWeight *weights) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < command->morphWeightCount; i++) {
        if (command->morphWeights[i] != 0.0f && mesh->morphsAfter[i] == after) {
            weights[count++] = (CpuMorphWeight){i, command->morphWeights[i]};
        }
    }
    return count;
}

static void skinAll(const CpuMesh *mesh, const VkskinCpuCommand *commands, uint32_t count, const VkskinCpuRun *run,
                    CpuCommand *gathered, CpuMorphWeight *weights) {
    for (uint32_t i = 0; i < count; i++) {
        const VkskinCpuCommand *command = &commands[i];
        CpuCommand *to = &gathered[i];
        *to = (CpuCommand){
            .palette = command->palette,
            .pair = mesh->info.boneCount > 0 ? sknFindMethodPair(command->method, command->encoding)
                                             : sknPlainPair(mesh->info.dimensions),
            .morphs = weights,
            .positions = command->positions,
            .attributes = command->attributes,
        };
        to->morphsBefore = gatherWeights(mesh, command, false, weights);
        to->morphsAfter = gatherWeights(mesh, command, true, weights + to->morphsBefore);
        weights += to->morphsBefore + to->morphsAfter;
    }
    CpuJob job = {.mesh = mesh, .commands = gathered, .count = count};
    sknSkinJobs(&job, 1, run);
}

static VkskinResult skinMany(VkskinCpuMesh mesh, const VkskinCpuCommand *commands, uint32_t count,
                             const VkskinCpuRun *run, uint64_t weightCount) {
    CpuCommand *gathered = sknHostAllocateArray(mesh->host.allocator, count, sizeof *gathered);
    CpuMorphWeight *weights = NULL;
    if (weightCount <= SIZE_MAX) {
        weights = sknHostAllocateArray(mesh->host.allocator, (size_t)weightCount, sizeof *weights);
    }
    bool enough = gathered != NULL && weights != NULL;
    if (enough) {
        skinAll(mesh->mesh, commands, count, run, gathered, weights);
    }
    sknHostFree(mesh->host.allocator, gathered);
    sknHostFree(mesh->host.allocator, weights);
    return enough ? VKSKIN_SUCCESS
                  : sknReport(&mesh->host.logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY,
                              "vkskinSkinOnCpu: no memory for %u commands", count);
}

VkskinResult vkskinSkinOnCpu(VkskinCpuMesh mesh, const VkskinCpuCommand *commands, uint32_t count,
                             const VkskinCpuRun *run) {
    if (mesh == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    VkskinCpuRun how = run != NULL ? *run : (VkskinCpuRun){.level = VKSKIN_CPU_AUTO};
    VkskinCpuLevel level = sknResolveCpuLevel(how.level);
    if (level == VKSKIN_CPU_LEVEL_COUNT) {
        return sknReport(&mesh->host.logger, VKSKIN_ERROR_INVALID_VALUE,
                         "vkskinSkinOnCpu: level %u is unknown or not of this machine", (unsigned)how.level);
    }
    how.level = level;
    uint64_t weightCount = 0;
    VkskinResult result = checkCommands(mesh, commands, count, &weightCount);
    if (result < 0) {
        return result;
    }
    if (count > FEW_COMMANDS || weightCount > FEW_WEIGHTS) {
        return skinMany(mesh, commands, count, &how, weightCount);
    }
    CpuCommand gathered[FEW_COMMANDS];
    CpuMorphWeight weights[FEW_WEIGHTS];
    skinAll(mesh->mesh, commands, count, &how, gathered, weights);
    return VKSKIN_SUCCESS;
}
