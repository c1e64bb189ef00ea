/*
 * figure.h: a 2D character as described by a file: bones, slots, attachments, constraints, animations. Import makes it;
 * figure_pose.h evaluates it. A Model has at most one (Model.figures), which it owns.
 *
 * The space of the figure has y up, lengths are the file's, angles are degrees, counter-clockwise. Parents come before
 * their children. Colours are the file's, not linear.
 *
 * An attachment keeps one position per influence: a vertex is the sum over its influences of weight x (bone's matrix x
 * position). Deform offsets are added to these positions, so they too have one row per influence.
 */
#ifndef ENGINE_FIGURE_H
#define ENGINE_FIGURE_H

#include <stdint.h>

/* A bone's place below its parent; indices of arrays of FIGURE_LOCAL_COUNT numbers. */
enum {
    FIGURE_X,
    FIGURE_Y,
    FIGURE_ROTATION,
    FIGURE_SCALE_X,
    FIGURE_SCALE_Y,
    FIGURE_SHEAR_X,
    FIGURE_SHEAR_Y,
    FIGURE_LOCAL_COUNT
};

/* What a bone takes over from its parent. Its position always is the parent's matrix x (x, y). */
typedef enum FigureInherit {
    FIGURE_INHERIT_NORMAL,
    FIGURE_INHERIT_ONLY_TRANSLATION,
    FIGURE_INHERIT_NO_ROTATION_OR_REFLECTION,
    FIGURE_INHERIT_NO_SCALE,
    FIGURE_INHERIT_NO_SCALE_OR_REFLECTION,
    FIGURE_INHERIT_COUNT
} FigureInherit;

typedef struct FigureBone {
    char *name;
    int32_t parent; /* -1: root; else below the bone's own index */
    uint32_t inherit;
    uint32_t skinOnly; /* 1: active only while a chosen skin lists it, or a bone below it */
    float length;
    float local[FIGURE_LOCAL_COUNT]; /* local transform in the setup pose */
} FigureBone;

typedef enum FigureBlend {
    FIGURE_BLEND_NORMAL,
    FIGURE_BLEND_ADDITIVE,
    FIGURE_BLEND_MULTIPLY,
    FIGURE_BLEND_SCREEN,
    FIGURE_BLEND_COUNT
} FigureBlend;

/* Shows at most one attachment. Slots are drawn in their order, unless an animation changes it. */
typedef struct FigureSlot {
    char *name;
    uint32_t bone;
    int32_t shown; /* in the setup pose: an index of Figure.names, or -1 */
    uint32_t blend;
    uint32_t twoColours; /* 1: `dark` replaces black when it is drawn */
    float colour[4], dark[3];
} FigureSlot;

typedef enum FigureKind {
    FIGURE_REGION,
    FIGURE_MESH,
    FIGURE_PATH,
    FIGURE_CLIPPING,
    FIGURE_BOUNDS,
    FIGURE_POINT,
    FIGURE_KIND_COUNT
} FigureKind;

/* One picture of an attachment. Those of a sequence have several. */
typedef struct FigureFrame {
    int32_t page;         /* -1: the atlas does not have it */
    uint32_t vertexCount; /* the attachment's */
    float *texcoords;     /* [vertexCount][2] of the page, (0, 0) is its upper left */
    float *corners;       /* [vertexCount][2] of a region: positions in the space of the slot's bone; or null */
} FigureFrame;

/* What a slot shows under a name while a skin is chosen. */
typedef struct FigureAttachment {
    uint32_t skin, slot, name; /* name: an index of Figure.names; no two have the same three */
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
    FigureFrame *frames;
    uint32_t setupFrame;    /* shown where no sequence key says otherwise */
    int32_t clipEnd;        /* clipping polygon: the last slot that it clips; -1: up to the last one */
    uint32_t closed;        /* path: 1: its end joins its begin */
    uint32_t constantSpeed; /* path: 1: positions are lengths along the curve, else shares of its segments */
    uint32_t lengthCount;   /* path: number of curves */
    float *lengths;         /* [lengthCount]: from its begin to the end of each curve, as the file states them */
    float rotation;         /* rotation of a point */
} FigureAttachment;

typedef struct FigureSkin {
    char *name;
    uint32_t boneCount, constraintCount; /* that are active with it */
    uint32_t *bones, *constraints;
} FigureSkin;

typedef enum FigureConstraintKind {
    FIGURE_IK,
    FIGURE_TRANSFORM,
    FIGURE_PATH_FOLLOW,
    FIGURE_PHYSICS, /* read, not simulated */
    FIGURE_CONSTRAINT_COUNT
} FigureConstraintKind;

/* Indices of FigureConstraint.values, which timelines change. */
enum {
    FIGURE_IK_MIX = 0,
    FIGURE_IK_SOFTNESS,
    FIGURE_IK_BEND, /* 1 or -1 */
    FIGURE_IK_COMPRESS,
    FIGURE_IK_STRETCH,

    FIGURE_MIX_ROTATE = 0, /* transform constraints: six mixes */
    FIGURE_MIX_X,
    FIGURE_MIX_Y,
    FIGURE_MIX_SCALE_X,
    FIGURE_MIX_SCALE_Y,
    FIGURE_MIX_SHEAR_Y,

    FIGURE_PATH_MIX_ROTATE = 0,
    FIGURE_PATH_MIX_X,
    FIGURE_PATH_MIX_Y,
    FIGURE_PATH_POSITION,
    FIGURE_PATH_SPACING,

    FIGURE_VALUE_COUNT = 6
};

/* Indices of FigureConstraint.modes. */
enum {
    FIGURE_IK_UNIFORM = 0, /* 1: stretch and compress scale in both directions */

    FIGURE_TRANSFORM_LOCAL = 0,
    FIGURE_TRANSFORM_RELATIVE,

    FIGURE_PATH_PERCENT = 0, /* 1: the position is a share of the path */
    FIGURE_PATH_SPACINGS,    /* FigureSpacing */
    FIGURE_PATH_ROTATES,     /* FigureRotate */

    FIGURE_MODE_COUNT = 3
};

typedef enum FigureSpacing {
    FIGURE_SPACING_LENGTH,
    FIGURE_SPACING_FIXED,
    FIGURE_SPACING_PERCENT,
    FIGURE_SPACING_PROPORTIONAL,
    FIGURE_SPACING_COUNT
} FigureSpacing;

typedef enum FigureRotate {
    FIGURE_ROTATE_TANGENT,
    FIGURE_ROTATE_CHAIN,
    FIGURE_ROTATE_CHAIN_SCALE,
    FIGURE_ROTATE_COUNT
} FigureRotate;

/* Constraints have the order in which they are applied. */
typedef struct FigureConstraint {
    char *name;
    uint32_t kind;
    uint32_t skinOnly; /* 1: active only while a chosen skin lists it */
    uint32_t target;   /* bone; for FIGURE_PATH_FOLLOW a slot; for FIGURE_PHYSICS 0 */
    uint32_t boneCount;
    uint32_t *bones; /* at least 1; for FIGURE_IK 1, or a bone and its child */
    uint32_t modes[FIGURE_MODE_COUNT];
    float values[FIGURE_VALUE_COUNT];
    float offsets[FIGURE_LOCAL_COUNT]; /* offsets of transforms, as `local`; of paths only FIGURE_ROTATION */
} FigureConstraint;

/*
 * What a timeline changes. As X(name, channels, curves, group): floats per key and how many of them have curves; the group
 * says what the target is: a bone, a slot, a constraint, an attachment, or nothing.
 */
#define FIGURE_TIMELINES(X)                                                                                            \
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
    X(DEFORM, 0, 1, ATTACHMENT)                                                                                        \
    X(SEQUENCE, 1, 0, ATTACHMENT)                                                                                      \
    X(DRAW_ORDER, 0, 0, NONE)

#define FIGURE_TIMELINE_ENUMERATOR(name, channels, curves, group) FIGURE_TIMELINE_##name,
typedef enum FigureTimelineKind {
    FIGURE_TIMELINES(FIGURE_TIMELINE_ENUMERATOR) FIGURE_TIMELINE_COUNT
} FigureTimelineKind;

typedef enum FigureShape { FIGURE_LINEAR, FIGURE_STEPPED, FIGURE_BEZIER, FIGURE_SHAPE_COUNT } FigureShape;

/* How a sequence goes on after a key. */
typedef enum FigureSequence {
    FIGURE_SEQUENCE_HOLD,
    FIGURE_SEQUENCE_ONCE,
    FIGURE_SEQUENCE_LOOP,
    FIGURE_SEQUENCE_PINGPONG,
    FIGURE_SEQUENCE_ONCE_REVERSE,
    FIGURE_SEQUENCE_LOOP_REVERSE,
    FIGURE_SEQUENCE_PINGPONG_REVERSE,
    FIGURE_SEQUENCE_COUNT
} FigureSequence;

/*
 * Keys of one property. Floats per key: its channels; of DEFORM 2 per influence; of SEQUENCE the seconds per frame.
 * Integers per key: SHOW one, an index of Figure.names or -1; SEQUENCE two, mode and frame; DRAW_ORDER one per slot, the
 * slots from back to front. Bone values are relative to the setup pose: added to it, scales multiplied; others replace it.
 */
typedef struct FigureTimeline {
    uint32_t kind, target;
    uint32_t keyCount; /* at least 1 */
    uint32_t channels; /* floats per key */
    uint32_t curves;   /* Bezier curves per key; of DEFORM one from 0 to 1, which mixes the keys */
    uint32_t integers; /* per key */
    float *times;      /* [keyCount] seconds, ascending */
    float *values;     /* [keyCount][channels] */
    uint32_t *shapes;  /* [keyCount]: FigureShape from this key to the next */
    float *handles;    /* [keyCount][curves][4]: time and value of both handles; null: no shape is FIGURE_BEZIER */
    int32_t *numbers;  /* [keyCount][integers] */
} FigureTimeline;

typedef struct FigureEvent {
    float time; /* seconds */
    int32_t integer;
    float number;
    char *name, *text;
} FigureEvent;

typedef struct FigureAnimation {
    char *name;
    float duration; /* seconds: the last key of all */
    uint32_t timelineCount, eventCount;
    FigureTimeline *timelines; /* for one target at most one of a kind */
    FigureEvent *events;
} FigureAnimation;

/* A picture of the atlas. */
typedef struct FigurePage {
    char *name;
    int32_t texture;        /* texture of the model; -1: it could not be read */
    uint32_t premultiplied; /* 1: its colours are times alpha */
    uint32_t nearest;       /* 1: texels are not interpolated */
    uint32_t repeats;       /* bit 0: along u, bit 1: along v */
} FigurePage;

typedef struct FigureName {
    char *text;
} FigureName;

typedef struct Figure {
    char *version;   /* version of the program that wrote the file */
    float bounds[4]; /* x, y, width, height in the setup pose, as the file states them */
    uint32_t nameCount, pageCount, boneCount, slotCount, skinCount, attachmentCount, constraintCount, animationCount;
    FigureName *names;
    FigurePage *pages;
    FigureBone *bones;
    FigureSlot *slots;
    FigureSkin *skins;
    FigureAttachment *attachments;
    FigureConstraint *constraints;
    FigureAnimation *animations;
    int32_t defaultSkin; /* used where the chosen ones have no attachment; -1: none */
} Figure;

/* Group of a kind of timeline below FIGURE_TIMELINE_COUNT. */
typedef enum FigureGroup {
    FIGURE_GROUP_BONE,
    FIGURE_GROUP_SLOT,
    FIGURE_GROUP_IK,
    FIGURE_GROUP_TRANSFORM,
    FIGURE_GROUP_PATH,
    FIGURE_GROUP_ATTACHMENT,
    FIGURE_GROUP_NONE
} FigureGroup;

typedef struct FigureTimelineType {
    const char *name; /* "TRANSLATE_X" */
    uint32_t channels, curves;
    FigureGroup group;
} FigureTimelineType;

extern const FigureTimelineType FIGURE_TIMELINE_TYPES[FIGURE_TIMELINE_COUNT];

/* Names as the files write them, null-terminated. */
extern const char *const FIGURE_INHERIT_NAMES[],
    *const FIGURE_BLEND_NAMES[], *const FIGURE_KIND_NAMES[], *const FIGURE_CONSTRAINT_NAMES[],
                                                                 *const FIGURE_SPACING_NAMES[],
                                                                     *const FIGURE_ROTATE_NAMES[],
                                                                         *const FIGURE_SEQUENCE_NAMES[];

#endif
