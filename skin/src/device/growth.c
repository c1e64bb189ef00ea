#include "growth.h"

#include "cpu_backend.h"

/* With two queue families: the recorded instances of the frame, and room to sort them. */
static bool reserveWritten(VkskinContext context, uint32_t count) {
    if (!sknTwoFamilies(context)) {
        return true;
    }
    uint32_t *written = sknHostReserve(context->gpu.hostAllocator, context->written, count, &context->writtenCapacity,
                                       2 * sizeof *written);
    context->written = written != NULL ? written : context->written;
    return written != NULL;
}

static VkskinResult checkMaxima(VkskinContext context, uint32_t commands, uint32_t morphs) {
    const CommandList *list = &context->preparing->commands;
    const uint32_t taken = sknTaken(&list->places), most = context->def.maxInstances;
    if (commands > most - taken) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_TOO_MANY_INSTANCES,
                         "vkskinSkinInstances: at least %u commands after %u in this frame, maxInstances is %u",
                         commands, taken, most);
    }
    const uint32_t left = context->def.maxMorphWeights - sknTaken(&list->morphPlaces);
    if (morphs > left) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_TOO_MANY_MORPHS,
                         "vkskinSkinInstances: morph weights take %u places, %u are left of maxMorphWeights (%u)",
                         morphs, left, context->def.maxMorphWeights);
    }
    return VKSKIN_SUCCESS;
}

/* The room that `places` has with `count` more: its capacity if that is enough, else twice as much, up to `most`. */
static uint32_t roomFor(const Places *places, uint32_t count, uint32_t most) {
    const uint32_t needed = sknTaken(places) + count;
    const uint32_t room = needed <= places->capacity ? places->capacity : 2 * places->capacity;
    return needed > room ? needed : room < most ? room : most;
}

VkskinResult sknReserveCommands(VkskinContext context, uint32_t commands, uint32_t morphs) {
    Frame *frame = context->preparing;
    Places *places = &frame->commands.places, *morphPlaces = &frame->commands.morphPlaces;
    VkskinResult result = checkMaxima(context, commands, morphs);
    if (result < 0) {
        return result;
    }
    const uint32_t room = roomFor(places, commands, context->def.maxInstances);
    const uint32_t morphRoom = roomFor(morphPlaces, morphs, context->def.maxMorphWeights);
    if (!sknGrowCommands(context->gpu.hostAllocator, &frame->commands, room, morphRoom) ||
        !reserveWritten(context, room)) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "no memory for %u commands", room);
    }
    const uint32_t recordable = room - places->recorded, morphsRecordable = morphRoom - morphPlaces->recorded;
    result =
        sknReserveJobs(&context->gpu, &context->descriptors, &context->jobs, frame->slot, recordable, morphsRecordable);
    if (result >= 0 && sknOnCpu(context)) {
        result = sknReserveCpuWork(&context->gpu, &context->cpu, recordable, morphsRecordable);
    }
    if (result >= 0) {
        places->room = room;
        morphPlaces->room = morphRoom;
    }
    return result;
}
