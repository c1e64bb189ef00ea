// crowd_buffers.glsl: the buffers of the passes of crowds. A pass defines CROWD_SET_... for each buffer that it uses, and
// includes this file.
#ifndef CROWD_BUFFERS_GLSL
#define CROWD_BUFFERS_GLSL

#include "crowd/crowd_layout.h"

layout(local_size_x = CROWD_GROUP) in;

layout(push_constant) uniform Push { LayoutCrowdPush pass; };

#ifdef CROWD_SET_TABLES
layout(set = CROWD_SET_TABLES, binding = 0, std430) readonly buffer Tables { uint tableWords[]; };

#define READ_TABLE_WORD(field) value.field = tableWords[at++];
LAYOUT_READER(LayoutCrowdHead, readHead, CROWD_HEAD_FIELDS, READ_TABLE_WORD)
LAYOUT_READER(LayoutCrowdModel, readModelAt, CROWD_MODEL_FIELDS, READ_TABLE_WORD)
LAYOUT_READER(LayoutCrowdGroup, readGroupAt, CROWD_GROUP_FIELDS, READ_TABLE_WORD)
LAYOUT_READER(LayoutCrowdPool, readPoolAt, CROWD_POOL_FIELDS, READ_TABLE_WORD)
LAYOUT_READER(LayoutCrowdPart, readPartAt, CROWD_PART_FIELDS, READ_TABLE_WORD)
LAYOUT_READER(LayoutCrowdJob, readJobAt, CROWD_JOB_FIELDS, READ_TABLE_WORD)
LAYOUT_READER(LayoutCrowdDraw, readDrawAt, CROWD_DRAW_FIELDS, READ_TABLE_WORD)
LAYOUT_READER(LayoutCrowdBounds, readBoundsAt, CROWD_BOUNDS_FIELDS, READ_TABLE_WORD)

LayoutCrowdModel readModel(LayoutCrowdHead head, uint model) {
    return readModelAt(head.modelsAt + model * CROWD_MODEL_WORDS);
}

LayoutCrowdGroup readGroup(LayoutCrowdHead head, uint group) {
    return readGroupAt(head.groupsAt + group * CROWD_GROUP_WORDS);
}

LayoutCrowdPool readPool(LayoutCrowdHead head, uint pool) {
    return readPoolAt(head.poolsAt + pool * CROWD_POOL_WORDS);
}
#endif

#ifdef CROWD_SET_STATES
layout(set = CROWD_SET_STATES, binding = 0, std430) buffer States { LayoutCrowdState states[]; };
#endif

#ifdef CROWD_SET_COLDS
layout(set = CROWD_SET_COLDS, binding = 0, std430) buffer Colds { LayoutCrowdCold colds[]; };
#endif

#ifdef CROWD_SET_WORK
layout(set = CROWD_SET_WORK, binding = 0, std430) buffer Work { uint workWords[]; };
#endif

#ifdef CROWD_SET_FRAME
layout(set = CROWD_SET_FRAME, binding = 0, std430) buffer Frame { uint frameWords[]; };

// A VkDispatchIndirectCommand.
void writeGroups(uint at, uint groups) {
    uint columns = min(groups, CROWD_MOST_GROUPS);
    frameWords[at] = columns;
    frameWords[at + 1u] = columns == 0u ? 1u : (groups + columns - 1u) / columns;
    frameWords[at + 2u] = 1u;
}
#endif

#ifdef CROWD_SET_INPUT
layout(set = CROWD_SET_INPUT, binding = 0, std430) buffer Input { uint inputWords[]; };
#endif

// A dispatch has two dimensions if it has many groups.
uint threadIndex() {
    return (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * CROWD_GROUP + gl_LocalInvocationID.x;
}

#endif
