/*
 * soak_character.h: a random model and the library's objects of it: a skeleton, a skin, clips.
 */
#ifndef ENGINE_SOAK_CHARACTER_H
#define ENGINE_SOAK_CHARACTER_H

#include "engine_error.h"
#include "soak_context.h"
#include "soak_model.h"
#include "vkskin/vkskin.h"

typedef struct SoakCharacter {
    Model *model;
    bool rigid;      /* dual quaternions can hold it, and quaternions */
    double diagonal; /* of the mesh at bind */
    VkskinSkeleton skeleton;
    VkskinSkin skin;
    VkskinClip clips[SOAK_MAX_CLIPS];
    VkskinTransform *pose; /* [nodeCount], scratch */
    VkskinAffine *world;   /* [nodeCount], scratch */
} SoakCharacter;

/* What an instance of a character does. */
typedef struct SoakPose {
    int32_t clip; /* -1: rest */
    double time;  /* seconds; clips loop */
    VkskinMethod method;
    VkskinPaletteEncoding encoding;
    float morphWeights[SOAK_MORPHS]; /* zeros where the context's meshes have no morph targets */
} SoakPose;

/* memory: counts what the library takes, and outlives the character. On failure *character is zero. */
bool soakCharacterCreate(Random *random, SoakMemory *memory, SoakCharacter *character, EngineError *error);

/* A zero one is allowed. */
void soakCharacterDestroy(SoakCharacter *character);

/* In one of the ways that the character can be skinned. */
SoakPose soakCharacterPose(const SoakCharacter *character, const SoakWays *ways, Random *random);

/* Writes the palette of a pose, in its encoding, by the library. palette: room for boneCount bones. */
bool soakCharacterPalette(SoakCharacter *character, const SoakPose *pose, void *palette, uint32_t boneCount,
                          EngineError *error);

#endif
