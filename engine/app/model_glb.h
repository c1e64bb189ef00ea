/*
 * model_glb.h: a whole model as a .glb file: nodes, skins, meshes with morph targets, materials, and all clips.
 *
 * The nodes of the model are the first nodes of the file, with the same indices. Further ones come where glTF needs them: a
 * root that turns to y up and metres, two above a node with a pre-transform, one for a bone that a skin has twice, and one
 * for each further mesh of a node.
 */
#ifndef APP_MODEL_GLB_H
#define APP_MODEL_GLB_H

#include "glb.h"

/* What the file does not say as the model does. */
typedef struct ModelGlbLosses {
    uint32_t resampled;  /* tracks whose curves became straight lines */
    double curveError;   /* the largest distance to the curves: of rotations as quaternions, of others in their unit */
    uint32_t dropped;    /* tracks of morph weights of nodes without morph targets */
    uint64_t further;    /* vertices with more than four influences */
    double furtherShare; /* the largest share of a vertex's weight that is behind the first four */
    double trimmedShare; /* the same, of the weight that is left out */
    uint64_t dual;       /* vertices with painted blend towards dual quaternions */
    double dualDistance; /* the largest distance to where linear skinning places them, in the model's unit */
} ModelGlbLosses;

/* A mesh of the file: consecutive parts of one node with the same skin, name and morph targets. */
typedef struct GlbGroup {
    uint32_t first, count; /* parts */
    bool skinned;
    uint64_t node, mesh; /* in the file */
    uint32_t next;       /* the next group of the same carrier + 1; 0: none */
} GlbGroup;

/* Model and file while the file is made. */
typedef struct ModelGlb {
    const Model *model; /* without packed clips: see modelUnpack */
    Glb *glb;
    uint32_t maxInfluences; /* 0: all */
    ModelGlbLosses losses;
    cJSON **nodes;    /* [nodeCount]: the objects of the model's nodes */
    GlbGroup *groups; /* [groupCount] */
    uint32_t groupCount;
    uint32_t *carried;   /* [nodeCount]: the first group of a node + 1; 0: none */
    uint64_t *materials; /* [materialCount]: index in the file + 1; 0: not yet written */
    cJSON **primitives;  /* [meshCount][2]: rigid, skinned; null: not yet written */
} ModelGlb;

/* Fills a file that glbBegin made. False: *error says why. losses: receives what is lost. */
bool modelGlbFill(Glb *glb, const Model *model, uint32_t maxInfluences, ModelGlbLosses *losses, EngineError *error);

/* model_glb_mesh.c: a primitive of a mesh of the file: the mesh of a part. Each mesh's arrays are written once. */
void modelGlbPrimitive(ModelGlb *out, uint32_t mesh, bool skinned, cJSON *primitives);

/*
 * model_glb_dual.c: enlarges *distance to ModelGlbLosses.dualDistance: at the begin, the middle and the end of each clip,
 * without morph targets.
 */
bool modelGlbDual(const Model *model, double *distance, EngineError *error);

/* model_glb_clip.c: all clips. */
bool modelGlbClips(ModelGlb *out, EngineError *error);

#endif
