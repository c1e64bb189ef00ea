/*
 * model_survey.h: counts of a model (bones, influences), the cost of keeping fewer influences, and splits by bones.
 */
#ifndef APP_MODEL_SURVEY_H
#define APP_MODEL_SURVEY_H

#include "engine_error.h"
#include "model.h"
#include "vkskin/vkskin_mesh.h"

/* The cost of trimming skinned meshes to a number of influences, measured as in VkskinMeshInfo. */
typedef struct TrimLoss {
    uint64_t vertices; /* that lose weight */
    double share;      /* the largest lost share of a vertex's weight, 0 to 1 */
    double error;      /* in the unit of the model: the largest share times the diagonal of the mesh's box at rest */
} TrimLoss;

typedef struct ModelSurvey {
    uint64_t vertices, triangles; /* sums over all meshes */
    uint64_t bones;               /* distinct nodes that move skinned meshes */
    bool *isBone;                 /* [nodeCount] whether the node is one of them */
    uint32_t most;                /* maximum influences of a vertex of a skinned mesh */
    uint64_t *histogram;          /* [most + 1]: vertices of skinned meshes by influence count */
    TrimLoss *losses;             /* [most + 1], by the number of kept influences; [0] is zero */
    uint64_t skinnedVertices;
    uint64_t normalised;    /* vertices whose weights do not sum to one */
    double least, greatest; /* minimum and maximum weight sum of a vertex; 0 without skinned vertices */
} ModelSurvey;

/* False: out of memory. Free it in both cases. */
bool modelSurveyTake(const Model *model, ModelSurvey *survey);
void modelSurveyFree(ModelSurvey *survey);

/* Whether some part attaches the mesh to bones, not only to its node. */
bool modelMeshIsSkinned(const Model *model, uint32_t mesh);

/* The number of parts that use the mesh. */
uint32_t modelMeshPlaces(const Model *model, uint32_t mesh);

/* The meshes of a model split by a bone limit (vkskinSplitMesh). */

typedef struct MeshSplit {
    VkskinSplit split;  /* null: the mesh has no triangles */
    uint32_t partCount; /* 0 then */
    uint64_t vertices;  /* vertices of all parts together */
    uint64_t doubled;   /* vertices that are also in another part */
} MeshSplit;

typedef struct ModelSplit {
    uint32_t maxBones; /* 0: not requested, no meshes */
    uint32_t meshCount;
    MeshSplit *meshes; /* [meshCount], as the model's */
} ModelSplit;

/* maxBones: at least 1; 0 leaves *split zero. path: for messages. On failure nothing is left over. */
bool modelSplitTake(const Model *model, const char *path, uint32_t maxBones, ModelSplit *split, EngineError *error);
void modelSplitFree(ModelSplit *split);

/* index: below partCount. */
VkskinSplitPart modelSplitPart(const MeshSplit *mesh, uint32_t index);

#endif
