/*
 * population.h: any number of characters, each with a place, a clip and a time, skinned in one record call.
 *
 * A frame: vkskinBeginFrame, populationCull if there is a picture, populationPose, populationSkin, vkskinRecordSkinning, then draw
 * (draw.h). Characters that no pass shows are neither posed nor skinned. Characters with an unchanged pose are not posed or
 * skinned again. For a single character, use a population of one with POPULATION_ORIGIN.
 */
#ifndef ENGINE_POPULATION_H
#define ENGINE_POPULATION_H

#include "skinned_model.h"

typedef enum PopulationPlacement {
    /* Random places in loose rows, without overlap, facing roughly +Z, feet on y = 0. Each kind is scaled so that its
     * poses are POPULATION_FIELD_HEIGHT high on average. */
    POPULATION_FIELD = 0,
    /* All at the origin, in the model's unit, rotated to Y up. */
    POPULATION_ORIGIN = 1
} PopulationPlacement;

/* Whether characters differ in colour: their tints. A character at POPULATION_ORIGIN has none. */
typedef enum PopulationTint {
    POPULATION_TINT_AUTO = 0, /* tints for kinds without textures and colours of their own */
    POPULATION_TINT_ON,
    POPULATION_TINT_OFF
} PopulationTint;

typedef struct PopulationDef {
    SkinnedModel *const *models; /* [modelCount]; they outlive the population. The array is copied. */
    uint32_t modelCount;         /* at least 1 */
    uint32_t count;              /* characters, at least 1; kinds take turns, then are shuffled */
    uint64_t seed;               /* the same seed gives the same population on every machine */
    PopulationPlacement placement;
    PopulationTint tint;
    const uint32_t *clips; /* [modelCount] the clip of all characters of each kind; null: a random one that moves */
    SkinChoice skin;       /* complete; all characters have its mode, which the models must support, with kernels */
    VkskinWrap wrap;
} PopulationDef;

/* The passes that show characters. */
typedef enum PopulationPass {
    POPULATION_PASS_SHADOW = 0,
    POPULATION_PASS_COLOUR,
    POPULATION_PASS_COUNT
} PopulationPass;

/* All inputs of a character's output, except its model. */
typedef struct PopulationPose {
    uint32_t clip;
    VkskinWrap wrap;
    SkinMode mode;
    double time;     /* seconds into the clip; 0 if the time has no effect */
    uint32_t motion; /* version of the model's motion, 0 without one */
} PopulationPose;

/* One character. Callers may change clip, time, wrap, mode, place and tint between frames. */
typedef struct Character {
    uint32_t model;
    uint32_t clip; /* index into the model's clips; UINT32_MAX: rest pose */
    double time;   /* seconds into the clip when the population's clock is 0 */
    VkskinWrap wrap;
    SkinMode mode;
    VkskinAffine place;     /* from the model's common space (Y up, its own unit) to the world */
    VkskinAffine lastPlace; /* in the frame before, of one that was shown: with SkinChoice.motion */
    bool continues; /* `lastPlace` and previous positions count. Callers clear it for a teleport, with `place` */
    float tint[3];  /* multiplies the base colour, linear */
    uint32_t firstInstance; /* index into Population.instances: one per part of the model */
    size_t firstMorph;      /* index into Population.morphWeights: the model's morphCount weights */
    uint32_t slot;          /* index among the characters of its kind */
    MotionSwing *swing;     /* for a character whose motionSwings; else null */
    uint32_t passes;        /* bit p: PopulationPass p shows it; all bits until populationCull */
    Bounds box;             /* for a character with a motion, in the model's world space, in the pose `boxed` */
    PopulationPose boxed;
    bool hasBox;
    VkskinAffine *world;     /* nodes in the pose `boxed`, from culling until palettes are written; else null */
    PopulationPose pose;     /* pose of the latest populationPose that saw the character */
    uint64_t poseVersion;    /* changes with `pose`; 0: never posed */
    uint64_t skinnedVersion; /* poseVersion of the last skinning; 0: never skinned */
} Character;

typedef struct Population Population;

/*
 * Takes the palettes of a population without instances, whose vertices the passes skin: render/systems. Callbacks run on the
 * thread of populationPose.
 */
typedef struct PopulationPalettes {
    void *user;
    /* Before any character of a frame is posed. */
    void (*begin)(void *user);
    /*
     * Says where the palettes go of characters of one kind. characters: [count]. data: [count][paletteCount of the kind], each
     * for the palette's boneCount entries of `encoding`; valid until `finish`.
     */
    bool (*place)(void *user, uint32_t kind, const uint32_t *characters, uint32_t count, VkskinPaletteEncoding encoding,
                  void **data, EngineError *error);
    /* All palettes of the frame are written. */
    bool (*finish)(void *user, EngineError *error);
    /* Frees what keeps meshes from being replaced; nothing is drawn until the system is made again. Null: nothing. */
    void (*release)(void *user);
    bool keepsScale;  /* false: a palette that loses scale is refused */
    const char *name; /* name of the system, for messages */
} PopulationPalettes;

/* For populationPose, sized for the kind with the largest need. */
typedef struct PopulationScratch {
    VkskinPoseBatch **batches;            /* [modelCount][paletteCount of the model] */
    uint32_t *fresh;                      /* characters of the kind that are posed in this frame */
    uint32_t *boneCounts;                 /* [fresh][paletteCount] */
    VkskinPalette *palettes;              /* [fresh][paletteCount] */
    void **data;                          /* [fresh][paletteCount]: destination of each palette */
    VkskinPoseBatchCharacter *characters; /* [fresh] */
} PopulationScratch;

/* The views of a frame's two passes. */
typedef struct PopulationView {
    float camera[16];      /* world to clip space, see cameraViewProjection */
    float light[16];       /* world to clip space, see cameraDirectional */
    float towardsLight[3]; /* any length above 0 */
    float shadowMargin;    /* radius of the shadow filter, world units */
    float eye[3];          /* place of the camera */
    float pixelsPerUnit;   /* length of a unit at distance 1, for levels of detail; 0: the finest */
} PopulationView;

struct Population {
    Skinning *skinning;
    SkinChoice skin;             /* settings of the def */
    PopulationPalettes palettes; /* zero with systems that skin once; else set by who draws, before populationPose */
    double clock;                /* clock of the last populationPose */
    bool changed; /* set by callers who change characters after the population was made; SKIN_SYSTEM_CROWD reads it */
    uint32_t frameSlot; /* slot of the frame that sceneBeginFrame began */
    uint32_t modelCount, characterCount, instanceCount;
    SkinnedModel **models;
    Character *characters;           /* [characterCount] */
    uint32_t *order;                 /* [characterCount]: character indices, kind by kind */
    uint32_t *kindStarts;            /* [modelCount + 1] into order */
    VkskinInstance *instances;       /* [instanceCount]; null handles without SKIN_SYSTEM_COMPUTE */
    VkskinSkinCommand *commands;     /* [instanceCount], of the frame */
    float *morphWeights;             /* [morphCount], of the frame */
    size_t morphCount;               /* all characters */
    Bounds bounds;                   /* box of all characters in world space: for cameras and the shadow's box */
    float characterHeight;           /* world units: average pose height of the tallest kind */
    uint64_t vertexCount, boneCount; /* all characters */
    const PopulationView *view;      /* given to populationCull, until populationPose has read it; null: none */
    PopulationView lastView;
    PopulationScratch *scratch; /* temporary memory of populationPose */
};

/* Number of the characters of a kind. */
static inline uint32_t populationKindSize(const Population *population, uint32_t kind) {
    return population->kindStarts[kind + 1] - population->kindStarts[kind];
}

/* Creates the instances. Null on failure; everything is freed then. */
Population *populationCreate(Skinning *skinning, const PopulationDef *def, EngineError *error);

/* Null is allowed. */
void populationDestroy(Population *population);

/*
 * Lets the characters of a kind show another model, with the same parts, morph targets and mesh handles. They keep clips
 * and times; all characters are placed anew, as in the population's def. Call it between frames, and again with the former
 * model after a failure.
 */
bool populationReplaceModel(Population *population, uint32_t kind, SkinnedModel *skinned, const PopulationDef *def,
                            EngineError *error);

/*
 * Determines which passes show each character. The colour pass shows characters that may be in the camera's view. The shadow
 * pass shows characters in the light's view whose shadow may be in the camera's view. Both use SkinnedModel.boxes, which hold
 * every pose of the character's clip. Characters with a motion have other poses: populationPose decides about them, by
 * skinnedModelPoseBox.
 */
void populationCull(Population *population, const PopulationView *view);

/*
 * Allocates and writes the frame's palettes on all threads of the Skinning. Poses every character that a pass shows and
 * whose pose changed, at its time plus `clock` seconds. With SKIN_SYSTEM_CROWD it only sets Population.clock: the
 * system poses.
 */
bool populationPose(Population *population, double clock, EngineError *error);

/* Passes the commands of populationPose to vkskinSkinInstances. Does nothing for a population without instances. */
bool populationSkin(Population *population, EngineError *error);

/* The pose of a character when the population's clock is `clock`. */
PopulationPose populationCurrentPose(const SkinnedModel *skinned, const Character *character, double clock);

/* From the model's world space to the world: place x modelToCommon. */
VkskinAffine populationToWorld(const Population *population, const Character *character);

/* World matrices of a character's nodes when the population's clock is `clock`. world: [nodeCount]. */
bool populationNodes(const Population *population, const Character *character, double clock, VkskinAffine *world,
                     EngineError *error);

/* From a part's mesh space to the world: place x modelToCommon x meshToModel. */
VkskinAffine populationPartMatrix(const Population *population, const Character *character, uint32_t part);

/* The same in the frame before; equal to it for a character that was not shown then, or was teleported. */
VkskinAffine populationPreviousMatrix(const Population *population, const Character *character, uint32_t part);

/* With SkinChoice.motion, but not with SKIN_SYSTEM_CROWD: the places of this frame, which is drawn, are the last ones of the next frame. */
void populationKeepPlaces(Population *population);

/* A tint as the shaders read it: 8 bits per channel hold half of it, so that tints up to 2 fit. */
uint32_t populationPackTint(const float tint[3]);

#endif
