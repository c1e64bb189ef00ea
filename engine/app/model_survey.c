#include "model_survey.h"

#include <math.h>
#include <stdlib.h>

#include "camera.h"
#include "model_mesh.h"
#include "weight_check.h"

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

static bool countBones(const Model *model, uint64_t *count) {
    bool *isBone = calloc(model->nodeCount, sizeof *isBone);
    for (uint32_t i = 0; i < model->partCount && isBone; i++) {
        const ModelSkin *skin = &model->skins[model->parts[i].skin];
        bool skinned = modelMeshIsSkinned(model, model->parts[i].mesh);
        for (uint32_t b = 0; b < skin->boneCount && skinned; b++) {
            *count += !isBone[skin->boneNodes[b]];
            isBone[skin->boneNodes[b]] = true;
        }
    }
    free(isBone);
    return isBone != NULL;
}

/* ---- Weights ---- */

static int descending(const void *a, const void *b) {
    float left = *(const float *)a, right = *(const float *)b;
    return (left < right) - (left > right);
}

/* The weights of a vertex that are not zero, largest first. Returns how many. */
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

static uint32_t mostInfluences(const Model *model, float *sorted) {
    uint32_t most = 0;
    for (uint32_t i = 0; i < model->meshCount; i++) {
        bool skinned = modelMeshIsSkinned(model, i);
        for (uint32_t v = 0; v < model->meshes[i].vertexCount && skinned; v++) {
            uint32_t used = sortWeights(&model->meshes[i], v, sorted);
            most = used > most ? used : most;
        }
    }
    return most;
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
    survey->most = mostInfluences(model, sorted);
    survey->histogram = calloc((size_t)survey->most + 1, sizeof *survey->histogram);
    survey->losses = calloc((size_t)survey->most + 1, sizeof *survey->losses);
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
    return countBones(model, &survey->bones) && surveyWeights(model, survey);
}

void modelSurveyFree(ModelSurvey *survey) {
    free(survey->histogram);
    free(survey->losses);
}
