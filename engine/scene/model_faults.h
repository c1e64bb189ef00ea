/*
 * model_faults.h: faults of a model that show when its clips move it: points that explode, joints that flip, wrong weights.
 * Needs no device: the library's CPU backend skins, by linear blending.
 */
#ifndef ENGINE_MODEL_FAULTS_H
#define ENGINE_MODEL_FAULTS_H

#include "engine_error.h"
#include "model.h"

typedef enum ModelFaultKind {
    MODEL_FAULT_NOT_FINITE, /* the vertex' position is NaN or infinite */
    MODEL_FAULT_STRETCHED, /* a vertex of an edge that is longer than a quarter of the model's diagonal at rest, and more
                               than 8 times as long as at rest, times the scale of its bones and morph targets */
    MODEL_FAULT_TURNED,    /* a joint that turns more than 120 degrees between two keys at most 1/24 s apart */
    MODEL_FAULT_MIRRORED,  /* a joint whose scale has another handedness than at rest */
    MODEL_FAULT_WEIGHT, /* a vertex whose largest bone, its parent and its children move no other vertex within two edges */
    MODEL_FAULT_KINDS
} ModelFaultKind;

/* "not finite", "stretched" and so on. */
extern const char *const MODEL_FAULT_NAMES[MODEL_FAULT_KINDS];

#define MODEL_FAULT_NONE  UINT32_MAX /* no clip, or no vertex: it does not exist */
#define MODEL_FAULT_LINES 10u        /* faults of a kind that are kept */

/* The faults of one kind that one bone has in one clip: where it is worst, and how many there are. */
typedef struct ModelFault {
    ModelFaultKind kind;
    uint32_t clip;         /* clipCount: the rest pose. NONE: MODEL_FAULT_WEIGHT has no clip and no time */
    double time;           /* seconds; of a turn, that of the later key */
    uint32_t node;         /* the joint, or the bone with the vertex' largest weight */
    uint32_t mesh, vertex; /* NONE: the joint moves no vertex. Of a joint: the vertex with its largest weight */
    float weight;          /* weight of the bone at the vertex, as in the file */
    uint64_t count;        /* vertices; of a joint, keys */
} ModelFault;

typedef struct ModelFaults {
    uint64_t counts[MODEL_FAULT_KINDS]; /* ModelFaults of each kind; the first MODEL_FAULT_LINES are in `rows` */
    ModelFault rows[MODEL_FAULT_KINDS][MODEL_FAULT_LINES];
    uint64_t total; /* sum of the counts */
    size_t moments; /* poses that were looked at: those of lodFindMoments */
    uint8_t *
        *marked; /* [meshCount], each [vertexCount]: 1 for a vertex with a fault, or of a joint with one. A null row: no
                         part shows the mesh */
} ModelFaults;

/*
 * Looks for faults. Root motion is no fault. Work: linear in the file; lodFindMoments limits the poses of long clips. Any thread. To be freed on failure too.
 */
bool modelFindFaults(const Model *model, ModelFaults *faults, EngineError *error);
void modelFreeFaults(const Model *model, ModelFaults *faults);

#endif
