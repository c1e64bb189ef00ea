#include "command_rules.h"

#include "methods.h"
#include "names.h"

#include <math.h>

VkskinResult sknCheckMethodValue(const CommandRules *rules, VkskinMethod method) {
    if ((uint32_t)method >= VKSKIN_METHOD_COUNT) {
        return sknReport(rules->logger, VKSKIN_ERROR_INVALID_VALUE,
                         "%s: command %u: method %u is unknown; was the command set to zero first?", rules->call,
                         rules->at, (unsigned)method);
    }
    return VKSKIN_SUCCESS;
}

VkskinResult sknCheckPaletteUse(const CommandRules *rules, VkskinMethod method, VkskinPaletteEncoding encoding,
                                uint32_t boneCount) {
    const VkskinMeshInfo *info = rules->info;
    bool flat = info->dimensions == 2;
    if (!vkskinMethodReads(method, encoding) || flat != sknIsFlatEncoding(encoding)) {
        return sknReport(rules->logger, VKSKIN_ERROR_PALETTE_ENCODING,
                         "%s: command %u: %s of a mesh of %u dimensions does not read %s", rules->call, rules->at,
                         sknMethodName(method), info->dimensions, sknEncodingName(encoding));
    }
    const char *missing = sknMissingMethodData(method, info->hasBlendWeights, info->hasCentres);
    if (missing != NULL) {
        return sknReport(rules->logger, VKSKIN_ERROR_METHOD_DATA_MISSING,
                         "%s: command %u: %s needs %s, the mesh was made without", rules->call, rules->at,
                         sknMethodName(method), missing);
    }
    if (boneCount < info->boneCount) {
        return sknReport(rules->logger, VKSKIN_ERROR_PALETTE_TOO_SMALL, "%s: command %u: a palette of %u bones for %u",
                         rules->call, rules->at, boneCount, info->boneCount);
    }
    return VKSKIN_SUCCESS;
}

VkskinResult sknCheckMorphWeights(const CommandRules *rules, const float *weights, uint32_t count) {
    if (count > rules->info->morphTargetCount) {
        return sknReport(rules->logger, VKSKIN_ERROR_MORPH_OUT_OF_RANGE,
                         "%s: command %u: %u morph weights, the mesh has %u targets", rules->call, rules->at, count,
                         rules->info->morphTargetCount);
    }
    if (count > 0 && weights == NULL) {
        return sknReport(rules->logger, VKSKIN_ERROR_NULL_ARGUMENT, "%s: command %u: morphWeights is null", rules->call,
                         rules->at);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!isfinite(weights[i])) {
            return sknReport(rules->logger, VKSKIN_ERROR_WEIGHT_NOT_FINITE, "%s: command %u: morph weight %u is %g",
                             rules->call, rules->at, i, (double)weights[i]);
        }
    }
    return VKSKIN_SUCCESS;
}
