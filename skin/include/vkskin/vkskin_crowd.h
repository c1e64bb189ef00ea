/**
 * @file
 * Crowds that live on the device: it poses, culls and skins any number of characters, and writes the arguments of the
 * draws. The number of recorded commands does not depend on the number of characters.
 *
 * A crowd has models. A model is a skeleton's skin and its parts, which are meshes of the context. A character is one
 * model at one place that plays one clip, or two during a fade. The characters of a crowd share a clip set: the packed
 * clips of one skeleton (vkskin_anim.h).
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
 * all views, into a slot. A slot is memory for one palette and one output of each part. A model has a fixed number of
 * slots. A character keeps its slot as long as a view sees it. If no slot is free, the character is not drawn in this
 * frame, and is counted. Characters that a colour view sees get slots first.
 *
 * Time is a number of ticks that the host passes to vkskinRecordCrowd. A second has VkskinCrowdDef.ticksPerSecond of
 * them. Ticks count modulo 2^32: clips and fades go on exactly where the number wraps. The time must not stand still
 * for 2^31 ticks between two records (24 days at 1,000 ticks per second).
 *
 * All calls take the context that owns the crowd. Its rules for threads, frames, handles and memory apply
 * (vkskin.h): calls for characters of one crowd may come from several threads, and each call is atomic.
 */
#ifndef VKSKIN_CROWD_H
#define VKSKIN_CROWD_H

#include "vkskin.h"
#include "vkskin_anim.h"

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
 * @retval VKSKIN_ERROR_NULL_ARGUMENT       a pointer is null
 * @retval VKSKIN_ERROR_INVALID_VALUE       the block has no clips, or more than 65,535
 * @retval VKSKIN_ERROR_ANIMATION_VERSION   a block of another version
 * @retval VKSKIN_ERROR_ANIMATION_DATA      not a block, cut off, or damaged; the message names clip and field
 * @retval VKSKIN_ERROR_UNSUPPORTED_DEVICE  block and tables are larger than maxStorageBufferRange
 * @retval VKSKIN_ERROR_OUT_OF_HOST_MEMORY  no host memory, in the library or the driver
 * @retval VKSKIN_ERROR_OUT_OF_DEVICE_MEMORY  no memory for block and tables
 */
VKSKIN_API VkskinResult vkskinCreateClipSet(VkskinContext context, const void *block, size_t size,
                                            VkskinClipSet *clipSet);

/**
 * Destroys a clip set that no crowd uses. Its memory is reused as after vkskinDestroyMesh.
 *
 * @param context  the context that owns the clip set
 * @param clipSet  the handle
 * @retval VKSKIN_ERROR_NULL_ARGUMENT  context is null
 * @retval VKSKIN_ERROR_NULL_HANDLE    clipSet is zero
 * @retval VKSKIN_ERROR_STALE_HANDLE   it was destroyed, or it belongs to another context
 * @retval VKSKIN_ERROR_CLIP_SET_IN_USE  a crowd uses it
 */
VKSKIN_API VkskinResult vkskinDestroyClipSet(VkskinContext context, VkskinClipSet clipSet);

/** @} */

/** @defgroup crowds Crowds
 *  @{ */

#define VKSKIN_MAX_CROWD_MODELS 16u ///< maximum number of models of a crowd
#define VKSKIN_MAX_CROWD_PARTS  64u ///< maximum number of parts of all models of a crowd
#define VKSKIN_MAX_CROWD_VIEWS  4u  ///< maximum number of views of vkskinRecordCrowd

/** Handle of a crowd. The rules of VkskinMesh apply. */
typedef struct VkskinCrowd {
    uint32_t index;      ///< at least 1
    uint32_t generation; ///< distinguishes objects that reuse an index
} VkskinCrowd;

/** The null crowd. */
static const VkskinCrowd VKSKIN_NULL_CROWD = {0, 0};

/** A part of a model: a mesh, and the triangles that the host draws of it. */
typedef struct VkskinCrowdPart {
    VkskinMesh mesh;      ///< of the context; with the bones of the model's skin; not flat
    uint32_t indexCount;  ///< for the draw arguments: VkDrawIndexedIndirectCommand
    uint32_t firstIndex;  ///< likewise
    int32_t vertexOffset; ///< likewise
} VkskinCrowdPart;

/** A kind of character. */
typedef struct VkskinCrowdModel {
    VkskinSkin skin;              ///< of the clip set's skeleton; not needed after vkskinCreateCrowd
    const VkskinCrowdPart *parts; ///< [partCount]
    uint32_t partCount;           ///< at least 1
    uint32_t slots;               ///< at least 1: characters of this model that are skinned in one frame
    /** [nodeCount of the clip set]: the vertices of all parts that each node moves, see vkskinAddAnimationBoxes. From
     * these boxes and the clips the library computes the bounds for culling. Not null. */
    const VkskinAnimationBox *boxes;
    VkskinMethod method;             ///< default VKSKIN_METHOD_LINEAR_BLEND
    VkskinPaletteEncoding encoding;  ///< default vkskinMethodEncoding of the method
} VkskinCrowdModel;

/** @return a model with the defaults that each field states; set skin, parts, slots and boxes */
VKSKIN_API VkskinCrowdModel vkskinDefaultCrowdModel(void);

/** Describes a crowd. Made by vkskinDefaultCrowdDef. */
typedef struct VkskinCrowdDef {
    uint32_t cookie;                ///< set by vkskinDefaultCrowdDef
    VkskinClipSet clipSet;          ///< must exist as long as the crowd
    const VkskinCrowdModel *models; ///< [modelCount]
    uint32_t modelCount;            ///< 1 to VKSKIN_MAX_CROWD_MODELS
    uint32_t capacity;              ///< maximum number of characters, 1 to 16,777,215
    uint32_t ticksPerSecond;        ///< 1 to 1,000,000; default 1000
    uint32_t maxChanges;            ///< characters that a frame can change at first; grows up to capacity; default 1024
    const char *name;               ///< for messages and debuggers; copied; may be null
} VkskinCrowdDef;

/** @return a def with the defaults that each field states; set clipSet, models and capacity */
VKSKIN_API VkskinCrowdDef vkskinDefaultCrowdDef(void);

/** Memory of a crowd, in bytes. */
typedef struct VkskinCrowdMemory {
    uint64_t characters; ///< states and records of the characters, and changes in all frames in flight
    uint64_t lists;      ///< lists, counters and draw arguments
    uint64_t palettes;   ///< palettes of the slots, and temporary memory of posing
    uint64_t output;     ///< output of the slots
    uint64_t host;       ///< host memory
} VkskinCrowdMemory;
