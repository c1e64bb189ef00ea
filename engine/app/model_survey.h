/*
 * model_survey.h: what a model comes to, counted: bones, influences, and what keeping fewer of them costs.
 */
#ifndef APP_MODEL_SURVEY_H
#define APP_MODEL_SURVEY_H

#include "engine_error.h"
#include "model.h"
#include "vkskin/vkskin_mesh.h"

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

/* ---- * model_split.h: the meshes of a model cut into parts of few bones (vkskin_mesh.h). ---- */

typedef struct MeshSplit {
    VkskinSplit split;  /* null: the mesh has no triangles */
    uint32_t partCount; /* 0 then */
    uint64_t vertices;  /* of all parts */
    uint64_t doubled;   /* of these, what is there once more since it is in another part too */
} MeshSplit;

typedef struct ModelSplit {
    uint32_t maxBones; /* 0: not asked for, and there are no meshes */
    uint32_t meshCount;
    MeshSplit *meshes; /* [meshCount], as the model's */
} ModelSplit;

/* maxBones: 1 up; 0 leaves *split zero. path: for messages. On failure nothing is left over. */
bool modelSplitTake(const Model *model, const char *path, uint32_t maxBones, ModelSplit *split, EngineError *error);
void modelSplitFree(ModelSplit *split);

/* index: below partCount. */
VkskinSplitPart modelSplitPart(const MeshSplit *mesh, uint32_t index);

#endif
