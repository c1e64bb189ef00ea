/*
 * fills.h: copies the pass-through attributes of a mesh from its page to the output of its instances.
 *
 * With one queue family a new instance has one fill, which the next upload records for all regions. A recorded fill is
 * kept until the next frame begins; if its frame is cancelled, it becomes pending again. With two queue families the
 * content of a region is lost when its ownership returns, so skinning copies them to the region before it writes there.
 * With the CPU backend, creating an instance copies them.
 */
#ifndef VKSKIN_FILLS_H
#define VKSKIN_FILLS_H

#include "context.h"

/* Room for the fill of one more instance of the mesh. Error: OUT_OF_HOST_MEMORY. */
VkskinResult sknReserveFill(VkskinContext context, const Mesh *mesh);

/* Adds the fill of a new instance, or fills it on the CPU. Room must be reserved. */
void sknAddFill(VkskinContext context, uint32_t index);

/* Notes that the fill of this instance was another's. */
void sknMoveFill(VkskinContext context, uint32_t index);

/* Drops the fill of an instance that is destroyed. */
void sknDropFill(VkskinContext context, Instance *instance);

/* The next record takes the fills below this index: see sknUploadsDue. */
uint32_t sknFillsDue(const struct VkskinContext_T *context);

/* The next record takes only the fills that are pending now: see sknSealUploads, which must follow. */
void sknSealFills(VkskinContext context);

/* Records the fills below `due`, with a barrier after the uploads. With barriers of the library, also those to earlier
 * and later users of the output. */
void sknRecordFills(VkskinContext context, VkCommandBuffer commandBuffer, uint32_t due);

/* With two queue families: records the copies for all commands. */
void sknRecordRefills(VkskinContext context, VkCommandBuffer commandBuffer);

/* Whether skinning copies the pass-through attributes of a mesh. */
static inline bool sknRefills(const struct VkskinContext_T *context, const Mesh *mesh) {
    return mesh->image.bytes > 0 && sknTwoFamilies(context) && !sknOnCpu(context);
}

/* The fills recorded in this frame will not run: they are pending again. */
void sknTakeBackFills(VkskinContext context);

/* Ends the frame: removes the recorded fills. */
void sknRetireFills(VkskinContext context);

#endif
