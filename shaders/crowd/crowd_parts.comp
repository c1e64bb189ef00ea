// crowd_parts.comp: lists for each part the slots whose characters show it, and writes the arguments of its draws and
// skinning: a workgroup for each part of a pool, and each of its lists.
#version 450
#extension GL_GOOGLE_include_directive : require

#define CROWD_SET_TABLES 0
#define CROWD_SET_COLDS  2
#define CROWD_SET_FRAME  3
#include "crowd/crowd_buffers.glsl"

shared uint shownBits[CROWD_GROUP / 32u];

uint listAt(LayoutCrowdPool pool, uint lists, uint column) {
    return column == CROWD_REFRESHED ? pool.refreshed : lists + (column - CROWD_FIRST_VIEW) * pool.slots;
}

bool shows(LayoutCrowdHead head, LayoutCrowdPool pool, uint mask, uint slot) {
    uint character = frameWords[pool.records + slot * CROWD_SLOT_WORDS + CROWD_SLOT_CHARACTER];
    return (colds[min(character, head.capacity - 1u)].parts & mask) != 0u;
}

// The rank of this thread among those with `shown`. *all: their number.
uint rankOf(bool shown, out uint all) {
    uint thread = gl_LocalInvocationID.x;
    barrier();
    if (thread < CROWD_GROUP / 32u) {
        shownBits[thread] = 0u;
    }
    barrier();
    if (shown) {
        atomicOr(shownBits[thread / 32u], 1u << thread % 32u);
    }
    barrier();
    uint before = thread < 32u ? 0u : bitCount(shownBits[0]);
    all = bitCount(shownBits[0]) + bitCount(shownBits[1]);
    return before + bitCount(shownBits[thread / 32u] & (1u << thread % 32u) - 1u);
}

// Keeps the slots that show the part, in order: instances in their place, those of a view in the list of the part.
uint choose(LayoutCrowdHead head, LayoutCrowdPool pool, LayoutCrowdPart part, uint column, uint count) {
    uint from = listAt(pool, pool.lists, column);
    uint to = listAt(pool, part.lists, column);
    uint kept = 0u;
    for (uint first = 0u; first < count; first += CROWD_GROUP) {
        uint entry = first + gl_LocalInvocationID.x;
        uint slot = entry < count ? frameWords[from + entry] : 0u;
        bool shown = entry < count && shows(head, pool, part.mask, slot);
        uint at = part.instances + min(entry, count - 1u) * LAYOUT_INSTANCE_WORDS;
        uvec3 instance = uvec3(frameWords[at], frameWords[at + 1u], frameWords[at + 2u]);
        uint all;
        uint place = kept + rankOf(shown, all);
        kept += all;
        if (shown && column != CROWD_REFRESHED) {
            frameWords[to + place] = slot;
        } else if (shown) {
            at = part.instances + place * LAYOUT_INSTANCE_WORDS;
            frameWords[at] = instance.x;
            frameWords[at + 1u] = instance.y;
            frameWords[at + 2u] = instance.z;
        }
    }
    return kept;
}

void writeJob(LayoutCrowdHead head, uint index, uint count) {
    LayoutCrowdJob job = readJobAt(head.jobsAt + index * CROWD_JOB_WORDS);
    frameWords[job.job] = 0u;
    frameWords[job.job + 1u] = 0u;
    frameWords[job.job + 2u] = count;
    frameWords[job.job + 3u] = job.vertexClass;
    uint threads = (count + head.groupInstances - 1u) / head.groupInstances * job.vertexCount;
    writeGroups(job.groups, (threads + head.groupSize - 1u) / head.groupSize);
}

void writeDraw(LayoutCrowdDraw draw, uint count) {
    frameWords[draw.arguments] = draw.indexCount;
    frameWords[draw.arguments + 1u] = count;
    frameWords[draw.arguments + 2u] = draw.firstIndex;
    frameWords[draw.arguments + 3u] = draw.vertexOffset;
    frameWords[draw.arguments + 4u] = 0u;
}

void main() {
    LayoutCrowdHead head = readHead(0u);
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    uint row = group % head.viewDraws;
    uint column = CROWD_REFRESHED + group / head.viewDraws;
    if (column >= head.poolColumns) {
        return;
    }
    uint view = column == CROWD_REFRESHED ? 0u : column - CROWD_FIRST_VIEW;
    LayoutCrowdDraw draw = readDrawAt(head.drawsAt + (view * head.viewDraws + row) * CROWD_DRAW_WORDS);
    LayoutCrowdPool pool = readPool(head, draw.pool);
    LayoutCrowdPart part = readPartAt(pool.partsAt + draw.part * CROWD_PART_WORDS);
    uint count = frameWords[pool.counts + column];
    if (part.mask != 0u) {
        count = choose(head, pool, part, column, count);
    }
    if (gl_LocalInvocationID.x != 0u) {
        return;
    }
    if (part.mask != 0u) {
        frameWords[part.counts + column] = count;
    }
    if (column != CROWD_REFRESHED) {
        writeDraw(draw, count);
        return;
    }
    for (uint i = 0u; i < part.jobCount; i++) {
        writeJob(head, part.firstJob + i, count);
    }
}
