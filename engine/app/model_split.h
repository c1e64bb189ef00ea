/*
 * model_split.h: the meshes of a model cut into parts of few bones (vkskin_mesh.h).
 */
#ifndef COMMAND_MODEL_SPLIT_H
#define COMMAND_MODEL_SPLIT_H

#include "engine_error.h"
#include "model.h"
#include "vkskin/vkskin_mesh.h"

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
