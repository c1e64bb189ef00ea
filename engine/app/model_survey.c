#include "model_survey.h"

#include <math.h>
#include <stdlib.h>

#include "camera.h"
#include "model_mesh.h"
#include "parallel.h"
#include "session.h"

bool modelMeshIsSkinned(const Model *model, uint32_t mesh) {
    for (uint32_t i = 0; i < model->partCount; i++) {
        const ModelPart *part = &model->parts[i];
        const ModelSkin *skin = &model->skins[part->skin];
        if (part->mesh == mesh && (skin->boneCount > 1 || skin->boneNodes[0] != part->node)) {
            return true;
        }
    }
    return false;
}

uint32_t modelMeshPlaces(const Model *model, uint32_t mesh) {
    uint32_t places = 0;
    for (uint32_t i = 0; i < model->partCount; i++) {
        places += model->parts[i].mesh == mesh;
    }
    return places;
}

static bool countBones(const Model *model, ModelSurvey *survey) {
    survey->isBone = calloc(model->nodeCount, sizeof *survey->isBone);
    for (uint32_t i = 0; i < model->partCount && survey->isBone; i++) {
        const ModelSkin *skin = &model->skins[model->parts[i].skin];
        bool skinned = modelMeshIsSkinned(model, model->parts[i].mesh);
        for (uint32_t b = 0; b < skin->boneCount && skinned; b++) {
            survey->bones += !survey->isBone[skin->boneNodes[b]];
            survey->isBone[skin->boneNodes[b]] = true;
        }
    }
    return survey->isBone != NULL;
}

/* ---- Weights ---- */

static int descending(const void *a, const void *b) {
    float left = *(const float *)a, right = *(const float *)b;
    return (left < right) - (left > right);
}

/* The non-zero weights of a vertex, largest first. Returns their number. */
static uint32_t sortWeights(const ModelMesh *mesh, uint32_t vertex, float *sorted) {
    const float *weights = mesh->weights + (size_t)vertex * mesh->influences;
    uint32_t used = 0;
    for (uint32_t i = 0; i < mesh->influences; i++) {
        if (weights[i] > 0.0f) {
            sorted[used++] = weights[i];
        }
    }
    qsort(sorted, used, sizeof *sorted, descending);
    return used;
}

static void surveyLosses(const float *sorted, uint32_t used, double sum, double diagonal, ModelSurvey *survey) {
    double lost = 0.0;
    for (uint32_t kept = used; kept-- > 1;) {
        TrimLoss *loss = &survey->losses[kept];
        lost += (double)sorted[kept];
        loss->vertices++;
        loss->share = fmax(loss->share, lost / sum);
        loss->error = fmax(loss->error, lost / sum * diagonal);
    }
}

static double boxDiagonal(const ModelMesh *mesh) {
    Bounds box = boundsEmpty();
    double squared = 0.0;
    for (uint32_t v = 0; v < mesh->vertexCount; v++) {
        boundsAddPoint(&box, &mesh->positions[3 * (size_t)v]);
    }
    for (int axis = 0; axis < 3; axis++) {
        double side = (double)box.max[axis] - (double)box.min[axis];
        squared += side * side;
    }
    return sqrt(squared);
}

static void surveyMesh(const Model *model, uint32_t index, float *sorted, ModelSurvey *survey) {
    const ModelMesh *mesh = &model->meshes[index];
    double diagonal = boxDiagonal(mesh) * modelStretch(model, index);
    for (uint32_t v = 0; v < mesh->vertexCount; v++) {
        uint32_t used = sortWeights(mesh, v, sorted);
        double sum = 0.0;
        for (uint32_t i = 0; i < used; i++) {
            sum += (double)sorted[i];
        }
        survey->most = used > survey->most ? used : survey->most;
        survey->histogram[used]++;
        survey->normalised += fabs(sum - 1.0) > WEIGHT_CHECK_TOLERANCE;
        survey->least = survey->skinnedVertices == 0 ? sum : fmin(survey->least, sum);
        survey->greatest = survey->skinnedVertices == 0 ? sum : fmax(survey->greatest, sum);
        survey->skinnedVertices++;
        surveyLosses(sorted, used, sum, diagonal, survey);
    }
}

static bool surveyWeights(const Model *model, ModelSurvey *survey) {
    uint32_t widest = 1;
    for (uint32_t i = 0; i < model->meshCount; i++) {
        widest = model->meshes[i].influences > widest ? model->meshes[i].influences : widest;
    }
    float *sorted = malloc(widest * sizeof *sorted);
    if (!sorted) {
        return false;
    }
    survey->histogram = calloc((size_t)widest + 1, sizeof *survey->histogram);
    survey->losses = calloc((size_t)widest + 1, sizeof *survey->losses);
    bool good = survey->histogram && survey->losses;
    for (uint32_t i = 0; i < model->meshCount && good; i++) {
        if (modelMeshIsSkinned(model, i)) {
            surveyMesh(model, i, sorted, survey);
        }
    }
    free(sorted);
    return good;
}

bool modelSurveyTake(const Model *model, ModelSurvey *survey) {
    *survey = (ModelSurvey){0};
    for (uint32_t i = 0; i < model->meshCount; i++) {
        survey->vertices += model->meshes[i].vertexCount;
        survey->triangles += model->meshes[i].indexCount / 3;
    }
    return countBones(model, survey) && surveyWeights(model, survey);
}

void modelSurveyFree(ModelSurvey *survey) {
    free(survey->isBone);
    free(survey->histogram);
    free(survey->losses);
}

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

/* Each vertex of the mesh counts once; further copies in parts are duplicates. */
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

/* ---- The smallest limit that works ---- */

static int ascending(const void *a, const void *b) {
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

/* The distinct bones of a triangle. bones: room for those of three vertices. */
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

/* The largest number of bones of a triangle; 0: out of memory. */
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
    VkskinMeshDef def = meshDefOfModel(source);
    def.materials = materials;
    const VkskinPrepareRun run = {.logger = {keepMessage, &message}};
    VkskinResult result = vkskinSplitMesh(&def, maxBones, &run, &mesh->split);
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
            split->meshCount++; /* so that modelSplitFree frees this one too */
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
