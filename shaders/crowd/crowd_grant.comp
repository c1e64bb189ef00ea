// crowd_grant.comp: decides which classes get slots, see crowd_grant.h: a workgroup for each model, level after level.
#version 450
#extension GL_GOOGLE_include_directive : require

#define CROWD_SET_TABLES 0
#define CROWD_SET_WORK   3
#include "crowd/crowd_buffers.glsl"

#define GRANT_WORD(at) scratch[at]
#define CROWD_GRANT_SCRATCH_WORDS 1796u
shared uint scratch[CROWD_GRANT_SCRATCH_WORDS];
#include "crowd/crowd_grant.h"

#define WRITE_WORK_WORD(field) workWords[at++] = value.field;

void writeGrant(uint at, LayoutCrowdGrant value) {
    CROWD_GRANT_FIELDS(WRITE_WORK_WORD)
}

void main() {
    LayoutCrowdHead head = readHead(0u);
    uint thread = gl_LocalInvocationID.x;
    LayoutCrowdModel model = readModel(head, gl_WorkGroupID.x);
    for (uint i = thread; i < CROWD_GRANT_SCRATCH; i += CROWD_GROUP) {
        scratch[i] = 0u;
    }
    for (uint level = 0u; level < min(model.levelCount, CROWD_LEVELS); level++) {
        uint index = model.firstGroup + level;
        barrier();
        for (uint i = thread; i < CROWD_HIST_WORDS; i += CROWD_GROUP) {
            scratch[i] = workWords[CROWD_WORK_HISTS + index * CROWD_HIST_WORDS + i];
        }
        barrier();
        if (thread == 0u) {
            LayoutCrowdGroup group = readGroup(head, index);
            uint used = min(workWords[group.ring + CROWD_RING_USED], group.slots);
            LayoutCrowdGrant grant;
            crowdGrantLevel(group.slots - used, group.coarser == 0u, grant);
            writeGrant(head.grants + index * CROWD_GRANT_WORDS, grant);
        }
    }
}
