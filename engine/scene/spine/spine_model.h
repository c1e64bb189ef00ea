/*
 * spine_model.h: a 2D character as described by a file: bones, slots, attachments, constraints, animations. Import makes it;
 * spine_pose.h evaluates it. A Model has at most one (Model.2D models), which it owns.
 *
 * The space of the 2D model has y up, lengths are the file's, angles are degrees, counter-clockwise. Parents come before
 * their children. Colours are the file's, not linear.
 *
 * An attachment keeps one position per influence: a vertex is the sum over its influences of weight x (bone's matrix x
 * position). Deform offsets are added to these positions, so they too have one row per influence.
 */
#ifndef ENGINE_SPINE_MODEL_H
#define ENGINE_SPINE_MODEL_H

#include <stdint.h>

/* A bone's place below its parent; indices of arrays of SPINE_LOCAL_COUNT numbers. */
enum {
    SPINE_X,
    SPINE_Y,
    SPINE_ROTATION,
    SPINE_SCALE_X,
    SPINE_SCALE_Y,
    SPINE_SHEAR_X,
    SPINE_SHEAR_Y,
    SPINE_LOCAL_COUNT
};

/* What a bone takes over from its parent. Its position always is the parent's matrix x (x, y). */
typedef enum SpineInherit {
    SPINE_INHERIT_NORMAL,
    SPINE_INHERIT_ONLY_TRANSLATION,
    SPINE_INHERIT_NO_ROTATION_OR_REFLECTION,
    SPINE_INHERIT_NO_SCALE,
    SPINE_INHERIT_NO_SCALE_OR_REFLECTION,
    SPINE_INHERIT_COUNT
} SpineInherit;

typedef struct SpineBone {
    char *name;
    int32_t parent; /* -1: root; else below the bone's own index */
    uint32_t inherit;
    uint32_t skinOnly; /* 1: active only while a chosen skin lists it, or a bone below it */
    float length;
    float local[SPINE_LOCAL_COUNT]; /* local transform in the setup pose */
} SpineBone;

typedef enum SpineBlend {
    SPINE_BLEND_NORMAL,
    SPINE_BLEND_ADDITIVE,
    SPINE_BLEND_MULTIPLY,
    SPINE_BLEND_SCREEN,
    SPINE_BLEND_COUNT
} SpineBlend;

/* Shows at most one attachment. Slots are drawn in their order, unless an animation changes it. */
typedef struct SpineSlot {
    char *name;
    uint32_t bone;
    int32_t shown; /* in the setup pose: an index of SpineModel.names, or -1 */
    uint32_t blend;
    uint32_t twoColours; /* 1: `dark` replaces black when it is drawn */
    float colour[4], dark[3];
} SpineSlot;

typedef enum SpineKind {
    SPINE_REGION,
    SPINE_MESH,
    SPINE_PATH,
    SPINE_CLIPPING,
    SPINE_BOUNDS,
    SPINE_POINT,
    SPINE_KIND_COUNT
} SpineKind;

/* One picture of an attachment. Those of a sequence have several. */
typedef struct SpineFrame {
    int32_t page;         /* -1: the atlas does not have it */
    uint32_t vertexCount; /* the attachment's */
    float *texcoords;     /* [vertexCount][2] of the page, (0, 0) is its upper left */
    float *corners;       /* [vertexCount][2] of a region: positions in the space of the slot's bone; or null */
} SpineFrame;

/* What a slot shows under a name while a skin is chosen. */
typedef struct SpineAttachment {
    uint32_t skin, slot, name; /* name: an index of SpineModel.names; no two have the same three */
    uint32_t kind;
    uint32_t source;         /* whose deform and sequence keys it follows: itself, or the mesh that it is linked to */
    uint32_t vertexCount;    /* number of vertices; 1 for a point */
    uint32_t influenceCount; /* at least one per vertex */
    uint32_t *vertices;      /* [influenceCount]: whose influence it is; ascending, each vertex occurs */
    uint32_t *bones;         /* [influenceCount] */
    float *offsets;          /* [influenceCount][3]: x, y in the bone's space, weight */
    uint32_t indexCount;     /* multiple of 3; 0 unless it is a region or a mesh */
    uint32_t *indices;       /* [indexCount] */
    float colour[4];
    uint32_t frameCount; /* frames of a region or a mesh, at least 1; else 0 */
    SpineFrame *frames;
    uint32_t setupFrame;    /* shown where no sequence key says otherwise */
    int32_t clipEnd;        /* clipping polygon: the last slot that it clips; -1: up to the last one */
    uint32_t closed;        /* path: 1: its end joins its begin */
    uint32_t constantSpeed; /* path: 1: positions are lengths along the curve, else shares of its segments */
    uint32_t lengthCount;   /* path: number of curves */
    float *lengths;         /* [lengthCount]: from its begin to the end of each curve, as the file states them */
    float rotation;         /* rotation of a point */
} SpineAttachment;

typedef struct SpineSkin {
    char *name;
    uint32_t boneCount, constraintCount; /* that are active with it */
    uint32_t *bones, *constraints;
} SpineSkin;

typedef enum SpineConstraintKind {
    SPINE_IK,
    SPINE_TRANSFORM,
    SPINE_PATH_FOLLOW,
    SPINE_PHYSICS,
    SPINE_CONSTRAINT_COUNT
} SpineConstraintKind;

/* Indices of SpineConstraint.values, which timelines change. */
enum {
    SPINE_IK_MIX = 0,
    SPINE_IK_SOFTNESS,
    SPINE_IK_BEND, /* 1 or -1 */
    SPINE_IK_COMPRESS,
    SPINE_IK_STRETCH,

    SPINE_MIX_ROTATE = 0, /* transform constraints: six mixes */
    SPINE_MIX_X,
    SPINE_MIX_Y,
    SPINE_MIX_SCALE_X,
    SPINE_MIX_SCALE_Y,
    SPINE_MIX_SHEAR_Y,

    SPINE_PATH_MIX_ROTATE = 0,
    SPINE_PATH_MIX_X,
    SPINE_PATH_MIX_Y,
    SPINE_PATH_POSITION,
    SPINE_PATH_SPACING,

    SPINE_INERTIA = 0, /* physics, in the order of the timelines */
    SPINE_STRENGTH,
    SPINE_DAMPING,
    SPINE_MASS,
    SPINE_WIND,
    SPINE_GRAVITY,
    SPINE_PHYSICS_MIX,

    SPINE_VALUE_COUNT = 7
};

/* Indices of SpineConstraint.modes. */
enum {
    SPINE_IK_UNIFORM = 0, /* 1: stretch and compress scale in both directions */

    SPINE_TRANSFORM_LOCAL = 0,
    SPINE_TRANSFORM_RELATIVE,

    SPINE_PATH_PERCENT = 0, /* 1: the position is a share of the path */
    SPINE_PATH_SPACINGS,    /* SpineSpacing */
    SPINE_PATH_ROTATES,     /* SpineRotate */

    SPINE_MODE_COUNT = 3
};

typedef enum SpineSpacing {
    SPINE_SPACING_LENGTH,
    SPINE_SPACING_FIXED,
    SPINE_SPACING_PERCENT,
    SPINE_SPACING_PROPORTIONAL,
    SPINE_SPACING_COUNT
} SpineSpacing;

typedef enum SpineRotate {
    SPINE_ROTATE_TANGENT,
    SPINE_ROTATE_CHAIN,
    SPINE_ROTATE_CHAIN_SCALE,
    SPINE_ROTATE_COUNT
} SpineRotate;

#define SPINE_RATE_MAX 1000.0f

/* Constraints have the order in which they are applied. */
typedef struct SpineConstraint {
    char *name;
    uint32_t kind;
    uint32_t skinOnly; /* 1: active only while a chosen skin lists it */
    uint32_t target;   /* bone; for SPINE_PATH_FOLLOW a slot; for SPINE_PHYSICS its own bone */
    uint32_t boneCount;
    uint32_t *bones; /* at least 1; for SPINE_IK 1, or a bone and its child; for SPINE_PHYSICS 1 */
    uint32_t modes[SPINE_MODE_COUNT];
    float values[SPINE_VALUE_COUNT];
    float offsets[SPINE_LOCAL_COUNT]; /* offsets of transforms, as `local`; of paths only SPINE_ROTATION; of physics its
                                         share of each channel, 0: none */
    float limit;                      /* physics: maximum speed of the bone that counts, in units per second */
    float rate;                       /* physics: steps per second, 1 to SPINE_RATE_MAX */
    uint32_t globals;                 /* physics: bit i: timelines of all constraints change values[i] */
} SpineConstraint;

/*
 * What a timeline changes. As X(name, channels, curves, group): floats per key and how many of them have curves; the group
 * says what the target is: a bone, a slot, a constraint, an attachment, or nothing.
 */
#define SPINE_TIMELINES(X)                                                                                             \
    X(ROTATE, 1, 1, BONE)                                                                                              \
    X(TRANSLATE, 2, 2, BONE)                                                                                           \
    X(TRANSLATE_X, 1, 1, BONE)                                                                                         \
    X(TRANSLATE_Y, 1, 1, BONE)                                                                                         \
    X(SCALE, 2, 2, BONE)                                                                                               \
    X(SCALE_X, 1, 1, BONE)                                                                                             \
    X(SCALE_Y, 1, 1, BONE)                                                                                             \
    X(SHEAR, 2, 2, BONE)                                                                                               \
    X(SHEAR_X, 1, 1, BONE)                                                                                             \
    X(SHEAR_Y, 1, 1, BONE)                                                                                             \
    X(INHERIT, 1, 0, BONE)                                                                                             \
    X(SHOW, 0, 0, SLOT)                                                                                                \
    X(RGBA, 4, 4, SLOT)                                                                                                \
    X(RGB, 3, 3, SLOT)                                                                                                 \
    X(ALPHA, 1, 1, SLOT)                                                                                               \
    X(RGBA2, 7, 7, SLOT)                                                                                               \
    X(RGB2, 6, 6, SLOT)                                                                                                \
    X(IK, 5, 2, IK)                                                                                                    \
    X(TRANSFORM, 6, 6, TRANSFORM)                                                                                      \
    X(PATH_POSITION, 1, 1, PATH)                                                                                       \
    X(PATH_SPACING, 1, 1, PATH)                                                                                        \
    X(PATH_MIX, 3, 3, PATH)                                                                                            \
    X(INERTIA, 1, 1, PHYSICS)                                                                                          \
    X(STRENGTH, 1, 1, PHYSICS)                                                                                         \
    X(DAMPING, 1, 1, PHYSICS)                                                                                          \
    X(MASS, 1, 1, PHYSICS)                                                                                             \
    X(WIND, 1, 1, PHYSICS)                                                                                             \
    X(GRAVITY, 1, 1, PHYSICS)                                                                                          \
    X(PHYSICS_MIX, 1, 1, PHYSICS)                                                                                      \
    X(RESET, 0, 0, PHYSICS)                                                                                            \
    X(DEFORM, 0, 1, ATTACHMENT)                                                                                        \
    X(SEQUENCE, 1, 0, ATTACHMENT)                                                                                      \
    X(DRAW_ORDER, 0, 0, NONE)

#define SPINE_TIMELINE_ENUMERATOR(name, channels, curves, group) SPINE_TIMELINE_##name,
typedef enum SpineTimelineKind { SPINE_TIMELINES(SPINE_TIMELINE_ENUMERATOR) SPINE_TIMELINE_COUNT } SpineTimelineKind;

typedef enum SpineShape { SPINE_LINEAR, SPINE_STEPPED, SPINE_BEZIER, SPINE_SHAPE_COUNT } SpineShape;

/* How a sequence goes on after a key. */
typedef enum SpineSequence {
    SPINE_SEQUENCE_HOLD,
    SPINE_SEQUENCE_ONCE,
    SPINE_SEQUENCE_LOOP,
    SPINE_SEQUENCE_PINGPONG,
    SPINE_SEQUENCE_ONCE_REVERSE,
    SPINE_SEQUENCE_LOOP_REVERSE,
    SPINE_SEQUENCE_PINGPONG_REVERSE,
    SPINE_SEQUENCE_COUNT
} SpineSequence;

/*
 * Keys of one property. Floats per key: its channels; of DEFORM 2 per influence; of SEQUENCE the seconds per frame.
 * Integers per key: SHOW one, an index of SpineModel.names or -1; SEQUENCE two, mode and frame; DRAW_ORDER one per slot, the
 * slots from back to front. Bone values are relative to the setup pose: added to it, scales multiplied; others replace it.
 * The target of the group PHYSICS may be SpineModel.constraintCount: all constraints whose `globals` have the value; for
 * RESET all physics constraints.
 */
typedef struct SpineTimeline {
    uint32_t kind, target;
    uint32_t keyCount; /* at least 1 */
    uint32_t channels; /* floats per key */
    uint32_t curves;   /* Bezier curves per key; of DEFORM one from 0 to 1, which mixes the keys */
    uint32_t integers; /* per key */
    float *times;      /* [keyCount] seconds, ascending */
    float *values;     /* [keyCount][channels] */
    uint32_t *shapes;  /* [keyCount]: SpineShape from this key to the next */
    float *handles;    /* [keyCount][curves][4]: time and value of both handles; null: no shape is SPINE_BEZIER */
    int32_t *numbers;  /* [keyCount][integers] */
} SpineTimeline;

typedef struct SpineEvent {
    float time; /* seconds */
    int32_t integer;
    float number;
    char *name, *text;
} SpineEvent;

typedef struct SpineAnimation {
    char *name;
    float duration; /* seconds: the last key of all */
    uint32_t timelineCount, eventCount;
    SpineTimeline *timelines; /* for one target at most one of a kind */
    SpineEvent *events;
} SpineAnimation;

/* A picture of the atlas. */
typedef struct SpinePage {
    char *name;
    int32_t texture;        /* texture of the model; -1: it could not be read */
    uint32_t premultiplied; /* 1: its colours are times alpha */
    uint32_t nearest;       /* 1: texels are not interpolated */
    uint32_t repeats;       /* bit 0: along u, bit 1: along v */
} SpinePage;

typedef struct SpineName {
    char *text;
} SpineName;

typedef struct SpineModel {
    char *version;        /* version of the program that wrote the file */
    float bounds[4];      /* x, y, width, height in the setup pose, as the file states them */
    float referenceScale; /* physics: length of a bone that wind and gravity turn as they are */
    uint32_t nameCount, pageCount, boneCount, slotCount, skinCount, attachmentCount, constraintCount, animationCount;
    SpineName *names;
    SpinePage *pages;
    SpineBone *bones;
    SpineSlot *slots;
    SpineSkin *skins;
    SpineAttachment *attachments;
    SpineConstraint *constraints;
    SpineAnimation *animations;
    int32_t defaultSkin; /* used where the chosen ones have no attachment; -1: none */
} SpineModel;

/* Group of a kind of timeline below SPINE_TIMELINE_COUNT. */
typedef enum SpineGroup {
    SPINE_GROUP_BONE,
    SPINE_GROUP_SLOT,
    SPINE_GROUP_IK,
    SPINE_GROUP_TRANSFORM,
    SPINE_GROUP_PATH,
    SPINE_GROUP_PHYSICS,
    SPINE_GROUP_ATTACHMENT,
    SPINE_GROUP_NONE
} SpineGroup;

typedef struct SpineTimelineType {
    const char *name; /* "TRANSLATE_X" */
    uint32_t channels, curves;
    SpineGroup group;
} SpineTimelineType;

extern const SpineTimelineType SPINE_TIMELINE_TYPES[SPINE_TIMELINE_COUNT];

/* Names as the files write them, null-terminated. */
extern const char *const SPINE_INHERIT_NAMES[],
    *const SPINE_BLEND_NAMES[], *const SPINE_KIND_NAMES[], *const SPINE_CONSTRAINT_NAMES[],
                                                               *const SPINE_SPACING_NAMES[],
                                                                   *const SPINE_ROTATE_NAMES[],
                                                                       *const SPINE_SEQUENCE_NAMES[];

#endif
