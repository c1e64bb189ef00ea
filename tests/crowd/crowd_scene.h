/*
 * crowd_scene.h: a crowd of two models on a device, with random characters that change at random. Two scenes of one seed
 * do the same on both backends.
 */
#ifndef TESTS_CROWD_SCENE_H
#define TESTS_CROWD_SCENE_H

#include "crowd_cast.h"
#include "crowd_inside.h"
#include "crowd_stages.h"
#include "gpu.h"
#include "random.h"

#define SCENE_FRAMES_IN_FLIGHT 2u
#define SCENE_MAX_CHARACTERS   300u /* maximum characters of sceneDrawn */

typedef struct SceneDef {
    VkskinBackend backend;
    VkskinBarriers barriers;
    CastDef cast;
    uint32_t views; /* 0: two */
    uint64_t seed;
    uint64_t maxVertices;                   /* see VkskinCrowdFrame */
    bool host;                              /* more than the defaults: an output that vertex shaders read */
    const VkskinVulkanFunctions *functions; /* null: the driver's */
    const VkskinContextDef *context;        /* null: gpuContextDef; backend, barriers and functions are set */
} SceneDef;

typedef struct CrowdScene {
    Gpu *gpu;
    SceneDef def;
    VkskinContext context;
    Cast cast;
    VkskinCrowd crowd;
    VkskinCrowdMemory memory;
    Random random;
    VkskinCharacter *characters; /* [capacity], the first `count` exist */
    uint32_t count;
    uint32_t slot;                      /* slot of the next frame */
    uint32_t tick;                      /* tick of the next frame */
    VkskinCrowdView views[CROWD_VIEWS]; /* the later ones see more */
} CrowdScene;

/* A tuning that poses with a workgroup per character. */
VkskinTuning sceneGroupTuning(Gpu *gpu);

CrowdScene sceneMake(Gpu *gpu, const SceneDef *def);
void sceneFree(CrowdScene *scene);

/* The def of the scene's crowd; points into *made. */
void sceneDescribe(const CrowdScene *scene, CastCrowdDef *made);

/* Another crowd of the same context, clips and meshes, without characters; free it before that one. */
CrowdScene sceneAnother(CrowdScene *scene, uint64_t seed);
void sceneFreeAnother(CrowdScene *scene);

/* Adds characters at random places, as far as there is room. */
void sceneAdd(CrowdScene *scene, uint32_t count);

/* Random changes of some characters; removes and adds some too. */
void sceneChangeSome(CrowdScene *scene);
void sceneChange(CrowdScene *scene);

/* The views of a frame, which turn with the tick: a camera, a shadow, a camera that sees a half of the world, and a shadow
 * that sees all of it. */
uint32_t sceneViewCount(const CrowdScene *scene);
void sceneTurn(CrowdScene *scene);

/* A frame: begins, records, and runs on the device; or cancels it. The tick goes on only if it is not cancelled. */
void sceneRun(CrowdScene *scene);
void sceneCancel(CrowdScene *scene);

/* The same in parts: records the crowd in a frame that has begun; goes on to the next slot and tick. */
void sceneRecord(CrowdScene *scene, VkCommandBuffer commandBuffer);
void sceneGoOn(CrowdScene *scene);

/* The content of a buffer; free() it. The device is idle. */
void *sceneRead(CrowdScene *scene, InsideBuffer buffer);

/* Writes a whole buffer of the device, which is idle. */
void sceneWrite(CrowdScene *scene, InsideBuffer target, const void *bytes);

CrowdInside sceneInside(const CrowdScene *scene);

/* Who the last frame drew, by character. */
typedef struct SceneDrawn {
    uint32_t views[SCENE_MAX_CHARACTERS];    /* bit v: in the list of view v */
    uint64_t vertices[SCENE_MAX_CHARACTERS]; /* hash of the skinned positions */
} SceneDrawn;

SceneDrawn sceneDrawn(CrowdScene *scene);

/* The words of the last frame: lists, records, poses; free() them. */
uint32_t *sceneFrame(CrowdScene *scene);

/* The skinned vertices of a pool; free() them. */
float *sceneVertices(CrowdScene *scene, uint32_t pool);

#endif
