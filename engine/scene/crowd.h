/*
 * crowd.h: any number of characters, each with its own place, clip and time, skinned in one record call.
 *
 * A frame: vkskinBeginFrame, crowdCull if there is a picture, crowdPose, crowdSkin, vkskinRecordSkinning, then draw
 * (draw.h). Members that no pass shows are neither posed nor skinned. Members whose pose has not changed since they were
 * skinned are not posed or skinned again. A crowd of one without placement serves single characters.
 */
#ifndef ENGINE_CROWD_H
#define ENGINE_CROWD_H

#include "character.h"

#define CROWD_FIELD_HEIGHT 1.8f /* world units */

typedef enum CrowdPlacement {
    /* Random places in loose rows, without overlap, facing roughly +Z, feet on y = 0. Each kind is scaled so that its
     * poses are CROWD_FIELD_HEIGHT high on average. */
    CROWD_FIELD = 0,
    /* All at the origin, in the model's own unit, turned Y up. */
    CROWD_ORIGIN = 1
} CrowdPlacement;

typedef struct CrowdDef {
    Character *const *characters; /* [characterCount]; they outlive the crowd. The array is copied. */
    uint32_t characterCount;      /* at least 1 */
    uint32_t count;               /* members, at least 1; kinds take turns, then are shuffled */
    uint64_t seed;                /* the same seed gives the same crowd on every machine */
    CrowdPlacement placement;
    SkinWay way; /* of all members; the characters were made for it and have its kernels */
    VkskinWrap wrap;
} CrowdDef;

/* The passes that show members. */
typedef enum CrowdPass { CROWD_PASS_SHADOW = 0, CROWD_PASS_COLOUR, CROWD_PASS_COUNT } CrowdPass;

/* Everything that the output of a member's instances depends on, except its model. */
typedef struct CrowdPose {
    uint32_t clip;
    VkskinWrap wrap;
    SkinWay way;
    double time; /* seconds into the clip; 0 where the time does not count */
} CrowdPose;

/* One member. Callers may change clip, time, wrap, way, place and tint between frames. */
typedef struct CrowdMember {
    uint32_t character;
    uint32_t clip; /* index into the character's clips; UINT32_MAX: rest pose */
    double time;   /* seconds into the clip when the crowd's clock is 0 */
    VkskinWrap wrap;
    SkinWay way;
    VkskinAffine place;      /* from the character's common space (Y up, its own unit) to the world */
    float tint[3];           /* multiplies the base colour, linear */
    uint32_t firstInstance;  /* into Crowd.instances: one for each part of the character */
    size_t firstMorph;       /* into Crowd.morphWeights: as many as the character has */
    uint32_t slot;           /* index among the members of its kind */
    uint32_t passes;         /* bit p: CrowdPass p shows it; all bits until crowdCull */
    CrowdPose pose;          /* of the latest crowdPose that saw the member */
    uint64_t poseVersion;    /* changes with `pose`; 0: never posed */
    uint64_t skinnedVersion; /* poseVersion when the member was skinned last; 0: never */
} CrowdMember;

typedef struct CrowdScratch CrowdScratch;

typedef struct Crowd {
    Skinning *skinning;
    uint32_t characterCount, memberCount, instanceCount;
    Character **characters;
    CrowdMember *members;            /* [memberCount] */
    uint32_t *order;                 /* [memberCount] members, kind by kind */
    uint32_t *kindStarts;            /* [characterCount + 1] into order */
    VkskinInstance *instances;       /* [instanceCount] */
    VkskinSkinCommand *commands;     /* [instanceCount], of the frame */
    float *morphWeights;             /* [morphCount], of the frame */
    size_t morphCount;               /* all members */
    Bounds bounds;                   /* where members stand, world space: for cameras and the shadow's box */
    float memberHeight;              /* world units: average pose height of the tallest kind */
    uint64_t vertexCount, boneCount; /* all members */
    CrowdScratch *scratch;           /* of crowdPose */
} Crowd;

/* What the context must hold for a crowd of these models. */
typedef struct CrowdNeeds {
    uint32_t instances;
    VkDeviceSize paletteBytes;   /* per frame, without the rest of each page */
    VkDeviceSize largestPalette; /* bytes; at most this much of each page stays unused */
    uint64_t morphWeights;       /* maximum places that commands take per frame */
} CrowdNeeds;

/* ways: bit w: members may be skinned by SkinWay w; the largest palettes of these count. */
CrowdNeeds crowdNeeds(const Model *const *models, uint32_t modelCount, uint32_t count, uint32_t ways);

/* Takes instances from the context. Null on failure, with nothing left over. */
Crowd *crowdCreate(Skinning *skinning, const CrowdDef *def, EngineError *error);

/* Null is allowed. */
void crowdDestroy(Crowd *crowd);

/* What a frame's two passes see. */
typedef struct CrowdView {
    float camera[16];      /* world to clip space, see cameraViewProjection */
    float light[16];       /* likewise, see cameraDirectional */
    float towardsLight[3]; /* any length above 0 */
    float shadowMargin;    /* world units around a point that its shadow is filtered from */
} CrowdView;

/*
 * Marks which passes show each member. The colour pass shows members that the camera may see. The shadow pass shows
 * members that the light sees and whose shadow may fall into the picture. Both use Character.boxes, which hold every
 * pose of the member's clip.
 */
void crowdCull(Crowd *crowd, const CrowdView *view);

/*
 * Allocates palettes of the frame and writes them, on all threads of the Skinning: every member that a pass shows and
 * whose pose changed, at its time plus `clock` seconds.
 */
bool crowdPose(Crowd *crowd, double clock, EngineError *error);

/* Gives the commands of crowdPose to vkskinSkinInstances. */
bool crowdSkin(Crowd *crowd, EngineError *error);

/* From a part's mesh space to the world: place x modelToCommon x meshToModel. */
VkskinAffine crowdPartMatrix(const Crowd *crowd, const CrowdMember *member, uint32_t part);

#endif
