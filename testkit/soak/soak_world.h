/*
 * soak_world.h: who lives in a soak: characters, meshes of them, instances of these; made and destroyed by the library,
 * and what the library must know of each kept a second time.
 *
 * Characters outlive contexts; meshes and instances go with theirs. Lists have no order: the last takes the place of
 * one that goes.
 */
#ifndef ENGINE_SOAK_WORLD_H
#define ENGINE_SOAK_WORLD_H

#include "soak_character.h"
#include "soak_context.h"
#include "soak_ranges.h"

#define SOAK_MAX_CHARACTERS 8u
#define SOAK_MAX_MESHES     16u

typedef struct SoakMesh {
    VkskinMesh handle;
    VkskinMeshInfo info;
    SoakCharacter *character;
    uint32_t maxInfluences;
    float *centres; /* [vertexCount][3], or null */
    bool previousPositions;
} SoakMesh;

typedef struct SoakInstance {
    VkskinInstance handle;
    SoakMesh *mesh;
    uint64_t updateFrame; /* of the context's count; 0: it has no output yet */
    bool moved;           /* its latest update had one before it, and was no teleport */
    SoakPose pose;        /* of the latest update */
    SoakPose before;      /* of the one before it, where `moved` */
} SoakInstance;

/* How much happened. */
typedef struct SoakCounts {
    uint64_t contexts;
    uint64_t charactersMade, charactersDestroyed; /* a skeleton and a skin each */
    uint64_t clipsMade;
    uint64_t meshesMade, meshesDestroyed;
    uint64_t instancesMade, instancesDestroyed; /* the context's end included, as with meshes */
    uint64_t commands;                          /* given to vkskinSkinInstances, in whatever frames */
    uint64_t instancesSkinned, verticesSkinned; /* updates of submitted frames */
    uint64_t teleports;
    uint64_t framesSubmitted, framesAbandoned, framesCancelled;
    uint64_t framesHeldBack; /* submitted while at least one more was waiting for the gate */
    uint64_t ringFull;       /* updates left out because the palette ring was full */
    uint64_t instancesChecked, verticesChecked, verticesLeftOut;
} SoakCounts;

typedef struct SoakWorld {
    Random random;
    SoakContext *context;  /* borrowed */
    SoakMemory poseMemory; /* of skeletons, clips and skins */
    SoakRanges ranges;
    SoakCounts counts;
    SoakCharacter *characters[SOAK_MAX_CHARACTERS];
    SoakMesh *meshes[SOAK_MAX_MESHES];
    SoakInstance *instances[SOAK_MAX_INSTANCES];
    uint32_t characterCount, meshCount, instanceCount;
} SoakWorld;

/* One more of each, at random; nothing happens where the list is full, or nobody is there to make it of. */
bool soakWorldAddCharacter(SoakWorld *world, EngineError *error);
bool soakWorldAddMesh(SoakWorld *world, EngineError *error);
bool soakWorldAddInstance(SoakWorld *world, EngineError *error);

/* index: into the list. What is made of it goes first. */
bool soakWorldDropCharacter(SoakWorld *world, uint32_t index, EngineError *error);
bool soakWorldDropMesh(SoakWorld *world, uint32_t index, EngineError *error);
bool soakWorldDropInstance(SoakWorld *world, uint32_t index, EngineError *error);

/* No instance that was updated in this frame lies where a destroyed one is still in flight. */
bool soakWorldCheckPlaces(const SoakWorld *world, EngineError *error);

/* The context goes with all its meshes and instances: they are forgotten, not destroyed one by one. */
void soakWorldForgetContext(SoakWorld *world);

/* Destroys the characters, when no context is there any more. Fails where they leave memory. */
bool soakWorldEnd(SoakWorld *world, EngineError *error);

#endif
