#include "morph_check.h"

#include "mesh_def.h"

#include <math.h>
#include <string.h>

static VkskinResult refuse(const Host *host, const VkskinMeshDef *def, uint32_t target, uint32_t vertex,
                           const char *what) {
    return sknReport(&host->logger, VKSKIN_ERROR_MORPH_OUT_OF_RANGE,
                     "mesh %s: morph target %u names vertex %u, %s; the mesh has %u", sknMeshName(def), target, vertex,
                     what, def->vertexCount);
}

/* seen: a bit for each vertex, cleared. */
static VkskinResult checkVertices(const Host *host, const VkskinMeshDef *def, uint32_t index, uint32_t *seen) {
    const VkskinMorphTarget *target = &def->morphTargets[index];
    for (uint32_t i = 0; i < target->vertexCount; i++) {
        uint32_t vertex = sknMorphVertex(target, i);
        if (vertex >= def->vertexCount) {
            return refuse(host, def, index, vertex, "which is past the mesh");
        }
        uint32_t bit = 1u << vertex % 32;
        if ((seen[vertex / 32] & bit) != 0) {
            return refuse(host, def, index, vertex, "which it named before");
        }
        seen[vertex / 32] |= bit;
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult checkDeltas(const Host *host, const VkskinMeshDef *def, uint32_t index) {
    const VkskinMorphTarget *target = &def->morphTargets[index];
    const struct {
        const char *name;
        const float *values;
        uint32_t width;
    } streams[] = {
        {"position", target->positions, def->dimensions},
        {"normal", def->normals != NULL ? target->normals : NULL, 3},
        {"tangent", def->tangents != NULL ? target->tangents : NULL, 3},
    };
    for (size_t s = 0; s < sizeof streams / sizeof streams[0]; s++) {
        size_t count = streams[s].values != NULL ? (size_t)target->vertexCount * streams[s].width : 0;
        for (size_t i = 0; i < count; i++) {
            if (!isfinite(streams[s].values[i])) {
                return sknReport(&host->logger, VKSKIN_ERROR_ATTRIBUTE_NOT_FINITE,
                                 "mesh %s: in morph target %u the %s delta of vertex %u is not finite",
                                 sknMeshName(def), index, streams[s].name,
                                 sknMorphVertex(target, (uint32_t)(i / streams[s].width)));
            }
        }
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult checkTarget(const Host *host, const VkskinMeshDef *def, uint32_t index, uint32_t *seen) {
    const VkskinMorphTarget *target = &def->morphTargets[index];
    if (target->vertexCount > def->vertexCount ||
        (target->vertices == NULL && target->vertexCount != 0 && target->vertexCount != def->vertexCount)) {
        return sknReport(&host->logger, VKSKIN_ERROR_MORPH_OUT_OF_RANGE,
                         "mesh %s: morph target %u moves %u vertices%s, the mesh has %u", sknMeshName(def), index,
                         target->vertexCount, target->vertices == NULL ? " in order" : "", def->vertexCount);
    }
    memset(seen, 0, ((size_t)def->vertexCount + 31) / 32 * sizeof *seen);
    VkskinResult result = checkVertices(host, def, index, seen);
    return result < 0 ? result : checkDeltas(host, def, index);
}

VkskinResult sknCheckMorphs(const Host *host, const VkskinMeshDef *def) {
    if (def->morphTargetCount == 0) {
        return VKSKIN_SUCCESS;
    }
    uint32_t *seen = sknHostAllocate(host->allocator, ((size_t)def->vertexCount + 31) / 32 * sizeof *seen);
    if (seen == NULL) {
        return sknReport(&host->logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "mesh %s: no memory to check morph targets",
                         sknMeshName(def));
    }
    VkskinResult result = VKSKIN_SUCCESS;
    for (uint32_t i = 0; result >= 0 && i < def->morphTargetCount; i++) {
        result = checkTarget(host, def, i, seen);
    }
    sknHostFree(host->allocator, seen);
    return result;
}
