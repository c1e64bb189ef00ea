#include "spine_pick.h"

#include <math.h>
#include <string.h>

#include "spine_clip.h"

/* ---- Polygons ---- */

/* Whether a line from the place to the right crosses the edge. Half open, so that a corner counts once. */
static bool crosses(const double *a, const double *b, const double place[2]) {
    return (a[1] > place[1]) != (b[1] > place[1]) &&
           place[0] < a[0] + (b[0] - a[0]) * ((place[1] - a[1]) / (b[1] - a[1]));
}

static bool isInside(const double *corners, uint32_t count, const double place[2]) {
    bool inside = false;
    for (uint32_t i = 0; i < count; i++) {
        inside ^= crosses(corners + 2 * (size_t)i, corners + 2 * (size_t)((i + 1) % count), place);
    }
    return inside;
}

/* ---- Attachments ---- */

/* The bone with the largest weight of the vertex nearest to the place. */
static uint32_t boneAt(const SpineAttachment *attachment, const double *positions, const double place[2]) {
    double nearest = INFINITY;
    uint32_t vertex = 0, bone = attachment->bones[0];
    float most = -INFINITY;
    for (uint32_t i = 0; i < attachment->vertexCount; i++) {
        const double distance = hypot(positions[2 * (size_t)i] - place[0], positions[2 * (size_t)i + 1] - place[1]);
        vertex = distance < nearest ? i : vertex;
        nearest = fmin(distance, nearest);
    }
    for (uint32_t i = 0; i < attachment->influenceCount; i++) {
        const float weight = attachment->offsets[3 * (size_t)i + 2];
        if (attachment->vertices[i] == vertex && weight > most) {
            most = weight;
            bone = attachment->bones[i];
        }
    }
    return bone;
}

static bool hitsPicture(const SpineAttachment *attachment, const double *positions, const double place[2]) {
    bool hit = false;
    for (uint32_t i = 0; i + 2 < attachment->indexCount && !hit; i += 3) {
        double corners[3][2];
        for (int c = 0; c < 3; c++) {
            memcpy(corners[c], positions + 2 * (size_t)attachment->indices[i + (uint32_t)c], sizeof corners[c]);
        }
        hit = isInside(corners[0], 3, place);
    }
    return hit;
}

SpinePick spinePick(const SpinePose *pose, const double place[2]) {
    SpinePick box = {.slot = -1}, picture = {.slot = -1};
    SpineClipping clipping = SPINE_UNCLIPPED;
    double *positions = pose->path; /* free between evaluations */
    bool kept = true;               /* by the polygon that clips */
    for (uint32_t i = 0; i < pose->spine->slotCount; i++) {
        const uint32_t slot = pose->drawOrder[i];
        const int32_t index = pose->slots[slot].attachment, clipped = clipping.slot;
        const SpineAttachment *attachment = index >= 0 ? &pose->spine->attachments[index] : NULL;
        spineClipBegin(pose, slot, &clipping);
        if (attachment && attachment->vertexCount > 0) {
            spinePoseVertices(pose, slot, positions);
            const bool inside = isInside(positions, attachment->vertexCount, place);
            const bool visible = attachment->colour[3] * pose->slots[slot].colour[3] > 0.0f;
            kept = clipping.slot < 0 || (clipping.slot != clipped ? inside : kept);
            if (attachment->kind == SPINE_BOUNDS && inside) {
                box = (SpinePick){(int32_t)slot, (uint32_t)index, boneAt(attachment, positions, place)};
            } else if (attachment->frameCount > 0 && visible && kept && hitsPicture(attachment, positions, place)) {
                picture = (SpinePick){(int32_t)slot, (uint32_t)index, boneAt(attachment, positions, place)};
            }
        }
        spineClipEnd(slot, &clipping);
    }
    return box.slot >= 0 ? box : picture;
}
