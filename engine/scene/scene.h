/*
 * scene.h: makes a context, skinned models and a population from models in one call. The command's verbs, the window and the
 * tests use it.
 */
#ifndef ENGINE_SCENE_H
#define ENGINE_SCENE_H

#include "population.h"

typedef struct SceneDef {
    const Model *const *models; /* [modelCount]; they must outlive the scene */
    uint32_t modelCount;        /* at least 1 */
    uint32_t count;             /* characters; 0: 1 */
    uint64_t seed;
    PopulationPlacement placement;
    PopulationTint tint;
    const uint32_t *clips;      /* as PopulationDef's, by model; used during sceneCreate and sceneReplaceModel */
    SkinChoice skin;            /* settings; `morphs` is used at the same times; skinChoiceComplete completes it */
    const MotionChoice *motion; /* null: clips as they are; used at the same times */
    uint32_t otherModes;        /* bit m: sceneChangeMode may change to SkinMode m; only with SKIN_SYSTEM_COMPUTE */
    VkskinWrap wrap;
    VkskinVertexFormat format;
    VkskinProgressFn progress; /* see SkinnedModelDef */
    void *progressUser;
    VkDeviceSize pageSize; /* 0: the library's default */
    bool readback;
    const VkskinTuning *tuning; /* for this device; null: default for the device type; used only during sceneCreate */
} SceneDef;

typedef struct Scene {
    Device *device;
    Skinning *skinning;
    uint32_t modelCount;
    SkinnedModel **models;
    Population *population;
    uint32_t modes;             /* bit m: sceneChangeMode may change to SkinMode m */
    uint32_t nextSlot;          /* used by sceneSkinOnce */
    SkinChoice skin;            /* complete */
    const MotionChoice *motion; /* as in the def */
    VkskinVertexFormat format;
    PopulationDef populationDef;
} Scene;

/* Null on failure; everything is freed then. */
Scene *sceneCreate(Device *device, const SceneDef *def, EngineError *error);

/* Waits for the device. Null is allowed. */
void sceneDestroy(Scene *scene);

/* How the weights of all meshes were reduced. */
typedef struct SceneWeights {
    uint32_t influences; /* maximum per vertex */
    float trimmed;       /* largest share of a vertex's weight that maxInfluences removed, 0 to 1 */
    float error;         /* VkskinMeshInfo.weightError of the worst mesh, in its model's unit */
    uint32_t worst;      /* index of the model with that mesh */
} SceneWeights;

/* The packed clips of all models, each model once; all 0 without packing. */
ModelPackTotals scenePackTotals(const Scene *scene);

bool sceneWeights(const Scene *scene, SceneWeights *weights, EngineError *error);

/* Changes the SkinMode of all characters to one of scene->modes. Makes missing kernels. Call it between frames. */
bool sceneChangeMode(Scene *scene, SkinMode mode, EngineError *error);

typedef enum SceneReplaced {
    SCENE_REPLACED = 0,
    SCENE_REFUSED, /* the model does not fit; nothing has changed */
    SCENE_KEPT,    /* the scene shows the old model again */
    SCENE_LOST     /* out of memory: the scene can only be destroyed */
} SceneReplaced;

/*
 * Shows another model in place of number `kind`. All instances keep their handles, their characters keep clips and times. The
 * model must have the same meshes in the same parts, with as many morph targets, else it is refused; it must outlive the
 * scene, the old one is no longer used if it was replaced. Waits for the device unless it refuses. Call it between frames,
 * and drawRenew after SCENE_REPLACED and SCENE_KEPT. *error is set unless SCENE_REPLACED.
 */
SceneReplaced sceneReplaceModel(Scene *scene, uint32_t kind, const Model *model, EngineError *error);

/* Begins the library's frame in `slot`. The slot's last use must have finished. */
bool sceneBeginFrame(Scene *scene, uint32_t slot, EngineError *error);

/*
 * Records one frame's skinning: begins the library's frame in `slot`, poses the population at `clock` seconds, records
 * uploads and skinning. For callers that do not time each step.
 */
bool sceneRecordSkinning(Scene *scene, uint32_t slot, VkCommandBuffer commandBuffer, double clock, EngineError *error);

/*
 * Skins the population once at `clock` seconds, submits and waits. Call readbackInstance afterwards. Every call uses the
 * next frame slot. Do not use it together with frames.h on one scene.
 */
bool sceneSkinOnce(Scene *scene, double clock, EngineError *error);

#endif
