/*
 * The calls of vkskin_cpu.h: they check what the host passes.
 */
#include "command_rules.h"
#include "cookie.h"
#include "cpu_level.h"
#include "cpu_skin.h"
#include "interleaved.h"
#include "mesh_plan.h"
#include "methods.h"
#include "vkskin/vkskin_cpu.h"

#include <string.h>

/* ---- Meshes ---- */

/* Streams of a mesh are addressed by 32-bit word offsets. */
#define MAX_SOURCE_BYTES (4 * (uint64_t)UINT32_MAX)

/* The host chooses the memory of each stream; this only states outputBytes as for the device. */
#define DEFAULT_ALIGNMENT 16u

/* Calls of this size allocate no memory. */
#define STACK_COMMANDS 32u
#define STACK_WEIGHTS  64u

struct VkskinCpuMesh_T {
    VkskinHostAllocator allocator;
    Host host; /* allocator: the one above */
    CpuMesh *mesh;
};

VkskinCpuMeshDef vkskinDefaultCpuMeshDef(void) {
    return (VkskinCpuMeshDef){.cookie = VKSKIN_COOKIE_CPU_MESH};
}

static VkskinResult checkDef(const VkskinCpuMeshDef *def, const VkskinCpuMesh *place) {
    const VkskinResult null = VKSKIN_ERROR_NULL_ARGUMENT;
    const Subject subject = {&def->logger, "vkskinCreateCpuMesh", ""};
    const Rule rules[] = {
        {place == NULL, null, "mesh is null"},
        {!sknHostAllocatorIsComplete(def->allocator), null, "a function of the allocator is null"},
        {def->mesh == NULL, null, "def->mesh is null"},
    };
    return sknCheckRules(&subject, rules, SKN_COUNT(rules));
}

/* source: the def's mesh. */
static VkskinResult makeMesh(const VkskinCpuMeshDef *def, const VkskinMeshDef *source, VkskinCpuMesh *mesh) {
    VkskinCpuMesh made = sknHostAllocateArray(def->allocator, 1, sizeof *made);
    if (made == NULL) {
        return sknReport(&def->logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "vkskinCreateCpuMesh: no memory for the mesh");
    }
    made->allocator = sknHostAllocatorCopy(def->allocator);
    made->host = (Host){def->logger, &made->allocator};
    VkskinResult result = sknMakeCpuMesh(&made->host, source, DEFAULT_ALIGNMENT, &made->mesh);
    if (result < 0) {
        sknHostFree(def->allocator, made);
        return result;
    }
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a rule checked it, in another file */
    *mesh = made;
    return sknReportMesh(&made->host, source, &made->mesh->info);
}

static VkskinResult checkAndMakeMesh(const VkskinCpuMeshDef *def, VkskinCpuMesh *mesh) {
    const Host host = {def->logger, def->allocator};
    const VkskinMeshDef *source = def->mesh;
    InterleavedDef interleaved;
    VkskinResult result = sknResolveVertices(&def->logger, &source, &interleaved);
    if (result >= 0) {
        result = sknCheckMeshDef(&host, source, MAX_SOURCE_BYTES);
    }
    return result < 0 ? result : makeMesh(def, source, mesh);
}

VkskinResult vkskinCreateCpuMesh(const VkskinCpuMeshDef *def, VkskinCpuMesh *mesh) {
    if (mesh != NULL) {
        *mesh = NULL;
    }
    VkskinResult result = sknCheckCookie(def, VKSKIN_COOKIE_CPU_MESH);
    if (result >= 0) {
        result = checkDef(def, mesh);
    }
    return result < 0 ? result : checkAndMakeMesh(def, mesh);
}

void vkskinDestroyCpuMesh(VkskinCpuMesh mesh) {
    if (mesh != NULL) {
        const VkskinHostAllocator allocator = mesh->allocator;
        sknFreeCpuMesh(mesh->mesh);
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

/* ---- Pass-through attributes ---- */

/* Vertex by vertex, so that write-combined memory is written in order. */
static void writePassThrough(const CpuMesh *mesh, const ImageStream *stream, unsigned char *to) {
    const VkskinOutputLayout *layout = &mesh->info.layout;
    const size_t stride = layout->strides[stream->stream];
    for (uint32_t v = 0; v < mesh->info.vertexCount; v++) {
        const unsigned char *vertex = mesh->imageData + stream->source + stride * v;
        for (uint32_t i = 0; i < layout->passThroughCount; i++) {
            const VkskinPassThrough *attribute = &layout->passThrough[i];
            if (attribute->place.stream == stream->stream) {
                memcpy(to + stride * v + attribute->place.offset, vertex + attribute->place.offset, attribute->size);
            }
        }
    }
}

static VkskinResult checkPassStreams(VkskinCpuMesh mesh, void *const *streams) {
    const OutputImage *image = &mesh->mesh->image;
    for (uint32_t s = 0; s < image->count; s++) {
        uint32_t index = image->streams[s].stream;
        if (streams == NULL || streams[index] == NULL) {
            return sknReport(&mesh->host.logger, VKSKIN_ERROR_NULL_ARGUMENT,
                             "vkskinWritePassThrough: streams[%u] is null", index);
        }
        if ((uintptr_t)streams[index] % 4 != 0) {
            return sknReport(&mesh->host.logger, VKSKIN_ERROR_INVALID_VALUE,
                             "vkskinWritePassThrough: streams[%u] is not 4-byte aligned", index);
        }
    }
    return VKSKIN_SUCCESS;
}

VkskinResult vkskinWritePassThrough(VkskinCpuMesh mesh, void *const *streams) {
    if (mesh == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    VkskinResult result = checkPassStreams(mesh, streams);
    for (uint32_t s = 0; result >= 0 && s < mesh->mesh->image.count; s++) {
        const ImageStream *stream = &mesh->mesh->image.streams[s];
        writePassThrough(mesh->mesh, stream, streams[stream->stream]);
    }
    return result;
}

/* ---- Skinning ---- */

static VkskinResult checkMemory(const CommandRules *rules, const VkskinCpuCommand *command) {
    const uint32_t streams = rules->info->layout.streamCount;
    const struct {
        const char *name;
        const void *memory;
        bool needed;
    } memories[] = {
        {"palette", command->palette, rules->info->boneCount > 0},
        {"streams[0]", command->streams[0], streams > 0},
        {"streams[1]", command->streams[1], streams > 1},
        {"streams[2]", command->streams[2], streams > 2},
        {"streams[3]", command->streams[3], streams > 3},
        {"morphWeights", command->morphWeights, command->morphWeightCount > 0},
    };
    for (size_t i = 0; i < SKN_COUNT(memories); i++) {
        if (memories[i].needed && memories[i].memory == NULL) {
            return sknReport(rules->logger, VKSKIN_ERROR_NULL_ARGUMENT, "vkskinSkinOnCpu: command %u: %s is null",
                             rules->at, memories[i].name);
        }
        if (memories[i].needed && (uintptr_t)memories[i].memory % 4 != 0) {
            return sknReport(rules->logger, VKSKIN_ERROR_INVALID_VALUE,
                             "vkskinSkinOnCpu: command %u: %s is not 4-byte aligned", rules->at, memories[i].name);
        }
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult checkCommand(VkskinCpuMesh mesh, const VkskinCpuCommand *command, uint32_t at) {
    const CommandRules rules = {&mesh->host.logger, &mesh->mesh->info, "vkskinSkinOnCpu", at};
    VkskinResult result = checkMemory(&rules, command);
    if (result >= 0) {
        result = sknCheckMethodValue(&rules, command->method);
    }
    if (result >= 0 && rules.info->boneCount > 0) {
        result = sknCheckPaletteUse(&rules, command->method, command->encoding, command->boneCount);
    }
    return result < 0 ? result : sknCheckMorphWeights(&rules, command->morphWeights, command->morphWeightCount);
}

static VkskinResult checkCommands(VkskinCpuMesh mesh, const VkskinCpuCommand *commands, uint32_t count,
                                  uint64_t *weights) {
    if (count > 0 && commands == NULL) {
        return sknReport(&mesh->host.logger, VKSKIN_ERROR_NULL_ARGUMENT, "vkskinSkinOnCpu: commands is null");
    }
    for (uint32_t i = 0; i < count; i++) {
        VkskinResult result = checkCommand(mesh, &commands[i], i);
        if (result < 0) {
            return result;
        }
        *weights += commands[i].morphWeightCount;
    }
    return VKSKIN_SUCCESS;
}

/* Collects the nonzero weights of targets before or after skinning. Returns their number. */
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
        };
        for (uint32_t s = 0; s < mesh->info.layout.streamCount; s++) {
            to->streams[s] = command->streams[s];
        }
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
    if (count > STACK_COMMANDS || weightCount > STACK_WEIGHTS) {
        return skinMany(mesh, commands, count, &how, weightCount);
    }
    CpuCommand gathered[STACK_COMMANDS];
    CpuMorphWeight weights[STACK_WEIGHTS];
    skinAll(mesh->mesh, commands, count, &how, gathered, weights);
    return VKSKIN_SUCCESS;
}
