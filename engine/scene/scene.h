/*
 * scene.h: makes a context, characters and a crowd from models in one call. The verbs of the command, the window and the
 * tests start from it.
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
    uint32_t modelCount;      /* at least 1 */
    uint32_t count;           /* members; 0: 1 */
    uint64_t seed;
    CrowdPlacement placement;
    SkinChoice skin;    /* its morphs must exist during sceneCreate only */
    uint32_t otherWays; /* bit w: sceneChangeWay may change to SkinWay w */
    VkskinWrap wrap;
    VkskinVertexFormat format;
    VkskinProgressFn progress; /* see CharacterDef */
    void *progressUser;
    uint32_t framesInFlight; /* 0: FRAMES_DEFAULT */
    VkDeviceSize pageSize;   /* 0: the library's default */
    bool readback;
    const VkskinTuning *tuning; /* of this device; null: by its type; must exist during sceneCreate only */
} SceneDef;

typedef struct Scene {
    Device *device;
    Skinning *skinning;
    uint32_t characterCount;
    Character **characters;
    Crowd *crowd;
    uint32_t ways;     /* bit w: sceneChangeWay may change to SkinWay w */
    uint32_t nextSlot; /* of sceneSkinOnce */
} Scene;

/* Null on failure, with nothing left over. */
Scene *sceneCreate(Device *device, const SceneDef *def, EngineError *error);

/* Waits for the device. Null is allowed. */
void sceneDestroy(Scene *scene);

/* How all meshes' weights were reduced. */
typedef struct SceneWeights {
    uint32_t influences; /* maximum per vertex */
    float trimmed;       /* largest share of a vertex's weight that maxInfluences removed, 0 to 1 */
    float error;         /* of the worst mesh: VkskinMeshInfo.weightError, in its model's unit */
    uint32_t worst;      /* the character that has it */
} SceneWeights;

bool sceneWeights(const Scene *scene, SceneWeights *weights, EngineError *error);

/* Changes the SkinWay of all members to one of scene->ways. Makes missing kernels. Call it between frames. */
bool sceneChangeWay(Scene *scene, SkinWay way, EngineError *error);

/* Begins the library's frame in `slot`. The slot's last use must have finished. */
bool sceneBeginFrame(Scene *scene, uint32_t slot, EngineError *error);

/*
 * Records one frame's skinning: begins the library's frame in `slot`, poses the crowd at `clock` seconds, records uploads
 * and skinning. For callers that do not time the single steps.
 */
bool sceneRecordSkinning(Scene *scene, uint32_t slot, VkCommandBuffer commandBuffer, double clock, EngineError *error);

/*
 * Skins the crowd once at `clock` seconds, submits and waits, so that readbackInstance can follow. Every call takes the
 * next frame slot. Do not mix it with frames.h on one scene.
 */
bool sceneSkinOnce(Scene *scene, double clock, EngineError *error);

#endif
