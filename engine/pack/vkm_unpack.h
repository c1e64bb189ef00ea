/* vkm_unpack.h: packed clips as tracks of floats, for code that needs keys: bounds, blended motions, clips of other files. */
#ifndef ENGINE_VKM_UNPACK_H
#define ENGINE_VKM_UNPACK_H

#include "engine_error.h"
#include "model.h"

/*
 * Adds tracks to a clip: the channels that clip `index` of a block moves or holds. They are linear. Where a straight
 * line between two rows of the block would leave its rotations by more than VKM_UNPACK_TURN, up to VKM_UNPACK_PIECES
 * keys take the place of one.
 *
 * block: checked by vkskinCheckAnimation. *left: bytes that clips may still take; reduced by those of this one.
 */
bool vkmUnpackClip(const void *block, uint32_t index, ModelClip *clip, uint64_t *left, EngineError *error);

#define VKM_UNPACK_TURN   2e-5f /* radians */
#define VKM_UNPACK_PIECES 16u

#endif
