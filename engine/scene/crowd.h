/*
 * crowd.h: any number of characters, each at its own place, clip and time, skinned in one record call.
 *
 * A frame: vkskinBeginFrame, crowdPose, crowdSkin, vkskinRecordSkinning, then draw.h. A crowd of one without
 * placement serves single characters.
 */
#ifndef ENGINE_CROWD_H
#define ENGINE_CROWD_H

#include "character.h"

#define CROWD_FIELD_HEIGHT 1.8f /* world units */

typedef enum CrowdPlacement {
    /* Seeded places in loose rows that do not touch, facing roughly +Z, feet on y = 0, every kind scaled so that its
     * poses are CROWD_FIELD_HEIGHT high on average. */
    CROWD_FIELD = 0,
    /* All at the origin, in the model's own unit, turned Y up. */
    CROWD_ORIGIN = 1
} CrowdPlacement;

typedef struct CrowdDef {
    Character *const *characters; /* [characterCount]; they outlive the crowd. The array is copied. */
    uint32_t characterCount;      /* 1 up */
    uint32_t count;               /* members, 1 up; member i is of kind i modulo characterCount, then shuffled */
    uint64_t seed;                /* same seed, same crowd, on every machine */
    CrowdPlacement placement;
    SkinWay way; /* of all members; the characters were made for it and have its kernels */
    VkskinWrap wrap;
} CrowdDef;

/* One member. What a caller may change between frames: clip, time, wrap, way, place, tint. */
typedef struct CrowdMember {
    uint32_t character;
    uint32_t clip; /* index into the character's clips; UINT32_MAX: rest */
    double time;   /* seconds into the clip when the crowd's clock is 0 */
    VkskinWrap wrap;
    SkinWay way;
    VkskinAffine place;     /* from the character's common space (Y up, its own unit) to the world */
    float tint[3];          /* multiplies the base colour, linear */
    uint32_t firstInstance; /* into Crowd.instances: one for each part of the character */
    size_t firstMorph;      /* into Crowd.morphWeights: as many as the character has */
} CrowdMember;

typedef struct Crowd {
    Skinning *skinning;
    uint32_t characterCount, memberCount, instanceCount;
    Character **characters;
    CrowdMember *members;            /* [memberCount] */
    VkskinInstance *instances;       /* [instanceCount] */
    VkskinSkinCommand *commands;     /* [instanceCount], of the frame */
    float *morphWeights;             /* [morphCount], of the frame */
    size_t morphCount;               /* all members */
    Bounds bounds;                   /* where members stand, world space: for cameras and the shadow's box */
    float memberHeight;              /* world units: of the tallest kind's poses, on average */
    uint64_t vertexCount, boneCount; /* all members */
    /* Scratch of crowdPose. */
    VkskinTransform *pose;
    VkskinAffine *world;
    VkskinPalette *palettes;
} Crowd;

/* What the context must hold for a crowd of these characters' models, before anything of it exists. */
typedef struct CrowdNeeds {
    uint32_t instances;
    VkDeviceSize paletteBytes;   /* a frame, without what page ends leave over */
    VkDeviceSize largestPalette; /* bytes: at most this much is left over at each page's end */
    uint64_t morphWeights;       /* places that commands take in a frame, at most */
} CrowdNeeds;

/* ways: bit w: members may be skinned by SkinWay w; the largest palettes of these count. */
CrowdNeeds crowdNeeds(const Model *const *models, uint32_t modelCount, uint32_t count, uint32_t ways);

/* Takes instances from the context. Null on failure, with nothing left over. */
Crowd *crowdCreate(Skinning *skinning, const CrowdDef *def, EngineError *error);

/* Null is allowed. */
void crowdDestroy(Crowd *crowd);

/* Takes palettes of the frame and writes them: every member sampled at its time plus `clock` seconds. */
bool crowdPose(Crowd *crowd, double clock, EngineError *error);

/* Gives the frame's commands to vkskinSkinInstances: after crowdPose. */
bool crowdSkin(Crowd *crowd, EngineError *error);

/* From a part's mesh space to the world: place x modelToCommon x meshToModel. */
VkskinAffine crowdPartMatrix(const Crowd *crowd, const CrowdMember *member, uint32_t part);

#endif
