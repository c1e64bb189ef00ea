#include <string.h>

#include "crowd.h"

/* ---- Destroyed objects ---- */

static void freeRetired(VkskinContext context, FrameSlot *slot) {
    while (slot->retiredCrowds != NO_INDEX) {
        CrowdItem *item = sknHandleItem(&context->crowds, slot->retiredCrowds);
        const uint32_t index = slot->retiredCrowds;
        slot->retiredCrowds = item->header.next;
        sknFreeCrowd(context, item->crowd);
        item->crowd = NULL;
        sknHandleRecycle(&context->crowds, index);
    }
    while (slot->retiredClipSets != NO_INDEX) {
        ClipSetItem *item = sknHandleItem(&context->clipSets, slot->retiredClipSets);
        const uint32_t index = slot->retiredClipSets;
        slot->retiredClipSets = item->header.next;
        sknDropClipSet(context, item->set);
        item->set = NULL;
        sknHandleRecycle(&context->clipSets, index);
    }
}

void sknDestroyCrowds(VkskinContext context) {
    for (uint32_t i = 0; i < context->crowds.capacity; i++) {
        sknFreeCrowd(context, sknCrowd(context, i));
    }
    for (uint32_t i = 0; i < context->clipSets.capacity; i++) {
        sknDropClipSet(context, sknClipSet(context, i));
    }
    sknDestroyHandles(&context->crowds, context->gpu.hostAllocator);
    sknDestroyHandles(&context->clipSets, context->gpu.hostAllocator);
}

/* ---- Frames ---- */

/* staging: freed when the frame that read it is certain to have finished; null: kept. */
static void keepUpload(VkskinContext context, CrowdUpload *upload, Buffer *staging) {
    upload->done = upload->done || upload->frame != 0;
    if (staging != NULL && upload->done && context->frameNumber > upload->frame + context->def.framesInFlight) {
        sknDestroyBuffer(&context->gpu, staging);
    }
}

static void keepFrames(VkskinContext context) {
    for (uint32_t i = 0; i < context->crowds.capacity; i++) {
        Crowd *crowd = sknCrowd(context, i);
        if (crowd != NULL) {
            sknForgetChanges(&crowd->changes);
            keepUpload(context, &crowd->upload, NULL); /* frames copy from it */
        }
    }
    for (uint32_t i = 0; i < context->clipSets.capacity; i++) {
        ClipSet *set = sknClipSet(context, i);
        if (set != NULL) {
            keepUpload(context, &set->upload, &set->staging);
        }
    }
}

static void cancelUpload(CrowdUpload *upload) {
    upload->frame = upload->done ? upload->frame : 0;
}

void sknForgetCrowdFrame(VkskinContext context, Crowd *crowd) {
    if (sknOnCpu(context)) {
        sknUndoCrowdOnCpu(crowd);
    }
    crowd->frameCount--;
    crowd->recordedFrame = 0;
    crowd->inputs[context->recording->slot].frame = 0;
    sknTakeBackChanges(&crowd->changes);
}

static void cancelFrames(VkskinContext context) {
    const Frame *frame = context->recording;
    for (uint32_t i = 0; i < context->crowds.capacity; i++) {
        Crowd *crowd = sknCrowd(context, i);
        if (crowd == NULL) {
            continue;
        }
        if (crowd->recordedFrame == frame->number) {
            sknForgetCrowdFrame(context, crowd);
        }
        cancelUpload(&crowd->upload);
    }
    for (uint32_t i = 0; i < context->clipSets.capacity; i++) {
        ClipSet *set = sknClipSet(context, i);
        if (set != NULL) {
            cancelUpload(&set->upload);
        }
    }
}

/* Counters that cannot be read stay those of an earlier frame. */
static void readStats(VkskinContext context, Crowd *crowd, CrowdInput *input) {
    LayoutCrowdStats stats;
    if (!sknOnCpu(context)) {
        if (sknInvalidateBuffer(&context->gpu, &input->buffer, 0, sizeof stats) < 0) {
            return;
        }
        memcpy(&stats, input->buffer.memory.mapped, sizeof stats);
    } else {
        stats = input->stats;
    }
    if (input->frame < crowd->stats.frame) { /* vkskinRepeatFrame finished a later slot before */
        return;
    }
    crowd->stats = (VkskinCrowdStats){
        .frame = input->frame,
        .characters = input->characters,
        .skinned = stats.skinned,
        .refused = stats.refused,
        .drawn = {stats.drawn0, stats.drawn1, stats.drawn2, stats.drawn3},
        .badClip = stats.badClip,
        .badModel = stats.badModel,
        .badPlace = stats.badPlace,
    };
}

static void finishSlot(VkskinContext context, uint32_t slot) {
    for (uint32_t i = 0; i < context->crowds.capacity; i++) {
        Crowd *crowd = sknCrowd(context, i);
        if (crowd != NULL && crowd->inputs[slot].frame != 0) {
            readStats(context, crowd, &crowd->inputs[slot]);
            crowd->inputs[slot].frame = 0;
        }
    }
}

const CrowdCalls sknCrowdCalls = {
    .keepFrames = keepFrames,
    .cancelFrames = cancelFrames,
    .finishSlot = finishSlot,
    .freeRetired = freeRetired,
    .listAccesses = sknListCrowdAccesses,
};
