#include "cpu_command_check.h"

#include "methods.h"
#include "names.h"

#include <math.h>

/* One command of a call, and who is told of it. */
typedef struct Check {
    const VkskinLogger *logger;
    const VkskinMeshInfo *info;
    const VkskinCpuCommand *command;
    uint32_t at;
} Check;

static VkskinResult checkMemory(const Check *check) {
    const VkskinCpuCommand *command = check->command;
    const struct {
        const char *name;
        const void *memory;
        bool needed;
    } memories[] = {
        {"palette", command->palette, check->info->boneCount > 0},
        {"positions", command->positions, true},
        {"attributes", command->attributes, check->info->hasNormals},
        {"morphWeights", command->morphWeights, command->morphWeightCount > 0},
    };
    for (size_t i = 0; i < sizeof memories / sizeof memories[0]; i++) {
        if (memories[i].needed && memories[i].memory == NULL) {
            return sknReport(check->logger, VKSKIN_ERROR_NULL_ARGUMENT, "vkskinSkinOnCpu: command %u: %s is null",
                             check->at, memories[i].name);
        }
        if (memories[i].needed && (uintptr_t)memories[i].memory % 4 != 0) {
            return sknReport(check->logger, VKSKIN_ERROR_INVALID_VALUE,
                             "vkskinSkinOnCpu: command %u: %s is not 4-byte aligned", check->at, memories[i].name);
        }
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult checkMethod(const Check *check) {
    const VkskinCpuCommand *command = check->command;
    if ((uint32_t)command->method >= VKSKIN_METHOD_COUNT) {
        return sknReport(check->logger, VKSKIN_ERROR_INVALID_VALUE,
                         "vkskinSkinOnCpu: command %u: method %u is unknown; was the command set to zero first?",
                         check->at, (unsigned)command->method);
    }
    if (check->info->boneCount == 0) {
        return VKSKIN_SUCCESS;
    }
    bool flat = check->info->dimensions == 2;
    if (!vkskinMethodReads(command->method, command->encoding) || flat != sknIsFlatEncoding(command->encoding)) {
        return sknReport(check->logger, VKSKIN_ERROR_PALETTE_ENCODING,
                         "vkskinSkinOnCpu: command %u: %s of a mesh of %u dimensions does not read %s", check->at,
                         sknMethodName(command->method), check->info->dimensions, sknEncodingName(command->encoding));
    }
    const char *missing = sknMissingMethodData(command->method, check->info->hasBlendWeights, check->info->hasCentres);
    if (missing != NULL) {
        return sknReport(check->logger, VKSKIN_ERROR_METHOD_DATA_MISSING,
                         "vkskinSkinOnCpu: command %u: %s needs %s, the mesh was made without", check->at,
                         sknMethodName(command->method), missing);
    }
    if (command->boneCount < check->info->boneCount) {
        return sknReport(check->logger, VKSKIN_ERROR_PALETTE_TOO_SMALL,
                         "vkskinSkinOnCpu: command %u: a palette of %u bones for %u", check->at, command->boneCount,
                         check->info->boneCount);
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult checkMorphs(const Check *check) {
    const VkskinCpuCommand *command = check->command;
    if (command->morphWeightCount > check->info->morphTargetCount) {
        return sknReport(check->logger, VKSKIN_ERROR_MORPH_OUT_OF_RANGE,
                         "vkskinSkinOnCpu: command %u: %u morph weights, the mesh has %u targets", check->at,
                         command->morphWeightCount, check->info->morphTargetCount);
    }
    for (uint32_t i = 0; i < command->morphWeightCount; i++) {
        if (!isfinite(command->morphWeights[i])) {
            return sknReport(check->logger, VKSKIN_ERROR_WEIGHT_NOT_FINITE,
                             "vkskinSkinOnCpu: command %u: morph weight %u is %g", check->at, i,
                             (double)command->morphWeights[i]);
        }
    }
    return VKSKIN_SUCCESS;
}

VkskinResult sknCheckCpuCommand(const VkskinLogger *logger, const VkskinMeshInfo *info, const VkskinCpuCommand *command,
                                uint32_t at) {
    Check check = {logger, info, command, at};
    VkskinResult result = checkMemory(&check);
    if (result >= 0) {
        result = checkMethod(&check);
    }
    return result < 0 ? result : checkMorphs(&check);
}
