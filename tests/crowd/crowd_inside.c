#include "crowd_inside.h"

#include "crowd.h"

static InsideBuffer describe(const Buffer *buffer) {
    return (InsideBuffer){buffer->handle, buffer->size, buffer->memory.mapped};
}

static InsideBuffer onHost(const void *memory, size_t size) {
    return (InsideBuffer){VK_NULL_HANDLE, size, memory};
}

CrowdInside crowdInside(VkskinContext context, VkskinCrowd handle) {
    const Crowd *crowd = sknCrowd(context, handle.index - 1);
    const uint32_t capacity = sknCrowdHead(crowd->plan.tables)->capacity;
    CrowdInside inside = {
        .plan = &crowd->plan,
        .changes = &crowd->changes,
        .copies = crowd->copies,
        .frameCount = crowd->frameCount,
        .states = describe(&crowd->states),
        .colds = describe(&crowd->colds),
        .work = describe(&crowd->work),
        .frame = describe(&crowd->frame),
        .tables = describe(&crowd->tables),
    };
    for (uint32_t s = 0; s < VKSKIN_MAX_FRAMES_IN_FLIGHT; s++) {
        inside.inputs[s] = describe(&crowd->inputs[s].buffer);
    }
    if (sknOnCpu(context)) {
        inside.states = onHost(crowd->cpu.states, capacity * sizeof(LayoutCrowdState));
        inside.colds = onHost(crowd->cpu.colds, capacity * sizeof(LayoutCrowdCold));
        inside.work = onHost(crowd->cpu.work, crowd->plan.workWords * 4);
        inside.frame = onHost(crowd->cpu.arrays.frame, crowd->plan.frameWords * 4);
    }
    return inside;
}

InsideBuffer insideOutput(VkskinContext context, VkskinCrowd crowd, uint32_t pool) {
    return describe(&sknCrowd(context, crowd.index - 1)->pools[pool].output);
}

InsideBuffer insidePalettes(VkskinContext context, VkskinCrowd crowd, uint32_t pool) {
    return describe(&sknCrowd(context, crowd.index - 1)->pools[pool].palettes);
}

InsideBuffer insideClips(VkskinContext context, VkskinClipSet set) {
    return describe(&sknClipSet(context, set.index - 1)->device);
}

uint32_t insideVertices(VkskinContext context, VkskinCrowd handle, uint32_t group, uint32_t part) {
    const Crowd *crowd = sknCrowd(context, handle.index - 1);
    return sknMesh(context, crowd->groups[group].meshes[part].mesh)->info.vertexCount;
}
