/*
 * crowd.h: any number of characters, each with a place, a clip and a time, skinned in one record call.
 *
 * A frame: vkskinBeginFrame, crowdCull if there is a picture, crowdPose, crowdSkin, vkskinRecordSkinning, then draw
 * (draw.h). Members that no pass shows are neither posed nor skinned. Members with an unchanged pose are not posed or
 * skinned again. For a single character, use a crowd of one with CROWD_ORIGIN.
 */
#ifndef ENGINE_CROWD_H
#define ENGINE_CROWD_H

#include "character.h"

typedef enum CrowdPlacement {
    /* Random places in loose rows, without overlap, facing roughly +Z, feet on y = 0. Each kind is scaled so that its
     * poses are CROWD_FIELD_HEIGHT high on average. */
    CROWD_FIELD = 0,
    /* All at the origin, in the model's unit, rotated to Y up. */
    CROWD_ORIGIN = 1
} CrowdPlacement;

/* Whether members differ in colour: their tints. A member at CROWD_ORIGIN has none. */
typedef enum CrowdTint {
    CROWD_TINT_AUTO = 0, /* tints for kinds without textures and colours of their own */
    CROWD_TINT_ON,
    CROWD_TINT_OFF
} CrowdTint;

typedef struct CrowdDef {
    Character *const *characters; /* [characterCount]; they outlive the crowd. The array is copied. */
    uint32_t characterCount;      /* at least 1 */
    uint32_t count;               /* members, at least 1; kinds take turns, then are shuffled */
    uint64_t seed;                /* the same seed gives the same crowd on every machine */
    CrowdPlacement placement;
    CrowdTint tint;
    const uint32_t *clips; /* [characterCount] the clip of all members of each kind; null: a random one that moves */
    SkinChoice skin;       /* complete; all members have its mode, which the characters must support, with kernels */
    VkskinWrap wrap;
} CrowdDef;

/* The passes that show members. */
typedef enum CrowdPass { CROWD_PASS_SHADOW = 0, CROWD_PASS_COLOUR, CROWD_PASS_COUNT } CrowdPass;

/* All inputs of a member's output, except its model. */
typedef struct CrowdPose {
    uint32_t clip;
    VkskinWrap wrap;
    SkinMode mode;
    double time;     /* seconds into the clip; 0 if the time has no effect */
    uint32_t motion; /* version of the character's motion, 0 without one */
} CrowdPose;

/* One member. Callers may change clip, time, wrap, mode, place and tint between frames. */
typedef struct CrowdMember {
    uint32_t character;
    uint32_t clip; /* index into the character's clips; UINT32_MAX: rest pose */
    double time;   /* seconds into the clip when the crowd's clock is 0 */
    VkskinWrap wrap;
    SkinMode mode;
    VkskinAffine place;      /* from the character's common space (Y up, its own unit) to the world */
    float tint[3];           /* multiplies the base colour, linear */
    uint32_t firstInstance;  /* index into Crowd.instances: one per part of the character */
    size_t firstMorph;       /* index into Crowd.morphWeights: the character's morphCount weights */
    uint32_t slot;           /* index among the members of its kind */
    uint32_t passes;         /* bit p: CrowdPass p shows it; all bits until crowdCull */
    CrowdPose pose;          /* pose of the latest crowdPose that saw the member */
    uint64_t poseVersion;    /* changes with `pose`; 0: never posed */
    uint64_t skinnedVersion; /* poseVersion of the last skinning; 0: never skinned */
} CrowdMember;

typedef struct Crowd Crowd;

/*
 * Takes the palettes of a crowd without instances, whose vertices the passes skin: render/systems. Callbacks run on the
 * thread of crowdPose.
 */
typedef struct CrowdPalettes {
    void *user;
    /* Before any member of a frame is posed. */
    void (*begin)(void *user);
    /*
     * Says where the palettes go of members of one kind. members: [count]. data: [count][paletteCount of the kind], each
     * for the palette's boneCount entries of `encoding`; valid until `finish`.
     */
    bool (*place)(void *user, uint32_t kind, const uint32_t *members, uint32_t count, VkskinPaletteEncoding encoding,
                  void **data, EngineError *error);
    /* All palettes of the frame are written. */
    bool (*finish)(void *user, EngineError *error);
    /* Frees what keeps meshes from being replaced; nothing is drawn until the system is made again. Null: nothing. */
    void (*release)(void *user);
    bool keepsScale;  /* false: a palette that loses scale is refused */
    const char *name; /* name of the system, for messages */
} CrowdPalettes;

/* For crowdPose, sized for the kind with the largest need. */
typedef struct CrowdScratch {
    VkskinPoseBatch **batches;            /* [characterCount][paletteCount of the character] */
    uint32_t *fresh;                      /* members of the kind that are posed in this frame */
    uint32_t *boneCounts;                 /* [fresh][paletteCount] */
    VkskinPalette *palettes;              /* [fresh][paletteCount] */
    void **data;                          /* [fresh][paletteCount]: destination of each palette */
    VkskinPoseBatchCharacter *characters; /* [fresh] */
} CrowdScratch;

struct Crowd {
    Skinning *skinning;
    SkinChoice skin;        /* settings of the def */
    CrowdPalettes palettes; /* zero with systems that skin once; else set by who draws, before crowdPose */
    double clock;           /* clock of the last crowdPose */
    bool changed;           /* set by callers who change members after the crowd was made; SKIN_SYSTEM_CROWD reads it */
    uint32_t frameSlot;     /* slot of the frame that sceneBeginFrame began */
    uint32_t characterCount, memberCount, instanceCount;
    Character **characters;
    CrowdMember *members;            /* [memberCount] */
    uint32_t *order;                 /* [memberCount]: member indices, kind by kind */
    uint32_t *kindStarts;            /* [characterCount + 1] into order */
    VkskinInstance *instances;       /* [instanceCount]; null handles without SKIN_SYSTEM_COMPUTE */
    VkskinSkinCommand *commands;     /* [instanceCount], of the frame */
    float *morphWeights;             /* [morphCount], of the frame */
    size_t morphCount;               /* all members */
    Bounds bounds;                   /* box of all members in world space: for cameras and the shadow's box */
    float memberHeight;              /* world units: average pose height of the tallest kind */
    uint64_t vertexCount, boneCount; /* all members */
    CrowdScratch *scratch;           /* temporary memory of crowdPose */
};

/* Number of the members of a kind. */
static inline uint32_t crowdKindSize(const Crowd *crowd, uint32_t kind) {
    return crowd->kindStarts[kind + 1] - crowd->kindStarts[kind];
}

/* Creates the instances. Null on failure; everything is freed then. */
Crowd *crowdCreate(Skinning *skinning, const CrowdDef *def, EngineError *error);

/* Null is allowed. */
void crowdDestroy(Crowd *crowd);

/*
 * Lets the members of a kind show another character, with the same parts, morph targets and mesh handles. They keep clips
 * and times; all members are placed anew, as in the crowd's def. Call it between frames, and again with the former
 * character after a failure.
 */
bool crowdReplaceCharacter(Crowd *crowd, uint32_t kind, Character *character, const CrowdDef *def, EngineError *error);

/* The views of a frame's two passes. */
typedef struct CrowdView {
    float camera[16];      /* world to clip space, see cameraViewProjection */
    float light[16];       /* world to clip space, see cameraDirectional */
    float towardsLight[3]; /* any length above 0 */
    float shadowMargin;    /* radius of the shadow filter, world units */
} CrowdView;

/*
 * Determines which passes show each member. The colour pass shows members that may be in the camera's view. The shadow
 * pass shows members in the light's view whose shadow may be in the camera's view. Both use Character.boxes, which hold
 * every pose of the member's clip. Members with a motion have other poses: they are always shown.
 */
void crowdCull(Crowd *crowd, const CrowdView *view);

/*
 * Allocates and writes the frame's palettes on all threads of the Skinning. Poses every member that a pass shows and
 * whose pose changed, at its time plus `clock` seconds. With SKIN_SYSTEM_CROWD it only sets Crowd.clock: the
 * system poses.
 */
bool crowdPose(Crowd *crowd, double clock, EngineError *error);

/* Passes the commands of crowdPose to vkskinSkinInstances. Does nothing for a crowd without instances. */
bool crowdSkin(Crowd *crowd, EngineError *error);

/* From a part's mesh space to the world: place x modelToCommon x meshToModel. */
VkskinAffine crowdPartMatrix(const Crowd *crowd, const CrowdMember *member, uint32_t part);

/* A tint as the shaders read it: 8 bits per channel hold half of it, so that tints up to 2 fit. */
uint32_t crowdPackTint(const float tint[3]);

#endif
