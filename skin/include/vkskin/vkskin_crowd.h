/**
 * @file
 * Crowds that live on the device: it poses, culls and skins any number of characters, and writes the arguments of the
 * draws. The number of recorded commands does not depend on the number of characters.
 *
 * A crowd has models. A model is a skeleton's skin and its parts, which are meshes of the context. A character is one
 * model at one place that plays one clip, or two during a fade. The characters of a crowd share a clip set: the packed
 * clips of one skeleton (vkskin_pack.h).
 *
 *     vkskinCreateClipSet      puts packed clips on the device; several crowds may share them
 *     vkskinCreateCrowd        reserves all memory of a crowd
 *     vkskinAddCharacters      and the other calls for characters: at any time; the next record applies them
 *
 * In each frame:
 *
 *     vkskinBeginFrame
 *     vkskinRecordCrowd        records: apply changes, cull, assign slots, list, pose, skin
 *     vkskinGetCrowdDraws      returns what the host binds for each draw; the draws themselves never change
 *
 * Characters that no view sees cost a test of their bounds. A character that a view sees is posed and skinned once, for
 * all views, into a slot. A slot is memory for one palette and one output of each part. A level of a model has a fixed
 * number of slots. A character keeps its slot as long as a view sees it. Slots go to characters with priority first,
 * then to those that a colour view sees, then to the largest on the screen. If no slot of its level is free, a new
 * character takes one of a coarser level; if there is none, it is not drawn in this frame, and is counted as refused.
 * A smaller character then yields its slot: it is drawn for the last time, and the slot is free from the next frame on.
 *
 * Time is a number of ticks that the host passes to vkskinRecordCrowd. A second has VkskinCrowdDef.ticksPerSecond of
 * them. Ticks count modulo 2^32: clips and fades go on exactly where the number wraps. Two records must not be
 * 2^31 ticks or more apart (24 days at 1,000 ticks per second).
 *
 * All calls take the context that owns the crowd. Its rules for threads, frames, handles and memory apply
 * (vkskin.h): calls for characters of one crowd may come from several threads, and each call is atomic.
 *
 * The errors that vkskin.h states for its calls are also errors of these. VKSKIN_ERROR_STALE_HANDLE includes a character
 * that was removed or belongs to another crowd; the message names the element. VKSKIN_ERROR_FRAME_NOT_BEGUN is returned
 * by vkskinRecordCrowd. Calls for characters allocate host memory for their changes.
 */
#ifndef VKSKIN_CROWD_H
#define VKSKIN_CROWD_H

#include "vkskin.h"
#include "vkskin_pack.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup clipsets Clip sets
 *  Packed clips on the device.
 *  @{ */

/** Handle of a clip set. The rules of VkskinMesh apply. */
typedef struct VkskinClipSet {
    uint32_t index;      ///< at least 1
    uint32_t generation; ///< distinguishes objects that reuse an index
} VkskinClipSet;

/** The null clip set. */
static const VkskinClipSet VKSKIN_NULL_CLIP_SET = {0, 0};

/**
 * Creates a clip set: checks a packed animation set as vkskinCheckAnimation does, copies it, and prepares tables for the
 * device. The next vkskinRecordUploads or vkskinRecordCrowd records its upload.
 *
 * @param context  the context that owns the clip set
 * @param block    [size] bytes, aligned to 4; not needed after the call; 1 to 65,535 clips
 * @param size     in bytes
 * @param clipSet  receives the handle
 * @retval VKSKIN_ERROR_INVALID_VALUE       the block has no clips, or more than 65,535
 * @retval VKSKIN_ERROR_ANIMATION_VERSION   a block of another version
 * @retval VKSKIN_ERROR_ANIMATION_DATA      not a block, cut off, or damaged; the message names clip and field
 * @retval VKSKIN_ERROR_UNSUPPORTED_DEVICE  block and tables are larger than maxStorageBufferRange
 */
VKSKIN_API VkskinResult vkskinCreateClipSet(VkskinContext context, const void *block, size_t size,
                                            VkskinClipSet *clipSet);

/**
 * Destroys a clip set that no crowd uses. Its memory is reused as after vkskinDestroyMesh.
 *
 * @param context  the context that owns the clip set
 * @param clipSet  the handle
 * @retval VKSKIN_ERROR_CLIP_SET_IN_USE  a crowd uses it
 */
VKSKIN_API VkskinResult vkskinDestroyClipSet(VkskinContext context, VkskinClipSet clipSet);

/** @} */

/** @defgroup crowds Crowds
 *  @{ */

#define VKSKIN_MAX_CROWD_MODELS 16u  ///< maximum number of models of a crowd
#define VKSKIN_MAX_CROWD_LEVELS 4u   ///< maximum number of levels of a model, the finest included
#define VKSKIN_MAX_CROWD_PARTS  256u ///< maximum number of parts of all levels of all models of a crowd
#define VKSKIN_MAX_CROWD_VIEWS  8u   ///< maximum number of views of vkskinRecordCrowd
#define VKSKIN_MAX_CROWD_PLANES 16u  ///< maximum number of planes of a view

/** Handle of a crowd. The rules of VkskinMesh apply. */
typedef struct VkskinCrowd {
    uint32_t index;      ///< at least 1
    uint32_t generation; ///< distinguishes objects that reuse an index
} VkskinCrowd;

/** The null crowd. */
static const VkskinCrowd VKSKIN_NULL_CROWD = {0, 0};

/** A part of a model: a mesh, and the triangles that the host draws of it. Made by vkskinDefaultCrowdPart. */
typedef struct VkskinCrowdPart {
    /** A mesh of the context with at least one bone, and no more than the model's skin: joint j is bone j of the skin.
     * Not flat, without a layout and pass-through attributes. Cannot be destroyed or replaced before the crowd. */
    VkskinMesh mesh;
    uint32_t indexCount;  ///< at least 1; for the draw arguments: VkDrawIndexedIndirectCommand
    uint32_t firstIndex;  ///< likewise
    int32_t vertexOffset; ///< likewise; vkskin_crowd.glsl subtracts it: meshes may share a vertex buffer
    /** 0 (the default): all characters show the part. Otherwise those with one of these bits in VkskinCharacterDef.parts:
     * it is drawn and skinned for them only. Several parts may have the same bit, also those of other levels. A part with
     * a mask takes 4 bytes more in each slot for each view. */
    uint32_t mask;
    /** Node whose VKSKIN_CHANNEL_MORPH_WEIGHTS tracks in VkskinCrowdDef.morphClips drive the morph targets of the mesh. Not
     * checked: a clip without a track for it leaves morphWeights. */
    uint32_t morphNode;
    uint32_t morphWeightCount; ///< 0 to the morphTargetCount of the mesh
    /** [morphWeightCount], finite: weights of the first targets in clips without a track for them; others are 0. Not
     * needed after vkskinCreateCrowd. */
    const float *morphWeights;
    /** [morphWeightCount] or null. True: the weight of morphWeights is used in all clips. False: only in clips without a
     * track. Null: as all false. Not needed after vkskinCreateCrowd. */
    const bool *morphsFixed;
} VkskinCrowdPart;

/** @return a part that is all zero; set mesh and indexCount. Without them vkskinCreateCrowd refuses it */
VKSKIN_API VkskinCrowdPart vkskinDefaultCrowdPart(void);

/**
 * A coarser level of detail of a model: other meshes of the same character. Made by vkskinDefaultCrowdLevel. Method and
 * encoding are those of the model, and so are its bounds.
 */
typedef struct VkskinCrowdLevel {
    VkskinSkin skin;              ///< as VkskinCrowdModel.skin; it may have fewer bones: only their nodes are posed
    const VkskinCrowdPart *parts; ///< [partCount]
    uint32_t partCount;           ///< at least 1
    uint32_t slots;               ///< as VkskinCrowdModel.slots, of this level
    /** Largest distance between the surfaces of this level and of the model, in model space, over all poses. Above 0,
     * finite, and not below that of the level before. */
    float error;
    uint32_t
        interval; ///< 1, 2 or 4: characters of this level are posed and skinned in one of so many frames; default 1
} VkskinCrowdLevel;

/** @return a level with the defaults that each field states; set skin, parts, slots and error */
VKSKIN_API VkskinCrowdLevel vkskinDefaultCrowdLevel(void);

/** A kind of character. Its skin, parts, slots and interval are those of level 0, the finest. */
typedef struct VkskinCrowdModel {
    /** A skin of the clip set's skeleton, with the same number of nodes; not needed after vkskinCreateCrowd. It may have
     * more bones than the meshes use; they are posed too. Vertices are skinned into model space: meshToModel of the skin
     * is not undone. */
    VkskinSkin skin;
    const VkskinCrowdPart *parts; ///< [partCount]
    uint32_t partCount;           ///< at least 1
    uint32_t slots;               ///< 1 to 16,777,214: characters of this model that are skinned in one frame
    /** [nodeCount of the clip set]: the vertices of all parts of all levels that each node moves, see
     * vkskinAddAnimationBoxes. From these boxes and the clips the library computes the bounds for culling. Not null; at least one is not empty. */
    const VkskinAnimationBox *boxes;
    VkskinMethod method;            ///< default VKSKIN_METHOD_LINEAR_BLEND
    VkskinPaletteEncoding encoding; ///< default vkskinMethodEncoding of the method
    /** Maximum number of morph targets of all parts of a level that have a weight other than 0 in any clip; default 256;
     * 0 refuses models with such targets. Each slot has room for their weights: 8 bytes each, and 8 for each part with
     * some. */
    uint32_t maxMorphTargets;
    const VkskinCrowdLevel *levels; ///< [levelCount]: level 1 and coarser ones; default null
    uint32_t levelCount;            ///< 0 (the default) to VKSKIN_MAX_CROWD_LEVELS - 1
    uint32_t interval;              ///< as VkskinCrowdLevel.interval, of level 0; default 1
} VkskinCrowdModel;

/** @return a model with the defaults that each field states; set skin, parts, slots and boxes */
VKSKIN_API VkskinCrowdModel vkskinDefaultCrowdModel(void);

/** Describes a crowd. Made by vkskinDefaultCrowdDef. */
typedef struct VkskinCrowdDef {
    uint32_t cookie;                ///< set by vkskinDefaultCrowdDef
    VkskinClipSet clipSet;          ///< must exist as long as the crowd
    const VkskinCrowdModel *models; ///< [modelCount]
    uint32_t modelCount;            ///< 1 to VKSKIN_MAX_CROWD_MODELS
    uint32_t capacity;              ///< maximum number of characters, 1 to 16,777,215 (2^24 - 1)
    uint32_t ticksPerSecond;        ///< 1 to 1,000,000; default 1000
    /** Characters that a frame can add, remove or change, at least 1; default 65,536, at most capacity. If more have
     * changed, the others wait for the next frames, in the order of their first change. Takes 128 bytes each in every
     * frame slot. */
    uint32_t maxChanges;
    /** Views that a frame can have: 1 to VKSKIN_MAX_CROWD_VIEWS, default 4. vkskinGetCrowdDraws lists the draws of these:
     * set it to the number that you use. */
    uint32_t maxViews;
    /** Characters that vkskinQueryCharacters can ask for: default 256, at most capacity; 0: none. Takes 96 bytes each in
     * every frame slot. */
    uint32_t maxQueries;
    /** [number of clips of the clip set] or null: none. Their VKSKIN_CHANNEL_MORPH_WEIGHTS tracks drive the morph targets
     * of the parts; elements may be null. Element i belongs to clip i of the clip set: its times count from 0 to the
     * duration of that clip; later keys are not reached, and the last key holds. Nodes are indices of the packed
     * skeleton; not compared. Weights are linear between key times; 32 lines stand for a curve between two keys. Each
     * key time, and each of these lines, takes 4 bytes, and 4 for each target with a weight, on the device. Not needed
     * after vkskinCreateCrowd. */
    const VkskinClip *morphClips;
    const char *name; ///< for messages and debuggers; copied; may be null
} VkskinCrowdDef;

/** @return a def with the defaults that each field states; set clipSet, models and capacity */
VKSKIN_API VkskinCrowdDef vkskinDefaultCrowdDef(void);

/** Memory of a crowd, in bytes. */
typedef struct VkskinCrowdMemory {
    uint64_t characters; ///< states and records of the characters, and changes in all frames in flight
    uint64_t lists;      ///< tables with their staging buffer, lists, counters and draw arguments
    uint64_t palettes;   ///< palettes of the slots, and temporary memory of posing
    uint64_t output;     ///< output of the slots
    uint64_t host;       ///< host memory
    uint64_t morphs;     ///< part of `lists`: morph weights, once; the CPU backend has 2 + framesInFlight copies
} VkskinCrowdMemory;

/**
 * Creates a crowd and reserves all its memory. Also creates the kernels of crowds, and those that skin the parts, as
 * vkskinCreatePipelines does: the first crowd of a context is slow. Every array fits maxStorageBufferRange; slots are
 * divided over several buffers where needed.
 *
 * @param context  the context that owns the crowd; graphicsQueueFamily must be computeQueueFamily
 * @param def      describes the crowd
 * @param crowd    receives the handle
 * @param memory   receives the memory of the crowd; may be null. After a failure: what the crowd needs, or zero if
 *                 that was not known yet
 * @retval VKSKIN_ERROR_INVALID_VALUE         a number is out of range; all boxes of a model are empty; a skin of
 *                                            another skeleton or with fewer bones than a mesh; a flat mesh or one
 *                                            without bones; a method that cannot read the encoding
 * @retval VKSKIN_ERROR_METHOD_DATA_MISSING   a mesh lacks the data of the method
 * @retval VKSKIN_ERROR_MORPH_OUT_OF_RANGE    more morphWeights than the mesh has targets
 * @retval VKSKIN_ERROR_WEIGHT_NOT_FINITE     a morph weight of a part or a clip is NaN or infinite
 * @retval VKSKIN_ERROR_TOO_MANY_MORPHS       more targets of a model have a weight than maxMorphTargets
 * @retval VKSKIN_ERROR_TRANSFORM_NOT_FINITE  the bounds of a model in a clip are not finite
 * @retval VKSKIN_ERROR_KERNEL_CODE           a kernel was built with SPIR-V that the library cannot specialise
 * @retval VKSKIN_ERROR_UNSUPPORTED_DEVICE    two queue families; an array of `capacity` elements, the lists of all slots, or
 *                                            one slot is larger than maxStorageBufferRange; the message names both
 */
VKSKIN_API VkskinResult vkskinCreateCrowd(VkskinContext context, const VkskinCrowdDef *def, VkskinCrowd *crowd,
                                          VkskinCrowdMemory *memory);

/**
 * Destroys a crowd with all its characters. Its memory is freed when the slot of the current frame is begun again, as
 * that of vkskinDestroyMesh.
 *
 * @param context  the context that owns the crowd
 * @param crowd    the handle
 * @return VKSKIN_SUCCESS, or an error that every call can return
 */
VKSKIN_API VkskinResult vkskinDestroyCrowd(VkskinContext context, VkskinCrowd crowd);

/** @} */

/** @defgroup characters Characters
 *  Calls that change characters cost the CPU time for the characters that they name, never for others. Changes are kept
 *  until the next vkskinRecordCrowd of a frame that is not cancelled, and are applied there in the order of the calls.
 *
 *  Arrays have a stride in bytes from element to element; 0: one element for all characters.
 *  @{ */

/** Handle of a character. The rules of VkskinMesh apply, within a crowd. */
typedef struct VkskinCharacter {
    uint32_t index;      ///< at least 1; its state is element index - 1 of VkskinCrowdBuffers.states
    uint32_t generation; ///< distinguishes characters that reuse an index
} VkskinCharacter;

/** What a character plays. Made by vkskinDefaultCrowdPlay. */
typedef struct VkskinCrowdPlay {
    uint32_t cookie; ///< set by vkskinDefaultCrowdPlay, in each element of an array
    uint32_t clip;   ///< below the number of clips; default 0
    float start;     ///< 0 to 1: the part of the clip that has passed at the next record; default 0
    float speed; ///< finite; 1 (the default): as recorded; 0: stands still; negative: backwards. At most 1,000 in size
    float fade;  ///< seconds of a fade from what the character plays now; 0 (the default): at once. At most an hour
    bool once;   ///< stops at the end of the clip, with a negative speed at its start; default false: repeats
} VkskinCrowdPlay;

/** @return a play with the defaults that each field states: the first clip from its start, at speed 1, repeated */
VKSKIN_API VkskinCrowdPlay vkskinDefaultCrowdPlay(void);

/** Describes a new character. Made by vkskinDefaultCharacterDef. */
typedef struct VkskinCharacterDef {
    uint32_t cookie;        ///< set by vkskinDefaultCharacterDef, in each element of an array
    uint32_t model;         ///< below modelCount; default 0
    VkskinAffine transform; ///< model to world, finite; default the identity. From matrices: vkskinAffinesFromMatrices
    uint32_t variation;     ///< for the host's shaders; any value; default 0
    uint32_t parts;         ///< see vkskinSetCharacterParts; default: all bits
    VkskinCrowdPlay play;   ///< default vkskinDefaultCrowdPlay; `fade` is not read
    bool hidden;            ///< see vkskinHideCharacters; default false
    bool priority;          ///< see vkskinPrioritiseCharacters; default false
} VkskinCharacterDef;

/** @return a def with the defaults that each field states; set transform and play.clip */
VKSKIN_API VkskinCharacterDef vkskinDefaultCharacterDef(void);

/**
 * Adds characters. If the call fails, it adds none.
 *
 * @param context     the context that owns the crowd
 * @param crowd       the handle
 * @param defs        elements `stride` bytes apart
 * @param stride      0, or at least sizeof(VkskinCharacterDef) and a multiple of 4
 * @param count       0 or more
 * @param characters  [count]: receives the handles
 * @retval VKSKIN_ERROR_INVALID_VALUE        a number is out of range; the message names the element and the field
 * @retval VKSKIN_ERROR_TRANSFORM_NOT_FINITE a transform is NaN or infinite; the message names the element
 * @retval VKSKIN_ERROR_CROWD_FULL           fewer than `count` places are free; those of removed characters are free
 *                                           when the frame after the next record has begun
 */
VKSKIN_API VkskinResult vkskinAddCharacters(VkskinContext context, VkskinCrowd crowd, const VkskinCharacterDef *defs,
                                            size_t stride, uint32_t count, VkskinCharacter *characters);

/**
 * Removes characters. The handles are stale at once. If the call fails, it removes none.
 *
 * @param context     the context that owns the crowd
 * @param crowd       the handle
 * @param characters  [count], none twice: the second is stale
 * @param count       0 or more
 * @return VKSKIN_SUCCESS, or an error that every call can return
 */
VKSKIN_API VkskinResult vkskinRemoveCharacters(VkskinContext context, VkskinCrowd crowd,
                                               const VkskinCharacter *characters, uint32_t count);

/** How a character comes to a new place. */
typedef enum VkskinCrowdMove {
    /** The previous transform is that of the frame before. If that frame did not draw the character, it equals the new one,
     * and previous positions equal the current ones. After a change of the level only the positions do. */
    VKSKIN_CROWD_WALK = 0,
    VKSKIN_CROWD_TELEPORT = 1 ///< the previous transform equals the new one, and so do previous positions
} VkskinCrowdMove;

/**
 * Places characters. Errors as vkskinRemoveCharacters, except that a character may come twice: the last one counts.
 *
 * @param context     the context that owns the crowd
 * @param crowd       the handle
 * @param characters  [count]
 * @param count       0 or more
 * @param transforms  model to world, elements `stride` bytes apart
 * @param stride      0, or at least sizeof(VkskinAffine) and a multiple of 4
 * @param move        for all of them
 * @retval VKSKIN_ERROR_INVALID_VALUE         an odd stride or an unknown move
 * @retval VKSKIN_ERROR_TRANSFORM_NOT_FINITE  a transform is NaN or infinite; the message names the element
 */
VKSKIN_API VkskinResult vkskinMoveCharacters(VkskinContext context, VkskinCrowd crowd,
                                             const VkskinCharacter *characters, uint32_t count,
                                             const VkskinAffine *transforms, size_t stride, VkskinCrowdMove move);

/**
 * Lets characters play clips, with a fade from what they play now. If a fade is still going on, it ends at once: the new
 * fade starts from its newer clip. Errors as vkskinMoveCharacters.
 *
 * @param context     the context that owns the crowd
 * @param crowd       the handle
 * @param characters  [count]
 * @param count       0 or more
 * @param plays       elements `stride` bytes apart
 * @param stride      0, or at least sizeof(VkskinCrowdPlay) and a multiple of 4
 * @retval VKSKIN_ERROR_INVALID_VALUE        a number is out of range; the message names the element and the field
 */
VKSKIN_API VkskinResult vkskinPlayCharacters(VkskinContext context, VkskinCrowd crowd,
                                             const VkskinCharacter *characters, uint32_t count,
                                             const VkskinCrowdPlay *plays, size_t stride);

/**
 * Changes the speed of the newest clip of characters. The clip goes on from where it is. Errors as vkskinMoveCharacters.
 *
 * @param context     the context that owns the crowd
 * @param crowd       the handle
 * @param characters  [count]
 * @param count       0 or more
 * @param speeds      as VkskinCrowdPlay.speed, elements `stride` bytes apart
 * @param stride      0, or a multiple of 4
 * @retval VKSKIN_ERROR_INVALID_VALUE  a number is out of range; the message names the element
 */
VKSKIN_API VkskinResult vkskinSetCharacterSpeeds(VkskinContext context, VkskinCrowd crowd,
                                                 const VkskinCharacter *characters, uint32_t count, const float *speeds,
                                                 size_t stride);

/**
 * Hides or shows characters. Hidden ones keep their time. Errors as vkskinMoveCharacters.
 *
 * @param context     the context that owns the crowd
 * @param crowd       the handle
 * @param characters  [count]
 * @param count       0 or more
 * @param hidden      for all of them
 * @return VKSKIN_SUCCESS, or an error that every call can return
 */
VKSKIN_API VkskinResult vkskinHideCharacters(VkskinContext context, VkskinCrowd crowd,
                                             const VkskinCharacter *characters, uint32_t count, bool hidden);

/**
 * Sets the variation of characters, a number for the host's shaders. Errors as vkskinMoveCharacters.
 *
 * @param context     the context that owns the crowd
 * @param crowd       the handle
 * @param characters  [count]
 * @param count       0 or more
 * @param variations  elements `stride` bytes apart
 * @param stride      0, or a multiple of 4
 * @retval VKSKIN_ERROR_INVALID_VALUE  an odd stride
 */
VKSKIN_API VkskinResult vkskinSetCharacterVariations(VkskinContext context, VkskinCrowd crowd,
                                                     const VkskinCharacter *characters, uint32_t count,
                                                     const uint32_t *variations, size_t stride);

/**
 * Chooses the parts that characters show: those without a VkskinCrowdPart.mask, and those whose mask has a bit in common with
 * `parts`. A model can have any number of parts, and 32 sets of them that are shown or not. A character that shows other parts
 * is posed and skinned in the next frame; its previous positions are then the current ones. Errors as vkskinMoveCharacters.
 *
 * @param context     the context that owns the crowd
 * @param crowd       the handle
 * @param characters  [count]
 * @param count       0 or more
 * @param parts       bits, elements `stride` bytes apart; a bit that no part has is allowed
 * @param stride      0, or a multiple of 4
 * @retval VKSKIN_ERROR_INVALID_VALUE  an odd stride
 */
VKSKIN_API VkskinResult vkskinSetCharacterParts(VkskinContext context, VkskinCrowd crowd,
                                                const VkskinCharacter *characters, uint32_t count,
                                                const uint32_t *parts, size_t stride);

/**
 * Gives characters priority, or takes it: they get slots before all others, and are posed and skinned in each frame. Errors
 * as vkskinMoveCharacters.
 *
 * @param context     the context that owns the crowd
 * @param crowd       the handle
 * @param characters  [count]
 * @param count       0 or more
 * @param priority    for all of them
 * @return VKSKIN_SUCCESS, or an error that every call can return
 */
VKSKIN_API VkskinResult vkskinPrioritiseCharacters(VkskinContext context, VkskinCrowd crowd,
                                                   const VkskinCharacter *characters, uint32_t count, bool priority);

/** @} */

/** @defgroup crowdframes Frames of a crowd
 *  @{ */

/** What a view is for: which characters get a slot first. */
typedef enum VkskinCrowdViewKind {
    VKSKIN_CROWD_COLOUR = 0, ///< the characters that it sees get slots first
    VKSKIN_CROWD_SHADOW = 1  ///< characters that only such views see get the slots that are left
} VkskinCrowdViewKind;

/** A view volume: a point is inside if it is not behind any plane. Has no default function. */
typedef struct VkskinCrowdView {
    VkskinCrowdViewKind kind; ///< decides who gets a slot first
    uint32_t planeCount;      ///< 0 to VKSKIN_MAX_CROWD_PLANES; 0: sees everything
    /** a, b, c, d: behind the plane is where a x + b y + c z + d < 0. Finite; need not have unit length. */
    float planes[VKSKIN_MAX_CROWD_PLANES][4];
    /** 0. vkskinCrowdViewFromMatrix and vkskinCrowdShadowView note here that a matrix is zero or transposed:
     * vkskinRecordCrowd refuses the view with a message that says so. */
    uint32_t flaw;
    /** For levels and slots, of a view of VKSKIN_CROWD_COLOUR: how many pixels long a unit of the world is at distance 1
     * from the eye, or at any distance if `orthographic`. For a perspective of an angle: height of the picture in pixels /
     * (2 tan(angle / 2)). Finite, at least 0. 0: each character that the view sees wants level 0, and all have one size. */
    float pixelsPerUnit;
    float eye[3];      ///< world space, finite; not read if `orthographic`
    bool orthographic; ///< a parallel projection: distance does not change sizes
} VkskinCrowdView;

/**
 * Returns the view volume of a camera. Any thread may call it.
 *
 * vkskinRecordCrowd refuses the view if the matrix is zero, flat in x or y, or transposed. A transposed matrix is
 * recognised if the view part of the camera has no scale.
 *
 * @param viewProjection  world to Vulkan's clip space (z from 0 to w), column-major, finite, not null
 * @param kind            what the view is for
 * @return the view with six planes
 */
VKSKIN_API VkskinCrowdView vkskinCrowdViewFromMatrix(const float viewProjection[16], VkskinCrowdViewKind kind);

/**
 * Returns the view volume of the shadow of a directional light, as far as a camera may see the shadow: the volume of the
 * light, without what is behind a plane of the camera and throws its shadow away from that plane. It never
 * sees more characters than vkskinCrowdViewFromMatrix of the light. Any thread may call it. Bad matrices are refused as
 * there.
 *
 * @param light         world to Vulkan's clip space, column-major, finite, not null; casters in front of its near plane
 *                      are not seen
 * @param camera        likewise
 * @param towardsLight  from the scene to the light, world space, finite, any length above 0
 * @param margin        at least 0, finite: characters count as larger by this radius; for shadow filters, world units
 * @return the view of VKSKIN_CROWD_SHADOW, with 6 to 12 planes
 */
VKSKIN_API VkskinCrowdView vkskinCrowdShadowView(const float light[16], const float camera[16],
                                                 const float towardsLight[3], float margin);

/** A frame of a crowd. Made by vkskinDefaultCrowdFrame. */
typedef struct VkskinCrowdFrame {
    uint32_t cookie;              ///< set by vkskinDefaultCrowdFrame
    uint32_t tick;                ///< the time; may also stay or go back by less than 2^31 ticks, but fades then end
    uint32_t viewCount;           ///< 1 to VkskinCrowdDef.maxViews
    const VkskinCrowdView *views; ///< [viewCount]
    /** Maximum error of the drawn levels in pixels, above 0, finite; default 1. A character becomes coarser if the error of
     * the coarser level is below 0.9 maxPixels in all colour views that see it, and finer if its own is above maxPixels. */
    float maxPixels;
    /** Vertices that may be skinned in a frame, on average, with parts that characters do not show; default 0: any number. If characters want more, the device
     * increases maxPixels step by step, by at most 5 % in a frame. */
    uint64_t maxVertices;
} VkskinCrowdFrame;

/** @return a frame with the defaults that each field states; set viewCount and views */
VKSKIN_API VkskinCrowdFrame vkskinDefaultCrowdFrame(void);

/**
 * Records everything that the device does for a crowd in this frame: outside a render pass, once per frame and crowd.
 * Allocates nothing. The number of recorded commands depends only on the crowd's models, parts, slots and views.
 *
 * With VKSKIN_BARRIERS_RECORDED the barriers to the context's consumerStages are recorded too, and to
 * DRAW_INDIRECT. With the CPU backend all is done in this call, on the threads of VkskinContextDef.cpu, and nothing is
 * recorded.
 *
 * @param context        the context that owns the crowd
 * @param commandBuffer  for computeQueueFamily
 * @param crowd          the handle
 * @param frame          time and views; not needed after the call
 * @retval VKSKIN_ERROR_FRAME_ORDER          the crowd was recorded in this frame already
 * @retval VKSKIN_ERROR_INVALID_VALUE        a number is out of range, a plane is not finite, or a view was made from a
 *                                           matrix that is zero or transposed
 * @retval VKSKIN_ERROR_UPLOADS_PENDING      host-owned barriers: as for vkskinRecordSkinning
 */
VKSKIN_API VkskinResult vkskinRecordCrowd(VkskinContext context, VkCommandBuffer commandBuffer, VkskinCrowd crowd,
                                          const VkskinCrowdFrame *frame);

/**
 * For the host's vertex shader, as push constants or in a uniform buffer: see vkskin_crowd.glsl. Word offsets count from
 * the start of VkskinCrowdBuffers.frame, except where another place is named.
 */
typedef struct VkskinCrowdConstants {
    uint32_t list;        ///< word offset of the list of slots: one word for each drawn instance
    uint32_t slots;       ///< word offset of the slot records
    uint32_t vertices;    ///< word offset of the part's positions in the first slot, from the start of `vertices`
    uint32_t slotWords;   ///< words from a slot's vertices to those of the next
    uint32_t copyWords;   ///< words from a copy of a slot's vertices to the next: see vkskin_crowd.glsl
    uint32_t attributes;  ///< words from the positions to the normals; 0 without normals
    uint32_t format;      ///< VkskinVertexFormat | 16 with normals | 32 with tangents
    int32_t vertexOffset; ///< vertexOffset of the part. gl_VertexIndex includes it; vkskin_crowd.glsl subtracts it
} VkskinCrowdConstants;

/** A draw: characters of one part in one view. */
typedef struct VkskinCrowdDraw {
    uint32_t view;             ///< index into VkskinCrowdFrame.views
    uint32_t model;            ///< index into VkskinCrowdDef.models
    uint32_t level;            ///< 0: the model's own parts; 1 and above: VkskinCrowdModel.levels[level - 1]
    uint32_t part;             ///< index into the parts of that level
    VkBuffer vertices;         ///< skinned vertices, a storage buffer; bind it from its start
    VkDeviceSize verticesSize; ///< bytes, within maxStorageBufferRange
    VkDeviceAddress
        verticesAddress; ///< address of `vertices`; 0 unless outputUsage of the context has SHADER_DEVICE_ADDRESS
    /** Palettes of the slots, a storage buffer; bind it from its start: slot s, as the lists name it, has its bones at
     * s x paletteStride, in the encoding of the model. Null with the CPU backend: use vkskinPoseCharacter. */
    VkBuffer palettes;
    VkDeviceSize palettesSize;       ///< bytes, within maxStorageBufferRange
    VkDeviceAddress palettesAddress; ///< as verticesAddress
    uint32_t paletteStride;          ///< bytes from the palette of a slot to the next, a multiple of 16
    VkDeviceSize argumentsOffset;    ///< bytes from frameOffset of VkskinCrowdBuffers: one VkDrawIndexedIndirectCommand
    VkskinCrowdConstants constants;  ///< for the vertex shader
} VkskinCrowdDraw;

/** The constants of a draw in VkskinCrowdBuffers.constants: 48 bytes, also in std430. The struct of this name in
 * vkskin_crowd.glsl has `vertices` as uvec2. */
typedef struct VkskinCrowdDrawConstants {
    VkskinCrowdConstants constants; ///< as in VkskinCrowdDraw
    VkDeviceAddress vertices;       ///< VkskinCrowdDraw.verticesAddress
    uint64_t reserved;              ///< 0
} VkskinCrowdDrawConstants;

/**
 * Returns all draws of a crowd: for each view below maxViews, model, level and part one, or several if the slots take several
 * buffers. They do not change as long as the crowd exists. All views have the same number of draws; those of view 0 come
 * first, then those of view 1, and so on. Draws of views above the viewCount of a frame have no instances.
 *
 * A host draws each of them so: it binds the part's index buffer; a descriptor of `vertices` and one of the frame (see
 * VkskinCrowdBuffers), both storage buffers that the vertex shader reads; gives it the constants; and calls
 * vkCmdDrawIndexedIndirect with the buffer of the frame, at frameOffset + argumentsOffset, and drawCount 1. The vertex
 * shader includes vkskin_crowd.glsl, and reads the character of gl_InstanceIndex and its vertex gl_VertexIndex.
 *
 * The device writes the arguments when a recorded vkskinRecordCrowd runs. Before that of the first frame their content is
 * undefined: do not draw. With the CPU backend the call itself writes those of its frame slot.
 *
 * The arguments of a view's draws are contiguous: argumentsOffset grows by 20 (sizeof(VkDrawIndexedIndirectCommand))
 * from draw to draw. So a host that enabled multiDrawIndirect and shaderDrawParameters may draw a view in one call, if
 * all parts share an index buffer and a pipeline: drawCount is the number of its draws (up to maxDrawIndirectCount),
 * stride is 20. The vertex shader then reads its constants from VkskinCrowdBuffers.constants, at the index of the
 * view's first draw plus gl_DrawID, and the vertices through their address.
 *
 * @param context  the context that owns the crowd
 * @param crowd    the handle
 * @param draws    [*count]; null: only the number is returned
 * @param count    in: the size of `draws`, ignored if `draws` is null; out: the number of written elements, or the
 *                 number of draws if `draws` is null
 * @retval VKSKIN_WARNING_INCOMPLETE   the array is too small; the first elements are written
 */
VKSKIN_API VkskinResult vkskinGetCrowdDraws(VkskinContext context, VkskinCrowd crowd, VkskinCrowdDraw *draws,
                                            uint32_t *count);

/** Buffers of a crowd; vertices and palettes are in VkskinCrowdDraw. Ranges are bytes; offsets are multiples of minStorageBufferOffsetAlignment. */
typedef struct VkskinCrowdBuffers {
    /** Arguments of the draws, lists of slots and slot records of the current frame: STORAGE_BUFFER and
     * INDIRECT_BUFFER. */
    VkBuffer frame;
    VkDeviceSize frameOffset; ///< 0; with the CPU backend it differs in each frame slot
    VkDeviceSize frameSize;   ///< within maxStorageBufferRange
    /** Address of `frame` at frameOffset. All addresses are 0 unless outputUsage of the context has
     * SHADER_DEVICE_ADDRESS. */
    VkDeviceAddress frameAddress;
    /**
     * 16 words for each character, element index - 1: its 3x4 transform (12 floats, a
     * VkskinAffine); clip | next clip << 16; phase at tick 0 (2^32 is one clip); rate in phase per tick; flags. Null with
     * the CPU backend.
     *
     * Kernels of the host may write states, at least the transforms, on the same queue: between the vkskinRecordCrowd of
     * the previous frame and that of this frame. The host records a barrier before them, from COMPUTE_SHADER,
     * SHADER_WRITE, and one after them, to COMPUTE_SHADER, SHADER_READ | SHADER_WRITE. The library stays within its
     * memory whatever they write: characters that cannot be drawn are hidden and counted.
     */
    VkBuffer states;
    VkDeviceSize statesSize;       ///< bytes
    VkDeviceAddress statesAddress; ///< address of `states`, or 0
    /** VkskinCrowdDrawConstants of all draws, in the order of vkskinGetCrowdDraws: STORAGE_BUFFER. Written once, by
     * vkskinCreateCrowd. */
    VkBuffer constants;
    VkDeviceSize constantsSize;       ///< bytes
    VkDeviceAddress constantsAddress; ///< address of `constants`, or 0
} VkskinCrowdBuffers;

/**
 * Returns the buffers of a crowd. They do not change as long as the crowd exists, except frameOffset with the CPU backend.
 *
 * @param context  the context that owns the crowd
 * @param crowd    the handle
 * @param buffers  receives the buffers
 * @return VKSKIN_SUCCESS, or an error that every call can return
 */
VKSKIN_API VkskinResult vkskinGetCrowdBuffers(VkskinContext context, VkskinCrowd crowd, VkskinCrowdBuffers *buffers);

/** Counters of a level, of all models together. */
typedef struct VkskinCrowdLevelStats {
    uint32_t slots;     ///< characters that have a slot of this level
    uint32_t refreshed; ///< of these: posed and skinned in this frame
    uint64_t vertices;  ///< of the refreshed ones, with parts that they do not show
} VkskinCrowdLevelStats;

/** Counters of a frame of a crowd. */
typedef struct VkskinCrowdStats {
    uint64_t frame;                         ///< VkskinStats.frame of that frame; 0: none has finished
    uint32_t characters;                    ///< characters that existed when it was recorded
    uint32_t skinned;                       ///< drawn: a view sees them, and they have a slot
    uint32_t refused;                       ///< a view sees them, but no slot was free
    uint32_t drawn[VKSKIN_MAX_CROWD_VIEWS]; ///< in the lists of each view
    uint32_t badClip;                       ///< with a clip that does not exist: they play the last one
    uint32_t badModel;                      ///< with a model that does not exist: hidden
    uint32_t badPlace;                      ///< with a transform that is not finite, or above 1e15: hidden
    VkskinCrowdLevelStats levels[VKSKIN_MAX_CROWD_LEVELS]; ///< by level
    float maxPixels; ///< the value in use: VkskinCrowdFrame.maxPixels, or more because of maxVertices
} VkskinCrowdStats;

/**
 * Returns the counters of the latest frame that has finished on the device, without waiting.
 *
 * @param context  the context that owns the crowd
 * @param crowd    the handle
 * @param stats    receives the counters
 * @return VKSKIN_SUCCESS, or an error that every call can return
 */
VKSKIN_API VkskinResult vkskinGetCrowdStats(VkskinContext context, VkskinCrowd crowd, VkskinCrowdStats *stats);

/** @} */

/** @defgroup crowdqueries One character on the CPU
 *  The host asks for states of some characters, and makes their poses at any later tick: for a sword, a camera or a sound
 *  that follows a bone, or to turn a character into an instance. States come back when their frame has finished, so they
 *  are as old as the frames in flight; the pose of a later tick is exact until the host changes the character.
 *  @{ */

/** The state of a character in a frame that has finished. */
typedef struct VkskinCharacterState {
    VkskinCharacter character; ///< as it was asked for
    uint64_t frame;            ///< VkskinStats.frame of that frame
    uint32_t tick;             ///< VkskinCrowdFrame.tick of that frame
    uint32_t model;            ///< VkskinCharacterDef.model
    uint32_t variation;        ///< VkskinCharacterDef.variation
    uint32_t parts;            ///< VkskinCharacterDef.parts
    bool exists;            ///< false: it was removed, or waits because of maxChanges; other fields are then undefined
    bool hidden;            ///< see vkskinHideCharacters
    VkskinAffine transform; ///< model to world; as a kernel of the host may have written it
    uint32_t play[12];      ///< what it plays, for vkskinPoseCharacter
} VkskinCharacterState;

/**
 * Chooses the characters whose states come back: those of each frame that is recorded from now on, until the next call.
 * Recording then copies 96 bytes for each of them.
 *
 * @param context     the context that owns the crowd
 * @param crowd       the handle
 * @param characters  [count]; one that is removed later does not exist in the states
 * @param count       0 to maxQueries; 0: none
 * @retval VKSKIN_ERROR_INVALID_VALUE  count is above maxQueries
 */
VKSKIN_API VkskinResult vkskinQueryCharacters(VkskinContext context, VkskinCrowd crowd,
                                              const VkskinCharacter *characters, uint32_t count);

/**
 * Returns the states of the latest frame that has finished, without waiting: vkskinBeginFrame of its slot made them
 * known. They are in the order in which that frame asked for them.
 *
 * @param context  the context that owns the crowd
 * @param crowd    the handle
 * @param states   [*count]; null: only the number is returned
 * @param count    in: the size of `states`, ignored if `states` is null; out: the number of written elements, or of
 *                 states if `states` is null; 0: none yet
 * @retval VKSKIN_WARNING_INCOMPLETE  the array is too small; the first elements are written
 */
VKSKIN_API VkskinResult vkskinGetCharacterStates(VkskinContext context, VkskinCrowd crowd, VkskinCharacterState *states,
                                                 uint32_t *count);

/** The pose of a character. The host sets the pointers, the call writes what they point to and the rest. */
typedef struct VkskinCharacterPose {
    /** [nodeCount of the clip set]: node to model space. A bone's point in the world is transform of the state x
     * nodes[node] x point. Not null. */
    VkskinAffine *nodes;
    VkskinTransform *pose; ///< [nodeCount] or null: local transforms, for vkskinRootDelta and the like
    /** [morphWeightCount] or null: weights of all morph targets of the meshes of the model's parts, part by part. */
    float *morphWeights;
    uint32_t morphWeightCount; ///< at least the number of these targets
    uint32_t clip;             ///< out: what it plays; in a fade the old clip
    uint32_t nextClip;         ///< out: the new clip of a fade; otherwise equal to clip
    double time;               ///< out: seconds in `clip`
    double nextTime;           ///< out: seconds in `nextClip`
    float weight;              ///< out: 0 to 1, of `nextClip`; 0 without a fade
} VkskinCharacterPose;

/**
 * Makes the pose that the device makes of a character at a tick: clips, fades and speeds go on by the same rules. Costs
 * time for all nodes, like vkskinSampleAnimation and vkskinComposePose.
 *
 * @param context  the context that owns the crowd
 * @param crowd    the handle
 * @param state    of vkskinGetCharacterStates for this crowd; it must exist, else the result is
 *                 VKSKIN_ERROR_STALE_HANDLE
 * @param tick     that of the state, or later by less than 2^31
 * @param pose     what to write
 * @retval VKSKIN_ERROR_INVALID_VALUE  morphWeightCount is too small, or a kernel of the host wrote an unknown model
 */
VKSKIN_API VkskinResult vkskinPoseCharacter(VkskinContext context, VkskinCrowd crowd, const VkskinCharacterState *state,
                                            uint32_t tick, VkskinCharacterPose *pose);

/**
 * Returns the bounds with which the device culls a model in a clip: no vertex of any of its poses is outside.
 *
 * @param context  the context that owns the crowd
 * @param crowd    the handle
 * @param model    index into VkskinCrowdDef.models
 * @param clip     index into the clip set
 * @param box      receives the box, in model space
 * @param margin   receives a distance, may be null: during a fade no vertex is outside of the union of both boxes,
 *                 enlarged on all sides by the larger of both margins
 * @retval VKSKIN_ERROR_INVALID_VALUE  there is no such model or clip
 */
VKSKIN_API VkskinResult vkskinGetCrowdBox(VkskinContext context, VkskinCrowd crowd, uint32_t model, uint32_t clip,
                                          VkskinAnimationBox *box, float *margin);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
