/*
 * model_survey.h: what a model comes to, counted: bones, influences, and what keeping fewer of them costs.
 */
#ifndef COMMAND_MODEL_SURVEY_H
#define COMMAND_MODEL_SURVEY_H

#include "model.h"

/* What trimming the weights of skinned meshes to a number of influences does: VkskinMeshInfo's measures. */
typedef struct TrimLoss {
    uint64_t vertices; /* that lose some */
    double share;      /* the largest of a vertex's weight that is lost, 0 to 1 */
    double error;      /* in the model's unit: the largest share times the diagonal of its mesh's box at rest */
} TrimLoss;

typedef struct ModelSurvey {
    uint64_t vertices, triangles; /* of all meshes */
    uint64_t bones;               /* distinct nodes that move skinned meshes */
    uint32_t most;                /* influences with weight of a vertex of a skinned mesh */
    uint64_t *histogram;          /* [most + 1] vertices of skinned meshes by how many influences have weight */
    TrimLoss *losses;             /* [most + 1] by how many influences are kept; [0] is zero */
    uint64_t skinnedVertices;
    uint64_t normalised;    /* whose sum is not one */
    double least, greatest; /* sum of a vertex's weights; 0 without skinned vertices */
} ModelSurvey;

/* False when memory is out. To be freed either way. */
bool modelSurveyTake(const Model *model, ModelSurvey *survey);
void modelSurveyFree(ModelSurvey *survey);

/* Whether some part hangs the mesh on bones, rather than on its own node alone. */
bool modelMeshIsSkinned(const Model *model, uint32_t mesh);

/* How many parts show the mesh. */
uint32_t modelMeshPlaces(const Model *model, uint32_t mesh);

#endif
