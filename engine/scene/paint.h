/*
 * paint.h: paints show on a mesh what moves its vertices: a colour per vertex, made from joints and weights.
 *
 * To add a paint: a row in PAINT_TYPES and its function, both in paint.c. Option, help and lists of names follow.
 */
#ifndef ENGINE_PAINT_H
#define ENGINE_PAINT_H

#include "engine_error.h"
#include "model.h"
#include "model_faults.h"

#define PAINT_NO_BONE UINT32_MAX

/* The faults of the model that was painted last: they are found once for all of its meshes and levels. Zero at first. */
typedef struct PaintFaults {
    const Model *model;
    ModelFaults faults;
} PaintFaults;

/* The model still exists. */
void paintFreeFaults(PaintFaults *found);

/* A mesh that is painted. Of a level of detail: the mesh as the level has it. */
typedef struct PaintMesh {
    uint32_t vertexCount, influences;
    const uint32_t *joints; /* [vertexCount][influences]; those with weight 0 have no effect */
    const float *weights;   /* [vertexCount][influences], not normalised */
    const uint32_t *nodes;  /* the node of each joint; null: the joint itself, as in 2D models */
    uint32_t bone;          /* node that Paint.bone names, or PAINT_NO_BONE */
    uint32_t level;         /* level of detail, 0: the finest */
    const Model *model;     /* null for 2D models; `mesh` is an index into its meshes, also in coarser levels */
    uint32_t mesh;
    PaintFaults *found; /* null for 2D models */
} PaintMesh;

typedef struct PaintType {
    const char *name;
    bool named; /* "NAME:BONE" */
    bool flat;  /* for 2D characters too */
    /* colours: [vertexCount][4]: red, green and blue as a screen shows them, 0 to 1, and alpha, all 1 before the call.
     * Alpha is free for the shader (shaders/raster/paint.frag), which draws all parts opaque. */
    bool (*fill)(const PaintMesh *mesh, float (*colours)[4], EngineError *error);
} PaintType;

extern const PaintType PAINT_TYPES[];
extern const uint32_t PAINT_TYPE_COUNT;

/* Help of an option that takes a paint: lists all of them. */
extern const char PAINT_HELP[];

/* A paint that is chosen. All zero: none. */
typedef struct Paint {
    const PaintType *type;
    const char *bone;    /* name of a bone, for types that are `named`, else null; borrowed */
    uint32_t firstLevel; /* level of detail that the meshes of the model are, see modelShowLevel; mostly 0 */
} Paint;

/* text: "weights", "bone:NAME" and so on, or "none"; paint->bone points into it. Whether a model has the bone is not
 * checked. An unknown name is refused with a list. */
bool paintParse(const char *text, Paint *paint, EngineError *error);

/* The same, of a paint for these models: [count], above 0. One of them has the bone; an unknown one is refused with near names.
 * 2D models refuse types that are not `flat`. */
bool paintRead(const char *text, const Model *const *models, uint32_t count, Paint *paint, EngineError *error);

bool paintIsSame(const Paint *a, const Paint *b);

/* The first bone of a skin, or of the 2D model, with this name, in any case if none has it exactly; else PAINT_NO_BONE. */
uint32_t paintFindBone(const Model *model, const char *name);

/*
 * Paints mesh `mesh` of a model. source: the mesh itself, or as the level has it. colours: [vertexCount of source][4]; see
 * PaintType.fill. found: one for all meshes. A model without the bone is painted as weight 0.
 */
bool paintModelMesh(const Paint *paint, const Model *model, uint32_t mesh, const ModelMesh *source, uint32_t level,
                    PaintFaults *found, float (*colours)[4], EngineError *error);

#endif
