/*
 * scene.h: models to a crowd that can be skinned and drawn, in one call: context, characters, crowd. What the verbs
 * of the command, the window and the tests start from.
 */
#ifndef ENGINE_SCENE_H
#define ENGINE_SCENE_H

#include "crowd.h"

typedef struct SceneModel {
    const Model *model; /* outlives the scene */
    CharacterUp up;
} SceneModel;

typedef struct SceneDef {
    const SceneModel *models; /* [modelCount] */
    uint32_t modelCount;      /* 1 up */
    uint32_t count;           /* members; 0 is taken as 1 */
    uint64_t seed;
    CrowdPlacement placement;
    SkinChoice skin;    /* its morphs live during sceneCreate; each is of some model, or does nothing */
    uint32_t otherWays; /* bit w: sceneChangeWay may ask for SkinWay w too */
    VkskinWrap wrap;
    VkskinVertexFormat format;
    VkskinProgressFn progress; /* as CharacterDef has it */
    void *progressUser;
    uint32_t framesInFlight; /* 0: FRAMES_DEFAULT */
    VkDeviceSize pageSize;   /* 0: the library's default */
    bool readback;
    const VkskinTuning *tuning; /* of this device; null: by its type; lives during sceneCreate */
} SceneDef;

typedef struct Scene {
    Device *device;
    Skinning *skinning;
    uint32_t characterCount;
    Character **characters;
    Crowd *crowd;
    uint32_t ways;     /* bit w: sceneChangeWay may ask for SkinWay w */
    uint32_t nextSlot; /* of sceneSkinOnce */
} Scene;

/* Null on failure, with nothing left over. */
Scene *sceneCreate(Device *device, const SceneDef *def, EngineError *error);

/* Waits for the device. Null is allowed. */
void sceneDestroy(Scene *scene);

/* What became of the weights of all characters' meshes. */
typedef struct SceneWeights {
    uint32_t influences; /* the most that a vertex keeps */
    float trimmed;       /* the largest share of a vertex's weight that was lost by maxInfluences, 0 to 1 */
    float error;         /* of the worst mesh: VkskinMeshInfo.weightError, in its model's unit */
    uint32_t worst;      /* the character that has it */
} SceneWeights;

bool sceneWeights(const Scene *scene, SceneWeights *weights, EngineError *error);

/* All members by another way, one of scene->ways: makes kernels that are not there yet. Between frames. */
bool sceneChangeWay(Scene *scene, SkinWay way, EngineError *error);

/* Begins the library's frame in `slot`, whose last use has finished. */
bool sceneBeginFrame(Scene *scene, uint32_t slot, EngineError *error);

/*
 * One frame's skinning, recorded whole: begins the library's frame in `slot`, poses the crowd at `clock` seconds,
 * records uploads and skinning. For callers that do not time the steps one by one.
 */
bool sceneRecordSkinning(Scene *scene, uint32_t slot, VkCommandBuffer commandBuffer, double clock, EngineError *error);

/*
 * Skins the crowd once at `clock` seconds, submitted and waited for, so that readbackInstance can follow. Every call
 * takes the next frame slot. Not to be mixed with frames.h on one scene.
 */
bool sceneSkinOnce(Scene *scene, double clock, EngineError *error);

#endif
