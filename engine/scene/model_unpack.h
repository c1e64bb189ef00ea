/*
 * model_unpack.h: packed clips as tracks of floats, for code that needs keys: bounds of clips, clips that move to another
 * model. Poses need none: see ClipSource.
 */
#ifndef ENGINE_MODEL_UNPACK_H
#define ENGINE_MODEL_UNPACK_H

#include "engine_error.h"
#include "model.h"

/*
 * Adds tracks to a clip: the channels that clip `index` of a block moves or holds. They are linear. Where a straight
 * line between two rows of the block would leave its rotations by more than MODEL_UNPACK_TURN, up to MODEL_UNPACK_PIECES
 * keys take the place of one.
 *
 * block: checked by vkskinCheckAnimation. *left: bytes that clips may still take; reduced by those of this one.
 */
bool modelUnpackClip(const void *block, uint32_t index, ModelClip *clip, uint64_t *left, EngineError *error);

/* Gives all clips of a model their tracks, and forgets its block. Without a block it changes nothing. */
bool modelUnpack(Model *model, EngineError *error);

#define MODEL_UNPACK_TURN   2e-5f /* radians */
#define MODEL_UNPACK_PIECES 16u
#define MODEL_UNPACK_BYTES  ((uint64_t)2 << 30) /* maximum size of all tracks of a model */

#endif
