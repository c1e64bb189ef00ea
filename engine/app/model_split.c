#include "model_split.h"

#include <stdio.h>
#include <stdlib.h>

#include "model_mesh.h"
#include "parallel.h"

typedef struct Message {
    char text[256];
} Message;

static void keepMessage(void *user, VkskinResult result, const char *text) {
    Message *message = user;
    (void)result;
    snprintf(message->text, sizeof message->text, "%s", text);
}

VkskinSplitPart modelSplitPart(const MeshSplit *mesh, uint32_t index) {
    VkskinSplitPart part = {0};
    (void)vkskinGetSplitPart(mesh->split, index, &part); /* fails for an index out of range alone */
    return part;
}

/* Vertices of the mesh that are in some part count once; the rest of the parts' vertices are doubles. */
static bool countVertices(const ModelMesh *source, MeshSplit *mesh) {
    bool *seen = calloc(source->vertexCount, sizeof *seen);
    for (uint32_t i = 0; i < mesh->partCount && seen; i++) {
        VkskinSplitPart part = modelSplitPart(mesh, i);
        mesh->vertices += part.vertexCount;
        for (uint32_t v = 0; v < part.vertexCount; v++) {
            mesh->doubled += seen[part.vertices[v]];
            seen[part.vertices[v]] = true;
        }
    }
    free(seen);
    return seen != NULL;
}

/* ---- The least limit that works ---- */

static int ascending(const void *a, const void *b) {
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

/* Distinct bones with weight at three corners. bones: room for those of three vertices. */
static uint32_t bonesOfTriangle(const ModelMesh *mesh, const uint32_t corners[3], uint32_t *bones) {
    uint32_t count = 0, distinct = 0;
    for (uint32_t i = 0; i < 3 * mesh->influences; i++) {
        size_t at = (size_t)corners[i / mesh->influences] * mesh->influences + i % mesh->influences;
        if (mesh->weights[at] > 0.0f) {
            bones[count++] = mesh->joints[at];
        }
    }
    qsort(bones, count, sizeof *bones, ascending);
    for (uint32_t i = 0; i < count; i++) {
        distinct += i == 0 || bones[i] != bones[i - 1];
    }
    return distinct;
}

/* What some triangle of the model needs; 0 when memory is out. */
static uint32_t leastBones(const Model *model) {
    uint32_t least = 1;
    for (uint32_t i = 0; i < model->meshCount; i++) {
        const ModelMesh *mesh = &model->meshes[i];
        uint32_t *bones = malloc(3 * (size_t)mesh->influences * sizeof *bones);
        if (!bones) {
            return 0;
        }
        for (uint32_t t = 0; t < mesh->indexCount; t += 3) {
            uint32_t needed = bonesOfTriangle(mesh, mesh->indices + t, bones);
            least = needed > least ? needed : least;
        }
        free(bones);
    }
    return least;
}

/* ---- Meshes ---- */

static bool failSplit(const Model *model, const char *path, uint32_t maxBones, const Message *message,
                      VkskinResult result, EngineError *error) {
    uint32_t least = result == VKSKIN_ERROR_BONE_LIMIT ? leastBones(model) : 0;
    if (least > 0) {
        return engineFail(error, "%s: --max-bones %u: %s; the least that works is %u (%s)", path, maxBones,
                          message->text, least, vkskinResultName(result));
    }
    return engineFail(error, "%s: --max-bones %u: %s (%s)", path, maxBones, message->text, vkskinResultName(result));
}

static bool splitMesh(const Model *model, uint32_t index, const char *path, uint32_t maxBones, MeshSplit *mesh,
                      EngineError *error) {
    const ModelMesh *source = &model->meshes[index];
    Message message = {""};
    if (source->indexCount == 0) {
        return true;
    }
    uint32_t *materials = malloc(source->indexCount / 3 * sizeof *materials);
    if (!materials) {
        return engineFail(error, "out of memory");
    }
    for (uint32_t i = 0; i < source->indexCount / 3; i++) {
        materials[i] = source->material;
    }
    VkskinSurfaceDef surface = modelSurface(source);
    surface.materials = materials;
    surface.parallel = parallelFor;
    surface.logger = (VkskinLogger){keepMessage, &message};
    VkskinResult result = vkskinSplitMesh(&surface, maxBones, &mesh->split);
    free(materials);
    if (result < 0) {
        return failSplit(model, path, maxBones, &message, result, error);
    }
    mesh->partCount = vkskinGetSplitPartCount(mesh->split);
    return countVertices(source, mesh) || engineFail(error, "out of memory");
}

bool modelSplitTake(const Model *model, const char *path, uint32_t maxBones, ModelSplit *split, EngineError *error) {
    *split = (ModelSplit){.maxBones = maxBones};
    if (maxBones == 0) {
        return true;
    }
    split->meshes = calloc((size_t)model->meshCount + 1, sizeof *split->meshes);
    if (!split->meshes) {
        return engineFail(error, "out of memory");
    }
    for (; split->meshCount < model->meshCount; split->meshCount++) {
        uint32_t i = split->meshCount;
        if (!splitMesh(model, i, path, maxBones, &split->meshes[i], error)) {
            split->meshCount++; /* what was made of this one goes too */
            modelSplitFree(split);
            return false;
        }
    }
    return true;
}

void modelSplitFree(ModelSplit *split) {
    for (uint32_t i = 0; i < split->meshCount; i++) {
        vkskinDestroySplit(split->meshes[i].split);
    }
    free(split->meshes);
    *split = (ModelSplit){0};
}
