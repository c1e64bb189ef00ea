#include "crowd_loop.h"

#include <math.h>
#include <string.h>

#include "crowd/crowd_rules.h"

/* ---- Culling ---- */

typedef struct Box {
    float centre[3], extent[3];
} Box;

static float floatOf(uint32_t bits) {
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static Box boxOf(const LayoutCrowdBounds *bounds) {
    return (Box){{floatOf(bounds->centreX), floatOf(bounds->centreY), floatOf(bounds->centreZ)},
                 {floatOf(bounds->extentX), floatOf(bounds->extentY), floatOf(bounds->extentZ)}};
}

static Box fadeBox(const LayoutCrowdBounds *a, const LayoutCrowdBounds *b) {
    const float margin = fmaxf(floatOf(a->margin), floatOf(b->margin));
    const Box from = boxOf(a);
    const Box to = boxOf(b);
    Box box;
    for (int i = 0; i < 3; i++) {
        const float low = fminf(from.centre[i] - from.extent[i], to.centre[i] - to.extent[i]) - margin;
        const float high = fmaxf(from.centre[i] + from.extent[i], to.centre[i] + to.extent[i]) + margin;
        box.centre[i] = (low + high) * 0.5f;
        box.extent[i] = (high - low) * 0.5f;
    }
    return box;
}

static bool sees(const float planes[LOOP_PLANES][4], const float m[12], const Box *box) {
    float centre[3];
    float size[3];
    for (int r = 0; r < 3; r++) {
        centre[r] = m[4 * r + 3];
        size[r] = fabsf(m[4 * r + 3]);
        for (int c = 0; c < 3; c++) {
            centre[r] += m[4 * r + c] * box->centre[c];
            size[r] += fabsf(m[4 * r + c]) * (fabsf(box->centre[c]) + box->extent[c]);
        }
    }
    for (uint32_t p = 0; p < LOOP_PLANES; p++) {
        const float *plane = planes[p];
        float distance = plane[3];
        float terms = fabsf(plane[3]);
        float reach = 0.0f;
        for (int i = 0; i < 3; i++) {
            distance += plane[i] * centre[i];
            terms += fabsf(plane[i]) * size[i];
            reach += fabsf(plane[0] * m[i] + plane[1] * m[4 + i] + plane[2] * m[8 + i]) * box->extent[i];
        }
        if (distance + reach < -CROWD_SLACK * terms) {
            return false;
        }
    }
    return true;
}

static bool isNear(const float m[12]) {
    for (int i = 0; i < 12; i++) {
        if (!(fabsf(m[i]) <= CROWD_FAR)) {
            return false;
        }
    }
    return true;
}

static uint32_t keyOf(CrowdLoop *loop, uint32_t character, const float planes[LOOP_PLANES][4], uint32_t tick) {
    LayoutCrowdState *state = &loop->states[character];
    const bool teleported = (state->flags & CROWD_TELEPORTED) != 0;
    if ((state->flags & CROWD_EXISTS) == 0) {
        return 0;
    }
    (void)crowdAdvance(state, &loop->colds[character], tick);
    state->flags &= ~CROWD_TELEPORTED;
    const bool fading = (state->flags & CROWD_FADING) != 0;
    const uint32_t clipA = state->clips & 0xffffu;
    const uint32_t clipB = state->clips >> 16;
    float m[12];
    memcpy(m, state, sizeof m);
    const bool near = isNear(m);
    const bool known = (state->flags & CROWD_MODEL_MASK) == 0;
    loop->badPlace += !near;
    loop->badModel += !known;
    loop->badClip += clipA >= loop->clipCount || (fading && clipB >= loop->clipCount);
    if (!near || !known || (state->flags & CROWD_HIDDEN) != 0) {
        return 0;
    }
    const LayoutCrowdBounds *from = &loop->bounds[crowdKnownClip(clipA, loop->clipCount)];
    const Box box = fading ? fadeBox(from, &loop->bounds[crowdKnownClip(clipB, loop->clipCount)]) : boxOf(from);
    return (sees(planes, m, &box) ? 1u : 0u) | (teleported ? CROWD_KEY_TELEPORTED : 0u);
}

/* ---- Slots and lists ---- */

/* Slots that are freed come behind the tail: they are taken from the next frame on. */
static uint32_t freeSlots(CrowdLoop *loop) {
    uint32_t freed = 0;
    for (uint32_t c = 0; c < loop->count; c++) {
        if (loop->residents[c] != 0 && (loop->keys[c] & CROWD_KEY_VIEWS) == 0) {
            loop->ring[(loop->head + loop->free + freed++) % loop->slots] = loop->residents[c] - 1;
            loop->residents[c] = 0;
        }
    }
    return freed;
}

static void takeSlots(CrowdLoop *loop) {
    for (uint32_t c = 0; c < loop->count; c++) {
        if (loop->residents[c] == 0 && (loop->keys[c] & CROWD_KEY_VIEWS) != 0) {
            if (loop->free == 0) {
                loop->refused++;
                continue;
            }
            loop->residents[c] = loop->ring[loop->head] + 1;
            loop->keys[c] |= CROWD_KEY_NEW;
            loop->head = (loop->head + 1) % loop->slots;
            loop->free--;
        }
    }
}

static void makeLists(CrowdLoop *loop) {
    for (uint32_t c = 0; c < loop->count; c++) {
        if (loop->residents[c] != 0) {
            loop->skinned[loop->skinnedCount++] = c;
            loop->list[loop->listed++] = loop->residents[c] - 1;
        }
    }
}

void crowdLoopFrame(CrowdLoop *loop, const float planes[LOOP_PLANES][4], uint32_t tick) {
    loop->listed = loop->skinnedCount = loop->refused = 0;
    loop->badClip = loop->badModel = loop->badPlace = 0;
    for (uint32_t c = 0; c < loop->count; c++) {
        loop->keys[c] = keyOf(loop, c, planes, tick);
    }
    const uint32_t freed = freeSlots(loop);
    takeSlots(loop);
    loop->free += freed;
    makeLists(loop);
}
