#include "frame_loop.h"

FrameLoop frameLoop(Gpu *gpu, VkskinContext context, uint32_t framesInFlight) {
    FrameLoop loop = {.gpu = gpu, .context = context, .framesInFlight = framesInFlight};
    VkSemaphoreTypeCreateInfoKHR type = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO_KHR,
        .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE_KHR,
    };
    VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &type};
    VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    GPU_CHECK(vkCreateSemaphore(gpu->device, &info, NULL, &loop.gate));
    gpu->gate = loop.gate;
    for (uint32_t slot = 0; slot < framesInFlight; slot++) {
        GPU_CHECK(vkCreateFence(gpu->device, &fence, NULL, &loop.fences[slot]));
    }
    return loop;
}

static void openGate(FrameLoop *loop, uint64_t value) {
    VkSemaphoreSignalInfoKHR signal = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO_KHR,
        .semaphore = loop->gate,
        .value = value,
    };
    GPU_CHECK(vkSignalSemaphoreKHR(loop->gpu->device, &signal));
}

static void waitForSlot(FrameLoop *loop, uint32_t slot) {
    GPU_CHECK(vkWaitForFences(loop->gpu->device, 1, &loop->fences[slot], VK_TRUE, UINT64_MAX));
    GPU_CHECK(vkResetFences(loop->gpu->device, 1, &loop->fences[slot]));
    vkFreeCommandBuffers(loop->gpu->device, loop->gpu->pool, 1, &loop->commandBuffers[slot]);
}

VkCommandBuffer frameLoopBegin(FrameLoop *loop) {
    uint32_t slot = (uint32_t)(loop->frame % loop->framesInFlight);
    if (loop->frame >= loop->framesInFlight && !loop->cancelled) {
        openGate(loop, loop->frame - loop->framesInFlight + 1);
        waitForSlot(loop, slot);
    }
    loop->cancelled = false;
    GPU_VKSKIN(loop->gpu, vkskinBeginFrame(loop->context, slot));
    loop->commandBuffers[slot] = gpuBegin(loop->gpu);
    return loop->commandBuffers[slot];
}

void frameLoopSubmit(FrameLoop *loop) {
    uint32_t slot = (uint32_t)(loop->frame % loop->framesInFlight);
    uint64_t value = loop->frame + 1;
    VkPipelineStageFlags stages = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    VkTimelineSemaphoreSubmitInfoKHR timeline = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO_KHR,
        .waitSemaphoreValueCount = 1,
        .pWaitSemaphoreValues = &value,
    };
    VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .pNext = &timeline,
        .waitSemaphoreCount = 1,
        .pWaitSemaphores = &loop->gate,
        .pWaitDstStageMask = &stages,
        .commandBufferCount = 1,
        .pCommandBuffers = &loop->commandBuffers[slot],
    };
    GPU_CHECK(vkEndCommandBuffer(loop->commandBuffers[slot]));
    GPU_CHECK(vkQueueSubmit(loop->gpu->queue, 1, &submit, loop->fences[slot]));
    loop->frame++;
}

void frameLoopCancel(FrameLoop *loop) {
    uint32_t slot = (uint32_t)(loop->frame % loop->framesInFlight);
    vkFreeCommandBuffers(loop->gpu->device, loop->gpu->pool, 1, &loop->commandBuffers[slot]);
    GPU_VKSKIN(loop->gpu, vkskinCancelFrame(loop->context));
    loop->cancelled = true;
}

void frameLoopFinish(FrameLoop *loop) {
    if (loop->frame > 0) {
        uint64_t inFlight = loop->frame < loop->framesInFlight ? loop->frame : loop->framesInFlight;
        inFlight -= loop->cancelled && inFlight == loop->framesInFlight; /* the cancelled frame waited for that one */
        openGate(loop, loop->frame);
        for (uint64_t frame = loop->frame - inFlight; frame < loop->frame; frame++) {
            waitForSlot(loop, (uint32_t)(frame % loop->framesInFlight));
        }
    }
    for (uint32_t slot = 0; slot < loop->framesInFlight; slot++) {
        vkDestroyFence(loop->gpu->device, loop->fences[slot], NULL);
    }
    /* lavapipe's queue thread reads the semaphore once more after the fence. */
    GPU_CHECK(vkDeviceWaitIdle(loop->gpu->device));
    vkDestroySemaphore(loop->gpu->device, loop->gate, NULL);
    loop->gpu->gate = VK_NULL_HANDLE;
}
